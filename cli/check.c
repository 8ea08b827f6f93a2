// `zoetrope check`: all that is wrong with the files given and with those in the folders given, on the standard output.
// Exit 1 when any has errors; a file that cannot be read does not keep the others from being checked.
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fix.h"
#include "host/beside.h"
#include "load.h"
#include "texture_file.h"
#include "walk.h"

static int worse(int a, int b) { // what could not be read outranks what is faulty; a limit outranks both
    return a > b ? a : b;
}

// The files of the call, and which of them nobody named.
typedef struct file_list {
    cli_paths paths;
    bool *walked; // [paths.count]: a folder gave it
} file_list;

typedef struct tally {
    uint32_t fine, faulty, passed, unread;
    uint64_t errors, warnings;
} tally;

// What a file of a folder calls itself: no two that are used together may have one id.
typedef struct named_id {
    char *id, *path;
} named_id;

typedef struct check_job {
    const cli_args *args;
    zo_report_style style;
    bool quiet, fix, dry_run;
    uint32_t diag_max; // 0: the library's own
    uint32_t count;    // files
    cli_loaded *kept;  // [count], for styles that are one document; else NULL
    bool written;      // a report for people came before
    tally tally;
    const cli_paths *listed; // all files
    cli_paths told;    // files that have been judged beside another
    named_id *ids;     // of the files that folders gave, [id_count]
    uint32_t id_count;
} check_job;

static bool is_document(zo_report_style style) { return style == ZO_REPORT_JSON || style == ZO_REPORT_SARIF; }

// ---- One file ----

static int mend_file(check_job *j, const zo_compile_def *def, const char *path, const char *real, cli_bytes *bytes) {
    const cli_fix fix = {
        .path = path,
        .real_name = real,
        .dry_run = j->dry_run,
        .quiet = j->quiet,
        .talk = j->style == ZO_REPORT_HUMAN ? stdout : stderr, // other styles are for programs
    };
    uint32_t fixed = 0;
    const int code = cli_fix_file(&fix, def, bytes, &fixed);
    if (fixed > 0 && j->style == ZO_REPORT_HUMAN && !j->quiet) { j->written = true; }
    return code;
}

static int mend(check_job *j, const zo_compile_def *def, zo_source *source, cli_loaded *loaded) {
    if (loaded->package != NULL) {
        cli_say("'%s' is a package, and --fix mends JSON files only", loaded->name);
        return CLI_USAGE;
    }
    const int code = mend_file(j, def, loaded->name, loaded->real, &loaded->bytes);
    source->bytes = loaded->bytes.data;
    source->size = loaded->bytes.size;
    return code;
}

static bool has_fix(const zo_report *report, const char *file) {
    bool has = false;
    for (uint32_t i = 0; i < zo_report_count(report) && !has; i++) {
        const zo_diag *diag = zo_report_at(report, i);
        has = diag->edit_count > 0 && strcmp(diag->place.file, file) == 0;
    }
    return has;
}

// A pack is all its JSON files, of which nobody names but the first.
static int mend_beside(check_job *j, const zo_compile_def *def, cli_loaded *loaded) {
    const cli_gathered *g = loaded->gathered;
    zo_compile_def alone = *def;
    alone.format = NULL;
    alone.maybe = false; // the pack names it
    int code = CLI_FINE;
    for (uint32_t i = 1; g != NULL && i < g->count; i++) {
        if (!g->found[i].whole || !has_fix(loaded->report, g->sources[i].name)) { continue; }
        cli_bytes bytes = {.data = (void *)(uintptr_t)g->sources[i].bytes, .size = g->sources[i].size};
        code = worse(code, mend_file(j, &alone, g->found[i].path, NULL, &bytes));
        g->sources[i].bytes = bytes.data;
        g->sources[i].size = bytes.size;
    }
    return code;
}

static bool is_pack(const zo_compile_def *def) {
    return def->format != NULL && strcmp(def->format, beside_pack_format) == 0;
}

// The note that the file is of no known format, NULL: it is of one, or that is an error.
static const zo_diag *passed_over(const cli_loaded *loaded) {
    for (uint32_t i = 0; loaded->status == ZO_UNSUPPORTED && i < zo_report_count(loaded->report); i++) {
        const zo_diag *diag = zo_report_at(loaded->report, i);
        if (strcmp(diag->id, "source/passed-over") == 0) { return diag; }
    }
    return NULL;
}

static char *id_of(const cli_bytes *bytes) { // malloc; NULL: it has none
    zo_document *document = NULL;
    zo_range range;
    char *id = NULL;
    if (zo_document_open(bytes->data, bytes->size, NULL, &document) == ZO_OK &&
        zo_document_find(document, "/id", &range) && range.length > 2) {
        id = calloc(1, range.length + 1); // the text does not end in a zero byte
        if (id != NULL) { memcpy(id, zo_document_bytes(document).data + range.offset, range.length); }
    }
    zo_document_free(document);
    return id;
}

