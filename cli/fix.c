// See fix.h. Works in rounds: a text that is no JSON shows its first fault only, and a mended word may show what was
// hidden behind it. Knows nothing of formats: what may be done is for the readers to say (zo_diag.edits).
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fix.h"

enum {
    ROUNDS_MAX = 10000,  // a text of many commas too many takes one each; a fix that mends nothing must not go on for
                         // ever
    DIAG_MAX = 100000,   // more than are shown: a fix may be behind many faults
    CONTEXT = 3,         // lines around a difference
};

// ---- Editing ----

// `bytes` with the edits made, which are sorted and apart. NULL: no memory.
static uint8_t *apply(const cli_bytes *bytes, const zo_edit *edits, uint32_t edit_count, size_t *size) {
    *size = bytes->size;
    for (uint32_t i = 0; i < edit_count; i++) { *size = *size - edits[i].remove + edits[i].insert_size; }
    uint8_t *result = malloc(*size + 1);
    if (result == NULL) { return NULL; }
    uint8_t *to = result;
    size_t done = 0;
    for (uint32_t i = 0; i < edit_count; i++) {
        memcpy(to, bytes->data + done, edits[i].offset - done);
        to += edits[i].offset - done;
        if (edits[i].insert_size > 0) { memcpy(to, edits[i].insert, edits[i].insert_size); }
        to += edits[i].insert_size;
        done = edits[i].offset + edits[i].remove;
    }
    memcpy(to, bytes->data + done, bytes->size - done);
    return result;
}

// Of the report all fixes that do not touch each other; what waits is for the next round. Each is told.
static uint32_t collect(const cli_fix *fix, const zo_report *report, zo_edit *edits, FILE *told) {
    uint32_t fixed = 0;
    size_t end = 0; // of the last edit
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *diag = zo_report_at(report, i);
        if (diag->edit_count == 0 || diag->edits[0].offset < end) { continue; }
        memcpy(edits, diag->edits, diag->edit_count * sizeof *edits);
        edits += diag->edit_count;
        end = edits[-1].offset + edits[-1].remove;
        fixed++;
        fprintf(told, "%s:%u:%u: %s: %s [%s]\n", fix->path, diag->place.line, diag->place.column,
                fix->dry_run ? "to be fixed" : "fixed", diag->fix, diag->id);
    }
    return fixed;
}

// One round: a report and its fixes. Returns how many, 0 also when memory is short. *claimed: a reader knows the file.
static uint32_t round_of_fixes(const cli_fix *fix, const zo_compile_def *def, cli_bytes *bytes, FILE *told,
                               bool *claimed) {
    const zo_source source = {
        .name = fix->path, .bytes = bytes->data, .size = bytes->size, .real_name = fix->real_name};
    zo_report *report = NULL;
    zo_compile(&source, 1, def, NULL, &report);
    *claimed = *zo_report_format(report) != 0;
    uint32_t edit_count = 0;
    for (uint32_t i = 0; i < zo_report_count(report); i++) { edit_count += zo_report_at(report, i)->edit_count; }
    zo_edit *edits = edit_count > 0 ? calloc(edit_count, sizeof *edits) : NULL; // those not used change nothing
    const uint32_t fixed = edits != NULL ? collect(fix, report, edits, told) : 0;
    while (edit_count > 0 && edits != NULL && edits[edit_count - 1].insert == NULL) { edit_count--; }
    cli_bytes result = {NULL, 0};
    if (fixed > 0) { result.data = apply(bytes, edits, edit_count, &result.size); }
    free(edits);
    zo_report_free(report);
    if (result.data == NULL) { return 0; }
    cli_bytes_free(bytes);
    *bytes = result;
    return fixed;
}

static bool is_json(const cli_bytes *bytes) {
    zo_document *document = NULL;
    const bool fine = zo_document_open(bytes->data, bytes->size, NULL, &document) == ZO_OK;
    zo_document_free(document);
    return fine;
}

// ---- The difference ----

typedef struct line_list {
    const uint8_t **lines; // and one behind the last
    uint32_t count;
} line_list;

static bool split(const cli_bytes *bytes, line_list *list) {
    uint32_t count = 1;
    for (size_t i = 0; i < bytes->size; i++) { count += bytes->data[i] == '\n'; }
    list->lines = malloc((count + 1) * sizeof *list->lines);
    if (list->lines == NULL) { return false; }
    list->count = 0;
    const uint8_t *at = bytes->data, *const end = bytes->data + bytes->size;
    while (at < end) {
        list->lines[list->count++] = at;
        const uint8_t *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed != NULL ? feed + 1 : end;
    }
    list->lines[list->count] = end;
    return true;
}

static size_t line_size(const line_list *list, uint32_t line) {
    return (size_t)(list->lines[line + 1] - list->lines[line]);
}

