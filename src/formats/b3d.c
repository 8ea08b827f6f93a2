// The reader of B3D files: chunks within chunks, each a tag, the length of its body, and the body. Called through the
// table of formats. Nothing in the bytes is believed: each length is held against what is left of the chunk around it
// before anything is read or allocated, and nodes are walked with a stack of our own.
#include "formats/b3d.h"

#include "base/intern.h"
#include "base/utf8.h"

enum { HEAD = 8 }; // bytes of tag and length

// ------------------------------------------------------------------------------------------------------------- making

zf_b3_making zf_b3_make(zb_arena *arena) {
    return (zf_b3_making){
        .arena = arena, .textures = zb_array_open(arena, sizeof(zf_b3_texture)),
        .brushes = zb_array_open(arena, sizeof(zf_b3_brush)), .brush_textures = zb_array_open(arena, sizeof(int32_t)),
        .brush_counts = zb_array_open(arena, sizeof(uint32_t)), .nodes = zb_array_open(arena, sizeof(zf_b3_node)),
        .meshes = zb_array_open(arena, sizeof(zf_b3_mesh)), .patches = zb_array_open(arena, sizeof(zf_b3_patch)),
        .indices = zb_array_open(arena, sizeof(uint32_t)), .keys = zb_array_open(arena, sizeof(zf_b3_key)),
        .weights = zb_array_open(arena, sizeof(zf_b3_weight))};
}

zf_b3_node *zf_b3_node_at(const zf_b3_making *making, uint32_t index) {
    ZO_ASSERT(index < making->nodes.count);
    return (zf_b3_node *)(void *)making->nodes.items + index;
}

static void finish_brushes(zf_b3_making *m, zf_b3_model *out) {
    const uint32_t *counts = (const uint32_t *)(const void *)m->brush_counts.items;
    const int32_t *from = (const int32_t *)(const void *)m->brush_textures.items;
    zf_b3_brush *brushes = (zf_b3_brush *)(void *)m->brushes.items;
    for (uint32_t i = 0; i < m->brushes.count; i++) {
        out->textures_a_brush = counts[i] > out->textures_a_brush ? counts[i] : out->textures_a_brush;
    }
    size_t all = 0;
    int32_t *to = NULL;
    if (zb_mul_size(m->brushes.count, out->textures_a_brush, &all) && all > 0) {
        to = zb_arena_take_array(m->arena, all, sizeof *to);
    }
    for (uint32_t i = 0; i < m->brushes.count && to != NULL; i++) {
        brushes[i].textures = to;
        for (uint32_t k = 0; k < out->textures_a_brush; k++) {
            *to++ = k < counts[i] ? *from++ : ZF_B3_NONE;
        }
    }
    out->brushes = brushes;
    out->brush_count = m->brushes.count;
}

static void merge_key(zf_b3_key *into, const zf_b3_key *key) {
    if ((key->parts & ZF_B3_POSITION) != 0) {
        memcpy(into->position, key->position, sizeof into->position);
    }
    if ((key->parts & ZF_B3_SCALE) != 0) {
        memcpy(into->scale, key->scale, sizeof into->scale);
    }
    if ((key->parts & ZF_B3_ROTATION) != 0) {
        memcpy(into->rotation, key->rotation, sizeof into->rotation);
    }
    into->parts |= key->parts;
}

// Node and frame as one number, exactly: files have less than two million nodes.
static double order_of(const zf_b3_key *key) {
    return (double)key->node * 4294967296.0 + ((double)key->frame + 2147483648.0);
}

static void finish_keys(zf_b3_making *m, void (*twice)(void *context, uint32_t node, int32_t frame), void *context,
                        zf_b3_model *out) {
    const zf_b3_key *keys = (const zf_b3_key *)(const void *)m->keys.items;
    zf_b3_key *sorted = zb_arena_take_array(m->arena, (size_t)m->keys.count + 1, sizeof *sorted);
    double *orders = zb_arena_take_array(m->arena, (size_t)m->keys.count + 1, sizeof *orders);
    uint32_t count = 0;
    if (sorted == NULL || orders == NULL) {
        return;
    }
    for (uint32_t i = 0; i < m->keys.count; i++) {
        orders[i] = order_of(&keys[i]);
    }
    const uint32_t *order = zf_sorted(m->arena, orders, m->keys.count);
    for (uint32_t i = 0; i < m->keys.count && !zb_arena_failed(m->arena); i++) {
        const zf_b3_key *key = &keys[order != NULL ? order[i] : i];
        zf_b3_key *last = count > 0 ? &sorted[count - 1] : NULL;
        if (last != NULL && last->node == key->node && last->frame == key->frame) {
            if ((last->parts & key->parts) != 0) {
                twice(context, key->node, key->frame);
            }
            merge_key(last, key);
            continue;
        }
        zf_b3_node *node = zf_b3_node_at(m, key->node);
        if (node->key_count++ == 0) {
            node->first_key = count;
        }
        sorted[count++] = *key;
    }
    out->keys = sorted;
}