static bool in_one_folder(const char *a, const char *b) {
    const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');
    const size_t a_size = a_end != NULL ? (size_t)(a_end - a) : 0, b_size = b_end != NULL ? (size_t)(b_end - b) : 0;
    return a_size == b_size && memcmp(a, b, a_size) == 0;
}

// An earlier file of the same folder that has the same id, to be looked at together. NULL: there is none.
static const char *twin_of(check_job *j, const char *path, const cli_bytes *bytes) {
    char *id = id_of(bytes);
    for (uint32_t i = 0; id != NULL && i < j->id_count; i++) {
        if (strcmp(j->ids[i].id, id) == 0 && in_one_folder(j->ids[i].path, path)) {
            free(id);
            return j->ids[i].path;
        }
    }
    named_id *ids = id != NULL ? realloc(j->ids, (j->id_count + 1) * sizeof *ids) : NULL;
    char *copy = ids != NULL ? strdup(path) : NULL;
    if (ids != NULL) { j->ids = ids; }
    if (copy != NULL) {
        j->ids[j->id_count++] = (named_id){id, copy};
    } else {
        free(id);
    }
    return NULL;
}

// A rig that lies beside a hundred clips is told of with the first of them, and an atlas.
static void note_told(check_job *j, const cli_loaded *loaded) {
    const cli_gathered *g = loaded->gathered;
    for (uint32_t i = 1; g != NULL && i < g->count; i++) {
        if (g->found[i].whole && !g->sources[i].judged) { cli_paths_add(&j->told, g->found[i].path); }
    }
}

typedef struct deep_look {
    const cli_loaded *loaded;
    char fault[CLI_FAULT_SIZE];
} deep_look;

static zo_look look_at_texture(void *context, const char *name) {
    deep_look *d = context;
    const char *path = d->loaded->gathered != NULL ? cli_gathered_path(d->loaded->gathered, name) : NULL;
    zo_image image;
    if (path == NULL) { return (zo_look){.fault = "it is not there"}; }
    if (!cli_texture_read(path, ZO_TEXTURE_STORED, NULL, NULL, &image, d->fault)) {
        return (zo_look){.fault = d->fault};
    }
    free(image.pixels); // one picture at a time
    return (zo_look){.width = image.width, .height = image.height};
}

static int check(check_job *j, const char *path, bool named, cli_loaded *loaded) {
    zo_source source;
    zo_compile_def def;
    int code = cli_source(j->args, path, loaded, &source, &def);
    if (code != CLI_FINE) { return code; }
    def.diag_max = j->diag_max;
    def.maybe = !named;
    if (!named) { loaded->beside = twin_of(j, path, &loaded->bytes); }
    loaded->listed = j->listed;
    loaded->told = &j->told;
    const bool mends = j->fix && source.kind == ZO_SOURCE_FILE;
    if (mends) { code = mend(j, &def, &source, loaded); }
    deep_look deep = {.loaded = loaded};
    if (cli_given(j->args, CLI_OPT_DEEP)) {
        def.look = look_at_texture;
        def.look_context = &deep;
    }
    int compiled = cli_compile(&source, &def, false, loaded);
    if (mends && is_pack(&def) && loaded->gathered != NULL && loaded->report != NULL) {
        code = worse(code, mend_beside(j, &def, loaded));
        compiled = cli_compile_again(&def, loaded);
    }
    note_told(j, loaded);
    return worse(code, passed_over(loaded) != NULL ? CLI_FINE : compiled);
}

static void count(tally *t, const cli_loaded *loaded) {
    if (loaded->report == NULL) {
        t->unread++;
        return;
    }
    t->errors += zo_report_total(loaded->report, ZO_ERROR);
    t->warnings += zo_report_total(loaded->report, ZO_WARNING);
    if (passed_over(loaded) != NULL) {
        t->passed++;
    } else if (loaded->status == ZO_OK) {
        t->fine++;
    } else {
        t->faulty++;
    }
}

