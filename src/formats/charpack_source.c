// The reader of authoring files: members to plain structures, and the rules between them. Called through the table of
// formats, where the pictures are not asked for, and by what makes packs. Knows no pixels.
#include "formats/charpack_source.h"

#include <math.h>

#include "base/buffer.h"
#include "base/utf8.h"

// ------------------------------------------------------------------------------------------------------------ pictures

static size_t folder_size(zo_text path) { // without the slash; 0: none
    size_t size = path.size;
    while (size > 0 && path.data[size - 1] != '/') {
        size--;
    }
    return size > 0 ? size - 1 : 0;
}

static bool is_digit(zo_text text, size_t at) { return at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; }

static size_t digits_end(zo_text text, size_t at) {
    while (is_digit(text, at)) {
        at++;
    }
    return at;
}

// Runs of digits by what they count, the rest by bytes.
static int compare_counting(zo_text a, zo_text b) {
    size_t i = 0, k = 0;
    while (i < a.size && k < b.size) {
        if (!is_digit(a, i) || !is_digit(b, k)) {
            if (a.data[i] != b.data[k]) {
                return (unsigned char)a.data[i] < (unsigned char)b.data[k] ? -1 : 1;
            }
            i++, k++;
            continue;
        }
        const size_t a_end = digits_end(a, i), b_end = digits_end(b, k);
        while (i < a_end && a.data[i] == '0') {
            i++;
        }
        while (k < b_end && b.data[k] == '0') {
            k++;
        }
        if (a_end - i != b_end - k) {
            return a_end - i < b_end - k ? -1 : 1;
        }
        const int order = a_end > i ? memcmp(a.data + i, b.data + k, a_end - i) : 0;
        if (order != 0) {
            return order;
        }
        i = a_end;
        k = b_end;
    }
    const int rest = (int)(i < a.size) - (int)(k < b.size);
    return rest != 0 ? rest : zb_text_order(a, b); // 01 and 1: in some order, always the same
}

static zo_text folder_of(zo_text path) { return (zo_text){path.data, folder_size(path)}; }

static int compare_paths(zo_text a, zo_text b) {
    const int order = zb_text_order(folder_of(a), folder_of(b));
    return order != 0 ? order : compare_counting(a, b);
}

zf_cs_files zf_cs_files_of(zb_arena *arena, const char *const *names, uint32_t count) {
    zo_text *texts = zb_arena_take_array(arena, (size_t)count + 1, sizeof *texts);
    for (uint32_t i = 0; i < count && texts != NULL; i++) {
        texts[i] = zb_text(names[i]);
    }
    const zo_text *sorted = texts != NULL ? zf_sorted_texts(arena, texts, count, compare_paths) : NULL;
    return (zf_cs_files){sorted, sorted != NULL ? count : 0};
}

