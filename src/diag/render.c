// Writes reports: for people with the source line and a caret, as compilers do, or in one of the styles that have a
// file of their own. Called by the public functions. Must not change the report, nor know what the diagnostics mean.
#include "base/number.h"
#include "base/utf8.h"
#include "diag/render.h"

enum {
    LINE_COLUMNS_MAX = 100, // of a source line; longer ones are shown around the span
    LINE_BYTES_MAX = 4096,  // looked at on each side of the span's start: a line may be megabytes long
    TAB_STOP = 4,
    NUMBER_WIDTH = 5,
    TEXT_COLUMNS_MAX = 400, // names and pointers, for people
};

const zd_severity_words zd_severities[ZO_ERROR + 1] = {
    [ZO_NOTE] = {"note", "notes", "1;36"},
    [ZO_WARNING] = {"warning", "warnings", "1;35"},
    [ZO_ERROR] = {"error", "errors", "1;31"},
};

void zd_flush(zd_out *out) {
    if (zb_arena_failed(&out->arena)) { out->ok = false; }
    if (out->ok && out->text.size > 0) { out->ok = out->write(out->context, out->text.data, out->text.size); }
    out->text.size = 0;
}

void zd_put_percent(zd_out *out, char c) {
    static const char digits[] = "0123456789ABCDEF";
    zb_put_char(&out->text, '%');
    zb_put_char(&out->text, digits[(unsigned char)c >> 4]);
    zb_put_char(&out->text, digits[(unsigned char)c & 15]);
}

static void put_color(zd_out *out, const char *code) {
    if (!out->color) { return; }
    zd_put(out, "\x1b[");
    zd_put(out, code);
    zd_put(out, "m");
}

static void put_colored(zd_out *out, const char *code, const char *text) {
    put_color(out, code);
    zd_put(out, text);
    put_color(out, "0");
}

static const char *const BOLD = "1";
static const char *const BLUE = "34";

// ---- The source line ----

// What one code point of the line becomes.
typedef struct zd_cell {
    uint32_t code_point; // made visible; 0: shown as `width` spaces
    uint32_t column;     // from 0
    uint32_t width;
} zd_cell;

typedef struct zd_line {
    zd_cell *cells; // and one at the end, of width 0, where the line ends
    uint32_t cell_count;
    uint32_t span_begin, span_end; // columns; end > begin
    bool cut_left, cut_right;      // more of the line than was looked at
} zd_line;

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// The part of the line around `offset` that is looked at.
static void find_line(const zd_file *file, size_t offset, size_t *begin, size_t *end, zd_line *line) {
    const char *bytes = file->bytes;
    // At the LF of a CR LF the line ended one before.
    const bool between = offset > 0 && offset < file->size && bytes[offset] == '\n' && bytes[offset - 1] == '\r';
    const size_t at = between ? offset - 1 : offset;
    size_t first = at;
    while (first > 0 && at - first < LINE_BYTES_MAX && !is_line_end(bytes[first - 1])) { first--; }
    line->cut_left = first > 0 && !is_line_end(bytes[first - 1]);
    while (line->cut_left && first < at && ((unsigned char)bytes[first] & 0xC0) == 0x80) { first++; }
    if (first == 0 && file->size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) { first = 3; } // the mark is not shown
    size_t last = at > first ? at : first;
    while (last < file->size && last - at < LINE_BYTES_MAX && !is_line_end(bytes[last])) { last++; }
    line->cut_right = last < file->size && !is_line_end(bytes[last]);
    *begin = first;
    *end = last;
}

static bool make_line(zb_arena *arena, const zd_file *file, const zo_place *place, zd_line *line) {
    size_t begin;
    size_t end;
    *line = (zd_line){0};
    find_line(file, place->offset, &begin, &end, line);
    line->cells = zb_arena_take_array(arena, end - begin + 1, sizeof *line->cells);
    if (!line->cells) { return false; }
    const size_t span_begin = place->offset;
    const size_t span_end = span_begin + place->length; // inside the file: the report saw to it
    uint32_t column = 0;
    bool begun = false;
    for (size_t at = begin; at < end;) {
        const size_t was = at;
        const uint32_t c = zb_utf8_next(file->bytes, end, &at, NULL);
        zd_cell *cell = &line->cells[line->cell_count++];
        cell->column = column;
        cell->code_point = c == '\t' ? 0 : zd_visible(c);
        cell->width = c == '\t' ? TAB_STOP - column % TAB_STOP : zb_code_point_width(cell->code_point);
        column += cell->width;
        if (!begun && at > span_begin) {
            begun = true;
            line->span_begin = cell->column;
        }
        if (begun && was < span_end) { line->span_end = column; }
    }
    line->cells[line->cell_count].column = column;
    if (!begun) { line->span_begin = column; } // a caret at the line's end
    if (line->span_end <= line->span_begin) { line->span_end = line->span_begin + 1; }
    return true;
}

