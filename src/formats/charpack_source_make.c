// From an authoring file to the three JSON files of a character pack, and back. Called by api. What both have alike
// goes from one to the other as it is written, figures included; white space is laid out in one way, so that the same
// content gives the same bytes.
#include "base/buffer.h"
#include "base/utf8.h"
#include "formats/charpack.h"
#include "formats/charpack_source.h"
#include "json/layout.h"

static const char manifest_name[] = "runtime_manifest.json", graph_name[] = "graph_config.json";
static const char mouth_name[] = "spriteforge_mouth_config.json";
static const char no_mouth[] = "{\"version\":1,\"canvas_size\":null,\"profile_kind\":\"runtime_ktx2\","
                               "\"expressions\":{},\"profiles\":{}}";

// ---------------------------------------------------------------------------------------------------------------- plan

static const char *const *texts_of(zb_arena *kept, const zb_intern *intern) {
    const uint32_t count = zb_intern_count(intern);
    const char **texts = zb_arena_take_array(kept, (size_t)count + 1, sizeof *texts);
    for (uint32_t i = 0; i < count && texts != NULL; i++) {
        texts[i] = zb_intern_text(intern, i + 1).data; // ended by a zero byte
    }
    return texts;
}

static uint32_t frame_count(const zf_cs_source *source) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < source->clip_count; i++) {
        count += source->clips[i].count;
    }
    return count;
}

zo_status zf_cs_plan(const zo_source *source, const char *const *pictures, uint32_t picture_count,
                     const zo_compile_def *def, zb_arena *kept, zf_cs_source *out, zo_charpack_plan *plan,
                     zd_report *report) {
    zo_compile_def named = *def;
    named.format = zf_cs_reader.format.name;
    zo_source copy = *source;
    zf_input input = {.sources = &copy, .source_count = 1, .def = &named, .arena = kept, .report = report};
    zo_status status;
    if (zf_open_source(&input, &copy, &status) == NULL) {
        return zb_arena_failed(kept) ? ZO_NO_MEMORY : status;
    }
    zd_report_format_name(report, named.format);
    const zf_cs_files files = zf_cs_files_of(kept, pictures, picture_count);
    const bool fine = zf_cs_read(kept, input.doc, &files, out);
    if (fine) {
        *plan = (zo_charpack_plan){
            .id = zb_arena_text(kept, out->id), .pictures = texts_of(kept, &out->pictures),
            .picture_count = zb_intern_count(&out->pictures), .textures = texts_of(kept, &out->textures),
            .clip_count = out->clip_count, .frame_count = frame_count(out),
            .encoding = (zo_charpack_encoding)out->encoding, .level = out->level, .quality = out->quality};
    }
    return zb_arena_failed(kept) || zb_arena_failed(zd_report_arena(report)) ? ZO_NO_MEMORY : fine ? ZO_OK : ZO_INVALID;
}

// ---------------------------------------------------------------------------------------------------------------- make

static void put_key(zb_buffer *out, bool *any, zo_text key) {
    zb_put(out, *any ? "," : "");
    *any = true;
    zb_put_json_text(out, key);
    zb_put_char(out, ':');
}

static void put_text(zb_buffer *out, bool *any, const char *key, zo_text value) {
    put_key(out, any, zb_text(key));
    zb_put_json_text(out, value);
}

static void put_count(zb_buffer *out, bool *any, const char *key, uint64_t value) {
    put_key(out, any, zb_text(key));
    zb_put_uint(out, value);
}

typedef struct maker {
    const zf_cs_source *source;
    const zo_charpack_stored *stored;
} maker;

static void put_frames(zb_buffer *out, const maker *m, const zf_cs_clip *clip) {
    const uint32_t *frames = (const uint32_t *)(const void *)m->source->frames.items + clip->first;
    zb_put_char(out, '[');
    for (uint32_t i = 0; i < clip->count; i++) {
        zb_put(out, i > 0 ? "," : "");
        zb_put_json_text(out, zb_intern_text(&m->source->textures, m->stored->same_as[frames[i] - 1] + 1));
    }
    zb_put_char(out, ']');
}