void zf_b3_made(zf_b3_making *m, void (*twice)(void *context, uint32_t node, int32_t frame), void *context,
                zf_b3_model *out) {
    *out = (zf_b3_model){.textures = (const zf_b3_texture *)(const void *)m->textures.items,
                         .texture_count = m->textures.count};
    if (zb_arena_failed(m->arena)) {
        return;
    }
    finish_brushes(m, out);
    finish_keys(m, twice, context, out);
    out->nodes = (const zf_b3_node *)(const void *)m->nodes.items;
    out->node_count = m->nodes.count;
    out->meshes = (const zf_b3_mesh *)(const void *)m->meshes.items;
    out->mesh_count = m->meshes.count;
    out->patches = (const zf_b3_patch *)(const void *)m->patches.items;
    out->indices = (const uint32_t *)(const void *)m->indices.items;
    out->triangle_count = m->indices.count / 3;
    out->weights = (const zf_b3_weight *)(const void *)m->weights.items;
}

// -------------------------------------------------------------------------------------------------------------- bytes

typedef enum tag { BB3D, TEXS, BRUS, NODE, MESH, VRTS, TRIS, BONE, KEYS, ANIM, TAG_COUNT } tag;
static const char *const tags[TAG_COUNT + 1] = {"BB3D", "TEXS", "BRUS", "NODE", "MESH", "VRTS", "TRIS", "BONE", "KEYS",
                                                "ANIM", "of an unknown kind"};

typedef struct chunk {
    uint32_t tag;        // TAG_COUNT: unknown
    size_t begin;        // of its head
    size_t at, end;      // what is not read yet of its body
    uint32_t node_ref;   // NODE, MESH: the node + 1
    bool has_child, has_vertices;
    bool bad;            // what follows in it cannot be told apart, which has been told
    bool bad_number;     // it holds one, which has been told
} chunk;

typedef struct reader {
    const uint8_t *bytes;
    size_t size;
    uint32_t file;
    zd_report *report;
    zb_arena *arena;
    zf_b3_making made;
    zb_intern siblings;
    zb_array offsets;    // size_t: where each node is
    bool cut;            // the file ends too early, which has been told
} reader;

static uint32_t report(const reader *r, size_t offset, size_t length, zd_id id, zd_args args) {
    return zd_report_add(r->report, id, (zd_place){.file = r->file, .offset = offset, .length = length}, args);
}

static zd_arg tag_arg(const chunk *c) { return zd_word(tags[c->tag]); }
static zd_arg offset_arg(size_t offset) { return zd_int((int64_t)offset); }

// At an end that is only there because the file is cut off, there is nothing more to say.
static bool is_told(const reader *r, const chunk *c) { return c->bad || (r->cut && c->end == r->size); }

static void cut_off(const reader *r, chunk *c, const char *within) {
    if (!is_told(r, c)) {
        report(r, c->at, c->end - c->at, ZD_B3D_TRUNCATED, ZD_ARGS(tag_arg(c), offset_arg(c->begin), zd_word(within)));
    }
    c->at = c->end;
}

// Whether that much is left; else it is reported and nothing is left.
static bool has(const reader *r, chunk *c, size_t size, const char *within) {
    if (c->end - c->at >= size && !c->bad) {
        return true;
    }
    cut_off(r, c, within);
    return false;
}

