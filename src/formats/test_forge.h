// What the tests of Forge's readers share: files in memory, compiled as they ask for each other, and looks at what the
// programs do. Texts are written with single quotes, which the readers take. Included by forge_*_test.c alone.
#ifndef ZF_TEST_FORGE_H
#define ZF_TEST_FORGE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

typedef struct fg_file {
    const char *name, *text;
} fg_file;

enum { FG_FILES_MAX = 32 };

static inline const char *fg_text_of(const fg_file *files, const char *name) {
    for (; files->name != NULL; files++) {
        if (strcmp(files->name, name) == 0) { return files->text; }
    }
    return NULL;
}

// `files` end with one without a name; the first is the one meant. What is asked for and not among them is missing.
static inline zo_report *fg_compile(const fg_file *files, const zo_compile_def *def, zo_program **program) {
    static char names[FG_FILES_MAX][128];
    zo_source sources[FG_FILES_MAX] = {{.name = files->name, .bytes = files->text, .size = strlen(files->text)}};
    for (uint32_t count = 1;;) {
        zo_report *report = NULL;
        const uint32_t before = count;
        zo_compile(sources, count, def, program, &report);
        for (uint32_t i = 0; i < zo_report_need_count(report) && count < FG_FILES_MAX; i++, count++) {
            const char *name = zo_report_need(report, i)->name, *text = fg_text_of(files + 1, name);
            assert_true(strlen(name) < sizeof names[0]);
            strcpy(names[count], name);
            sources[count] = (zo_source){.name = names[count], .kind = ZO_SOURCE_MISSING};
            if (text != NULL) {
                sources[count] = (zo_source){.name = names[count], .bytes = text, .size = strlen(text)};
            }
        }
        if (count == before) { return report; }
        if (program != NULL) { zo_program_free(*program); } // made without what it would like to have
        zo_report_free(report);
    }
}

static inline const zo_diag *fg_diag(const zo_report *report, const char *id) {
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        if (strcmp(zo_report_at(report, i)->id, id) == 0) { return zo_report_at(report, i); }
    }
    return NULL;
}

static inline zo_program *fg_program(const fg_file *files, const zo_compile_def *def) {
    zo_program *program = NULL;
    zo_report *report = fg_compile(files, def, &program);
    if (program == NULL) {
        fail_msg("%s", zo_report_count(report) > 0 ? zo_report_at(report, 0)->message : "no program");
    }
    zo_report_free(report);
    return program;
}

// That the file is refused, or noted, with this diagnostic and no other error.
static inline void fg_expect(const fg_file *files, const zo_compile_def *def, const char *id, const char *words) {
    zo_report *report = fg_compile(files, def, NULL);
    const zo_diag *diag = fg_diag(report, id);
    if (diag == NULL) {
        fail_msg("%s, not %s", zo_report_count(report) > 0 ? zo_report_at(report, 0)->message : "nothing", id);
    }
    if (strstr(diag->message, words) == NULL) { fail_msg("'%s' lacks '%s'", diag->message, words); }
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        const zo_diag *other = zo_report_at(report, i);
        if (other->severity == ZO_ERROR && strcmp(other->id, id) != 0) { fail_msg("and %s", other->message); }
    }
    zo_report_free(report);
}

static inline void fg_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-6)) { fail_msg("%.9g, not %.9g", value, expected); }
}

#endif
