// Authoring files of B3D models: the same as the binary form holds, as JSON that people and version control can read.
// Read to a model and written from one. Called by conversions; nothing here knows the binary form.
#include "formats/b3d.h"

#include "base/number.h"
#include "json/layout.h"

// ------------------------------------------------------------------------------------------------------------- reading

typedef struct reader {
    zb_arena *arena;
    const zj_doc *doc;
    zf_b3_making made;
    zb_array jsons; // uint32_t: the JSON node of each node
} reader;

static bool usable(const zf_fields *f, uint32_t field) { return f->nodes[field] != 0 && !f->wrong[field]; }

static uint32_t first_item(const reader *r, uint32_t node) { return zj_at(r->doc, node)->as.items.first; }
static uint32_t item_count(const reader *r, uint32_t node) { return zj_at(r->doc, node)->as.items.count; }
static double number_at(const reader *r, uint32_t node) { return zj_at(r->doc, node)->as.number; }

// The figures of a list that the table has found to be right.
static float *put_numbers(const reader *r, uint32_t list, float *out) {
    for (uint32_t item = first_item(r, list); item != 0; item = zj_at(r->doc, item)->next) {
        *out++ = (float)number_at(r, item);
    }
    return out;
}

static void get_numbers(const reader *r, const zf_fields *f, uint32_t field, float *out) {
    if (usable(f, field)) {
        put_numbers(r, f->nodes[field], out);
    }
}

static float get_number(const zf_fields *f, uint32_t field, float absent) {
    return f->wrong[field] ? absent : (float)zf_checked_number(f, field, (double)absent);
}

static int32_t get_int(const zf_fields *f, uint32_t field, int32_t absent) {
    return f->wrong[field] ? absent : (int32_t)zf_checked_number(f, field, absent);
}

// The binary form ends texts by a zero byte.
static zo_text get_text(const reader *r, const zf_fields *f, uint32_t field) {
    const zo_text text = zf_checked_text(f, field);
    if (text.size > 0 && memchr(text.data, 0, text.size) != NULL) {
        zf_report(f, field, ZD_B3D_SOURCE_VALUE,
                  ZD_ARGS(zd_word(f->table->fields[field].name.text), zd_word("a text without a zero in it"),
                          zf_not(r->arena, r->doc, f->nodes[field])));
        return (zo_text){"", 0};
    }
    return text;
}

static void none_of(const reader *r, uint32_t node, const char *what, double index, uint32_t count) {
    zj_report(r->doc, node, ZD_B3D_SOURCE_REFERENCE, ZD_ARGS(zd_word(what), zd_number(index), zd_int(count)));
}

// An index that is written there; NONE is always allowed.
static int32_t get_index(const reader *r, const zf_fields *f, uint32_t field, const char *what, uint32_t count) {
    const int32_t index = get_int(f, field, ZF_B3_NONE);
    if (index == ZF_B3_NONE || (index >= 0 && (uint32_t)index < count)) {
        return index;
    }
    none_of(r, f->nodes[field], what, index, count);
    return ZF_B3_NONE;
}

static void read_texture(reader *r, const zf_fields *f) {
    zf_b3_texture t = {.file = get_text(r, f, ZF_B3S_T_FILE), .flags = get_int(f, ZF_B3S_T_FLAGS, 1),
                       .blend = get_int(f, ZF_B3S_T_BLEND, 2), .scale = {1.0f, 1.0f},
                       .rotation = get_number(f, ZF_B3S_T_ROTATION, 0.0f)};
    get_numbers(r, f, ZF_B3S_T_POSITION, t.position);
    get_numbers(r, f, ZF_B3S_T_SCALE, t.scale);
    *(zf_b3_texture *)zb_array_push(&r->made.textures) = t;
}