static void put_manifest(zb_buffer *out, const maker *m) {
    const zf_cs_source *s = m->source;
    uint32_t texture_count = 0;
    bool any = false;
    for (uint32_t i = 0; i < zb_intern_count(&s->pictures); i++) {
        texture_count += m->stored->same_as[i] == i;
    }
    zb_put_char(out, '{');
    put_text(out, &any, "format", ZB_TEXT(ZF_CP_FORMAT));
    put_text(out, &any, "textureFormat", ZB_TEXT("ktx2"));
    put_text(out, &any, "id", s->id);
    put_text(out, &any, "displayName", s->display_name);
    put_text(out, &any, "version", s->version);
    put_text(out, &any, "graph", zb_text(graph_name));
    put_text(out, &any, "mouthConfig", zb_text(mouth_name));
    put_count(out, &any, "clipCount", s->clip_count);
    put_count(out, &any, "frameCount", frame_count(s));
    put_count(out, &any, "textureCount", texture_count);
    put_count(out, &any, "textureBytes", m->stored->texture_bytes);
    if (m->stored->quality > 0) {
        put_count(out, &any, "quality", m->stored->quality - 1);
    }
    if (m->stored->level > 0) {
        put_count(out, &any, "zcmp", m->stored->level);
    }
    put_key(out, &any, ZB_TEXT("clips"));
    zb_put_char(out, '{');
    bool inner = false;
    for (uint32_t i = 0; i < s->clip_count; i++) {
        const zf_cs_clip *clip = &s->clips[i];
        put_key(out, &inner, clip->label);
        zb_put_char(out, '{');
        bool own = false;
        put_text(out, &own, "phase", clip->phase);
        put_count(out, &own, "frameIntervalMs", (uint64_t)clip->interval_ms);
        put_text(out, &own, "loopMode", zf_name_text(zf_cs_loop_words[clip->loop_word]));
        put_key(out, &own, ZB_TEXT("frames"));
        put_frames(out, m, clip);
        zb_put_char(out, '}');
    }
    zb_put_char(out, '}');
    put_key(out, &any, ZB_TEXT("mouthOverlays"));
    zb_put_char(out, '{');
    inner = false;
    for (uint32_t i = 0; i < s->overlay_count; i++) {
        put_key(out, &inner, s->overlays[i].label);
        put_frames(out, m, &s->overlays[i]);
    }
    zb_put(out, "}}");
}

static void put_graph(zb_buffer *out, const zf_cs_source *s) {
    zb_put(out, "{\"nodes\":[");
    for (uint32_t i = 0; i < s->node_count; i++) {
        bool any = false;
        zb_put(out, i > 0 ? ",{" : "{");
        put_text(out, &any, "id", s->nodes[i].id);
        put_text(out, &any, "label", s->nodes[i].label);
        zb_put(out, s->nodes[i].root ? ",\"isRoot\":true}" : "}");
    }
    zb_put(out, "],\"edges\":[");
    for (uint32_t i = 0; i < s->edge_count; i++) {
        bool any = false;
        zb_put(out, i > 0 ? ",{" : "{");
        put_text(out, &any, "id", s->edges[i].id);
        put_text(out, &any, "from", s->edges[i].from);
        put_text(out, &any, "to", s->edges[i].to);
        put_key(out, &any, ZB_TEXT("prob"));
        zb_put_text(out, s->edges[i].prob);
        zb_put_char(out, '}');
    }
    zb_put(out, "]}");
}

bool zf_cs_make(zb_arena *kept, const zf_cs_source *source, const zo_charpack_stored *stored, zo_package *out) {
    const maker m = {source, stored};
    zb_arena scratch = zb_arena_open(&kept->allocator);
    zo_package_file *files = zb_arena_take_array(kept, 3, sizeof *files);
    zb_buffer manifest = zb_buffer_open(&scratch), graph = zb_buffer_open(&scratch);
    put_manifest(&manifest, &m);
    put_graph(&graph, source);
    const bool made = files != NULL && !zb_arena_failed(&scratch);
    if (made) {
        const zo_text mouth = source->mouth != 0 ? zj_source(source->doc, source->mouth) : zb_text(no_mouth);
        files[0] = (zo_package_file){manifest_name, zj_laid_out(kept, (zo_text){manifest.data, manifest.size})};
        files[1] = (zo_package_file){graph_name, zj_laid_out(kept, (zo_text){graph.data, graph.size})};
        files[2] = (zo_package_file){mouth_name, zj_laid_out(kept, mouth)};
        *out = (zo_package){.files = files, .file_count = 3, .name = zb_arena_text(kept, source->display_name)};
    }
    zb_arena_close(&scratch);
    return made && !zb_arena_failed(kept);
}

// ---------------------------------------------------------------------------------------------------------------- open

// A pack on its way back. Its texts are trimmed, as the pack's reader takes them.
typedef struct opener {
    zb_arena *arena;
    const zj_doc *docs[3];   // manifest, graph, mouth
    zb_intern textures;      // as the pack names them, normalised
    const char **pictures;   // what each becomes; NULL at first
    zf_cs_files files;       // the same, sorted
} opener;

