// B3D models: what is read is written again, each bound of the bytes is held, and the authoring file says the same.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

#include "formats/b3d.h"

typedef struct bytes {
    uint8_t *data; // malloc, of just this size, so that what is read beyond is noticed
    size_t size;
} bytes;

static bytes read_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ZO_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes b = {.size = (size_t)ftell(file)};
    b.data = malloc(b.size);
    rewind(file);
    assert_int_equal(fread(b.data, 1, b.size, file), b.size);
    fclose(file);
    return b;
}

static bool collect(void *context, const void *data, size_t size) {
    bytes *b = context;
    b->data = realloc(b->data, b->size + size + 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

static zo_status convert(bytes from, const char *name, const char *to, bytes *out) {
    const zo_source source = {.name = name, .bytes = from.data, .size = from.size};
    zo_report *report = NULL;
    *out = (bytes){NULL, 0};
    const zo_status status = zo_convert(&source, to, NULL, collect, out, &report);
    assert_true((status == ZO_OK) == (out->data != NULL));
    assert_true(status == ZO_OK || status == ZO_UNSUPPORTED || zo_report_total(report, ZO_ERROR) > 0);
    zo_report_free(report);
    return status;
}

// The verdict, and that checking is the same as reading. "" when it is fine.
static const char *first_fault(const uint8_t *data, size_t size, uint32_t *count) {
    static char id[64];
    const zo_source source = {.name = "a.b3d", .bytes = data, .size = size};
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, NULL, NULL, &report);
    assert_true(status == ZO_OK || status == ZO_INVALID);
    assert_true((status == ZO_OK) == (zo_report_total(report, ZO_ERROR) == 0));
    id[0] = 0;
    *count = zo_report_count(report);
    for (uint32_t i = 0; i < *count; i++) {
        const zo_diag *diag = zo_report_at(report, i);
        assert_true(diag->place.line == 0 && diag->place.offset + diag->place.length <= size);
        if (diag->severity == ZO_ERROR && id[0] == 0) { snprintf(id, sizeof id, "%s", diag->id); }
    }
    zo_report_free(report);
    return id;
}

#define VECTORS "tests/vectors/forge/b3d/"
static const char *const good[] = {VECTORS "static_quad.b3d",  VECTORS "many_brushes.b3d", VECTORS "skinned_two_bones.b3d",
                                   VECTORS "sparse_keys.b3d",  VECTORS "unknown_chunks.b3d", VECTORS "split_keys.b3d",
                                   VECTORS "newer_minor.b3d"};

// Through text and back nothing changes; chunks that nobody knows are gone after the first time.
static void text_and_bytes_say_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes first = read_file(good[i]);
        bytes clean, text, back, again;
        assert_int_equal(convert(first, good[i], "b3d", &clean), ZO_OK);
        assert_int_equal(convert(first, good[i], "b3d-source", &text), ZO_OK);
        assert_int_equal(convert(text, "a.json", "b3d", &back), ZO_OK);
        assert_int_equal(convert(back, "b.b3d", "b3d-source", &again), ZO_OK);
        assert_int_equal(back.size, clean.size);
        assert_memory_equal(back.data, clean.data, clean.size);
        assert_int_equal(again.size, text.size);
        assert_memory_equal(again.data, text.data, text.size);
        const bool same = first.size == clean.size && memcmp(first.data, clean.data, clean.size) == 0;
        assert_int_equal(same, i < 4); // the others have what is not kept: chunks, versions, split keys
        free(first.data);
        free(clean.data);
        free(text.data);
        free(back.data);
        free(again.data);
    }
}

static void figures_keep_every_bit(void **state) {
    (void)state;
    static const char source[] =
        "{\"schemaVersion\": 1, \"type\": \"b3dSource\", \"nodes\": [{\"name\": \"a \\u00fc\", "
        "\"position\": [0.1, -0.0, 1e-45], \"scale\": [1000000, 1.17549435e-38, -999999.97], "
        "\"rotation\": [0.33333334, 1e5, 123456.789, 1e-7]}]}";
    bytes model, text, again;
    assert_int_equal(convert((bytes){(uint8_t *)(uintptr_t)source, sizeof source - 1}, "a.json", "b3d", &model), ZO_OK);
    assert_int_equal(convert(model, "a.b3d", "b3d-source", &text), ZO_OK);
    assert_int_equal(convert(text, "a.json", "b3d", &again), ZO_OK);
    assert_int_equal(model.size, again.size);
    assert_memory_equal(model.data, again.data, model.size);
    collect(&text, "", 1);
    assert_non_null(strstr((char *)text.data, "\"position\": [0.1, -0, "));
    assert_non_null(strstr((char *)text.data, "\"rotation\": [0.33333334, 100000, 123456.79, 0.0000001]"));
    free(model.data);
    free(text.data);
    free(again.data);
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes whole = read_file(good[i]);
        for (size_t size = 0; size < whole.size; size++) {
            uint8_t *cut = malloc(size + (size == 0));
            memcpy(cut, whole.data, size);
            uint32_t count;
            const char *id = first_fault(cut, size, &count);
            assert_string_equal(id, size < 4 ? "b3d/bad-magic" : "b3d/truncated");
            free(cut);
        }
        free(whole.data);
    }
}

