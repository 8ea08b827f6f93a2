// Rigs: the bones that clips move, at rest, and the pictures that hang on them. A small format of ours beside the
// clips, read by tables in the words of the format's own schema. Called by enemy_pack.c, and by formats.c for a rig by
// itself.
#include <math.h>

#include "base/buffer.h"
#include "formats/enemy_fields.h"
#include "formats/enemy_pack.h"

// -------------------------------------------------------------------------------------------------------------- tables

enum {
    RIG_SCHEMA, RIG_VERSION, RIG_TYPE, RIG_NAME, RIG_ATLAS, RIG_PIXELS_PER_UNIT, RIG_PIXEL_ART, RIG_BONES, RIG_SPRITES,
    RIG_LAYERS, RIG_VIEW
};
enum { BONE_NAME, BONE_PARENT, BONE_X, BONE_Y, BONE_ROTATION, BONE_SCALE_X, BONE_SCALE_Y };
enum {
    SPRITE_BONE, SPRITE_IMAGE, SPRITE_REGION, SPRITE_PIVOT_X, SPRITE_PIVOT_Y, SPRITE_PIXELS_PER_UNIT, SPRITE_ORDER,
    SPRITE_LAYER, SPRITE_FLIP_X, SPRITE_FLIP_Y
};
enum { VIEW_LEFT, VIEW_TOP, VIEW_RIGHT, VIEW_BOTTOM };

#define FAR 1e6 // units; far beyond what anybody sees
#define OBJECT(name, about, table) {name, about, ZD_ENEMY_TYPE, .fields = table, .field_count = ZB_COUNT(table), \
                                    .other = ZD_ENEMY_ADDITIONAL_PROPERTIES, .rules = zf_en_rules}
#define MEMBER(text, types, required_, about_) ZF_NAME(text), types, required_, .about = about_
#define NUMBER(text, required, about) {MEMBER(text, ZF_NUMBER, required, about), .low = -FAR, .high = FAR}
#define FLAG(text, about) {MEMBER(text, ZF_BOOLEAN, false, about)}
#define TEXT(text, required, about) {MEMBER(text, ZF_TEXT, required, about), .count_min = 1, .count_max = 200}
#define DENSITY(about) {MEMBER("pixelsPerUnit", ZF_NUMBER, false, about), .low = 0.0, .high = 4096.0, \
                        .flags = ZF_ABOVE_LOW}
#define LIST(text, required, of, least, most, about) \
    {MEMBER(text, ZF_ARRAY, required, about), .object = of, .count_min = least, .count_max = most}

static const zf_field bone_fields[] = {
    [BONE_NAME] = TEXT("name", true, "what targets call it: bone/ and this; all differ"),
    [BONE_PARENT] = {MEMBER("parent", ZF_TEXT | ZF_NULL, false, "the bone that it hangs on; without one it is a root"),
                     .count_min = 1, .count_max = 200},
    [BONE_X] = NUMBER("x", false, "to the right, in units of the parent; 0"),
    [BONE_Y] = NUMBER("y", false, "up, in units of the parent; 0"),
    [BONE_ROTATION] = NUMBER("rotation", false, "degrees, counter-clockwise; 0"),
    [BONE_SCALE_X] = NUMBER("scaleX", false, "a factor; 1"),
    [BONE_SCALE_Y] = NUMBER("scaleY", false, "a factor; 1"),
};
static const zf_object bone_object = OBJECT("bone", "what moves, and carries a sprite and other bones", bone_fields);

