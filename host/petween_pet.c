// See petween_pet.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/petween_pet.h"

enum { PLUGINS_MAX = 8, PLUGIN_ID_MAX = 64, PLUGIN_BYTES_MAX = 16 << 10, PLUGINS_BYTES_MAX = 64 << 10 };
enum { CREATORS_MAX = 8, CREATOR_MAX = 120 };

// --------------------------------------------------------------------------------------------------------------- texts

void petween_quote(http_text *json, zo_text text) {
    const char *plain = text.data, *end = text.data + text.size;
    http_text_put(json, "\"", 1);
    for (const char *at = text.data; at < end; at++) {
        char escape[8];
        if ((unsigned char)*at >= 0x20 && *at != '"' && *at != '\\') { continue; }
        http_text_put(json, plain, (size_t)(at - plain));
        snprintf(escape, sizeof escape, (unsigned char)*at < 0x20 ? "\\u%04x" : "\\%c", *at);
        http_text_words(json, escape);
        plain = at + 1;
    }
    http_text_put(json, plain, (size_t)(end - plain));
    http_text_put(json, "\"", 1);
}

// Bytes of the white space at the beginning, 0: it is none. A text of a document is UTF-8.
static size_t space_at(const unsigned char *at, size_t left) {
    if (left >= 1 && ((at[0] >= 9 && at[0] <= 13) || at[0] == ' ')) { return 1; }
    if (left >= 2 && at[0] == 0xC2 && at[1] == 0xA0) { return 2; }
    if (left < 3) { return 0; }
    const uint32_t code = (uint32_t)(at[0] & 15) << 12 | (uint32_t)(at[1] & 63) << 6 | (at[2] & 63u);
    const bool is = at[0] >= 0xE0 && at[0] < 0xF0 &&
                    (code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
                     code == 0x202F || code == 0x205F || code == 0x3000 || code == 0xFEFF);
    return is ? 3 : 0;
}

zo_text petween_trim(zo_text text) {
    size_t size;
    while ((size = space_at((const unsigned char *)text.data, text.size)) > 0) {
        text.data += size;
        text.size -= size;
    }
    for (bool more = true; more;) { // from behind a space may be one, two or three bytes
        more = false;
        for (size = 1; size <= 3 && size <= text.size && !more; size++) {
            if (space_at((const unsigned char *)text.data + text.size - size, size) == size) {
                text.size -= size;
                more = true;
            }
        }
    }
    return text;
}

size_t petween_length(zo_text text) {
    size_t length = 0;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        length += c >= 0xF0 ? 2 : (c & 0xC0) != 0x80 ? 1 : 0;
    }
    return length;
}

void petween_time(int64_t when_ms, char text[32]) {
    const time_t seconds = (time_t)(when_ms / 1000);
    struct tm parts;
    char day[24] = "1970-01-01T00:00:00";
    if (gmtime_r(&seconds, &parts) != NULL) { strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts); }
    snprintf(text, 32, "%s.%03dZ", day, (int)(when_ms % 1000));
}

static bool member(const zo_document *document, uint32_t object, const char *name, zo_value *value) {
    return zo_document_value(document, zo_document_member(document, object, name), value);
}

// --------------------------------------------------------------------------------------------------------- attribution

static const struct {
    const char *name;
    size_t length_max; // UTF-16 units; 0: the list of creators
} attributions[] = {{"character", 200}, {"creators", 0}, {"sourceUrl", 500}, {"license", 200}};
enum { ATTRIBUTIONS = sizeof attributions / sizeof attributions[0] };

static bool is_known(zo_text name) {
    bool is = false;
    for (int i = 0; i < ATTRIBUTIONS; i++) { is = is || petween_text_is(name, attributions[i].name); }
    return is;
}

static void say(petween_fault_fn fault, void *context, const char *path, const char *what) {
    char text[160];
    snprintf(text, sizeof text, "%s %s", path, what);
    fault(context, text);
}

static void check_text(const zo_value *value, const char *path, size_t length_max, petween_fault_fn fault,
                       void *context) {
    char what[48];
    const zo_text text = petween_trim(value->text);
    if (value->kind != ZO_VALUE_STRING || text.size == 0) {
        say(fault, context, path, "must be a text that is not empty");
    } else if (petween_length(text) > length_max) {
        snprintf(what, sizeof what, "has more than %zu characters", length_max);
        say(fault, context, path, what);
    }
}