// Whatever it then says, it ends, and what is still a model can be written and is read as the same.
static void every_byte_may_be_wrong(void **state) {
    (void)state;
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    uint32_t refused = 0, accepted = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const bytes whole = read_file(good[i]);
        for (size_t at = 0; at < whole.size; at++) {
            for (size_t k = 0; k < sizeof flips; k++) {
                bytes text, back;
                whole.data[at] ^= flips[k];
                if (convert(whole, "a.b3d", "b3d-source", &text) == ZO_OK) {
                    assert_int_equal(convert(text, "a.json", "b3d", &back), ZO_OK);
                    free(back.data);
                    free(text.data);
                    accepted++;
                } else {
                    refused++;
                }
                whole.data[at] ^= flips[k];
            }
        }
        free(whole.data);
    }
    assert_true(refused > 1000 && accepted > 1000);
}

// A length of 2^32 - 1 and the like, wherever a length stands.
static void lengths_do_not_overflow(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0};
    const bytes whole = read_file(VECTORS "skinned_two_bones.b3d");
    const size_t heads[] = {0, 12, 58, 104, 156, 168, 380, 440, 460, 514, 554, 662, 716, 756};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint8_t kept[4];
            uint32_t count;
            memcpy(kept, whole.data + heads[i] + 4, 4);
            memcpy(whole.data + heads[i] + 4, &lengths[k], 4);
            const char *id = first_fault(whole.data, whole.size, &count);
            const bool is_animation = heads[i] == 440 && lengths[k] == 0;
            if (lengths[k] != 0) {
                assert_string_equal(id, heads[i] == 0 ? "b3d/truncated" : "b3d/chunk-overrun");
            } else if (!is_animation) {
                assert_true(id[0] != 0);
            }
            memcpy(whole.data + heads[i] + 4, kept, 4);
        }
    }
    free(whole.data);
}

static zo_text literal(const char *text) { return zb_text(text); }

static bool reads(zb_arena *arena, zo_text data, zf_b3_model *model, zd_report **report) {
    *report = zd_report_open(NULL, 0, false);
    const uint32_t file = zd_report_file(*report, "a.b3d", NULL, data.size);
    return zf_b3_read(arena, data.data, data.size, file, *report, model);
}

// As deep as is allowed, and one deeper.
static void nodes_lie_only_so_deep(void **state) {
    (void)state;
    zb_arena arena = zb_arena_open(NULL);
    zf_b3_node nodes[ZF_B3_DEPTH_MAX];
    for (uint32_t i = 0; i < ZF_B3_DEPTH_MAX; i++) {
        nodes[i] = zf_b3_node_at_rest();
        nodes[i].name = literal("n");
        nodes[i].parent_ref = i;
        nodes[i].depth = i;
    }
    const zf_b3_model model = {.nodes = nodes, .node_count = ZF_B3_DEPTH_MAX};
    zb_buffer out = zb_buffer_open(&arena);
    zf_b3_model again;
    zd_report *report;
    assert_true(zf_b3_put(&out, &model));
    assert_true(reads(&arena, (zo_text){out.data, out.size}, &again, &report));
    assert_int_equal(again.node_count, ZF_B3_DEPTH_MAX);
    assert_int_equal(again.nodes[ZF_B3_DEPTH_MAX - 1].depth, ZF_B3_DEPTH_MAX - 1);
    zd_report_close(report);
    zb_arena_close(&arena);
}

// ----------------------------------------------------------------------------------------------------------- compiled

