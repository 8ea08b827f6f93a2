// What a pet package demands of the archive that it comes in: which entries there may be, how many and how large, and
// that pictures are what the manifest says. Called by the reader and, before anything is unpacked, by whoever unpacks.
// Sees names, figures and hashes; the bytes of pictures stay with the caller.
#include "formats/petween_package.h"

typedef enum role { ROLE_NONE, ROLE_UNSAFE, ROLE_MANIFEST, ROLE_ASSET, ROLE_FOLDER } role;

static const char manifest_name[] = "manifest.json", assets_folder[] = "assets/";

// --------------------------------------------------------------------------------------------------------------- names

// What could lead astray whoever unpacks it, as a clause; NULL: nothing.
static const char *danger(zo_text name) {
    if (name.size == 0) {
        return "is no name at all";
    }
    if (name.data[0] == '/') {
        return "begins at the root of a disk";
    }
    if (name.size >= 2 && name.data[1] == ':') {
        return "begins with the letter of a drive";
    }
    for (size_t i = 0; i < name.size; i++) {
        const unsigned char c = (unsigned char)name.data[i];
        if (c == '\\') {
            return "has a backslash";
        }
        if (c < 0x20 || c == 0x7F) {
            return "has a control character";
        }
    }
    for (size_t at = 0; at <= name.size;) {
        size_t end = at;
        while (end < name.size && name.data[end] != '/') {
            end++;
        }
        const zo_text part = {name.data + at, end - at};
        if (zb_text_equal(part, ZB_TEXT("..")) || zb_text_equal(part, ZB_TEXT("."))) {
            return "leads through . or ..";
        }
        at = end + 1;
    }
    return NULL;
}

static bool is_asset(zo_text name) {
    const size_t head = sizeof assets_folder - 1 + ZF_PT_ASSET_ID_SIZE;
    if (name.size <= head || memcmp(name.data, assets_folder, sizeof assets_folder - 1) != 0 ||
        name.data[head] != '.' ||
        !zf_pt_is_asset_id((zo_text){name.data + sizeof assets_folder - 1, ZF_PT_ASSET_ID_SIZE})) {
        return false;
    }
    const zo_text ending = {name.data + head + 1, name.size - head - 1};
    bool is = zb_text_equal(ending, ZB_TEXT("jpg"));
    for (uint32_t i = 0; i < ZF_PT_MIME_COUNT; i++) {
        is = is || zb_text_equal(ending, zb_text(zf_pt_picture_endings[i]));
    }
    return is;
}

static role role_of(const zo_entry *entry) {
    if (danger(entry->name) != NULL) {
        return ROLE_UNSAFE;
    }
    if (zb_text_equal(entry->name, zb_text(manifest_name))) {
        return ROLE_MANIFEST;
    }
    if (zb_text_equal(entry->name, zb_text(assets_folder)) && entry->size == 0) {
        return ROLE_FOLDER;
    }
    return is_asset(entry->name) ? ROLE_ASSET : ROLE_NONE;
}

// --------------------------------------------------------------------------------------------- before it is unpacked

static uint64_t entry_count(const zo_archive *a) {
    return a->claimed_count > a->entry_count ? a->claimed_count : a->entry_count;
}

static uint64_t total_size(const zo_archive *a) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < a->entry_count; i++) {
        total = a->entries[i].size > UINT64_MAX - total ? UINT64_MAX : total + a->entries[i].size;
    }
    return total;
}

static bool is_too_much(const zo_archive *a) {
    return entry_count(a) > ZF_PT_ENTRIES_MAX || total_size(a) > ZF_PT_TOTAL_SIZE_MAX;
}

// Whether there is another one of the name; `earlier`: before it.
static bool is_twice(const zo_archive *a, uint32_t index, bool earlier) {
    for (uint32_t i = 0; i < (earlier ? index : a->entry_count); i++) {
        if (i != index && zb_text_equal(a->entries[i].name, a->entries[index].name)) {
            return true;
        }
    }
    return false;
}

void zf_pt_want(const zo_archive *a, bool *wanted) {
    const bool none = a->fault != NULL || is_too_much(a);
    for (uint32_t i = 0; i < a->entry_count; i++) {
        const zo_entry *e = &a->entries[i];
        const role p = role_of(e);
        wanted[i] = !none && (p == ROLE_MANIFEST || p == ROLE_ASSET) && e->size <= ZF_PT_FILE_SIZE_MAX &&
                    (e->flags & (ZO_ENTRY_ENCRYPTED | ZO_ENTRY_LINK | ZO_ENTRY_METHOD)) == 0 && !is_twice(a, i, false);
    }
}

