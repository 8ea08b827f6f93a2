// Diagnostics: the report that readers add to, and the rules (diag.def). Called by every layer that reads something
// from outside. Knows bytes and places, nothing of JSON: the JSON layer hands over ready pointers.
#ifndef ZD_DIAG_H
#define ZD_DIAG_H

#include <zoetrope/compile.h>

#include "base/arena.h"
#include "base/buffer.h"

// ZD_JSON_DEPTH and so on, from diag.def: X(NAME, "id", SEVERITY, "message with {}", "hint or NULL", "explanation").
typedef enum zd_id {
#define X(name, id, severity, message, hint, explain) ZD_##name,
#include "diag/diag.def"
#undef X
    ZD_COUNT
} zd_id;

// What goes into the {} of a message or hint, in turn. {0}, {1}... name one out of turn.
typedef struct zd_arg {
    enum { ZD_ARG_NONE = 0, ZD_ARG_TEXT, ZD_ARG_NUMBER, ZD_ARG_INT } kind;
    zo_text text;
    double number;
    int64_t integer;
} zd_arg;

enum { ZD_ARG_MAX = 6 };
typedef struct zd_args {
    zd_arg items[ZD_ARG_MAX]; // ends at the first of kind NONE
} zd_args;

static inline zd_arg zd_text(zo_text text) { return (zd_arg){.kind = ZD_ARG_TEXT, .text = text}; }
static inline zd_arg zd_word(const char *text) { return zd_text(zb_text(text)); }
static inline zd_arg zd_number(double number) { return (zd_arg){.kind = ZD_ARG_NUMBER, .number = number}; }
static inline zd_arg zd_int(int64_t integer) { return (zd_arg){.kind = ZD_ARG_INT, .integer = integer}; }
#define ZD_ARGS(...) ((zd_args){{__VA_ARGS__}})
#define ZD_NO_ARGS ((zd_args){{{.kind = ZD_ARG_NONE}}})

// A place in one of the report's files. length 0: a caret at the offset.
typedef struct zd_place {
    uint32_t file;       // of zd_report_file
    size_t offset, length;
    const char *pointer; // zero-ended, in memory that lives as long as the report (zd_report_arena); NULL: none
    bool whole;          // the file as a whole: no line
} zd_place;

typedef zo_report zd_report; // one and the same; its inside is diag/report.h

// Everything the report holds lives in one block of its own, freed by zd_report_close. NULL: no memory.
zd_report *zd_report_open(const zo_allocator *allocator, uint32_t diag_max, bool strict);
void zd_report_close(zd_report *report);
zb_arena *zd_report_arena(zd_report *report);
bool zd_report_strict(const zd_report *report);

// Adds a file to speak of. The bytes are borrowed; the name is copied.
uint32_t zd_report_file(zd_report *report, const char *name, const void *bytes, size_t size);

// Adds a diagnostic; arguments are formatted at once. Returns a number for zd_report_relate, 0 when it was only counted
// (beyond diag_max). A NOTE counts towards the cap like the rest.
uint32_t zd_report_add(zd_report *report, zd_id id, zd_place place, zd_args args);
// While on, what would be a warning is added as an error: for rules whose severity depends on how a file is read.
void zd_report_raise(zd_report *report, bool on);
// While on, what would be an error is added as a warning: for faults that are read past.
void zd_report_soften(zd_report *report, bool on);
// Forgets what has been added so far; files and needs stay. For a text that is read anew in another way.
void zd_report_forget(zd_report *report);
// While on, nothing is added: for what is told elsewhere. Until it is off again, zd_report_errors() counts the errors
// that were kept quiet, so that whoever reads knows that there were any.
void zd_report_mute(zd_report *report, bool on);
// Instead of the rule's own hint: for "did you mean" and other hints made on the spot. NULL: no hint.
void zd_report_hint(zd_report *report, uint32_t added, const char *template_text, zd_args args);
// The second place of a diagnostic: "first used here".
void zd_report_relate(zd_report *report, uint32_t added, zd_place place, const char *message);
// A fix that nobody would object to: the bytes of the diagnostic's place give way to `insert`. `what` says so, as one
// asks for it: "replace {} with {}". One a diagnostic.
void zd_report_fix(zd_report *report, uint32_t added, zo_text insert, const char *what, zd_args args);
// Whether a further diagnostic, of any severity, would only be counted: callers then need not work out its pointer.
bool zd_report_full(const zd_report *report);
// Whether a diagnostic of this rule would be kept. A full report takes an error in place of a note or warning.
bool zd_report_keeps(const zd_report *report, zd_id id);

// The message of a diagnostic that was kept; "" for 0.
const char *zd_report_message(const zd_report *report, uint32_t added);
// `category`: static, NULL: fine. `line` lives as long as the report.
void zd_report_give_verdict(zd_report *report, const char *category, const char *line);
void zd_report_format_name(zd_report *report, const char *format); // static text
void zd_report_add_need(zd_report *report, const char *name, zo_need_kind kind);
uint32_t zd_report_errors(const zd_report *report);

// Sorts by file and offset (stable), works out lines and columns. Once, at the end; nothing may be added after.
void zd_report_finish(zd_report *report);

// What the public functions hand out (include/zoetrope/compile.h says what each gives).
uint32_t zd_report_count(const zd_report *report);
const zo_diag *zd_report_at(const zd_report *report, uint32_t index);
uint32_t zd_report_dropped(const zd_report *report);
uint32_t zd_report_total(const zd_report *report, zo_severity severity);
const char *zd_report_format(const zd_report *report);
bool zd_report_verdict(const zd_report *report, zo_verdict *verdict);
uint32_t zd_report_need_count(const zd_report *report);
const zo_need *zd_report_need(const zd_report *report, uint32_t index);
bool zd_reports_write(const zd_report *const *reports, uint32_t report_count, zo_report_style style, bool color,
                      zo_write_fn write, void *context);

const zo_rule *zd_rule_of(zd_id id);
const zo_rule *zd_rule_at(uint32_t index); // in the order of their ids; NULL beyond the last
const zo_rule *zd_rule_find(const char *id);

// The candidate nearest to `word` by edit distance (at most a third of its length, at least 1), or NULL. Case counts
// half, and as good as nothing when the words differ in nothing else. Candidates: zero-ended, [count].
const char *zd_nearest(zo_text word, const char *const *candidates, uint32_t count);
// The candidate that was surely meant, so that it may be written without asking, or NULL: the only one that differs in
// nothing but case and hyphens, or else by one wrong sign, with no other candidate anywhere near.
const char *zd_surely(zo_text word, const char *const *candidates, uint32_t count);

// Line and column (code points, from 1) of a byte offset; a CR LF pair ends one line.
void zd_position(const void *bytes, size_t size, size_t offset, uint32_t *line, uint32_t *column);

#endif
