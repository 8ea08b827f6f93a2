// "Did you mean": the name in a program that is nearest to a word, or NULL when none is near. Called by whatever takes
// such a name from the command line. Texts belong to the program.
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "cli.h"

const char *cli_nearest_clip(const zo_program *program, const char *word);
const char *cli_nearest_cel(const zo_program *program, const char *word);
const char *cli_nearest_state(const zo_program *program, const char *word); // by name or by group
const char *cli_nearest_status(const zo_program *program, const char *word); // a type of status event
const char *cli_nearest_channel(const zo_program *program, const char *word);
const char *cli_nearest_param(const zo_program *program, const zo_clip_info *clip, const char *word);

#endif
