// See random_pet.h. The texts are written as people and editors write them: what is left out is left out by chance, so that
// defaults are met as well as stated values.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_pet.h"

#define MS INT64_C(1000000)
#define COUNT(items) ((uint32_t)(sizeof(items) / sizeof(items)[0]))

uint64_t random_next(uint64_t *random) {
    uint64_t x = *random += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}
uint32_t random_below(uint64_t *random, uint32_t bound) { return (uint32_t)(random_next(random) >> 33) % bound; }
double random_unit(uint64_t *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }
bool random_chance(uint64_t *random, uint32_t percent) { return random_below(random, 100) < percent; }

#define ONE_OF(random, items) ((items)[random_below(random, COUNT(items))])

// ---------------------------------------------------------------------------------------------------- texts

typedef struct writer {
    char *text;
    size_t size;
    bool first; // of an object or array: no comma is due
    uint64_t *random;
} writer;

static void put(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(w->text + w->size, PET_TEXT_MAX - w->size, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= PET_TEXT_MAX - w->size) { abort(); }
    w->size += (size_t)n;
}

static void item(writer *w) {
    if (!w->first) { put(w, ","); }
    w->first = false;
}
static void key(writer *w, const char *name) {
    item(w);
    put(w, "\"%s\":", name);
}
static void open_as(writer *w, char bracket) {
    put(w, "%c", bracket);
    w->first = true;
}
static void close_as(writer *w, char bracket) {
    put(w, "%c", bracket);
    w->first = false;
}
static void text(writer *w, const char *name, const char *value) {
    key(w, name);
    put(w, "\"%s\"", value);
}
static bool stated(writer *w) { return random_chance(w->random, 45); }

// A number of the range; whole, round or any.
static double number_in(writer *w, double low, double high) {
    const double x = low + random_unit(w->random) * (high - low);
    if (random_chance(w->random, 10)) { return random_chance(w->random, 50) ? low : high; }
    return random_chance(w->random, 60) && ceil(low) <= floor(x) ? floor(x) : x;
}
static void maybe_number(writer *w, const char *name, double low, double high) {
    if (!stated(w)) { return; }
    key(w, name);
    put(w, "%.17g", number_in(w, low, high));
}
static void maybe_flag(writer *w, const char *name) {
    if (!stated(w)) { return; }
    key(w, name);
    put(w, random_chance(w->random, 50) ? "true" : "false");
}

// ---------------------------------------------------------------------------------------------------- animations

static const char *const easings[] = {
    "linear", "ease", "ease-in", "ease-out", "ease-in-out", "spring-soft", "spring-snappy", "overshoot", "anticipate",
    "cubic-bezier(1,0,0,1)", "cubic-bezier( .1 , -2.5, 0.9,3. )", "cubic-bezier(0,1,1,0)"};
static const char *const slots[] = {"idle", "thinking", "working", "waiting", "success", "error"};
static const char *const swaps[] = {"idle", "thinking", "working", "waiting", "success", "error", "user:wink",
                                    "user:sleep", "banana"};
static const char *const effects[] = {"confetti", "star-burst", "sparkle"};
static const struct {
    const char *name;
    uint32_t layer;
    double low, high; // of sensible values, beyond the limits of the profile `original` now and then
} properties[] = {
    {"transition.scaleX", 0, -0.5, 3}, {"transition.scaleY", 0, 0, 12},     {"transition.x", 0, -90, 90},
    {"transition.y", 0, -5000, 5000},  {"transition.rotation", 0, -400, 400}, {"transition.opacity", 0, -0.2, 1.3},
    {"sway.rotation", 1, -30, 30},     {"bounce.x", 2, -20, 20},            {"bounce.y", 2, -20, 20},
    {"bounce.scaleX", 2, 0.5, 1.5},    {"bounce.scaleY", 2, 0.5, 1.5},      {"breathe.scaleX", 3, 0.9, 1.1},
    {"breathe.scaleY", 3, 0, 2}};
enum { FIRST_OF_AMBIENT = 6, LAYERS = 4 };

typedef enum kind { TRANSITION, AMBIENT, INTERACTION } kind;

