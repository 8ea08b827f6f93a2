// See poses.h. The dialects are known by the names of their formats; all else is what the program says.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "poses.h"
#include "uses.h"

typedef enum dialect { NO_DIALECT, DRAFT, SHIPPED } dialect;

static const struct {
    const char *format;
    dialect dialect;
} formats[] = {{"forge-draft-machine", DRAFT}, {"forge-draft-animation", DRAFT}, {"forge-machine", SHIPPED},
               {"forge-armature", SHIPPED},    {"forge-model", NO_DIALECT},      {"b3d", NO_DIALECT}};

static const char *const dialect_names[] = {"", "draft", "shipped"};
static const char *const dialect_texts[] = {
    "", "draft, the document of 2015", "shipped, as Forge had it for Minecraft 1.8.9 to 1.17"};

typedef struct look {
    const cli_loaded *loaded;
    const zo_program *program;
    dialect dialect;
    bool known;      // it is one of the formats above
    bool machine;    // that shows poses
    bool frames;     // there are clips by frames, which are those of B3D models
    zo_posing_info posing;
    cli_uses uses;
    const char *notes[4]; // of versions
    uint32_t note_count;
    uint32_t *element_counts, *vertex_counts; // [targets + 1], by id
} look;

// ---------------------------------------------------------------------------------------------------- looking

static int format_of(const zo_program *program) { // -1: another family's
    for (int i = 0; i < (int)(sizeof formats / sizeof formats[0]); i++) {
        if (strcmp(formats[i].format, zo_program_format(program)) == 0) { return i; }
    }
    return -1;
}

bool cli_poses_timed(const zo_program *program) { return format_of(program) >= 0; }

static bool ends_in(const char *text, const char *ending) {
    const size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

// What not every version of the program behind the dialect does, of what is used here.
static void note_versions(look *l) {
    bool origins = false, lost = false, several = false;
    uint32_t scales = 0; // of the joint so far; all three are mostly one variable, scale
    zo_channel_info channel;
    zo_edge_info edge, before = {.from = {0}};
    for (uint32_t c = 1; zo_channel_get(l->program, (zo_channel){c}, &channel); c++) {
        const bool z = ends_in(channel.name, ".origin_z"), scale_z = ends_in(channel.name, ".scale_z");
        const bool scale = scale_z || ends_in(channel.name, ".scale_x") || ends_in(channel.name, ".scale_y");
        scales = scale ? scales + 1 : 0;
        origins = origins || z || ends_in(channel.name, ".origin_x") || ends_in(channel.name, ".origin_y");
        lost = lost || z || (scale_z && scales < 3);
        if (scale_z) { scales = 0; }
    }
    for (uint32_t e = 0; l->machine && zo_edge_get(l->program, e, &edge); e++, before = edge) {
        several = several || edge.from.id == before.from.id;
    }
    if (several) { l->notes[l->note_count++] = "several states may follow one: since the middle of 2016"; }
    if (origins) { l->notes[l->note_count++] = "variables origin_x, origin_y and origin_z: since 2017"; }
    if (lost) { l->notes[l->note_count++] = "1.15 to 1.17 took scale_z and origin_z for those of x; here as in 1.12"; }
}

// A mesh is an element of a block model; of a B3D model there is one, and vertices tell more.
static bool count_moved(look *l) {
    const size_t count = (size_t)zo_target_count(l->program) + 1;
    l->element_counts = calloc(count, sizeof *l->element_counts);
    l->vertex_counts = calloc(count, sizeof *l->vertex_counts);
    uint32_t *last = calloc(count, sizeof *last); // the mesh that was counted last
    const bool fine = l->element_counts != NULL && l->vertex_counts != NULL && last != NULL;
    zo_mesh_info mesh;
    zo_mesh_weight weight;
    for (uint32_t m = 1; fine && zo_mesh_get(l->program, (zo_mesh){m}, &mesh); m++) {
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            for (uint32_t w = 0; zo_mesh_weight_get(l->program, (zo_mesh){m}, v, w, &weight); w++) {
                if (weight.weight == 0.0) { continue; }
                l->vertex_counts[weight.target.id]++;
                l->element_counts[weight.target.id] += last[weight.target.id] != m;
                last[weight.target.id] = m;
            }
        }
    }
    free(last);
    return fine;
}