static void check_creators(const zo_document *document, const zo_value *list, petween_fault_fn fault, void *context) {
    zo_value item;
    if (list->kind != ZO_VALUE_ARRAY) {
        say(fault, context, "attribution.creators", "must be a list of texts");
        return;
    }
    if (list->count > CREATORS_MAX) {
        say(fault, context, "attribution.creators", "has more than 8 entries");
        return;
    }
    uint32_t index = 0;
    for (uint32_t id = list->first; zo_document_value(document, id, &item); id = item.next) {
        char path[48];
        snprintf(path, sizeof path, "attribution.creators[%u]", (unsigned)index++);
        check_text(&item, path, CREATOR_MAX, fault, context);
    }
}

void petween_attribution_check(const zo_document *document, uint32_t value, petween_fault_fn fault, void *context) {
    zo_value object, field;
    if (!zo_document_value(document, value, &object) || object.kind == ZO_VALUE_NULL) { return; }
    if (object.kind != ZO_VALUE_OBJECT) {
        say(fault, context, "attribution", "must be an object");
        return;
    }
    for (int i = 0; i < ATTRIBUTIONS; i++) {
        char path[48];
        if (!member(document, value, attributions[i].name, &field) || field.kind == ZO_VALUE_NULL) { continue; }
        snprintf(path, sizeof path, "attribution.%s", attributions[i].name);
        if (attributions[i].length_max == 0) {
            check_creators(document, &field, fault, context);
        } else {
            check_text(&field, path, attributions[i].length_max, fault, context);
        }
    }
}

static void count_fault(void *context, const char *text) {
    (void)text;
    ++*(uint32_t *)context;
}

static bool is_sound(void (*check)(const zo_document *, uint32_t, petween_fault_fn, void *),
                     const zo_document *document, uint32_t value) {
    uint32_t faults = 0;
    zo_value object;
    check(document, value, count_fault, &faults);
    return faults == 0 && zo_document_value(document, value, &object) && object.kind == ZO_VALUE_OBJECT;
}

static void put_name(http_text *json, const char *name, bool *first) {
    http_text_words(json, *first ? "\"" : ", \"");
    http_text_words(json, name);
    http_text_words(json, "\": ");
    *first = false;
}

// A member that was found sound; null and an empty list are as if it were not there.
static void put_attribution(http_text *json, const zo_document *document, int index, const zo_value *field,
                            bool *first) {
    zo_value item;
    if (field->kind == ZO_VALUE_NULL || (field->kind == ZO_VALUE_ARRAY && field->count == 0)) { return; }
    put_name(json, attributions[index].name, first);
    if (field->kind == ZO_VALUE_STRING) {
        petween_quote(json, petween_trim(field->text));
        return;
    }
    http_text_words(json, "[");
    for (uint32_t id = field->first; zo_document_value(document, id, &item); id = item.next) {
        if (id != field->first) { http_text_words(json, ", "); }
        petween_quote(json, petween_trim(item.text));
    }
    http_text_words(json, "]");
}

bool petween_attribution_write(http_text *json, const zo_document *document, uint32_t value) {
    http_text own = {0};
    zo_value field;
    bool first = true;
    if (!is_sound(petween_attribution_check, document, value)) { return false; }
    for (int i = 0; i < ATTRIBUTIONS; i++) {
        if (member(document, value, attributions[i].name, &field)) {
            put_attribution(&own, document, i, &field, &first);
        }
    }
    if (!first) {
        http_text_words(json, "{");
        http_text_put(json, own.bytes, own.size);
        http_text_words(json, "}");
    }
    json->failed = json->failed || own.failed;
    http_text_free(&own);
    return !first;
}

void petween_attribution_merge(http_text *json, const zo_document *document, uint32_t value, const zo_document *patch,
                               uint32_t patch_value) {
    const bool sound = is_sound(petween_attribution_check, document, value);
    zo_value field, object;
    bool first = true;
    http_text_words(json, "{");
    for (int i = 0; i < ATTRIBUTIONS; i++) {
        if (member(patch, patch_value, attributions[i].name, &field)) {
            put_attribution(json, patch, i, &field, &first);
        } else if (sound && member(document, value, attributions[i].name, &field)) {
            put_attribution(json, document, i, &field, &first);
        }
    }
    if (sound && zo_document_value(document, value, &object)) {
        for (uint32_t id = object.first; zo_document_value(document, id, &field); id = field.next) {
            if (is_known(field.key)) { continue; }
            if (!first) { http_text_words(json, ", "); }
            first = false;
            http_text_put(json, field.key_source.data, field.key_source.size);
            http_text_words(json, ": ");
            http_text_put(json, field.source.data, field.source.size);
        }
    }
    http_text_words(json, "}");
}