// The first picture whose folder is not before this one, or, with `beyond`, is behind it.
static uint32_t bound(const zf_cs_files *files, zo_text folder, bool beyond) {
    uint32_t low = 0, high = files->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = zb_text_order(folder_of(files->names[middle]), folder);
        if (order < 0 || (beyond && order == 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

zf_cs_files zf_cs_files_in(const zf_cs_files *files, zo_text folder) {
    const uint32_t first = bound(files, folder, false), end = bound(files, folder, true);
    return (zf_cs_files){files->names + first, end - first};
}

static bool is_there(const zf_cs_files *files, zo_text path) {
    uint32_t low = 0, high = files->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = compare_paths(files->names[middle], path);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------------- reading

typedef struct reader {
    zb_arena *arena;
    const zj_doc *doc;
    const zf_cs_files *files;
    zf_cs_source *out;
    zb_intern clip_labels;
} reader;

static zd_arg quoted(const reader *r, zo_text text) { return zf_quoted(r->arena, r->doc, text); }

// Without the white space around it, which no pack keeps.
static zo_text text_of(const reader *r, const zf_fields *f, uint32_t field) {
    const zo_text text = zf_checked_text(f, field), trimmed = zb_utf8_trim(text, zb_is_white);
    if (trimmed.size == 0 && text.size > 0) {
        zf_report(f, field, ZD_CHARPACK_SOURCE_VALUE,
                  ZD_ARGS(zd_word(f->table->fields[field].name.text), zd_word("more than white space"),
                          zf_not(r->arena, r->doc, f->nodes[field])));
    }
    return trimmed;
}

static void say(const reader *r, uint32_t node, zd_id id, zo_text what, const char *clause) {
    zj_report(r->doc, node, id, ZD_ARGS(quoted(r, what), zd_word(clause)));
}

// Below the folder that the file lies in, whatever system reads it. White space around it would be lost on the way.
static bool is_below(zo_text path) {
    if (zb_utf8_trim(path, zb_is_white).size != path.size) {
        return false;
    }
    const bool drive = path.size >= 2 && path.data[1] == ':' &&
                       ((path.data[0] >= 'a' && path.data[0] <= 'z') || (path.data[0] >= 'A' && path.data[0] <= 'Z'));
    size_t begin = 0;
    for (size_t at = 0; at <= path.size; at++) {
        if (at < path.size && path.data[at] != '/') {
            if (path.data[at] == '\\' || (unsigned char)path.data[at] < 0x20) {
                return false;
            }
            continue;
        }
        const size_t size = at - begin;
        if (size == 0 || (size == 1 && path.data[begin] == '.') ||
            (size == 2 && path.data[begin] == '.' && path.data[begin + 1] == '.')) {
            return false;
        }
        begin = at + 1;
    }
    return !drive;
}

static bool is_png(zo_text path) {
    static const char ending[] = ".png";
    const size_t size = sizeof ending - 1, name = path.size - (folder_size(path) > 0 ? folder_size(path) + 1 : 0);
    for (size_t i = 0; name > size && i < size; i++) {
        const char c = path.data[path.size - size + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[i]) {
            return false;
        }
    }
    return name > size;
}

// One more frame. What two pictures become must not be one texture.
static void add_frame(reader *r, zo_text path, uint32_t node) {
    zf_cs_source *out = r->out;
    const uint32_t known = zb_intern_count(&out->pictures), picture = zb_intern_id(&out->pictures, path);
    if (picture > known && zb_utf8_valid_prefix(path.data, path.size) < path.size) {
        say(r, node, ZD_CHARPACK_SOURCE_PICTURE, path, "has a name that is not UTF-8");
    }
    if (picture > known) {
        zb_buffer name = zb_buffer_open(r->arena);
        zb_put_bytes(&name, path.data, path.size - 4);
        zb_put(&name, ".ktx2");
        const zo_text texture = {name.data, name.size};
        if (zb_intern_id(&out->textures, texture) <= known && !zb_arena_failed(r->arena)) {
            say(r, node, ZD_CHARPACK_SOURCE_PICTURE, path, "would become the same texture as another picture");
            zb_buffer other = zb_buffer_open(r->arena); // so that both tables keep their numbers
            zb_put_text(&other, path);
            zb_put(&other, "/");
            zb_intern_id(&out->textures, (zo_text){other.data, other.size});
        }
    }
    *(uint32_t *)zb_array_push(&out->frames) = picture;
}

static void read_frames(reader *r, const zf_fields *f) {
    uint32_t count;
    uint32_t node = zf_checked_items(f, ZF_CS_FRAMES, &count);
    for (uint32_t i = 0; i < count && node != 0; i++, node = zj_at(r->doc, node)->next) {
        zo_text path = {NULL, 0};
        if (!zf_text(r->doc, node, &path)) {
            continue; // said
        }
        if (!is_below(path)) {
            say(r, node, ZD_CHARPACK_SOURCE_PICTURE, path, "is no path to something below the file");
        } else if (!is_png(path)) {
            say(r, node, ZD_CHARPACK_SOURCE_PICTURE, path, "does not end in .png");
        } else if (r->files != NULL && !is_there(r->files, path)) {
            say(r, node, ZD_CHARPACK_SOURCE_PICTURE, path, "is not there");
        } else {
            add_frame(r, path, node);
        }
    }
}

static void read_folder(reader *r, zo_text folder, uint32_t node) {
    const bool here = zb_text_equal(folder, ZB_TEXT("."));
    if (!here && !is_below(folder)) {
        say(r, node, ZD_CHARPACK_SOURCE_PICTURE, folder, "is no path to something below the file");
        return;
    }
    if (r->files == NULL) {
        return;
    }
    const zf_cs_files in = zf_cs_files_in(r->files, here ? (zo_text){NULL, 0} : folder);
    if (in.count == 0) {
        say(r, node, ZD_CHARPACK_SOURCE_PICTURE, folder, "holds no PNG pictures");
    }
    for (uint32_t i = 0; i < in.count; i++) {
        add_frame(r, in.names[i], node);
    }
}

// false: neither, or both.
static bool has_one_of(const reader *r, const zf_fields *f, uint32_t a, uint32_t b) {
    const bool fine = (f->nodes[a] != 0) != (f->nodes[b] != 0);
    if (!fine) {
        const zf_field *fields = f->table->fields;
        zf_report_head(r->doc, f->object, ZD_CHARPACK_SOURCE_ONE_OF,
                       ZD_ARGS(zd_word(f->table->name), zd_word(fields[a].name.text), zd_word(fields[b].name.text),
                               zd_word(f->nodes[a] != 0 ? "both" : "neither")));
    }
    return fine;
}

static void read_pictures(reader *r, const zf_fields *f, zf_cs_clip *clip, zb_intern *labels) {
    clip->node = f->object;
    clip->label = text_of(r, f, ZF_CS_LABEL);
    clip->first = r->out->frames.count;
    const uint32_t known = zb_intern_count(labels);
    if (clip->label.size > 0 && zb_intern_id(labels, clip->label) <= known && !zb_arena_failed(r->arena)) {
        zj_report(r->doc, f->nodes[ZF_CS_LABEL], ZD_CHARPACK_SOURCE_LABEL, ZD_ARGS(quoted(r, clip->label)));
    }
    if (has_one_of(r, f, ZF_CS_FOLDER, ZF_CS_FRAMES)) {
        const zo_text folder = zf_checked_text(f, ZF_CS_FOLDER);
        if (folder.size > 0) {
            read_folder(r, folder, f->nodes[ZF_CS_FOLDER]);
        }
        read_frames(r, f);
    }
    clip->count = r->out->frames.count - clip->first;
}

static int64_t interval_of(const reader *r, const zf_fields *f) {
    if (!has_one_of(r, f, ZF_CS_FPS, ZF_CS_INTERVAL)) {
        return 1;
    }
    const double fps = zf_checked_number(f, ZF_CS_FPS, 0.0);
    const double ms = fps > 0.0 ? floor(1000.0 / fps + 0.5) : zf_checked_number(f, ZF_CS_INTERVAL, 1.0);
    return ms >= 1.0 ? (int64_t)fmin(ms, ZF_CS_INTERVAL_MAX) : 1; // false for NaN, which was told of
}

static void read_clips(reader *r, const zf_fields *fields) {
    zf_cs_source *out = r->out;
    uint32_t node = zf_checked_items(fields, ZF_CS_CLIPS, &out->clip_count);
    out->clips = zb_arena_take_array(r->arena, (size_t)out->clip_count + 1, sizeof *out->clips);
    for (uint32_t i = 0; i < out->clip_count && !zb_arena_failed(r->arena); i++, node = zj_at(r->doc, node)->next) {
        zf_cs_clip *clip = &out->clips[i];
        zf_fields f;
        if (!zf_fields_check(&f, r->arena, r->doc, node, &zf_cs_clip_object)) {
            continue;
        }
        read_pictures(r, &f, clip, &r->clip_labels);
        clip->interval_ms = interval_of(r, &f);
        clip->loop_word = zf_checked_word(&f, ZF_CS_LOOP_MODE, 0);
        clip->phase = text_of(r, &f, ZF_CS_PHASE);
        if (clip->phase.size == 0) {
            clip->phase = clip->loop_word == 0 ? ZB_TEXT("loop") : ZB_TEXT("flat");
        }
    }
}

static void read_overlays(reader *r, const zf_fields *fields) {
    zf_cs_source *out = r->out;
    zb_intern labels = zb_intern_open(r->arena);
    uint32_t node = zf_checked_items(fields, ZF_CS_OVERLAYS, &out->overlay_count);
    out->overlays = zb_arena_take_array(r->arena, (size_t)out->overlay_count + 1, sizeof *out->overlays);
    for (uint32_t i = 0; i < out->overlay_count && !zb_arena_failed(r->arena);
         i++, node = zj_at(r->doc, node)->next) {
        zf_fields f;
        if (zf_fields_check(&f, r->arena, r->doc, node, &zf_cs_overlay_object)) {
            read_pictures(r, &f, &out->overlays[i], &labels);
        }
    }
}

static void read_nodes(reader *r, const zf_fields *fields, zb_intern *ids) {
    zf_cs_source *out = r->out;
    uint32_t node = zf_checked_items(fields, ZF_CS_NODES, &out->node_count), roots = 0;
    const uint32_t first = node;
    out->nodes = zb_arena_take_array(r->arena, (size_t)out->node_count + 1, sizeof *out->nodes);
    for (uint32_t i = 0; i < out->node_count && !zb_arena_failed(r->arena); i++, node = zj_at(r->doc, node)->next) {
        zf_cs_node *n = &out->nodes[i];
        zf_fields f;
        if (!zf_fields_check(&f, r->arena, r->doc, node, &zf_cs_node_object)) {
            continue;
        }
        *n = (zf_cs_node){.id = text_of(r, &f, ZF_CS_NODE_ID), .label = text_of(r, &f, ZF_CS_NODE_LABEL),
                          .root = zf_checked_true(&f, ZF_CS_NODE_ROOT, false), .node = node};
        const uint32_t known = zb_intern_count(ids);
        if (n->id.size > 0 && zb_intern_id(ids, n->id) <= known && !zb_arena_failed(r->arena)) {
            say(r, f.nodes[ZF_CS_NODE_ID], ZD_CHARPACK_SOURCE_NODE, n->id, "is the id of another node already");
        }
        const bool own = n->label.size > 0;
        n->label = own ? n->label : n->id;
        if (n->label.size > 0 && zb_intern_find(&r->clip_labels, n->label) == 0) {
            say(r, f.nodes[own ? ZF_CS_NODE_LABEL : ZF_CS_NODE_ID], ZD_CHARPACK_SOURCE_NODE, n->label,
                "is the label of no clip");
        }
        roots += n->root;
        if (n->root && roots == 2) {
            say(r, f.nodes[ZF_CS_NODE_ROOT], ZD_CHARPACK_SOURCE_NODE, n->id, "is one root too many");
        }
    }
    if (roots == 0 && first != 0) {
        zf_report_head(r->doc, fields->nodes[ZF_CS_NODES], ZD_CHARPACK_SOURCE_NODE,
                       ZD_ARGS(zd_word("none of them"), zd_word("is the root")));
    }
}

static zo_text joined(zb_arena *arena, zo_text a, char between, zo_text b) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put_text(&out, a);
    zb_put_char(&out, between);
    zb_put_text(&out, b);
    return (zo_text){out.data, out.size};
}

static void check_end(const reader *r, const zf_fields *f, uint32_t field, zo_text id, const zb_intern *ids) {
    if (id.size > 0 && zb_intern_find(ids, id) == 0) {
        say(r, f->nodes[field], ZD_CHARPACK_SOURCE_EDGE, id, "is no node");
    }
}

static void read_edges(reader *r, const zf_fields *fields, const zb_intern *nodes) {
    zf_cs_source *out = r->out;
    zb_intern ids = zb_intern_open(r->arena), pairs = zb_intern_open(r->arena);
    uint32_t node = zf_checked_items(fields, ZF_CS_EDGES, &out->edge_count);
    out->edges = zb_arena_take_array(r->arena, (size_t)out->edge_count + 1, sizeof *out->edges);
    for (uint32_t i = 0; i < out->edge_count && !zb_arena_failed(r->arena); i++, node = zj_at(r->doc, node)->next) {
        zf_cs_edge *e = &out->edges[i];
        zf_fields f;
        if (!zf_fields_check(&f, r->arena, r->doc, node, &zf_cs_edge_object)) {
            continue;
        }
        *e = (zf_cs_edge){.id = text_of(r, &f, ZF_CS_EDGE_ID), .from = text_of(r, &f, ZF_CS_EDGE_FROM),
                          .to = text_of(r, &f, ZF_CS_EDGE_TO)};
        if (f.nodes[ZF_CS_EDGE_PROB] != 0) {
            e->prob = zj_source(r->doc, f.nodes[ZF_CS_EDGE_PROB]);
        }
        check_end(r, &f, ZF_CS_EDGE_FROM, e->from, nodes);
        check_end(r, &f, ZF_CS_EDGE_TO, e->to, nodes);
        if (e->from.size == 0 || e->to.size == 0) {
            continue;
        }
        const uint32_t known_pairs = zb_intern_count(&pairs), known_ids = zb_intern_count(&ids);
        const bool own = e->id.size > 0;
        e->id = own ? e->id : joined(r->arena, e->from, '>', e->to);
        if (zb_intern_id(&pairs, joined(r->arena, e->from, 0, e->to)) <= known_pairs && !zb_arena_failed(r->arena)) {
            say(r, f.nodes[ZF_CS_EDGE_TO], ZD_CHARPACK_SOURCE_EDGE, e->to,
                "is led to from there by another edge already");
        } else if (zb_intern_id(&ids, e->id) <= known_ids && !zb_arena_failed(r->arena)) {
            say(r, own ? f.nodes[ZF_CS_EDGE_ID] : node, ZD_CHARPACK_SOURCE_EDGE, e->id,
                "is the id of another edge already");
        }
    }
}

bool zf_cs_read(zb_arena *arena, const zj_doc *doc, const zf_cs_files *files, zf_cs_source *out) {
    const uint32_t errors_before = zd_report_errors(doc->report);
    *out = (zf_cs_source){.doc = doc, .frames = zb_array_open(arena, sizeof(uint32_t)),
                          .pictures = zb_intern_open(arena), .textures = zb_intern_open(arena)};
    reader r = {.arena = arena, .doc = doc, .files = files, .out = out, .clip_labels = zb_intern_open(arena)};
    zb_intern ids = zb_intern_open(arena);
    zf_fields f;
    if (!zf_fields_check(&f, arena, doc, ZJ_ROOT, &zf_cs_object)) {
        return false;
    }
    out->id = text_of(&r, &f, ZF_CS_ID);
    out->display_name = text_of(&r, &f, ZF_CS_DISPLAY_NAME);
    out->version = text_of(&r, &f, ZF_CS_PACK_VERSION);
    out->encoding = zf_checked_word(&f, ZF_CS_ENCODING, ZO_CHARPACK_RGBA8);
    const double level = zf_checked_number(&f, ZF_CS_LEVEL, 0.0), quality = zf_checked_number(&f, ZF_CS_QUALITY, -1.0);
    out->level = level >= 1.0 ? (uint32_t)level : 0;
    out->quality = quality >= 0.0 ? (uint32_t)quality + 1 : 0;
    out->mouth = f.wrong[ZF_CS_MOUTH] ? 0 : f.nodes[ZF_CS_MOUTH];
    read_clips(&r, &f);
    read_overlays(&r, &f);
    read_nodes(&r, &f, &ids);
    read_edges(&r, &f, &ids);
    return zd_report_errors(doc->report) == errors_before;
}

// -------------------------------------------------------------------------------------------------------------- reader

static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    zo_text type = {NULL, 0};
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("type")), &type)) {
        return zb_text_equal(type, zf_name_text(zf_cs_type_word[0])) ? 100 : 0;
    }
    return zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("clips")), ZJ_ARRAY) &&
           zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("nodes")), ZJ_ARRAY) ? 60 : 0;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    zf_cs_source source;
    const bool fine = zf_cs_read(input->arena, input->doc, NULL, &source);
    if (build != NULL && fine) {
        const zd_place whole = {.file = input->file, .whole = true};
        zd_report_add(input->report, ZD_CHARPACK_SOURCE_ALONE, whole, ZD_NO_ARGS);
    }
    return fine && build == NULL ? ZO_OK : ZO_INVALID;
}

const zf_reader zf_cs_reader = {
    .format = {.name = "character-pack-source", .title = "what a character pack is built of"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .object = &zf_cs_object,
};
