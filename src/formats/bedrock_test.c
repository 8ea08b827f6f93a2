// Bedrock's files from inside: names and figures as Bedrock has them, turns where two of the three angles are about one
// axis, machines in which there is nothing, and whole files whose parts find each other.
#include <stdlib.h>

#include "formats/test_forge.h"

#include "formats/bedrock.h"
#include "json/json.h"

// ---------------------------------------------------------------------------------------------------- names, figures

static void assert_text(zo_text text, const char *expected) {
    if (text.size != strlen(expected) || memcmp(text.data, expected, text.size) != 0) {
        fail_msg("'%.*s', not '%s'", (int)text.size, text.data, expected);
    }
}

static void names_are_cleaned_and_made_unique(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zf_br_names names = zf_br_names_open(&arena);
    assert_text(zf_br_name(&names, zb_text("pond:block/Frog")), "pond_block_frog");
    assert_text(zf_br_name(&names, zb_text("pond:block/frog")), "pond_block_frog_2"); // another name
    assert_text(zf_br_name(&names, zb_text("pond:block/Frog")), "pond_block_frog");   // the same again
    assert_text(zf_br_name(&names, zb_text("pond_block_frog_3")), "pond_block_frog_3");
    assert_text(zf_br_name(&names, zb_text("pond block frog")), "pond_block_frog_4"); // 3 is taken
    assert_text(zf_br_name(&names, zb_text("")), "_");
    assert_text(zf_br_name(&names, zb_text("\xC3\xA9")), "__");
    assert_text(zf_br_new_name(&names, zb_text("pond:block/Frog")), "pond_block_frog_5");
    char longest[200];
    memset(longest, 'x', sizeof longest);
    const zo_text one = zf_br_name(&names, (zo_text){longest, 199}), other = zf_br_name(&names, (zo_text){longest, 200});
    assert_int_equal(one.size, 64);
    assert_true(other.size <= 64 + 4 && !zb_text_equal(one, other));
    zb_arena_close(&arena);
}

static void variables_keep_off_the_entitys_own(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zf_br_names names = zf_br_names_open(&arena);
    names.variables = true;
    assert_text(zf_br_name(&names, zb_text("request")), "_request");
    assert_text(zf_br_name(&names, zb_text("_request")), "_request_2");
    assert_text(zf_br_name(&names, zb_text("requests")), "requests");
    assert_text(zf_br_name(&names, zb_text("Event_hoot")), "_event_hoot");
    assert_text(zf_br_name(&names, zb_text("before_1")), "_before_1");
    assert_text(zf_br_name(&names, zb_text("trigger_1")), "_trigger_1");
    assert_text(zf_br_name(&names, zb_text("2nd")), "_2nd"); // Molang's names begin with no figure
    assert_text(zf_br_name(&names, zb_text("second")), "second");
    zb_arena_close(&arena);
}

static void assert_figure(void (*put)(zb_buffer *out, double value), double value, const char *expected) {
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    put(&out, value);
    assert_text((zo_text){out.data, out.size}, expected);
    zb_arena_close(&arena);
}

static void figures_have_no_exponent(void **state) {
    (void)state;
    assert_figure(zf_br_put_number, 1.0 / 3.0, "0.333333");
    assert_figure(zf_br_put_number, -2.5, "-2.5");
    assert_figure(zf_br_put_number, 1e-6, "0.000001");
    assert_figure(zf_br_put_number, 4.9e-7, "0");
    assert_figure(zf_br_put_number, -4.9e-7, "0"); // not -0
    assert_figure(zf_br_put_number, -0.0, "0");
    assert_figure(zf_br_put_number, 123456789.25, "123456789.25");
    assert_figure(zf_br_put_number, 1e12, "1000000000000");
    assert_figure(zf_br_put_number, (double)NAN, "0");
    assert_figure(zf_br_put_number, (double)INFINITY, "0");
    assert_figure(zf_br_put_time, 0.0, "0");
    assert_figure(zf_br_put_time, 1.0, "1");
    assert_figure(zf_br_put_time, 120.0, "120");
    assert_figure(zf_br_put_time, 0.1 + 0.2, "0.3");
    assert_figure(zf_br_put_time, 2e-8, "0.00000002");
    assert_figure(zf_br_put_time, 1.0 / 3.0, "0.333333333");
}

