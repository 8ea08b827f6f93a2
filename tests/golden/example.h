// The example in examples/enemy on a stage: its files compiled, its pictures read, one clip playing. Shared by the
// golden scenes of it and by its test. Run in the root of the source tree. Whatever fails ends the program: tests only.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <zoetrope/zoetrope.h>

typedef struct example {
    zo_program *program;
    zo_report *report;
    zo_image *images;      // premultiplied
    zo_size *image_sizes;
    uint32_t image_count;
    uint32_t *cel_images;  // by cel
    zo_instance *instance;
    zo_pose *pose;
    zo_draw_list list;
    struct example_files *files;
} example;

example example_open(const zo_compile_def *def); // its clips are idle, hop and attack
void example_close(example *e);
zo_clip example_clip(const example *e, const char *name);
void example_start(example *e, const char *clip); // in a new instance, at 0
// To the moment of a frame at 60 a second. Only forwards. The pose is that of the moment.
void example_go(example *e, uint32_t frame);
// Over what is there, the rig's view fitted into the target.
void example_draw(example *e, zo_image *target);

#endif
