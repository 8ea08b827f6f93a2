// The inside of a report, for diag.c, which fills it, and render.c, which writes it. Nobody else looks in here.
#ifndef ZD_REPORT_H
#define ZD_REPORT_H

#include "base/intern.h"
#include "diag/diag.h"

typedef struct zd_file {
    const char *name;
    const char *bytes; // borrowed; NULL: cannot be quoted
    size_t size;
} zd_file;

typedef struct zd_item {
    zo_diag diag;
    uint32_t file, related_file;
    bool whole, related_whole;
    bool kept;       // false: gave way to an error
    uint32_t older;  // kept item of the same severity that was added before this one, + 1; 0: none
} zd_item;

struct zo_report {
    zb_arena arena; // holds this struct as well
    uint32_t diag_max;
    bool strict;
    bool raised;    // warnings become errors
    bool softened;  // errors become warnings
    bool muted;     // nothing is kept or counted but unheard errors
    uint32_t unheard;
    const char *format;
    zo_verdict verdict; // line NULL: there is none
    zb_array files; // zd_file
    zb_array items; // zd_item, in the order of adding
    uint32_t kept_count;
    size_t pointer_bytes; // of all that was kept, also if it gave way
    uint32_t newest[ZO_ERROR]; // last kept note and last kept warning, + 1; 0: none
    uint32_t totals[ZO_ERROR + 1];
    zb_intern need_names;
    zb_array needs; // zo_need, by interned name
    const zd_item **sorted; // after zd_report_finish
    uint32_t sorted_count;
};

static inline zd_file *zd_file_at(const zd_report *report, uint32_t index) {
    ZO_ASSERT(index < report->files.count);
    return (zd_file *)(void *)report->files.items + index;
}

static inline zd_item *zd_item_at(const zd_report *report, uint32_t index) {
    ZO_ASSERT(index < report->items.count);
    return (zd_item *)(void *)report->items.items + index;
}

// What stands for a code point that a terminal would obey or not show: a control picture or U+FFFD; else itself.
uint32_t zd_visible(uint32_t code_point);
// One line of text from outside: made visible, at most `columns_max` wide, then cut with an ellipsis.
void zd_put_visible(zb_buffer *out, zo_text text, uint32_t columns_max);

#endif