static bool look_at(look *l, const cli_loaded *loaded) {
    const int format = format_of(loaded->program);
    zo_clip_info clip;
    *l = (look){.loaded = loaded, .program = loaded->program, .known = format >= 0};
    l->dialect = format >= 0 ? formats[format].dialect : NO_DIALECT;
    l->machine = zo_posing_get(l->program, &l->posing);
    for (uint32_t c = 1; zo_clip_get(l->program, (zo_clip){c}, &clip); c++) {
        l->frames = l->frames || clip.time_unit == ZO_TIME_FRAMES;
    }
    if (!l->known && !l->machine) { return true; }
    if (l->dialect == SHIPPED) { note_versions(l); }
    return cli_uses_find(l->program, &l->uses) && count_moved(l);
}

static void look_away(look *l) {
    cli_uses_free(&l->uses);
    free(l->element_counts);
    free(l->vertex_counts);
}

static bool option_is(const look *l, cli_option_id option, const char *word) {
    const char *value = l->loaded->args->values[option];
    return value != NULL && strcmp(value, word) == 0;
}

static bool exact_keys(const look *l) {
    const bool named = option_is(l, CLI_OPT_B3D_KEYS, "forge") || option_is(l, CLI_OPT_B3D_KEYS, "blitz");
    return named ? option_is(l, CLI_OPT_B3D_KEYS, "forge") : l->dialect == SHIPPED;
}

static const char *param_name(const look *l, uint32_t id) {
    zo_param_info info;
    return zo_param_get(l->program, (zo_param){id}, &info) ? info.name : "";
}

static const char *clip_name(const look *l, uint32_t id) {
    zo_clip_info info;
    return zo_clip_get(l->program, (zo_clip){id}, &info) ? info.name : "";
}

static const char *node_name(const look *l, uint32_t id) {
    zo_node_info info;
    return zo_node_get(l->program, (zo_node){id}, &info) ? info.name : "";
}

static const char *state_name(const look *l, uint32_t id) {
    zo_state_info info;
    return zo_state_get(l->program, (zo_state){id}, &info) ? info.name : "";
}

static const char *mesh_name(const look *l, uint32_t id) {
    zo_mesh_info info;
    return zo_mesh_get(l->program, (zo_mesh){id}, &info) ? info.name : "";
}

static const char *used_name(const look *l, const cli_use *use) {
    switch (use->used) {
    case CLI_USED_CONTROL: return param_name(l, use->used_id);
    case CLI_USED_PARAMETER: return zo_expr_name(l->program, (zo_expr){use->used_id});
    case CLI_USED_CLIP: return clip_name(l, use->used_id);
    case CLI_USED_NODE:
    case CLI_USED_TRIGGER: return node_name(l, use->used_id);
    }
    return "";
}

static const char *user_name(const look *l, const cli_use *use) {
    switch (use->user) {
    case CLI_USER_PARAMETER: return zo_expr_name(l->program, (zo_expr){use->user_id});
    case CLI_USER_CLIP: return node_name(l, use->user_id);
    case CLI_USER_STATE: return state_name(l, use->user_id);
    case CLI_USER_MESH: return mesh_name(l, use->user_id);
    }
    return "";
}

cli_line_text cli_line_of(double offset, double slope) {
    cli_line_text line;
    char number[32] = "";
    size_t used = 0;
    line.text[0] = 0;
    if (slope != 0.0) {
        if (fabs(slope) != 1.0) { cli_number_text(slope, number); }
        used = (size_t)snprintf(line.text, sizeof line.text, "%s%sx", slope == -1.0 ? "-" : "", number);
    }
    if (slope == 0.0 || offset != 0.0) {
        cli_number_text(offset, number);
        snprintf(line.text + used, sizeof line.text - used, "%s%s", used > 0 && offset > 0.0 ? "+" : "", number);
    }
    return line;
}

// ---------------------------------------------------------------------------------------------------- for people

static void put(const char *text) { cli_put_plain(stdout, text); }

