// The writer of B3D files: a model as chunks, in the order in which the format lists them. Called by conversions. The
// lengths of chunks are filled in when their ends are known; nodes are closed by a stack of our own.
#include "formats/b3d.h"

typedef struct writer {
    zb_buffer *out;
    const zf_b3_model *model;
    size_t open[ZF_B3_DEPTH_MAX]; // of the chunks NODE that are open, where their lengths stand
    uint32_t open_count;
} writer;

static void put_u32(const writer *w, uint32_t bits) {
    const uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
    zb_put_bytes(w->out, bytes, sizeof bytes);
}

static void put_int(const writer *w, int32_t value) { put_u32(w, (uint32_t)value); }

static void put_floats(const writer *w, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_u32(w, bits);
    }
}

static void put_text(const writer *w, zo_text text) { // ends at a zero byte, so it has none
    zb_put_text(w->out, text);
    zb_put_char(w->out, 0);
}

static size_t begin(const writer *w, const char *tag) { // where the length stands
    zb_put_bytes(w->out, tag, 4);
    const size_t at = w->out->size;
    put_u32(w, 0);
    return at;
}

static void end(const writer *w, size_t at) {
    const uint64_t length = w->out->size - at - 4;
    const uint8_t bytes[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                              (uint8_t)(length >> 24)};
    if (!zb_arena_failed(w->out->arena)) {
        memcpy(w->out->data + at, bytes, sizeof bytes);
    }
}

static void put_textures(const writer *w) {
    const size_t at = begin(w, "TEXS");
    for (uint32_t i = 0; i < w->model->texture_count; i++) {
        const zf_b3_texture *t = &w->model->textures[i];
        put_text(w, t->file);
        put_int(w, t->flags);
        put_int(w, t->blend);
        put_floats(w, t->position, 2);
        put_floats(w, t->scale, 2);
        put_floats(w, &t->rotation, 1);
    }
    end(w, at);
}

static void put_brushes(const writer *w) {
    const size_t at = begin(w, "BRUS");
    put_u32(w, w->model->textures_a_brush);
    for (uint32_t i = 0; i < w->model->brush_count; i++) {
        const zf_b3_brush *b = &w->model->brushes[i];
        put_text(w, b->name);
        put_floats(w, b->color, 4);
        put_floats(w, &b->shininess, 1);
        put_int(w, b->blend);
        put_int(w, b->fx);
        for (uint32_t k = 0; k < w->model->textures_a_brush; k++) {
            put_int(w, b->textures[k]);
        }
    }
    end(w, at);
}

static void put_mesh(const writer *w, const zf_b3_mesh *mesh) {
    const size_t at = begin(w, "MESH");
    put_int(w, mesh->brush);
    const size_t vertices = begin(w, "VRTS");
    put_u32(w, (mesh->normals ? 1u : 0u) | (mesh->colors ? 2u : 0u));
    put_u32(w, mesh->sets);
    put_u32(w, mesh->set_size);
    put_floats(w, mesh->vertices, (size_t)mesh->vertex_count * mesh->width);
    end(w, vertices);
    for (uint32_t i = 0; i < mesh->patch_count; i++) {
        const zf_b3_patch *patch = &w->model->patches[mesh->first_patch + i];
        const size_t triangles = begin(w, "TRIS");
        put_int(w, patch->brush);
        for (size_t k = 0; k < 3 * (size_t)patch->count; k++) {
            put_u32(w, w->model->indices[3 * (size_t)patch->first + k]);
        }
        end(w, triangles);
    }
    end(w, at);
}

static void put_bone(const writer *w, const zf_b3_node *node) {
    const size_t at = begin(w, "BONE");
    for (uint32_t i = 0; i < node->weight_count; i++) {
        const zf_b3_weight *weight = &w->model->weights[node->first_weight + i];
        put_u32(w, weight->vertex);
        put_floats(w, &weight->weight, 1);
    }
    end(w, at);
}

// Keys that follow each other and have the same parts are one chunk.
static void put_keys(const writer *w, const zf_b3_node *node) {
    const zf_b3_key *keys = w->model->keys + node->first_key;
    size_t at = 0;
    for (uint32_t i = 0; i < node->key_count; i++) {
        const zf_b3_key *key = &keys[i];
        if (i == 0 || key->parts != keys[i - 1].parts) {
            if (i > 0) {
                end(w, at);
            }
            at = begin(w, "KEYS");
            put_u32(w, key->parts);
        }
        put_int(w, key->frame);
        put_floats(w, key->position, (key->parts & ZF_B3_POSITION) != 0 ? 3 : 0);
        put_floats(w, key->scale, (key->parts & ZF_B3_SCALE) != 0 ? 3 : 0);
        put_floats(w, key->rotation, (key->parts & ZF_B3_ROTATION) != 0 ? 4 : 0);
    }
    if (node->key_count > 0) {
        end(w, at);
    }
}

static void close_nodes(writer *w, uint32_t depth) {
    while (w->open_count > depth) {
        end(w, w->open[--w->open_count]);
    }
}

// ANIM before the nodes below, where readers that meet chunks in turn know of it in time.
static void put_node(writer *w, const zf_b3_node *node) {
    close_nodes(w, node->depth);
    ZO_ASSERT(w->open_count == node->depth && w->open_count < ZF_B3_DEPTH_MAX);
    w->open[w->open_count++] = begin(w, "NODE");
    put_text(w, node->name);
    put_floats(w, node->position, 3);
    put_floats(w, node->scale, 3);
    put_floats(w, node->rotation, 4);
    if (node->kind == ZF_B3_MESH) {
        put_mesh(w, &w->model->meshes[node->mesh_ref - 1]);
    } else if (node->kind == ZF_B3_BONE) {
        put_bone(w, node);
    }
    if (node->animated) {
        const size_t at = begin(w, "ANIM");
        put_int(w, node->anim_flags);
        put_int(w, node->anim_frames);
        put_floats(w, &node->anim_fps, 1);
        end(w, at);
    }
    put_keys(w, node);
}

bool zf_b3_put(zb_buffer *out, const zf_b3_model *model) {
    writer w = {.out = out, .model = model};
    const size_t before = out->size, at = begin(&w, "BB3D");
    put_u32(&w, 1);
    if (model->texture_count > 0) {
        put_textures(&w);
    }
    if (model->brush_count > 0) {
        put_brushes(&w);
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        put_node(&w, &model->nodes[i]);
    }
    close_nodes(&w, 0);
    end(&w, at);
    return !zb_arena_failed(out->arena) && out->size - before <= INT32_MAX;
}
