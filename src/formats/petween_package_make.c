// From a pet and what it plays to the manifest of a package, and from a manifest back to the files of a folder. Called
// by api. Both ways put together pieces of the texts that were read, so members that nobody knows, the order of members
// and the spelling of figures survive; only white space is laid out anew, in one way, so that the same content gives
// the same bytes.
#include "formats/petween_package.h"

#include "base/utf8.h"
#include "json/layout.h"

enum { CHANGES_MAX = 2 * ZF_PT_SLOT_COUNT, PATH_MAX_KEYS = 4 };

// ------------------------------------------------------------------------------------------------------------- changes

// A member that is to have another value, or to be there; objects on the way to it are made.
typedef struct change {
    const char *path[PATH_MAX_KEYS]; // NULL behind the last
    zo_text value;                   // JSON
} change;

typedef struct changes {
    change items[CHANGES_MAX];
    uint32_t count;
} changes;

static void put_key(zb_buffer *out, bool *any, zo_text key) {
    zb_put(out, *any ? "," : "");
    *any = true;
    zb_put_json_text(out, key);
    zb_put_char(out, ':');
}

static void put_member(zb_buffer *out, bool *any, const zj_doc *doc, uint32_t member) {
    zb_put(out, *any ? "," : "");
    *any = true;
    const zj_node *key = zj_at(doc, zj_at(doc, member)->key);
    zb_put_bytes(out, doc->source + key->begin, key->end - key->begin);
    zb_put_char(out, ':');
    zb_put_text(out, zj_source(doc, member));
}

// Which of the changes `mask` go through a member of this name.
static uint32_t through(const changes *c, uint32_t mask, uint32_t depth, zo_text key) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        if ((mask >> i & 1) != 0 && zb_text_equal(zb_text(c->items[i].path[depth]), key)) {
            found |= UINT32_C(1) << i;
        }
    }
    return found;
}

static uint32_t first_of(uint32_t mask) {
    uint32_t i = 0;
    while ((mask >> i & 1) == 0) {
        i++;
    }
    return i;
}

static void put_changed(zb_buffer *out, const zj_doc *doc, uint32_t object, const changes *c, uint32_t mask,
                        uint32_t depth);

// A member that the changes `mask` (at least one) go through; `object` is the one that it stands in, 0: it is made.
static void put_through(zb_buffer *out, bool *any, const zj_doc *doc, uint32_t object, const changes *c, uint32_t mask,
                        uint32_t depth) {
    const change *first = &c->items[first_of(mask)];
    const zo_text key = zb_text(first->path[depth]);
    put_key(out, any, key);
    if (depth + 1 == PATH_MAX_KEYS || first->path[depth + 1] == NULL) {
        zb_put_text(out, first->value);
        return;
    }
    const uint32_t value = object != 0 ? zj_member(doc, object, key) : 0;
    put_changed(out, doc, zf_is(doc, value, ZJ_OBJECT) ? value : 0, c, mask, depth + 1);
}

// An object with the changes made in it. Calls itself once a key of a path, whatever the text is like.
static void put_changed(zb_buffer *out, const zj_doc *doc, uint32_t object, const changes *c, uint32_t mask,
                        uint32_t depth) {
    bool any = false;
    uint32_t done = 0;
    zb_put_char(out, '{');
    uint32_t member = object != 0 ? zj_at(doc, object)->as.items.first : 0;
    for (; member != 0; member = zj_at(doc, member)->next) {
        const uint32_t here = through(c, mask, depth, zj_key(doc, member));
        if (here == 0) {
            put_member(out, &any, doc, member);
        } else if ((here & done) == 0) { // of repeated members one is left, with what the last one has
            put_through(out, &any, doc, object, c, here, depth);
            done |= here;
        }
    }
    while ((mask & ~done) != 0) {
        const change *next = &c->items[first_of(mask & ~done)];
        const uint32_t here = through(c, mask, depth, zb_text(next->path[depth]));
        put_through(out, &any, doc, object, c, here, depth);
        done |= here;
    }
    zb_put_char(out, '}');
}

static uint32_t all_of(const changes *c) { return (UINT32_C(1) << c->count) - 1; }

