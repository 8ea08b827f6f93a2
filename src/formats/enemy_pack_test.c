// What lies around a clip: what is asked for, rigs and atlases, sets of clips, short memory; and a clip with every member
// of every object, edited value by value. Cases of tests/vectors and fixtures of tests/diag say the rest.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <zoetrope/zoetrope.h>

#include "formats/enemy_pack.h"
#include "json/json.h"

#define KEY(time, value) "{\"time\":" time ",\"value\":" value ",\"inTangent\":0,\"outTangent\":0}"
#define TRACK(target, property, keys) "{\"target\":\"" target "\",\"property\":\"" property "\",\"keys\":[" keys "]}"
#define CLIP(id, loop, tracks, more) \
    "{\"schemaVersion\":1,\"type\":\"enemyAnimation\",\"id\":\"a:enemy-animation/" id "\",\"enemy\":\"a:enemy/a\"," \
    "\"displayName\":\"A\",\"durationSeconds\":1,\"frameRate\":60,\"loop\":" loop ",\"tracks\":[" tracks "]" more "}"
#define RIG(more) "{\"schemaVersion\":1,\"type\":\"enemyRig\"," more "}"
#define SOURCE(name_, text_) {.name = name_, .bytes = text_, .size = sizeof(text_) - 1}
#define UP TRACK("bone/tip", "position.y", KEY("0", "1") "," KEY("1", "3"))

static zo_program *compiled(const zo_source *sources, uint32_t count) {
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_compile(sources, count, NULL, &program, &report);
    if (zo_report_count(report) > 0) { print_message("%s\n", zo_report_at(report, 0)->message); }
    assert_int_equal(status, ZO_OK);
    zo_report_free(report);
    return program;
}

static void assert_near(double value, double expected) { assert_true(fabs(value - expected) < 1e-6); }

// ---------------------------------------------------------------------------------------------------- what is asked for

static void assert_needs(const zo_report *report, const zo_need *needs, uint32_t count) {
    assert_int_equal(zo_report_need_count(report), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(zo_report_need(report, i)->name, needs[i].name);
        assert_int_equal(zo_report_need(report, i)->kind, needs[i].kind);
    }
}

static void what_could_be_of_use_is_asked_for_and_nothing_is_demanded(void **state) {
    (void)state;
    static const char clip[] = CLIP("a", "false", UP,
        ",\"objectTracks\":[{\"target\":\"sprite/tip\",\"property\":\"sprite\",\"keys\":[{\"time\":0,\"name\":\"tip\"},"
        "{\"time\":0.5,\"asset\":\"art/tip.png\",\"name\":\"x\"},{\"time\":0.6,\"name\":\"../out\"}]}],"
        "\"events\":[{\"time\":0,\"type\":\"sound\",\"file\":\"s.ogg\"}]");
    static const char rig[] = RIG("\"bones\":[{\"name\":\"tip\"}],\"atlas\":\"all.json\","
                                  "\"sprites\":[{\"bone\":\"tip\",\"image\":\"tip-drawn.png\"}]");
    static const char atlas[] = "{\"frames\":{\"tip\":{\"frame\":{\"x\":0,\"y\":0,\"w\":4,\"h\":4}}},\"meta\":{\"image\":\"all.png\"}}";
    const zo_source sources[] = {SOURCE("pack/a.json", clip), SOURCE("pack/rig.json", rig), SOURCE("pack/all.json", atlas)};
    static const zo_need alone[] = {{"rig.json", ZO_NEED_BYTES}, {"tip.png", ZO_NEED_HEAD}, {"art/tip.png", ZO_NEED_HEAD},
                                    {"s.ogg", ZO_NEED_STAT}}; // not what leads out of the pack
    static const zo_need with_rig[] = {{"all.json", ZO_NEED_BYTES}, {"tip-drawn.png", ZO_NEED_HEAD},
                                       {"tip.png", ZO_NEED_HEAD}, {"art/tip.png", ZO_NEED_HEAD}, {"s.ogg", ZO_NEED_STAT}};
    static const zo_need with_atlas[] = {{"all.png", ZO_NEED_HEAD}, {"tip-drawn.png", ZO_NEED_HEAD},
                                         {"art/tip.png", ZO_NEED_HEAD}, {"s.ogg", ZO_NEED_STAT}};
    static const struct { const zo_need *needs; uint32_t count; } asked[] = {{alone, 4}, {with_rig, 5}, {with_atlas, 4}};
    for (uint32_t i = 0; i < 3; i++) {
        zo_report *report = NULL;
        assert_int_equal(zo_compile(sources, i + 1, NULL, NULL, &report), ZO_OK);
        assert_needs(report, asked[i].needs, asked[i].count);
        zo_report_free(report);
    }
}

