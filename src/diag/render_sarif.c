// Reports as one SARIF 2.1.0 document with one run, for code scanning and editors: the rules that were broken with
// their explanations, and a line a result. Called by render.c. Section numbers are those of the OASIS standard.
#include "base/random.h"
#include "diag/render.h"

// ---- Texts ----

// Braces announce placeholders in messages and are doubled when they are none (3.11.5).
static void double_braces(zb_buffer *out, const char *text) {
    for (const char *at = text; *at; at++) {
        if (*at == '{' || *at == '}') { zb_put_char(out, *at); }
        zb_put_char(out, *at);
    }
}

// The message of a rule has no figures and names yet: dots stand for them, but not for what only follows at the end
// (", not 1.4") or right behind another.
static void put_dots(zb_buffer *out, const char *text) {
    bool dotted = false;
    for (const char *at = text; *at; at++) {
        const bool numbered = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}';
        if (!numbered && !(at[0] == '{' && at[1] == '}')) {
            zb_put_char(out, *at);
            dotted = false;
            continue;
        }
        const bool joined = at > text && at[-1] != ' ' && at[-1] != '"';
        at += numbered ? 2 : 1;
        if (!dotted && !(joined && !at[1])) { zb_put(out, "..."); }
        dotted = true;
    }
}

static zb_buffer message_open(zd_out *out) {
    zb_arena_reset(&out->line_arena);
    return zb_buffer_open(&out->line_arena);
}

static void message_close(zd_out *out, const zb_buffer *message) {
    if (zb_arena_failed(&out->line_arena)) { out->ok = false; }
    zd_put(out, "{\"text\": ");
    zb_put_json_text(&out->text, (zo_text){message->data, message->size});
    zd_put(out, "}");
}

static void put_message(zd_out *out, const char *text, const char *hint) {
    zb_buffer message = message_open(out);
    double_braces(&message, text);
    if (hint) {
        zb_put(&message, ". Hint: ");
        double_braces(&message, hint);
    }
    message_close(out, &message);
}

static bool stands_in_uri(char c) {
    const char low = (char)(c | 0x20);
    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~/!$&'()*+,;=@", c));
}

// A path as a URI: relative ones stay so, a colon would end a scheme and is escaped like all that is not allowed.
static void put_uri(zd_out *out, const char *path) {
    zd_put(out, path[0] == '/' ? "{\"uri\": \"file://" : "{\"uri\": \"");
    for (const char *at = path; *at; at++) {
        if (stands_in_uri(*at)) {
            zb_put_char(&out->text, *at);
        } else {
            zd_put_percent(out, *at);
        }
    }
    zd_put(out, "\"}");
}

// ---- Places ----

static void put_lines(zd_out *out, const zo_place *place) {
    zd_put_json_count(out, "{\"startLine\": ", place->line);
    zd_put_json_count(out, ", \"startColumn\": ", place->column);
    zd_put_json_count(out, ", \"endLine\": ", place->end_line);
    zd_put_json_count(out, ", \"endColumn\": ", place->end_column);
}

static void put_physical(zd_out *out, const zo_place *place, bool whole) {
    zd_put(out, "\"physicalLocation\": {\"artifactLocation\": ");
    put_uri(out, place->file);
    if (!whole) { // what has no lines has bytes
        zd_put(out, ", \"region\": ");
        if (place->line > 0) { put_lines(out, place); }
        zd_put_json_count(out, place->line > 0 ? ", \"byteOffset\": " : "{\"byteOffset\": ", place->offset);
        zd_put_json_count(out, ", \"byteLength\": ", place->length);
        zd_put(out, "}");
    }
    zd_put(out, "}");
    if (place->pointer && place->pointer[0]) {
        zd_put_json_string(out, ", \"logicalLocations\": [{\"fullyQualifiedName\": ", place->pointer);
        zd_put(out, "}]");
    }
}

// What a result is known by when lines move: the rule, where in the data, and what stands there.
static uint64_t fingerprint(const zd_report *report, const zd_item *item) {
    const zo_diag *diag = &item->diag;
    const zd_file *file = zd_file_at(report, item->file);
    uint64_t hash = zb_hash_bytes(diag->id, strlen(diag->id), 0);
    if (diag->place.pointer) { hash = zb_hash_bytes(diag->place.pointer, strlen(diag->place.pointer), hash); }
    if (file->bytes && !item->whole) {
        hash = zb_hash_bytes(file->bytes + diag->place.offset, diag->place.length, hash);
    } else if (!item->whole) { // of a binary file, where nothing moves
        const uint64_t offset = diag->place.offset;
        hash = zb_hash_bytes(&offset, sizeof offset, hash);
    }
    return hash;
}

// ---- Results ----

// A replacement of text is told by lines, and a byte order mark has no place in those: bytes are deleted then, which is
// the other form (3.57.3, 3.57.4).
static void put_replacement(zd_out *out, const zo_place *place, const zo_edit *edit) {
    const bool is_outside_of_lines = place->line == place->end_line && place->column == place->end_column;
    zd_put(out, "{\"deletedRegion\": ");
    if (is_outside_of_lines && edit->insert_size == 0) {
        zd_put_json_count(out, "{\"byteOffset\": ", edit->offset);
        zd_put_json_count(out, ", \"byteLength\": ", edit->remove);
        zd_put(out, "}}");
        return;
    }
    put_lines(out, place);
    zd_put(out, "}, \"insertedContent\": {\"text\": ");
    zb_put_json_text(&out->text, (zo_text){edit->insert, edit->insert_size});
    zd_put(out, "}}");
}