// ---------------------------------------------------------------------------------------------------------- the report

// Large enough for what 64 bits hold, and as a figure of the message.
static zd_arg figure(uint64_t value) { return zd_int(value > INT64_MAX ? INT64_MAX : (int64_t)value); }

typedef struct judge {
    const zf_input *input;
    const zo_archive *archive;
    zd_place place; // the archive as a whole
} judge;

static void report(const judge *j, zd_id id, zd_args args) { zd_report_add(j->input->report, id, j->place, args); }

static zd_arg name_of(const judge *j, const zo_entry *entry) {
    return zf_quote(j->input->arena, entry->name);
}

static bool equal_but_for_case(zo_text name, const char *word) {
    const zo_text text = zb_text(word);
    bool equal = name.size == text.size;
    for (size_t i = 0; equal && i < text.size; i++) {
        const char c = name.data[i];
        equal = (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) == text.data[i];
    }
    return equal;
}

static void judge_name(const judge *j, uint32_t index) {
    const zo_entry *e = &j->archive->entries[index];
    const role p = role_of(e);
    if (p == ROLE_UNSAFE) {
        report(j, ZD_PACKAGE_UNSAFE_PATH, ZD_ARGS(name_of(j, e), zd_word(danger(e->name))));
    } else if (p == ROLE_NONE) {
        const uint32_t added =
            zd_report_add(j->input->report, ZD_PACKAGE_PATH, j->place, ZD_ARGS(name_of(j, e)));
        if (equal_but_for_case(e->name, manifest_name)) {
            zd_report_hint(j->input->report, added, "did you mean \"{}\"?", ZD_ARGS(zd_word(manifest_name)));
        }
    }
    if (is_twice(j->archive, index, true)) {
        report(j, ZD_PACKAGE_TWICE, ZD_ARGS(name_of(j, e)));
    }
}

static void judge_content(const judge *j, const zo_entry *e) {
    if (e->flags & ZO_ENTRY_ENCRYPTED) {
        report(j, ZD_PACKAGE_ENCRYPTED, ZD_ARGS(name_of(j, e)));
    }
    if (e->flags & ZO_ENTRY_LINK) {
        report(j, ZD_PACKAGE_LINK, ZD_ARGS(name_of(j, e)));
    }
    if (e->flags & ZO_ENTRY_METHOD) {
        report(j, ZD_PACKAGE_METHOD, ZD_ARGS(name_of(j, e)));
    }
    if (e->size > ZF_PT_FILE_SIZE_MAX) {
        report(j, ZD_PACKAGE_FILE_SIZE, ZD_ARGS(name_of(j, e), figure(e->size), figure(ZF_PT_FILE_SIZE_MAX)));
    }
    if (e->flags & ZO_ENTRY_DAMAGED) {
        report(j, ZD_PACKAGE_CHECKSUM,
               ZD_ARGS(name_of(j, e), zd_word(e->damage != NULL ? e->damage : "its checksum is another one")));
    } else if ((e->flags & ZO_ENTRY_UNPACKED) && e->real_size > e->size) {
        report(j, ZD_PACKAGE_FALSE_SIZE, ZD_ARGS(name_of(j, e), figure(e->size), zd_word("more")));
    } else if ((e->flags & ZO_ENTRY_UNPACKED) && e->real_size < e->size) {
        report(j, ZD_PACKAGE_FALSE_SIZE, ZD_ARGS(name_of(j, e), figure(e->size), figure(e->real_size)));
    }
}

void zf_pt_judge_entries(const zf_input *input) {
    const zo_archive *a = input->def->archive;
    const judge j = {input, a, {.file = zd_report_file(input->report, a->name, NULL, 0), .whole = true}};
    if (a->fault != NULL) {
        report(&j, ZD_PACKAGE_ARCHIVE, ZD_ARGS(zd_word(a->fault)));
        return;
    }
    if (entry_count(a) > ZF_PT_ENTRIES_MAX) {
        report(&j, ZD_PACKAGE_ENTRIES, ZD_ARGS(figure(entry_count(a))));
    }
    if (total_size(a) > ZF_PT_TOTAL_SIZE_MAX) {
        report(&j, ZD_PACKAGE_TOTAL_SIZE, ZD_ARGS(figure(total_size(a)), figure(ZF_PT_TOTAL_SIZE_MAX)));
    }
    for (uint32_t i = 0; i < a->entry_count; i++) {
        judge_name(&j, i);
        judge_content(&j, &a->entries[i]);
    }
    if (input->sources[0].kind != ZO_SOURCE_FILE && !is_too_much(a)) { // else nothing was unpacked
        report(&j, ZD_PACKAGE_MANIFEST, ZD_NO_ARGS);
    }
}