static void what_the_original_refuses_is_a_warning_by_default(void **state) {
    (void)state;
    static const char clip[] = CLIP("a", "false", UP, ",\"events\":[{\"time\":0,\"type\":\"sound\",\"file\":\"s.ogg\"},"
        "{\"time\":0,\"type\":\"sound\",\"file\":\"s.ogg\"},{\"time\":0,\"type\":\"spriteEffect\",\"region\":\"r\",\"bone\":\"x\"}]");
    static const char rig[] = RIG("\"bones\":[{\"name\":\"tip\"}]");
    const zo_source sources[] = {SOURCE("a.json", clip), SOURCE("rig.json", rig),
                                 {.name = "s.ogg", .kind = ZO_SOURCE_MISSING}};
    for (uint32_t original = 0; original < 2; original++) {
        zo_report *report = NULL;
        const zo_compile_def def = {.profile = original != 0 ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT};
        assert_int_equal(zo_compile(sources, 3, &def, NULL, &report), original != 0 ? ZO_INVALID : ZO_OK);
        assert_int_equal(zo_report_count(report), 2); // a file that is missing is told once
        assert_string_equal(zo_report_at(report, 0)->id, "enemy/file");
        assert_string_equal(zo_report_at(report, 1)->id, "enemy/bone");
        assert_int_equal(zo_report_at(report, 1)->severity, original != 0 ? ZO_ERROR : ZO_WARNING);
        zo_report_free(report);
    }
}

// ---------------------------------------------------------------------------------------------------- rig

static const double *place_of(const zo_program *program, const zo_pose *pose, const char *target) {
    return pose->transforms[zo_target_find(program, target).id - 1].m;
}

static void a_rig_gives_rest_and_values_replace_it(void **state) {
    (void)state;
    static const char clip[] = CLIP("a", "false", UP, "");
    static const char rig[] = RIG("\"view\":{\"left\":-1,\"top\":4,\"right\":1,\"bottom\":0},"
        "\"bones\":[{\"name\":\"tip\",\"parent\":\"arm\",\"x\":2,\"y\":9},"
        "{\"name\":\"arm\",\"parent\":\"root\",\"x\":1,\"rotation\":90,\"scaleX\":-1},{\"name\":\"root\",\"y\":0.5}]");
    const zo_source sources[] = {SOURCE("a.json", clip), SOURCE("rig.json", rig)};
    zo_program *program = compiled(sources, 2);
    double stage[4];
    zo_program_stage(program, stage);
    assert_true(stage[0] == -1 && stage[1] == 4 && stage[2] == 1 && stage[3] == 0);
    assert_string_equal(zo_target_name(program, (zo_target){1}), "bone/root"); // parents first
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, (zo_clip){1}, 0.0, NULL, pose);
    const double *m = place_of(program, pose, "bone/tip");
    // tip at (2, 1) in arm, which mirrors x and then turns by 90: (-2, 1) becomes (-1, -2), from (1, 0.5)
    assert_near(m[3], 0.0);
    assert_near(m[7], -1.5);
    zo_pose_free(pose);
    zo_program_free(program);
}