static void read_brush(reader *r, const zf_fields *f) {
    zf_b3_brush b = {.name = get_text(r, f, ZF_B3S_B_NAME), .color = {1.0f, 1.0f, 1.0f, 1.0f},
                     .shininess = get_number(f, ZF_B3S_B_SHININESS, 0.0f), .blend = get_int(f, ZF_B3S_B_BLEND, 1),
                     .fx = get_int(f, ZF_B3S_B_FX, 0)};
    uint32_t count = 0;
    get_numbers(r, f, ZF_B3S_B_COLOR, b.color);
    for (uint32_t item = usable(f, ZF_B3S_B_TEXTURES) ? first_item(r, f->nodes[ZF_B3S_B_TEXTURES]) : 0; item != 0;
         item = zj_at(r->doc, item)->next) {
        const double index = number_at(r, item);
        if (index >= r->made.textures.count) {
            none_of(r, item, "texture", index, r->made.textures.count);
        }
        *(int32_t *)zb_array_push(&r->made.brush_textures) = (int32_t)index;
        count++;
    }
    *(zf_b3_brush *)zb_array_push(&r->made.brushes) = b;
    *(uint32_t *)zb_array_push(&r->made.brush_counts) = count;
}

// Where there is one to each vertex: whether there are any.
static bool has_each(const reader *r, const zf_fields *f, uint32_t field, uint32_t list, uint32_t count) {
    if (list == 0 || item_count(r, list) == count) {
        return list != 0;
    }
    zf_report_head(r->doc, list, ZD_B3D_SOURCE_COUNT,
                   ZD_ARGS(zd_word(f->table->fields[field].name.text), zd_int(item_count(r, list)), zd_int(count)));
    return false;
}

static uint32_t list_of(const zf_fields *f, uint32_t field) { return usable(f, field) ? f->nodes[field] : 0; }

// How many figures each has, of all the same; 0: there is none.
static uint32_t size_of_coordinates(const reader *r, uint32_t sets) {
    uint32_t size = 0;
    for (uint32_t set = first_item(r, sets); set != 0; set = zj_at(r->doc, set)->next) {
        for (uint32_t item = first_item(r, set); item != 0; item = zj_at(r->doc, item)->next) {
            size = size == 0 ? item_count(r, item) : size;
            if (item_count(r, item) != size) {
                zf_report_head(r->doc, item, ZD_B3D_SOURCE_COUNT,
                               ZD_ARGS(zd_word("coordinates"), zd_int(item_count(r, item)), zd_int(size)));
                return 0;
            }
        }
    }
    return size;
}

static uint32_t next_of(const reader *r, uint32_t item) { return item != 0 ? zj_at(r->doc, item)->next : 0; }

// Vertex by vertex, from lists that are as long as there are vertices.
static void read_vertices(const reader *r, zf_b3_mesh *mesh, const zf_fields *f, uint32_t sets) {
    float *vertices = zb_arena_take_array(r->arena, (size_t)mesh->vertex_count + 1, mesh->width * sizeof *vertices);
    uint32_t lists[3 + ZF_B3_SETS_MAX] = {0}, count = 0;
    if (vertices == NULL) {
        return;
    }
    mesh->vertices = vertices;
    lists[count++] = first_item(r, f->nodes[ZF_B3S_M_POSITIONS]);
    if (mesh->normals) {
        lists[count++] = first_item(r, f->nodes[ZF_B3S_M_NORMALS]);
    }
    if (mesh->colors) {
        lists[count++] = first_item(r, f->nodes[ZF_B3S_M_COLORS]);
    }
    for (uint32_t set = mesh->sets > 0 ? first_item(r, sets) : 0; set != 0; set = next_of(r, set)) {
        lists[count++] = first_item(r, set);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            vertices = put_numbers(r, lists[k], vertices);
            lists[k] = next_of(r, lists[k]);
        }
    }
}