static bool same_line(const line_list *a, const line_list *b, uint32_t line) {
    const size_t size = line_size(a, line);
    return size == line_size(b, line) && memcmp(a->lines[line], b->lines[line], size) == 0;
}

static void put_lines(FILE *to, char sign, const line_list *list, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++) {
        const size_t size = line_size(list, i);
        putc(sign, to);
        fwrite(list->lines[i], 1, size, to);
        if (list->lines[i][size - 1] != '\n') { fputs("\n\\ No newline at end of file\n", to); }
    }
}

// Lines [begin, end) of both, where some differ.
static void put_hunk(FILE *to, const line_list *before, const line_list *after, uint32_t begin, uint32_t end) {
    fprintf(to, "@@ -%u,%u +%u,%u @@\n", begin + 1, end - begin, begin + 1, end - begin);
    for (uint32_t i = begin; i < end;) {
        uint32_t stop = i;
        while (stop < end && !same_line(before, after, stop)) { stop++; }
        put_lines(to, '-', before, i, stop);
        put_lines(to, '+', after, i, stop);
        i = stop;
        if (i < end) {
            put_lines(to, ' ', before, i, i + 1);
            i++;
        }
    }
}

// As `diff -u` tells it. No fix adds or removes a line, so line k is line k on both sides.
static void put_difference(const cli_fix *fix, const cli_bytes *before_bytes, const cli_bytes *after_bytes) {
    line_list before = {NULL, 0}, after = {NULL, 0};
    const bool fine = split(before_bytes, &before) && split(after_bytes, &after) && before.count == after.count;
    if (!fine) { cli_say("%s: the difference cannot be shown", fix->path); }
    fprintf(fix->talk, "--- %s\n+++ %s\n", fix->path, fix->path);
    for (uint32_t i = 0; fine && i < before.count;) {
        if (same_line(&before, &after, i)) {
            i++;
            continue;
        }
        uint32_t last = i; // the last that differs of those that are near enough for one hunk
        for (uint32_t k = i + 1; k < before.count && k - last <= 2 * CONTEXT + 1; k++) {
            if (!same_line(&before, &after, k)) { last = k; }
        }
        const uint32_t begin = i > CONTEXT ? i - CONTEXT : 0;
        const uint32_t end = before.count - last > CONTEXT + 1 ? last + CONTEXT + 1 : before.count;
        put_hunk(fix->talk, &before, &after, begin, end);
        i = end;
    }
    free(before.lines);
    free(after.lines);
}

// ---- The file ----

// The file itself, not a link to it, gives way to the new one.
static bool write_anew(const char *path, const cli_bytes *bytes) {
    char *real = realpath(path, NULL);
    cli_file file;
    bool fine = cli_file_open(&file, real != NULL ? real : path);
    fine = fine && cli_file_write(&file, bytes->data, bytes->size);
    if (fine) {
        fine = cli_file_commit(&file);
    } else {
        cli_file_discard(&file);
    }
    free(real);
    return fine;
}

int cli_fix_file(const cli_fix *fix, const zo_compile_def *def, cli_bytes *bytes, uint32_t *fixed) {
    zo_compile_def many = *def;
    many.diag_max = DIAG_MAX;
    cli_bytes mended = {malloc(bytes->size + 1), bytes->size};
    char *words = NULL;
    size_t words_size = 0;
    FILE *told = open_memstream(&words, &words_size); // kept back until the file is written
    *fixed = 0;
    if (mended.data == NULL || told == NULL) {
        cli_say("%s: not enough memory", fix->path);
        if (told != NULL) { fclose(told); }
        free(words);
        cli_bytes_free(&mended);
        return CLI_INTERNAL;
    }
    if (bytes->size > 0) { memcpy(mended.data, bytes->data, bytes->size); }
    uint32_t more = 1;
    bool claimed = false;
    for (uint32_t round = 0; round < ROUNDS_MAX && more > 0; round++) {
        more = round_of_fixes(fix, &many, &mended, told, &claimed);
        *fixed += more;
    }
    fclose(told);
    int code = CLI_FINE;
    // What was only met in a folder and is no animation is none of ours: it may be meant to have comments and commas.
    const bool ours = claimed || !def->maybe;
    bool keep = *fixed > 0 && ours && is_json(&mended);
    if (*fixed > 0 && ours && !keep) { cli_say("%s: left as it is, for it would still not be JSON", fix->path); }
    if (keep && !fix->dry_run && !write_anew(fix->path, &mended)) {
        code = CLI_FILES;
        keep = false;
    }
    if (keep && !fix->quiet && words != NULL) { fwrite(words, 1, words_size, fix->talk); }
    if (keep && fix->dry_run) { put_difference(fix, bytes, &mended); }
    free(words);
    cli_bytes *unwanted = keep ? bytes : &mended;
    cli_bytes_free(unwanted);
    if (keep) { *bytes = mended; }
    *fixed = keep ? *fixed : 0;
    return code;
}
