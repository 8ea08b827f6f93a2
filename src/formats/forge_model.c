// Block models to plain structures: elements and their sides, textures followed to the end of their references, and
// what is taken over from parents. Called by forge.c and by what makes machines into programs.
#include <math.h>

#include "formats/forge_fields.h"

enum { PARENTS_MAX = 32 };

typedef struct textures { // of a model and its parents, the model's own first
    const zj_doc *docs[PARENTS_MAX];
    uint32_t nodes[PARENTS_MAX]; // `textures` of each; 0: it has none
    uint32_t count;
    bool open;                   // there is a parent of which nothing is known: it may have any texture
    zb_intern keys;              // once all are known, see index_textures
    zb_array values;             // value, by key
    uint32_t *ends;              // [key + 1]: see end_of
} textures;

typedef struct value {
    const zj_doc *doc;
    uint32_t node;
} value;

typedef struct reader {
    const zf_fg_reading *r;
    textures textures;
    zb_intern told, unmarked;    // keys that have been told of: they lead nowhere; they lack their #
} reader;

// --------------------------------------------------------------------------------------------------------------- parts

static bool read_corner(const zf_fg_reading *r, uint32_t node, const char *what, double out[3]) {
    if (!zf_is(r->doc, node, ZJ_ARRAY) || zj_at(r->doc, node)->as.items.count != 3) {
        zf_fg_wrong_type(r, node, what, "an array of three numbers");
        return false;
    }
    uint32_t item = zj_at(r->doc, node)->as.items.first;
    bool good = true;
    for (uint32_t i = 0; i < 3; i++, item = zj_at(r->doc, item)->next) {
        good = zf_fg_number(r, item, what, &out[i]) && good;
    }
    return good;
}

static void check_corner(const zf_fg_reading *r, uint32_t node, const char *what, const double at[3]) {
    uint32_t item = zj_at(r->doc, node)->as.items.first;
    for (uint32_t i = 0; i < 3; i++, item = zj_at(r->doc, item)->next) {
        if (!(at[i] >= -16.0 && at[i] <= 32.0)) {
            zf_fg_tell(r, item, ZD_FORGE_COORDINATE_OUT_OF_RANGE, ZD_ARGS(zd_word(what), zd_number(at[i])));
        }
    }
}

static void read_rotation(const zf_fg_reading *r, uint32_t node, zf_fg_element *element) {
    zf_fields f;
    if (!zf_fg_open(r, &f, node, &zf_fg_rotation_object, "a rotation")) {
        return;
    }
    const uint32_t axis = zf_fg_member_word(r, &f, FM_AXIS, ZD_FORGE_BAD_ROTATION_AXIS, ZF_FG_AXIS_COUNT);
    element->rotated = f.nodes[FM_ORIGIN] != 0 && read_corner(r, f.nodes[FM_ORIGIN], "origin", element->origin) &&
                       axis < ZF_FG_AXIS_COUNT;
    element->axis = axis < ZF_FG_AXIS_COUNT ? (zf_fg_axis)axis : ZF_FG_AXIS_OF_X;
    element->rescale = zf_fg_member_true(r, &f, FM_RESCALE, false);
    if (zf_fg_member_number(r, &f, FM_ANGLE, &element->angle)) {
        const double size = fabs(element->angle);
        if (size != 0.0 && size != 22.5 && size != 45.0) {
            zf_fg_tell(r, f.nodes[FM_ANGLE], ZD_FORGE_BAD_ROTATION_ANGLE, ZD_ARGS(zd_number(element->angle)));
        }
    }
}