static void read_patch(reader *r, const zf_b3_mesh *mesh, uint32_t node) {
    zf_fields f;
    if (!zf_fields_check(&f, r->arena, r->doc, node, &zf_b3s_patch_object)) {
        return;
    }
    zf_b3_patch patch = {.brush = get_index(r, &f, ZF_B3S_P_BRUSH, "brush", r->made.brushes.count),
                         .first = r->made.indices.count / 3};
    const uint32_t list = list_of(&f, ZF_B3S_P_VERTICES);
    for (uint32_t three = list != 0 ? first_item(r, list) : 0; three != 0; three = next_of(r, three)) {
        for (uint32_t item = first_item(r, three); item != 0; item = next_of(r, item)) {
            const double index = number_at(r, item);
            if (index >= mesh->vertex_count) {
                none_of(r, item, "vertex", index, mesh->vertex_count);
            }
            *(uint32_t *)zb_array_push(&r->made.indices) = (uint32_t)index;
        }
        patch.count++;
    }
    *(zf_b3_patch *)zb_array_push(&r->made.patches) = patch;
}

static void read_mesh(reader *r, zf_b3_node *node, uint32_t index, uint32_t json) {
    zf_fields f;
    zf_b3_mesh mesh = {.node = index, .first_patch = r->made.patches.count, .brush = ZF_B3_NONE, .width = 3};
    if (zf_fields_check(&f, r->arena, r->doc, json, &zf_b3s_mesh_object)) {
        const uint32_t positions = list_of(&f, ZF_B3S_M_POSITIONS), sets = list_of(&f, ZF_B3S_M_COORDINATES);
        mesh.brush = get_index(r, &f, ZF_B3S_M_BRUSH, "brush", r->made.brushes.count);
        mesh.vertex_count = positions != 0 ? item_count(r, positions) : 0;
        mesh.normals = has_each(r, &f, ZF_B3S_M_NORMALS, list_of(&f, ZF_B3S_M_NORMALS), mesh.vertex_count);
        mesh.colors = has_each(r, &f, ZF_B3S_M_COLORS, list_of(&f, ZF_B3S_M_COLORS), mesh.vertex_count);
        bool good = sets != 0;
        for (uint32_t set = good ? first_item(r, sets) : 0; set != 0; set = next_of(r, set)) {
            good = has_each(r, &f, ZF_B3S_M_COORDINATES, set, mesh.vertex_count) && good;
        }
        mesh.set_size = good ? size_of_coordinates(r, sets) : 0;
        mesh.sets = mesh.set_size > 0 ? item_count(r, sets) : 0;
        mesh.width = zf_b3_width(&mesh);
        uint32_t count, patch = 0;
        if (positions != 0) {
            read_vertices(r, &mesh, &f, sets);
            patch = zf_checked_items(&f, ZF_B3S_M_TRIANGLES, &count);
        }
        for (; patch != 0 && !zb_arena_failed(r->arena); patch = next_of(r, patch)) {
            read_patch(r, &mesh, patch);
        }
        mesh.patch_count = r->made.patches.count - mesh.first_patch;
    }
    *(zf_b3_mesh *)zb_array_push(&r->made.meshes) = mesh;
    node->kind = ZF_B3_MESH;
    node->mesh_ref = r->made.meshes.count;
}

static void read_bone(reader *r, zf_b3_node *node, uint32_t list) {
    const zf_b3_mesh *meshes = (const zf_b3_mesh *)(const void *)r->made.meshes.items;
    const uint32_t vertex_count = r->made.meshes.count > 0 ? meshes[r->made.meshes.count - 1].vertex_count : 0;
    node->kind = ZF_B3_BONE;
    node->mesh_ref = r->made.meshes.count;
    node->first_weight = r->made.weights.count;
    for (uint32_t item = first_item(r, list); item != 0; item = next_of(r, item)) {
        const uint32_t first = first_item(r, item);
        const double vertex = number_at(r, first);
        if (!(vertex >= 0.0 && vertex < vertex_count) || vertex != (uint32_t)vertex) {
            none_of(r, first, "vertex", vertex, vertex_count);
            continue;
        }
        *(zf_b3_weight *)zb_array_push(&r->made.weights) =
            (zf_b3_weight){(uint32_t)vertex, (float)number_at(r, next_of(r, first))};
        node->weight_count++;
    }
}

