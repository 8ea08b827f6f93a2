// What the writers of a report share: output that goes on piece by piece, and words. For render*.c, which are each one
// style of output; render.c picks among them.
#ifndef ZD_RENDER_H
#define ZD_RENDER_H

#include "diag/report.h"

typedef struct zd_out {
    zb_arena arena;
    zb_arena line_arena; // of the source line being written
    zb_buffer text;
    zo_write_fn write;
    void *context;
    bool color;
    bool ok;
} zd_out;

typedef struct zd_severity_words {
    const char *name, *plural, *color;
} zd_severity_words;
extern const zd_severity_words zd_severities[ZO_ERROR + 1];

static inline void zd_put(zd_out *out, const char *text) { zb_put(&out->text, text); }
// Hands on what is there, so that memory does not grow with the number of diagnostics.
void zd_flush(zd_out *out);
void zd_put_percent(zd_out *out, char c); // %0A: readers of these want upper case
// `key`, as it stands, and then the text as a JSON string, null for NULL; or the number.
void zd_put_json_string(zd_out *out, const char *key, const char *text);
void zd_put_json_count(zd_out *out, const char *key, uint64_t count);

// Several reports as one document; NULL stands for a source that could not be read.
void zd_write_json(zd_out *out, const zd_report *const *reports, uint32_t report_count);  // render_json.c
void zd_write_sarif(zd_out *out, const zd_report *const *reports, uint32_t report_count); // render_sarif.c
void zd_write_github(zd_out *out, const zd_report *report);                               // render_github.c

#endif