// A text that is no number is a control of the draft.
static void read_uv(const zf_fg_reading *r, uint32_t node, zf_fg_face *face) {
    if (!zf_is(r->doc, node, ZJ_ARRAY) || zj_at(r->doc, node)->as.items.count != 4) {
        zf_fg_wrong_type(r, node, "uv", "an array of four numbers");
        return;
    }
    uint32_t item = zj_at(r->doc, node)->as.items.first;
    for (uint32_t i = 0; i < 4; i++, item = zj_at(r->doc, item)->next) {
        zo_text text = {NULL, 0};
        double figure = 0.0;
        if (zf_text(r->doc, item, &text) && !zf_fg_figure(text, &figure)) {
            zf_fg_tell(r, item, ZD_FORGE_UV_PARAMETER, ZD_ARGS(zf_fg_quoted(r, text)));
            face->uv_controls[i] = text;
        } else if (zf_fg_number(r, item, "uv", &figure)) {
            face->uv[i] = figure;
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ textures

// Every key once, as the first of them has it: many faces ask, and a file may have any number of keys.
static void index_textures(textures *t, zb_arena *arena) {
    t->keys = zb_intern_open(arena);
    t->values = zb_array_open(arena, sizeof(value));
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t count = 0;
        const uint32_t *nodes = t->nodes[i] != 0 ? zf_members(arena, t->docs[i], t->nodes[i], &count) : NULL;
        for (uint32_t k = 0; k < count && !zb_arena_failed(arena); k++) {
            const uint32_t known = zb_intern_count(&t->keys);
            if (zf_is(t->docs[i], nodes[k], ZJ_STRING) &&
                zb_intern_id(&t->keys, zj_key(t->docs[i], nodes[k])) > known) {
                *(value *)zb_array_push(&t->values) = (value){t->docs[i], nodes[k]};
            }
        }
    }
    t->ends = zb_arena_take_array(arena, (size_t)zb_intern_count(&t->keys) + 1, sizeof *t->ends);
}

// Where the way of a key ends: the id of the last key on it, or one of these.
enum { NOT_GONE = 0, NOWHERE = INT32_MAX - 1, ROUND = INT32_MAX }; // there are never as many keys

static zo_text referred(const value *v, bool *refers) { // what a key has, without its #
    const zo_text text = zj_text(v->doc, v->node);
    *refers = text.size > 0 && text.data[0] == '#';
    return *refers ? (zo_text){text.data + 1, text.size - 1} : text;
}

// From a key by what it refers to. Each key is left for its end once, whatever ways lead through it: they may be long,
// and many. A way that has more keys than there are goes round.
static uint32_t end_of(const textures *t, zo_text key) {
    const uint32_t count = zb_intern_count(&t->keys), first = zb_intern_find(&t->keys, key);
    uint32_t id = first, steps = 0, end = NOT_GONE;
    bool refers = true;
    while (end == NOT_GONE) {
        const value *v = id != 0 ? (const value *)(const void *)t->values.items + (id - 1) : NULL;
        const zo_text text = v != NULL ? referred(v, &refers) : key;
        end = v == NULL ? NOWHERE : t->ends[id] != NOT_GONE ? t->ends[id] : refers ? NOT_GONE : id;
        end = end == NOT_GONE && steps++ == count ? ROUND : end;
        id = end == NOT_GONE ? zb_intern_find(&t->keys, text) : id;
    }
    for (uint32_t at = first; at != 0 && t->ends[at] == NOT_GONE;) {
        const zo_text text = referred((const value *)(const void *)t->values.items + (at - 1), &refers);
        t->ends[at] = end;
        at = refers ? zb_intern_find(&t->keys, text) : 0;
    }
    return end;
}

// The name that "#key" ends at; empty: none, which is told once a key, unless the host supplies it.
static zo_text resolve(reader *k, uint32_t node, zo_text key, bool marked) {
    const zo_text none = {"", 0};
    const uint32_t end = end_of(&k->textures, key), known = zb_intern_count(&k->told);
    if (end != NOWHERE && end != ROUND) {
        const value *v = (const value *)(const void *)k->textures.values.items + (end - 1);
        return zj_text(v->doc, v->node);
    }
    if (!zf_beside_is_supplied(k->r->input, key) && (end == ROUND || !k->textures.open) &&
        zb_intern_id(&k->told, key) > known) {
        const zd_id id = end == ROUND ? ZD_FORGE_TEXTURE_LOOP : ZD_FORGE_UNRESOLVED_TEXTURE;
        const uint32_t added = zf_fg_tell(k->r, node, id, ZD_ARGS(zf_fg_quoted(k->r, key)));
        if (added != 0 && !marked) {
            zd_report_hint(k->r->doc->report, added,
                           "a face names a key of textures, as \"#key\", and there the picture", ZD_NO_ARGS);
        }
    }
    return none;
}

// The game takes a key without its # for the key as well, and never for a picture.
static zo_text read_texture(reader *k, uint32_t node, zo_text text, zf_fg_face *face) {
    const bool marked = text.size > 0 && text.data[0] == '#';
    face->slot = marked ? (zo_text){text.data + 1, text.size - 1} : text;
    const uint32_t known = zb_intern_count(&k->unmarked);
    if (!marked && zb_intern_find(&k->textures.keys, text) != 0 && zb_intern_id(&k->unmarked, text) > known) {
        zf_fg_tell(k->r, node, ZD_FORGE_TEXTURE_WITHOUT_MARK, ZD_ARGS(zf_fg_quoted(k->r, text)));
    }
    return resolve(k, node, face->slot, marked);
}

// --------------------------------------------------------------------------------------------------------------- sides

static void read_face(reader *k, uint32_t node, zf_fg_face *face) {
    const zf_fg_reading *r = k->r;
    zf_fields f;
    zo_text texture = {NULL, 0};
    double turn = 0.0;
    *face = (zf_fg_face){.node = node, .uv = {(double)NAN, (double)NAN, (double)NAN, (double)NAN}, .tint = -1.0};
    if (!zf_fg_open(r, &f, node, &zf_fg_face_object, "a face")) {
        return;
    }
    if (f.nodes[FM_UV] != 0) {
        read_uv(r, f.nodes[FM_UV], face);
    }
    if (zf_fg_member_text(r, &f, FM_TEXTURE, &texture)) {
        face->texture = read_texture(k, f.nodes[FM_TEXTURE], texture, face);
    }
    if (zf_fg_member_number(r, &f, FM_FACE_ROTATION, &turn)) {
        const bool good = turn == 0.0 || turn == 90.0 || turn == 180.0 || turn == 270.0;
        face->rotation = good ? (uint32_t)(turn / 90.0) : 0;
        if (!good) {
            zf_fg_tell(r, f.nodes[FM_FACE_ROTATION], ZD_FORGE_BAD_FACE_ROTATION, ZD_ARGS(zd_number(turn)));
        }
    }
    zf_fg_member_number(r, &f, FM_TINT_INDEX, &face->tint);
}

static void read_faces(reader *k, uint32_t node, zf_fg_element *element) {
    const zf_fg_reading *r = k->r;
    uint32_t count = 0;
    const uint32_t *values = zf_members(r->arena, r->doc, node, &count);
    for (uint32_t i = 0; i < count && !zb_arena_failed(r->arena); i++) {
        const zo_text name = zj_key(r->doc, values[i]);
        const uint32_t side = zf_word(zf_fg_sides, ZF_FG_SIDE_COUNT, name);
        if (side < ZF_FG_SIDE_COUNT) {
            read_face(k, values[i], &element->faces[side]);
        } else {
            zf_fg_tell_key(r, values[i], ZD_FORGE_UNKNOWN_FACE, ZD_ARGS(zf_fg_quoted(r, name)));
        }
    }
}

static void read_element(reader *k, uint32_t node, zf_fg_element *element) {
    const zf_fg_reading *r = k->r;
    zf_fields f;
    *element = (zf_fg_element){.node = node, .shade = true};
    if (!zf_fg_open(r, &f, node, &zf_fg_element_object, "an element")) {
        return;
    }
    if (f.nodes[FM_FROM] != 0 && read_corner(r, f.nodes[FM_FROM], "from", element->from)) {
        check_corner(r, f.nodes[FM_FROM], "from", element->from);
    }
    if (f.nodes[FM_TO] != 0 && read_corner(r, f.nodes[FM_TO], "to", element->to)) {
        check_corner(r, f.nodes[FM_TO], "to", element->to);
    }
    if (f.nodes[FM_ROTATION] != 0) {
        read_rotation(r, f.nodes[FM_ROTATION], element);
    }
    element->shade = zf_fg_member_true(r, &f, FM_SHADE, true);
    if (f.nodes[FM_FACES] != 0 && zf_fg_is(r, f.nodes[FM_FACES], ZJ_OBJECT, "faces")) {
        read_faces(k, f.nodes[FM_FACES], element);
    }
}

static void read_elements(reader *k, uint32_t node, zf_fg_model *out) {
    const zf_fg_reading *r = k->r;
    const uint32_t count = zj_at(r->doc, node)->as.items.count;
    zf_fg_element *elements = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *elements);
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0 && !zb_arena_failed(r->arena);
         item = zj_at(r->doc, item)->next) {
        read_element(k, item, &elements[out->element_count++]);
    }
    out->elements = elements;
}

