// The enemy files that play: poses.json and events.json, by the public functions alone. Each case becomes a clip with what
// it leaves out filled in. How answers are compared is said in the README beside them.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "vectors.h"

static void put_source(zb_buffer *out, const vectors *v, uint32_t node) { zb_put_text(out, zj_source(v->doc, node)); }

static const char head[] = "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"test:enemy-animation/case\","
                           "\"enemy\":\"test:enemy/case\",\"displayName\":\"Case\",\"frameRate\":60";

// An effect that does nothing: its trigger is what is looked at.
static void put_effect(zb_buffer *out, zo_text id) {
    zb_put(out, "{\"id\":");
    zb_put_json_text(out, id);
    zb_put(out, ",\"trigger\":\"\",\"index\":0,\"target\":\"bone/body\",\"durationSeconds\":0.1,\"loop\":false,"
                "\"maxParticles\":1,\"startLifetimeMin\":0,\"startLifetimeMax\":0,\"startSpeedMin\":0,\"startSpeedMax\":0,"
                "\"startSizeMin\":0,\"startSizeMax\":0,\"gravityMin\":0,\"gravityMax\":0,\"scaleX\":1,\"scaleY\":1,"
                "\"scaleZ\":1,\"simulationSpace\":\"Local\",\"startColorMin\":{\"r\":1,\"g\":1,\"b\":1,\"a\":1},"
                "\"startColorMax\":{\"r\":1,\"g\":1,\"b\":1,\"a\":1},\"emissionRateMin\":0,\"emissionRateMax\":0,"
                "\"shapeEnabled\":false,\"shape\":\"\",\"shapeRadius\":0,\"shapeAngle\":0,\"textureSheetTilesX\":1,"
                "\"textureSheetTilesY\":1,\"textureSheetSprites\":[],\"sortingOrder\":0,\"source\":{}}");
}

static void put_effects(zb_buffer *out, const vectors *v, uint32_t triggers) {
    zb_put(out, ",\"effects\":[");
    const size_t before = out->size;
    zo_text seen[64];
    uint32_t seen_count = 0;
    VECTORS_EACH(v->doc, trigger, triggers) {
        VECTORS_EACH(v->doc, id, vectors_member(v->doc, trigger, "effects")) {
            const zo_text text = zj_text(v->doc, id);
            bool known = false;
            for (uint32_t i = 0; i < seen_count; i++) { known = known || zb_text_equal(seen[i], text); }
            if (known || seen_count == 64) { continue; }
            seen[seen_count++] = text;
            zb_put(out, out->size > before ? "," : "");
            put_effect(out, text);
        }
    }
    zb_put(out, "]");
}

// The case as a clip; its members of these names are taken over. NULL: it does not compile, and the case has failed.
static zo_program *compile(vectors *v, uint32_t item, const zo_compile_def *def) {
    static const char *const members[] = {"durationSeconds", "loop", "tracks", "objectTracks", "events",
                                          "effectTriggers"};
    zb_buffer out = zb_buffer_open(v->arena);
    zb_put(&out, head);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const uint32_t node = vectors_member(v->doc, item, members[i]);
        if (node == 0) { continue; }
        zb_put(&out, ",\"");
        zb_put(&out, members[i]);
        zb_put(&out, "\":");
        put_source(&out, v, node);
    }
    if (vectors_member(v->doc, item, "tracks") == 0) {
        zb_put(&out, ",\"tracks\":[{\"target\":\"bone/body\",\"property\":\"position.x\",\"keys\":[{\"time\":0,"
                     "\"value\":0,\"inTangent\":0,\"outTangent\":0}]}]");
    }
    const uint32_t triggers = vectors_member(v->doc, item, "effectTriggers");
    if (triggers != 0) { put_effects(&out, v, triggers); }
    zb_put(&out, "}");
    const zo_source source = {.name = "case.json", .bytes = out.data, .size = out.size};
    zo_program *program = NULL;
    zo_report *report = NULL;
    if (zo_compile(&source, 1, def, &program, &report) != ZO_OK) {
        const zo_diag *diag = zo_report_count(report) > 0 ? zo_report_at(report, 0) : NULL;
        vectors_fail(v, vectors_text(v, item, "name"), "does not compile: %s", diag != NULL ? diag->message : "?");
    }
    zo_report_free(report);
    return program;
}

static int64_t ns_of(double seconds) { return (int64_t)floor(seconds * 1e9 + 0.5); }

// ---------------------------------------------------------------------------------------------------------- poses.json

// 1e-3 times the largest value or tangent of the case.
static double scale_of(const vectors *v, uint32_t item) {
    double largest = 0.0;
    VECTORS_EACH(v->doc, track, vectors_member(v->doc, item, "tracks")) {
        VECTORS_EACH(v->doc, key, vectors_member(v->doc, track, "keys")) {
            static const char *const members[] = {"value", "inTangent", "outTangent"};
            for (int i = 0; i < 3; i++) {
                double number = 0.0;
                vectors_number(v->doc, key, members[i], &number);
                largest = fabs(number) > largest ? fabs(number) : largest;
            }
        }
    }
    return largest * 1e-3;
}