static void put_fix(zd_out *out, const zo_diag *diag) {
    const zo_place *place = &diag->place; // which the fix replaces (zd_report_fix)
    if (place->line == 0) { return; }
    zd_put(out, ", \"fixes\": [{\"description\": ");
    put_message(out, diag->fix, NULL);
    zd_put(out, ", \"artifactChanges\": [{\"artifactLocation\": ");
    put_uri(out, place->file);
    zd_put(out, ", \"replacements\": [");
    put_replacement(out, place, &diag->edits[0]);
    zd_put(out, "]}]}]");
}

static void put_result(zd_out *out, const zd_report *report, const zd_item *item, uint32_t rule_index) {
    const zo_diag *diag = &item->diag;
    zd_put_json_string(out, "{\"ruleId\": ", diag->id);
    zd_put_json_count(out, ", \"ruleIndex\": ", rule_index);
    zd_put_json_string(out, ", \"level\": ", zd_severities[diag->severity].name);
    zd_put(out, ", \"message\": ");
    put_message(out, diag->message, diag->hint);
    zd_put(out, ", \"locations\": [{");
    put_physical(out, &diag->place, item->whole);
    zd_put(out, "}]");
    if (diag->related_message) {
        zd_put(out, ", \"relatedLocations\": [{\"id\": 1, \"message\": ");
        put_message(out, diag->related_message, NULL);
        zd_put(out, ", ");
        put_physical(out, &diag->related, item->related_whole);
        zd_put(out, "}]");
    }
    zd_put(out, ", \"partialFingerprints\": {\"rulePointerValue/v1\": \"");
    zb_put_hex(&out->text, fingerprint(report, item), 16);
    zd_put(out, "\"}");
    if (diag->fix) { put_fix(out, diag); }
    zd_put(out, "}");
}

// ---- Rules ----

// Of each rule, by its place in the list of all, the place in this document's list + 1; 0: not broken.
typedef struct rule_map {
    uint32_t listed[ZD_COUNT];
    uint32_t count;
} rule_map;

static uint32_t rule_number(const char *id) {
    for (uint32_t i = 0; i < ZD_COUNT; i++) {
        if (strcmp(zd_rule_of((zd_id)i)->id, id) == 0) { return i; }
    }
    ZO_ASSERT(false);
    return 0;
}

static void put_rule(zd_out *out, const zo_rule *rule) {
    zd_put_json_string(out, "{\"id\": ", rule->id);
    zd_put(out, ", \"shortDescription\": ");
    zb_buffer message = message_open(out);
    put_dots(&message, rule->message);
    message_close(out, &message);
    zd_put(out, ", \"fullDescription\": ");
    put_message(out, rule->explain, NULL);
    zd_put(out, ", \"help\": ");
    put_message(out, rule->explain, NULL);
    zd_put_json_string(out, ", \"defaultConfiguration\": {\"level\": ", zd_severities[rule->severity].name);
    zd_put(out, "}}");
}

static void put_rules(zd_out *out, const zd_report *const *reports, uint32_t report_count, rule_map *map) {
    for (uint32_t i = 0; i < report_count; i++) {
        for (uint32_t k = 0; reports[i] && k < reports[i]->sorted_count; k++) {
            const uint32_t number = rule_number(reports[i]->sorted[k]->diag.id);
            if (map->listed[number] > 0) { continue; }
            zd_put(out, map->count > 0 ? ",\n        " : "\n        ");
            put_rule(out, zd_rule_of((zd_id)number));
            map->listed[number] = ++map->count;
            zd_flush(out);
        }
    }
}

void zd_write_sarif(zd_out *out, const zd_report *const *reports, uint32_t report_count) {
    bool successful = true; // whether everything was looked at and nothing is left out
    for (uint32_t i = 0; i < report_count; i++) {
        successful = successful && reports[i] && !zb_arena_failed(&reports[i]->arena);
    }
    rule_map map = {.count = 0};
    zd_put(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
                "  \"runs\": [{\n    \"tool\": {\"driver\": {\n      \"name\": \"zoetrope\",\n");
    zd_put_json_count(out, "      \"version\": \"", ZO_VERSION_MAJOR);
    zd_put_json_count(out, ".", ZO_VERSION_MINOR);
    zd_put_json_count(out, ".", ZO_VERSION_PATCH);
    zd_put(out, "\",\n      \"rules\": [");
    put_rules(out, reports, report_count, &map);
    zd_put(out, map.count > 0 ? "\n      ]\n    }},\n" : "]\n    }},\n");
    zd_put(out, "    \"invocations\": [{\"executionSuccessful\": ");
    zd_put(out, successful ? "true" : "false");
    zd_put(out, "}],\n    \"columnKind\": \"unicodeCodePoints\",\n    \"results\": [");
    bool first = true;
    for (uint32_t i = 0; i < report_count; i++) {
        for (uint32_t k = 0; reports[i] && k < reports[i]->sorted_count && out->ok; k++) {
            const zd_item *item = reports[i]->sorted[k];
            zd_put(out, first ? "\n      " : ",\n      ");
            first = false;
            put_result(out, reports[i], item, map.listed[rule_number(item->diag.id)] - 1);
            zd_flush(out);
        }
    }
    zd_put(out, first ? "]\n  }]\n}\n" : "\n    ]\n  }]\n}\n");
}