static void pictures_hang_upright_and_mirrored_where_the_rig_says_so(void **state) {
    (void)state;
    static const char clip[] = CLIP("a", "false", UP, "");
    static const char rig[] = RIG("\"layers\":[\"Back\",\"Default\",\"Front\"],\"bones\":[{\"name\":\"tip\"},{\"name\":\"b\"}],"
        "\"sprites\":[{\"bone\":\"b\",\"flipX\":true,\"flipY\":true,\"layer\":\"Back\"},{\"bone\":\"tip\",\"image\":\"t.png\"}]");
    const zo_source sources[] = {SOURCE("a.json", clip), SOURCE("rig.json", rig)};
    zo_program *program = compiled(sources, 2);
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, (zo_clip){1}, 0.0, NULL, pose);
    const double *plain = place_of(program, pose, "sprite/tip"), *turned = place_of(program, pose, "sprite/b");
    assert_true(plain[0] == 1 && plain[5] == -1 && turned[0] == -1 && turned[5] == 1);
    assert_int_equal(program->sprites[0].layer, -1);
    assert_int_equal(program->sprites[1].layer, 0);
    zo_cel_info cel;
    assert_true(zo_cel_get(program, zo_cel_find(program, "t.png"), &cel));
    assert_string_equal(cel.image, "t.png");
    assert_near(cel.zoom, 1.0 / 32.0);
    zo_pose_free(pose);
    zo_program_free(program);
}

// What a packer has cut off around a frame is where it was.
static void a_trimmed_frame_stays_in_its_place(void **state) {
    (void)state;
    static const char rig[] = RIG("\"atlas\":\"all.json\",\"pixelsPerUnit\":10,\"bones\":[{\"name\":\"tip\"}],"
                                  "\"sprites\":[{\"bone\":\"tip\",\"region\":\"t\",\"pivotX\":0.5,\"pivotY\":0.25}]");
    static const char atlas[] = "{\"frames\":[{\"filename\":\"t.png\",\"frame\":{\"x\":3,\"y\":4,\"w\":10,\"h\":20},"
        "\"spriteSourceSize\":{\"x\":5,\"y\":10,\"w\":10,\"h\":20},\"sourceSize\":{\"w\":40,\"h\":80}}],\"meta\":{\"image\":\"all.png\"}}";
    const zo_source sources[] = {SOURCE("rig.json", rig), SOURCE("all.json", atlas)};
    zo_program *program = compiled(sources, 2);
    zo_cel_info cel;
    assert_true(zo_cel_get(program, zo_cel_find(program, "t"), &cel));
    assert_near(cel.anchor_x, (20.0 - 5.0) / 10.0);
    assert_near(cel.anchor_y, (60.0 - 10.0) / 20.0);
    assert_near(cel.zoom, 0.1);
    zo_clip_info clip;
    assert_true(zo_clip_get(program, (zo_clip){1}, &clip)); // a rig by itself is shown at rest
    assert_string_equal(clip.name, "rest");
    zo_program_free(program);
}

// ---------------------------------------------------------------------------------------------------- clips

static double shown(const zo_instance *instance, const zo_program *program, const char *channel) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_instance_sample(instance, pose);
    const double value = pose->slots[zo_channel_find(program, channel).id - 1];
    zo_pose_free(pose);
    return value;
}

static void another_clip_begins_from_rest(void **state) {
    (void)state;
    static const char first[] = CLIP("a", "false", UP, "");
    static const char second[] = CLIP("b", "true", TRACK("bone/root", "scale.x", KEY("0", "2")), "");
    static const char third[] = CLIP("c", "true", TRACK("sprite/root", "scale.x", KEY("0", "2")), ""); // moves nothing
    const zo_source sources[] = {SOURCE("a.json", first), SOURCE("b.json", second), SOURCE("c.json", third)};
    zo_program *program = compiled(sources, 3);
    assert_int_equal(zo_clip_count(program), 3);
    zo_instance *instance = zo_instance_create(program, NULL, NULL); // plays the first
    zo_event events[8];
    zo_instance_advance(instance, 5000000000, events, 8);
    assert_near(shown(instance, program, "bone/tip position.y"), 3.0); // the last pose holds
    zo_instance_start(instance, (zo_clip){2}, NULL);
    zo_instance_advance(instance, 1000, events, 8);
    assert_near(shown(instance, program, "bone/tip position.y"), 0.0);
    assert_near(shown(instance, program, "bone/root scale.x"), 2.0);
    zo_instance_start(instance, (zo_clip){3}, NULL);
    zo_instance_advance(instance, 1000, events, 8);
    assert_near(shown(instance, program, "bone/root scale.x"), 1.0);
    zo_instance_free(instance);
    zo_program_free(program);
}

