// What belongs to a file, told by names: formats whose files lie in sets, name resources or are judged alone, what a
// character pack is known by, and how a file is called beside another. Called by the commands, which look on disk, and
// by what takes contents in, which looks among files in memory and in the library. Opens nothing.
#ifndef HOST_BESIDE_H
#define HOST_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// By a format's name, as zo_report_format and zo_program_format have it.
bool beside_is_set(const char *format);        // clips in one folder play as a set
bool beside_has_rig(const char *format);       // moves bones and sprites of a rig, or is one
bool beside_has_resources(const char *format); // names resources, models and textures among them, in folders
bool beside_has_pictures(const char *format);  // names pictures that it is drawn with, and without which it is another
bool beside_is_alone(const char *format);      // judged by itself, whatever names it
bool beside_is_rig(const char *format);

extern const char *const beside_pack_format; // of a character pack's manifest
bool beside_is_manifest(const char *path);   // by the last part of its name
// Names of files that a folder with a pack is known by, the manifest first; NULL beyond the last.
const char *beside_pack_file_at(uint32_t index);

bool beside_ends_in(const char *path, const char *name); // `name` as whole parts
size_t beside_folder_size(const char *path);             // bytes of the folder with its slash; 0: it lies in none
const char *beside_last_part(const char *path);          // what stands behind that
// Whether a name that somebody's file asks for leads nowhere but down from a folder.
bool beside_leads_down(const char *name);
// What the file of an animation is called: user_wave.json of user:wave. Cut where it does not fit.
void beside_file_of_id(const char *id, char *name, size_t capacity);
// What a file is called as a source beside the first one, which asked for `need`. It goes by its own `path` where it
// lies in the folder of the first, so that messages show that (NULL: it does not), else by the name that was asked for;
// but what begins like the folder of the first source is taken as lying below it, so a name that does goes by where it
// would lie. malloc; NULL: memory.
char *beside_name(const char *first, const char *need, const char *path);

#endif