typedef struct query {
    vectors *v;
    const char *name;
    const zo_program *program;
    const zo_pose *pose;
    double elapsed, scale;
    bool sampled;
} query;

static bool value_fits(const query *q, const char *channel, uint32_t expected, double value) {
    if (zj_kind_of(q->v->doc, expected) == ZJ_STRING) {
        zo_cel_info cel = {.name = ""};
        zo_cel_get(q->program, (zo_cel){value >= 1.0 ? (uint32_t)value : 0}, &cel);
        const char *want = zb_arena_text(q->v->arena, zj_text(q->v->doc, expected));
        if (strcmp(cel.name, want) == 0) { return true; }
        vectors_fail(q->v, q->name, "%s at %g: %s, expected %s", channel, q->elapsed, cel.name, want);
        return false;
    }
    const double want = zj_at(q->v->doc, expected)->as.number;
    double off = value - want;
    if (q->sampled && strstr(channel, "rotation.z") != NULL) { off -= 360.0 * floor(off / 360.0 + 0.5); }
    const double tolerance = 1e-4 * fmax(1.0, fmax(fabs(want), q->scale));
    if (fabs(off) <= tolerance) { return true; }
    vectors_fail(q->v, q->name, "%s at %g%s: %.9g, expected %.9g", channel, q->elapsed, q->sampled ? ", sampled" : "",
                 value, want);
    return false;
}

// What the answer names has the value, and all else is at rest.
static bool pose_fits(const query *q, uint32_t expected) {
    zo_channel_info info;
    for (uint32_t c = 1; zo_channel_get(q->program, (zo_channel){c}, &info); c++) {
        const char *space = strchr(info.name, ' ');
        const zo_text target = {info.name, (size_t)(space - info.name)};
        const uint32_t object = zj_member(q->v->doc, expected, target);
        const uint32_t want = vectors_member(q->v->doc, object, space + 1);
        const double value = q->pose->slots[c - 1];
        if (want != 0 && !value_fits(q, info.name, want, value)) { return false; }
        if (want == 0 && value != info.rest) {
            vectors_fail(q->v, q->name, "%s at %g: %g, should be at rest", info.name, q->elapsed, value);
            return false;
        }
    }
    VECTORS_EACH(q->v->doc, target, expected) {
        VECTORS_EACH(q->v->doc, property, target) {
            const zo_text name = zj_key(q->v->doc, target), of = zj_key(q->v->doc, property);
            char channel[256];
            snprintf(channel, sizeof channel, "%.*s %.*s", (int)name.size, name.data, (int)of.size, of.data);
            if (zo_channel_find(q->program, channel).id == 0) {
                vectors_fail(q->v, q->name, "there is no channel '%s'", channel);
                return false;
            }
        }
    }
    return true;
}

// From the start to the moment in one step, and again on the instance that has gone through all moments before.
static bool poses_fit(vectors *v, uint32_t item, bool sampled) {
    zo_program *program = compile(v, item, &(zo_compile_def){.sampled_poses = sampled});
    if (program == NULL) { return false; }
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance *through = zo_instance_create(program, NULL, NULL);
    query q = {.v = v, .name = vectors_text(v, item, "name"), .program = program, .pose = pose,
               .scale = scale_of(v, item), .sampled = sampled};
    bool good = true;
    VECTORS_EACH(v->doc, one, vectors_member(v->doc, item, "queries")) {
        vectors_number(v->doc, one, "elapsed", &q.elapsed);
        const uint32_t expected = vectors_member(v->doc, one, sampled ? "sampled" : "exact");
        zo_instance *fresh = zo_instance_create(program, NULL, NULL);
        zo_event event;
        zo_instance_advance(fresh, ns_of(q.elapsed), &event, 1);
        zo_instance_sample(fresh, pose);
        good = good && pose_fits(&q, expected);
        const int64_t more_ns = ns_of(q.elapsed) - zo_instance_now_ns(through);
        if (more_ns >= 0) {
            zo_instance_advance(through, more_ns, &event, 1);
            zo_instance_sample(through, pose);
            good = good && pose_fits(&q, expected);
        }
        zo_instance_free(fresh);
    }
    zo_instance_free(through);
    zo_pose_free(pose);
    zo_program_free(program);
    return good;
}

void vectors_enemy_poses(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        if (poses_fit(v, item, false) && poses_fit(v, item, true)) { vectors_pass(v); }
    }
}

// --------------------------------------------------------------------------------------------------------- events.json

typedef struct told {
    uint32_t index;   // of the list
    int64_t cycle;
    int64_t t_ns;
    const char *name;
} told;

enum { TOLD_MAX = 4096 };

// Which of the document's events, or triggers with their effects counted one by one, an event of the program is.
static uint32_t place_in_list(const zo_program *program, const zo_event *event) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < event->index; i++) {
        zo_clip_event_info info;
        zo_clip_event_get(program, event->clip, i, &info);
        place += (uint32_t)info.action == (uint32_t)event->kind ? 1 : 0;
    }
    return place;
}

