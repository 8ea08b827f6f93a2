// The report: takes diagnostics from readers, keeps as many as were asked for, puts them in order and finds their
// lines. Called by every layer that reads something from outside, and by the public functions. Must not know JSON or a
// format.
#include "diag/diag.h"

#include "base/utf8.h"
#include "diag/report.h"

enum { DIAG_MAX_DEFAULT = 100, ARG_COLUMNS_MAX = 80 };
// Bytes of JSON Pointers, the only texts of diagnostics that are as long as the one who wrote the document likes: one
// name of a megabyte with ten thousand faults below it would else take ten gigabytes.
enum { POINTER_BYTES_MAX = 8 << 20 };

// ---- Life ----

zd_report *zd_report_open(const zo_allocator *allocator, uint32_t diag_max, bool strict) {
    zb_arena arena = zb_arena_open(allocator);
    zd_report *report = zb_arena_take(&arena, sizeof *report);
    if (!report) { return NULL; } // then the arena holds nothing
    *report = (zd_report){
        .arena = arena,
        .diag_max = diag_max > 0 ? diag_max : DIAG_MAX_DEFAULT,
        .strict = strict,
        .format = "",
    };
    report->files = zb_array_open(&report->arena, sizeof(zd_file));
    report->items = zb_array_open(&report->arena, sizeof(zd_item));
    report->need_names = zb_intern_open(&report->arena);
    report->needs = zb_array_open(&report->arena, sizeof(zo_need));
    return report;
}

void zd_report_close(zd_report *report) {
    if (!report) { return; }
    zb_arena arena = report->arena; // the report lies in what is given back
    zb_arena_close(&arena);
}

zb_arena *zd_report_arena(zd_report *report) { return &report->arena; }

bool zd_report_strict(const zd_report *report) { return report->strict; }

uint32_t zd_report_file(zd_report *report, const char *name, const void *bytes, size_t size) {
    const char *copy = zb_arena_text(&report->arena, zb_text(name));
    const uint32_t index = report->files.count;
    zd_file *file = zb_array_push(&report->files);
    *file = (zd_file){copy, bytes, size};
    return index;
}

void zd_report_format_name(zd_report *report, const char *format) { report->format = format ? format : ""; }

void zd_report_add_need(zd_report *report, const char *name, zo_need_kind kind) {
    const uint32_t id = zb_intern_id(&report->need_names, zb_text(name));
    if (id == 0) { return; } // no memory
    if (id <= report->needs.count) { // asked for before: the kind that gives more wins
        zo_need *need = (zo_need *)(void *)report->needs.items + (id - 1);
        if (kind < need->kind) { need->kind = kind; }
        return;
    }
    zo_need *need = zb_array_push(&report->needs);
    *need = (zo_need){zb_intern_text(&report->need_names, id).data, kind};
}

// ---- Texts ----

uint32_t zd_visible(uint32_t code_point) {
    const uint32_t c = code_point;
    if (c < 0x20) { return 0x2400 + c; }
    if (c == 0x7F) { return 0x2421; }
    const bool hidden = (c >= 0x80 && c <= 0x9F) || c == 0x200B || c == 0x200E || c == 0x200F ||
                        (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
    return hidden ? 0xFFFD : c;
}

void zd_put_visible(zb_buffer *out, zo_text text, uint32_t columns_max) {
    uint32_t columns = 0;
    size_t fitting = out->size; // where the ellipsis still fits
    for (size_t at = 0; at < text.size;) {
        const uint32_t c = zd_visible(zb_utf8_next(text.data, text.size, &at, NULL));
        columns += zb_code_point_width(c);
        if (columns > columns_max || at > 8 * (size_t)columns_max) { // or a heap of combining marks
            if (!zb_arena_failed(out->arena)) { out->size = fitting; }
            zb_put_unicode(out, 0x2026);
            return;
        }
        zb_put_unicode(out, c);
        if (columns < columns_max) { fitting = out->size; }
    }
}

static void put_arg(zb_buffer *out, const zd_arg *arg) {
    switch (arg->kind) {
    case ZD_ARG_NONE: break;
    case ZD_ARG_TEXT: zd_put_visible(out, arg->text, ARG_COLUMNS_MAX); break;
    case ZD_ARG_NUMBER: zb_put_double(out, arg->number); break;
    case ZD_ARG_INT: zb_put_int(out, arg->integer); break;
    }
}

static uint32_t arg_count(const zd_args *args) {
    uint32_t count = 0;
    while (count < ZD_ARG_MAX && args->items[count].kind != ZD_ARG_NONE) { count++; }
    return count;
}

// {} is the next argument, {3} the fourth. A {} for which there is no argument is text, as in "such as [] or {}".
static const char *format_text(zb_arena *arena, const char *template_text, const zd_args *args) {
    const uint32_t count = arg_count(args);
    zb_buffer out = zb_buffer_open(arena);
    uint32_t next = 0;
    const char *done = template_text;
    const char *at = template_text;
    while (*at) {
        uint32_t index = count;
        size_t size = 0;
        if (at[0] == '{' && at[1] == '}') {
            index = next;
            size = 2;
        } else if (at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}') {
            index = (uint32_t)(at[1] - '0');
            size = 3;
        }
        if (index >= count) {
            at++;
            continue;
        }
        next += size == 2;
        zb_put_bytes(&out, done, (size_t)(at - done));
        put_arg(&out, &args->items[index]);
        at += size;
        done = at;
    }
    zb_put_bytes(&out, done, (size_t)(at - done));
    return zb_buffer_text(&out);
}

