// The cases of mouths: what lies over a frame, where, and which frame is held when speech ends. Also what packs the
// cases of speech are made of, for vectors_graph.c: a pack is written as its files, pictures without bytes, and read as
// any other.
#include <math.h>
#include <string.h>

#include "formats/charpack.h"
#include "vectors.h"

// --------------------------------------------------------------------------------------------------------------- packs

void vectors_pack_open(vectors_pack *pack, vectors *v) {
    *pack = (vectors_pack){.v = v, .clips = zb_buffer_open(v->arena), .overlays = zb_buffer_open(v->arena),
                           .textures = zb_array_open(v->arena, sizeof(const char *))};
}

static void put_frames(vectors_pack *pack, zb_buffer *out, uint32_t count) {
    const uint32_t list = pack->list_count++;
    zb_put_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%u/%u.ktx2", list, i);
        *(const char **)zb_array_push(&pack->textures) = zb_arena_text(pack->v->arena, zb_text(name));
        zb_put(out, i > 0 ? "," : "");
        zb_put_json_text(out, zb_text(name));
    }
    zb_put_char(out, ']');
}

void vectors_pack_clip(vectors_pack *pack, zo_text label, uint32_t frame_count, uint32_t interval_ms, const char *mode) {
    zb_put(&pack->clips, pack->clips.size > 0 ? "," : "");
    zb_put_json_text(&pack->clips, label);
    zb_put(&pack->clips, ":{\"phase\":\"loop\",\"frameIntervalMs\":");
    zb_put_uint(&pack->clips, interval_ms);
    zb_put(&pack->clips, ",\"loopMode\":");
    zb_put_json_text(&pack->clips, zb_text(mode));
    zb_put(&pack->clips, ",\"frames\":");
    put_frames(pack, &pack->clips, frame_count);
    zb_put_char(&pack->clips, '}');
}

void vectors_pack_overlay(vectors_pack *pack, zo_text label, uint32_t count) {
    zb_put(&pack->overlays, pack->overlays.size > 0 ? "," : "");
    zb_put_json_text(&pack->overlays, label);
    zb_put_char(&pack->overlays, ':');
    put_frames(pack, &pack->overlays, count);
}

static zo_text manifest_of(vectors_pack *pack) {
    zb_buffer out = zb_buffer_open(pack->v->arena);
    zb_put(&out, "{\"format\":\"" ZF_CP_FORMAT "\",\"textureFormat\":\"ktx2\",\"id\":\"case\",\"displayName\":\"Case\","
                 "\"version\":\"1\",\"graph\":\"g.json\",\"mouthConfig\":\"m.json\",\"clips\":{");
    zb_put_text(&out, (zo_text){pack->clips.data, pack->clips.size});
    zb_put(&out, "},\"mouthOverlays\":{");
    zb_put_text(&out, (zo_text){pack->overlays.data, pack->overlays.size});
    zb_put(&out, "}}");
    return (zo_text){out.data, out.size};
}

static zo_source source_of(const char *name, zo_text text) {
    return text.size > 0 ? (zo_source){.name = name, .bytes = text.data, .size = text.size}
                         : (zo_source){.name = name, .kind = ZO_SOURCE_MISSING};
}

const zo_source *vectors_pack_sources(vectors_pack *pack, uint32_t *count) {
    *count = 4 + pack->textures.count;
    zo_source *sources = zb_arena_take_array(pack->v->arena, *count, sizeof *sources);
    const zo_text texts[4] = {manifest_of(pack), pack->graph, pack->mouth, pack->speech};
    static const char *const names[4] = {"runtime_manifest.json", "g.json", "m.json", ZF_CP_SPEECH_NAME};
    for (uint32_t i = 0; i < *count && sources != NULL; i++) {
        sources[i] = i < 4 ? source_of(names[i], texts[i])
                           : (zo_source){.name = ((const char **)(void *)pack->textures.items)[i - 4]};
    }
    return sources;
}

zo_program *vectors_pack_compile(vectors_pack *pack, zo_model model, char why[], size_t why_size) {
    uint32_t count;
    const zo_source *sources = vectors_pack_sources(pack, &count);
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_compile_def def = {.format = zf_cp_reader.format.name, .model = model};
    const zo_status status = sources != NULL ? zo_compile(sources, count, &def, &program, &report) : ZO_NO_MEMORY;
    const zo_diag *first = zo_report_count(report) > 0 ? zo_report_at(report, 0) : NULL;
    if (status != ZO_OK) { snprintf(why, why_size, "the pack is refused: %s", first ? first->message : "no memory"); }
    zo_report_free(report);
    return program;
}