static void say(check_job *j, const cli_loaded *loaded) {
    const zo_report *report = loaded->report;
    const zo_diag *passed = passed_over(loaded);
    if (passed != NULL && j->style == ZO_REPORT_GITHUB) { return; } // an annotation would be too much
    if (j->style == ZO_REPORT_HUMAN && (passed != NULL || zo_report_count(report) == 0)) {
        if (j->quiet) { return; }
        const char *format = zo_report_format(report);
        if (passed != NULL) {
            cli_put_plain(stdout, loaded->name);
            printf(": passed over: %s\n", passed->message);
        } else {
            cli_put_plain(stdout, loaded->name);
            printf(": ok%s%s%s\n", *format ? " (" : "", format, *format ? ")" : "");
        }
        j->written = true;
        return;
    }
    if (j->style == ZO_REPORT_HUMAN && j->written) { putchar('\n'); }
    zo_report_write(report, j->style, cli_use_color(j->args, stdout), cli_to_stdout, NULL);
    zo_verdict verdict;
    if (j->style == ZO_REPORT_HUMAN && zo_report_verdict(report, &verdict) && verdict.category != NULL) {
        printf("refused as %s\n", verdict.category);
    }
    j->written = true;
}

static int take(check_job *j, const char *path, bool named) {
    cli_loaded loaded;
    const int code = check(j, path, named, &loaded);
    count(&j->tally, &loaded);
    if (j->kept != NULL) {
        j->kept[j->count++] = loaded;
        return code;
    }
    j->count++;
    if (loaded.report != NULL) { say(j, &loaded); }
    cli_loaded_free(&loaded);
    return code;
}

// ---- All files ----

static void put_count(const char *before, uint64_t count, const char *what) {
    if (count > 0) { printf("%s%llu %s%s", before, (unsigned long long)count, what, count == 1 ? "" : "s"); }
}

// "14 files: 11 fine, 2 with errors, 1 passed over (5 errors, 1 warning)"
static void say_tally(const check_job *j) {
    const tally *t = &j->tally;
    printf("%s%u files: %u fine", j->written ? "\n" : "", j->count, t->fine);
    if (t->faulty > 0) { printf(", %u with errors", t->faulty); }
    if (t->passed > 0) { printf(", %u passed over", t->passed); }
    if (t->unread > 0) { printf(", %u not read", t->unread); }
    if (t->errors > 0 || t->warnings > 0) {
        putchar(' ');
        put_count("(", t->errors, "error");
        put_count(t->errors > 0 ? ", " : "(", t->warnings, "warning");
        putchar(')');
    }
    putchar('\n');
}

static bool write_document(const check_job *j) {
    const zo_report **reports = calloc(j->count + 1, sizeof *reports);
    if (reports == NULL) { return false; }
    for (uint32_t i = 0; i < j->count; i++) { reports[i] = j->kept[i].report; }
    const bool fine = zo_reports_write(reports, j->count, j->style, false, cli_to_stdout, NULL);
    free(reports);
    return fine;
}

// What the command line asks for makes sense together. Says what does not.
static int look_at_arguments(const cli_args *args, check_job *j) {
    uint32_t style = 0;
    double most = 0.0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &style)) { return CLI_USAGE; }
    if (!cli_number(args, CLI_OPT_MAX_ERRORS, 1, 1000000, &most)) { return CLI_USAGE; }
    if (most != (double)(uint32_t)most) { return cli_usage(args, "--max-errors wants a whole number"); }
    *j = (check_job){
        .args = args,
        .style = (zo_report_style)style,
        .quiet = cli_given(args, CLI_OPT_QUIET),
        .fix = cli_given(args, CLI_OPT_FIX),
        .dry_run = cli_given(args, CLI_OPT_DRY_RUN),
        .diag_max = (uint32_t)most,
    };
    if (args->operand_count == 0) { return cli_usage(args, "check wants at least one file or folder, or '-'"); }
    if (j->dry_run && !j->fix) { return cli_usage(args, "--dry-run means something only with --fix"); }
    for (uint32_t i = 0; i < args->operand_count; i++) {
        const char *path = args->operands[i];
        if (j->fix && (strcmp(path, "-") == 0 || cli_is_builtin(path))) {
            return cli_usage(args, "--fix changes files, and '%s' is none", path);
        }
    }
    return CLI_FINE;
}

static char *manifest_in(const char *folder) {
    const size_t size = strlen(folder) + sizeof "/runtime_manifest.json";
    char *path = malloc(size);
    const bool has_slash = *folder != 0 && folder[strlen(folder) - 1] == '/';
    if (path != NULL) { snprintf(path, size, "%s%sruntime_manifest.json", folder, has_slash ? "" : "/"); }
    return path;
}

