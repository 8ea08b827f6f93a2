// The reader of pet packages: what the manifest itself demands, its pet and its animations by the readers of those, and
// what they name in it. Called through the table of formats and by what makes packages and takes them apart. What the
// archive around it must be like is judged in petween_archive.c.
#include "formats/petween_package.h"

#include "base/intern.h"

static bool is_hex(zo_text text, size_t size) {
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return false;
        }
    }
    return text.size == size;
}

bool zf_pt_is_asset_id(zo_text text) { return is_hex(text, ZF_PT_ASSET_ID_SIZE); }

// true: a newer program wrote it.
static bool read_version(const zf_pt_reading *r, const zf_fields *fields) {
    double version = 0.0;
    const uint32_t node = fields->nodes[PACKAGE_VERSION];
    if (zf_fields_in_range(fields, PACKAGE_VERSION, &version)) {
        return false;
    }
    const bool newer = zf_number(r->doc, node, &version) && version > 1.0;
    zf_report(fields, PACKAGE_VERSION, newer ? ZD_PETWEEN_PACKAGE_VERSION_NEWER : ZD_PETWEEN_PACKAGE_VERSION,
              ZD_ARGS(newer ? zd_number(version) : zf_not(r->arena, r->doc, node)));
    return newer;
}

// ------------------------------------------------------------------------------------------------------------ pictures

static void report_member(const zf_fields *fields, uint32_t field, const char *wanted) {
    zf_report(fields, field, ZD_PETWEEN_PACKAGE_ASSET,
              ZD_ARGS(zd_word(fields->table->fields[field].name.text), zd_word(wanted),
                      zf_not(fields->arena, fields->doc, fields->nodes[field])));
}

static zo_text read_hex(const zf_fields *fields, uint32_t field, size_t size, const char *wanted) {
    zo_text text = {NULL, 0};
    if (zf_text(fields->doc, fields->nodes[field], &text) && is_hex(text, size)) {
        return text;
    }
    report_member(fields, field, wanted);
    return (zo_text){NULL, 0};
}

static double read_whole(const zf_fields *fields, uint32_t field, const char *wanted) {
    double value = 0.0;
    if (zf_left_out(fields, field) ||
        (zf_fields_in_range(fields, field, &value) && value == (double)(uint32_t)value)) {
        return value;
    }
    report_member(fields, field, wanted);
    return 0.0;
}

// "assets/<id>.<ending>" with an ending of the kind; both may be unknown, which fits anything.
static bool file_fits(zo_text file, zo_text id, zo_picture_kind kind) {
    static const char folder[] = "assets/";
    const size_t head = sizeof folder - 1 + ZF_PT_ASSET_ID_SIZE;
    if (file.size <= head + 1 || memcmp(file.data, folder, sizeof folder - 1) != 0 || file.data[head] != '.') {
        return false;
    }
    if (id.size > 0 && memcmp(file.data + sizeof folder - 1, id.data, id.size) != 0) {
        return false;
    }
    const zo_text ending = {file.data + head + 1, file.size - head - 1};
    for (uint32_t k = 0; k < ZF_PT_MIME_COUNT; k++) {
        const bool is = zb_text_equal(ending, zb_text(zf_pt_picture_endings[k])) ||
                        (k + 1 == ZO_PICTURE_JPEG && zb_text_equal(ending, ZB_TEXT("jpg")));
        if (is) {
            return kind == ZO_PICTURE_OTHER || kind == k + 1;
        }
    }
    return false;
}

static void read_mime_type(const zf_fields *fields, zf_pt_asset *out) {
    zo_text text = {NULL, 0};
    uint32_t word = ZF_PT_MIME_COUNT;
    if (zf_text(fields->doc, fields->nodes[ASSET_MIME_TYPE], &text)) {
        word = zf_word(zf_pt_mime_types, ZF_PT_MIME_COUNT, text);
    }
    if (word < ZF_PT_MIME_COUNT) {
        out->kind = (zo_picture_kind)(word + 1);
    } else {
        report_member(fields, ASSET_MIME_TYPE, "image/png, image/webp or image/jpeg");
    }
}