static void read_key(reader *r, uint32_t node, uint32_t json) {
    zf_fields f;
    if (!zf_fields_check(&f, r->arena, r->doc, json, &zf_b3s_key_object)) {
        return;
    }
    zf_b3_key key = zf_b3_key_at_rest(node, get_int(&f, ZF_B3S_K_FRAME, 0));
    key.parts |= zf_has(&f, ZF_B3S_K_POSITION) ? ZF_B3_POSITION : 0u;
    key.parts |= zf_has(&f, ZF_B3S_K_SCALE) ? ZF_B3_SCALE : 0u;
    key.parts |= zf_has(&f, ZF_B3S_K_ROTATION) ? ZF_B3_ROTATION : 0u;
    get_numbers(r, &f, ZF_B3S_K_POSITION, key.position);
    get_numbers(r, &f, ZF_B3S_K_SCALE, key.scale);
    get_numbers(r, &f, ZF_B3S_K_ROTATION, key.rotation);
    *(zf_b3_key *)zb_array_push(&r->made.keys) = key;
}

static void read_animation(const reader *r, zf_b3_node *node, uint32_t json) {
    zf_fields f;
    if (zf_fields_check(&f, r->arena, r->doc, json, &zf_b3s_animation_object)) {
        node->animated = true;
        node->anim_flags = get_int(&f, ZF_B3S_A_FLAGS, 0);
        node->anim_frames = get_int(&f, ZF_B3S_A_FRAMES, 0);
        node->anim_fps = get_number(&f, ZF_B3S_A_FPS, 60.0f);
    }
}

static void say(const zf_fields *f, uint32_t field, const char *what) {
    zf_report(f, field, ZD_B3D_SOURCE_NODE, ZD_ARGS(zd_word(what)));
}

// The parent must be where the tree is still open: the node before, or one above that.
static uint32_t read_parent(const reader *r, const zf_fields *f, uint32_t index) {
    const int32_t parent = get_int(f, ZF_B3S_N_PARENT, -1);
    if (parent < 0) {
        return 0;
    }
    if ((uint32_t)parent >= index) {
        say(f, ZF_B3S_N_PARENT, "its parent stands before a node");
        return 0;
    }
    uint32_t ref = index; // the node before
    while (ref != 0 && ref != (uint32_t)parent + 1) {
        ref = zf_b3_node_at(&r->made, ref - 1)->parent_ref;
    }
    if (ref == 0) {
        say(f, ZF_B3S_N_PARENT, "all that is below a node comes before the next node beside it");
    }
    return ref;
}

static void read_node(reader *r, uint32_t json) {
    zf_fields f;
    const uint32_t index = r->made.nodes.count;
    zf_b3_node node = zf_b3_node_at_rest();
    *(uint32_t *)zb_array_push(&r->jsons) = json;
    if (!zf_fields_check(&f, r->arena, r->doc, json, &zf_b3s_node_object)) {
        *(zf_b3_node *)zb_array_push(&r->made.nodes) = node; // the places of the others stay
        return;
    }
    node.name = get_text(r, &f, ZF_B3S_N_NAME);
    node.parent_ref = read_parent(r, &f, index);
    node.depth = node.parent_ref != 0 ? zf_b3_node_at(&r->made, node.parent_ref - 1)->depth + 1 : 0;
    if (node.depth >= ZF_B3_DEPTH_MAX) {
        say(&f, ZF_B3S_N_PARENT, "at most 256 nodes are inside each other");
        node.depth = 0;
    }
    get_numbers(r, &f, ZF_B3S_N_POSITION, node.position);
    get_numbers(r, &f, ZF_B3S_N_SCALE, node.scale);
    get_numbers(r, &f, ZF_B3S_N_ROTATION, node.rotation);
    if (zf_has(&f, ZF_B3S_N_MESH) && zf_has(&f, ZF_B3S_N_BONE)) {
        say(&f, ZF_B3S_N_BONE, "a node is a mesh or a bone, not both");
    }
    if (usable(&f, ZF_B3S_N_MESH)) {
        read_mesh(r, &node, index, f.nodes[ZF_B3S_N_MESH]);
    }
    if (usable(&f, ZF_B3S_N_BONE)) {
        read_bone(r, &node, f.nodes[ZF_B3S_N_BONE]);
    }
    if (usable(&f, ZF_B3S_N_ANIMATION)) {
        read_animation(r, &node, f.nodes[ZF_B3S_N_ANIMATION]);
    }
    *(zf_b3_node *)zb_array_push(&r->made.nodes) = node;
    uint32_t count;
    uint32_t key = zf_checked_items(&f, ZF_B3S_N_KEYS, &count);
    for (; key != 0 && !zb_arena_failed(r->arena); key = next_of(r, key)) {
        read_key(r, index, key);
    }
}