// The members of a pet but for those that a package has beside it, and scale, which comes first if `scale` is not
// empty.
static void put_pet_members(zb_buffer *out, bool *any, const zj_doc *doc, uint32_t pet, zo_text scale,
                            const changes *c) {
    static const zf_name left_out[] = {ZF_NAME("name"), ZF_NAME("scale"), ZF_NAME("attribution"),
                                       ZF_NAME("pluginConfigs")};
    uint32_t done = 0;
    if (scale.size > 0) {
        put_key(out, any, ZB_TEXT("scale"));
        zb_put_text(out, scale);
    }
    for (uint32_t member = zj_at(doc, pet)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        const zo_text key = zj_key(doc, member);
        const uint32_t here = through(c, all_of(c), 0, key);
        if (zf_word(left_out, ZB_COUNT(left_out), key) < ZB_COUNT(left_out)) {
            continue;
        }
        if (here == 0) {
            put_member(out, any, doc, member);
        } else if ((here & done) == 0) {
            put_through(out, any, doc, pet, c, here, 0);
            done |= here;
        }
    }
    while ((all_of(c) & ~done) != 0) {
        const uint32_t here = through(c, all_of(c), 0, zb_text(c->items[first_of(all_of(c) & ~done)].path[0]));
        put_through(out, any, doc, pet, c, here, 0);
        done |= here;
    }
}

static zo_text quoted(zb_arena *arena, zo_text text) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put_json_text(&out, text);
    return (zo_text){out.data, out.size};
}

// ---------------------------------------------------------------------------------------------------------------- make

typedef struct maker {
    const zf_input *input;
    const zo_package_def *def;
    zf_pt_named named;
    zo_text name;
    const zo_package_picture *pictures[ZF_PT_SLOT_COUNT]; // by slot; NULL: none
} maker;

static void put_text(zb_buffer *out, const char *before, const char *value) {
    zb_put(out, before);
    zb_put_json_text(out, zb_text(value));
}

static zo_text id_of(const zo_package_picture *picture) { return (zo_text){picture->info.sha256, ZF_PT_ASSET_ID_SIZE}; }

static void put_assets(zb_buffer *out, const maker *m) {
    zb_put_char(out, '[');
    bool any = false;
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const zo_package_picture *picture = m->pictures[slot];
        bool again = picture == NULL;
        for (uint32_t i = 0; i < slot && !again; i++) {
            again = m->pictures[i] != NULL && zb_text_equal(id_of(m->pictures[i]), id_of(picture));
        }
        if (again) {
            continue;
        }
        const uint32_t kind = picture->info.kind - 1;
        zb_put(out, any ? ",{\"id\":" : "{\"id\":");
        any = true;
        zb_put_json_text(out, id_of(picture));
        put_text(out, ",\"sha256\":", picture->info.sha256);
        zb_put(out, ",\"file\":\"assets/");
        zb_put_text(out, id_of(picture));
        zb_put_char(out, '.');
        zb_put(out, zf_pt_picture_endings[kind]);
        put_text(out, "\",\"mimeType\":", zf_pt_mime_types[kind].text);
        zb_put(out, ",\"width\":");
        zb_put_uint(out, picture->info.width);
        zb_put(out, ",\"height\":");
        zb_put_uint(out, picture->info.height);
        zb_put(out, ",\"sizeBytes\":");
        zb_put_uint(out, picture->info.size);
        zb_put_char(out, '}');
    }
    zb_put_char(out, ']');
}

static void put_animation(zb_buffer *out, const zf_pt_definition *definition, const zf_pt_definition **put,
                          uint32_t *count) {
    for (uint32_t i = 0; i < *count; i++) {
        if (definition == put[i]) {
            return;
        }
    }
    if (definition != NULL) {
        zb_put(out, *count > 0 ? "," : "");
        zb_put_text(out, zj_source(definition->doc, definition->node));
        put[(*count)++] = definition;
    }
}