// The following want to be told before, by has(), that there is something left.
static uint32_t get_u32(const reader *r, chunk *c) {
    ZO_ASSERT(c->end - c->at >= 4);
    const uint8_t *b = r->bytes + c->at;
    c->at += 4;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int32_t get_int(const reader *r, chunk *c) {
    const uint32_t bits = get_u32(r, c);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// What is no number, or lies farther off than anything can be shown, is 0, and told once a chunk.
static float get_float(const reader *r, chunk *c) {
    const uint32_t bits = get_u32(r, c);
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((double)value >= -ZF_B3_FAR && (double)value <= ZF_B3_FAR) {
        return value;
    }
    if (!c->bad_number) {
        report(r, c->at - 4, 4, ZD_B3D_NUMBER,
               ZD_ARGS(tag_arg(c), offset_arg(c->at - 4),
                       zd_word(value != value             ? "is not a number"
                               : zb_is_finite((double)value) ? "is larger than a million"
                                                              : "is infinite")));
    }
    c->bad_number = true;
    return 0.0f;
}

static void get_floats(const reader *r, chunk *c, float *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[i] = get_float(r, c);
    }
}

// Each byte as the code point of its number, which is what programs of the time wrote.
static zo_text latin_1(zb_arena *arena, zo_text text) {
    zb_buffer out = zb_buffer_open(arena);
    for (size_t i = 0; i < text.size; i++) {
        zb_put_unicode(&out, (unsigned char)text.data[i]);
    }
    return (zo_text){out.data, out.size};
}

// A text up to its zero byte. false: it has none.
static bool get_text(const reader *r, chunk *c, const char *within, zo_text *out) {
    const char *begin = (const char *)r->bytes + c->at;
    const char *zero = c->at < c->end ? memchr(begin, 0, c->end - c->at) : NULL;
    if (zero == NULL) {
        cut_off(r, c, within);
        return false;
    }
    *out = (zo_text){begin, (size_t)(zero - begin)};
    if (zb_utf8_valid_prefix(out->data, out->size) < out->size) {
        *out = latin_1(r->arena, *out);
        report(r, c->at, (size_t)(zero - begin), ZD_B3D_TEXT, ZD_ARGS(offset_arg(c->at), zd_text(*out)));
    }
    c->at += (size_t)(zero - begin) + 1;
    return true;
}

// An index of something, or NONE where that is allowed; 0 where it is neither.
static int32_t get_index(const reader *r, chunk *c, const char *what, uint32_t count, bool none) {
    const int32_t index = get_int(r, c);
    if ((none && index == ZF_B3_NONE) || (index >= 0 && (uint32_t)index < count)) {
        return index;
    }
    report(r, c->at - 4, 4, ZD_B3D_BAD_INDEX,
           ZD_ARGS(zd_word(what), zd_int(index), offset_arg(c->at - 4), zd_int(count)));
    return none ? ZF_B3_NONE : 0;
}

static uint32_t get_count(const reader *r, chunk *c, const char *what, uint32_t low, uint32_t high) {
    const int32_t count = get_int(r, c);
    if (count >= 0 && (uint32_t)count >= low && (uint32_t)count <= high) {
        return (uint32_t)count;
    }
    report(r, c->at - 4, 4, ZD_B3D_COUNT,
           ZD_ARGS(zd_word(what), offset_arg(c->at - 4), zd_int(count), zd_int(low), zd_int(high)));
    c->bad = true;
    c->at = c->end;
    return low;
}

// The next chunk within one. false: there is none, or none that can be found.
static bool next_chunk(const reader *r, chunk *around, chunk *out) {
    static const chunk none = {.tag = TAG_COUNT};
    const size_t begin = around->at, left = around->end - begin;
    *out = none;
    if (left == 0) {
        return false;
    }
    if (left < HEAD) {
        if (!is_told(r, around)) {
            report(r, begin, left, ZD_B3D_CHUNK_OVERRUN,
                   ZD_ARGS(tag_arg(out), offset_arg(begin), zd_int(HEAD), tag_arg(around), zd_int((int64_t)left)));
        }
        around->at = around->end;
        around->bad = true;
        return false;
    }
    for (out->tag = 0; out->tag < TAG_COUNT && memcmp(r->bytes + begin, tags[out->tag], 4) != 0;) {
        out->tag++;
    }
    around->at += 4;
    const uint64_t length = get_u32(r, around), most = left - HEAD;
    if (length > most && !is_told(r, around)) {
        report(r, begin, HEAD, ZD_B3D_CHUNK_OVERRUN,
               ZD_ARGS(tag_arg(out), offset_arg(begin), zd_int((int64_t)length + HEAD), tag_arg(around),
                       zd_int((int64_t)left)));
        around->at = around->end; // where the next one begins nobody knows
        around->bad = true;
        return false;
    }
    out->begin = begin;
    out->at = begin + HEAD;
    out->end = out->at + (size_t)(length < most ? length : most);
    around->at = out->end;
    return true;
}

// -------------------------------------------------------------------------------------------------- textures, brushes

static void read_textures(reader *r, chunk *c) {
    while (c->at < c->end) {
        zf_b3_texture t;
        if (!get_text(r, c, "the name of a texture's file", &t.file) || !has(r, c, 28, "a texture")) {
            return;
        }
        t.flags = get_int(r, c);
        t.blend = get_int(r, c);
        get_floats(r, c, t.position, 2);
        get_floats(r, c, t.scale, 2);
        t.rotation = get_float(r, c);
        *(zf_b3_texture *)zb_array_push(&r->made.textures) = t;
    }
}

static void read_brushes(reader *r, chunk *c) {
    if (!has(r, c, 4, "the number of textures")) {
        return;
    }
    const uint32_t count = get_count(r, c, "the number of textures of a brush", 0, ZF_B3_TEXTURES_MAX);
    while (c->at < c->end) {
        zf_b3_brush b = {.textures = NULL};
        if (!get_text(r, c, "the name of a brush", &b.name) || !has(r, c, 28 + 4 * (size_t)count, "a brush")) {
            return;
        }
        get_floats(r, c, b.color, 4);
        b.shininess = get_float(r, c);
        b.blend = get_int(r, c);
        b.fx = get_int(r, c);
        for (uint32_t i = 0; i < count; i++) {
            *(int32_t *)zb_array_push(&r->made.brush_textures) =
                get_index(r, c, "texture", r->made.textures.count, true);
        }
        *(zf_b3_brush *)zb_array_push(&r->made.brushes) = b;
        *(uint32_t *)zb_array_push(&r->made.brush_counts) = count;
    }
}

// ------------------------------------------------------------------------------------------------------------- meshes

static zf_b3_mesh *last_mesh(const reader *r) {
    return (zf_b3_mesh *)(void *)r->made.meshes.items + r->made.meshes.count - 1;
}

static void read_vertices(reader *r, chunk *c) {
    zf_b3_mesh *mesh = last_mesh(r);
    if (!has(r, c, 12, "what its vertices have")) {
        return;
    }
    const uint32_t flags = get_u32(r, c);
    mesh->sets = get_count(r, c, "the number of sets of coordinates", 0, ZF_B3_SETS_MAX);
    if (!has(r, c, 4, "what its vertices have")) {
        return;
    }
    if (mesh->sets > 0) {
        mesh->set_size = get_count(r, c, "the size of a set of coordinates", 1, ZF_B3_SET_SIZE_MAX);
    } else {
        get_u32(r, c); // of nothing
    }
    mesh->normals = (flags & 1) != 0;
    mesh->colors = (flags & 2) != 0;
    mesh->width = zf_b3_width(mesh);
    const size_t size = 4 * (size_t)mesh->width, count = (c->end - c->at) / size;
    float *vertices = zb_arena_take_array(r->arena, count + 1, size);
    if (vertices == NULL) {
        return;
    }
    get_floats(r, c, vertices, count * mesh->width);
    mesh->vertices = vertices;
    mesh->vertex_count = (uint32_t)count;
    if (c->at < c->end) {
        cut_off(r, c, "a vertex");
    }
}

static void read_triangles(reader *r, chunk *c) {
    zf_b3_mesh *mesh = last_mesh(r);
    if (!has(r, c, 4, "its brush")) {
        return;
    }
    const int32_t brush = get_index(r, c, "brush", r->made.brushes.count, true);
    const size_t count = (c->end - c->at) / 12;
    *(zf_b3_patch *)zb_array_push(&r->made.patches) =
        (zf_b3_patch){.brush = brush, .first = r->made.indices.count / 3, .count = (uint32_t)count};
    mesh->patch_count++;
    for (size_t i = 0; i < 3 * count; i++) {
        *(uint32_t *)zb_array_push(&r->made.indices) = (uint32_t)get_index(r, c, "vertex", mesh->vertex_count, false);
    }
    if (c->at < c->end) {
        cut_off(r, c, "a triangle");
    }
}

static void read_weights(reader *r, chunk *c, zf_b3_node *node) {
    const uint32_t vertex_count = r->made.meshes.count > 0 ? last_mesh(r)->vertex_count : 0;
    node->kind = ZF_B3_BONE;
    node->mesh_ref = r->made.meshes.count; // the last one read
    node->first_weight = r->made.weights.count;
    while (c->at < c->end && has(r, c, 8, "a weight")) {
        const uint32_t vertex = (uint32_t)get_index(r, c, "vertex", vertex_count, false);
        *(zf_b3_weight *)zb_array_push(&r->made.weights) = (zf_b3_weight){vertex, get_float(r, c)};
        node->weight_count++;
    }
}

// -------------------------------------------------------------------------------------------------------------- nodes

static void read_keys(reader *r, chunk *c, uint32_t node) {
    if (!has(r, c, 4, "what its keys have")) {
        return;
    }
    const uint32_t parts = get_u32(r, c) & (ZF_B3_POSITION | ZF_B3_SCALE | ZF_B3_ROTATION);
    const size_t size = 4u + ((parts & ZF_B3_POSITION) != 0 ? 12u : 0u) + ((parts & ZF_B3_SCALE) != 0 ? 12u : 0u) +
                        ((parts & ZF_B3_ROTATION) != 0 ? 16u : 0u);
    while (c->at < c->end && has(r, c, size, "a key")) {
        zf_b3_key key = zf_b3_key_at_rest(node, get_int(r, c));
        key.parts = parts;
        get_floats(r, c, key.position, (parts & ZF_B3_POSITION) != 0 ? 3 : 0);
        get_floats(r, c, key.scale, (parts & ZF_B3_SCALE) != 0 ? 3 : 0);
        get_floats(r, c, key.rotation, (parts & ZF_B3_ROTATION) != 0 ? 4 : 0);
        *(zf_b3_key *)zb_array_push(&r->made.keys) = key;
    }
}

static void read_animation(reader *r, chunk *c, zf_b3_node *node) {
    if (has(r, c, 12, "how long it is")) {
        node->animated = true;
        node->anim_flags = get_int(r, c);
        node->anim_frames = get_int(r, c);
        node->anim_fps = get_float(r, c);
    }
}

static void check_name(reader *r, const zf_b3_node *node, size_t offset) {
    zb_buffer path = zb_buffer_open(r->arena);
    zb_put_uint(&path, node->parent_ref);
    zb_put_char(&path, '/');
    zb_put_text(&path, node->name);
    const uint32_t known = zb_intern_count(&r->siblings);
    if (zb_intern_id(&r->siblings, (zo_text){path.data, path.size}) <= known && !zb_arena_failed(r->arena)) {
        report(r, offset, HEAD, ZD_B3D_NAME_TWICE, ZD_ARGS(offset_arg(offset), zf_quote(r->arena, node->name)));
    }
}

// What comes first in it. false: there is nothing more to read in it.
static bool open_node(reader *r, chunk *c, uint32_t parent_ref) {
    zf_b3_node node = zf_b3_node_at_rest();
    node.parent_ref = parent_ref;
    node.depth = parent_ref != 0 ? zf_b3_node_at(&r->made, parent_ref - 1)->depth + 1 : 0;
    if (node.depth >= ZF_B3_DEPTH_MAX) {
        report(r, c->begin, HEAD, ZD_B3D_DEPTH, ZD_ARGS(offset_arg(c->begin), zd_int(ZF_B3_DEPTH_MAX)));
        return false;
    }
    if (!get_text(r, c, "the name of the node", &node.name) || !has(r, c, 40, "where the node is")) {
        return false;
    }
    get_floats(r, c, node.position, 3);
    get_floats(r, c, node.scale, 3);
    get_floats(r, c, node.rotation, 4);
    check_name(r, &node, c->begin);
    *(zf_b3_node *)zb_array_push(&r->made.nodes) = node;
    *(size_t *)zb_array_push(&r->offsets) = c->begin;
    c->node_ref = r->made.nodes.count;
    return !zb_arena_failed(r->arena);
}

static bool open_mesh(reader *r, chunk *c, uint32_t node_ref) {
    zf_b3_node *node = zf_b3_node_at(&r->made, node_ref - 1);
    if (!has(r, c, 4, "its brush")) {
        return false;
    }
    *(zf_b3_mesh *)zb_array_push(&r->made.meshes) =
        (zf_b3_mesh){.node = node_ref - 1, .brush = get_index(r, c, "brush", r->made.brushes.count, true), .width = 3,
                     .first_patch = r->made.patches.count};
    node->kind = ZF_B3_MESH;
    node->mesh_ref = r->made.meshes.count;
    c->node_ref = node_ref;
    return !zb_arena_failed(r->arena);
}

// Why it cannot stand there; NULL: it can.
static const char *out_of_order(const reader *r, const chunk *around, const chunk *c) {
    const zf_b3_node *node = around->tag == NODE ? zf_b3_node_at(&r->made, around->node_ref - 1) : NULL;
    switch (c->tag) {
    case MESH: case BONE:
        return node->kind != ZF_B3_PIVOT ? "the node is a mesh or a bone already"
               : around->has_child       ? "what the node is comes before the nodes in it"
                                         : NULL;
    case VRTS: return around->has_vertices ? "a mesh has one list of vertices" : NULL;
    case TRIS: return !around->has_vertices ? "the vertices of a mesh come first" : NULL;
    case ANIM: return node->animated ? "a node has one animation" : NULL;
    default: return NULL;
    }
}

// Which chunks mean something within which; others are passed over.
static bool belongs(uint32_t around, uint32_t inner) {
    switch (around) {
    case BB3D: return inner == TEXS || inner == BRUS || inner == NODE;
    case NODE: return inner == MESH || inner == BONE || inner == KEYS || inner == NODE || inner == ANIM;
    default: return inner == VRTS || inner == TRIS; // MESH
    }
}

static void second_root(const reader *r, const chunk *around, const chunk *c) {
    if (around->tag == BB3D && around->has_child) {
        report(r, c->begin, HEAD, ZD_B3D_SECOND_ROOT, ZD_ARGS(offset_arg(c->begin)));
    }
}

// true: it holds chunks itself, and is to be gone through next.
static bool read_chunk(reader *r, chunk *around, chunk *c) {
    if (!belongs(around->tag, c->tag)) {
        return false;
    }
    const char *why = out_of_order(r, around, c);
    if (why != NULL) {
        report(r, c->begin, HEAD, ZD_B3D_CHUNK_ORDER, ZD_ARGS(tag_arg(c), offset_arg(c->begin), zd_word(why)));
        return false;
    }
    switch (c->tag) {
    case TEXS: read_textures(r, c); return false;
    case BRUS: read_brushes(r, c); return false;
    case VRTS:
        around->has_vertices = true;
        read_vertices(r, c);
        return false;
    case TRIS: read_triangles(r, c); return false;
    case BONE: read_weights(r, c, zf_b3_node_at(&r->made, around->node_ref - 1)); return false;
    case KEYS: read_keys(r, c, around->node_ref - 1); return false;
    case ANIM: read_animation(r, c, zf_b3_node_at(&r->made, around->node_ref - 1)); return false;
    case MESH: return open_mesh(r, c, around->node_ref);
    default: // NODE
        second_root(r, around, c);
        around->has_child = true;
        return open_node(r, c, around->node_ref);
    }
}

// With a stack: one chunk open a level of nodes, the file itself and a mesh.
static void read_all(reader *r, const chunk *whole) {
    enum { OPEN_MAX = ZF_B3_DEPTH_MAX + 2 };
    chunk *open = zb_arena_take_array(r->arena, OPEN_MAX, sizeof *open);
    uint32_t count = 1;
    if (open == NULL) {
        return;
    }
    open[0] = *whole;
    while (count > 0 && !zb_arena_failed(r->arena)) {
        chunk *around = &open[count - 1], inner;
        if (next_chunk(r, around, &inner)) {
            if (read_chunk(r, around, &inner)) {
                ZO_ASSERT(count < OPEN_MAX);
                open[count++] = inner;
            }
            continue;
        }
        if (around->tag == MESH && !around->has_vertices && !is_told(r, around)) {
            report(r, around->begin, HEAD, ZD_B3D_MISSING_CHUNK,
                   ZD_ARGS(tag_arg(around), offset_arg(around->begin), zd_word(tags[VRTS])));
        }
        count--;
    }
}

static size_t offset_of(const reader *r, uint32_t node) {
    return ((const size_t *)(const void *)r->offsets.items)[node];
}

// Keys want an animation, on their node or above; bones are seen from how they stand at rest, so there must be a way
// back from there.
static void check_nodes(const reader *r, const zf_b3_model *model) {
    bool *within = zb_arena_take_array(r->arena, (size_t)model->node_count + 1, sizeof *within);
    for (uint32_t i = 0; i < model->node_count && within != NULL; i++) {
        const zf_b3_node *node = &model->nodes[i];
        within[i] = node->animated || (node->parent_ref != 0 && within[node->parent_ref - 1]);
        if (node->key_count > 0 && !within[i]) {
            report(r, offset_of(r, i), HEAD, ZD_B3D_KEYS_WITHOUT_ANIM,
                   ZD_ARGS(offset_arg(offset_of(r, i)), zf_quote(r->arena, node->name)));
        }
        if (node->kind == ZF_B3_BONE &&
            (node->scale[0] == 0.0f || node->scale[1] == 0.0f || node->scale[2] == 0.0f)) {
            report(r, offset_of(r, i), HEAD, ZD_B3D_FLAT_BONE,
                   ZD_ARGS(offset_arg(offset_of(r, i)), zf_quote(r->arena, node->name)));
        }
    }
}

static void key_twice(void *context, uint32_t node, int32_t frame) {
    const reader *r = context;
    report(r, offset_of(r, node), HEAD, ZD_B3D_KEY_TWICE,
           ZD_ARGS(offset_arg(offset_of(r, node)), zf_quote(r->arena, zf_b3_node_at(&r->made, node)->name),
                   zd_int(frame)));
}

bool zf_b3_is(const void *bytes, size_t size) { return size >= 4 && memcmp(bytes, tags[BB3D], 4) == 0; }

// The head of the file and its version. false: nothing more can be said of it.
static bool open_file(reader *r, chunk *whole) {
    *whole = (chunk){.tag = BB3D, .end = r->size};
    if (!zf_b3_is(r->bytes, r->size)) {
        report(r, 0, 4, ZD_B3D_BAD_MAGIC, ZD_NO_ARGS);
        return false;
    }
    whole->at = 4;
    if (!has(r, whole, 8, "its length and version")) {
        return false;
    }
    const uint64_t length = get_u32(r, whole), left = r->size - HEAD;
    if (length > left) {
        const uint32_t added = report(r, 4, 4, ZD_B3D_TRUNCATED,
                                      ZD_ARGS(tag_arg(whole), offset_arg(0), zd_word("what it holds")));
        zd_report_hint(r->report, added, "the file has {} bytes, and {} are wanted: copy or download it again",
                       ZD_ARGS(zd_int((int64_t)r->size), zd_int((int64_t)length + HEAD)));
        r->cut = true;
    }
    whole->end = HEAD + (size_t)(length < left ? length : left);
    if (!has(r, whole, 4, "its version")) {
        return false;
    }
    const int32_t version = get_int(r, whole);
    if (version < 0 || version / 100 > 0) {
        report(r, HEAD, 4, ZD_B3D_MAJOR_VERSION, ZD_ARGS(zd_int(version)));
        return false;
    }
    if (version > 1) {
        report(r, HEAD, 4, ZD_B3D_MINOR_VERSION, ZD_ARGS(zd_int(version)));
    }
    return true;
}

bool zf_b3_read(zb_arena *arena, const void *bytes, size_t size, uint32_t file, zd_report *report_to,
                zf_b3_model *out) {
    const uint32_t errors_before = zd_report_errors(report_to);
    reader r = {.bytes = bytes, .size = size, .file = file, .report = report_to, .arena = arena,
                .made = zf_b3_make(arena), .siblings = zb_intern_open(arena),
                .offsets = zb_array_open(arena, sizeof(size_t))};
    chunk whole;
    *out = (zf_b3_model){.textures = NULL};
    if (!open_file(&r, &whole)) {
        return false;
    }
    read_all(&r, &whole);
    if (zb_arena_failed(arena)) {
        return false;
    }
    zf_b3_made(&r.made, key_twice, &r, out);
    if (out->node_count == 0 && !r.cut && zd_report_errors(report_to) == errors_before) {
        report(&r, 0, HEAD, ZD_B3D_NO_ROOT, ZD_NO_ARGS);
    }
    check_nodes(&r, out);
    return zd_report_errors(report_to) == errors_before && !zb_arena_failed(arena);
}

// ------------------------------------------------------------------------------------------------------------- readers

static const size_t SIZE_MAX_USUAL = (size_t)64 << 20; // bytes, as of other sources
static const char b3d_name[] = "b3d", source_name[] = "b3d-source";

static bool ends_in_b3d(zo_text name) {
    static const char ending[] = ".b3d";
    for (size_t i = 1; i < sizeof ending; i++) {
        const char c = name.size >= i ? name.data[name.size - i] : 0;
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[sizeof ending - 1 - i]) {
            return false;
        }
    }
    return true;
}