static void one_instant_has_events_before_triggers_and_lists_keep_their_order(void **state) {
    (void)state;
    // The second event is earlier by less than 32 bits can tell, which is legal; so is a key behind the end by as little.
    static const char clip[] = CLIP("a", "false", TRACK("bone/a", "position.x", KEY("0", "0") "," KEY("1.00000002", "1")),
        ",\"events\":[{\"time\":0.50000001,\"type\":\"cue\",\"cue\":\"a\"},{\"time\":0.5,\"type\":\"cue\",\"cue\":\"b\"},"
        "{\"time\":1.00000002,\"type\":\"cue\",\"cue\":\"c\"}]");
    const zo_source source = SOURCE("a.json", clip);
    zo_program *program = compiled(&source, 1);
    static const char *const cues[] = {"a", "b", "c"};
    for (uint32_t i = 0; i < 3; i++) {
        zo_clip_event_info event;
        zo_argument_info argument;
        assert_true(zo_clip_event_get(program, (zo_clip){1}, i, &event));
        assert_true(zo_clip_event_argument_get(program, (zo_clip){1}, i, 0, &argument));
        assert_string_equal(argument.text, cues[i]);
        assert_int_equal(event.at_ns, i < 2 ? 500000010 : 1000000000);
    }
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, (zo_clip){1}, 1.0, NULL, pose);
    assert_near(pose->slots[0], 1.0);
    zo_pose_free(pose);
    zo_program_free(program);
}

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    assert_true(*size > 0 && *size < 1 << 20);
    fclose(file);
    return bytes;
}

// At each boundary of ten seconds of the example's loop, everything goes on from where it was a microsecond before.
// It takes a start's number whether or not its picture is there, so that chance is the same for what starts later.
static void an_event_shows_its_picture_for_a_while(void **state) {
    (void)state;
    static const char clip[] = CLIP("a", "false", UP, ",\"events\":[{\"time\":0,\"type\":\"spriteEffect\",\"region\":\"r\","
        "\"bone\":\"tip\",\"x\":1,\"durationSeconds\":0.25,\"sortingOrder\":7},"
        "{\"time\":0,\"type\":\"spriteEffect\",\"region\":\"none\",\"bone\":\"nowhere\",\"x\":3}]");
    static const char rig[] = RIG("\"pixelsPerUnit\":8,\"layers\":[\"Default\",\"Actor\"],\"bones\":[{\"name\":\"tip\",\"x\":2}]");
    const zo_source sources[] = {SOURCE("a.json", clip), SOURCE("rig.json", rig), SOURCE("r.png", ""),
                                 {.name = "none.png", .kind = ZO_SOURCE_MISSING}};
    zo_program *program = compiled(sources, 4);
    assert_int_equal(zo_cel_find(program, "none").id, 0);
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    zo_event events[8];
    const zo_step step = zo_instance_advance(instance, 0, events, 8);
    uint32_t started = 0;
    for (uint32_t i = 0; i < step.count; i++) {
        assert_true(events[i].kind != ZO_EVENT_START_EFFECT); // the notification tells of it
        if (events[i].kind != ZO_EVENT_NOTIFY) { continue; }
        started++;
        assert_int_equal(events[i].started, started);
    }
    assert_int_equal(started, 2);
    zo_effect effect;
    assert_true(zo_instance_effect_at(instance, 0, &effect));
    assert_int_equal(effect.kind, ZO_EFFECT_DECAL);
    assert_near(effect.x, 3.0);
    assert_near(effect.pixel_x, 1.0 / 8.0);
    const zp_effect *record = &program->effects[0];
    assert_int_equal(record->cel_ref, zo_cel_find(program, "r").id);
    assert_int_equal(record->order, 7);
    assert_int_equal(record->layer, 1);
    assert_true(zo_instance_effect_at(instance, 1, &effect));
    assert_near(effect.x, 3.0); // the actor stands at the origin
    assert_int_equal(program->effects[1].cel_ref, 0);
    zo_instance_advance(instance, 200 * 1000000LL, events, 8);
    assert_true(zo_instance_effect_at(instance, 0, &effect)); // 0.15 s unless it says more
    assert_false(zo_instance_effect_at(instance, 1, &effect));
    zo_instance_advance(instance, 50 * 1000000LL, events, 8);
    assert_false(zo_instance_effect_at(instance, 0, &effect));
    zo_instance_free(instance);
    zo_program_free(program);
}