static zo_text text_at(const opener *o, const zj_doc *doc, uint32_t object, const char *name) {
    return zf_is(doc, object, ZJ_OBJECT) ? zf_cp_text(o->arena, doc, zj_member(doc, object, zb_text(name)), NULL)
                                         : (zo_text){"", 0};
}

static uint64_t whole_at(const zj_doc *doc, uint32_t object, const char *name) { // 0: it is none
    int64_t value = 0;
    bool loose = false;
    return zf_cp_integer(doc, zj_member(doc, object, zb_text(name)), &value, &loose) && value > 0 ? (uint64_t)value : 0;
}

// Empty: it is no path.
static zo_text path_of(const opener *o, zo_text text) {
    const char *fault = NULL;
    const zo_text path = zf_cp_path(o->arena, text, &fault);
    return fault == NULL ? path : (zo_text){"", 0};
}

static uint32_t texture_of(opener *o, uint32_t node) { // from 1; 0: it is none
    const zo_text path = path_of(o, zf_cp_text(o->arena, o->docs[0], node, NULL));
    return path.size > 0 ? zb_intern_id(&o->textures, path) : 0;
}

static void note_list(opener *o, uint32_t list) {
    uint32_t node = zf_is(o->docs[0], list, ZJ_ARRAY) ? zj_at(o->docs[0], list)->as.items.first : 0;
    for (; node != 0; node = zj_at(o->docs[0], node)->next) {
        texture_of(o, node);
    }
}

static uint32_t members_of(const zj_doc *doc, uint32_t object) {
    return zf_is(doc, object, ZJ_OBJECT) ? zj_at(doc, object)->as.items.first : 0;
}

static uint32_t frames_at(const zj_doc *doc, uint32_t clip) {
    return zf_is(doc, clip, ZJ_OBJECT) ? zj_member(doc, clip, ZB_TEXT("frames")) : 0;
}

// The texture's name with another ending, and a number where that is another's already.
static void name_pictures(opener *o) {
    const uint32_t count = zb_intern_count(&o->textures);
    zb_intern taken = zb_intern_open(o->arena);
    o->pictures = zb_arena_take_array(o->arena, (size_t)count + 1, sizeof *o->pictures);
    for (uint32_t i = 0; i < count && !zb_arena_failed(o->arena); i++) {
        const zo_text texture = zb_intern_text(&o->textures, i + 1);
        size_t end = texture.size;
        while (end > 0 && texture.data[end - 1] != '.' && texture.data[end - 1] != '/') {
            end--;
        }
        end = end > 0 && texture.data[end - 1] == '.' ? end - 1 : texture.size;
        for (uint32_t number = 1; o->pictures[i] == NULL && !zb_arena_failed(o->arena); number++) {
            zb_buffer name = zb_buffer_open(o->arena);
            zb_put_bytes(&name, texture.data, end);
            if (number > 1) {
                zb_put_char(&name, '-');
                zb_put_uint(&name, number);
            }
            zb_put(&name, ".png");
            const uint32_t known = zb_intern_count(&taken);
            const uint32_t id = zb_intern_id(&taken, (zo_text){name.data, name.size});
            o->pictures[i] = id > known ? zb_intern_text(&taken, id).data : NULL;
        }
    }
    o->files = zf_cs_files_of(o->arena, o->pictures, zb_arena_failed(o->arena) ? 0 : count);
}

static zo_text folder_of(zo_text path) {
    while (path.size > 0 && path.data[path.size - 1] != '/') {
        path.size--;
    }
    return (zo_text){path.data, path.size > 0 ? path.size - 1 : 0};
}

static zo_text picture_of(opener *o, uint32_t node) {
    const uint32_t texture = texture_of(o, node);
    return texture != 0 ? zb_text(o->pictures[texture - 1]) : (zo_text){"", 0};
}

// A folder, where its pictures are these and stand in that order; else one by one.
static void put_pictures(zb_buffer *out, bool *any, opener *o, uint32_t list) {
    const zj_doc *doc = o->docs[0];
    const uint32_t first = zf_is(doc, list, ZJ_ARRAY) ? zj_at(doc, list)->as.items.first : 0;
    const zo_text folder = first != 0 ? folder_of(picture_of(o, first)) : (zo_text){"", 0};
    const zf_cs_files in = zf_cs_files_in(&o->files, folder);
    uint32_t same = 0;
    for (uint32_t node = first; node != 0 && same < in.count && zb_text_equal(picture_of(o, node), in.names[same]);
         node = zj_at(doc, node)->next) {
        same++;
    }
    if (first != 0 && same == in.count && zj_at(doc, list)->as.items.count == in.count) {
        put_text(out, any, "folder", folder.size > 0 ? folder : ZB_TEXT("."));
        return;
    }
    put_key(out, any, ZB_TEXT("frames"));
    zb_put_char(out, '[');
    for (uint32_t node = first; node != 0; node = zj_at(doc, node)->next) {
        zb_put(out, node == first ? "" : ",");
        zb_put_json_text(out, picture_of(o, node));
    }
    zb_put_char(out, ']');
}