static void put_mounts(zb_buffer *out, const zf_pt_named *named) {
    bool any = false;
    zb_put_char(out, '{');
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const zf_pt_definition *enter = named->enters[slot], *ambient = named->ambients[slot];
        if (enter == NULL && ambient == NULL) {
            continue;
        }
        put_key(out, &any, zf_name_text(zf_pt_slots[slot]));
        bool inner = false;
        zb_put_char(out, '{');
        if (enter != NULL) {
            put_key(out, &inner, ZB_TEXT("enter"));
            zb_put_json_text(out, enter->id);
        }
        if (ambient != NULL) {
            put_key(out, &inner, ZB_TEXT("ambient"));
            zb_put_json_text(out, ambient->id);
        }
        zb_put_char(out, '}');
    }
    zb_put_char(out, '}');
}

// The member motionPack, if the pet plays animations of its own.
static void put_motion_pack(zb_buffer *out, const maker *m) {
    const zf_pt_definition *put[2 * ZF_PT_SLOT_COUNT + 1];
    uint32_t count = 0;
    zb_buffer animations = zb_buffer_open(out->arena);
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        put_animation(&animations, m->named.enters[slot], put, &count);
        put_animation(&animations, m->named.ambients[slot], put, &count);
    }
    put_animation(&animations, m->named.click, put, &count);
    if (count == 0) {
        return;
    }
    zb_put(out, ",\"motionPack\":{\"format\":\"");
    zb_put(out, zf_pt_pack_word.text);
    zb_put(out, "\",\"version\":1,\"name\":");
    zb_put_json_text(out, m->name);
    zb_put(out, ",\"namespace\":\"");
    zb_put(out, zf_pt_mixed.text);
    zb_put(out, "\",\"animations\":[");
    zb_put_bytes(out, animations.data, animations.size);
    zb_put(out, "],\"mounts\":");
    put_mounts(out, &m->named);
    zb_put_char(out, '}');
}

static void put_extra(zb_buffer *out, bool *any, const zj_doc *doc, const char *key, uint32_t node) {
    if (zf_is(doc, node, ZJ_OBJECT)) {
        put_key(out, any, zb_text(key));
        zb_put_text(out, zj_source(doc, node));
    }
}

static zo_text scale_of(const zj_doc *doc, uint32_t pet, uint32_t global) {
    const uint32_t own = zj_member(doc, pet, ZB_TEXT("scale"));
    const uint32_t node = own != 0 || global == 0 ? own : zj_member(doc, global, ZB_TEXT("scale"));
    return node != 0 ? zj_source(doc, node) : (zo_text){NULL, 0};
}

static zo_text manifest_of(const maker *m, zb_arena *kept) {
    const zj_doc *doc = m->input->doc;
    zb_buffer out = zb_buffer_open(m->input->arena);
    zb_put(&out, "{\"format\":\"");
    zb_put(&out, zf_pt_package_object.fields[PACKAGE_FORMAT].words->text);
    zb_put(&out, "\",\"version\":1,\"name\":");
    zb_put_json_text(&out, m->name);
    zb_put(&out, ",\"pet\":{");
    changes c = {.count = 0};
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        if (m->pictures[slot] != NULL) {
            c.items[c.count++] = (change){{"poses", zf_pt_slots[slot].text, "assetId"},
                                          quoted(m->input->arena, id_of(m->pictures[slot]))};
        }
    }
    bool any = false;
    put_pet_members(&out, &any, doc, ZJ_ROOT, scale_of(doc, ZJ_ROOT, m->named.global), &c);
    zb_put(&out, "},\"assets\":");
    put_assets(&out, m);
    put_motion_pack(&out, m);
    any = true;
    put_extra(&out, &any, doc, "attribution", m->named.attribution);
    put_extra(&out, &any, doc, "pluginConfigs", m->named.plugins);
    zb_put_char(&out, '}');
    return zb_arena_failed(out.arena) ? (zo_text){NULL, 0} : zj_laid_out(kept, (zo_text){out.data, out.size});
}

// The name that fits first. false: the one that is asked for does not.
static bool choose_name(maker *m) {
    m->name = m->def->name != NULL ? zf_pt_trim(zb_text(m->def->name)) : m->named.name;
    const bool asked = m->def->name != NULL;
    if (m->name.size == 0 && !asked) {
        m->name = zf_pt_trim(zb_text(m->def->other_name));
        size_t at = 0;
        // UTF-16 units are at most twice as many
        for (uint32_t i = 0; i < ZF_PT_PACK_NAME_MAX / 2 && at < m->name.size; i++) {
            zb_utf8_next(m->name.data, m->name.size, &at, NULL);
        }
        m->name = zf_pt_trim((zo_text){m->name.data, at});
        m->name = m->name.size > 0 ? m->name : ZB_TEXT("Pet");
    }
    return m->name.size > 0 && zb_utf8_count(m->name.data, m->name.size) <= ZF_PT_PACK_NAME_MAX;
}