static void the_loop_of_the_example_has_no_jump(void **state) {
    (void)state;
    size_t sizes[3];
    static const char *const paths[] = {ZO_SOURCE_DIR "/examples/enemy/idle.json", ZO_SOURCE_DIR "/examples/enemy/rig.json",
                                        ZO_SOURCE_DIR "/examples/enemy/sprites.json"};
    zo_source sources[3];
    for (uint32_t i = 0; i < 3; i++) {
        char *bytes = read_whole(paths[i], &sizes[i]);
        sources[i] = (zo_source){.name = strrchr(paths[i], '/') + 1, .bytes = bytes, .size = sizes[i]};
    }
    zo_program *program = compiled(sources, 3);
    zo_clip_info clip;
    zo_clip_get(program, (zo_clip){1}, &clip);
    assert_int_equal(clip.repeat, ZO_REPEAT_LOOP);
    zo_instance *instance = zo_instance_create(program, NULL, NULL);
    zo_pose *before = zo_pose_create(program, NULL), *after = zo_pose_create(program, NULL);
    uint32_t boundaries = 0;
    for (int64_t at_ns = clip.duration_ns; at_ns <= 10000000000; at_ns += clip.duration_ns, boundaries++) {
        for (uint32_t side = 0; side < 2; side++) {
            zo_step step = {.left_ns = at_ns - (side == 0 ? 1000 : 0) - zo_instance_now_ns(instance)};
            do {
                zo_event events[16];
                step = zo_instance_advance(instance, step.left_ns, events, 16);
            } while (step.more || step.left_ns > 0);
            zo_instance_sample(instance, side == 0 ? before : after);
        }
        for (uint32_t t = 0; t < before->target_count; t++) {
            for (uint32_t i = 0; i < 12; i++) {
                assert_true(fabs(before->transforms[t].m[i] - after->transforms[t].m[i]) < 1e-3);
            }
        }
        for (uint32_t c = 0; c < before->slot_count; c++) {
            zo_channel_info channel;
            zo_channel_get(program, (zo_channel){c + 1}, &channel);
            const double off = fabs(before->slots[c] - after->slots[c]);
            assert_true(channel.is_index ? off == 0.0 : off < 1e-3);
        }
    }
    assert_true(boundaries >= 1);
    zo_pose_free(before);
    zo_pose_free(after);
    zo_instance_free(instance);
    zo_program_free(program);
    for (uint32_t i = 0; i < 3; i++) { free((void *)(uintptr_t)sources[i].bytes); }
}

// ---------------------------------------------------------------------------------------------------- every member

typedef struct seen {
    const zf_object *table;
    bool fields[ZF_FIELDS_MAX];
} seen;
enum { TABLES_MAX = 32 };

static seen *seen_of(seen *all, const zf_object *table) {
    uint32_t i = 0;
    while (i < TABLES_MAX && all[i].table != NULL && all[i].table != table) { i++; }
    assert_true(i < TABLES_MAX);
    all[i].table = table;
    return &all[i];
}