static uint32_t advance(zo_instance *instance, const zo_program *program, int64_t to_ns, zo_event_kind kind, told *out,
                        uint32_t count) {
    zo_step step = {.left_ns = to_ns - zo_instance_now_ns(instance)};
    do {
        zo_event events[3];
        step = zo_instance_advance(instance, step.left_ns, events, 3);
        for (uint32_t i = 0; i < step.count; i++) {
            if (events[i].kind != kind || count == TOLD_MAX) { continue; }
            zo_clip_info clip;
            zo_clip_event_info info;
            zo_clip_get(program, events[i].clip, &clip);
            zo_clip_event_get(program, events[i].clip, events[i].index, &info);
            out[count++] = (told){place_in_list(program, &events[i]),
                                  (events[i].t_ns - info.at_ns) / clip.duration_ns, events[i].t_ns, events[i].name};
        }
    } while (step.more || step.left_ns > 0);
    return count;
}

static bool times_fit(vectors *v, const char *name, uint32_t expected, const told *got) {
    double index = 0.0, cycle = 0.0, time = 0.0;
    vectors_number(v->doc, expected, "index", &index);
    vectors_number(v->doc, expected, "cycle", &cycle);
    vectors_number(v->doc, expected, "time", &time);
    const bool same = got->index == (uint32_t)index && got->cycle == (int64_t)cycle &&
                      fabs((double)got->t_ns - time * 1e9) <= 1.5;
    if (!same) {
        vectors_fail(v, name, "number %u of loop %lld at %.9f s, expected %g of %g at %.9f", got->index,
                     (long long)got->cycle, (double)got->t_ns / 1e9, index, cycle, time);
    }
    return same;
}

// Triggers list their effects; the program tells of each by itself, in the same order.
static bool triggers_fit(vectors *v, uint32_t item, const char *name, uint32_t expected, const told *got, uint32_t count) {
    uint32_t at = 0;
    VECTORS_EACH(v->doc, one, expected) {
        double index = 0.0;
        vectors_number(v->doc, one, "index", &index);
        uint32_t before = 0, trigger_index = 0;
        VECTORS_EACH(v->doc, trigger, vectors_member(v->doc, item, "effectTriggers")) {
            if (trigger_index++ >= (uint32_t)index) { break; }
            before += zj_at(v->doc, vectors_member(v->doc, trigger, "effects"))->as.items.count;
        }
        uint32_t k = 0;
        VECTORS_EACH(v->doc, id, vectors_member(v->doc, one, "ids")) {
            if (at >= count || got[at].index != before + k ||
                !zb_text_equal(zb_text(got[at].name), zj_text(v->doc, id))) {
                vectors_fail(v, name, "effect %u of trigger %g did not start in its turn", k, index);
                return false;
            }
            told of_trigger = got[at];
            of_trigger.index = (uint32_t)index;
            if (!times_fit(v, name, one, &of_trigger)) { return false; }
            at++;
            k++;
        }
    }
    if (at != count) { vectors_fail(v, name, "%u effects started, expected %u", count, at); }
    return at == count;
}

static bool events_fit(vectors *v, const char *name, uint32_t expected, const told *got, uint32_t count) {
    uint32_t at = 0;
    VECTORS_EACH(v->doc, one, expected) {
        if (at >= count) { break; }
        if (!times_fit(v, name, one, &got[at])) { return false; }
        at++;
    }
    const uint32_t wanted = zj_at(v->doc, expected)->as.items.count;
    if (wanted != count) { vectors_fail(v, name, "%u events, expected %u", count, wanted); }
    return wanted == count;
}

static bool play(vectors *v, uint32_t item, zo_event_kind kind, const zo_program *program, told *got) {
    const char *name = vectors_text(v, item, "name");
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    bool good = true, begun = false;
    VECTORS_EACH(v->doc, one, vectors_member(v->doc, item, "advances")) {
        double from = 0.0, to = 0.0;
        vectors_number(v->doc, one, "from", &from);
        vectors_number(v->doc, one, "to", &to);
        if (!begun && !vectors_true(v->doc, one, "first")) { // a seek: what is there is past
            advance(instance, program, ns_of(from), kind, got, 0);
        }
        begun = true;
        const uint32_t count = advance(instance, program, ns_of(to), kind, got, 0);
        const uint32_t expected = vectors_member(v->doc, one, kind == ZO_EVENT_NOTIFY ? "fired" : "effects");
        good = good && (kind == ZO_EVENT_NOTIFY ? events_fit(v, name, expected, got, count)
                                                : triggers_fit(v, item, name, expected, got, count));
    }
    zo_instance_free(instance);
    return good;
}

void vectors_enemy_events(vectors *v) {
    told *got = zb_arena_take_array(v->arena, TOLD_MAX, sizeof *got);
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        zo_program *program = got != NULL ? compile(v, item, NULL) : NULL;
        if (program == NULL) { continue; }
        const bool triggers = vectors_member(v->doc, item, "effectTriggers") != 0;
        if (play(v, item, ZO_EVENT_NOTIFY, program, got) &&
            (!triggers || play(v, item, ZO_EVENT_START_EFFECT, program, got))) {
            vectors_pass(v);
        }
        zo_program_free(program);
    }
}