// ---------------------------------------------------------------------------------------- what the manifest says of it

// Whether the entry is the file of the asset. A row that names no file may have any ending of its type.
static bool is_file_of(const zo_entry *e, const zf_pt_asset *asset) {
    if (asset->file.size > 0) {
        return zb_text_equal(e->name, asset->file);
    }
    return is_asset(e->name) && memcmp(e->name.data + sizeof assets_folder - 1, asset->id.data, asset->id.size) == 0;
}

static const zo_entry *entry_of(const zo_archive *a, const zf_pt_asset *asset) {
    for (uint32_t i = 0; i < a->entry_count; i++) {
        if (is_file_of(&a->entries[i], asset)) {
            return &a->entries[i];
        }
    }
    return NULL;
}

static void report_asset(const zf_input *input, const zf_pt_asset *asset, uint32_t field, zd_id id, zd_args args) {
    const uint32_t node = asset->nodes[field] != 0 ? asset->nodes[field] : asset->node;
    zf_report_head(input->doc, node, id, args);
}

static const char *kind_words(zo_picture_kind kind) {
    static const char *const words[] = {"no picture of these kinds", "PNG", "WebP", "JPEG"};
    return words[kind];
}

static void judge_picture(const zf_input *input, const zf_pt_asset *asset, const zo_entry *e) {
    const zo_picture_info *is = &e->picture;
    const zd_arg name = zf_quote(input->arena, e->name);
    if (asset->sha256.size > 0 && !zb_text_equal(asset->sha256, zb_text(is->sha256))) {
        report_asset(input, asset, ASSET_SHA256, ZD_PACKAGE_HASH, ZD_ARGS(name, zd_word(is->sha256)));
    }
    if (asset->size > 0.0 && asset->size != (double)e->real_size) {
        report_asset(input, asset, ASSET_SIZE, ZD_PACKAGE_BYTES,
                     ZD_ARGS(zd_number(asset->size), name, figure(e->real_size)));
    }
    if (asset->kind != ZO_PICTURE_OTHER && asset->kind != is->kind) {
        report_asset(input, asset, ASSET_MIME_TYPE, ZD_PACKAGE_TYPE,
                     ZD_ARGS(zd_word(zf_pt_mime_types[asset->kind - 1].text), name, zd_word(kind_words(is->kind))));
        return;
    }
    if (is->width > ZF_PT_PICTURE_SIDE_MAX || is->height > ZF_PT_PICTURE_SIDE_MAX) {
        report_asset(input, asset, ASSET_WIDTH, ZD_PACKAGE_SIDE, ZD_ARGS(name, zd_int(is->width), zd_int(is->height)));
    } else if (is->kind != ZO_PICTURE_OTHER && asset->width > 0.0 && asset->height > 0.0 &&
               (asset->width != (double)is->width || asset->height != (double)is->height)) {
        const bool narrow = asset->width != (double)is->width;
        report_asset(input, asset, narrow ? ASSET_WIDTH : ASSET_HEIGHT, ZD_PACKAGE_DIMENSIONS,
                     ZD_ARGS(zd_number(asset->width), zd_number(asset->height), name, zd_int(is->width),
                             zd_int(is->height)));
    }
}

void zf_pt_judge_assets(const zf_input *input, zf_pt_package *package) {
    const zo_archive *a = input->def->archive;
    for (uint32_t i = 0; i < package->asset_count; i++) {
        const zf_pt_asset *asset = &package->assets[i];
        const zo_entry *e = entry_of(a, asset);
        if (e == NULL) {
            const zo_text name = asset->file.size > 0 ? asset->file : asset->id;
            report_asset(input, asset, ASSET_FILE, ZD_PACKAGE_MISSING,
                         ZD_ARGS(zf_quote(input->arena, name)));
        } else if ((e->flags & ZO_ENTRY_UNPACKED) && e->real_size == e->size) {
            judge_picture(input, asset, e);
        } // else the entry's own fault was reported
    }
    const zd_place place = {.file = input->file - 1, .whole = true}; // the archive came before the manifest
    for (uint32_t i = 0; i < a->entry_count; i++) {
        bool told = role_of(&a->entries[i]) != ROLE_ASSET;
        for (uint32_t k = 0; k < package->asset_count; k++) {
            told = told || is_file_of(&a->entries[i], &package->assets[k]);
        }
        if (!told) {
            zd_report_add(input->report, ZD_PACKAGE_EXTRA, place,
                          ZD_ARGS(zf_quote(input->arena, a->entries[i].name)));
        }
    }
}
