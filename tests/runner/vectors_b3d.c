// The cases of B3D models: a file each, beside what is expected of it: verdict, rules, and the model that it holds.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/b3d.h"
#include "vectors.h"

typedef struct model_case {
    vectors *v;
    const char *name;         // of the case's file
    zo_text bytes;
    const zf_b3_model *model;
    bool good;
} model_case;

static void wrong(model_case *c, const char *format, ...) {
    char text[256];
    va_list arguments;
    if (!c->good) { return; } // the first is enough
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    vectors_fail(c->v, c->name, "%s", text);
    c->good = false;
}

static uint32_t member(const model_case *c, uint32_t object, const char *name) {
    return vectors_member(c->v->doc, object, name);
}

static uint32_t count_of(const model_case *c, uint32_t list) {
    return list != 0 ? zj_at(c->v->doc, list)->as.items.count : 0;
}

static uint32_t first_of(const model_case *c, uint32_t list) {
    return list != 0 ? zj_at(c->v->doc, list)->as.items.first : 0;
}

static void same_number(model_case *c, uint32_t object, const char *name, double actual) {
    double expected = 0;
    const double tolerance = 1e-4;
    if (!vectors_number(c->v->doc, object, name, &expected) || !vectors_near(expected, actual, tolerance)) {
        wrong(c, "%s is %g, not %g", name, actual, expected);
    }
}

static void same_text(model_case *c, uint32_t object, const char *name, zo_text actual) {
    const char *expected = vectors_text(c->v, object, name);
    if (!zb_text_equal(zb_text(expected), actual)) {
        wrong(c, "%s is %.*s, not %s", name, (int)actual.size, actual.data, expected);
    }
}

static void same_list(model_case *c, uint32_t list, const char *what, const float *actual, uint32_t count) {
    uint32_t i = 0;
    if (count_of(c, list) != count) { wrong(c, "%s has %u figures", what, count); }
    VECTORS_EACH(c->v->doc, item, list) {
        const double expected = zj_at(c->v->doc, item)->as.number;
        if (i < count && !vectors_near(expected, (double)actual[i], 1e-4)) {
            wrong(c, "%s has %g, not %g", what, (double)actual[i], expected);
        }
        i++;
    }
}

static void same_floats(model_case *c, uint32_t object, const char *name, const float *actual, uint32_t count) {
    same_list(c, member(c, object, name), name, actual, count);
}

static void same_rotation(model_case *c, uint32_t object, const float wxyz[4]) {
    same_floats(c, object, "rotation_xyzw", (const float[]){wxyz[1], wxyz[2], wxyz[3], wxyz[0]}, 4);
}

// -------------------------------------------------------------------------------------------------------------- model

static void check_looks(model_case *c, uint32_t model) {
    const zf_b3_model *m = c->model;
    const uint32_t textures = member(c, model, "textures"), brushes = member(c, model, "brushes");
    if (count_of(c, textures) != m->texture_count) { wrong(c, "there are %u textures", m->texture_count); }
    if (count_of(c, brushes) != m->brush_count) { wrong(c, "there are %u brushes", m->brush_count); }
    uint32_t i = 0;
    VECTORS_EACH(c->v->doc, item, textures) {
        if (i == m->texture_count) { return; }
        const zf_b3_texture *t = &m->textures[i++];
        same_text(c, item, "file", t->file);
        same_number(c, item, "flags", t->flags);
        same_number(c, item, "blend", t->blend);
        same_floats(c, item, "pos", t->position, 2);
        same_floats(c, item, "scale", t->scale, 2);
        same_number(c, item, "rotation", (double)t->rotation);
    }
    i = 0;
    VECTORS_EACH(c->v->doc, item, brushes) {
        if (i == m->brush_count) { return; }
        const zf_b3_brush *b = &m->brushes[i++];
        same_text(c, item, "name", b->name);
        same_floats(c, item, "color", b->color, 4);
        same_number(c, item, "shininess", (double)b->shininess);
        same_number(c, item, "blend", b->blend);
        same_number(c, item, "fx", b->fx);
        const uint32_t list = member(c, item, "textures");
        if (count_of(c, list) != m->textures_a_brush) { wrong(c, "a brush has %u textures", m->textures_a_brush); }
        uint32_t k = 0;
        VECTORS_EACH(c->v->doc, number, list) {
            if (k < m->textures_a_brush && zj_at(c->v->doc, number)->as.number != b->textures[k]) {
                wrong(c, "a brush has texture %d", b->textures[k]);
            }
            k++;
        }
    }
}