static void value_of(writer *w, double low, double high) {
    key(w, "value");
    if (random_chance(w->random, 30)) {
        put(w, "{\"base\":%.17g,\"parameter\":\"strength\",\"amount\":%.17g}", number_in(w, low, high),
            number_in(w, low - high, high - low) * 0.5);
    } else {
        put(w, "%.17g", number_in(w, low, high));
    }
}

// Times that are multiples of one fraction, so that tracks and events share some; each once, in any order.
static void keyframes(writer *w, uint32_t property, const char *common_easing) {
    static const uint32_t parts[] = {1, 2, 3, 4, 7, 20};
    const uint32_t steps = ONE_OF(w->random, parts), head = common_easing != NULL || random_chance(w->random, 60);
    uint32_t made = 0;
    key(w, "keyframes");
    open_as(w, '[');
    const bool backwards = random_chance(w->random, 10);
    for (uint32_t n = 0; n <= steps; n++) {
        const uint32_t step = backwards ? steps - n : n;
        const bool must = (step == 0 && head) || (n == steps && made == 0);
        if (!must && !random_chance(w->random, steps > 4 ? 25 : 60)) { continue; }
        item(w);
        open_as(w, '{');
        key(w, "at");
        put(w, "%.17g", (double)step / (double)steps);
        value_of(w, properties[property].low, properties[property].high);
        const char *easing = common_easing;
        if (easing == NULL && random_chance(w->random, 60)) { easing = ONE_OF(w->random, easings); }
        if (easing != NULL && *easing != 0) { text(w, "easing", easing); }
        close_as(w, '}');
        made++;
    }
    close_as(w, ']');
}

// Several tracks of a layer have one easing throughout, for then the rule of layers is kept whatever their times are.
static void tracks(writer *w, kind of) {
    bool used[COUNT(properties)] = {false};
    uint32_t on_layer[LAYERS] = {0};
    const uint32_t first = of == AMBIENT ? FIRST_OF_AMBIENT : 0;
    const uint32_t count = random_chance(w->random, 12) ? 0 : 1 + random_below(w->random, 4);
    const char *common[LAYERS];
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
        common[layer] = random_chance(w->random, 30) ? "" : ONE_OF(w->random, easings);
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t property = first + random_below(w->random, COUNT(properties) - first);
        on_layer[properties[property].layer] += !used[property];
        used[property] = true;
    }
    key(w, "tracks");
    open_as(w, '[');
    for (uint32_t p = 0; p < COUNT(properties); p++) {
        if (!used[p]) { continue; }
        item(w);
        open_as(w, '{');
        text(w, "property", properties[p].name);
        keyframes(w, p, on_layer[properties[p].layer] > 1 ? common[properties[p].layer] : NULL);
        close_as(w, '}');
    }
    close_as(w, ']');
}

static void event_at(writer *w) {
    static const double often[] = {0, 0, 0.25, 0.5, 0.5, 1, 1, 1.0 / 3};
    item(w);
    open_as(w, '{');
    key(w, "at");
    put(w, "%.17g", random_chance(w->random, 70) ? ONE_OF(w->random, often) : random_unit(w->random));
}

static void events(writer *w, kind of, uint32_t swap_count, uint32_t burst_count) {
    key(w, "events");
    open_as(w, '[');
    while (swap_count + burst_count > 0) {
        const bool burst = random_below(w->random, swap_count + burst_count) < burst_count;
        event_at(w);
        text(w, "type", burst ? "particle" : "pose-swap");
        if (burst) {
            text(w, "effect", ONE_OF(w->random, effects));
        } else if (of == INTERACTION) {
            text(w, "pose", ONE_OF(w->random, swaps));
        }
        close_as(w, '}');
        burst_count -= burst;
        swap_count -= !burst;
    }
    close_as(w, ']');
}

static void repeat_of(writer *w, kind of, bool has_events) {
    static const char *const modes[] = {"once", "loop", "random-interval", "alternate"};
    const uint32_t mode = random_chance(w->random, of == AMBIENT ? 15 : 75) ? 0 : random_below(w->random, has_events ? 3 : 4);
    key(w, "repeat");
    open_as(w, '{');
    text(w, "mode", modes[mode]);
    if (mode == 2) {
        const double low = number_in(w, 1, 300);
        key(w, "minDelayMs");
        put(w, "%.17g", low);
        key(w, "maxDelayMs");
        put(w, "%.17g", random_chance(w->random, 20) ? low : low + number_in(w, 0, 900));
    }
    close_as(w, '}');
}