static const zf_field sprite_fields[] = {
    [SPRITE_BONE] = TEXT("bone", true, "the bone that it hangs on, and its name: sprite/ and this; one a bone"),
    [SPRITE_IMAGE] = TEXT("image", false, "a PNG, seen from where the rig lies"),
    [SPRITE_REGION] = TEXT("region", false, "a region of the atlas in place of an image"),
    [SPRITE_PIVOT_X] = NUMBER("pivotX", false, "what stands on the bone, from the left, a share of the width; 0.5"),
    [SPRITE_PIVOT_Y] = NUMBER("pivotY", false, "what stands on the bone, from below, a share of the height; 0.5"),
    [SPRITE_PIXELS_PER_UNIT] = DENSITY("how many pixels of the picture make a unit; as the rig says"),
    [SPRITE_ORDER] = {MEMBER("order", ZF_INTEGER, false, "higher is in front, within the layer; 0"), .low = -32768.0,
                      .high = 32767.0},
    [SPRITE_LAYER] = TEXT("layer", false, "one of the rig's layers"),
    [SPRITE_FLIP_X] = FLAG("flipX", "whether left and right of the picture are exchanged"),
    [SPRITE_FLIP_Y] = FLAG("flipY", "whether the picture is upside down"),
};
static const zf_object sprite_object = OBJECT("sprite", "a picture that hangs on a bone", sprite_fields);

static const zf_field view_fields[] = {
    [VIEW_LEFT] = NUMBER("left", true, "units"),
    [VIEW_TOP] = NUMBER("top", true, "units; y points up"),
    [VIEW_RIGHT] = NUMBER("right", true, "units"),
    [VIEW_BOTTOM] = NUMBER("bottom", true, "units"),
};
static const zf_object view_object = OBJECT("view", "what is meant to be seen", view_fields);

static const zf_name rig_word[] = {ZF_NAME("enemyRig")};
static const zf_field rig_fields[] = {
    [RIG_SCHEMA] = TEXT("$schema", false, "where the schema of rigs lies, for editors"),
    [RIG_VERSION] = {MEMBER("schemaVersion", ZF_NUMBER, true, "always 1"), .low = 1.0, .high = 1.0},
    [RIG_TYPE] = {MEMBER("type", ZF_TEXT, true, "always enemyRig"), .words = rig_word, .word_count = 1},
    [RIG_NAME] = TEXT("name", false, "what people call it"),
    [RIG_ATLAS] = TEXT("atlas", false, "the JSON of an atlas, seen from where the rig lies"),
    [RIG_PIXELS_PER_UNIT] = DENSITY("how many pixels of a picture make a unit; 32"),
    [RIG_PIXEL_ART] = FLAG("pixelArt", "whether pictures are not smoothed"),
    [RIG_BONES] = LIST("bones", true, &bone_object, 1, 1024, "in any order"),
    [RIG_SPRITES] = LIST("sprites", false, &sprite_object, 0, 1024,
                         "from the back to the front, where their orders agree"),
    [RIG_LAYERS] = {MEMBER("layers", ZF_ARRAY, false, "names of layers of drawing, from the back to the front"),
                    .count_max = 64, .flags = ZF_UNIQUE},
    [RIG_VIEW] = {MEMBER("view", ZF_OBJECT, false, "what is meant to be seen; without it what the clips reach"),
                  .object = &view_object},
};
static const zf_beyond rig_beyond[] = {
    {ZD_ENEMY_RIG_BONE, "no two bones have one name"},
    {ZD_ENEMY_RIG_PARENT, "a parent is a bone of the rig, and no bone hangs on itself"},
    {ZD_ENEMY_RIG_SPRITE, "a sprite hangs on a bone of the rig, and each bone has one at most"},
    {ZD_ENEMY_RIG_PICTURE, "a sprite has an image or a region, not both, and files lie below the rig"},
    {ZD_ENEMY_RIG_VIEW, "left is left of right, and top above bottom"},
};
const zf_object zf_en_rig_object = {
    "rig", "the bones and sprites that the clips of one enemy move", ZD_ENEMY_TYPE, .fields = rig_fields,
    .field_count = ZB_COUNT(rig_fields), .beyond = rig_beyond, .beyond_count = ZB_COUNT(rig_beyond),
    .other = ZD_ENEMY_ADDITIONAL_PROPERTIES, .rules = zf_en_rules};