static void mark(seen *all, const zj_doc *doc, uint32_t node, const zf_object *table) {
    seen *own = seen_of(all, table);
    for (uint32_t f = 0; f < table->field_count; f++) {
        const zf_field *field = &table->fields[f];
        const uint32_t value = zj_member(doc, node, (zo_text){field->name.text, field->name.size});
        if (value == 0) { continue; }
        own->fields[f] = true;
        if (field->object == NULL) { continue; }
        if (zj_kind_of(doc, value) == ZJ_OBJECT) { mark(all, doc, value, field->object); }
        if (zj_kind_of(doc, value) != ZJ_ARRAY) { continue; }
        for (uint32_t item = zj_at(doc, value)->as.items.first; item != 0; item = zj_at(doc, item)->next) {
            mark(all, doc, item, field->object);
        }
    }
}

static void the_clip_has_every_member_of_every_object(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_whole(ZO_SOURCE_DIR "/tests/clips/everything.json", &size);
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes, size, 0, NULL, NULL);
    assert_non_null(doc);
    static seen all[TABLES_MAX];
    mark(all, doc, ZJ_ROOT, &zf_en_clip_object);
    uint32_t tables = 0;
    for (; tables < TABLES_MAX && all[tables].table != NULL; tables++) {
        for (uint32_t f = 0; f < all[tables].table->field_count; f++) {
            if (all[tables].fields[f]) { continue; }
            print_message("%s has no %s\n", all[tables].table->name, all[tables].table->fields[f].name.text);
            fail();
        }
    }
    assert_true(tables >= 15);
    zb_arena_close(&arena);
    free(bytes);
}

// What another value of the same kind is.
static const char *other_value(zj_kind kind) {
    switch (kind) {
    case ZJ_NUMBER: return "0.0625";
    case ZJ_STRING: return "\"another\"";
    case ZJ_TRUE: return "false";
    case ZJ_FALSE: return "true";
    default: return "7"; // of null
    }
}

// Each value of it is exchanged by itself: all bytes around it stay, what is read then differs in this value alone, and the
// way back gives the file again.
static void each_value_can_be_edited_by_itself(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_whole(ZO_SOURCE_DIR "/tests/clips/everything.json", &size);
    zb_arena arena = zb_arena_open(NULL);
    const zj_doc *doc = zj_parse(&arena, bytes, size, 0, NULL, NULL);
    assert_non_null(doc);
    zo_document *document = NULL;
    assert_int_equal(zo_document_open(bytes, size, NULL, &document), ZO_OK);
    uint32_t edited = 0;
    for (uint32_t node = ZJ_ROOT; node < doc->node_count; node++) {
        const zj_kind kind = zj_kind_of(doc, node);
        const zj_node *n = zj_at(doc, node);
        const bool is_key = kind == ZJ_STRING && bytes[n->end] == ':';
        if (kind == ZJ_OBJECT || kind == ZJ_ARRAY || is_key) { continue; }
        zo_range range;
        assert_true(zo_document_find(document, zj_pointer(&arena, doc, node), &range));
        assert_true(range.offset == n->begin && range.length == n->end - n->begin);
        const char *value = other_value(kind);
        zo_edit edit = {range.offset, range.length, value, strlen(value)}, inverse;
        assert_int_equal(zo_document_apply(document, &edit, 1, &inverse), ZO_OK);
        const zo_text now = zo_document_bytes(document);
        assert_int_equal(now.size, size - range.length + edit.insert_size);
        assert_memory_equal(now.data, bytes, range.offset);
        assert_memory_equal(now.data + range.offset, value, edit.insert_size);
        assert_memory_equal(now.data + range.offset + edit.insert_size, bytes + n->end, size - n->end);
        assert_int_equal(zo_document_apply(document, &inverse, 1, NULL), ZO_OK);
        assert_int_equal(zo_document_bytes(document).size, size);
        assert_memory_equal(zo_document_bytes(document).data, bytes, size);
        edited++;
    }
    assert_true(edited > 500);
    zo_document_free(document);
    zb_arena_close(&arena);
    free(bytes);
}