#define SOURCE(nodes) "{\"schemaVersion\": 1, \"type\": \"b3dSource\", \"nodes\": [" nodes "]}"
#define ROOT "{\"name\": \"box\", \"position\": [0, 2, 0], \"mesh\": {\"positions\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], " \
             "\"triangles\": [{\"vertices\": [[0, 1, 2]]}]}, \"animation\": {\"frames\": 9, \"fps\": 10}}, "

static zo_program *compiled(const char *text, zo_b3d_keys keys) {
    const zo_source source = {.name = "a.json", .bytes = text, .size = strlen(text)};
    const zo_compile_def def = {.b3d_keys = keys};
    zo_program *program = NULL;
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, &def, &program, &report);
    if (status != ZO_OK) { fail_msg("%s", zo_report_at(report, 0)->message); }
    zo_report_free(report);
    return program;
}

typedef struct at { double x, y, z; } at;

// Where the target's own point (1, 0, 0) is.
static at tip_of(const zo_program *program, uint32_t target, double time) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_clip_sample(program, (zo_clip){1}, time, NULL, pose);
    assert_true(target < pose->target_count);
    const double *m = pose->transforms[target].m;
    const at found = {m[0] + m[3], m[4] + m[7], m[8] + m[11]};
    zo_pose_free(pose);
    return found;
}

static void is_at(at found, double x, double y, double z) {
    const double wrong[] = {found.x - x, found.y - y, found.z - z};
    for (size_t i = 0; i < 3; i++) {
        if (!(wrong[i] > -1e-6 && wrong[i] < 1e-6)) {
            fail_msg("it is at %g %g %g, not at %g %g %g", found.x, found.y, found.z, x, y, z);
        }
    }
}

#define TURNING SOURCE(ROOT "{\"name\": \"lid\", \"parent\": 0, \"scale\": [2, 1, 1], \"position\": [0, 1, 0], \"keys\": [" \
    "{\"frame\": 2, \"rotation\": [1, 0, 0, 0]}, {\"frame\": 3, \"rotation\": [0.70710678, 0, 0, 0.70710678]}, " \
    "{\"frame\": 6, \"rotation\": [1, 0, 0, 0]}]}")

// Frame by frame, as the rule has it: two keys, one, the other, none.
static void exact_frames_know_their_keys_alone(void **state) {
    (void)state;
    zo_program *program = compiled(TURNING, ZO_B3D_KEYS_FORGE);
    const double half = 0.70710678118654757;
    is_at(tip_of(program, 1, -3.0), 2, 3, 0);          // before the first frame as there: at rest
    is_at(tip_of(program, 1, 1.0), 2, 3, 0);
    is_at(tip_of(program, 1, 1.001), 1, 2, 0);         // only the next has a key: that one, without what it leaves out
    is_at(tip_of(program, 1, 2.0), 1, 2, 0);
    is_at(tip_of(program, 1, 2.5), half, 2 + half, 0); // half of the way to a quarter turn
    is_at(tip_of(program, 1, 3.0), 0, 3, 0);
    is_at(tip_of(program, 1, 3.999), 0, 3, 0);         // only the last has one
    is_at(tip_of(program, 1, 4.0), 2, 3, 0);           // none
    is_at(tip_of(program, 1, 4.5), 2, 3, 0);
    is_at(tip_of(program, 1, 5.0), 2, 3, 0);
    is_at(tip_of(program, 1, 5.5), 1, 2, 0);
    is_at(tip_of(program, 1, 6.0), 1, 2, 0);
    is_at(tip_of(program, 1, 6.5), 1, 2, 0);
    is_at(tip_of(program, 1, 7.0), 2, 3, 0);
    is_at(tip_of(program, 1, 1e9), 2, 3, 0);
    zo_program_free(program);
}

// A part that keys leave out stays at rest, ends hold, and between keys it is blended.
static void sparse_frames_are_blended(void **state) {
    (void)state;
    zo_program *program = compiled(TURNING, ZO_B3D_KEYS_BY_FORMAT);
    const double half = 0.70710678118654757;
    is_at(tip_of(program, 1, -3.0), 2, 3, 0);
    is_at(tip_of(program, 1, 2.5), 2 * half, 3 + 2 * half, 0);
    is_at(tip_of(program, 1, 3.0), 0, 5, 0);
    is_at(tip_of(program, 1, 4.5), 2 * half, 3 + 2 * half, 0);
    is_at(tip_of(program, 1, 1e9), 2, 3, 0);
    zo_clip_info info;
    assert_true(zo_clip_get(program, (zo_clip){1}, &info));
    assert_string_equal(info.name, "main");
    assert_int_equal(info.duration_ns, 900000000);
    zo_program_free(program);
}

