// What a script tells a program to do, step by step: a JSON array of steps or one step a line. Read whole and held
// against the program before anything is played; `trace` and `render` then play it.
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "cli.h"

typedef enum cli_step_kind {
    CLI_STEP_ADVANCE,
    CLI_STEP_REQUEST,
    CLI_STEP_EVENT,
    CLI_STEP_CLICK,
    CLI_STEP_PLAY,
    CLI_STEP_FLASH,
    CLI_STEP_SET,
    CLI_STEP_SEEK,
    CLI_STEP_HIDDEN,
    CLI_STEP_REDUCED_MOTION,
    CLI_STEP_TRIGGER,
    CLI_STEP_RELEASE,
    CLI_STEP_SPEAKING,
    CLI_STEP_MOUTH,
    CLI_STEP_RAMP,
    CLI_STEP_POLL,
} cli_step_kind;

typedef struct cli_step {
    cli_step_kind kind;
    int64_t ns;         // ADVANCE: how far; SEEK: to when; EVENT: its time stamp
    const char *text;   // REQUEST: the state; EVENT: the type; PLAY: the clip; TRIGGER: the label. Texts belong to
                        // the script
    const char *source; // EVENT: who says so, or NULL
    const char *tool;   // EVENT, or NULL
    bool stamped;       // EVENT: ns counts
    bool on;            // PLAY: interrupt; HIDDEN, REDUCED_MOTION, SPEAKING; TRIGGER, RELEASE: after speech
    zo_cel cel;         // FLASH
    zo_clip clip;       // PLAY
    double ms;          // FLASH
    double level;       // MOUTH
    double seconds;     // POLL
    uint32_t first_set, set_count; // SET, RAMP
    bool joined;        // a part of the step of the file that the next one belongs to as well
} cli_step;

typedef struct cli_set {
    zo_param param;
    double value; // SET: of a line the offset; RAMP: where it is to come to
    double slope; // SET, RAMP: a second
    int64_t ns;   // RAMP: how long that takes; 0: it goes on with this slope
    bool is_line; // SET: the slope counts
} cli_set;

typedef struct cli_script {
    cli_step *steps;
    uint32_t count, capacity;
    cli_set *sets;
    uint32_t set_count, set_capacity;
    char *texts; // all of them, each ended by a zero byte
} cli_script;

// Reads the file of --script. Says all that is wrong with it, with the lines, and returns another code than CLI_FINE;
// free in any case.
int cli_script_load(const char *path, const zo_program *program, cli_script *script);
void cli_script_free(cli_script *script);
// Whether a machine of the program's runs by itself, and takes triggers.
bool cli_has_graph(const zo_program *program);
bool cli_script_seeks(const cli_script *script);
bool cli_script_polls(const cli_script *script); // then zo_instance_def.host_polls is wanted
int64_t cli_script_end_ns(const cli_script *script); // where the clock stands after the last step

// Makes the call of a step that moves no clock. false: the instance refused it. On a program without states a played
// clip just starts.
bool cli_step_apply(const cli_script *script, const cli_step *step, zo_instance *instance);
// The same call for a timeline. *done: it was not refused.
zo_status cli_step_add(const cli_script *script, const cli_step *step, zo_timeline *timeline, bool *done);

#endif
