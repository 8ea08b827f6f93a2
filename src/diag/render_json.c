// Reports as one JSON document, "schema": "zoetrope/check@1": totals of all, a line a file, a line a diagnostic. Called
// by render.c. Members may be added; those that are there stay as they are.
#include "diag/render.h"

void zd_put_json_string(zd_out *out, const char *key, const char *text) {
    zd_put(out, key);
    if (text) {
        zb_put_json_text(&out->text, zb_text(text));
    } else {
        zd_put(out, "null");
    }
}

void zd_put_json_count(zd_out *out, const char *key, uint64_t count) {
    zd_put(out, key);
    zb_put_uint(&out->text, count);
}

static void put_place(zd_out *out, const zo_place *place) {
    zd_put_json_string(out, "\"file\": ", place->file);
    zd_put_json_count(out, ", \"line\": ", place->line);
    zd_put_json_count(out, ", \"column\": ", place->column);
    zd_put_json_count(out, ", \"endLine\": ", place->end_line);
    zd_put_json_count(out, ", \"endColumn\": ", place->end_column);
    zd_put_json_count(out, ", \"offset\": ", place->offset);
    zd_put_json_count(out, ", \"length\": ", place->length);
    zd_put_json_string(out, ", \"pointer\": ", place->pointer);
}

static void put_fix(zd_out *out, const zo_diag *diag) {
    zd_put_json_string(out, ", \"fix\": {\"message\": ", diag->fix);
    zd_put(out, ", \"edits\": [");
    for (uint32_t i = 0; i < diag->edit_count; i++) {
        const zo_edit *edit = &diag->edits[i];
        zd_put_json_count(out, i > 0 ? ", {\"offset\": " : "{\"offset\": ", edit->offset);
        zd_put_json_count(out, ", \"remove\": ", edit->remove);
        zd_put(out, ", \"insert\": ");
        zb_put_json_text(&out->text, (zo_text){edit->insert, edit->insert_size});
        zd_put(out, "}");
    }
    zd_put(out, "]}");
}

static void put_diag(zd_out *out, const zo_diag *diag) {
    zd_put_json_string(out, "{\"severity\": ", zd_severities[diag->severity].name);
    zd_put_json_string(out, ", \"id\": ", diag->id);
    zd_put_json_string(out, ", \"message\": ", diag->message);
    zd_put_json_string(out, ", \"hint\": ", diag->hint);
    zd_put(out, ", ");
    put_place(out, &diag->place);
    if (diag->related_message) {
        zd_put_json_string(out, ", \"related\": {\"message\": ", diag->related_message);
        zd_put(out, ", ");
        put_place(out, &diag->related);
        zd_put(out, "}");
    }
    if (diag->fix) { put_fix(out, diag); }
    zd_put(out, "}");
}

// The format of all, "" when they are of different ones.
static const char *common_format(const zd_report *const *reports, uint32_t report_count) {
    const char *format = NULL;
    for (uint32_t i = 0; i < report_count; i++) {
        if (!reports[i]) { continue; }
        if (format && strcmp(format, reports[i]->format) != 0) { return ""; }
        format = reports[i]->format;
    }
    return format ? format : "";
}

static void put_totals(zd_out *out, const char *between, const uint64_t totals[ZO_ERROR + 1], uint64_t dropped) {
    zd_put_json_count(out, "\"errors\": ", totals[ZO_ERROR]);
    zd_put(out, between);
    zd_put_json_count(out, "\"warnings\": ", totals[ZO_WARNING]);
    zd_put(out, between);
    zd_put_json_count(out, "\"notes\": ", totals[ZO_NOTE]);
    zd_put(out, between);
    zd_put_json_count(out, "\"dropped\": ", dropped);
}

static void put_file(zd_out *out, const zd_report *report) {
    const bool named = report->files.count > 0;
    zd_put_json_string(out, "{\"file\": ", named ? zd_file_at(report, 0)->name : NULL);
    zd_put_json_string(out, ", \"format\": ", report->format);
    const uint64_t totals[] = {report->totals[ZO_NOTE], report->totals[ZO_WARNING], report->totals[ZO_ERROR]};
    zd_put(out, ", ");
    put_totals(out, ", ", totals, zd_report_dropped(report));
    if (report->verdict.line) { zd_put_json_string(out, ", \"category\": ", report->verdict.category); }
    zd_put(out, "}");
}

void zd_write_json(zd_out *out, const zd_report *const *reports, uint32_t report_count) {
    uint64_t totals[ZO_ERROR + 1] = {0};
    uint64_t dropped = 0;
    uint64_t unread = 0;
    for (uint32_t i = 0; i < report_count; i++) {
        if (!reports[i]) {
            unread++;
            continue;
        }
        for (uint32_t severity = 0; severity <= ZO_ERROR; severity++) {
            totals[severity] += reports[i]->totals[severity];
        }
        dropped += zd_report_dropped(reports[i]);
    }
    zd_put(out, "{\n  \"schema\": \"zoetrope/check@1\",\n");
    zd_put_json_string(out, "  \"format\": ", common_format(reports, report_count));
    zd_put(out, ",\n  ");
    put_totals(out, ",\n  ", totals, dropped);
    zd_put_json_count(out, ",\n  \"unread\": ", unread);
    zd_put(out, ",\n  \"files\": [");
    uint32_t written = 0;
    for (uint32_t i = 0; i < report_count && out->ok; i++) {
        if (!reports[i]) { continue; }
        zd_put(out, written++ > 0 ? ",\n    " : "\n    ");
        put_file(out, reports[i]);
        zd_flush(out);
    }
    zd_put(out, written > 0 ? "\n  ],\n  \"diagnostics\": [" : "],\n  \"diagnostics\": [");
    written = 0;
    for (uint32_t i = 0; i < report_count; i++) {
        for (uint32_t k = 0; reports[i] && k < reports[i]->sorted_count && out->ok; k++) {
            zd_put(out, written++ > 0 ? ",\n    " : "\n    ");
            put_diag(out, &reports[i]->sorted[k]->diag);
            zd_flush(out);
        }
    }
    zd_put(out, written > 0 ? "\n  ]\n}\n" : "]\n}\n");
}