static void place_pictures(maker *m) {
    for (uint32_t i = 0; i < m->def->picture_count; i++) {
        const zo_package_picture *picture = &m->def->pictures[i];
        const uint32_t slot = zf_word(zf_pt_slots, ZF_PT_SLOT_COUNT, zb_text(picture->slot));
        ZO_ASSERT(slot < ZF_PT_SLOT_COUNT);
        ZO_ASSERT(picture->info.kind != ZO_PICTURE_OTHER);
        m->pictures[slot] = picture;
    }
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const zo_text id = m->named.images[slot].id;
        if (id.size > 0 && m->pictures[slot] == NULL) {
            zj_report(m->input->doc, m->named.images[slot].node, ZD_PETWEEN_PACKAGE_PICTURE,
                      ZD_ARGS(zf_quoted(m->input->arena, m->input->doc, id)));
        }
    }
}

static zo_package_file *take_files(zb_arena *kept, zo_package *out, uint32_t count) {
    zo_package_file *files = zb_arena_take_array(kept, count, sizeof *files);
    out->files = files;
    return files;
}

static zo_status status_of(zo_status status, const zb_arena *arena, const zb_arena *kept, zd_report *report) {
    if (zb_arena_failed(arena) || zb_arena_failed(kept) || zb_arena_failed(zd_report_arena(report))) {
        return ZO_NO_MEMORY;
    }
    return status == ZO_OK && zd_report_errors(report) > 0 ? ZO_INVALID : status;
}

static zo_status make(const zf_input *input, const zo_package_def *def, zb_arena *kept, zo_package *out) {
    maker m = {.input = input, .def = def};
    const zo_status status = zf_pt_read_pet(input, ZJ_ROOT, NULL, true, &m.named, NULL);
    if (!zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT)) {
        return status;
    }
    place_pictures(&m);
    if (status != ZO_OK || zd_report_errors(input->report) > 0) {
        return status != ZO_OK ? status : ZO_INVALID;
    }
    if (!choose_name(&m)) {
        return ZO_LIMIT;
    }
    zo_package_file *files = take_files(kept, out, 1);
    if (files != NULL) {
        files[0] = (zo_package_file){"manifest.json", manifest_of(&m, kept)};
        out->file_count = 1;
        out->name = zb_arena_text(kept, m.name);
    }
    return ZO_OK;
}

zo_status zf_pt_make_package(const zo_source *sources, uint32_t source_count, const zo_package_def *package_def,
                             const zo_compile_def *def, zb_arena *kept, zo_package *out, zd_report *report) {
    zb_arena arena = zb_arena_open(def->allocator);
    zo_compile_def as_pet = *def;
    as_pet.format = zf_pt_pet_reader.format.name;
    zo_source first = sources[0];
    zf_input input = {.sources = &first, .source_count = 1, .def = &as_pet, .arena = &arena, .report = report};
    zo_status status = ZO_OK;
    const zf_reader *reader = zf_open_source(&input, &first, &status);
    if (reader != NULL) {
        zd_report_format_name(report, reader->format.name);
        input.sources = sources;
        input.source_count = source_count;
        status = make(&input, package_def, kept, out);
    }
    status = status_of(status, &arena, kept, report);
    zb_arena_close(&arena);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------- open

// Mounts outdo what the states say; a folder has no mounts, so its states must say it.
static void mounts_into(changes *c, zb_arena *arena, const zf_pt_named *named, const zj_doc *doc, uint32_t pet) {
    const uint32_t states = zj_member(doc, pet, ZB_TEXT("states"));
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const zf_pt_definition *played[2] = {named->enters[slot], named->ambients[slot]};
        static const char *const parts[2] = {"enter", "ambient"};
        static const char *const members[2] = {"animationId", "customAnimationId"};
        const zo_text slot_name = zf_name_text(zf_pt_slots[slot]);
        const uint32_t state = zf_is(doc, states, ZJ_OBJECT) ? zj_member(doc, states, slot_name) : 0;
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t part = zf_is(doc, state, ZJ_OBJECT) ? zj_member(doc, state, zb_text(parts[i])) : 0;
            zo_text says = {NULL, 0};
            if (zf_is(doc, part, ZJ_OBJECT)) {
                zf_text(doc, zj_member(doc, part, zb_text(members[i])), &says);
            }
            if (played[i] != NULL && !zb_text_equal(says, played[i]->id)) {
                c->items[c->count++] = (change){{"states", zf_pt_slots[slot].text, parts[i], members[i]},
                                                quoted(arena, played[i]->id)};
            }
        }
    }
}

