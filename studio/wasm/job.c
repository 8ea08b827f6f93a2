// Compile jobs: sources are handed in one by one, looked at together, and report, wants and program are fetched. Also
// what the library tells without a program: formats, rules, built-ins, schemas. Called by compile.js.
#include <stdlib.h>

#include "edge.h"

typedef struct zw_job {
    zo_source *sources; // names and bytes belong to the job
    uint32_t source_count, source_capacity;
    zo_compile_def def;
    char **cels, **params; // what def names
    uint32_t cel_capacity, param_capacity;
    char *format;
    bool looks;
    zo_frames_def frames;
    char *clip;
    zo_program *program;
    zo_report *report;
} zw_job;

ZW_EXPORT(zw_job *, zw_job_new)(void);
ZW_EXPORT(void, zw_job_free)(zw_job *job);
ZW_EXPORT(uint32_t, zw_job_source)(zw_job *job, char *name, uint32_t kind, void *bytes, uint32_t size, double whole_size);
ZW_EXPORT(void, zw_job_option)(zw_job *job, uint32_t option, double value);
ZW_EXPORT(uint32_t, zw_job_text)(zw_job *job, uint32_t option, char *text);
ZW_EXPORT(uint32_t, zw_job_run)(zw_job *job, uint32_t makes_program);
ZW_EXPORT(uint32_t, zw_job_frames)(zw_job *job);
ZW_EXPORT(uint32_t, zw_job_convert)(zw_job *job, const char *to);
ZW_EXPORT(void, zw_job_report)(zw_job *job, uint32_t style, uint32_t color);
ZW_EXPORT(void, zw_job_needs)(zw_job *job);
ZW_EXPORT(zo_program *, zw_job_program)(zw_job *job);
ZW_EXPORT(void, zw_formats)(void);
ZW_EXPORT(void, zw_builtins)(void);
ZW_EXPORT(uint32_t, zw_builtin)(const char *name);
ZW_EXPORT(uint32_t, zw_rule)(const char *id);
ZW_EXPORT(void, zw_rules)(void);
ZW_EXPORT(uint32_t, zw_schema)(const char *format, uint32_t profile);
ZW_EXPORT(const char *, zw_status)(uint32_t status);

zw_job *zw_job_new(void) { return calloc(1, sizeof(zw_job)); }

void zw_job_free(zw_job *job) {
    if (!job) { return; }
    zo_report_free(job->report);
    zo_program_free(job->program);
    for (uint32_t i = 0; i < job->source_count; i++) {
        free((void *)job->sources[i].name);
        free((void *)job->sources[i].bytes);
    }
    free(job->sources);
    for (uint32_t i = 0; i < job->def.cel_count; i++) { free(job->cels[i]); }
    for (uint32_t i = 0; i < job->def.param_count; i++) { free(job->params[i]); }
    free(job->cels);
    free(job->params);
    free(job->format);
    free(job->clip);
    free(job);
}

// Doubled when it is full. false: no memory.
static bool grow(void **items, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) { return true; }
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 8;
    void *grown = more <= SIZE_MAX / size ? realloc(*items, more * size) : NULL;
    if (!grown) { return false; }
    *items = grown;
    *capacity = more;
    return true;
}

// The first is the one meant. Name and bytes (NULL: none are wanted or there) are the job's from now on, also where 0
// is returned for want of memory; another one of the same name
// takes the place of the one before, but of the first. `whole_size`: of a file of which only the beginning is given, its size; 0: that is
// all of it.
uint32_t zw_job_source(zw_job *job, char *name, uint32_t kind, void *bytes, uint32_t size, double whole_size) {
    const zo_source source = {
        .name = name,
        .bytes = bytes,
        .size = size,
        .kind = (zo_source_kind)kind,
        .whole_size = whole_size > 0 && whole_size <= (double)SIZE_MAX ? (size_t)whole_size : 0,
    };
    for (uint32_t i = 1; i < job->source_count; i++) {
        if (strcmp(job->sources[i].name, name) != 0) { continue; }
        free((void *)job->sources[i].name);
        free((void *)job->sources[i].bytes);
        job->sources[i] = source;
        return 1;
    }
    if (!grow((void **)&job->sources, job->source_count, &job->source_capacity, sizeof *job->sources)) {
        free(name);
        free(bytes);
        return 0;
    }
    job->sources[job->source_count++] = source;
    return 1;
}