// ---------------------------------------------------------------------------------------------------- angles

// One bone whose matrix in the engine's space is a turn about z, then y, then x, by angles that are lines of x: turned
// by `from` degrees at 0 and by `to` at 1.
typedef struct turning {
    zo_transform transform;
    double from[3], to[3];
} turning;

static void multiply(const double a[9], const double b[9], double product[9]) {
    for (int i = 0; i < 9; i++) {
        product[i] = 0;
        for (int k = 0; k < 3; k++) { product[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3]; }
    }
}

static void about(int axis, double degrees, double m[9]) { // right-handed
    const double c = cos(degrees * 3.14159265358979323846 / 180), s = sin(degrees * 3.14159265358979323846 / 180);
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    memset(m, 0, 9 * sizeof *m);
    m[4 * axis] = 1;
    m[4 * i] = m[4 * k] = c;
    m[3 * i + k] = -s;
    m[3 * k + i] = s;
}

static void turn(const double angles[3], double m[9]) { // x, y and z of the engine's: z last
    double x[9], y[9], z[9], yx[9];
    about(0, angles[0], x);
    about(1, angles[1], y);
    about(2, angles[2], z);
    multiply(y, x, yx);
    multiply(z, yx, m);
}

static void turn_at(const zf_posing *posing, uint32_t node, double x) {
    (void)node;
    turning *t = posing->context;
    double angles[3], m[9];
    for (int i = 0; i < 3; i++) { angles[i] = t->from[i] + (t->to[i] - t->from[i]) * x; }
    turn(angles, m);
    for (int i = 0; i < 9; i++) { t->transform.m[4 * (i / 3) + i % 3] = m[i]; }
    t->transform.m[3] = t->transform.m[7] = t->transform.m[11] = 0;
}

typedef struct written_key { double time, angles[3]; } written_key;

// The keys of "rotation" of the only bone.
static uint32_t read_keys(const char *text, size_t size, written_key *keys, uint32_t most) {
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer whole = zb_buffer_open(&arena);
    zb_put_char(&whole, '{');
    zb_put_bytes(&whole, text, size);
    zb_put_char(&whole, '}');
    const zj_doc *doc = zj_parse(&arena, whole.data, whole.size, 0, NULL, NULL);
    assert_non_null(doc);
    const uint32_t rotation = zj_find(doc, zb_text("/bones/b/rotation"));
    uint32_t count = 0;
    assert_int_not_equal(rotation, 0);
    for (uint32_t at = zj_at(doc, rotation)->as.items.first; at != 0; at = zj_at(doc, at)->next, count++) {
        assert_true(count < most);
        char name[32] = {0};
        const zo_text key = zj_key(doc, at);
        assert_true(key.size < sizeof name);
        memcpy(name, key.data, key.size);
        keys[count].time = strtod(name, NULL);
        uint32_t angle = zj_at(doc, at)->as.items.first;
        assert_int_equal(zj_at(doc, at)->as.items.count, 3);
        for (uint32_t i = 0; i < 3; i++, angle = zj_at(doc, angle)->next) {
            keys[count].angles[i] = zj_at(doc, angle)->as.number;
        }
    }
    zb_arena_close(&arena);
    return count;
}

enum { KEYS_MAX = 400 };

