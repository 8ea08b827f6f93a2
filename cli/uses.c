// See uses.h. Programs are bounded, the ways through them are not: looking ends after a number of steps.
#include <stdlib.h>
#include <string.h>

#include "uses.h"

enum { STEPS_MAX = 4000000, STACK_MAX = 256 };

typedef struct list { // of cli_use or cli_ask
    void *items;
    uint32_t count, capacity;
} list;

typedef struct walk {
    const zo_program *program;
    list uses, asks;
    uint32_t *expr_seen, *node_seen; // by id: the number of the walk that came by last
    zo_expr *exprs;                  // still to be looked at
    zo_node *nodes;
    uint32_t expr_count, node_count;
    uint32_t number;                 // of this walk
    cli_use owner;                   // with the user filled in
    bool through;                    // names do not end it
    int64_t left;
    bool no_memory;
} walk;

static void *push(walk *w, list *l, size_t size) {
    if (l->count == l->capacity) {
        const uint32_t capacity = l->capacity * 2 + 64;
        void *items = realloc(l->items, capacity * size);
        if (items == NULL) {
            w->no_memory = true;
            return NULL;
        }
        l->items = items;
        l->capacity = capacity;
    }
    return (char *)l->items + size * l->count++;
}

static void note(walk *w, cli_used_kind used, uint32_t id) {
    cli_use *use = push(w, &w->uses, sizeof *use);
    if (use == NULL) { return; }
    *use = w->owner;
    use->used = used;
    use->used_id = id;
}

// ---------------------------------------------------------------------------------------------------- the walk

static void come_to_expr(walk *w, zo_expr expr) {
    if (expr.id == 0 || w->expr_seen[expr.id] == w->number) { return; }
    w->expr_seen[expr.id] = w->number;
    w->exprs[w->expr_count++] = expr;
}

static void come_to_node(walk *w, zo_node node) {
    if (node.id == 0 || w->node_seen[node.id] == w->number) { return; }
    w->node_seen[node.id] = w->number;
    w->nodes[w->node_count++] = node;
}

// One with a name is used, one without is a part of who uses it.
static void meet_expr(walk *w, zo_expr expr) {
    const bool named = *zo_expr_name(w->program, expr) != 0;
    if (named) { note(w, CLI_USED_PARAMETER, expr.id); }
    if (!named || w->through) { come_to_expr(w, expr); }
}

static void look_at_expr(walk *w, zo_expr expr) {
    zo_op op;
    for (uint32_t i = 0; w->left > 0 && zo_expr_op_get(w->program, expr, i, &op); i++, w->left--) {
        if (op.code == ZO_OP_CONTROL) { note(w, CLI_USED_CONTROL, op.control.id); }
        if (op.code == ZO_OP_CALL) { meet_expr(w, op.expr); }
    }
}

static void meet_node(walk *w, zo_node node) {
    zo_node_info info;
    const bool named = zo_node_get(w->program, node, &info) && *info.name != 0;
    if (named) { note(w, CLI_USED_NODE, node.id); }
    if (!named || w->through) { come_to_node(w, node); }
}

static void look_at_node(walk *w, zo_node node) {
    zo_node_info info;
    w->left--;
    if (!zo_node_get(w->program, node, &info)) { return; }
    if (info.clip.id != 0) { note(w, CLI_USED_CLIP, info.clip.id); }
    if (info.kind == ZO_NODE_TRIGGER) { note(w, CLI_USED_TRIGGER, node.id); }
    meet_node(w, info.a);
    meet_node(w, info.b);
    if (info.expr.id != 0) { meet_expr(w, info.expr); }
}

static void go(walk *w) {
    while (w->left > 0 && !w->no_memory && w->expr_count + w->node_count > 0) {
        if (w->node_count > 0) {
            look_at_node(w, w->nodes[--w->node_count]);
        } else {
            look_at_expr(w, w->exprs[--w->expr_count]);
        }
    }
    w->expr_count = w->node_count = 0;
    w->number++;
}

static void walk_all(walk *w) {
    zo_node_info node;
    zo_state_info state;
    for (uint32_t e = 1; e <= zo_expr_count(w->program) && w->left > 0; e++) {
        if (*zo_expr_name(w->program, (zo_expr){e}) == 0) { continue; }
        w->owner = (cli_use){.user = CLI_USER_PARAMETER, .user_id = e};
        come_to_expr(w, (zo_expr){e});
        go(w);
    }
    for (uint32_t n = 1; zo_node_get(w->program, (zo_node){n}, &node) && w->left > 0; n++) {
        if (*node.name == 0) { continue; }
        w->owner = (cli_use){.user = CLI_USER_CLIP, .user_id = n};
        come_to_node(w, (zo_node){n});
        go(w);
    }
    w->through = true;
    for (uint32_t s = 1; zo_state_get(w->program, (zo_state){s}, &state) && w->left > 0; s++) {
        w->owner = (cli_use){.user = CLI_USER_STATE, .user_id = s};
        if (state.node.id != 0) { meet_node(w, state.node); }
        go(w);
    }
}

