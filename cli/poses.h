// What a machine that shows poses is made of, for people and as JSON: its dialect and how it has been read, states and
// what leads out of them, its own clips, parameters and controls with where they count, and joints. Called by info.c.
#ifndef CLI_POSES_H
#define CLI_POSES_H

#include "cli.h"
#include "host/json.h"
#include "load.h"

// Whether clips are timed by somebody else, so that their own durations say little.
bool cli_poses_timed(const zo_program *program);
// false: no memory. Nothing of programs that have none of this.
bool cli_poses_human(const cli_loaded *loaded);
bool cli_poses_json(cli_json *json, const cli_loaded *loaded);
// What is worked out at the instance's present: "parameters", those with a name and the controls, and "joints", the
// matrices of those that are not at rest (or of all), row-major 3x4.
void cli_posed_json(cli_json *json, const zo_program *program, const zo_instance *instance, const zo_pose *pose,
                    bool all);
// "0.5x+1", as --set takes it.
typedef struct cli_line_text { char text[80]; } cli_line_text;
cli_line_text cli_line_of(double offset, double slope);

#endif