static void read_asset(const zf_pt_reading *r, uint32_t node, zf_pt_asset *out) {
    zf_fields fields;
    *out = (zf_pt_asset){.node = node};
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        zf_report_head(r->doc, node, ZD_PETWEEN_PACKAGE_ASSET,
                       ZD_ARGS(zd_word("a row of assets"), zd_word("an object"), zf_not(r->arena, r->doc, node)));
        return;
    }
    zf_fields_read(&fields, r->arena, r->doc, node, zf_pt_package_object.fields[PACKAGE_ASSETS].object);
    memcpy(out->nodes, fields.nodes, sizeof out->nodes);
    out->id = read_hex(&fields, ASSET_ID, ZF_PT_ASSET_ID_SIZE, "16 lower-case hexadecimal digits");
    out->sha256 = read_hex(&fields, ASSET_SHA256, ZF_PT_SHA256_SIZE, "64 lower-case hexadecimal digits");
    read_mime_type(&fields, out);
    out->width = read_whole(&fields, ASSET_WIDTH, "a whole number from 1 to 4096");
    out->height = read_whole(&fields, ASSET_HEIGHT, "a whole number from 1 to 4096");
    out->size = read_whole(&fields, ASSET_SIZE, "a whole number from 1 to 12582912");
    if (zf_has(&fields, ASSET_FILE)) {
        if (!zf_text(r->doc, fields.nodes[ASSET_FILE], &out->file) || !file_fits(out->file, out->id, out->kind)) {
            report_member(&fields, ASSET_FILE, "assets/ with the id and the ending for the type");
            out->file = (zo_text){NULL, 0};
        }
    }
    if (out->id.size > 0 && out->sha256.size > 0 && memcmp(out->id.data, out->sha256.data, out->id.size) != 0) {
        const zo_text wanted = {out->sha256.data, ZF_PT_ASSET_ID_SIZE};
        zf_report(&fields, ASSET_ID, ZD_PETWEEN_PACKAGE_ASSET_ID,
                  ZD_ARGS(zf_quoted(r->arena, r->doc, wanted), zf_not(r->arena, r->doc, fields.nodes[ASSET_ID])));
    }
}

static void read_assets(const zf_pt_reading *r, const zf_fields *fields, zf_pt_package *out) {
    const uint32_t node = zf_fields_items(fields, PACKAGE_ASSETS);
    const uint32_t count = node != 0 ? zj_at(r->doc, node)->as.items.count : 0;
    out->assets = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *out->assets);
    uint32_t *first_with = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *first_with); // asset, by id
    zb_intern ids = zb_intern_open(r->arena);
    if (node == 0 || out->assets == NULL || first_with == NULL) {
        return;
    }
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        zf_pt_asset *asset = &out->assets[out->asset_count];
        read_asset(r, item, asset);
        const uint32_t id_count = zb_intern_count(&ids);
        const uint32_t id = asset->id.size > 0 ? zb_intern_id(&ids, asset->id) : 0;
        if (id == 0) {
            continue;
        }
        if (zb_intern_count(&ids) > id_count) {
            first_with[id] = out->asset_count++;
            continue;
        }
        const uint32_t added = zf_report_head(r->doc, asset->nodes[ASSET_ID], ZD_PETWEEN_PACKAGE_ASSET_TWICE,
                                              ZD_ARGS(zf_quoted(r->arena, r->doc, asset->id)));
        if (added != 0) {
            zd_report_relate(r->doc->report, added, zj_place(r->doc, out->assets[first_with[id]].nodes[ASSET_ID]),
                             "the id is used here first");
        }
    }
}