// -------------------------------------------------------------------------------------------------------------- speech

typedef struct speech_maker {
    vectors *v;
    uint32_t policy;
    zb_buffer out;
} speech_maker;

static zo_text list_of(const speech_maker *s, const char *name) {
    const uint32_t node = vectors_member(s->v->doc, s->policy, name);
    return node != 0 ? zj_source(s->v->doc, node) : ZB_TEXT("[]");
}

static bool lists(const speech_maker *s, const char *name, zo_text label) {
    VECTORS_EACH(s->v->doc, item, vectors_member(s->v->doc, s->policy, name)) {
        if (zb_text_equal(zj_text(s->v->doc, item), label)) { return true; }
    }
    return false;
}

static void put_pair(speech_maker *s, const char *key, zo_text raw) {
    zb_put_json_text(&s->out, zb_text(key));
    zb_put_char(&s->out, ':');
    zb_put_text(&s->out, raw);
    zb_put_char(&s->out, ',');
}

// Of all that means the intent: its entry, what is a performance, and the rest.
static void put_intent(speech_maker *s, uint32_t entry) {
    const zj_doc *doc = s->v->doc;
    const zo_text intent = zj_key(doc, entry);
    const uint32_t after = zj_member(doc, vectors_member(doc, s->policy, "postSpeechEmotionLabelByIntent"), intent);
    zb_put(&s->out, ",{\"entries\":[");
    zb_put_json_text(&s->out, zj_text(doc, entry));
    zb_put(&s->out, "],");
    for (int performs = 0; performs < 2; performs++) {
        zb_put(&s->out, performs ? "\"speaking\":[" : "\"labels\":[");
        bool any = false;
        VECTORS_EACH(doc, label, vectors_member(doc, s->policy, "emotionIntentByLabel")) {
            const zo_text name = zj_key(doc, label);
            if (!zb_text_equal(zj_text(doc, label), intent) || zb_text_equal(name, zj_text(doc, entry)) ||
                lists(s, "speakingReleaseLabels", name) != (performs != 0)) {
                continue;
            }
            zb_put(&s->out, any ? "," : "");
            zb_put_json_text(&s->out, name);
            any = true;
        }
        zb_put(&s->out, "],");
    }
    if (after != 0) { put_pair(s, "after", zj_source(doc, after)); }
    zb_put(&s->out, "\"intent\":");
    zb_put_json_text(&s->out, intent);
    zb_put_char(&s->out, '}');
}

// The words that mean thinking are the application's own; what thinking is the policy says.
static void put_aliases(speech_maker *s) {
    static const char *const words[] = {"work", "working", "provider_work", "tool_call", "coding", "thinking"};
    const zj_doc *doc = s->v->doc;
    zb_put(&s->out, "\"aliases\":{");
    VECTORS_EACH(doc, alias, vectors_member(doc, s->policy, "triggerAliases")) {
        put_pair(s, zb_arena_text(s->v->arena, zj_key(doc, alias)), zj_source(doc, alias));
    }
    const uint32_t meant = vectors_member(doc, vectors_member(doc, s->policy, "semanticTriggerDefaults"), "thinking");
    for (size_t i = 0; i < ZB_COUNT(words); i++) { put_pair(s, words[i], zj_source(doc, meant)); }
    s->out.data[s->out.size - 1] = '}'; // in place of the last comma
}

zo_text vectors_speech(vectors *v, uint32_t policy) {
    speech_maker s = {.v = v, .policy = policy, .out = zb_buffer_open(v->arena)};
    double hold_s = 0.0;
    vectors_number(v->doc, policy, "postSpeechHoldSec", &hold_s);
    zb_put(&s.out, "{\"type\":\"characterPackSpeech\",\"holdMs\":");
    zb_put_double(&s.out, hold_s * 1000.0);
    zb_put_char(&s.out, ',');
    put_pair(&s, "entry", list_of(&s, "defaultSpeakingTriggerLabel"));
    put_pair(&s, "otherEntry", list_of(&s, "closedEyeSpeakingTriggerLabel"));
    put_pair(&s, "otherChance", list_of(&s, "closedEyeSpeakingChance"));
    put_pair(&s, "otherFrom", list_of(&s, "closedEyeEligibleLabels"));
    static const char *const groups[][3] = { // entries, speaking, exits
        {"seriousEntryLabels", "seriousSpeakingLabels", ""},
        {"", "defaultSpeakingLabels", ""},
        {"", "closedEyeSpeakingLabels", ""},
        {"thinkingEntryLabels", "thinkingSpeakingLabels", "seriousExitLabels"},
    };
    zb_put(&s.out, "\"groups\":[");
    for (size_t i = 0; i < ZB_COUNT(groups); i++) {
        zb_put(&s.out, i > 0 ? ",{" : "{");
        if (i == 2) { // its way in is listed with what it leads to
            zb_put(&s.out, "\"entries\":[");
            zb_put_text(&s.out, list_of(&s, "closedEyeSpeakingTriggerLabel"));
            zb_put(&s.out, "],");
        } else {
            put_pair(&s, "entries", list_of(&s, groups[i][0]));
        }
        put_pair(&s, "exits", list_of(&s, groups[i][2]));
        put_pair(&s, "speaking", list_of(&s, groups[i][1]));
        s.out.data[s.out.size - 1] = '}';
    }
    VECTORS_EACH(v->doc, entry, vectors_member(v->doc, policy, "emotionEntryByIntent")) { put_intent(&s, entry); }
    zb_put(&s.out, "],");
    put_aliases(&s);
    zb_put_char(&s.out, '}');
    return (zo_text){s.out.data, s.out.size};
}