static void read_list(reader *r, const zf_fields *f, uint32_t field, const zf_object *object,
                      void (*read)(reader *r, const zf_fields *f)) {
    uint32_t count;
    uint32_t item = zf_checked_items(f, field, &count);
    for (; item != 0 && !zb_arena_failed(r->arena); item = next_of(r, item)) {
        zf_fields inner;
        if (zf_fields_check(&inner, r->arena, r->doc, item, object)) {
            read(r, &inner);
        }
    }
}

static void key_twice(void *context, uint32_t node, int32_t frame) {
    const reader *r = context;
    const uint32_t json = ((const uint32_t *)(const void *)r->jsons.items)[node];
    const uint32_t added = zf_report_head(r->doc, json, ZD_B3D_SOURCE_NODE,
                                          ZD_ARGS(zd_word("two keys of a node are of one frame")));
    zd_report_hint(r->doc->report, added, "it is frame {}: put them together", ZD_ARGS(zd_int(frame)));
}

bool zf_b3_read_source(zb_arena *arena, const zj_doc *doc, zf_b3_model *out) {
    const uint32_t errors_before = zd_report_errors(doc->report);
    reader r = {.arena = arena, .doc = doc, .made = zf_b3_make(arena),
                .jsons = zb_array_open(arena, sizeof(uint32_t))};
    zf_fields f;
    *out = (zf_b3_model){.textures = NULL};
    if (!zf_fields_check(&f, arena, doc, ZJ_ROOT, &zf_b3s_object)) {
        return false;
    }
    read_list(&r, &f, ZF_B3S_TEXTURES, &zf_b3s_texture_object, read_texture);
    read_list(&r, &f, ZF_B3S_BRUSHES, &zf_b3s_brush_object, read_brush);
    uint32_t count;
    uint32_t node = zf_checked_items(&f, ZF_B3S_NODES, &count);
    for (; node != 0 && !zb_arena_failed(arena); node = next_of(&r, node)) {
        read_node(&r, node);
    }
    zf_b3_made(&r.made, key_twice, &r, out);
    return zd_report_errors(doc->report) == errors_before && !zb_arena_failed(arena);
}

// ------------------------------------------------------------------------------------------------------------- writing

typedef struct writer {
    zb_buffer *out;
    const zf_b3_model *model;
    bool any; // of the object at hand: a comma is due
} writer;

// The fewest digits after the point that read back to the same float, or what reads back to the same double.
static void put_float(zb_buffer *out, float value) {
    enum { DIGITS_MAX = 17 };
    char text[48];
    const double wide = (double)value;
    for (uint32_t digits = 0; digits <= DIGITS_MAX && wide > -1e15 && wide < 1e15; digits++) {
        const size_t size = zb_number_fixed(wide, digits, text);
        const float again = (float)zb_number_parse(text, size);
        if (memcmp(&again, &value, sizeof value) == 0) {
            zb_put_bytes(out, text, size);
            return;
        }
    }
    zb_put_double(out, wide);
}

static void put_key(writer *w, const char *key) {
    zb_put(w->out, w->any ? ",\"" : "\"");
    zb_put(w->out, key);
    zb_put(w->out, "\":");
    w->any = true;
}

static void open_object(writer *w, const char *before) {
    zb_put(w->out, before);
    zb_put_char(w->out, '{');
    w->any = false;
}

static void close_object(writer *w) {
    zb_put_char(w->out, '}');
    w->any = true;
}

static const char *comma(uint32_t index) { return index > 0 ? "," : ""; }