// Paths that were named and those that folders gave, in the order of the command line. false: memory.
static bool list_files(const cli_args *args, file_list *list) {
    for (uint32_t i = 0; i < args->operand_count; i++) {
        const char *path = args->operands[i];
        const uint32_t before = list->paths.count;
        const bool folder = strcmp(path, "-") != 0 && cli_is_folder(path);
        const char *format = args->values[CLI_OPT_FORMAT];
        if (folder && format != NULL && strcmp(format, beside_pack_format) == 0) { // it is said to be one
            char *manifest = manifest_in(path);
            if (manifest == NULL) { return false; }
            cli_paths_add(&list->paths, manifest);
            free(manifest);
        } else if (folder) {
            cli_paths_walk(&list->paths, path);
            if (list->paths.count == before && !list->paths.failed) { // more likely the wrong folder than all well
                cli_say("there is no .json or .b3d file in '%s'", path);
                list->paths.failed = true;
            }
        } else {
            cli_paths_add(&list->paths, path);
        }
        bool *more = realloc(list->walked, ((size_t)list->paths.count + 1) * sizeof *more);
        if (more == NULL) { return false; }
        for (uint32_t k = before; k < list->paths.count; k++) { more[k] = folder; }
        list->walked = more;
    }
    return true;
}

static int check_all(check_job *j, const file_list *list) {
    int code = list->paths.failed ? CLI_FILES : CLI_FINE;
    j->listed = &list->paths;
    if (is_document(j->style)) {
        j->kept = calloc((size_t)list->paths.count + 1, sizeof *j->kept);
        if (j->kept == NULL) { return CLI_INTERNAL; }
    }
    for (uint32_t i = 0; i < list->paths.count; i++) {
        const int one = take(j, list->paths.items[i], !list->walked[i]);
        if (one == CLI_USAGE) { return one; } // said, and the same for all files
        code = worse(code, one);
    }
    if (j->kept != NULL && !write_document(j)) { code = CLI_INTERNAL; }
    if (j->style == ZO_REPORT_HUMAN && j->count > 1 && !j->quiet) { say_tally(j); }
    return code;
}

// ---- As the format's own validator, for scripts that call it ----

// What cannot be looked at is not installed; that a limit of ours was passed is no verdict. Returns the exit code.
static int say_verdict(const cli_loaded *loaded, const char *folder, int code) {
    zo_verdict verdict;
    if (loaded->report != NULL && loaded->status != ZO_NO_MEMORY && zo_report_verdict(loaded->report, &verdict)) {
        cli_put_plain(verdict.category == NULL ? stdout : stderr, verdict.line); // one line, whatever ids hold
        fputc('\n', verdict.category == NULL ? stdout : stderr);
        return verdict.category == NULL ? CLI_FINE : CLI_FAULTY;
    }
    if (code == CLI_INTERNAL) { return code; }
    fprintf(stderr, "INVALID [not_installed]: '%s' cannot be read\n", folder);
    return CLI_FAULTY;
}

static int check_contract(const cli_args *args) {
    uint32_t contract = 0;
    if (!cli_choice(args, CLI_OPT_CONTRACT, &contract)) { return CLI_USAGE; }
    if (args->operand_count != 1) { return cli_usage(args, "--contract checks one pack, by its folder"); }
    if (cli_given(args, CLI_OPT_FIX) || cli_given(args, CLI_OPT_STRICT) || cli_given(args, CLI_OPT_OUTPUT) ||
        cli_given(args, CLI_OPT_DEEP)) {
        return cli_usage(args, "--contract prints its one line and changes nothing: no --fix, --strict, --output or "
                               "--deep");
    }
    if (!cli_is_folder(args->operands[0])) {
        fprintf(stderr, "INVALID [not_installed]: there is no folder '%s'\n", args->operands[0]);
        return CLI_FAULTY;
    }
    char *path = manifest_in(args->operands[0]);
    if (path == NULL) { return CLI_INTERNAL; }
    cli_loaded loaded;
    zo_source source;
    zo_compile_def def;
    int code = cli_source(args, path, &loaded, &source, &def);
    if (code == CLI_FINE) {
        def.contract_only = true;
        code = cli_compile(&source, &def, false, &loaded);
    }
    if (code != CLI_USAGE) { code = say_verdict(&loaded, args->operands[0], code); }
    cli_loaded_free(&loaded);
    free(path);
    return code;
}

int cli_check(const cli_args *args) {
    if (cli_given(args, CLI_OPT_CONTRACT)) { return check_contract(args); }
    check_job job = {0};
    file_list list = {0};
    int code = look_at_arguments(args, &job);
    if (code == CLI_FINE) { code = list_files(args, &list) ? check_all(&job, &list) : CLI_INTERNAL; }
    for (uint32_t i = 0; job.kept != NULL && i < job.count; i++) { cli_loaded_free(&job.kept[i]); }
    free(job.kept);
    for (uint32_t i = 0; i < job.id_count; i++) {
        free(job.ids[i].id);
        free(job.ids[i].path);
    }
    free(job.ids);
    cli_paths_free(&list.paths);
    cli_paths_free(&job.told);
    free(list.walked);
    return code;
}