static zo_text pet_of(const zf_pt_package *package, zb_arena *arena, zb_arena *kept) {
    const zj_doc *doc = package->doc;
    zb_buffer out = zb_buffer_open(arena);
    changes c = {.count = 0};
    mounts_into(&c, arena, &package->named, doc, package->pet);
    zo_text scale = scale_of(doc, package->pet, 0);
    const uint32_t global = package->named.global;
    const uint32_t same = global != 0 ? zj_member(doc, global, ZB_TEXT("scale")) : 0;
    if (same != 0 && zb_text_equal(zj_source(doc, same), scale)) {
        scale = (zo_text){NULL, 0}; // it was put there for those who look for it there
    }
    bool any = false;
    zb_put_char(&out, '{');
    put_key(&out, &any, ZB_TEXT("name"));
    zb_put_json_text(&out, package->name);
    put_pet_members(&out, &any, doc, package->pet, scale, &c);
    put_extra(&out, &any, doc, "attribution", package->attribution);
    put_extra(&out, &any, doc, "pluginConfigs", package->plugins);
    zb_put_char(&out, '}');
    return zb_arena_failed(arena) ? (zo_text){NULL, 0} : zj_laid_out(kept, (zo_text){out.data, out.size});
}

static const char *file_name_of(zb_arena *kept, zo_text id) {
    zb_buffer out = zb_buffer_open(kept);
    const zo_text before = zf_pt_namespace(id);
    zb_put(&out, "animations/");
    zb_put_text(&out, before);
    zb_put_char(&out, '_');
    zb_put_bytes(&out, id.data + before.size + 1, id.size - before.size - 1);
    zb_put(&out, ".json");
    return zb_buffer_text(&out);
}

static void open_files(const zf_pt_package *package, zb_arena *arena, zb_arena *kept, zo_package *out) {
    const uint32_t count = 1 + package->pack.animation_count;
    zo_package_file *files = take_files(kept, out, count);
    if (files == NULL) {
        return;
    }
    files[0] = (zo_package_file){"pet.json", pet_of(package, arena, kept)};
    for (uint32_t i = 1; i < count; i++) {
        const zf_pt_definition *definition = &package->pack.animations[i - 1];
        files[i] = (zo_package_file){file_name_of(kept, definition->id),
                                     zj_laid_out(kept, zj_source(definition->doc, definition->node))};
    }
    out->file_count = count;
    out->name = zb_arena_text(kept, package->name);
}

zo_status zf_pt_open_package(const zo_source *manifest, const zo_compile_def *def, zb_arena *kept, zo_package *out,
                             zd_report *report) {
    zb_arena arena = zb_arena_open(def->allocator);
    zo_compile_def as_package = *def;
    as_package.format = zf_pt_package_reader.format.name;
    zo_source first = *manifest;
    zf_input input = {.sources = &first, .source_count = 1, .def = &as_package, .arena = &arena, .report = report};
    zo_status status = ZO_OK;
    const zf_reader *reader = zf_open_source(&input, &first, &status);
    zf_pt_package package;
    if (reader != NULL) {
        zd_report_format_name(report, reader->format.name);
        status = zf_pt_read_package(&input, &package, NULL);
    }
    status = status_of(status, &arena, kept, report);
    if (reader != NULL && status == ZO_OK) {
        open_files(&package, &arena, kept, out);
        status = status_of(status, &arena, kept, report);
    }
    zb_arena_close(&arena);
    return status;
}