// ---------------------------------------------------------------------------------------------------- textures

static uint32_t side_of(const double normal[3]) {
    static const struct { double normal[3]; uint32_t bit; } sides[] = {
        {{0, -1, 0}, CLI_USE_DOWN}, {{0, 1, 0}, CLI_USE_UP},     {{0, 0, -1}, CLI_USE_NORTH},
        {{0, 0, 1}, CLI_USE_SOUTH}, {{-1, 0, 0}, CLI_USE_WEST}, {{1, 0, 0}, CLI_USE_EAST}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        const double *to = sides[i].normal;
        if (normal[0] * to[0] + normal[1] * to[1] + normal[2] * to[2] > 0.9999) { return sides[i].bit; }
    }
    return CLI_USE_SLANTED;
}

static void walk_textures(walk *w) {
    zo_mesh_binding binding;
    zo_mesh_vertex vertex;
    for (uint32_t m = 1; m <= zo_mesh_count(w->program); m++) {
        for (uint32_t i = 0; zo_mesh_binding_get(w->program, (zo_mesh){m}, i, &binding) && w->left > 0; i++) {
            if (!zo_mesh_vertex_get(w->program, (zo_mesh){m}, binding.vertex, &vertex)) { continue; }
            const uint32_t component = binding.component == 0 ? CLI_USE_U : CLI_USE_V;
            w->owner = (cli_use){.user = CLI_USER_MESH, .user_id = m, .bits = component | side_of(vertex.normal)};
            note(w, CLI_USED_CONTROL, binding.control.id);
            w->left--;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- order

static int compare_numbers(const uint32_t *x, const uint32_t *y, int count) {
    for (int i = 0; i < count; i++) {
        if (x[i] != y[i]) { return x[i] < y[i] ? -1 : 1; }
    }
    return 0;
}

static int by_used(const void *a, const void *b) {
    const cli_use *x = a, *y = b;
    return compare_numbers((const uint32_t[]){x->used, x->used_id, x->user, x->user_id},
                           (const uint32_t[]){y->used, y->used_id, y->user, y->user_id}, 4);
}

static int by_user(const void *a, const void *b) {
    const cli_use *x = a, *y = b;
    return compare_numbers((const uint32_t[]){x->user, x->user_id, x->used, x->used_id},
                           (const uint32_t[]){y->user, y->user_id, y->used, y->used_id}, 4);
}

static bool sort_uses(walk *w, cli_uses *uses) {
    cli_use *items = w->uses.items;
    if (w->uses.count == 0) { return true; }
    qsort(items, w->uses.count, sizeof *items, by_used);
    uses->by_used = items;
    w->uses.items = NULL;
    for (uint32_t i = 0; i < w->uses.count; i++) {
        if (uses->count > 0 && by_used(&items[uses->count - 1], &items[i]) == 0) {
            items[uses->count - 1].bits |= items[i].bits;
        } else {
            items[uses->count++] = items[i];
        }
    }
    uses->by_user = malloc(uses->count * sizeof *items);
    if (uses->by_user == NULL) { return false; }
    memcpy(uses->by_user, items, uses->count * sizeof *items);
    qsort(uses->by_user, uses->count, sizeof *items, by_user);
    return true;
}

// The first that does not stand before `key`, of those in the order of `compare`.
static uint32_t lower(const cli_use *items, uint32_t count, const cli_use *key,
                      int (*compare)(const void *, const void *)) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(&items[middle], key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void cli_uses_of(const cli_uses *uses, cli_user_kind user, uint32_t id, cli_used_kind used, uint32_t *first,
                 uint32_t *end) {
    cli_use key = {.user = user, .user_id = id, .used = used};
    *first = lower(uses->by_user, uses->count, &key, by_user);
    key.used_id = UINT32_MAX;
    *end = lower(uses->by_user, uses->count, &key, by_user);
}

void cli_users_of(const cli_uses *uses, cli_used_kind used, uint32_t id, cli_user_kind user, uint32_t *first,
                  uint32_t *end) {
    cli_use key = {.used = used, .used_id = id, .user = user};
    *first = lower(uses->by_used, uses->count, &key, by_used);
    key.user_id = UINT32_MAX;
    *end = lower(uses->by_used, uses->count, &key, by_used);
}

// ---------------------------------------------------------------------------------------------------- asks

typedef struct named_state { const char *name; uint32_t id; } named_state;

static int by_name(const void *a, const void *b) {
    const named_state *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static uint32_t state_named(const named_state *states, uint32_t count, const char *name) {
    const named_state key = {name, 0};
    const named_state *found = count > 0 ? bsearch(&key, states, count, sizeof key, by_name) : NULL;
    return found != NULL ? found->id : 0;
}

static int by_states(const void *a, const void *b) {
    const cli_ask *x = a, *y = b;
    const int order = compare_numbers((const uint32_t[]){x->from.id, x->to.id, x->clip.id, x->node.id},
                                      (const uint32_t[]){y->from.id, y->to.id, y->clip.id, y->node.id}, 4);
    return order != 0 ? order : x->at < y->at ? -1 : x->at > y->at;
}

static void add_ask(walk *w, cli_ask ask) {
    cli_ask *added = ask.to.id != 0 ? push(w, &w->asks, sizeof *added) : NULL;
    if (added != NULL) { *added = ask; }
}

static bool find_asks(walk *w, cli_uses *uses) {
    const uint32_t count = zo_state_count(w->program);
    named_state *states = malloc(((size_t)count + 1) * sizeof *states);
    if (states == NULL) { return false; }
    for (uint32_t s = 0; s < count; s++) {
        zo_state_info info = {.name = ""};
        zo_state_get(w->program, (zo_state){s + 1}, &info);
        states[s] = (named_state){info.name, s + 1};
    }
    qsort(states, count, sizeof *states, by_name);
    for (uint32_t i = 0; i < uses->count && w->left > 0 && !w->no_memory; i++) {
        const cli_use *use = &uses->by_user[i];
        cli_ask ask = {.from = {use->user_id}};
        zo_node_info node;
        zo_clip_event_info event;
        if (use->user != CLI_USER_STATE) { continue; }
        if (use->used == CLI_USED_TRIGGER && zo_node_get(w->program, (zo_node){use->used_id}, &node) &&
            node.action == ZO_ACTION_REQUEST_STATE) {
            ask.node.id = use->used_id;
            ask.to.id = state_named(states, count, node.event);
            add_ask(w, ask);
        }
        if (use->used != CLI_USED_CLIP) { continue; }
        ask.clip.id = use->used_id;
        for (uint32_t e = 0; zo_clip_event_get(w->program, ask.clip, e, &event) && w->left > 0; e++, w->left--) {
            if (event.action != ZO_ACTION_REQUEST_STATE) { continue; }
            ask.to.id = state_named(states, count, event.name);
            ask.at = event.at;
            add_ask(w, ask);
        }
    }
    free(states);
    if (w->asks.count > 0) { qsort(w->asks.items, w->asks.count, sizeof(cli_ask), by_states); }
    uses->asks = w->asks.items;
    uses->ask_count = w->asks.count;
    w->asks.items = NULL;
    return true;
}

// ---------------------------------------------------------------------------------------------------- factors of time

// A number on the stack: the operations that make it, and whether it changes with time. A control's does not by itself.
typedef struct number {
    uint32_t first;
    bool timed;
} number;

typedef struct factors {
    const zo_program *program;
    bool *passes;    // [exprs + 1]: what comes out changes with what goes in
    bool *timed;     // [exprs + 1]: time is what goes in
    bool *whole;     // [exprs + 1]: it is a factor, with all that is in it
    int32_t *opened; // [ops of the longest + 1]: factors that begin here, less those that end
    bool *controls;  // what is looked for
} factors;

static uint32_t op_count(const zo_program *program, zo_expr expr) {
    uint32_t count = 0;
    zo_op op;
    while (zo_expr_op_get(program, expr, count, &op)) { count++; }
    return count;
}

static uint32_t taken_by(zo_op_code code) {
    switch (code) {
    case ZO_OP_NUMBER:
    case ZO_OP_INPUT: return 0;
    case ZO_OP_CONTROL:
    case ZO_OP_CALL:
    case ZO_OP_FAULT: return 1;
    case ZO_OP_CLAMP:
    case ZO_OP_REPEAT:
    case ZO_OP_BEZIER: return 3;
    default: return 2;
    }
}

static void open_factor(factors *f, uint32_t first, uint32_t end) {
    f->opened[first]++;
    f->opened[end]--;
}

// Works through an expression of x, which changes with time or not. Returns whether its value does. `marks`: factors
// are noted in `opened`, and whom time is handed on to in `timed`.
static bool work_through(factors *f, zo_expr expr, bool timed, bool marks) {
    number stack[STACK_MAX];
    uint32_t depth = 0;
    zo_op op;
    for (uint32_t i = 0; zo_expr_op_get(f->program, expr, i, &op); i++) {
        const uint32_t taken = taken_by(op.code);
        if (taken > depth || depth - taken == STACK_MAX) { return false; } // no program is like that
        number *top = &stack[depth - taken];
        number made = {taken > 0 ? top->first : i, op.code == ZO_OP_INPUT && timed};
        for (uint32_t k = 0; k < taken; k++) { made.timed = made.timed || top[k].timed; }
        if (op.code == ZO_OP_CALL && marks) { f->timed[op.expr.id] = f->timed[op.expr.id] || made.timed; }
        if (op.code == ZO_OP_CALL) { made.timed = made.timed && f->passes[op.expr.id]; }
        if (op.code == ZO_OP_CONTROL) { made.timed = false; }
        if (marks && op.code == ZO_OP_MUL && top[1].timed) { open_factor(f, top[0].first, top[1].first); }
        if (marks && (op.code == ZO_OP_MUL || op.code == ZO_OP_DIV) && top[0].timed) {
            open_factor(f, top[1].first, i);
        }
        *top = made;
        depth = (uint32_t)(top - stack) + 1;
    }
    return depth > 0 && stack[depth - 1].timed;
}

static void mark_controls(factors *f, zo_expr expr) {
    zo_op op;
    int32_t within = f->whole[expr.id] ? 1 : 0;
    for (uint32_t i = 0; zo_expr_op_get(f->program, expr, i, &op); i++) {
        within += f->opened[i];
        f->opened[i] = 0;
        if (within > 0 && op.code == ZO_OP_CONTROL) { f->controls[op.control.id] = true; }
        if (within > 0 && op.code == ZO_OP_CALL) { f->whole[op.expr.id] = true; }
    }
}

static bool find_factors(const zo_program *program, cli_uses *uses) {
    const uint32_t count = zo_expr_count(program);
    uint32_t most = 0;
    zo_node_info node;
    for (uint32_t e = 1; e <= count; e++) {
        const uint32_t ops = op_count(program, (zo_expr){e});
        most = ops > most ? ops : most;
    }
    uses->factors = calloc((size_t)zo_param_count(program) + 1, sizeof *uses->factors);
    bool *flags = calloc(3 * ((size_t)count + 1), sizeof *flags);
    factors f = {.program = program, .passes = flags, .controls = uses->factors,
                 .opened = calloc((size_t)most + 1, sizeof *f.opened)};
    const bool fine = uses->factors != NULL && flags != NULL && f.opened != NULL;
    if (fine) {
        f.timed = flags + count + 1;
        f.whole = f.timed + count + 1;
        for (uint32_t e = 1; e <= count; e++) { f.passes[e] = work_through(&f, (zo_expr){e}, true, false); }
        for (uint32_t n = 1; zo_node_get(program, (zo_node){n}, &node); n++) { f.timed[node.expr.id] = true; }
        for (uint32_t e = count; e > 0; e--) { // those that call stand behind those that they call
            work_through(&f, (zo_expr){e}, f.timed[e], true);
            mark_controls(&f, (zo_expr){e});
        }
    }
    free(flags);
    free(f.opened);
    return fine;
}

// ---------------------------------------------------------------------------------------------------- all of it

bool cli_uses_find(const zo_program *program, cli_uses *uses) {
    const size_t exprs = (size_t)zo_expr_count(program) + 1, nodes = (size_t)zo_node_count(program) + 1;
    *uses = (cli_uses){0};
    walk w = {.program = program, .number = 1, .left = STEPS_MAX,
              .expr_seen = calloc(exprs, sizeof *w.expr_seen), .node_seen = calloc(nodes, sizeof *w.node_seen),
              .exprs = malloc(exprs * sizeof *w.exprs), .nodes = malloc(nodes * sizeof *w.nodes)};
    bool fine = w.expr_seen != NULL && w.node_seen != NULL && w.exprs != NULL && w.nodes != NULL;
    if (fine) {
        walk_textures(&w);
        walk_all(&w);
        fine = !w.no_memory && sort_uses(&w, uses) && find_asks(&w, uses) && !w.no_memory &&
               find_factors(program, uses);
        uses->cut = w.left <= 0;
    }
    free(w.expr_seen);
    free(w.node_seen);
    free(w.exprs);
    free(w.nodes);
    free(w.uses.items);
    free(w.asks.items);
    return fine;
}

void cli_uses_free(cli_uses *uses) {
    free(uses->by_used);
    free(uses->by_user);
    free(uses->asks);
    free(uses->factors);
    *uses = (cli_uses){0};
}
