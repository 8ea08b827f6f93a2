// Where the controls, parameters and clips of a machine that shows poses count: in which of its clips and states, and
// which texture coordinates follow a control. Called by poses.c. Looks at the program alone.
#ifndef CLI_USES_H
#define CLI_USES_H

#include "cli.h"

typedef enum cli_used_kind {
    CLI_USED_CONTROL,   // zo_param
    CLI_USED_PARAMETER, // zo_expr with a name
    CLI_USED_CLIP,      // zo_clip
    CLI_USED_NODE,      // zo_node with a name: a clip of the machine's own
    CLI_USED_TRIGGER,   // zo_node that tells an event
} cli_used_kind;

typedef enum cli_user_kind {
    CLI_USER_PARAMETER, // zo_expr with a name, not through another one
    CLI_USER_CLIP,      // zo_node with a name, not through another one, nor through a parameter
    CLI_USER_STATE,     // zo_state, whatever it goes through
    CLI_USER_MESH,      // zo_mesh, by `bits`
} cli_user_kind;

enum { // of a mesh: which coordinates, and on which sides as far as those lie straight
    CLI_USE_U = 1, CLI_USE_V = 2,
    CLI_USE_DOWN = 4, CLI_USE_UP = 8, CLI_USE_NORTH = 16, CLI_USE_SOUTH = 32, CLI_USE_WEST = 64, CLI_USE_EAST = 128,
    CLI_USE_SLANTED = 256,
};

typedef struct cli_use {
    cli_used_kind used;
    cli_user_kind user;
    uint32_t used_id, user_id;
    uint32_t bits;
} cli_use;

// A state that an event of what is shown in another one asks for.
typedef struct cli_ask {
    zo_state from, to;
    zo_clip clip;   // whose event at `at` it is, in the clip's unit; none:
    zo_node node;   // this trigger's
    double at;
} cli_ask;

typedef struct cli_uses {
    cli_use *by_used, *by_user; // [count]: each once, by what is used, and by who uses it
    uint32_t count;
    cli_ask *asks;  // [ask_count]: by from, then to
    uint32_t ask_count;
    bool *factors;  // [zo_param_count + 1], by id: something that changes with time is multiplied with the control, or
                    // divided by it
    bool cut;       // the program is so large that not all of it was looked at
} cli_uses;

bool cli_uses_find(const zo_program *program, cli_uses *uses); // false: no memory; free in any case
void cli_uses_free(cli_uses *uses);
// The first and the end of what a user of that kind uses of one kind, in by_user; or of what uses something, in
// by_used.
void cli_uses_of(const cli_uses *uses, cli_user_kind user, uint32_t id, cli_used_kind used, uint32_t *first,
                 uint32_t *end);
void cli_users_of(const cli_uses *uses, cli_used_kind used, uint32_t id, cli_user_kind user, uint32_t *first,
                  uint32_t *end);

#endif