// In the order of `numbers` in compile.js.
void zw_job_option(zw_job *job, uint32_t option, double value) {
    const bool on = value != 0;
    const uint32_t number = value > 0 && value < 0x1p32 ? (uint32_t)value : 0;
    switch (option) {
    case 0: job->def.profile = (zo_profile)number; break;
    case 1: job->def.strict = on; break;
    case 2: job->def.depth_max = number; break;
    case 3: job->def.size_max = number; break;
    case 4: job->def.diag_max = number; break;
    case 5: job->def.open_params = on; break;
    case 6: job->def.null_tangent_step = on; break;
    case 7: job->def.sampled_poses = on; break;
    case 8: job->def.maybe = on; break;
    case 9: job->def.model = (zo_model)number; break;
    case 10: job->def.draft_repeat_letter = on; break;
    case 11: job->def.draft_uniform_samples = on; break;
    case 12: job->def.late_faults = on; break;
    case 13: job->def.b3d_keys = (zo_b3d_keys)number; break;
    case 14: job->def.contract_only = on; break;
    case 15: job->looks = on; break;
    case 16: job->frames.set_strength = true, job->frames.strength = value; break;
    case 17: job->frames.set_duration = true, job->frames.duration_ms = value; break;
    case 18: job->frames.set_repeat = true, job->frames.repeat = number; break;
    case 19: job->frames.delay_ms_min = value; break;
    case 20: job->frames.delay_ms_max = value; break;
    case 21: job->frames.reduced_motion = on; break;
    default: break;
    }
}

static uint32_t add_text(char ***texts, uint32_t *count, uint32_t *capacity, char *text) {
    if (!grow((void **)texts, *count, capacity, sizeof **texts)) {
        free(text);
        return 0;
    }
    (*texts)[(*count)++] = text;
    return 1;
}

// 0: format, 1: one more cel, 2: one more parameter, 3: the clip that frames are wanted of. The text is the job's from
// now on. 0: no memory.
uint32_t zw_job_text(zw_job *job, uint32_t option, char *text) {
    switch (option) {
    case 0:
        free(job->format);
        job->def.format = job->format = text;
        return 1;
    case 1: {
        const uint32_t fine = add_text(&job->cels, &job->def.cel_count, &job->cel_capacity, text);
        job->def.cels = (const char *const *)job->cels;
        return fine;
    }
    case 2: {
        const uint32_t fine = add_text(&job->params, &job->def.param_count, &job->param_capacity, text);
        job->def.params = (const char *const *)job->params;
        return fine;
    }
    case 3:
        free(job->clip);
        job->frames.clip = job->clip = text;
        return 1;
    default: free(text); return 1;
    }
}

// Textures that have been handed over whole are opened, but not unpacked: what is wrong with pixels is told by whoever
// asks for them.
static zo_look look_at_texture(void *context, const char *name) {
    const zw_job *job = context;
    for (uint32_t i = 1; i < job->source_count; i++) {
        const zo_source *source = &job->sources[i];
        if (strcmp(source->name, name) != 0) { continue; }
        // There, but nobody has fetched all of it: nothing is known against it.
        if (!source->bytes || source->whole_size > source->size) { break; }
        zo_texture texture;
        zo_texture_fault fault;
        if (zo_texture_open(source->bytes, source->size, &texture, &fault) != ZO_OK) {
            return (zo_look){.fault = fault.text};
        }
        return (zo_look){.width = texture.width, .height = texture.height};
    }
    return (zo_look){.fault = NULL};
}