// And the clip that is read then has the new value, and nothing else is another.
static void an_edit_of_one_value_changes_that_value_in_the_program(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_whole(ZO_SOURCE_DIR "/tests/clips/everything.json", &size);
    zo_document *document = NULL;
    assert_int_equal(zo_document_open(bytes, size, NULL, &document), ZO_OK);
    zo_range range;
    assert_true(zo_document_find(document, "/tracks/0/keys/1/value", &range));
    const zo_edit edit = {range.offset, range.length, "0.5", 3};
    zo_source source = {.name = "a.json", .bytes = bytes, .size = size};
    zo_program *before = compiled(&source, 1);
    assert_int_equal(zo_document_apply(document, &edit, 1, NULL), ZO_OK);
    source.bytes = zo_document_bytes(document).data;
    source.size = zo_document_bytes(document).size;
    zo_program *after = compiled(&source, 1);
    zo_pose *poses[2] = {zo_pose_create(before, NULL), zo_pose_create(after, NULL)};
    zo_clip_sample(before, (zo_clip){1}, 1.25, NULL, poses[0]);
    zo_clip_sample(after, (zo_clip){1}, 1.25, NULL, poses[1]);
    uint32_t differing = 0;
    for (uint32_t c = 0; c < poses[0]->slot_count; c++) { differing += poses[0]->slots[c] != poses[1]->slots[c]; }
    assert_int_equal(differing, 1);
    assert_near(poses[1]->slots[zo_channel_find(after, "bone/hip position.y").id - 1], 0.5);
    for (uint32_t i = 0; i < 2; i++) { zo_pose_free(poses[i]); }
    zo_program_free(before);
    zo_program_free(after);
    zo_document_free(document);
    free(bytes);
}

// ---------------------------------------------------------------------------------------------------- memory

typedef struct scarce {
    size_t left;
} scarce;

static void *take(void *context, size_t size) {
    scarce *s = context;
    return s->left > 0 ? (s->left--, malloc(size)) : NULL;
}

static void give(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

static void short_memory_is_said_and_leaks_nothing(void **state) {
    (void)state;
    size_t size;
    char *bytes = read_whole(ZO_SOURCE_DIR "/tests/clips/everything.json", &size);
    static const char rig[] = RIG("\"atlas\":\"all.json\",\"bones\":[{\"name\":\"hip\"},{\"name\":\"hip/arm\",\"parent\":\"hip\"}],"
                                  "\"sprites\":[{\"bone\":\"hip\",\"region\":\"shell\"}]");
    static const char atlas[] = "{\"frames\":{\"shell\":{\"frame\":{\"x\":0,\"y\":0,\"w\":4,\"h\":4}}},\"meta\":{\"image\":\"all.png\"}}";
    const zo_source sources[] = {{.name = "a.json", .bytes = bytes, .size = size}, SOURCE("rig.json", rig),
                                 SOURCE("all.json", atlas)};
    zo_status status = ZO_NO_MEMORY;
    for (size_t count = 0; status == ZO_NO_MEMORY; count++) {
        assert_true(count < 1000);
        scarce s = {count};
        const zo_allocator allocator = {.alloc = take, .free = give, .context = &s};
        zo_program *program = NULL;
        zo_report *report = NULL;
        status = zo_compile(sources, 3, &(zo_compile_def){.allocator = &allocator}, &program, &report);
        assert_true(status == ZO_NO_MEMORY || status == ZO_OK);
        zo_program_free(program);
        zo_report_free(report);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_be_of_use_is_asked_for_and_nothing_is_demanded),
        cmocka_unit_test(what_the_original_refuses_is_a_warning_by_default),
        cmocka_unit_test(a_rig_gives_rest_and_values_replace_it),
        cmocka_unit_test(pictures_hang_upright_and_mirrored_where_the_rig_says_so),
        cmocka_unit_test(a_trimmed_frame_stays_in_its_place),
        cmocka_unit_test(another_clip_begins_from_rest),
        cmocka_unit_test(one_instant_has_events_before_triggers_and_lists_keep_their_order),
        cmocka_unit_test(an_event_shows_its_picture_for_a_while),
        cmocka_unit_test(the_loop_of_the_example_has_no_jump),
        cmocka_unit_test(the_clip_has_every_member_of_every_object),
        cmocka_unit_test(each_value_can_be_edited_by_itself),
        cmocka_unit_test(an_edit_of_one_value_changes_that_value_in_the_program),
        cmocka_unit_test(short_memory_is_said_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