// "; by speed, length": `before` goes in front of the first.
static uint32_t put_used(const look *l, cli_user_kind user, uint32_t id, cli_used_kind used, const char *before) {
    uint32_t first, end;
    cli_uses_of(&l->uses, user, id, used, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        fputs(i == first ? before : ", ", stdout);
        put(used_name(l, &l->uses.by_user[i]));
    }
    return end - first;
}

static uint32_t put_users(const look *l, cli_used_kind used, uint32_t id, cli_user_kind user, const char *one,
                          const char *many, const char *before) {
    uint32_t first, end;
    cli_users_of(&l->uses, used, id, user, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (i == first) { printf("%s%s ", before, end - first == 1 ? one : many); }
        fputs(i == first ? "" : ", ", stdout);
        put(user_name(l, &l->uses.by_used[i]));
    }
    return end - first;
}

static void print_readings(const look *l) {
    const char *heading = "\nread as       ";
    if (l->dialect == DRAFT) {
        const bool samples = option_is(l, CLI_OPT_DRAFT_UNIFORM, "samples");
        printf("%suniform samples: %s\n", heading,
               samples ? "samples, number i at time i (--draft-uniform pass: at i/n of one pass)"
                       : "pass, number i of n at i/n of one pass (--draft-uniform samples: at time i)");
        heading = "              ";
        const bool letter = option_is(l, CLI_OPT_DRAFT_REPEAT, "letter");
        printf("%scounted repeats: %s\n", heading,
               letter ? "letter, they wrap at the count (--draft-repeat length: at the length)"
                      : "length, where they wrap (--draft-repeat letter: at the count)");
    }
    if (l->frames) {
        printf("%skeys of B3D: %s\n", heading,
               exact_keys(l) ? "forge, which count at their own frames alone (--b3d-keys blitz: blended between)"
                             : "blitz, blended between frames (--b3d-keys forge: at their own frames alone)");
    }
}

static void print_ask(const look *l, const cli_ask *ask) {
    char at[32];
    if (ask->clip.id != 0) {
        cli_number_text(ask->at, at);
        fputs("the event of ", stdout);
        put(clip_name(l, ask->clip.id));
        printf(" at %s", at);
    } else {
        const char *name = node_name(l, ask->node.id);
        fputs(*name != 0 ? "the trigger " : "a trigger", stdout);
        put(name);
    }
}