// By its first bytes, or by its name, so that one whose first bytes are damaged is told so.
static uint32_t likeness(const zf_input *input) {
    const zo_source *source = &input->sources[0];
    return zf_b3_is(source->bytes, source->size) ? 100 : ends_in_b3d(zb_text(source->name)) ? 60 : 0;
}

static zo_status read_input(const zf_input *input, zf_b3_model *model) {
    const zo_source *source = &input->sources[0];
    size_t most = input->def->size_max > 0 ? input->def->size_max : SIZE_MAX_USUAL;
    most = most < INT32_MAX ? most : INT32_MAX; // that much a chunk can hold
    if (source->size > most) {
        zd_report_add(input->report, ZD_B3D_SIZE, (zd_place){.file = input->file, .whole = true},
                      ZD_ARGS(zd_int((int64_t)source->size), zd_int((int64_t)most)));
        return ZO_LIMIT;
    }
    const bool fine = zf_b3_read(input->arena, source->bytes, source->size, input->file, input->report, model);
    return fine ? ZO_OK : ZO_INVALID;
}

static zo_status write_model(const zf_input *input, const zf_b3_model *model, const char *to, zb_buffer *out) {
    if (strcmp(to, b3d_name) == 0) {
        return zf_b3_put(out, model) ? ZO_OK : ZO_LIMIT;
    }
    if (strcmp(to, source_name) != 0) {
        return ZO_UNSUPPORTED;
    }
    zb_put_text(out, zf_b3_source_of(input->arena, model));
    return ZO_OK;
}