// ---- Adding ----

static bool has_room(const zd_report *report) {
    return report->kept_count < report->diag_max && report->pointer_bytes < POINTER_BYTES_MAX;
}

static bool is_replaceable_by(const zd_report *report, zo_severity severity) {
    return severity == ZO_ERROR && (report->newest[ZO_NOTE] > 0 || report->newest[ZO_WARNING] > 0);
}

static zo_severity severity_of(const zd_report *report, zd_id id) {
    const zo_severity severity = zd_rule_of(id)->severity;
    if (severity == ZO_WARNING && report->raised) { return ZO_ERROR; }
    return severity == ZO_ERROR && report->softened ? ZO_WARNING : severity;
}

void zd_report_raise(zd_report *report, bool on) { report->raised = on; }

void zd_report_soften(zd_report *report, bool on) { report->softened = on; }

void zd_report_forget(zd_report *report) {
    ZO_ASSERT(!report->sorted);
    report->items.count = 0;
    report->kept_count = 0;
    report->pointer_bytes = 0;
    memset(report->newest, 0, sizeof report->newest);
    memset(report->totals, 0, sizeof report->totals);
}

void zd_report_mute(zd_report *report, bool on) {
    report->muted = on;
    report->unheard = 0;
}

bool zd_report_full(const zd_report *report) {
    return !has_room(report) && !is_replaceable_by(report, ZO_ERROR);
}

bool zd_report_keeps(const zd_report *report, zd_id id) {
    return has_room(report) || is_replaceable_by(report, severity_of(report, id));
}

// The first diag_max are kept, fewer when their pointers are very long. But notes and warnings must not crowd out an
// error: when the report is full, an error takes the place of the newest kept note or, when there is none, of the
// newest kept warning.
static bool make_room(zd_report *report, zo_severity severity) {
    if (has_room(report)) { return true; }
    if (!is_replaceable_by(report, severity)) { return false; }
    uint32_t *newest = &report->newest[report->newest[ZO_NOTE] > 0 ? ZO_NOTE : ZO_WARNING];
    zd_item *item = zd_item_at(report, *newest - 1);
    item->kept = false;
    *newest = item->older;
    report->kept_count--;
    return true;
}

static zo_place public_place(zd_report *report, const zd_place *place) {
    const zd_file *file = zd_file_at(report, place->file);
    report->pointer_bytes += place->pointer ? strlen(place->pointer) : 0;
    const size_t offset = place->offset < file->size ? place->offset : file->size;
    const size_t left = file->size - offset;
    return (zo_place){
        .file = file->name,
        .offset = place->whole ? 0 : offset,
        .length = place->whole ? 0 : place->length < left ? place->length : left,
        .pointer = place->pointer,
    };
}

uint32_t zd_report_add(zd_report *report, zd_id id, zd_place place, zd_args args) {
    ZO_ASSERT(!report->sorted);
    const zo_rule *rule = zd_rule_of(id);
    const zo_severity severity = severity_of(report, id);
    if (report->muted) {
        report->unheard += severity == ZO_ERROR;
        return 0;
    }
    report->totals[severity]++;
    if (zb_arena_failed(&report->arena) || !make_room(report, severity)) { return 0; }
    const char *message = format_text(&report->arena, rule->message, &args);
    const char *hint = rule->hint ? format_text(&report->arena, rule->hint, &args) : NULL;
    zd_item *item = zb_array_push(&report->items);
    if (zb_arena_failed(&report->arena)) { return 0; }
    const uint32_t added = report->items.count;
    *item = (zd_item){
        .diag = {.severity = severity, .id = rule->id, .message = message, .hint = hint,
                 .place = public_place(report, &place)},
        .file = place.file,
        .whole = place.whole,
        .kept = true,
    };
    report->kept_count++;
    if (severity < ZO_ERROR) {
        item->older = report->newest[severity];
        report->newest[severity] = added;
    }
    return added;
}