// --------------------------------------------------------------------------------------------------------------- model

static void check_textures(const zf_fg_reading *r, uint32_t node) {
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        if (!zf_is(r->doc, item, ZJ_STRING)) {
            zf_fg_wrong_type(r, item, "a texture", "a text");
        }
    }
}

static void add_textures(textures *t, const zj_doc *doc, uint32_t node) {
    t->docs[t->count] = doc;
    t->nodes[t->count++] = zf_is(doc, node, ZJ_OBJECT) ? node : 0;
}

static bool is_builtin(zo_text parent) {
    zo_text domain, path;
    return zf_fg_split_name(parent, &domain, &path) && path.size >= 8 && memcmp(path.data, "builtin/", 8) == 0;
}

// The models above, as far as they are known; what is wrong with them is told where they are checked themselves. The
// elements are those of the first that has any: *elements and *doc.
static void read_parents(reader *k, zf_fg_model *out, zo_text parent, const zj_doc **doc, uint32_t *elements) {
    const zf_fg_reading *r = k->r;
    zo_text domain, path;
    if (!zf_fg_split_name(parent, &domain, &path) && parent.size > 0) {
        zf_fg_wrong_type(r, out->parent_node, "parent", "a name, \"domain:path\"");
        return;
    }
    while (parent.size > 0 && !is_builtin(parent)) {
        bool missing = false;
        zo_text tried = {NULL, 0};
        const zf_fg_lookup what = {.name = parent, .folder = "models", .ending = ".json"};
        const zo_source *source = zf_fg_find(r, &what, &missing, &tried);
        if (k->textures.count == PARENTS_MAX) {
            zf_fg_tell(r, out->parent_node, ZD_FORGE_PARENT_LOOP, ZD_ARGS(zd_int(PARENTS_MAX)));
            return;
        }
        if (source == NULL) {
            k->textures.open = true;
            out->unknown = out->unknown || !missing;
            if (missing) {
                zf_fg_tell(r, out->parent_node, ZD_FORGE_UNRESOLVED_MODEL,
                           ZD_ARGS(zf_fg_quoted(r, parent), zd_text(tried)));
            }
            return;
        }
        const zj_doc *above = zf_fg_parent(r, source);
        if (above == NULL || !zf_is(above, ZJ_ROOT, ZJ_OBJECT)) {
            k->textures.open = true;
            return;
        }
        add_textures(&k->textures, above, zj_member(above, ZJ_ROOT, ZB_TEXT("textures")));
        const uint32_t list = zj_member(above, ZJ_ROOT, ZB_TEXT("elements"));
        if (*elements == 0 && zf_is(above, list, ZJ_ARRAY) && zj_at(above, list)->as.items.count > 0) {
            *elements = list;
            *doc = above;
        }
        parent = (zo_text){NULL, 0};
        zf_text(above, zj_member(above, ZJ_ROOT, ZB_TEXT("parent")), &parent);
    }
}

