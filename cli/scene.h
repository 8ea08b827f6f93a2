// What an instance looks like at present: its pose, its draw list, and which picture stands for a cel that has none.
// What player.c and play.c draw with; it decides nothing and moves no clock.
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "ahead.h"
#include "cli.h"
#include "pictures.h"
#include "space.h"

typedef struct cli_scene {
    const zo_program *program;
    cli_pictures *pictures; // decoded as they are wanted
    zo_pose *pose;
    zo_draw_list list;
    uint32_t *cel_images;   // as the pictures', with gaps filled by what is shown meanwhile
    uint32_t last_image;    // that was shown; 0: none yet
    cli_ahead ahead;        // of pictures that are in a store
    cli_space space;        // with the camera, which the caller may set
} cli_scene;

bool cli_scene_open(cli_scene *scene, const zo_program *program, cli_pictures *pictures); // false: no memory
void cli_scene_close(cli_scene *scene);
// A swap to a picture that is not there changes nothing: to be called whenever another one may be on show.
void cli_scene_note(cli_scene *scene, const zo_instance *instance);
// What the first channel that shows pictures shows, of a pose that is sampled; none: nothing.
zo_cel cli_scene_cel(const zo_program *program, const zo_pose *pose);
// Over what is in `image`, premultiplied. pixels_per_unit 0: the stage fits. false: no memory, said.
bool cli_scene_draw(cli_scene *scene, const zo_instance *instance, double pixels_per_unit, bool nearest,
                    zo_image *image);

#endif