static at vertex_at(const zo_program *program, uint32_t vertex, double time) {
    zo_pose *pose = zo_pose_create(program, NULL);
    zo_mesh_vertex info;
    double m[12];
    zo_clip_sample(program, (zo_clip){1}, time, NULL, pose);
    assert_true(zo_mesh_vertex_get(program, (zo_mesh){1}, vertex, &info));
    zo_pose_skin(program, pose, (zo_mesh){1}, vertex, m);
    const double *p = info.position;
    const at found = {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                      m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]};
    zo_pose_free(pose);
    return found;
}

#define BONES "{\"name\": \"arm\", \"parent\": 0, \"position\": [0, 1, 0], \"bone\": [[0, 0.25], [1, 1]], \"keys\": [" \
    "{\"frame\": 1, \"position\": [5, 1, 0]}, {\"frame\": 2, \"position\": [5, 1, 0]}]}, " \
    "{\"name\": \"pivot\", \"parent\": 0}, {\"name\": \"far\", \"parent\": 2, \"bone\": [[2, 1]], \"keys\": [" \
    "{\"frame\": 1, \"position\": [7, 7, 7]}]}, " \
    "{\"name\": \"flat\", \"parent\": 0, \"scale\": [0, 1, 1], \"bone\": [[0, 3]]}"

// Weights are averaged; bones behind what is none, and flat ones, move nothing; the rest goes with the mesh or stays.
static void bones_move_their_vertices(void **state) {
    (void)state;
    zo_program *program = compiled(SOURCE(ROOT BONES), ZO_B3D_KEYS_FORGE);
    is_at(vertex_at(program, 0, 1.0), 6, 0, 0);
    is_at(vertex_at(program, 1, 1.0), 5, 1, 0);
    is_at(vertex_at(program, 2, 1.0), 0, 0, 1);
    is_at(vertex_at(program, 0, 3.0), 1, 0, 0);
    zo_program_free(program);
    program = compiled(SOURCE(ROOT BONES), ZO_B3D_KEYS_BLITZ);
    is_at(vertex_at(program, 0, 3.0), 6, 2, 0);
    is_at(vertex_at(program, 2, 3.0), 0, 2, 1);
    zo_program_free(program);
}

// Its own number, its brush's color in it, for each brush that it is drawn with; the first texture of that.
static void brushes_make_parts(void **state) {
    (void)state;
    static const char text[] =
        "{\"schemaVersion\": 1, \"type\": \"b3dSource\", \"textures\": [{\"file\": \"C:\\\\art\\\\wood.png\", \"flags\": 3}, "
        "{\"file\": \"#trim\"}], \"brushes\": [{\"name\": \"wood\", \"color\": [1, 0.5, 0, 1], \"textures\": [0]}, "
        "{\"name\": \"glow\", \"fx\": 17, \"textures\": [1]}], \"nodes\": [{\"name\": \"box\", \"mesh\": {\"brush\": 1, "
        "\"positions\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"normals\": [[0, 0, 3], [0, 0, 0], [0, 1, 0]], \"colors\": "
        "[[1, 1, 1, 1], [0.5, 1, 1, 2], [1, 1, 1, -1]], \"coordinates\": [[[0, 1], [1, 1], [0, 0]]], \"triangles\": ["
        "{\"brush\": 0, \"vertices\": [[0, 1, 2]]}, {\"vertices\": [[2, 1, 0], [2, 1, 0]]}]}}]}";
    zo_program *program = compiled(text, ZO_B3D_KEYS_BLITZ);
    zo_mesh_info mesh;
    zo_mesh_part part;
    zo_mesh_vertex vertex;
    zo_cel_info cel;
    uint32_t corners[3];
    assert_true(zo_mesh_get(program, (zo_mesh){1}, &mesh));
    assert_int_equal(mesh.vertex_count, 6);
    assert_int_equal(mesh.triangle_count, 3);
    assert_int_equal(mesh.part_count, 2);
    assert_true(zo_mesh_part_get(program, (zo_mesh){1}, 0, &part));
    assert_true(part.blended && part.shaded && !part.two_sided);
    assert_true(zo_cel_get(program, part.cel, &cel));
    assert_string_equal(cel.name, "wood.png");
    assert_true(zo_mesh_part_get(program, (zo_mesh){1}, 1, &part));
    assert_true(!part.blended && !part.shaded && part.two_sided && part.cel.id == 0); // alpha of vertices is not asked for
    assert_int_equal(part.first_triangle, 1);
    assert_true(zo_mesh_vertex_get(program, (zo_mesh){1}, 1, &vertex));
    assert_true(vertex.color[0] == 1.0 && vertex.color[1] == 0.5 && vertex.color[2] == 0.0 && vertex.color[3] == 1.0);
    assert_true(vertex.uv[0] == 1.0 && vertex.uv[1] == 1.0 && vertex.normal[2] == 0.0);
    assert_true(zo_mesh_triangle_get(program, (zo_mesh){1}, 1, corners));
    assert_true(zo_mesh_vertex_get(program, (zo_mesh){1}, corners[2], &vertex)); // the file's vertex 0 again
    assert_true(vertex.normal[2] == 1.0 && vertex.color[1] == 1.0);
    zo_program_free(program);
}