static void check_images(const zf_pt_reading *r, zf_pt_package *package) {
    for (uint32_t slot = 0; slot < ZF_PT_SLOT_COUNT; slot++) {
        const zo_text id = package->named.images[slot].id;
        bool there = id.size == 0;
        for (uint32_t i = 0; i < package->asset_count; i++) {
            if (id.size > 0 && zb_text_equal(package->assets[i].id, id)) {
                there = package->assets[i].used = true;
            }
        }
        if (!there) {
            zj_report(r->doc, package->named.images[slot].node, ZD_PETWEEN_PACKAGE_PICTURE,
                      ZD_ARGS(zf_quoted(r->arena, r->doc, id)));
        }
    }
    for (uint32_t i = 0; i < package->asset_count; i++) {
        if (!package->assets[i].used) {
            zf_report_head(r->doc, package->assets[i].node, ZD_PETWEEN_PACKAGE_ASSET_UNUSED,
                           ZD_ARGS(zf_quoted(r->arena, r->doc, package->assets[i].id)));
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- package

zo_status zf_pt_read_package(const zf_input *input, zf_pt_package *out, zp_build *build) {
    const zj_doc *doc = input->doc;
    const zf_pt_reading reading = {.arena = input->arena, .doc = doc, .profile = input->def->profile};
    const zf_pt_reading *r = &reading;
    const uint32_t errors_before = zd_report_errors(input->report);
    *out = (zf_pt_package){.doc = doc};
    zf_fields fields;
    if (!zf_fields_open(&fields, r->arena, doc, ZJ_ROOT, &zf_pt_package_object)) {
        return ZO_INVALID;
    }
    zf_fields_word(&fields, PACKAGE_FORMAT);
    bool newer = read_version(r, &fields);
    zf_pt_read_name(r, &fields, PACKAGE_NAME, &out->name);
    read_assets(r, &fields, out);
    out->motion_pack = fields.nodes[PACKAGE_MOTION_PACK];
    if (out->motion_pack != 0) {
        const zf_pt_verdict verdict = zf_pt_read_pack(r, out->motion_pack, &out->pack);
        newer = newer || verdict == ZF_PT_NEWER;
        if (verdict != ZF_PT_VALID) {
            out->pack = (zf_pt_pack){0}; // then nothing can be said of what the states name of it
        }
    }
    out->attribution = fields.nodes[PACKAGE_ATTRIBUTION];
    out->plugins = fields.nodes[PACKAGE_PLUGINS];
    zf_pt_check_attribution(r, out->attribution);
    zf_pt_check_plugins(r, out->plugins);
    const bool pack_known = out->motion_pack == 0 || out->pack.animation_count > 0;
    const bool so_far = !newer && zd_report_errors(input->report) == errors_before;
    zo_status status = ZO_OK;
    if (zf_is(doc, fields.nodes[PACKAGE_PET], ZJ_OBJECT)) {
        out->pet = fields.nodes[PACKAGE_PET];
        status = zf_pt_read_pet(input, out->pet, &out->pack, pack_known, &out->named, so_far ? build : NULL);
        check_images(r, out);
    } else {
        zf_report(&fields, PACKAGE_PET, ZD_PETWEEN_PACKAGE_PET,
                  ZD_ARGS(zf_not(r->arena, doc, fields.nodes[PACKAGE_PET])));
    }
    if (newer) {
        return ZO_NEWER;
    }
    return status != ZO_OK ? status : zd_report_errors(input->report) == errors_before ? ZO_OK : ZO_INVALID;
}

// How sure each member makes us. The format's own word is enough; without it, what no other format has together.
static uint32_t likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    zo_text format = {NULL, 0};
    if (zf_text(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("format")), &format)) {
        return zf_name_is(zf_pt_package_object.fields[PACKAGE_FORMAT].words, format) ? 100 : 0;
    }
    uint32_t sure = 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("pet")), ZJ_OBJECT) ? 40 : 0;
    sure += zf_is(doc, zj_member(doc, ZJ_ROOT, ZB_TEXT("assets")), ZJ_ARRAY) ? 40 : 0;
    return sure;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    zf_pt_package package;
    const bool sound = zd_report_errors(input->report) == 0; // of the archive
    const zo_status status = zf_pt_read_package(input, &package, sound ? build : NULL);
    if (input->def->archive != NULL && !zb_arena_failed(input->arena)) {
        zf_pt_judge_assets(input, &package);
    }
    return status;
}

const zf_reader zf_pt_package_reader = {
    .format = {.name = "pet-package", .title = "petween pet package"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .entries = zf_pt_judge_entries,
    .object = &zf_pt_package_object,
};