static void check_vertex(model_case *c, const zf_b3_mesh *mesh, uint32_t index, uint32_t expected) {
    const float *at = mesh->vertices + (size_t)index * mesh->width;
    same_floats(c, expected, "pos", at, 3);
    at += 3;
    if ((member(c, expected, "normal") != 0) != mesh->normals) { wrong(c, "normals are there or not"); }
    if (mesh->normals) {
        same_floats(c, expected, "normal", at, 3);
        at += 3;
    }
    if ((member(c, expected, "color") != 0) != mesh->colors) { wrong(c, "colors are there or not"); }
    if (mesh->colors) {
        same_floats(c, expected, "color", at, 4);
        at += 4;
    }
    uint32_t sets = 0;
    VECTORS_EACH(c->v->doc, set, member(c, expected, "uv")) {
        float uv[4] = {0.0f, 0.0f, 0.0f, 1.0f}; // what is not stored
        if (sets++ < mesh->sets) {
            memcpy(uv, at, mesh->set_size * sizeof *uv);
            at += mesh->set_size;
        }
        same_list(c, set, "uv", uv, 4);
    }
    if (sets != mesh->sets) { wrong(c, "there are %u sets of coordinates", mesh->sets); }
}

static void check_mesh(model_case *c, const zf_b3_mesh *mesh, uint32_t expected) {
    uint32_t face = first_of(c, member(c, expected, "faces"));
    same_number(c, expected, "brush", mesh->brush);
    for (uint32_t p = 0; p < mesh->patch_count; p++) {
        const zf_b3_patch *patch = &c->model->patches[mesh->first_patch + p];
        for (uint32_t i = 0; i < patch->count && face != 0; i++, face = zj_at(c->v->doc, face)->next) {
            const uint32_t *three = c->model->indices + 3 * ((size_t)patch->first + i);
            same_number(c, face, "brush", patch->brush);
            uint32_t k = 0;
            VECTORS_EACH(c->v->doc, vertex, member(c, face, "vertices")) {
                if (k < 3) { check_vertex(c, mesh, three[k], vertex); }
                k++;
            }
            if (k != 3) { wrong(c, "a face has %u vertices", k); }
        }
        if (face == 0 && p + 1 < mesh->patch_count) { wrong(c, "there are more faces"); }
    }
    if (face != 0) { wrong(c, "there are fewer faces"); }
}

static void check_keys(model_case *c, const zf_b3_node *node, uint32_t expected) {
    const uint32_t keys = member(c, expected, "keys");
    if (count_of(c, keys) != node->key_count) { wrong(c, "there are %u keys", node->key_count); }
    for (uint32_t i = 0; i < node->key_count; i++) {
        const zf_b3_key *key = &c->model->keys[node->first_key + i];
        char frame[16];
        snprintf(frame, sizeof frame, "%d", (int)key->frame);
        const uint32_t parts = member(c, keys, frame);
        if (parts == 0) { wrong(c, "there is a key at %s", frame); }
        const struct { const char *name; uint32_t part; } names[] = {
            {"position", ZF_B3_POSITION}, {"scale", ZF_B3_SCALE}, {"rotation_xyzw", ZF_B3_ROTATION}};
        for (size_t k = 0; k < ZB_COUNT(names); k++) {
            if ((member(c, parts, names[k].name) != 0) != ((key->parts & names[k].part) != 0)) {
                wrong(c, "%s of the key at %s is there or not", names[k].name, frame);
            }
        }
        if ((key->parts & ZF_B3_POSITION) != 0) { same_floats(c, parts, "position", key->position, 3); }
        if ((key->parts & ZF_B3_SCALE) != 0) { same_floats(c, parts, "scale", key->scale, 3); }
        if ((key->parts & ZF_B3_ROTATION) != 0) { same_rotation(c, parts, key->rotation); }
    }
}

static void check_weights(model_case *c, const zf_b3_node *node, uint32_t expected) {
    const uint32_t weights = member(c, expected, "weights");
    if (count_of(c, weights) != node->weight_count) { wrong(c, "there are %u weights", node->weight_count); }
    uint32_t i = 0;
    VECTORS_EACH(c->v->doc, item, weights) {
        if (i == node->weight_count) { return; }
        const zf_b3_weight *weight = &c->model->weights[node->first_weight + i++];
        const zf_b3_mesh *mesh = &c->model->meshes[node->mesh_ref - 1];
        same_floats(c, item, "vertex_pos", mesh->vertices + (size_t)weight->vertex * mesh->width, 3);
        same_number(c, item, "weight", (double)weight->weight);
    }
}