// ------------------------------------------------------------------------------------------------------------- plugins

// Bytes of a JSON text without the white space between its signs.
static size_t compact_size(zo_text source) {
    size_t size = 0;
    bool in_text = false;
    for (size_t i = 0; i < source.size; i++) {
        const char c = source.data[i];
        if (!in_text && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) { continue; }
        size++;
        if (c == '"') { in_text = !in_text; }
        if (in_text && c == '\\') { // what follows ends no text
            i++;
            size++;
        }
    }
    return size;
}

static bool is_plugin_id(zo_text id) {
    if (id.size == 0 || id.size > PLUGIN_ID_MAX || id.data[0] == '-') { return false; }
    for (size_t i = 0; i < id.size; i++) {
        const char c = id.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) { return false; }
    }
    return true;
}

static bool is_remap(const zo_document *document, const zo_value *map) {
    zo_value to;
    if (map->kind != ZO_VALUE_OBJECT) { return false; }
    for (uint32_t id = map->first; zo_document_value(document, id, &to); id = to.next) {
        if (to.kind != ZO_VALUE_STRING) { return false; }
    }
    return true;
}

static void check_plugin(const zo_document *document, uint32_t id, const zo_value *plugin, petween_fault_fn fault,
                         void *context) {
    char path[32 + PLUGIN_ID_MAX];
    zo_value config, map;
    if (!is_plugin_id(plugin->key)) {
        fault(context, "pluginConfigs: an id is at most 64 of a-z, 0-9 and -, and begins with none of the last");
        return;
    }
    snprintf(path, sizeof path, "pluginConfigs.%.*s", (int)plugin->key.size, plugin->key.data);
    if (plugin->kind != ZO_VALUE_OBJECT || !member(document, id, "config", &config)) {
        say(fault, context, path, "must be an object with a config");
    } else if (compact_size(config.source) > PLUGIN_BYTES_MAX) {
        say(fault, context, path, "has a config of more than 16 KiB");
    } else if (member(document, id, "animationIdRemap", &map) && !is_remap(document, &map)) {
        say(fault, context, path, "has an animationIdRemap that is no map of texts");
    }
}

void petween_plugins_check(const zo_document *document, uint32_t value, petween_fault_fn fault, void *context) {
    zo_value object, plugin;
    if (!zo_document_value(document, value, &object)) { return; }
    if (object.kind != ZO_VALUE_OBJECT) {
        say(fault, context, "pluginConfigs", "must be an object");
        return;
    }
    if (object.count > PLUGINS_MAX) {
        say(fault, context, "pluginConfigs", "has more than 8 entries");
        return;
    }
    size_t size = 0;
    for (uint32_t id = object.first; zo_document_value(document, id, &plugin); id = plugin.next) {
        check_plugin(document, id, &plugin, fault, context);
        size += compact_size(plugin.source);
    }
    if (size > PLUGINS_BYTES_MAX) { say(fault, context, "pluginConfigs", "has more than 64 KiB"); }
}

static void put_plugin(http_text *json, const zo_document *document, uint32_t id, const zo_value *plugin,
                       bool *first) {
    zo_value part;
    if (!*first) { http_text_words(json, ", "); }
    *first = false;
    http_text_put(json, plugin->key_source.data, plugin->key_source.size);
    http_text_words(json, ": {\"config\": ");
    if (member(document, id, "config", &part)) { http_text_put(json, part.source.data, part.source.size); }
    if (member(document, id, "animationIdRemap", &part)) {
        http_text_words(json, ", \"animationIdRemap\": ");
        http_text_put(json, part.source.data, part.source.size);
    }
    http_text_words(json, "}");
}

