// What a pet has beside its configuration: whose work it is, and what companion programs keep with it. Called by the
// readers of pets and of packages. None of it has a part in how the pet plays.
#include "base/utf8.h"
#include "formats/petween_pet.h"
#include "json/compact.h"

enum { CREATOR_MAX = 120, CREATORS_MAX = 8, PLUGINS_MAX = 8, PLUGIN_NAME_MAX = 64 };
enum { PLUGIN_SIZE_MAX = 16 << 10, PLUGINS_SIZE_MAX = 64 << 10 }; // bytes as compact JSON

// --------------------------------------------------------------------------------------------------------- attribution

static void report_attribution(const zf_pt_reading *r, uint32_t node, const char *what, const char *wanted) {
    zf_report_head(r->doc, node, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                   ZD_ARGS(zd_word(what), zd_word(wanted), zf_not(r->arena, r->doc, node)));
}

static bool is_short_text(const zf_pt_reading *r, uint32_t node, uint32_t count_max) {
    zo_text text = {NULL, 0};
    if (!zf_text(r->doc, node, &text)) {
        return false;
    }
    text = zf_pt_trim(text);
    const uint32_t count = r->profile == ZO_PROFILE_ORIGINAL ? zb_utf16_count(text.data, text.size)
                                                             : zb_utf8_count(text.data, text.size);
    return count > 0 && count <= count_max;
}

static void check_creators(const zf_pt_reading *r, uint32_t node) {
    if (!zf_is(r->doc, node, ZJ_ARRAY)) {
        report_attribution(r, node, "creators", "an array of at most 8 texts");
        return;
    }
    if (zj_at(r->doc, node)->as.items.count > CREATORS_MAX) {
        zf_report_head(r->doc, node, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                       ZD_ARGS(zd_word("creators"), zd_word("an array of at most 8 texts"),
                               zd_word(", and these are more")));
        return;
    }
    for (uint32_t item = zj_at(r->doc, node)->as.items.first; item != 0; item = zj_at(r->doc, item)->next) {
        if (!is_short_text(r, item, CREATOR_MAX)) {
            report_attribution(r, item, "a creator", "a text of 1 to 120 characters");
        }
    }
}

void zf_pt_check_attribution(const zf_pt_reading *r, uint32_t node) {
    static const struct {
        uint32_t count_max;
        const char *wanted;
    } texts[ATTRIBUTION_COUNT] = {
        [ATTRIBUTION_CHARACTER] = {200, "a text of 1 to 200 characters"},
        [ATTRIBUTION_SOURCE_URL] = {500, "a text of 1 to 500 characters"},
        [ATTRIBUTION_LICENSE] = {200, "a text of 1 to 200 characters"},
    };
    if (node == 0 || zf_is(r->doc, node, ZJ_NULL)) {
        return;
    }
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        report_attribution(r, node, "attribution", "an object");
        return;
    }
    zf_fields fields;
    zf_fields_read(&fields, r->arena, r->doc, node, &zf_pt_attribution_object);
    for (uint32_t i = 0; i < ATTRIBUTION_COUNT; i++) {
        const uint32_t member = fields.nodes[i];
        if (member == 0 || zf_is(r->doc, member, ZJ_NULL)) {
            continue;
        }
        if (i == ATTRIBUTION_CREATORS) {
            check_creators(r, member);
        } else if (!is_short_text(r, member, texts[i].count_max)) {
            report_attribution(r, member, fields.table->fields[i].name.text, texts[i].wanted);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- plugins

static bool is_plugin_name(zo_text name) {
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!word && !(c == '-' && i > 0)) {
            return false;
        }
    }
    return name.size > 0 && name.size <= PLUGIN_NAME_MAX;
}

static size_t compact_size(const zf_pt_reading *r, uint32_t node) {
    zb_buffer out = zb_buffer_open(r->arena);
    zj_put_compact(&out, r->doc, node, ZJ_ORDER_SCRIPT, (zj_stand_in){0, {NULL, 0}});
    return out.size;
}

static bool is_map_of_texts(const zj_doc *doc, uint32_t node) {
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        return false;
    }
    for (uint32_t member = zj_at(doc, node)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        if (!zf_is(doc, member, ZJ_STRING)) {
            return false;
        }
    }
    return true;
}

static const char *plugin_fault(const zf_pt_reading *r, uint32_t member) {
    const zj_doc *doc = r->doc;
    if (!is_plugin_name(zj_key(doc, member))) {
        return ", and this is no name of one";
    }
    if (!zf_is(doc, member, ZJ_OBJECT)) {
        return ", and this is no object";
    }
    const uint32_t config = zj_member(doc, member, ZB_TEXT("config"));
    const uint32_t remap = zj_member(doc, member, ZB_TEXT("animationIdRemap"));
    if (config == 0) {
        return ", and this one has no member config";
    }
    if (compact_size(r, config) > PLUGIN_SIZE_MAX) {
        return ", and this config has more than 16 KiB";
    }
    return remap != 0 && !is_map_of_texts(doc, remap) ? ", and animationIdRemap maps ids to ids" : NULL;
}

void zf_pt_check_plugins(const zf_pt_reading *r, uint32_t node) {
    const zj_doc *doc = r->doc;
    const uint32_t errors_before = zd_report_errors(doc->report);
    if (node == 0) {
        return;
    }
    if (!zf_is(doc, node, ZJ_OBJECT)) {
        zf_report_head(doc, node, ZD_PETWEEN_PACKAGE_PLUGINS, ZD_ARGS(zf_not(r->arena, doc, node)));
        return;
    }
    for (uint32_t member = zj_at(doc, node)->as.items.first; member != 0; member = zj_at(doc, member)->next) {
        const char *why = plugin_fault(r, member);
        if (why != NULL) {
            zf_report_head(doc, member, ZD_PETWEEN_PACKAGE_PLUGINS, ZD_ARGS(zd_word(why)));
        }
    }
    if (zj_at(doc, node)->as.items.count > PLUGINS_MAX) {
        zf_report_head(doc, node, ZD_PETWEEN_PACKAGE_PLUGINS, ZD_ARGS(zd_word(", and there are more than 8")));
    }
    if (zd_report_errors(doc->report) == errors_before && compact_size(r, node) > PLUGINS_SIZE_MAX) {
        zf_report_head(doc, node, ZD_PETWEEN_PACKAGE_PLUGINS,
                       ZD_ARGS(zd_word(", and all together have more than 64 KiB")));
    }
}
