// What stands in space: drawn twice as large as it is shown and reduced, so that its borders are soft. Called by
// scene.c.
#ifndef CLI_SPACE_H
#define CLI_SPACE_H

#include "cli.h"

typedef struct cli_space {
    zo_camera camera;
    double box[6];    // what it takes in
    bool has_box;
    zo_image large;   // a target, grown as it is needed
    uint32_t *depths; // of its pixels
} cli_space;

void cli_space_close(cli_space *space);
// How many times as large as an image its list is to be made, each way: 1 for one that is very large, or of a program
// without meshes.
uint32_t cli_space_times(const zo_program *program, const zo_image *image);
// Draws such a list over `image`, premultiplied; the list may be of a program without meshes. false: no memory, said.
bool cli_space_draw(cli_space *space, uint32_t times, const zo_draw_list *list, const zo_image *images, uint32_t count,
                    zo_image *image);

// --camera: YAW,PITCH[,ZOOM[,FIELD]]. false: it is none, said. Not given: as blocks stand in an inventory.
bool cli_camera(const cli_args *args, zo_camera *camera);

#endif
