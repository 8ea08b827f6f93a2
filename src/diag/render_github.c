// A report as workflow commands of GitHub Actions, which become annotations: a line a diagnostic. Called by render.c.
#include "diag/render.h"

// What ends a command's line or begins an escape; in a property also what ends that.
static void put_escaped(zd_out *out, const char *text, bool property) {
    for (const char *at = text; *at; at++) {
        const char c = *at;
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','))) {
            zd_put_percent(out, c);
        } else {
            zb_put_char(&out->text, c);
        }
    }
}

static void put_place(zd_out *out, const zo_place *place, bool whole) {
    zd_put(out, " file=");
    put_escaped(out, place->file, true);
    if (whole || place->line == 0) { return; }
    zd_put_json_count(out, ",line=", place->line);
    zd_put_json_count(out, ",endLine=", place->end_line);
    if (place->line != place->end_line) { return; } // columns of different lines are refused
    zd_put_json_count(out, ",col=", place->column);
    zd_put_json_count(out, ",endColumn=", place->end_column);
}

void zd_write_github(zd_out *out, const zd_report *report) {
    static const char *const commands[] = {[ZO_NOTE] = "notice", [ZO_WARNING] = "warning", [ZO_ERROR] = "error"};
    for (uint32_t i = 0; i < report->sorted_count && out->ok; i++) {
        const zo_diag *diag = &report->sorted[i]->diag;
        zd_put(out, "::");
        zd_put(out, commands[diag->severity]);
        put_place(out, &diag->place, report->sorted[i]->whole);
        zd_put(out, ",title=");
        put_escaped(out, diag->id, true);
        zd_put(out, "::");
        put_escaped(out, diag->message, false);
        if (diag->hint) {
            zd_put(out, "%0Ahint: ");
            put_escaped(out, diag->hint, false);
        }
        if (diag->related_message) {
            zd_put(out, "%0Anote: ");
            put_escaped(out, diag->related_message, false);
            if (diag->related.line > 0) { zd_put_json_count(out, ", in line ", diag->related.line); }
        }
        zd_put(out, "\n");
        zd_flush(out);
    }
    if (zd_report_dropped(report) > 0) {
        zd_put(out, "::notice file=");
        put_escaped(out, zd_file_at(report, 0)->name, true);
        zd_put_json_count(out, "::and ", zd_report_dropped(report));
        zd_put(out, " more, not shown\n");
    }
}