static bool is_there(const zo_document *document, uint32_t value, zo_text key) {
    zo_value object, plugin;
    if (!zo_document_value(document, value, &object)) { return false; }
    for (uint32_t id = object.first; zo_document_value(document, id, &plugin); id = plugin.next) {
        if (plugin.key.size == key.size && memcmp(plugin.key.data, key.data, key.size) == 0) { return true; }
    }
    return false;
}

static void put_plugins(http_text *json, const zo_document *document, uint32_t value, const zo_document *but_of,
                        uint32_t but_value, bool *first) {
    zo_value object, plugin;
    if (!is_sound(petween_plugins_check, document, value) || !zo_document_value(document, value, &object)) { return; }
    for (uint32_t id = object.first; zo_document_value(document, id, &plugin); id = plugin.next) {
        if (but_of != NULL && is_there(but_of, but_value, plugin.key)) { continue; }
        put_plugin(json, document, id, &plugin, first);
    }
}

bool petween_plugins_write(http_text *json, const zo_document *document, uint32_t value) {
    zo_value object;
    bool first = true;
    if (!is_sound(petween_plugins_check, document, value) || !zo_document_value(document, value, &object) ||
        object.count == 0) {
        return false;
    }
    http_text_words(json, "{");
    put_plugins(json, document, value, NULL, 0, &first);
    http_text_words(json, "}");
    return true;
}

void petween_plugins_merge(http_text *json, const zo_document *document, uint32_t value, const zo_document *later,
                           uint32_t later_value) {
    bool first = true;
    http_text_words(json, "{");
    put_plugins(json, document, value, later, later_value, &first);
    put_plugins(json, later, later_value, NULL, 0, &first);
    http_text_words(json, "}");
}

// ---------------------------------------------------------------------------------------------------------------- pets

static zo_text text_member(const zo_document *document, const char *name) {
    zo_value value;
    const bool is = member(document, ZO_VALUE_ROOT, name, &value) && value.kind == ZO_VALUE_STRING;
    return is ? value.text : (zo_text){"", 0};
}

bool petween_pet_read(const zo_document *document, const petween_reading *reading, petween_pet *pet,
                      const char **why) {
    zo_value value;
    petween_config defaults;
    petween_config_default(&defaults);
    *pet = (petween_pet){.slice = defaults.slice, .document = document};
    *why = "it is no object";
    if (!zo_document_value(document, ZO_VALUE_ROOT, &value) || value.kind != ZO_VALUE_OBJECT) { return false; }
    const zo_text id = text_member(document, "id");
    *why = "its id is none of a pet";
    if (id.size >= sizeof pet->id || memchr(id.data, 0, id.size) != NULL) { return false; }
    memcpy(pet->id, id.data, id.size);
    if (!petween_is_pet_id(pet->id)) { return false; }
    pet->name = petween_trim(text_member(document, "name"));
    *why = "it has no name";
    if (pet->name.size == 0) { return false; }
    pet->created = text_member(document, "createdAt");
    pet->updated = text_member(document, "updatedAt");
    petween_slice_read(document, ZO_VALUE_ROOT, reading, &pet->slice);
    *why = NULL;
    return true;
}

static void write_text(cli_json *json, const char *key, zo_text text) {
    http_text quoted = {0};
    petween_quote(&quoted, text);
    if (quoted.failed) {
        cli_json_text(json, key, "");
    } else {
        cli_json_raw(json, key, quoted.bytes, quoted.size);
    }
    http_text_free(&quoted);
}

void petween_pet_write(cli_json *json, const char *key, const petween_pet *pet) {
    http_text part = {0};
    cli_json_open(json, key, '{');
    cli_json_text(json, "id", pet->id);
    write_text(json, "name", pet->name);
    petween_slice_write(json, &pet->slice);
    write_text(json, "createdAt", pet->created);
    write_text(json, "updatedAt", pet->updated);
    const zo_document *const d = pet->document;
    if (petween_attribution_write(&part, d, zo_document_member(d, ZO_VALUE_ROOT, "attribution")) && !part.failed) {
        cli_json_raw(json, "attribution", part.bytes, part.size);
    }
    http_text_free(&part);
    if (petween_plugins_write(&part, d, zo_document_member(d, ZO_VALUE_ROOT, "pluginConfigs")) && !part.failed) {
        cli_json_raw(json, "pluginConfigs", part.bytes, part.size);
    }
    http_text_free(&part);
    cli_json_close(json, '}');
}
