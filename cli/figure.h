// What a rig looks like without its pictures: bones as a stick figure, sprites as boxes with their names, so that any
// clip can be looked at. Drawn under what the program itself draws. Called by whoever draws frames.
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include "pictures.h"

// Over `image`, which is premultiplied, in the view that the program is drawn in with these pixels a unit (0: the stage
// fits). Nothing for programs without a rig. Bones only where there are no pictures of sprites at all; boxes for each
// sprite whose picture is not there.
void cli_figure_draw(const zo_program *program, const cli_pictures *pictures, const zo_pose *pose,
                     double pixels_per_unit, zo_image *image);

#endif