// ------------------------------------------------------------------------------------------------------------- reading

typedef struct reader {
    zb_arena *arena;
    const zj_doc *doc;
    zf_en_rig *rig;
    double pixels_per_unit;
    const zo_text *parents;      // of the bones as they stand; empty: none
    const uint32_t *parent_nodes;
    uint32_t errors_before;
} reader;

static zd_arg quoted(const reader *r, zo_text text) { return zf_quoted(r->arena, r->doc, text); }

// A file of the rig's: below it, wherever that is.
static void check_path(const reader *r, zo_text path, uint32_t node) {
    if (path.size > 0 && !zf_en_safe_path(path)) {
        zj_report(r->doc, node, ZD_ENEMY_RIG_PICTURE,
                  ZD_ARGS(quoted(r, path), zd_word("is no path to something below the rig")));
    }
}

static double number_or(const zf_fields *fields, uint32_t field, double absent) {
    const double number = zf_checked_number(fields, field, absent);
    return zb_is_nan(number) ? absent : number;
}

static void read_bone(reader *r, uint32_t node, uint32_t index, zo_text *parent, uint32_t *parent_node) {
    zf_en_bone *bone = &r->rig->bones[index];
    zf_fields f;
    *bone = (zf_en_bone){.scale_x = 1.0, .scale_y = 1.0};
    if (!zf_fields_check(&f, r->arena, r->doc, node, &bone_object)) {
        return;
    }
    *bone = (zf_en_bone){
        .name = zf_checked_text(&f, BONE_NAME), .x = number_or(&f, BONE_X, 0.0), .y = number_or(&f, BONE_Y, 0.0),
        .rotation = number_or(&f, BONE_ROTATION, 0.0), .scale_x = number_or(&f, BONE_SCALE_X, 1.0),
        .scale_y = number_or(&f, BONE_SCALE_Y, 1.0)};
    *parent = zf_checked_text(&f, BONE_PARENT);
    *parent_node = f.nodes[BONE_PARENT];
    const uint32_t known = zb_intern_count(&r->rig->names);
    if (bone->name.size > 0 && zb_intern_id(&r->rig->names, bone->name) <= known) {
        zj_report(r->doc, f.nodes[BONE_NAME], ZD_ENEMY_RIG_BONE, ZD_ARGS(quoted(r, bone->name)));
    }
}

static void read_sprite(reader *r, uint32_t node, zf_en_sprite *sprite, uint8_t *taken) {
    zf_fields f;
    *sprite = (zf_en_sprite){.pixels_per_unit = r->pixels_per_unit};
    if (!zf_fields_check(&f, r->arena, r->doc, node, &sprite_object)) {
        return;
    }
    *sprite = (zf_en_sprite){
        .image = zf_checked_text(&f, SPRITE_IMAGE), .region = zf_checked_text(&f, SPRITE_REGION),
        .image_node = f.nodes[SPRITE_IMAGE], .region_node = f.nodes[SPRITE_REGION],
        .pivot = {number_or(&f, SPRITE_PIVOT_X, 0.5), number_or(&f, SPRITE_PIVOT_Y, 0.5)},
        .pixels_per_unit = number_or(&f, SPRITE_PIXELS_PER_UNIT, r->pixels_per_unit),
        .layer = zf_checked_text(&f, SPRITE_LAYER), .order = number_or(&f, SPRITE_ORDER, 0.0),
        .flip_x = zf_checked_true(&f, SPRITE_FLIP_X, false), .flip_y = zf_checked_true(&f, SPRITE_FLIP_Y, false)};
    check_path(r, sprite->image, sprite->image_node);
    if (sprite->image.size > 0 && sprite->region.size > 0) {
        zj_report(r->doc, sprite->region_node, ZD_ENEMY_RIG_PICTURE,
                  ZD_ARGS(quoted(r, sprite->region), zd_word("stands beside an image, and only one can be shown")));
    }
    const zo_text name = zf_checked_text(&f, SPRITE_BONE);
    const uint32_t ref = zf_en_bone_ref(r->rig, name);
    if (name.size > 0 && (ref == 0 || taken[ref - 1])) {
        zj_report(r->doc, f.nodes[SPRITE_BONE], ZD_ENEMY_RIG_SPRITE,
                  ZD_ARGS(quoted(r, name), zd_word(ref == 0 ? "is no bone of this rig" : "has a sprite already")));
    }
    if (ref != 0) {
        taken[ref - 1] = 1;
        sprite->bone = ref - 1;
    }
}