// --------------------------------------------------------------------------------------------------------------- cases

enum { WHY_MAX = 256, INTERVAL_MS = 40 };
#define MS INT64_C(1000000)

typedef struct mouth_case {
    vectors *v;
    uint32_t item, expect;
    const char *name;
    zo_program *program;
    zo_instance *instance;
} mouth_case;

static double number(const mouth_case *m, uint32_t object, const char *name) {
    double value = 0.0;
    vectors_number(m->v->doc, object, name, &value);
    return value;
}

static double nth(const mouth_case *m, uint32_t object, const char *name, uint32_t index) {
    uint32_t at = 0;
    VECTORS_EACH(m->v->doc, item, vectors_member(m->v->doc, object, name)) {
        if (at++ == index) { return zj_at(m->v->doc, item)->as.number; }
    }
    return (double)NAN;
}

static const char graph_form[] = "{\"nodes\":[{\"id\":\"n\",\"label\":\"%s\",\"isRoot\":true}],\"edges\":["
                                 "{\"id\":\"e\",\"from\":\"n\",\"to\":\"n\",\"prob\":1}]}";

static void make_pack(mouth_case *m, vectors_pack *pack) {
    const zj_doc *doc = m->v->doc;
    const char *label = vectors_text(m->v, m->item, "label");
    const uint32_t mouth = vectors_member(doc, m->item, "mouth_config"), profiles = vectors_member(doc, mouth, "profiles");
    char *graph = zb_arena_take(m->v->arena, 512);
    snprintf(graph, 512, graph_form, label);
    vectors_pack_open(pack, m->v);
    pack->graph = zb_text(graph);
    pack->mouth = zj_source(doc, mouth);
    vectors_pack_clip(pack, zb_text(label), (uint32_t)number(m, m->item, "frames"), INTERVAL_MS, "loop");
    const uint32_t overlays = (uint32_t)number(m, m->item, "overlay_frames");
    bool told = false;
    VECTORS_EACH(doc, profile, profiles) { // a profile is not taken without pictures
        told = told || zb_text_equal(zj_key(doc, profile), zb_text(label));
        if (overlays > 0) { vectors_pack_overlay(pack, zj_key(doc, profile), overlays); }
    }
    if (!told && overlays > 0) { vectors_pack_overlay(pack, zb_text(label), overlays); }
}

// A pack with a profile and no pictures for it is refused, so what it would come to is asked of the compiler alone.
static zo_program *compile_refused(vectors_pack *pack) {
    uint32_t count;
    const zo_source *sources = vectors_pack_sources(pack, &count);
    zo_source first = sources[0];
    zb_arena arena = zb_arena_open(NULL);
    const zo_compile_def def = {.format = zf_cp_reader.format.name};
    zf_input input = {.sources = sources, .source_count = count, .def = &def, .arena = &arena,
                      .report = zd_report_open(NULL, 0, false)};
    zo_status status = ZO_OK;
    zo_program *program = NULL;
    if (zf_open_source(&input, &first, &status) == &zf_cp_reader) {
        zf_cp_judge judge = zf_cp_judge_open(&input);
        zf_cp_pack read;
        const bool refused = !zf_cp_read_pack(&judge, true, &read);
        zp_build *build = zp_build_open(&arena);
        zf_cp_compile(&read, build);
        program = refused ? zp_build_finish(build, NULL) : NULL;
    }
    zd_report_close(input.report);
    zb_arena_close(&arena);
    return program;
}