static void forget(zw_job *job) {
    zo_report_free(job->report);
    zo_program_free(job->program);
    job->report = NULL;
    job->program = NULL;
}

// A zo_status. May be called again when more sources have been given.
uint32_t zw_job_run(zw_job *job, uint32_t makes_program) {
    forget(job);
    job->def.look = job->looks ? look_at_texture : NULL;
    job->def.look_context = job;
    return (uint32_t)zo_compile(job->sources, job->source_count, &job->def, makes_program ? &job->program : NULL,
                                &job->report);
}

// Of the first source; the document is in the sink. A zo_status, as the next.
uint32_t zw_job_frames(zw_job *job) {
    forget(job);
    zw_sink_open();
    const zo_status status = zo_frames(job->sources, &job->def, &job->frames, zw_write, NULL, &job->report);
    return (uint32_t)(zw_sink_failed() ? ZO_NO_MEMORY : status);
}

uint32_t zw_job_convert(zw_job *job, const char *to) {
    forget(job);
    zw_sink_open();
    const zo_status status = zo_convert(job->sources, to, &job->def, zw_write, NULL, &job->report);
    return (uint32_t)(zw_sink_failed() ? ZO_NO_MEMORY : status);
}

void zw_job_report(zw_job *job, uint32_t style, uint32_t color) {
    zw_sink_open();
    if (job->report) { zo_report_write(job->report, (zo_report_style)style, color != 0, zw_write, NULL); }
}

void zw_job_needs(zw_job *job) {
    zw_sink_open();
    zw_open('[');
    for (uint32_t i = 0; i < zo_report_need_count(job->report); i++) {
        const zo_need *need = zo_report_need(job->report, i);
        zw_open('{');
        zw_member_string("name", need->name);
        zw_member_int("kind", need->kind);
        zw_close('}');
    }
    zw_close(']');
}

// Belongs to the caller from now on. NULL: there is none, or it has been taken.
zo_program *zw_job_program(zw_job *job) {
    zo_program *program = job->program;
    job->program = NULL;
    return program;
}

void zw_formats(void) {
    zw_sink_open();
    zw_open('[');
    for (uint32_t i = 0; zo_format_at(i); i++) {
        zw_open('{');
        zw_member_string("name", zo_format_at(i)->name);
        zw_member_string("title", zo_format_at(i)->title);
        zw_close('}');
    }
    zw_close(']');
}

void zw_builtins(void) {
    zw_sink_open();
    zw_open('[');
    for (uint32_t i = 0; zo_builtin_at(i); i++) {
        zw_item();
        zw_put_string(zo_builtin_at(i));
    }
    zw_close(']');
}

uint32_t zw_builtin(const char *name) {
    zw_sink_open();
    return zo_builtin_write(name, zw_write, NULL);
}

static void put_rule(const zo_rule *rule) {
    static const char *const severities[] = {"note", "warning", "error"};
    zw_open('{');
    zw_member_string("id", rule->id);
    zw_member_string("severity", severities[rule->severity]);
    zw_member_string("message", rule->message);
    zw_member_string("hint", rule->hint);
    zw_member_string("explain", rule->explain);
    zw_close('}');
}

uint32_t zw_rule(const char *id) {
    zw_sink_open();
    const zo_rule *rule = zo_rule_find(id);
    if (rule) { put_rule(rule); }
    return rule != NULL;
}

void zw_rules(void) {
    zw_sink_open();
    zw_open('[');
    for (uint32_t i = 0; zo_rule_at(i); i++) { put_rule(zo_rule_at(i)); }
    zw_close(']');
}

uint32_t zw_schema(const char *format, uint32_t profile) {
    zw_sink_open();
    return zo_schema_write(format, (zo_profile)profile, zw_write, NULL);
}

const char *zw_status(uint32_t status) { return zo_status_name((zo_status)status); }