// Parents before their children, else as they stand. What hangs on itself, however far round, stays where it is.
static void sort_bones(reader *r) {
    const uint32_t count = r->rig->bone_count;
    zf_en_bone *sorted = zb_arena_take_array(r->arena, count, sizeof *sorted);
    uint32_t *place = zb_arena_take_array(r->arena, count, sizeof *place); // + 1 in `sorted`
    uint32_t *way = zb_arena_take_array(r->arena, count, sizeof *way);     // from a bone up to one that has a place
    uint8_t *walked = zb_arena_take_array(r->arena, count, sizeof *walked);
    if (sorted == NULL || place == NULL || way == NULL || walked == NULL) {
        return;
    }
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = 0;
        uint32_t at = i;
        while (place[at] == 0 && !walked[at]) {
            walked[at] = 1;
            way[length++] = at;
            const uint32_t parent_ref = r->rig->bones[at].parent_ref;
            if (parent_ref == 0) {
                break;
            }
            at = parent_ref - 1;
        }
        if (length > 0 && place[at] == 0 && r->rig->bones[way[length - 1]].parent_ref != 0) {
            zj_report(r->doc, r->parent_nodes[way[length - 1]], ZD_ENEMY_RIG_PARENT,
                      ZD_ARGS(quoted(r, r->parents[way[length - 1]]), zd_word("hangs on this bone itself")));
            r->rig->bones[way[length - 1]].parent_ref = 0;
        }
        for (; length > 0; length--) {
            zf_en_bone bone = r->rig->bones[way[length - 1]];
            bone.parent_ref = bone.parent_ref != 0 ? place[bone.parent_ref - 1] : 0;
            sorted[done] = bone;
            place[way[length - 1]] = ++done;
        }
    }
    r->rig->bones = sorted;
    r->rig->names = zb_intern_open(r->arena);
    for (uint32_t i = 0; i < count; i++) {
        zb_intern_id(&r->rig->names, sorted[i].name);
    }
}

static void read_bones(reader *r, const zf_fields *fields) {
    uint32_t count = 0;
    uint32_t item = zf_checked_items(fields, RIG_BONES, &count);
    zf_en_rig *rig = r->rig;
    zo_text *parents = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *parents);
    uint32_t *nodes = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *nodes);
    rig->bones = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *rig->bones);
    rig->names = zb_intern_open(r->arena);
    if (parents == NULL || nodes == NULL || rig->bones == NULL) {
        return;
    }
    rig->bone_count = count;
    for (uint32_t i = 0; i < count; i++, item = zj_at(r->doc, item)->next) {
        read_bone(r, item, i, &parents[i], &nodes[i]);
    }
    r->parents = parents;
    r->parent_nodes = nodes;
    if (zd_report_errors(r->doc->report) > r->errors_before) { // names may be missing or twice: ids are no bones then
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        rig->bones[i].parent_ref = zf_en_bone_ref(rig, parents[i]);
        if (parents[i].size > 0 && rig->bones[i].parent_ref == 0) {
            zj_report(r->doc, nodes[i], ZD_ENEMY_RIG_PARENT,
                      ZD_ARGS(quoted(r, parents[i]), zd_word("is no bone of this rig")));
        }
    }
    sort_bones(r);
}