// The first ask of this pair or a later one.
static uint32_t ask_of(const cli_uses *uses, zo_state from, zo_state to) {
    uint32_t low = 0, high = uses->ask_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const cli_ask *ask = &uses->asks[middle];
        if (ask->from.id < from.id || (ask->from.id == from.id && ask->to.id < to.id)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void print_edge(const look *l, const zo_edge_info *edge) {
    enum { SHOWN_MAX = 4 };
    const cli_uses *uses = &l->uses;
    char ms[32];
    fputs(l->posing.looks ? "      may go to " : "      to ", stdout);
    put(state_name(l, edge->to.id));
    if (edge->blend_ns > 0) {
        cli_number_text((double)edge->blend_ns / 1e6, ms);
        printf(": lerp, %s ms", ms);
    } else if (!l->posing.looks) {
        fputs(": instant", stdout);
    }
    uint32_t count = 0;
    for (uint32_t i = ask_of(uses, edge->from, edge->to); i < uses->ask_count; i++, count++) {
        const cli_ask *ask = &uses->asks[i];
        if (ask->from.id != edge->from.id || ask->to.id != edge->to.id) { break; }
        if (count < SHOWN_MAX) {
            fputs(count == 0 ? ", and does by " : " and ", stdout);
            print_ask(l, ask);
        }
    }
    if (count > SHOWN_MAX) { printf(" and %u more", count - SHOWN_MAX); }
    putchar('\n');
}

static void print_states(const look *l) {
    zo_state_info state;
    zo_edge_info edge;
    uint32_t e = 0;
    char ms[32];
    printf("\nstates        %u", zo_state_count(l->program));
    if (l->posing.looks) {
        cli_number_text((double)l->posing.look_ns / 1e6, ms);
        printf("; the machine looks at the world every %s ms, and a new state shows at the next look\n", ms);
    } else {
        puts("; a new state shows at once");
    }
    for (uint32_t s = 1; zo_state_get(l->program, (zo_state){s}, &state); s++) {
        fputs("  ", stdout);
        put(state.name);
        fputs(state.first ? ", the first," : "", stdout);
        const uint32_t shown = put_used(l, CLI_USER_STATE, s, CLI_USED_CLIP, " shows ");
        if (shown == 0) { fputs(" shows nothing that moves", stdout); }
        putchar('\n');
        bool leads = false;
        for (; zo_edge_get(l->program, e, &edge) && edge.from.id == s; e++, leads = true) {
            print_edge(l, &edge);
        }
        if (!leads) { puts("      to no other"); }
    }
}

static void print_own_clips(const look *l) {
    zo_node_info node, trigger;
    const char *heading = "\nclips of the machine, made of those below\n";
    for (uint32_t n = 1; zo_node_get(l->program, (zo_node){n}, &node); n++) {
        uint32_t first, end;
        if (*node.name == 0) { continue; }
        printf("%s  ", heading);
        heading = "";
        put(node.name);
        const char *separator = ": ";
        if (put_used(l, CLI_USER_CLIP, n, CLI_USED_CLIP, separator) > 0) { separator = ", "; }
        if (put_used(l, CLI_USER_CLIP, n, CLI_USED_NODE, separator) > 0) { separator = ", "; }
        if (*separator == ':') { fputs(": nothing that moves", stdout); }
        separator = "; by ";
        if (put_used(l, CLI_USER_CLIP, n, CLI_USED_PARAMETER, separator) > 0) { separator = ", "; }
        put_used(l, CLI_USER_CLIP, n, CLI_USED_CONTROL, separator);
        cli_uses_of(&l->uses, CLI_USER_CLIP, n, CLI_USED_TRIGGER, &first, &end);
        for (uint32_t i = first; i < end; i++) {
            if (!zo_node_get(l->program, (zo_node){l->uses.by_user[i].used_id}, &trigger)) { continue; }
            fputs(trigger.action == ZO_ACTION_NOTIFY ? "; tells " : "; asks for ", stdout);
            put(trigger.event);
        }
        putchar('\n');
    }
}

// Where something counts, in a line below it. false: nowhere.
static bool print_users(const look *l, cli_used_kind used, uint32_t id) {
    static const struct { cli_user_kind user; const char *one, *many; } kinds[] = {
        {CLI_USER_PARAMETER, "parameter", "parameters"},
        {CLI_USER_CLIP, "clip", "clips"},
        {CLI_USER_STATE, "state", "states"}};
    const char *before = "      in ";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (put_users(l, used, id, kinds[i].user, kinds[i].one, kinds[i].many, before) > 0) { before = "; "; }
    }
    if (*before == ';') { putchar('\n'); }
    return *before == ';';
}

static const char *const sides[] = {"down", "up", "north", "south", "west", "east", "slanted sides"};

static bool print_textures(const look *l, uint32_t control) {
    uint32_t first, end;
    cli_users_of(&l->uses, CLI_USED_CONTROL, control, CLI_USER_MESH, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const cli_use *use = &l->uses.by_used[i];
        const bool u = (use->bits & CLI_USE_U) != 0, v = (use->bits & CLI_USE_V) != 0;
        printf("      in %s of the faces of element ", u && v ? "u and v" : u ? "u" : "v");
        put(mesh_name(l, use->user_id));
        const char *separator = ": ";
        for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
            if ((use->bits & (uint32_t)CLI_USE_DOWN << s) == 0) { continue; }
            printf("%s%s", separator, sides[s]);
            separator = ", ";
        }
        putchar('\n');
    }
    return end > first;
}

static void print_parameters(const look *l) {
    const char *heading = "\nparameters\n";
    for (uint32_t e = 1; e <= zo_expr_count(l->program); e++) {
        const char *name = zo_expr_name(l->program, (zo_expr){e});
        if (*name == 0) { continue; }
        printf("%s  ", heading);
        heading = "";
        put(name);
        putchar('\n');
        if (!print_users(l, CLI_USED_PARAMETER, e)) { puts("      nowhere"); }
    }
}