static void animation(writer *w, kind of, uint32_t number) {
    static const char *const kinds[] = {"transition", "ambient", "interaction"};
    static const double durations_ms[] = {1, 60, 100, 200, 333.25, 400, 16.6, 260, 720.125, 1000};
    const uint32_t swap_count = of == TRANSITION ? 1 : of == INTERACTION ? random_below(w->random, 4) : 0;
    const uint32_t burst_count = of != AMBIENT && random_chance(w->random, 40) ? 1 + random_below(w->random, 3) : 0;
    char id[16];
    snprintf(id, sizeof id, "user:%c%u", kinds[of][0], number);
    open_as(w, '{');
    key(w, "version");
    put(w, "1");
    text(w, "id", id);
    text(w, "name", "N");
    text(w, "kind", kinds[of]);
    key(w, "durationMs");
    put(w, "%.17g", random_chance(w->random, 90) ? ONE_OF(w->random, durations_ms) : number_in(w, 1, 60000));
    repeat_of(w, of, swap_count + burst_count > 0);
    tracks(w, of);
    if (of != AMBIENT) { events(w, of, swap_count, burst_count); }
    if (random_chance(w->random, 40)) {
        const double low = number_in(w, -1, 1), high = low + number_in(w, 0, 4);
        key(w, "parameters");
        put(w, "{\"strength\":{\"default\":%.17g,\"min\":%.17g,\"max\":%.17g}}",
            random_chance(w->random, 50) ? low : low + (high - low) * 0.5, low, high);
    }
    close_as(w, '}');
}

// ---------------------------------------------------------------------------------------------------- configurations

// Most often one that is there and may stand there.
static const char *id_of(writer *w, kind of, char *id, size_t size) {
    static const char *const builtins[] = {"builtin:jelly", "builtin:none", "builtin:click-spin", "builtin:sway"};
    if (random_chance(w->random, 12)) { return ONE_OF(w->random, builtins); }
    snprintf(id, size, "user:%c%u", "tai"[random_chance(w->random, 90) ? of : random_below(w->random, 3)],
             random_below(w->random, 3));
    return id;
}

static void maybe_id(writer *w, const char *name, kind of, uint32_t percent) {
    char id[16];
    if (!random_chance(w->random, percent)) { return; }
    key(w, name);
    if (of != INTERACTION && random_chance(w->random, 5)) {
        put(w, "null");
    } else {
        put(w, "\"%s\"", id_of(w, of, id, sizeof id));
    }
}

static void transition_of(writer *w, bool of_state) {
    static const char *const presets[] = {"none", "soft", "comic-pop", "jelly", "jump", "snap",
                                          "flip", "celebrate", "deflate", "global"};
    open_as(w, '{');
    if (stated(w)) { text(w, "preset", presets[random_below(w->random, of_state ? 10 : 9)]); }
    maybe_number(w, "strength", 0, 3);
    maybe_number(w, "durationMs", 60, 2000);
    if (of_state) { maybe_id(w, "animationId", TRANSITION, 35); }
    close_as(w, '}');
}

static void ambient_of(writer *w) {
    open_as(w, '{');
    if (stated(w)) {
        key(w, "bounce");
        open_as(w, '{');
        maybe_flag(w, "enabled");
        maybe_number(w, "strength", 0, 1.8);
        if (stated(w)) {
            const double low = number_in(w, 50, 700);
            key(w, "intervalMinMs");
            put(w, "%.17g", low);
            key(w, "intervalMaxMs");
            put(w, "%.17g", low + number_in(w, 0, 1000));
        }
        maybe_number(w, "durationMs", 50, 900);
        close_as(w, '}');
    }
    static const struct { const char *name, *strength; double high; } loops[] = {
        {"sway", "angleDeg", 60}, {"breathe", "strength", 1.8}};
    for (uint32_t n = 0; n < COUNT(loops); n++) {
        if (!stated(w)) { continue; }
        key(w, loops[n].name);
        open_as(w, '{');
        maybe_flag(w, "enabled");
        maybe_number(w, loops[n].strength, 0, loops[n].high);
        maybe_number(w, "periodMs", 200, 4000);
        close_as(w, '}');
    }
    maybe_id(w, "customAnimationId", AMBIENT, 60);
    close_as(w, '}');
}

