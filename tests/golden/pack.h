// A character pack in a folder on a stage: its files compiled, its textures decoded. Shared by the golden scenes of the
// example in examples/charpack and by the test of both examples. Run in the root of the source tree. Whatever fails ends
// the program: tests only.
#ifndef PACK_H
#define PACK_H

#include <zoetrope/zoetrope.h>

typedef struct pack {
    zo_program *program;
    zo_report *report;
    zo_image *images;      // premultiplied
    zo_size *image_sizes;
    uint32_t image_count;
    uint32_t *cel_images;  // by cel
    uint64_t texture_size; // of all texture files, bytes
    zo_instance *instance; // none before pack_start
    zo_pose *pose;
    zo_draw_list list;
    struct pack_files *files;
} pack;

pack pack_open(const char *folder, const zo_compile_def *def);
void pack_close(pack *p);
void pack_start(pack *p, uint64_t seed); // a new instance, at 0
// On by so many ms; the pose is that of the moment. Every event on the way is told, if there is anybody to tell.
typedef void (*pack_told_fn)(void *context, const zo_event *event);
void pack_go(pack *p, uint32_t ms, pack_told_fn told, void *context);
// Over what is there, the pack's stage fitted into the target.
void pack_draw(pack *p, zo_image *target);

// Frames of a clip, and the picture that one of them shows.
uint32_t pack_frame_count(const pack *p, zo_clip clip);
const zo_image *pack_frame(pack *p, zo_clip clip, uint32_t frame);

#endif