static void print_controls(const look *l) {
    const char *heading = "\ncontrols      the host's: --set NAME=VALUE, or a line over what it is asked for, such as "
                          "0.5x+1\n";
    zo_param_info info;
    for (uint32_t p = 1; zo_param_get(l->program, (zo_param){p}, &info); p++) {
        if (info.clip.id != 0) { continue; }
        printf("%s  ", heading);
        heading = "";
        put(info.name);
        if (info.needed) {
            puts(", which wants a value: until it has one it hands on what it is asked for");
        } else if (info.value == 0.0 && info.slope == 1.0) {
            puts(" = x: as long as nobody sets it, it hands on what it is asked for");
        } else {
            printf(" = %s as long as nobody sets it\n", cli_line_of(info.value, info.slope).text);
        }
        const bool counts = print_users(l, CLI_USED_CONTROL, p), shows = print_textures(l, p);
        if (!counts && !shows) { puts("      nowhere"); }
        if (l->uses.factors[p]) {
            puts("      a factor of time: when it changes, what it times jumps to another place at once");
        }
    }
}

static void print_joints(const look *l) {
    const bool drawn = zo_mesh_count(l->program) > 0;
    const char *heading = "\njoints\n";
    for (uint32_t t = 1; t <= zo_target_count(l->program); t++) {
        const char *name = zo_target_name(l->program, (zo_target){t});
        const bool of_b3d = strncmp(name, "node/", 5) == 0;
        const uint32_t count = of_b3d ? l->vertex_counts[t] : l->element_counts[t];
        printf("%s  ", heading);
        heading = "";
        put(name);
        if (drawn) {
            printf(count == 0 ? " moves nothing" : " moves %u %s%s", count, of_b3d ? "vert" : "element",
                   of_b3d ? count == 1 ? "ex" : "ices" : count == 1 ? "" : "s");
        }
        putchar('\n');
    }
    if (!drawn && *heading == 0) { puts("      no model is here, so what they move is not known"); }
}

bool cli_poses_human(const cli_loaded *loaded) {
    look l;
    const bool fine = look_at(&l, loaded);
    if (fine && (l.known || l.machine)) {
        if (l.dialect != NO_DIALECT) { printf("\ndialect       %s\n", dialect_texts[l.dialect]); }
        for (uint32_t i = 0; i < l.note_count; i++) { printf("              %s\n", l.notes[i]); }
        print_readings(&l);
        if (l.machine) {
            print_states(&l);
            print_own_clips(&l);
        }
        print_parameters(&l);
        print_controls(&l);
        print_joints(&l);
        if (l.uses.cut) { puts("\nThis is so large that not everything has been looked at."); }
    }
    look_away(&l);
    return fine;
}

// ---------------------------------------------------------------------------------------------------- JSON