static zo_status convert(const zf_input *input, const char *to, zb_buffer *out) {
    zf_b3_model model;
    const zo_status status = read_input(input, &model);
    return status == ZO_OK ? write_model(input, &model, to, out) : status;
}

static zo_status read(const zf_input *input, zp_build *build) {
    zf_b3_model model;
    const zo_status status = read_input(input, &model);
    if (status == ZO_OK && build != NULL) {
        zf_b3_compile(input, &model, build);
    }
    return status;
}

const zf_reader zf_b3_reader = {
    .format = {.name = b3d_name, .title = "a B3D model"},
    .likeness = likeness,
    .read = read,
    .convert = convert,
};

static uint32_t source_likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    zo_text type = {NULL, 0};
    return zf_is(doc, ZJ_ROOT, ZJ_OBJECT) && zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("type")), &type) &&
           zb_text_equal(type, zf_name_text(zf_b3s_type_word[0])) ? 100 : 0;
}

static zo_status source_convert(const zf_input *input, const char *to, zb_buffer *out) {
    zf_b3_model model;
    return zf_b3_read_source(input->arena, input->doc, &model) ? write_model(input, &model, to, out) : ZO_INVALID;
}

static zo_status source_read(const zf_input *input, zp_build *build) {
    zf_b3_model model;
    const bool fine = zf_b3_read_source(input->arena, input->doc, &model);
    if (fine && build != NULL) {
        zf_b3_compile(input, &model, build);
    }
    return fine ? ZO_OK : ZO_INVALID;
}

const zf_reader zf_b3s_reader = {
    .format = {.name = source_name, .title = "a B3D model as text"},
    .json = true,
    .likeness = source_likeness,
    .read = source_read,
    .convert = source_convert,
    .object = &zf_b3s_object,
};