// Cells [*first, *last) of a line that is too wide: the span and what is around it.
static void choose_window(const zd_line *line, uint32_t *first, uint32_t *last) {
    const uint32_t width = line->cells[line->cell_count].column;
    const uint32_t span = line->span_end - line->span_begin;
    uint32_t left = 0;
    if (span >= LINE_COLUMNS_MAX) {
        left = line->span_begin;
    } else if (line->span_end > LINE_COLUMNS_MAX * 3 / 4) {
        left = line->span_begin - (LINE_COLUMNS_MAX - span) / 2;
        if (line->span_begin < (LINE_COLUMNS_MAX - span) / 2) { left = 0; }
    }
    if (left + LINE_COLUMNS_MAX > width) { left = width > LINE_COLUMNS_MAX ? width - LINE_COLUMNS_MAX : 0; }
    if (left > line->span_begin) { left = line->span_begin; }
    *first = 0;
    while (*first < line->cell_count && line->cells[*first].column < left) { (*first)++; }
    *last = *first;
    while (*last < line->cell_count &&
           line->cells[*last].column + line->cells[*last].width <= left + LINE_COLUMNS_MAX) {
        (*last)++;
    }
}

static void put_gutter(zd_out *out, uint32_t number, uint32_t width) {
    char text[ZB_NUMBER_TEXT_MAX];
    const size_t size = number > 0 ? zb_int_text(number, text) : 0;
    put_color(out, BLUE);
    zb_put_repeat(&out->text, ' ', size < width ? width - (uint32_t)size : 0);
    zb_put_bytes(&out->text, text, size);
    zd_put(out, " |");
    put_color(out, "0");
}

static void put_source(zd_out *out, const zd_file *file, const zo_place *place, const char *color) {
    zd_line line;
    if (!file->bytes) { return; }
    zb_arena_reset(&out->line_arena);
    if (!make_line(&out->line_arena, file, place, &line)) {
        out->ok = false;
        return;
    }
    uint32_t first;
    uint32_t last;
    choose_window(&line, &first, &last);
    const uint32_t base = line.cells[first].column;
    const uint32_t shown_end = line.cells[last].column;
    const bool cut_left = line.cut_left || first > 0;
    const bool cut_right = line.cut_right || last < line.cell_count;
    uint32_t number_width = NUMBER_WIDTH;
    for (uint32_t rest = place->line / 100000; rest > 0; rest /= 10) { number_width++; }

    put_gutter(out, place->line, number_width);
    if (last > first || cut_left || cut_right) { zd_put(out, " "); }
    if (cut_left) { zb_put_unicode(&out->text, 0x2026); }
    for (uint32_t i = first; i < last; i++) {
        if (line.cells[i].code_point == 0) {
            zb_put_repeat(&out->text, ' ', line.cells[i].width);
        } else {
            zb_put_unicode(&out->text, line.cells[i].code_point);
        }
    }
    if (cut_right) { zb_put_unicode(&out->text, 0x2026); }
    zd_put(out, "\n");

    put_gutter(out, 0, number_width);
    uint32_t span_end = line.span_end;
    if (span_end > shown_end && cut_right) { span_end = shown_end; }
    if (span_end <= line.span_begin) { span_end = line.span_begin + 1; }
    zb_put_repeat(&out->text, ' ', 1 + cut_left + (line.span_begin - base));
    put_color(out, color);
    zb_put_repeat(&out->text, '^', span_end - line.span_begin);
    put_color(out, "0");
    zd_put(out, "\n");
}

// ---- For people ----

static void put_text(zd_out *out, const char *text) { zd_put_visible(&out->text, zb_text(text), TEXT_COLUMNS_MAX); }

static void put_location(zd_out *out, const zo_place *place, bool whole) {
    put_text(out, place->file);
    if (!whole && place->line > 0) {
        zd_put(out, ":");
        zb_put_uint(&out->text, place->line);
        zd_put(out, ":");
        zb_put_uint(&out->text, place->column);
    }
    zd_put(out, ":");
}

static void put_detail(zd_out *out, const char *label, const char *text) {
    zd_put(out, "   ");
    put_colored(out, BOLD, label);
    zd_put(out, " ");
    zb_put_text(&out->text, zb_text(text));
    zd_put(out, "\n");
}