// Members of a map by their trimmed names; of those that are the same the last counts, at the first one's place.
static uint32_t last_of(zb_intern *labels, zb_array *values, uint32_t node, zo_text label) {
    const uint32_t known = zb_intern_count(labels), id = zb_intern_id(labels, label);
    if (id > known) {
        *(uint32_t *)zb_array_push(values) = node;
    } else if (id != 0) {
        ((uint32_t *)(void *)values->items)[id - 1] = node;
    }
    return id;
}

static void put_map(zb_buffer *out, opener *o, uint32_t map, bool clips) {
    const zj_doc *doc = o->docs[0];
    zb_intern labels = zb_intern_open(o->arena);
    zb_array values = zb_array_open(o->arena, sizeof(uint32_t));
    for (uint32_t node = members_of(doc, map); node != 0; node = zj_at(doc, node)->next) {
        last_of(&labels, &values, node, zb_utf8_trim(zj_key(doc, node), zb_is_white));
    }
    for (uint32_t i = 0; i < values.count && !zb_arena_failed(o->arena); i++) {
        const uint32_t node = ((const uint32_t *)(const void *)values.items)[i];
        bool any = false;
        zb_put(out, i > 0 ? ",{" : "{");
        put_text(out, &any, "label", zb_intern_text(&labels, i + 1));
        put_pictures(out, &any, o, clips ? frames_at(doc, node) : node);
        if (clips && zf_is(doc, node, ZJ_OBJECT)) {
            put_count(out, &any, "frameIntervalMs", whole_at(doc, node, "frameIntervalMs"));
            put_text(out, &any, "loopMode", text_at(o, doc, node, "loopMode"));
            put_text(out, &any, "phase", text_at(o, doc, node, "phase"));
        }
        zb_put_char(out, '}');
    }
}

static void put_parts(zb_buffer *out, const opener *o, const zj_doc *doc, uint32_t list, const char *const *texts) {
    uint32_t node = zf_is(doc, list, ZJ_ARRAY) ? zj_at(doc, list)->as.items.first : 0;
    for (bool more = false; node != 0; node = zj_at(doc, node)->next, more = true) {
        bool any = false;
        zb_put(out, more ? ",{" : "{");
        for (uint32_t i = 0; texts[i] != NULL; i++) {
            put_text(out, &any, texts[i], text_at(o, doc, node, texts[i]));
        }
        if (!zf_is(doc, node, ZJ_OBJECT)) {
            zb_put_char(out, '}');
            continue;
        }
        const uint32_t root = zj_member(doc, node, ZB_TEXT("isRoot")), prob = zj_member(doc, node, ZB_TEXT("prob"));
        if (zf_is(doc, root, ZJ_TRUE)) {
            zb_put(out, ",\"isRoot\":true");
        }
        if (zf_is(doc, prob, ZJ_NUMBER)) {
            zb_put(out, ",\"prob\":");
            zb_put_text(out, zj_source(doc, prob));
        }
        zb_put_char(out, '}');
    }
}