static void states(writer *w) {
    key(w, "states");
    open_as(w, '{');
    for (uint32_t s = 0; s < COUNT(slots); s++) {
        if (random_chance(w->random, 25)) { continue; }
        key(w, slots[s]);
        open_as(w, '{');
        if (random_chance(w->random, 20)) { text(w, "pose", ONE_OF(w->random, slots)); }
        if (random_chance(w->random, 70)) {
            key(w, "enter");
            transition_of(w, true);
        }
        if (random_chance(w->random, 70)) {
            key(w, "ambient");
            ambient_of(w);
        }
        close_as(w, '}');
    }
    close_as(w, '}');
}

static void global(writer *w) {
    static const char *const motions[] = {"system", "system", "system", "always", "never"};
    key(w, "global");
    open_as(w, '{');
    maybe_number(w, "scale", 0.3, 4);
    if (stated(w)) {
        key(w, "transition");
        transition_of(w, false);
    }
    if (stated(w)) { text(w, "reducedMotion", ONE_OF(w->random, motions)); }
    maybe_number(w, "successHoldMs", 0, 2000);
    maybe_number(w, "errorHoldMs", 0, 2000);
    close_as(w, '}');
}

static void advanced(writer *w) {
    static const char *const swaps_within[] = {"subtle", "state", "none"};
    key(w, "advanced");
    open_as(w, '{');
    maybe_flag(w, "changePoseWithinActive");
    if (stated(w)) { text(w, "activityTransition", ONE_OF(w->random, swaps_within)); }
    if (stated(w)) { text(w, "terminalHold", random_chance(w->random, 50) ? "timed" : "until-interaction"); }
    if (random_chance(w->random, 20)) { maybe_flag(w, "particles"); }
    close_as(w, '}');
}

static void poses(writer *w) {
    key(w, "poses");
    open_as(w, '{');
    for (uint32_t s = 0; s < COUNT(slots); s++) {
        if (random_chance(w->random, 20)) { continue; }
        key(w, slots[s]);
        open_as(w, '{');
        if (random_chance(w->random, 80)) { text(w, "assetId", "0123456789abcdef"); }
        maybe_number(w, "zoom", 0.2, 8);
        if (stated(w)) {
            key(w, "anchor");
            open_as(w, '{');
            maybe_number(w, "x", 0, 1);
            maybe_number(w, "y", 0, 1);
            close_as(w, '}');
        }
        close_as(w, '}');
    }
    close_as(w, '}');
}

static void config(writer *w) {
    open_as(w, '{');
    if (stated(w)) {
        key(w, "version");
        put(w, "1");
    }
    global(w);
    if (random_chance(w->random, 40)) { poses(w); }
    states(w);
    advanced(w);
    key(w, "interactions");
    open_as(w, '{');
    key(w, "click");
    open_as(w, '{');
    maybe_id(w, "animation", INTERACTION, 70);
    if (stated(w)) {
        if (random_chance(w->random, 80)) {
            text(w, "pose", ONE_OF(w->random, slots));
        } else {
            key(w, "pose");
            put(w, "null");
        }
    }
    maybe_flag(w, "honorAnimationPoseSwap");
    close_as(w, '}');
    close_as(w, '}');
    close_as(w, '}');
}

void random_pet_write(random_pet *pet, uint64_t *random) {
    pet->profile = random_chance(random, 50) ? ZO_PROFILE_DOCUMENT : ZO_PROFILE_ORIGINAL;
    writer w = {.text = pet->config, .first = true, .random = random};
    config(&w);
    pet->animation_count = random_below(random, PET_ANIMATIONS_MAX + 1);
    uint32_t made[3] = {0};
    for (uint32_t n = 0; n < pet->animation_count; n++) {
        const kind of = (kind)random_below(random, 3);
        w = (writer){.text = pet->animations[n], .first = true, .random = random};
        animation(&w, of, made[of]++);
    }
}