static void check_node(model_case *c, const zf_b3_node *node, uint32_t expected) {
    static const char *const kinds[] = {"pivot", "mesh", "bone"};
    const uint32_t animation = member(c, expected, "animation");
    same_text(c, expected, "name", node->name);
    same_text(c, expected, "kind", zb_text(kinds[node->kind]));
    same_floats(c, expected, "position", node->position, 3);
    same_floats(c, expected, "scale", node->scale, 3);
    same_rotation(c, expected, node->rotation);
    if ((animation != 0) != node->animated) { wrong(c, "an animation is there or not"); }
    if (animation != 0) {
        same_number(c, animation, "flags", node->anim_flags);
        same_number(c, animation, "frames", node->anim_frames);
        same_number(c, animation, "fps", (double)node->anim_fps);
    }
    check_keys(c, node, expected);
    if (node->kind == ZF_B3_MESH) { check_mesh(c, &c->model->meshes[node->mesh_ref - 1], expected); }
    if (node->kind == ZF_B3_BONE) { check_weights(c, node, expected); }
}

static uint32_t parent_object(const model_case *c, uint32_t node) { // of an item of "children"
    return zj_at(c->v->doc, zj_at(c->v->doc, node)->parent)->parent;
}

static uint32_t next_node(const model_case *c, uint32_t at, uint32_t *depth) { // 0: that was all
    const uint32_t child = first_of(c, member(c, at, "children"));
    if (child != 0) {
        (*depth)++;
        return child;
    }
    for (; *depth > 0 && zj_at(c->v->doc, at)->next == 0; (*depth)--) { at = parent_object(c, at); }
    return *depth > 0 ? zj_at(c->v->doc, at)->next : 0;
}

// The tree and the list of nodes are in one order: a node, then what is below it.
static void check_tree(model_case *c, uint32_t model) {
    uint32_t at = member(c, model, "root"), depth = 0, count = 0;
    for (; at != 0 && count < c->model->node_count; at = next_node(c, at, &depth)) {
        const zf_b3_node *node = &c->model->nodes[count++];
        if (node->depth != depth) { wrong(c, "%.*s is not where it should be", (int)node->name.size, node->name.data); }
        check_node(c, node, at);
    }
    if (at != 0 || count != c->model->node_count) { wrong(c, "there are %u nodes", c->model->node_count); }
}

// ------------------------------------------------------------------------------------------------------------ verdict

static bool told(const zo_report *report, const char *rule) { // b3d-x is b3d/x
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const char *id = zo_report_at(report, i)->id;
        const char *slash = strchr(id, '/');
        if (strlen(id) == strlen(rule) && strncmp(id, rule, (size_t)(slash - id)) == 0 &&
            strcmp(slash + 1, rule + (slash - id) + 1) == 0) {
            return true;
        }
    }
    return false;
}

static void check_verdict(model_case *c) {
    const zo_source source = {.name = c->name, .bytes = c->bytes.data, .size = c->bytes.size};
    const char *expected = vectors_text(c->v, ZJ_ROOT, "verdict");
    zo_report *report = NULL;
    zo_compile(&source, 1, NULL, NULL, &report);
    const char *verdict = zo_report_total(report, ZO_ERROR) > 0     ? "error"
                          : zo_report_total(report, ZO_WARNING) > 0 ? "warn"
                                                                    : "ok";
    if (strcmp(verdict, expected) != 0) { wrong(c, "the verdict is %s, not %s", verdict, expected); }
    if (strcmp(zo_report_format(report), "b3d") != 0) { wrong(c, "it is taken for %s", zo_report_format(report)); }
    VECTORS_EACH(c->v->doc, item, member(c, ZJ_ROOT, "rules")) {
        const char *rule = zb_arena_text(c->v->arena, zj_text(c->v->doc, item));
        if (!told(report, rule)) { wrong(c, "%s is not told", rule); }
    }
    zo_report_free(report);
}

void vectors_b3d(vectors *v) {
    char path[256];
    zf_b3_model model;
    model_case c = {.v = v, .name = vectors_text(v, ZJ_ROOT, "file"), .model = &model, .good = true};
    snprintf(path, sizeof path, "forge/b3d/%s", c.name);
    if (!vectors_read(v, path, &c.bytes)) { return; }
    char *alone = malloc(c.bytes.size + 1); // so that a byte read beyond it is noticed
    memcpy(alone, c.bytes.data, c.bytes.size);
    c.bytes.data = alone;
    check_verdict(&c);
    const uint32_t expected = member(&c, ZJ_ROOT, "model");
    if (expected != 0) {
        zd_report *report = zd_report_open(NULL, 0, false);
        const uint32_t file = zd_report_file(report, c.name, NULL, c.bytes.size);
        if (zf_b3_read(v->arena, c.bytes.data, c.bytes.size, file, report, &model)) {
            check_looks(&c, expected);
            check_tree(&c, expected);
        } else {
            wrong(&c, "it cannot be read");
        }
        zd_report_close(report);
    }
    if (c.good) { vectors_pass(v); }
    free(alone);
}