const char *zd_report_message(const zd_report *report, uint32_t added) {
    return added != 0 ? zd_item_at(report, added - 1)->diag.message : "";
}

void zd_report_give_verdict(zd_report *report, const char *category, const char *line) {
    report->verdict = (zo_verdict){category, line};
}

bool zd_report_verdict(const zd_report *report, zo_verdict *verdict) {
    *verdict = report->verdict;
    return report->verdict.line != NULL;
}

void zd_report_hint(zd_report *report, uint32_t added, const char *template_text, zd_args args) {
    if (added == 0) { return; }
    const char *hint = template_text ? format_text(&report->arena, template_text, &args) : NULL;
    zd_item_at(report, added - 1)->diag.hint = hint;
}

void zd_report_relate(zd_report *report, uint32_t added, zd_place place, const char *message) {
    if (added == 0) { return; }
    const char *copy = zb_arena_text(&report->arena, zb_text(message));
    zd_item *item = zd_item_at(report, added - 1);
    item->diag.related_message = copy;
    item->diag.related = public_place(report, &place);
    item->related_file = place.file;
    item->related_whole = place.whole;
}

void zd_report_fix(zd_report *report, uint32_t added, zo_text insert, const char *what, zd_args args) {
    if (added == 0) { return; }
    zo_edit *edit = zb_arena_take_array(&report->arena, 1, sizeof *edit);
    const char *text = zb_arena_text(&report->arena, insert);
    const char *said = format_text(&report->arena, what, &args);
    if (zb_arena_failed(&report->arena)) { return; }
    zo_diag *diag = &zd_item_at(report, added - 1)->diag;
    ZO_ASSERT(!diag->fix);
    *edit = (zo_edit){diag->place.offset, diag->place.length, text, insert.size};
    diag->fix = said;
    diag->edits = edit;
    diag->edit_count = 1;
}

// ---- Lines and columns ----

// Walks a file once, forwards.
typedef struct zd_walk {
    const char *bytes;
    size_t size;
    size_t at;        // everything before is counted into `line`
    uint32_t line;
    size_t column_at; // everything from the line's start to here is counted into `column`
    uint32_t column;
} zd_walk;

static zd_walk walk_open(const void *bytes, size_t size) {
    // A byte order mark takes no column: editors do not show it.
    const bool marked = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
    return (zd_walk){.bytes = bytes, .size = size, .line = 1, .column_at = marked ? 3 : 0, .column = 1};
}

// LF, CR and CR LF end a line; the byte that ends it still belongs to it.
static void walk_to(zd_walk *walk, size_t offset) {
    const size_t end = offset < walk->size ? offset : walk->size;
    for (; walk->at < end; walk->at++) {
        const char c = walk->bytes[walk->at];
        if ((unsigned char)c > '\r') { continue; }
        const bool pair = c == '\r' && walk->at + 1 < walk->size && walk->bytes[walk->at + 1] == '\n';
        if (c == '\n' || (c == '\r' && !pair)) {
            walk->line++;
            walk->column_at = walk->at + 1;
            walk->column = 1;
        }
    }
    while (walk->column_at < end) {
        size_t next = walk->column_at;
        zb_utf8_next(walk->bytes, walk->size, &next, NULL);
        if (next > end) { break; } // inside a character: its column
        walk->column_at = next;
        walk->column++;
    }
}

void zd_position(const void *bytes, size_t size, size_t offset, uint32_t *line, uint32_t *column) {
    zd_walk walk = walk_open(bytes, size);
    walk_to(&walk, offset);
    *line = walk.line;
    *column = walk.column;
}

// ---- Order ----

// What is sorted: diagnostics, and then the two ends of all places, by file and offset.
typedef struct zd_key {
    uint32_t file;
    uint32_t index; // of the item
    size_t offset;
    uint32_t *line, *column; // wanted
} zd_key;

enum { KEYS_MAX = 4 }; // of one item: two ends each of its place and the related one