zo_program *random_pet_compile(const random_pet *pet) {
    zo_source sources[PET_ANIMATIONS_MAX + 1] = {{.name = "pet.json", .bytes = pet->config, .size = strlen(pet->config)}};
    for (uint32_t n = 0; n < pet->animation_count; n++) {
        sources[n + 1] = (zo_source){.name = "animation.json", .bytes = pet->animations[n],
                                     .size = strlen(pet->animations[n])};
    }
    static const char *const cels[] = {"user:wink"};
    const zo_compile_def def = {.profile = pet->profile, .format = "pet", .cels = cels, .cel_count = COUNT(cels)};
    zo_program *program = NULL;
    zo_report *report = NULL;
    if (zo_compile(sources, pet->animation_count + 1, &def, &program, &report) != ZO_OK) {
        const zo_diag *diag;
        for (uint32_t i = 0; (diag = zo_report_at(report, i)) != NULL; i++) {
            if (diag->severity != ZO_ERROR) { continue; }
            fprintf(stderr, "%s: %s: %s\n", diag->id, diag->place.pointer, diag->message);
        }
    }
    zo_report_free(report);
    return program;
}

void random_pet_print(const random_pet *pet) {
    fprintf(stderr, "profile %d\n%s\n", (int)pet->profile, pet->config);
    for (uint32_t n = 0; n < pet->animation_count; n++) { fprintf(stderr, "%s\n", pet->animations[n]); }
}

// ---------------------------------------------------------------------------------------------------- calls

int64_t random_gap_ns(uint64_t *random) {
    static const uint32_t often_ms[] = {60, 60, 200, 140, 1600, 1800, 220, 260, 88, 104, 100, 400};
    switch (random_below(random, 8)) {
    case 0:
    case 1: return 0;
    case 2:
    case 3: return ONE_OF(random, often_ms) * MS;
    case 4: return random_below(random, 90) * 10 * MS;
    case 5: return random_below(random, 1000);
    case 6: return (int64_t)random_below(random, 20000) * 100003;
    default: return random_below(random, 1u << 27);
    }
}

static const char *any_clip(uint64_t *random, const zo_program *program) {
    zo_clip_info info;
    const zo_clip clip = {1 + random_below(random, zo_clip_count(program))};
    return zo_clip_get(program, clip, &info) ? info.name : "";
}

void random_input(zo_input *in, random_material *of, uint64_t *random, const zo_program *program, int64_t now_ns) {
    static const char *const requests[] = {"idle", "active", "thinking", "working", "waiting", "success", "error"};
    static const zo_input_kind often[] = {ZO_INPUT_STATUS, ZO_INPUT_STATUS, ZO_INPUT_REQUEST, ZO_INPUT_CLICK,
                                          ZO_INPUT_CLICK, ZO_INPUT_PLAY, ZO_INPUT_FLASH, ZO_INPUT_SET_CEL};
    static const struct { const char *type, *tool; } signals[] = {
        {"idle", NULL}, {"turn-start", NULL}, {"thinking", NULL}, {"tool-start", "edit"}, {"tool-start", "command"},
        {"tool-start", "other"}, {"tool-end", NULL}, {"waiting", NULL}, {"success", NULL}, {"success", NULL},
        {"error", NULL}, {"error", NULL}, {"dismiss", NULL}, {"nonsense", NULL}};
    *in = (zo_input){.kind = random_chance(random, 65) ? ONE_OF(random, often)
                                                       : (zo_input_kind)random_below(random, ZO_INPUT_COUNT)};
    in->on = random_chance(random, 50);
    const uint32_t cel = 1 + random_below(random, zo_cel_count(program));
    const uint32_t signal = random_below(random, COUNT(signals));
    switch (in->kind) {
    case ZO_INPUT_START:
        in->id = 1 + random_below(random, zo_clip_count(program));
        of->params[0] = 4 * random_unit(random) - 1;
        of->params[1] = random_chance(random, 50) ? (double)NAN : 1.5;
        in->run = (zo_run_def){.params = of->params, .param_count = random_below(random, 3)};
        if (random_chance(random, 30)) { in->run.duration_ns = 1 + random_below(random, 1u << 29); }
        if (random_chance(random, 30)) {
            in->run.set_repeat = true;
            in->run.repeat = (zo_repeat)random_below(random, 5);
            in->run.delay_ms_min = 20;
            in->run.delay_ms_max = 20 + random_below(random, 400);
        }
        break;
    case ZO_INPUT_CANCEL:
    case ZO_INPUT_PAUSE:
    case ZO_INPUT_RESUME: in->id = 1 + random_below(random, 16); break;
    case ZO_INPUT_RAMP_PARAM: in->kind = ZO_INPUT_SET_PARAM_LINE; // a pet has no controls
    // fall through
    case ZO_INPUT_SET_PARAM_LINE:
    case ZO_INPUT_SET_PARAM:
        in->id = 1 + random_below(random, zo_param_count(program));
        in->number = 5 * random_unit(random) - 1;
        break;
    case ZO_INPUT_SHOW:
    case ZO_INPUT_SHOW_NEXT: in->id = cel - 1; break;
    case ZO_INPUT_FLASH:
        in->id = cel;
        in->number = random_chance(random, 30) ? 0 : (double)random_below(random, 40) * 20;
        break;
    case ZO_INPUT_SET_CEL: in->id = cel; break;
    case ZO_INPUT_REQUEST: in->text = ONE_OF(random, requests); break;
    case ZO_INPUT_TRIGGER: in->text = ONE_OF(random, requests); break;
    case ZO_INPUT_PLAY: in->text = any_clip(random, program); break;
    case ZO_INPUT_STATUS:
        snprintf(of->source, sizeof of->source, "s%u", random_below(random, random_chance(random, 80) ? 3 : 22));
        in->status = (zo_status_event){.type = signals[signal].type, .tool = signals[signal].tool,
                                       .source = random_chance(random, 80) ? of->source : NULL,
                                       .stamped = random_chance(random, 40)};
        in->status.stamp_ns = now_ns + ((int64_t)random_below(random, 300) - 200) * 20 * MS;
        break;
    default: break;
    }
}