#define LOOK(texture, brush) "{\"schemaVersion\": 1, \"type\": \"b3dSource\", \"textures\": [{\"file\": \"#a\"" texture \
    "}], \"brushes\": [{\"name\": \"b\"" brush ", \"textures\": [0]}], \"nodes\": [{\"name\": \"box\", \"position\": " \
    "[0, 0, 9], \"scale\": [-2, 1, 1], \"mesh\": {\"brush\": 0, \"positions\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], " \
    "\"normals\": [[1, 0, 0], [1, 0, 0], [1, 0, 0]], \"colors\": [[1, 0.5, 1, 0.25], [1, 1, 1, 1], [1, 1, 1, 1]], " \
    "\"coordinates\": [[[3, 0], [1, 2], [0, 0]], [[5, 6], [1, 2], [0, 0]]], " \
    "\"triangles\": [{\"vertices\": [[0, 1, 2]]}]}}]}"

typedef struct looked {
    zo_mesh_info mesh;
    zo_mesh_part part;
    zo_mesh_vertex vertex; // the first
    uint32_t corners[3];
} looked;

static looked look_at(const char *text, zo_b3d_keys keys) {
    looked seen;
    zo_program *program = compiled(text, keys);
    assert_true(zo_mesh_get(program, (zo_mesh){1}, &seen.mesh));
    assert_true(zo_mesh_part_get(program, (zo_mesh){1}, 0, &seen.part));
    assert_true(zo_mesh_vertex_get(program, (zo_mesh){1}, 0, &seen.vertex));
    assert_true(zo_mesh_triangle_get(program, (zo_mesh){1}, 0, seen.corners));
    zo_program_free(program);
    return seen;
}

// Pictures repeat unless they are clamped; where they lie is the texture's, and the set, in sparse frames.
static void textures_lie_as_they_say(void **state) {
    (void)state;
    for (int32_t flags = 0; flags < 64; flags += 16) {
        char text[1024];
        snprintf(text, sizeof text, LOOK(", \"flags\": %d", ""), 1 + flags);
        const looked seen = look_at(text, flags & 16 ? ZO_B3D_KEYS_FORGE : ZO_B3D_KEYS_BLITZ);
        assert_int_equal(seen.part.repeats_u, (flags & 16) == 0);
        assert_int_equal(seen.part.repeats_v, (flags & 32) == 0);
        assert_true(seen.vertex.uv[0] == 3 && seen.vertex.uv[1] == 0);
    }
    // First turned from v to u, then scaled, then moved, as Blitz3D does.
    static const char moved[] = LOOK(", \"position\": [0.5, 0.25], \"scale\": [2, 3], \"rotation\": 1.5707963267948966", "");
    looked seen = look_at(moved, ZO_B3D_KEYS_BLITZ);
    assert_true(fabs(seen.vertex.uv[0] - 0.5) < 1e-6 && fabs(seen.vertex.uv[1] + 8.75) < 1e-6);
    seen = look_at(moved, ZO_B3D_KEYS_FORGE);
    assert_true(seen.vertex.uv[0] == 3 && seen.vertex.uv[1] == 0);
    seen = look_at(LOOK(", \"flags\": 65537", ""), ZO_B3D_KEYS_BLITZ);
    assert_true(seen.vertex.uv[0] == 5 && seen.vertex.uv[1] == 6);
    seen = look_at(LOOK(", \"flags\": 65537", ""), ZO_B3D_KEYS_FORGE);
    assert_true(seen.vertex.uv[0] == 3 && seen.vertex.uv[1] == 0);
}

