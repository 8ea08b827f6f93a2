// One clip played into pictures: an instance, its pose and draw list, and the frame at any time. What `render` pulls its
// frames from.
#ifndef CLI_PLAYER_H
#define CLI_PLAYER_H

#include "cli.h"
#include "pictures.h"

typedef struct cli_player_def {
    const zo_program *program;
    const cli_pictures *pictures;
    zo_clip clip;
    zo_run_def run;
    zo_cel show; // at the start; none: the program's own
    uint64_t seed;
    bool reduced_motion;
    bool nearest;
    uint8_t background[4]; // premultiplied
} cli_player_def;

typedef struct cli_player {
    cli_player_def def;
    zo_instance *instance;
    zo_pose *pose;
    zo_draw_list list;
    uint32_t *cel_images; // as the pictures', with gaps filled by what is shown meanwhile
    uint32_t last_image;  // that was shown
    bool started;
} cli_player;

bool cli_player_open(cli_player *player, const cli_player_def *def); // false: no memory, or the clip cannot be played so
void cli_player_close(cli_player *player);
// The picture at `t_ns`, in straight alpha. Going back starts anew.
void cli_player_draw(cli_player *player, int64_t t_ns, zo_image *image);

#endif
