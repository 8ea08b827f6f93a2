// One clip played into pictures: an instance, its scene, and the frame at any time. What `render` pulls its
// frames from.
#ifndef CLI_PLAYER_H
#define CLI_PLAYER_H

#include "cli.h"
#include "load.h"
#include "pictures.h"
#include "scene.h"
#include "script.h"

typedef struct cli_player_def {
    const zo_program *program;
    cli_pictures *pictures; // decoded as they are wanted
    zo_clip clip; // none: what the program itself plays
    const cli_script *script; // played on the way, or NULL
    zo_run_def run;
    const cli_lines *lines; // controls that are set, or NULL
    zo_cel show; // at the start; none: the program's own
    uint64_t seed;
    bool reduced_motion;
    bool nearest;
    double pixels_per_unit; // 0: the stage fits the picture
    zo_camera camera;       // of what stands in space
    uint8_t background[4]; // premultiplied
    // Told of all that happens, in order, before the frame that first shows it is drawn; may be NULL.
    void (*on_event)(void *context, const zo_event *event);
    void *context;
} cli_player_def;

typedef struct cli_player {
    cli_player_def def;
    zo_instance *instance;
    cli_scene scene;
    uint32_t step;        // of the script, that comes next,
    int64_t step_ns;      // and when
    bool started;
} cli_player;

bool cli_player_open(cli_player *player, const cli_player_def *def); // false: no memory, or the clip cannot be played
                                                                     // so
void cli_player_close(cli_player *player);
// The picture at `t_ns`, in straight alpha. Going back starts anew. false: no memory, said.
bool cli_player_draw(cli_player *player, int64_t t_ns, zo_image *image);

#endif