// The general way, which no pack says: a picture for each level.
static zo_program *make_general(const mouth_case *m) {
    const zj_doc *doc = m->v->doc;
    const uint32_t config = vectors_member(doc, m->item, "raw_config");
    const uint32_t frames = (uint32_t)number(m, m->item, "frames"), pictures = (uint32_t)number(m, m->item, "overlay_frames");
    zb_arena arena = zb_arena_open(NULL);
    zp_build *b = zp_build_open(&arena);
    zp_build_layer(b, &(zp_layer){.name = 0});
    zp_build_channel(b, &(zp_channel){.is_index = 1, .own_rest = 1, .low = -(double)INFINITY, .high = (double)INFINITY});
    zp_build_target(b, &(zp_target){.name = 0});
    zp_build_sprite(b, &(zp_sprite){.channel_ref = 1});
    double *cels = zb_arena_take_array(&arena, frames, sizeof *cels);
    uint32_t *own = zb_arena_take_array(&arena, pictures, sizeof *own);
    for (uint32_t i = 0; i < frames + pictures; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        const uint32_t image = zp_build_image(b, &(zp_image){.name = zp_build_name(b, zb_text(name))});
        const uint32_t cel = zp_build_cel(b, &(zp_cel){.image_ref = image + 1, .anchor = {0.5, 1.0}, .scale = 1.0},
                                          (zp_span){0, 0});
        if (i < frames) { cels[i] = cel + 1; }
        if (i >= frames) { own[i - frames] = cel; }
    }
    const int64_t step_ns = INTERVAL_MS * MS, all_ns = frames * step_ns;
    zp_build_clip_begin(b, &(zp_clip){.time_unit = ZP_TIME_SECONDS, .duration_ns = all_ns, .duration_ns_min = all_ns,
                                      .duration_ns_max = all_ns, .complete_ns = all_ns, .repeat = ZP_REPEAT_LOOP},
                        (zp_span){0, 0});
    zp_build_curve(b, &(zp_curve_def){
        .placement = ZP_PLACE_STEP_NS, .interpolation = ZP_INTERPOLATE_HOLD, .arithmetic = ZP_ARITHMETIC_INDEX,
        .width = 1, .key_count = frames, .values = cels, .step_ns = step_ns});
    const uint32_t clip = zp_build_clip_end(b);
    zp_build_play(b, &(zp_play){.clip = clip});
    double levels[8], sources[16];
    uint32_t source_count = 0;
    VECTORS_EACH(doc, anchor, vectors_member(doc, config, "sourceAnchors")) {
        if (source_count == 8) { break; }
        sources[2 * source_count] = number(m, anchor, "cx");
        sources[2 * source_count++ + 1] = number(m, anchor, "cy");
    }
    for (uint32_t i = 0; i < pictures && i < 8; i++) { levels[i] = nth(m, config, "openness", i); }
    const double anchor[4] = {number(m, config, "cx"), number(m, config, "cy"), number(m, config, "width"),
                              number(m, config, "height")};
    zp_build_overlay(b, &(zp_overlay){
        .clip = clip, .rule = ZP_OVERLAY_NEAREST, .first_cel = zp_build_words(b, own, pictures), .cel_count = pictures,
        .levels = zp_build_numbers(b, levels, pictures), .anchors = zp_build_numbers(b, anchor, 4), .anchor_count = 1,
        .sources = zp_build_numbers(b, sources, 2 * source_count), .source_count = source_count, .threshold = 0.01,
        .open = 0.05, .swell = 1.5, .reach = {1.8, 1.0}});
    zo_program *program = zp_build_finish(b, NULL);
    zb_arena_close(&arena);
    return program;
}

static bool make_program(mouth_case *m, char why[WHY_MAX]) {
    vectors_pack pack;
    if (vectors_member(m->v->doc, m->item, "raw_config") != 0) {
        m->program = make_general(m);
    } else {
        make_pack(m, &pack);
        m->program = vectors_pack_compile(&pack, ZO_MODEL_BY_PROFILE, why, WHY_MAX);
        if (m->program == NULL && number(m, m->item, "overlay_frames") == 0.0) { m->program = compile_refused(&pack); }
    }
    const char *what = NULL;
    if (m->program == NULL) { return false; }
    if (!zp_program_check(m->program->blob, m->program->blob_size, &what)) {
        snprintf(why, WHY_MAX, "a bad program: %s", what);
        return false;
    }
    m->instance = zo_instance_create(m->program, NULL, NULL);
    return m->instance != NULL;
}

// ------------------------------------------------------------------------------------------------------------ verdicts