static void put_list(writer *w, const float *values, uint32_t count) {
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        zb_put(w->out, comma(i));
        put_float(w->out, values[i]);
    }
    zb_put_char(w->out, ']');
}

// The following leave out what is usual.
static void put_floats(writer *w, const char *key, const float *values, const float *usual, uint32_t count) {
    if (memcmp(values, usual, count * sizeof *values) != 0) {
        put_key(w, key);
        put_list(w, values, count);
    }
}

static void put_number(writer *w, const char *key, float value, float usual) {
    if (memcmp(&value, &usual, sizeof value) != 0) {
        put_key(w, key);
        put_float(w->out, value);
    }
}

static void put_int(writer *w, const char *key, int32_t value, int32_t usual) {
    if (value != usual) {
        put_key(w, key);
        zb_put_int(w->out, value);
    }
}

static void put_text(writer *w, const char *key, zo_text text) {
    put_key(w, key);
    zb_put_json_text(w->out, text);
}

static const float zeros[4] = {0.0f, 0.0f, 0.0f, 0.0f}, ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
static const float unturned[4] = {1.0f, 0.0f, 0.0f, 0.0f};

static void put_textures(writer *w) {
    put_key(w, "textures");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < w->model->texture_count; i++) {
        const zf_b3_texture *t = &w->model->textures[i];
        open_object(w, comma(i));
        put_text(w, "file", t->file);
        put_int(w, "flags", t->flags, 1);
        put_int(w, "blend", t->blend, 2);
        put_floats(w, "position", t->position, zeros, 2);
        put_floats(w, "scale", t->scale, ones, 2);
        put_number(w, "rotation", t->rotation, 0.0f);
        close_object(w);
    }
    zb_put_char(w->out, ']');
}

static void put_brushes(writer *w) {
    put_key(w, "brushes");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < w->model->brush_count; i++) {
        const zf_b3_brush *b = &w->model->brushes[i];
        open_object(w, comma(i));
        put_text(w, "name", b->name);
        put_floats(w, "color", b->color, ones, 4);
        put_number(w, "shininess", b->shininess, 0.0f);
        put_int(w, "blend", b->blend, 1);
        put_int(w, "fx", b->fx, 0);
        if (w->model->textures_a_brush > 0) {
            put_key(w, "textures");
            zb_put_char(w->out, '[');
            for (uint32_t k = 0; k < w->model->textures_a_brush; k++) {
                zb_put(w->out, comma(k));
                zb_put_int(w->out, b->textures[k]);
            }
            zb_put_char(w->out, ']');
        }
        close_object(w);
    }
    zb_put_char(w->out, ']');
}

// `count` figures of each vertex, from the one at `first` on.
static void put_rows(writer *w, const zf_b3_mesh *mesh, uint32_t first, uint32_t count) {
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        zb_put(w->out, comma(i));
        put_list(w, mesh->vertices + (size_t)i * mesh->width + first, count);
    }
    zb_put_char(w->out, ']');
}

static void put_patch(writer *w, const zf_b3_patch *patch) {
    put_int(w, "brush", patch->brush, ZF_B3_NONE);
    put_key(w, "vertices");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < patch->count; i++) {
        const uint32_t *three = w->model->indices + 3 * ((size_t)patch->first + i);
        zb_put(w->out, comma(i));
        for (uint32_t k = 0; k < 3; k++) {
            zb_put(w->out, k == 0 ? "[" : ",");
            zb_put_uint(w->out, three[k]);
        }
        zb_put_char(w->out, ']');
    }
    zb_put_char(w->out, ']');
}