// That straight lines between the keys are everywhere the turn that was asked for, in Bedrock's space, in which x is
// mirrored and a bone turns about x, y and z by -x, y and -z.
static uint32_t assert_turns(const double from[3], const double to[3]) {
    static written_key keys[KEYS_MAX];
    turning t = {.transform = {.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    memcpy(t.from, from, sizeof t.from);
    memcpy(t.to, to, sizeof t.to);
    const zf_posing posing = {.at = turn_at, .transforms = &t.transform, .context = &t};
    const zf_br_part part = {.target = 0, .weight = 1};
    const zf_br_bone bone = {.name = zb_text("b"), .parts = &part, .part_count = 1};
    const zf_br_animation animation = {.span = 1, .length = 1};
    zb_arena arena = zb_arena_open(NULL);
    zb_buffer out = zb_buffer_open(&arena);
    uint64_t budget = 1000000;
    const zf_br_judgement judgement = zf_br_put_bones(&out, &animation, &bone, 1, &posing, &budget);
    assert_false(judgement.inexact || judgement.spent);
    const uint32_t count = read_keys(out.data, out.size, keys, KEYS_MAX);
    assert_true(count >= 2 && keys[0].time == 0 && keys[count - 1].time == 1);
    for (uint32_t i = 0; i <= 1000; i++) {
        const double x = i / 1000.0;
        uint32_t k = 0;
        while (k + 2 < count && keys[k + 1].time <= x) { k++; }
        const double p = (x - keys[k].time) / (keys[k + 1].time - keys[k].time);
        double angles[3], own[9];
        for (int n = 0; n < 3; n++) { angles[n] = keys[k].angles[n] + (keys[k + 1].angles[n] - keys[k].angles[n]) * p; }
        angles[0] = -angles[0];
        angles[2] = -angles[2];
        turn(angles, own);
        turn_at(&posing, 0, x);
        for (int n = 0; n < 9; n++) {
            const double sign = (n / 3 == 0) != (n % 3 == 0) ? -1 : 1;
            const double wanted = sign * t.transform.m[4 * (n / 3) + n % 3];
            if (!(fabs(own[n] - wanted) <= 3e-4)) { fail_msg("at %g part %d is %g, not %g", x, n, own[n], wanted); }
        }
    }
    zb_arena_close(&arena);
    return count;
}

static void turns_are_exact_where_two_axes_are_one(void **state) {
    (void)state;
    assert_int_equal(assert_turns((double[3]){0, 0, 0}, (double[3]){80, 0, 0}), 2); // plain ways need no more
    assert_int_equal(assert_turns((double[3]){0, 0, 0}, (double[3]){0, 350, 0}), 2);
    // Through the place, and up to it.
    assert_turns((double[3]){0, 60, 0}, (double[3]){0, 120, 0});
    assert_turns((double[3]){20, 60, -30}, (double[3]){20, 120, -30});
    assert_turns((double[3]){20, 0, -30}, (double[3]){50, 90, 10});
    assert_turns((double[3]){20, -90, 30}, (double[3]){-50, 0, 10});
    // There all the time, where the first and the last turn are one.
    assert_turns((double[3]){10, 90, 0}, (double[3]){100, 90, 0});
    assert_turns((double[3]){10, -90, 40}, (double[3]){10, -90, 170});
    assert_turns((double[3]){0, 90, 0}, (double[3]){60, 90, -60});
    // Past it by very little.
    assert_turns((double[3]){0, 89.9999, 0}, (double[3]){90, 89.9999, 45});
}

// ---------------------------------------------------------------------------------------------------- files

// As a folder would give them. The package, or NULL.
static zo_package *export(const fg_file *files, zo_report **report) {
    static char names[FG_FILES_MAX][128];
    zo_source sources[FG_FILES_MAX] = {{.name = files->name, .bytes = files->text, .size = strlen(files->text)}};
    for (uint32_t count = 1;;) {
        zo_package *package = NULL;
        const uint32_t before = count;
        const zo_status status = zo_export(sources, count, "bedrock", NULL, &package, report);
        for (uint32_t i = 0; i < zo_report_need_count(*report) && count < FG_FILES_MAX; i++, count++) {
            const char *name = zo_report_need(*report, i)->name, *text = fg_text_of(files + 1, name);
            strcpy(names[count], name);
            sources[count] = (zo_source){.name = names[count], .kind = ZO_SOURCE_MISSING};
            if (text != NULL) {
                sources[count] = (zo_source){.name = names[count], .bytes = text, .size = strlen(text)};
            }
        }
        if (count == before) {
            assert_int_equal(status == ZO_OK, package != NULL);
            return package;
        }
        zo_package_free(package);
        zo_report_free(*report);
    }
}

typedef struct exported {
    zo_package *package;
    zo_report *report;
    zb_arena arena;
    const zj_doc *doc; // of the file looked at last
} exported;

static exported open_export(const fg_file *files) {
    exported e = {.arena = zb_arena_open(NULL)};
    e.package = export(files, &e.report);
    if (e.package == NULL) { fail_msg("%s", zo_report_at(e.report, 0)->message); }
    for (uint32_t i = 0; i < e.package->file_count; i++) {
        const zo_text text = e.package->files[i].text;
        assert_non_null(zj_parse(&e.arena, text.data, text.size, 0, NULL, NULL));
    }
    return e;
}

static void close_export(exported *e) {
    zo_package_free(e->package);
    zo_report_free(e->report);
    zb_arena_close(&e->arena);
}

static const zo_text *file_of(const exported *e, const char *name) {
    for (uint32_t i = 0; i < e->package->file_count; i++) {
        if (strcmp(e->package->files[i].name, name) == 0) { return &e->package->files[i].text; }
    }
    return NULL;
}

// The node at that place of the file; 0: none.
static uint32_t at(exported *e, const char *file, const char *pointer) {
    const zo_text *text = file_of(e, file);
    assert_non_null(text);
    e->doc = zj_parse(&e->arena, text->data, text->size, 0, NULL, NULL);
    return zj_find(e->doc, zb_text(pointer));
}

static void assert_at(exported *e, const char *file, const char *pointer, const char *expected) {
    const uint32_t node = at(e, file, pointer);
    if (node == 0) { fail_msg("%s has no %s", file, pointer); }
    assert_text(zj_kind_of(e->doc, node) == ZJ_STRING ? zj_text(e->doc, node) : zj_source(e->doc, node), expected);
}

static uint32_t count_at(exported *e, const char *file, const char *pointer) {
    const uint32_t node = at(e, file, pointer);
    assert_int_not_equal(node, 0);
    return zj_at(e->doc, node)->as.items.count;
}

#define ENTITY "frog.entity.json"
#define TEXTURES "/minecraft:client_entity/description/textures"

static void machines_in_which_there_is_nothing_are_files(void **state) {
    (void)state;
    const fg_file files[] = {
        {"frog.json", "{'parameters': {}, 'clips': {'a': '#identity'}, 'states': ['a'], 'transitions': {}, 'start_state': 'a'}"},
        {NULL, NULL}};
    exported e = open_export(files);
    assert_int_equal(e.package->file_count, 3);
    assert_int_equal(count_at(&e, "frog.animation.json", "/animations"), 1);
    assert_int_equal(count_at(&e, "frog.animation.json", "/animations/animation.frog.a/bones"), 0);
    assert_at(&e, "frog.animation_controllers.json", "/animation_controllers/controller.animation.frog/initial_state", "a");
    assert_int_equal(count_at(&e, "frog.animation_controllers.json",
                              "/animation_controllers/controller.animation.frog/states/a/animations"), 1);
    assert_int_equal(count_at(&e, "frog.animation_controllers.json",
                              "/animation_controllers/controller.animation.frog/states/a/transitions"), 0);
    assert_int_equal(count_at(&e, ENTITY, TEXTURES), 0);
    assert_int_equal(at(&e, ENTITY, "/minecraft:client_entity/description/render_controllers"), 0); // of no geometry
    close_export(&e);
}

#define RIG "assets/pond/armatures/frog.json", "{'joints': {'': {'0': [1]}, 'Leg': {'1': [1]}, 'leg': {'2': [1]}}, 'clips': {'hop': " \
    "{'loop': true, 'joint_clips': {'Leg': [{'variable': 'offset_y', 'type': 'uniform', 'interpolation': 'linear', " \
    "'samples': [0, 1]}], '': [{'variable': 'offset_x', 'type': 'uniform', 'interpolation': 'linear', 'samples': [0, 1]}" \
    "]}, 'events': {'0.25': 'croak'}}}}"
#define MODEL(slot, other)                                                                                               \
    "assets/pond/models/frog.json", "{'textures': {'" slot "': 'pond:block/skin', '" other "': 'pond:block/eye'}, "       \
    "'elements': [{'from': [0, 0, 0], 'to': [4, 4, 4], 'faces': {'up': {'texture': '#" slot "'}}}, "                     \
    "{'from': [4, 0, 0], 'to': [8, 4, 4], 'faces': {'up': {'texture': '#" other "'}}}, "                                 \
    "{'from': [8, 0, 0], 'to': [9, 4, 4], 'faces': {'up': {'texture': '#" slot "'}}}]}"
#define MACHINE(clip, parameters)                                                                                        \
    "frog.json", "{'parameters': {" parameters "}, 'clips': {'a': " clip "}, 'states': ['a'], 'transitions': {}, "        \
    "'start_state': 'a'}"

// The entity's renderer is Bedrock's own, which asks for these by name.
static void what_draws_the_entity_finds_its_parts(void **state) {
    (void)state;
    const fg_file files[] = {{MACHINE("'pond:frog@hop'", "")}, {RIG}, {MODEL("skin", "eye")}, {NULL, NULL}};
    exported e = open_export(files);
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/render_controllers/0", "controller.render.default");
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/geometry/default", "geometry.frog");
    assert_at(&e, "frog.geo.json", "/minecraft:geometry/0/description/identifier", "geometry.frog");
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/materials/default", "entity_alphatest");
    assert_at(&e, ENTITY, TEXTURES "/default", "textures/block/skin");
    assert_at(&e, ENTITY, TEXTURES "/eye", "textures/block/eye");
    assert_int_equal(count_at(&e, ENTITY, TEXTURES), 3);
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/animations/a", "animation.frog.a");
    assert_int_not_equal(at(&e, "frog.animation.json", "/animations/animation.frog.a/bones/Leg/position"), 0);
    assert_at(&e, "frog.animation.json", "/animations/animation.frog.a/timeline/0.25/0", "variable.event_croak = 1;");
    close_export(&e);
    const fg_file named[] = {{MACHINE("'pond:frog@hop'", "")}, {RIG}, {MODEL("eye", "default")}, {NULL, NULL}};
    e = open_export(named);
    assert_at(&e, ENTITY, TEXTURES "/default", "textures/block/eye"); // its own
    assert_int_equal(count_at(&e, ENTITY, TEXTURES), 2);
    close_export(&e);
}

// What is said of a clip is said where the machine names that clip, not where it names the file first.
static void notes_stand_at_their_own_clip(void **state) {
    (void)state;
    static const struct { const char *id, *pointer; } expected[] = {
        {"bedrock/event", "/clips/b"}, {"bedrock/wraps", "/clips/c"}, {"bedrock/event", "/clips/c"},
        {"bedrock/model", "/clips/a"}};
    const char *clip = "{'joint_clips': {'leg': [{'variable': 'offset_y', 'type': 'uniform', 'interpolation': "
                       "'linear', 'samples': [0, 1]}]}, ";
    char rig[1024];
    snprintf(rig, sizeof rig, "{'joints': {'leg': {'0': [1]}}, 'clips': {'sit': %s'loop': true, 'events': {}}, 'hop': %s"
             "'loop': true, 'events': {'0.25': 'croak'}}, 'fall': %s'loop': false, 'events': {'0.5': 'ouch'}}}}", clip,
             clip, clip);
    const fg_file files[] = {
        {"frog.json", "{'parameters': {}, 'clips': {'a': 'pond:frog@sit', 'b': 'pond:frog@hop', 'c': 'pond:frog@fall'}, "
                      "'states': ['a', 'b', 'c'], 'transitions': {}, 'start_state': 'a'}"},
        {"assets/pond/armatures/frog.json", rig}, {NULL, NULL}};
    exported e = open_export(files);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        bool found = false;
        for (uint32_t n = 0; n < zo_report_count(e.report); n++) {
            const zo_diag *diag = zo_report_at(e.report, n);
            found = found || (strcmp(diag->id, expected[i].id) == 0 && strcmp(diag->place.pointer, expected[i].pointer) == 0);
        }
        if (!found) { fail_msg("no %s at %s", expected[i].id, expected[i].pointer); }
    }
    assert_string_equal(fg_diag(e.report, "bedrock/wraps")->place.pointer, "/clips/c");
    close_export(&e);
}

// Bones are found whatever the size of their letters, and have a name.
static void joints_become_bones_that_differ(void **state) {
    (void)state;
    const fg_file files[] = {{MACHINE("'pond:frog@hop'", "")}, {RIG}, {MODEL("skin", "eye")}, {NULL, NULL}};
    exported e = open_export(files);
    assert_at(&e, "frog.geo.json", "/minecraft:geometry/0/bones/0/name", "root");
    assert_at(&e, "frog.geo.json", "/minecraft:geometry/0/bones/1/name", "_");
    assert_at(&e, "frog.geo.json", "/minecraft:geometry/0/bones/2/name", "Leg");
    assert_at(&e, "frog.geo.json", "/minecraft:geometry/0/bones/3/name", "leg_2");
    assert_int_not_equal(at(&e, "frog.animation.json", "/animations/animation.frog.a/bones/_/position"), 0);
    close_export(&e);
}

static void assert_molang(const char *parameter, const char *expected) {
    char text[512];
    snprintf(text, sizeof text, "{'parameters': {'p': %s}, 'clips': {'a': ['trigger_positive', 'pond:frog@hop', '#p', 'ping']}, "
             "'states': ['a'], 'transitions': {}, 'start_state': 'a'}", parameter);
    const fg_file files[] = {{"frog.json", text}, {RIG}, {MODEL("skin", "eye")}, {NULL, NULL}};
    exported e = open_export(files);
    char whole[512];
    snprintf(whole, sizeof whole, "variable.before_1 = %s;", expected);
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/scripts/pre_animation/1", whole);
    assert_at(&e, ENTITY, "/minecraft:client_entity/description/scripts/pre_animation/2",
              "variable.event_ping = variable.trigger_1;");
    close_export(&e);
}

static void parameters_are_molang(void **state) {
    (void)state;
    assert_molang("['-', 1]", "(query.life_time-1)");
    assert_molang("['-', -1]", "(query.life_time-(-1))");
    assert_molang("['-', -0.0]", "(query.life_time-0)");
    assert_molang("['*', 1e-9]", "(query.life_time*1*math.pow(10,-9))");
    assert_molang("['+', 1.5e25]", "(query.life_time+1.5*math.pow(10,25))");
    assert_molang("['/', 4]", "(query.life_time/4)");
    assert_molang("['m', 4]", "math.min(query.life_time,4)");
    assert_molang("['r', 4]", "(math.floor(query.life_time/4)*4)");
    assert_molang("['F', 4]", "(math.ceil(query.life_time/4)*4-query.life_time)");
    assert_molang("['-', '#request']", "(query.life_time-variable._request)");
    assert_molang("['-', '#2nd click']", "(query.life_time-variable._2nd_click)");
    assert_molang("3", "3");
}

// ---------------------------------------------------------------------------------------------------- no memory

typedef struct short_memory {
    int64_t left;
    uint32_t open;
} short_memory;

static void *take_some(void *context, size_t size) {
    short_memory *memory = context;
    if (memory->left-- <= 0) { return NULL; }
    memory->open++;
    return malloc(size);
}

static void give_back(void *context, void *block, size_t size) {
    short_memory *memory = context;
    (void)size;
    memory->open -= block != NULL;
    free(block);
}

static void too_little_memory_leaves_nothing_behind(void **state) {
    (void)state;
    const fg_file files[] = {{MACHINE("['trigger_positive', 'pond:frog@hop', ['-', '#click'], 'ping']", "")}, {RIG},
                             {MODEL("skin", "eye")}, {NULL, NULL}};
    zo_source sources[3];
    for (uint32_t i = 0; i < 3; i++) {
        sources[i] = (zo_source){.name = files[i].name, .bytes = files[i].text, .size = strlen(files[i].text)};
    }
    for (int64_t allowed = 0;; allowed++) {
        short_memory memory = {.left = allowed};
        const zo_allocator allocator = {.context = &memory, .alloc = take_some, .free = give_back};
        const zo_compile_def def = {.allocator = &allocator};
        zo_package *package = NULL;
        zo_report *report = NULL;
        const zo_status status = zo_export(sources, 3, "bedrock", &def, &package, &report);
        assert_true(status == ZO_OK || status == ZO_NO_MEMORY);
        assert_int_equal(status == ZO_OK, package != NULL);
        zo_package_free(package);
        zo_report_free(report);
        assert_int_equal(memory.open, 0);
        if (status == ZO_OK) { break; }
        assert_true(allowed < 10000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cleaned_and_made_unique),
        cmocka_unit_test(variables_keep_off_the_entitys_own),
        cmocka_unit_test(figures_have_no_exponent),
        cmocka_unit_test(turns_are_exact_where_two_axes_are_one),
        cmocka_unit_test(machines_in_which_there_is_nothing_are_files),
        cmocka_unit_test(what_draws_the_entity_finds_its_parts),
        cmocka_unit_test(notes_stand_at_their_own_clip),
        cmocka_unit_test(joints_become_bones_that_differ),
        cmocka_unit_test(parameters_are_molang),
        cmocka_unit_test(too_little_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