static void put_human(zd_out *out, const zd_report *report, const zd_item *item) {
    const zo_diag *diag = &item->diag;
    const char *color = zd_severities[diag->severity].color;
    put_color(out, BOLD);
    put_location(out, &diag->place, item->whole);
    put_color(out, "0");
    zd_put(out, " ");
    put_color(out, color);
    zd_put(out, zd_severities[diag->severity].name);
    zd_put(out, "[");
    zd_put(out, diag->id);
    zd_put(out, "]:");
    put_color(out, "0");
    zd_put(out, " ");
    put_colored(out, BOLD, diag->message);
    zd_put(out, "\n");
    if (!item->whole && diag->place.line > 0) { put_source(out, zd_file_at(report, item->file), &diag->place, color); }
    if (diag->place.pointer && diag->place.pointer[0]) {
        zd_put(out, "   ");
        put_colored(out, BOLD, "at:");
        zd_put(out, " ");
        put_text(out, diag->place.pointer);
        zd_put(out, "\n");
    }
    if (diag->hint) { put_detail(out, "hint:", diag->hint); }
    if (!diag->related_message) { return; }
    put_color(out, BOLD);
    put_location(out, &diag->related, item->related_whole);
    put_color(out, "0");
    zd_put(out, " ");
    put_colored(out, zd_severities[ZO_NOTE].color, "note:");
    zd_put(out, " ");
    put_text(out, diag->related_message);
    zd_put(out, "\n");
    if (!item->related_whole && diag->related.line > 0) {
        put_source(out, zd_file_at(report, item->related_file), &diag->related, zd_severities[ZO_NOTE].color);
    }
}

static void put_totals(zd_out *out, const zd_report *report) {
    if (zd_report_dropped(report) > 0) {
        zb_put_unicode(&out->text, 0x2026);
        zd_put(out, " and ");
        zb_put_uint(&out->text, zd_report_dropped(report));
        zd_put(out, " more, not shown\n");
    }
    bool first = true;
    for (int severity = ZO_ERROR; severity >= ZO_NOTE; severity--) {
        const uint32_t count = report->totals[severity];
        if (count == 0) { continue; }
        if (!first) { zd_put(out, ", "); }
        first = false;
        zb_put_uint(&out->text, count);
        zd_put(out, " ");
        zd_put(out, count == 1 ? zd_severities[severity].name : zd_severities[severity].plural);
    }
    if (!first) { zd_put(out, "\n"); }
}

static void write_human(zd_out *out, const zd_report *report) {
    for (uint32_t i = 0; i < report->sorted_count && out->ok; i++) {
        put_human(out, report, report->sorted[i]);
        zd_put(out, "\n");
        zd_flush(out);
    }
    put_totals(out, report);
}

// ---- As compilers do ----

static void put_gcc(zd_out *out, const zo_place *place, bool whole, const char *severity, const char *message,
                    const char *id) {
    put_location(out, place, whole);
    zd_put(out, " ");
    zd_put(out, severity);
    zd_put(out, ": ");
    zd_put(out, message);
    if (id) {
        zd_put(out, " [");
        zd_put(out, id);
        zd_put(out, "]");
    }
    zd_put(out, "\n");
}

static void write_gcc(zd_out *out, const zd_report *report) {
    for (uint32_t i = 0; i < report->sorted_count && out->ok; i++) {
        const zd_item *item = report->sorted[i];
        const zo_diag *diag = &item->diag;
        put_gcc(out, &diag->place, item->whole, zd_severities[diag->severity].name, diag->message, diag->id);
        if (diag->related_message) {
            put_gcc(out, &diag->related, item->related_whole, "note", diag->related_message, NULL);
        }
        zd_flush(out);
    }
}

// ---- Any style ----

// Reports that people read stand apart from each other.
static void write_each(zd_out *out, const zd_report *const *reports, uint32_t report_count, zo_report_style style) {
    bool written = false;
    for (uint32_t i = 0; i < report_count && out->ok; i++) {
        const zd_report *report = reports[i];
        if (!report) { continue; }
        if (style == ZO_REPORT_GCC) {
            write_gcc(out, report);
        } else if (style == ZO_REPORT_GITHUB) {
            zd_write_github(out, report);
        } else {
            if (written && report->sorted_count > 0) { zd_put(out, "\n"); }
            written = written || report->sorted_count > 0;
            write_human(out, report);
        }
        zd_flush(out);
    }
}

static const zo_allocator *allocator_of(const zd_report *const *reports, uint32_t report_count) {
    for (uint32_t i = 0; i < report_count; i++) {
        if (reports[i]) { return &reports[i]->arena.allocator; }
    }
    return NULL;
}

bool zd_reports_write(const zd_report *const *reports, uint32_t report_count, zo_report_style style, bool color,
                      zo_write_fn write, void *context) {
    const zo_allocator *allocator = allocator_of(reports, report_count);
    zd_out out = {
        .arena = zb_arena_open(allocator),
        .line_arena = zb_arena_open(allocator),
        .write = write,
        .context = context,
        .color = color && style == ZO_REPORT_HUMAN,
        .ok = true,
    };
    out.text = zb_buffer_open(&out.arena);
    switch (style) {
    case ZO_REPORT_JSON: zd_write_json(&out, reports, report_count); break;
    case ZO_REPORT_SARIF: zd_write_sarif(&out, reports, report_count); break;
    case ZO_REPORT_HUMAN: case ZO_REPORT_GCC: case ZO_REPORT_GITHUB:
        write_each(&out, reports, report_count, style);
        break;
    }
    zd_flush(&out);
    zb_arena_close(&out.line_arena);
    zb_arena_close(&out.arena);
    return out.ok;
}