static void put_mesh(writer *w, const zf_b3_mesh *mesh) {
    uint32_t at = 3;
    put_key(w, "mesh");
    open_object(w, "");
    put_int(w, "brush", mesh->brush, ZF_B3_NONE);
    put_key(w, "positions");
    put_rows(w, mesh, 0, 3);
    if (mesh->normals) {
        put_key(w, "normals");
        put_rows(w, mesh, at, 3);
        at += 3;
    }
    if (mesh->colors) {
        put_key(w, "colors");
        put_rows(w, mesh, at, 4);
        at += 4;
    }
    if (mesh->sets > 0) {
        put_key(w, "coordinates");
        for (uint32_t i = 0; i < mesh->sets; i++) {
            zb_put(w->out, i == 0 ? "[" : ",");
            put_rows(w, mesh, at + i * mesh->set_size, mesh->set_size);
        }
        zb_put_char(w->out, ']');
    }
    put_key(w, "triangles");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < mesh->patch_count; i++) {
        open_object(w, comma(i));
        put_patch(w, &w->model->patches[mesh->first_patch + i]);
        close_object(w);
    }
    zb_put_char(w->out, ']');
    close_object(w);
}

static void put_bone(writer *w, const zf_b3_node *node) {
    put_key(w, "bone");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < node->weight_count; i++) {
        const zf_b3_weight *weight = &w->model->weights[node->first_weight + i];
        zb_put(w->out, i == 0 ? "[" : ",[");
        zb_put_uint(w->out, weight->vertex);
        zb_put_char(w->out, ',');
        put_float(w->out, weight->weight);
        zb_put_char(w->out, ']');
    }
    zb_put_char(w->out, ']');
}

static void put_part(writer *w, const char *key, const float *values, uint32_t count, bool is) {
    if (is) {
        put_key(w, key);
        put_list(w, values, count);
    }
}

static void put_keys(writer *w, const zf_b3_node *node) {
    put_key(w, "keys");
    zb_put_char(w->out, '[');
    for (uint32_t i = 0; i < node->key_count; i++) {
        const zf_b3_key *key = &w->model->keys[node->first_key + i];
        open_object(w, comma(i));
        put_key(w, "frame");
        zb_put_int(w->out, key->frame);
        put_part(w, "position", key->position, 3, (key->parts & ZF_B3_POSITION) != 0);
        put_part(w, "scale", key->scale, 3, (key->parts & ZF_B3_SCALE) != 0);
        put_part(w, "rotation", key->rotation, 4, (key->parts & ZF_B3_ROTATION) != 0);
        close_object(w);
    }
    zb_put_char(w->out, ']');
}

static void put_node(writer *w, const zf_b3_node *node) {
    put_text(w, "name", node->name);
    put_int(w, "parent", (int32_t)node->parent_ref - 1, -1);
    put_floats(w, "position", node->position, zeros, 3);
    put_floats(w, "scale", node->scale, ones, 3);
    put_floats(w, "rotation", node->rotation, unturned, 4);
    if (node->kind == ZF_B3_MESH) {
        put_mesh(w, &w->model->meshes[node->mesh_ref - 1]);
    } else if (node->kind == ZF_B3_BONE) {
        put_bone(w, node);
    }
    if (node->key_count > 0) {
        put_keys(w, node);
    }
    if (node->animated) {
        put_key(w, "animation");
        open_object(w, "");
        put_int(w, "flags", node->anim_flags, 0);
        put_key(w, "frames");
        zb_put_int(w->out, node->anim_frames);
        put_number(w, "fps", node->anim_fps, 60.0f);
        close_object(w);
    }
}

zo_text zf_b3_source_of(zb_arena *arena, const zf_b3_model *model) {
    zb_buffer out = zb_buffer_open(arena);
    writer w = {.out = &out, .model = model};
    open_object(&w, "");
    put_key(&w, "schemaVersion");
    zb_put_char(&out, '1');
    put_text(&w, "type", zf_name_text(zf_b3s_type_word[0]));
    if (model->texture_count > 0) {
        put_textures(&w);
    }
    if (model->brush_count > 0) {
        put_brushes(&w);
    }
    put_key(&w, "nodes");
    zb_put_char(&out, '[');
    for (uint32_t i = 0; i < model->node_count; i++) {
        open_object(&w, comma(i));
        put_node(&w, &model->nodes[i]);
        close_object(&w);
    }
    zb_put_char(&out, ']');
    close_object(&w);
    return zb_arena_failed(arena) ? (zo_text){"", 0} : zj_laid_out(arena, (zo_text){out.data, out.size});
}