static bool comes_before(const zd_key *a, const zd_key *b) {
    return a->file != b->file ? a->file < b->file : a->offset < b->offset;
}

// Stable, n log n: merges runs of 1, 2, 4... Returns the array that holds the result, one of the two.
static zd_key *sort_keys(zd_key *keys, zd_key *other, uint32_t count) {
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            size_t left = begin;
            size_t right = middle;
            for (size_t i = begin; i < end; i++) {
                const bool take_right = left == middle || (right < end && comes_before(&keys[right], &keys[left]));
                other[i] = keys[take_right ? right++ : left++];
            }
        }
        zd_key *swapped = keys;
        keys = other;
        other = swapped;
    }
    return keys;
}

// Each file is walked once, however many places are in it.
static void set_lines(const zd_report *report, const zd_key *keys, uint32_t count) {
    zd_walk walk = {0};
    for (uint32_t i = 0; i < count; i++) {
        const zd_file *file = zd_file_at(report, keys[i].file);
        if (i == 0 || keys[i].file != keys[i - 1].file) { walk = walk_open(file->bytes, file->bytes ? file->size : 0); }
        if (!file->bytes) { continue; }
        walk_to(&walk, keys[i].offset);
        *keys[i].line = walk.line;
        *keys[i].column = walk.column;
    }
}

static uint32_t add_ends(zd_key *keys, uint32_t count, uint32_t file, zo_place *place) {
    keys[count++] = (zd_key){.file = file, .offset = place->offset, .line = &place->line, .column = &place->column};
    keys[count++] = (zd_key){.file = file, .offset = place->offset + place->length, .line = &place->end_line,
                             .column = &place->end_column};
    return count;
}

void zd_report_finish(zd_report *report) {
    ZO_ASSERT(!report->sorted);
    const uint32_t kept_count = report->kept_count;
    if (kept_count == 0) { return; }
    zb_arena scratch = zb_arena_open(&report->arena.allocator);
    zd_key *keys = zb_arena_take_array(&scratch, 2 * KEYS_MAX * (size_t)kept_count, sizeof *keys);
    const zd_item **sorted = zb_arena_take_array(&report->arena, kept_count, sizeof *sorted);
    if (!keys || !sorted) {
        report->arena.failed = true;
        zb_arena_close(&scratch);
        return;
    }
    zd_key *other = keys + KEYS_MAX * (size_t)kept_count;
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->items.count; i++) {
        const zd_item *item = zd_item_at(report, i);
        if (item->kept) { keys[count++] = (zd_key){.file = item->file, .index = i, .offset = item->diag.place.offset}; }
    }
    ZO_ASSERT(count == kept_count);
    const zd_key *in_order = sort_keys(keys, other, count);
    for (uint32_t i = 0; i < count; i++) { sorted[i] = zd_item_at(report, in_order[i].index); }

    count = 0;
    for (uint32_t i = 0; i < report->items.count; i++) {
        zd_item *item = zd_item_at(report, i);
        if (!item->kept) { continue; }
        if (!item->whole) { count = add_ends(keys, count, item->file, &item->diag.place); }
        if (item->diag.related_message && !item->related_whole) {
            count = add_ends(keys, count, item->related_file, &item->diag.related);
        }
    }
    set_lines(report, sort_keys(keys, other, count), count);
    report->sorted = sorted;
    report->sorted_count = kept_count;
    zb_arena_close(&scratch);
}

// ---- Asking ----

uint32_t zd_report_errors(const zd_report *report) { return report->totals[ZO_ERROR] + report->unheard; }

uint32_t zd_report_count(const zd_report *report) { return report->sorted_count; }

const zo_diag *zd_report_at(const zd_report *report, uint32_t index) {
    return index < report->sorted_count ? &report->sorted[index]->diag : NULL;
}

uint32_t zd_report_dropped(const zd_report *report) {
    return report->totals[ZO_NOTE] + report->totals[ZO_WARNING] + report->totals[ZO_ERROR] - report->sorted_count;
}

uint32_t zd_report_total(const zd_report *report, zo_severity severity) {
    return (uint32_t)severity <= ZO_ERROR ? report->totals[severity] : 0;
}

const char *zd_report_format(const zd_report *report) { return report->format; }

uint32_t zd_report_need_count(const zd_report *report) { return report->needs.count; }

const zo_need *zd_report_need(const zd_report *report, uint32_t index) {
    return index < report->needs.count ? (const zo_need *)(const void *)report->needs.items + index : NULL;
}