static void read_sprites(reader *r, const zf_fields *fields) {
    uint32_t count = 0;
    uint32_t item = zf_checked_items(fields, RIG_SPRITES, &count);
    zf_en_rig *rig = r->rig;
    uint8_t *taken = zb_arena_take_array(r->arena, (size_t)rig->bone_count + 1, sizeof *taken);
    rig->sprites = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *rig->sprites);
    if (rig->sprites == NULL || taken == NULL) {
        return;
    }
    rig->sprite_count = count;
    for (uint32_t i = 0; i < count; i++, item = zj_at(r->doc, item)->next) {
        read_sprite(r, item, &rig->sprites[i], taken);
    }
}

static void read_layers(reader *r, const zf_fields *fields) {
    uint32_t count = 0;
    uint32_t item = zf_checked_items(fields, RIG_LAYERS, &count);
    zo_text *layers = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *layers);
    if (layers == NULL || fields->wrong[RIG_LAYERS]) {
        return;
    }
    for (uint32_t i = 0; i < count; i++, item = zj_at(r->doc, item)->next) {
        layers[i] = zj_text(r->doc, item);
    }
    r->rig->layers = layers;
    r->rig->layer_count = count;
}

static void read_view(reader *r, const zf_fields *fields) {
    zf_fields f;
    if (fields->nodes[RIG_VIEW] == 0 || fields->wrong[RIG_VIEW] ||
        !zf_fields_check(&f, r->arena, r->doc, fields->nodes[RIG_VIEW], &view_object)) {
        return;
    }
    double *view = r->rig->view;
    for (uint32_t i = VIEW_LEFT; i <= VIEW_BOTTOM; i++) {
        view[i] = zf_checked_number(&f, i, (double)NAN);
    }
    r->rig->has_view = true;
    if (view[VIEW_LEFT] >= view[VIEW_RIGHT] || view[VIEW_BOTTOM] >= view[VIEW_TOP]) {
        zf_report_head(r->doc, fields->nodes[RIG_VIEW], ZD_ENEMY_RIG_VIEW,
                       ZD_ARGS(zd_number(view[VIEW_LEFT]), zd_number(view[VIEW_RIGHT]), zd_number(view[VIEW_BOTTOM]),
                               zd_number(view[VIEW_TOP])));
    }
}

bool zf_en_read_rig(zb_arena *arena, const zj_doc *doc, zf_en_rig *out) {
    *out = (zf_en_rig){.doc = doc, .names = zb_intern_open(arena)};
    reader r = {.arena = arena, .doc = doc, .rig = out, .errors_before = zd_report_errors(doc->report)};
    zf_fields fields;
    if (!zf_fields_check(&fields, arena, doc, ZJ_ROOT, &zf_en_rig_object)) {
        return false;
    }
    out->name = zf_checked_text(&fields, RIG_NAME);
    out->atlas = zf_checked_text(&fields, RIG_ATLAS);
    out->atlas_node = fields.nodes[RIG_ATLAS];
    out->pixel_art = zf_checked_true(&fields, RIG_PIXEL_ART, false);
    r.pixels_per_unit = number_or(&fields, RIG_PIXELS_PER_UNIT, 32.0);
    out->pixels_per_unit = r.pixels_per_unit;
    check_path(&r, out->atlas, out->atlas_node);
    read_bones(&r, &fields);
    read_sprites(&r, &fields);
    read_layers(&r, &fields);
    read_view(&r, &fields);
    return zd_report_errors(doc->report) == r.errors_before;
}

// ------------------------------------------------------------------------------------------------------- without a rig