static void put_source(zb_buffer *out, opener *o) {
    static const char *const node_texts[] = {"id", "label", NULL}, *const edge_texts[] = {"id", "from", "to", NULL};
    const zj_doc *manifest = o->docs[0], *graph = o->docs[1];
    const uint32_t overlays = zj_member(manifest, ZJ_ROOT, ZB_TEXT("mouthOverlays"));
    const uint64_t level = whole_at(manifest, ZJ_ROOT, "zcmp");
    bool any = false;
    zb_put_char(out, '{');
    put_count(out, &any, "schemaVersion", 1);
    put_text(out, &any, "type", zf_name_text(zf_cs_type_word[0]));
    put_text(out, &any, "id", text_at(o, manifest, ZJ_ROOT, "id"));
    put_text(out, &any, "displayName", text_at(o, manifest, ZJ_ROOT, "displayName"));
    put_text(out, &any, "version", text_at(o, manifest, ZJ_ROOT, "version"));
    if (level >= 1 && level <= 22) {
        put_count(out, &any, "level", level);
    }
    put_key(out, &any, ZB_TEXT("clips"));
    zb_put_char(out, '[');
    put_map(out, o, zj_member(manifest, ZJ_ROOT, ZB_TEXT("clips")), true);
    zb_put(out, "],\"nodes\":[");
    put_parts(out, o, graph, zj_member(graph, ZJ_ROOT, ZB_TEXT("nodes")), node_texts);
    zb_put(out, "],\"edges\":[");
    put_parts(out, o, graph, zj_member(graph, ZJ_ROOT, ZB_TEXT("edges")), edge_texts);
    zb_put_char(out, ']');
    if (members_of(manifest, overlays) != 0) {
        put_key(out, &any, ZB_TEXT("mouthOverlays"));
        zb_put_char(out, '[');
        put_map(out, o, overlays, false);
        zb_put_char(out, ']');
    }
    put_key(out, &any, ZB_TEXT("mouth"));
    zb_put_text(out, zj_source(o->docs[2], ZJ_ROOT));
    zb_put_char(out, '}');
}

static zo_status parse(opener *o, uint32_t index, const zo_source *source, const zo_compile_def *def,
                       zd_report *report) {
    const zj_limits limits = {.depth_max = def->depth_max, .size_max = def->size_max};
    const uint32_t file = zd_report_file(report, source->name, source->bytes, source->size);
    const zj_outcome read = zj_parse_outcome(o->arena, source->bytes, source->size, file, &limits, report);
    o->docs[index] = read.doc;
    if (read.doc == NULL || zf_is(read.doc, ZJ_ROOT, ZJ_OBJECT)) {
        return read.status;
    }
    zf_report_head(read.doc, ZJ_ROOT, ZD_CHARPACK_SOURCE_VALUE,
                   ZD_ARGS(zd_word("a file of a character pack"), zd_word("an object"),
                           zf_not(o->arena, read.doc, ZJ_ROOT)));
    return ZO_INVALID;
}

// The file that a member of the manifest names.
static zo_status parse_named(opener *o, uint32_t index, const char *member, const zo_source *sources, uint32_t count,
                             const zo_compile_def *def, zd_report *report) {
    const zo_text name = path_of(o, text_at(o, o->docs[0], ZJ_ROOT, member));
    for (uint32_t i = 1; i < count; i++) {
        if (zb_text_equal(zb_text(sources[i].name), name)) {
            return parse(o, index, &sources[i], def, report);
        }
    }
    zd_report_add_need(report, zb_arena_text(o->arena, name), ZO_NEED_BYTES);
    return ZO_NEEDS;
}

zo_status zf_cs_open(const zo_source *sources, uint32_t source_count, const zo_compile_def *def, zb_arena *kept,
                     zo_charpack_parts *out, zd_report *report) {
    opener o = {.arena = kept, .textures = zb_intern_open(kept)};
    const zo_status status = parse(&o, 0, &sources[0], def, report);
    if (status != ZO_OK) {
        return status;
    }
    const zo_status graph = parse_named(&o, 1, "graph", sources, source_count, def, report);
    const zo_status mouth = parse_named(&o, 2, "mouthConfig", sources, source_count, def, report);
    if (graph != ZO_OK || mouth != ZO_OK) {
        return graph != ZO_OK && graph != ZO_NEEDS ? graph : mouth != ZO_OK ? mouth : graph;
    }
    const uint32_t clips = zj_member(o.docs[0], ZJ_ROOT, ZB_TEXT("clips"));
    const uint32_t overlays = zj_member(o.docs[0], ZJ_ROOT, ZB_TEXT("mouthOverlays"));
    for (uint32_t node = members_of(o.docs[0], clips); node != 0; node = zj_at(o.docs[0], node)->next) {
        note_list(&o, frames_at(o.docs[0], node));
    }
    for (uint32_t node = members_of(o.docs[0], overlays); node != 0; node = zj_at(o.docs[0], node)->next) {
        note_list(&o, node);
    }
    name_pictures(&o);
    zb_buffer text = zb_buffer_open(kept);
    if (!zb_arena_failed(kept)) {
        put_source(&text, &o);
    }
    if (zb_arena_failed(kept)) {
        return ZO_NO_MEMORY;
    }
    *out = (zo_charpack_parts){.source = zj_laid_out(kept, (zo_text){text.data, text.size}),
                               .textures = texts_of(kept, &o.textures), .pictures = o.pictures,
                               .picture_count = zb_intern_count(&o.textures)};
    return zb_arena_failed(kept) ? ZO_NO_MEMORY : ZO_OK;
}