static void brushes_say_how_they_cover(void **state) {
    (void)state;
    const struct { const char *text; bool blended, added; double green, alpha, normal; } cases[] = {
        {LOOK("", ""), false, false, 1, 1, -1},
        {LOOK(", \"flags\": 2", ""), true, false, 1, 1, -1},
        {LOOK(", \"flags\": 6", ""), false, false, 1, 1, -1},
        {LOOK("", ", \"color\": [1, 0.75, 1, 0.5]"), true, false, 0.75, 0.5, -1},
        {LOOK("", ", \"color\": [1, 0.75, 1, 1], \"fx\": 2"), false, false, 0.5, 1, -1},
        {LOOK("", ", \"color\": [1, 0.75, 1, 1], \"fx\": 32"), true, false, 0.75, 0.25, -1},
        {LOOK("", ", \"color\": [1, 0.75, 1, 0.5], \"fx\": 34"), true, false, 0.5, 0.125, -1},
        {LOOK("", ", \"blend\": 3"), true, true, 1, 1, -1},
        {LOOK("", ", \"fx\": 4"), false, false, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const looked seen = look_at(cases[i].text, ZO_B3D_KEYS_BLITZ);
        assert_int_equal(seen.part.blended, cases[i].blended);
        assert_int_equal(seen.part.added, cases[i].added);
        assert_true(seen.part.alpha_min == (cases[i].blended ? 0.0 : 0.5));
        assert_true(seen.vertex.color[1] == cases[i].green && seen.vertex.color[3] == cases[i].alpha);
        assert_true(seen.vertex.normal[0] == cases[i].normal);
    }
}

// Where nothing moves it, a mesh stands where its node at rest has it, and faces the same side in a mirror; in exact
// frames its node does nothing.
static void meshes_stand_where_their_nodes_have_them(void **state) {
    (void)state;
    const looked placed = look_at(LOOK("", ""), ZO_B3D_KEYS_BLITZ), bare = look_at(LOOK("", ""), ZO_B3D_KEYS_FORGE);
    assert_true(placed.mesh.low[0] == -2 && placed.mesh.high[0] == 0 && placed.mesh.low[2] == 9);
    assert_true(bare.mesh.low[0] == 0 && bare.mesh.high[0] == 1 && bare.mesh.high[2] == 0);
    assert_true(placed.corners[1] == bare.corners[2] && placed.corners[2] == bare.corners[1]);
    for (uint32_t i = 0; i < 2; i++) {
        zo_program *program = compiled(LOOK("", ""), i == 0 ? ZO_B3D_KEYS_BLITZ : ZO_B3D_KEYS_FORGE);
        is_at(vertex_at(program, 1, 1.0), i == 0 ? -2 : 1, 0, i == 0 ? 9 : 0);
        zo_pose *pose = zo_pose_create(program, NULL);
        double box[6];
        assert_true(zo_program_box(program, pose, box));
        const looked *seen = i == 0 ? &placed : &bare;
        for (uint32_t c = 0; c < 3; c++) { assert_true(box[c] == seen->mesh.low[c] && box[3 + c] == seen->mesh.high[c]); }
        zo_pose_free(pose);
        zo_program_free(program);
    }
}

static void formats_are_told_by_their_bytes(void **state) {
    (void)state;
    const bytes quad = read_file(good[0]);
    bytes out;
    assert_int_equal(convert(quad, "no-ending", "b3d-source", &out), ZO_OK);
    free(out.data);
    assert_int_equal(convert(quad, "a.b3d", "petween", &out), ZO_UNSUPPORTED);
    uint32_t count;
    assert_string_equal(first_fault((const uint8_t *)"B", 1, &count), "b3d/bad-magic"); // by its name
    free(quad.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_and_bytes_say_the_same),
        cmocka_unit_test(figures_keep_every_bit),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(every_byte_may_be_wrong),
        cmocka_unit_test(lengths_do_not_overflow),
        cmocka_unit_test(nodes_lie_only_so_deep),
        cmocka_unit_test(exact_frames_know_their_keys_alone),
        cmocka_unit_test(sparse_frames_are_blended),
        cmocka_unit_test(bones_move_their_vertices),
        cmocka_unit_test(brushes_make_parts),
        cmocka_unit_test(textures_lie_as_they_say),
        cmocka_unit_test(brushes_say_how_they_cover),
        cmocka_unit_test(meshes_stand_where_their_nodes_have_them),
        cmocka_unit_test(formats_are_told_by_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