// The bone of the path, its parents made before it.
static void add_path(zb_array *bones, zb_intern *names, zo_text path) {
    uint32_t parent_ref = 0;
    for (size_t end = 0; end <= path.size; end++) {
        if (end < path.size && path.data[end] != '/') {
            continue;
        }
        const zo_text name = {path.data, end};
        const uint32_t known = zb_intern_count(names);
        const uint32_t ref = zb_intern_id(names, name);
        if (ref > known) {
            *(zf_en_bone *)zb_array_push(bones) =
                (zf_en_bone){.name = name, .parent_ref = parent_ref, .scale_x = 1.0, .scale_y = 1.0};
        }
        parent_ref = ref;
    }
}

static zo_text behind_slash(zo_text target) { // of bone/x and sprite/x: x
    const char *slash = memchr(target.data, '/', target.size);
    const size_t size = slash != NULL ? (size_t)(slash - target.data) + 1 : target.size;
    return (zo_text){target.data + size, target.size - size};
}

static zo_text effect_bone(zo_text target) { // empty: it names none
    static const zo_text kinds[] = {{"bone/", 5}, {"enemy-bone/", 11}};
    for (uint32_t i = 0; i < ZB_COUNT(kinds); i++) {
        if (target.size > kinds[i].size && memcmp(target.data, kinds[i].data, kinds[i].size) == 0) {
            return (zo_text){target.data + kinds[i].size, target.size - kinds[i].size};
        }
    }
    return (zo_text){"", 0};
}

void zf_en_make_rig(zb_arena *arena, const zf_en_clip *clips, uint32_t clip_count, zf_en_rig *out) {
    *out = (zf_en_rig){.names = zb_intern_open(arena)};
    zb_array bones = zb_array_open(arena, sizeof(zf_en_bone));
    for (uint32_t c = 0; c < clip_count; c++) {
        const zf_en_clip *clip = &clips[c];
        for (uint32_t i = 0; i < clip->track_count; i++) {
            add_path(&bones, &out->names, behind_slash(clip->tracks[i].target));
        }
        for (uint32_t i = 0; i < clip->object_track_count; i++) {
            add_path(&bones, &out->names, behind_slash(clip->object_tracks[i].target));
        }
        for (uint32_t i = 0; i < clip->effect_count; i++) {
            const zo_text name = effect_bone(clip->effects[i].target);
            if (name.size > 0) {
                add_path(&bones, &out->names, name);
            }
        }
    }
    out->bones = (zf_en_bone *)(void *)bones.items;
    out->bone_count = bones.count;
}

uint32_t zf_en_bone_ref(const zf_en_rig *rig, zo_text name) { return zb_intern_find(&rig->names, name); }

uint32_t zf_en_effect_bone_ref(const zf_en_rig *rig, const zf_en_effect *effect) {
    const zo_text name = effect_bone(effect->target);
    return name.size > 0 ? zf_en_bone_ref(rig, name) : 0;
}

int32_t zf_en_layer(const zf_en_rig *rig, zo_text name) {
    int32_t own = -1, usual = -1;
    for (uint32_t i = 0; i < rig->layer_count; i++) {
        own = name.size > 0 && zb_text_equal(rig->layers[i], name) ? (int32_t)i : own;
        usual = zb_text_equal(rig->layers[i], ZB_TEXT("Default")) ? (int32_t)i : usual;
    }
    return own >= 0 ? own - usual : 0; // usual is -1 where there is none: then they are numbered from 1
}

// -------------------------------------------------------------------------------------------------------------- reader

static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    zo_text type = {NULL, 0};
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("type")), &type) && zb_text_equal(type, ZB_TEXT("enemyRig"))) {
        return 100;
    }
    return zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("bones")), ZJ_ARRAY) &&
           zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("sprites")), ZJ_ARRAY) ? 60 : 0;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    zf_en_pack pack;
    const zo_status status = zf_en_read_pack(input, true, &pack);
    if (status == ZO_OK && build != NULL) {
        zf_en_compile(&pack, build);
    }
    return status;
}

const zf_reader zf_en_rig_reader = {
    .format = {.name = "enemy-rig", .title = "rig of an enemy"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .object = &zf_en_rig_object,
};