static void advance(const mouth_case *m, int64_t ns) {
    zo_step step = {.left_ns = ns};
    do {
        zo_event events[4];
        step = zo_instance_advance(m->instance, step.left_ns, events, 4);
    } while (step.more || step.left_ns > 0);
}

static bool pair_is(const mouth_case *m, const char *name, uint32_t first, const double *found, char why[WHY_MAX]) {
    for (uint32_t i = 0; i < 2; i++) {
        const double expected = nth(m, m->expect, name, first + i);
        if (vectors_near(expected, found[i], 1e-6)) { continue; }
        snprintf(why, WHY_MAX, "%s[%u] is %.17g, not %.17g", name, first + i, found[i], expected);
        return false;
    }
    return true;
}

static bool overlay_is(const mouth_case *m, char why[WHY_MAX]) {
    enum { FRAME = 1, OVERLAY = 2 }; // one picture for all frames, one for all overlays: only the sizes count here
    const uint32_t frames = (uint32_t)number(m, m->item, "frames"), cel_count = zo_cel_count(m->program);
    zo_size sizes[2];
    for (uint32_t i = 0; i < 2; i++) {
        const char *of = i + 1 == FRAME ? "frame_size" : "overlay_size";
        sizes[i] = (zo_size){(uint32_t)nth(m, m->item, of, 0), (uint32_t)nth(m, m->item, of, 1)};
    }
    uint32_t *pictures = zb_arena_take_array(m->v->arena, cel_count, sizeof *pictures);
    for (uint32_t i = 0; i < cel_count && pictures != NULL; i++) { pictures[i] = i < frames ? FRAME : OVERLAY; }
    zo_overlay told;
    const zo_view view = {.width = 100, .height = 100, .image_sizes = sizes, .image_count = 2,
                          .cel_images = pictures, .cel_count = pictures != NULL ? cel_count : 0};
    const bool there = zo_instance_overlay(m->instance, &view, 0, &told);
    const bool visible = vectors_true(m->v->doc, m->expect, "visible");
    if (there != vectors_true(m->v->doc, m->expect, "configured") || (there && told.visible) != visible) {
        snprintf(why, WHY_MAX, "it is %s", !there ? "not there" : told.visible ? "seen" : "not seen");
        return false;
    }
    if (there && (told.frame != (uint32_t)number(m, m->item, "frame_index") ||
                  told.rest_frame != (uint32_t)number(m, m->expect, "closed_frame"))) {
        snprintf(why, WHY_MAX, "over frame %u, and frame %u is at rest", told.frame, told.rest_frame);
        return false;
    }
    if (!visible) { return true; }
    if (told.index != (uint32_t)number(m, m->expect, "overlay_index")) {
        snprintf(why, WHY_MAX, "it is picture %u", told.index);
        return false;
    }
    return pair_is(m, "overlay_pos", 0, told.place, why) && pair_is(m, "ellipse", 0, told.center, why) &&
           pair_is(m, "ellipse", 2, told.half, why);
}

// Speech ends, and the frame is held that is called closed.
static bool held_is(const mouth_case *m, char why[WHY_MAX]) {
    zo_target_state at;
    if (!vectors_true(m->v->doc, m->item, "speaking") || !zo_instance_state(m->instance, &at)) { return true; }
    zo_instance_speaking(m->instance, false);
    zo_instance_state(m->instance, &at);
    if (at.held && at.frame == (uint32_t)number(m, m->expect, "closed_frame")) { return true; }
    snprintf(why, WHY_MAX, "frame %u is %s when speech ends", at.frame, at.held ? "held" : "not held");
    return false;
}

static bool run(mouth_case *m, char why[WHY_MAX]) {
    if (!make_program(m, why)) { return false; }
    zo_instance_set_mouth(m->instance, number(m, m->item, "mouth"));
    if (vectors_true(m->v->doc, m->item, "speaking")) { zo_instance_speaking(m->instance, true); }
    advance(m, (int64_t)number(m, m->item, "frame_index") * INTERVAL_MS * MS);
    return overlay_is(m, why) && held_is(m, why);
}

void vectors_mouth(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        char why[WHY_MAX] = "no memory";
        mouth_case m = {.v = v, .item = item, .expect = vectors_member(v->doc, item, "expect"),
                        .name = vectors_text(v, item, "name")};
        const bool good = run(&m, why);
        zo_instance_free(m.instance);
        zo_program_free(m.program);
        if (good) {
            vectors_pass(v);
        } else {
            vectors_fail(v, m.name, "%s", why);
        }
    }
}