void zf_fg_read_model(const zf_fg_reading *r, zf_fg_model *out) {
    zf_fields f;
    reader k = {.r = r, .told = zb_intern_open(r->arena), .unmarked = zb_intern_open(r->arena)};
    *out = (zf_fg_model){.doc = r->doc};
    if (!zf_fg_open(r, &f, ZJ_ROOT, &zf_fg_model_object, "the file")) {
        return;
    }
    if (f.nodes[FM_TEXTURES] != 0 && zf_fg_is(r, f.nodes[FM_TEXTURES], ZJ_OBJECT, "textures")) {
        check_textures(r, f.nodes[FM_TEXTURES]);
    }
    add_textures(&k.textures, r->doc, f.nodes[FM_TEXTURES]);
    const zj_doc *doc = r->doc;
    uint32_t elements = f.nodes[FM_ELEMENTS];
    if (elements != 0 && !zf_fg_is(r, elements, ZJ_ARRAY, "elements")) {
        return;
    }
    if (elements != 0 && zj_at(doc, elements)->as.items.count == 0) {
        elements = 0; // none: a parent's are taken
    }
    const bool own = elements != 0;
    out->parent_node = f.nodes[FM_PARENT];
    if (zf_fg_member_text(r, &f, FM_PARENT, &out->parent)) {
        read_parents(&k, out, out->parent, &doc, &elements);
    }
    if (elements == 0) {
        return;
    }
    zf_fg_reading there = *r;
    zj_doc silent = *doc;
    if (!own) { // they are another file's
        out->inherited = true;
        silent.report = NULL;
        there.doc = &silent;
        k.r = &there;
    }
    const uint32_t count = zj_at(doc, elements)->as.items.count;
    if (count > ZF_FG_ELEMENTS_MAX - r->reads->element_count) {
        out->crowd = count;
        out->crowd_node = own ? elements : out->parent_node;
        return;
    }
    index_textures(&k.textures, r->arena);
    if (zb_arena_failed(r->arena)) {
        return;
    }
    read_elements(&k, elements, out);
}