static void json_dialect(cli_json *json, const look *l) {
    cli_json_open(json, "reading", '{');
    if (l->dialect != NO_DIALECT) { cli_json_text(json, "dialect", dialect_names[l->dialect]); }
    if (l->dialect == DRAFT) {
        cli_json_text(json, "draftUniform", option_is(l, CLI_OPT_DRAFT_UNIFORM, "samples") ? "samples" : "pass");
        cli_json_text(json, "draftRepeat", option_is(l, CLI_OPT_DRAFT_REPEAT, "letter") ? "letter" : "length");
    }
    if (l->frames) { cli_json_text(json, "b3dKeys", exact_keys(l) ? "forge" : "blitz"); }
    if (l->dialect == SHIPPED) {
        cli_json_open(json, "versions", '[');
        for (uint32_t i = 0; i < l->note_count; i++) { cli_json_text(json, NULL, l->notes[i]); }
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}

static void json_used(cli_json *json, const look *l, const char *key, cli_user_kind user, uint32_t id,
                      cli_used_kind used) {
    uint32_t first, end;
    cli_uses_of(&l->uses, user, id, used, &first, &end);
    cli_json_open_inline(json, key, '[');
    for (uint32_t i = first; i < end; i++) { cli_json_text(json, NULL, used_name(l, &l->uses.by_user[i])); }
    cli_json_close(json, ']');
}

static void json_users(cli_json *json, const look *l, const char *key, cli_used_kind used, uint32_t id,
                       cli_user_kind user) {
    uint32_t first, end;
    cli_users_of(&l->uses, used, id, user, &first, &end);
    cli_json_open_inline(json, key, '[');
    for (uint32_t i = first; i < end; i++) { cli_json_text(json, NULL, user_name(l, &l->uses.by_used[i])); }
    cli_json_close(json, ']');
}

static void json_edge(cli_json *json, const look *l, const zo_edge_info *edge) {
    const cli_uses *uses = &l->uses;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "to", state_name(l, edge->to.id));
    if (!l->posing.looks) { // then nothing happens by events
        cli_json_text(json, "type", edge->blend_ns > 0 ? "lerp" : "instant");
        cli_json_ms(json, "blendMs", edge->blend_ns);
        cli_json_close(json, '}');
        return;
    }
    cli_json_open(json, "byEvents", '[');
    for (uint32_t i = ask_of(uses, edge->from, edge->to); i < uses->ask_count; i++) {
        const cli_ask *ask = &uses->asks[i];
        if (ask->from.id != edge->from.id || ask->to.id != edge->to.id) { break; }
        cli_json_open_inline(json, NULL, '{');
        if (ask->clip.id != 0) {
            cli_json_text(json, "clip", clip_name(l, ask->clip.id));
            cli_json_number(json, "at", ask->at);
        } else {
            cli_json_text(json, "trigger", node_name(l, ask->node.id));
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void json_machine(cli_json *json, const look *l) {
    zo_state_info state;
    zo_edge_info edge;
    zo_node_info node, trigger;
    uint32_t e = 0, first, end;
    cli_json_open(json, "machine", '{');
    if (l->posing.looks) { cli_json_ms(json, "looksEveryMs", l->posing.look_ns); }
    cli_json_open(json, "states", '[');
    for (uint32_t s = 1; zo_state_get(l->program, (zo_state){s}, &state); s++) {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", state.name);
        if (state.first) { cli_json_bool(json, "isFirst", true); }
        json_used(json, l, "clips", CLI_USER_STATE, s, CLI_USED_CLIP);
        cli_json_open(json, "transitions", '[');
        for (; zo_edge_get(l->program, e, &edge) && edge.from.id == s; e++) { json_edge(json, l, &edge); }
        cli_json_close(json, ']');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "clips", '[');
    for (uint32_t n = 1; zo_node_get(l->program, (zo_node){n}, &node); n++) {
        if (*node.name == 0) { continue; }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", node.name);
        json_used(json, l, "clips", CLI_USER_CLIP, n, CLI_USED_CLIP);
        json_used(json, l, "ownClips", CLI_USER_CLIP, n, CLI_USED_NODE);
        json_used(json, l, "parameters", CLI_USER_CLIP, n, CLI_USED_PARAMETER);
        json_used(json, l, "controls", CLI_USER_CLIP, n, CLI_USED_CONTROL);
        cli_json_open(json, "triggers", '[');
        cli_uses_of(&l->uses, CLI_USER_CLIP, n, CLI_USED_TRIGGER, &first, &end);
        for (uint32_t i = first; i < end; i++) {
            if (!zo_node_get(l->program, (zo_node){l->uses.by_user[i].used_id}, &trigger)) { continue; }
            cli_json_open_inline(json, NULL, '{');
            cli_json_text(json, trigger.action == ZO_ACTION_NOTIFY ? "tells" : "asksFor", trigger.event);
            cli_json_close(json, '}');
        }
        cli_json_close(json, ']');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void json_used_by(cli_json *json, const look *l, cli_used_kind used, uint32_t id) {
    cli_json_open(json, "usedBy", '{');
    json_users(json, l, "parameters", used, id, CLI_USER_PARAMETER);
    json_users(json, l, "clips", used, id, CLI_USER_CLIP);
    json_users(json, l, "states", used, id, CLI_USER_STATE);
    if (used == CLI_USED_CONTROL) {
        uint32_t first, end;
        cli_users_of(&l->uses, used, id, CLI_USER_MESH, &first, &end);
        cli_json_open(json, "uv", '[');
        for (uint32_t i = first; i < end; i++) {
            const cli_use *use = &l->uses.by_used[i];
            cli_json_open_inline(json, NULL, '{');
            cli_json_text(json, "element", mesh_name(l, use->user_id));
            cli_json_open(json, "components", '[');
            if (use->bits & CLI_USE_U) { cli_json_text(json, NULL, "u"); }
            if (use->bits & CLI_USE_V) { cli_json_text(json, NULL, "v"); }
            cli_json_close(json, ']');
            cli_json_open(json, "faces", '[');
            for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
                if (use->bits & (uint32_t)CLI_USE_DOWN << s) { cli_json_text(json, NULL, sides[s]); }
            }
            cli_json_close(json, ']');
            cli_json_close(json, '}');
        }
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}

static void json_parameters(cli_json *json, const look *l) {
    zo_param_info info;
    cli_json_open(json, "parameters", '[');
    for (uint32_t e = 1; e <= zo_expr_count(l->program); e++) {
        const char *name = zo_expr_name(l->program, (zo_expr){e});
        if (*name == 0) { continue; }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", name);
        json_used_by(json, l, CLI_USED_PARAMETER, e);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "controls", '[');
    for (uint32_t p = 1; zo_param_get(l->program, (zo_param){p}, &info); p++) {
        if (info.clip.id != 0) { continue; }
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", info.name);
        cli_json_open_inline(json, "default", '{');
        cli_json_number(json, "mul", info.slope);
        cli_json_number(json, "add", info.value);
        cli_json_close(json, '}');
        cli_json_bool(json, "isNeeded", info.needed);
        cli_json_bool(json, "isFactorOfTime", l->uses.factors[p]);
        json_used_by(json, l, CLI_USED_CONTROL, p);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void json_joints(cli_json *json, const look *l) {
    const bool drawn = zo_mesh_count(l->program) > 0;
    cli_json_open(json, "joints", '[');
    for (uint32_t t = 1; t <= zo_target_count(l->program); t++) {
        const char *name = zo_target_name(l->program, (zo_target){t});
        const bool of_b3d = strncmp(name, "node/", 5) == 0;
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "name", name);
        if (drawn && !of_b3d) { cli_json_number(json, "elements", l->element_counts[t]); }
        if (drawn) { cli_json_number(json, "vertices", l->vertex_counts[t]); }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

bool cli_poses_json(cli_json *json, const cli_loaded *loaded) {
    look l;
    const bool fine = look_at(&l, loaded);
    if (fine && (l.known || l.machine)) {
        json_dialect(json, &l);
        if (l.machine) { json_machine(json, &l); }
        json_parameters(json, &l);
        json_joints(json, &l);
        if (l.uses.cut) { cli_json_bool(json, "isCut", true); }
    }
    look_away(&l);
    return fine;
}

void cli_posed_json(cli_json *json, const zo_program *program, const zo_instance *instance, const zo_pose *pose,
                    bool all) {
    zo_target_state state = {.time_s = 0.0};
    zo_param_info param;
    zo_instance_state(instance, &state);
    cli_json_open(json, "parameters", '{');
    for (uint32_t e = 1; e <= zo_expr_count(program); e++) {
        const char *name = zo_expr_name(program, (zo_expr){e});
        if (*name != 0) { cli_json_number(json, name, zo_instance_expr(instance, (zo_expr){e}, state.time_s, NULL)); }
    }
    for (uint32_t p = 1; zo_param_get(program, (zo_param){p}, &param); p++) {
        if (param.clip.id == 0) { cli_json_number(json, param.name, zo_instance_param(instance, (zo_param){p})); }
    }
    cli_json_close(json, '}');
    cli_json_open(json, "joints", '{');
    for (uint32_t t = 1; t <= pose->target_count; t++) {
        if (pose->at_rest[t - 1] && !all) { continue; }
        cli_json_open(json, zo_target_name(program, (zo_target){t}), '[');
        for (uint32_t i = 0; i < 12; i++) { cli_json_number(json, NULL, pose->transforms[t - 1].m[i]); }
        cli_json_close(json, ']');
    }
    cli_json_close(json, '}');
}