uint32_t random_call(zo_instance *i, const zo_input *in) {
    const zo_cel cel = {in->id};
    const zo_run run = {in->id};
    switch (in->kind) {
    case ZO_INPUT_START: return zo_instance_start(i, (zo_clip){in->id}, &in->run).id;
    case ZO_INPUT_CANCEL: return zo_instance_cancel(i, run);
    case ZO_INPUT_PAUSE: zo_instance_pause(i, run); break;
    case ZO_INPUT_RESUME: zo_instance_resume(i, run); break;
    case ZO_INPUT_SET_PARAM: zo_instance_set_param(i, (zo_param){in->id}, in->number); break;
    case ZO_INPUT_SHOW: zo_instance_show(i, cel); break;
    case ZO_INPUT_SHOW_NEXT: zo_instance_show_next(i, cel); break;
    case ZO_INPUT_REQUEST: return zo_instance_request(i, in->text);
    case ZO_INPUT_STATUS: return zo_instance_status(i, &in->status);
    case ZO_INPUT_CLICK: return zo_instance_click(i);
    case ZO_INPUT_FLASH: return zo_instance_flash(i, cel, in->number);
    case ZO_INPUT_PLAY: return zo_instance_play(i, in->text, in->on);
    case ZO_INPUT_SET_HIDDEN: zo_instance_set_hidden(i, in->on); break;
    case ZO_INPUT_SET_REDUCED_MOTION: zo_instance_set_reduced_motion(i, in->on); break;
    case ZO_INPUT_SET_CEL: zo_instance_set_cel(i, cel, in->on); break;
    case ZO_INPUT_TRIGGER: return zo_instance_trigger(i, in->text, in->on);
    case ZO_INPUT_RELEASE: return zo_instance_release(i, in->on);
    case ZO_INPUT_SPEAKING: zo_instance_speaking(i, in->on); break;
    case ZO_INPUT_SET_MOUTH: zo_instance_set_mouth(i, in->number); break;
    case ZO_INPUT_SET_PARAM_LINE: zo_instance_set_param_line(i, (zo_param){in->id}, in->number, in->slope); break;
    case ZO_INPUT_RAMP_PARAM: zo_instance_ramp_param(i, (zo_param){in->id}, in->slope); break;
    case ZO_INPUT_POLL: return zo_instance_poll(i, in->number);
    case ZO_INPUT_COUNT: break;
    }
    return 1;
}
