// Packages: a pet with its pictures and animations in one archive, to hand on. The library unpacks nothing and decodes
// nothing: the caller says what an archive's directory holds, asks which entries may be unpacked, says what came out,
// and everything is judged in one report (zo_compile with `archive`). Making a package and taking one apart is working
// on texts.
#ifndef ZOETROPE_PACKAGE_H
#define ZOETROPE_PACKAGE_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zo_picture_kind { // by a file's first bytes
    ZO_PICTURE_OTHER = 0,
    ZO_PICTURE_PNG = 1,
    ZO_PICTURE_WEBP = 2,
    ZO_PICTURE_JPEG = 3,
} zo_picture_kind;

// What a picture is, without its pixels.
typedef struct zo_picture_info {
    zo_picture_kind kind;
    uint32_t width, height; // as its head says; 0 for OTHER
    uint64_t size;          // bytes of the file
    char sha256[65];        // of the file's bytes: 64 lower-case hexadecimal digits and a zero
} zo_picture_info;

typedef enum zo_entry_flag { // bits
    ZO_ENTRY_ENCRYPTED = 1,
    ZO_ENTRY_LINK = 2,     // or anything else that is neither an ordinary file nor a folder
    ZO_ENTRY_METHOD = 4,   // packed in a way that the caller cannot unpack
    ZO_ENTRY_DAMAGED = 8,  // does not unpack, or to another checksum
    ZO_ENTRY_UNPACKED = 16, // `real_size` and, of pictures, `picture` are known
} zo_entry_flag;

// One entry of an archive.
typedef struct zo_entry {
    zo_text name;            // as the archive has it; any bytes
    uint64_t size;           // bytes when unpacked, as the archive's directory says
    uint64_t real_size;      // bytes that came out; it is enough to know that there was one more than `size`
    uint32_t flags;          // of zo_entry_flag
    const char *damage;      // DAMAGED: what is wrong, a clause; NULL: its checksum
    zo_picture_info picture; // of what came out
} zo_entry;

struct zo_archive {
    const char *name;        // for the report
    const zo_entry *entries; // [entry_count], in the order of the directory
    uint32_t entry_count;
    uint64_t claimed_count;  // of entries, where they were too many to be listed; then entry_count is 0
    const char *fault;       // why it is no archive that can be read, a clause; then entry_count is 0. NULL: it is one
};

// Which entries of a pet package are worth unpacking: none when they are too many or too large together; else those
// that have a place in a package, once, are not too large, and can be unpacked. [entry_count]
ZO_API void zo_package_want(const zo_archive *archive, bool *wanted);

// The picture of a slot, for a package to be made.
typedef struct zo_package_picture {
    const char *slot; // idle, thinking, working, waiting, success or error
    zo_picture_info info;
} zo_package_picture;

typedef struct zo_package_def {
    const char *name;                    // NULL: what the configuration says, else other_name
    const char *other_name;              // never NULL
    const zo_package_picture *pictures;  // each slot at most once
    uint32_t picture_count;
} zo_package_def;

// A file by its name within a folder or an archive.
typedef struct zo_package_file {
    const char *name;
    zo_text text;
} zo_package_file;

typedef struct zo_package {
    const zo_package_file *files;
    uint32_t file_count;
    const char *name; // of the pet
} zo_package;

// The manifest of a package of a pet: the only file of `*package`, manifest.json. The sources are as for zo_compile,
// the configuration first. Into the package go the pictures given and the animations that the pet plays; the rest of
// the configuration stays as it is, members that nobody knows included. ZO_INVALID: the pet has faults, or names what
// is not there; the report says all of it. The same input gives the same bytes.
ZO_API zo_status zo_package_make(const zo_source *sources, uint32_t source_count, const zo_package_def *package_def,
                                 const zo_compile_def *def, zo_package **package, zo_report **report);

// A package's manifest back to files of a folder: pet.json and animations/*.json. Its pictures are not touched: the
// configuration names them by their ids. A package made of that folder is the same again.
ZO_API zo_status zo_package_open(const zo_source *manifest, const zo_compile_def *def, zo_package **package,
                                 zo_report **report);
ZO_API void zo_package_free(zo_package *package);

// A document in another form that is several files: `to` is "bedrock", of Forge machines of the shipped dialect, which
// gives a geometry a block model, animations, an animation controller and a client entity (docs/bedrock.md). The
// sources are as for zo_compile. What the form cannot hold is in the report as notes and warnings. ZO_UNSUPPORTED: the
// format has no such form. Otherwise the status is as of zo_compile. The same input gives the same bytes.
ZO_API zo_status zo_export(const zo_source *sources, uint32_t source_count, const char *to, const zo_compile_def *def,
                           zo_package **package, zo_report **report);

#ifdef __cplusplus
}
#endif

#endif
