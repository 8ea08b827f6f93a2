// See library.h: a library in a file as the verbs use it. Opened by the verb itself, which knows whether it reads or
// writes; everything that is said of what went wrong is said here.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/petween_pet.h"
#include "library.h"
#include "store.h"

enum { SCRATCH_MAX = 128 }; // bytes of a path in a folder for a dry run

// ------------------------------------------------------------------------------------------------- opening and closing

// What would happen to a library that is not there yet is tried on an empty one elsewhere.
static bool make_scratch(library_job *j, char path[SCRATCH_MAX]) {
    const char *folder = getenv("TMPDIR");
    const size_t room = sizeof j->scratch - sizeof "/zoetrope-XXXXXX";
    if (folder == NULL || *folder != '/' || strlen(folder) > room) { folder = "/tmp"; }
    snprintf(j->scratch, sizeof j->scratch, "%s/zoetrope-XXXXXX", folder);
    if (mkdtemp(j->scratch) == NULL) {
        cli_say("cannot make a folder in '%s': %s", folder, strerror(errno));
        j->scratch[0] = 0;
        return false;
    }
    snprintf(path, SCRATCH_MAX, "%s/library.db", j->scratch);
    return true;
}

static void remove_scratch(const library_job *j) {
    static const char *const names[] = {"library.db", "library.db-wal", "library.db-shm"};
    char path[SCRATCH_MAX];
    if (j->scratch[0] == 0) { return; }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", j->scratch, names[i]);
        unlink(path);
    }
    rmdir(j->scratch);
}

int cli_library_run(library_job *j) {
    int code = CLI_INTERNAL;
    j->path = cli_store_path(j->args, j->verb->makes && !j->dry_run, &code);
    if (j->path == NULL) { return code; }
    code = j->verb->in_file(j);
    store_rollback(j->txn);
    store_close(j->file);
    remove_scratch(j);
    free(j->path);
    return code;
}

static int open_file(library_job *j, store_mode mode) {
    const bool tried = j->dry_run && j->verb->makes && !cli_file_exists(j->path);
    const store_def def = {.read_only = mode == STORE_READ && !tried, .must_exist = !j->verb->makes};
    char scratch[SCRATCH_MAX];
    store_error error;
    if (tried && !make_scratch(j, scratch)) { return CLI_FILES; }
    const store_status status = store_open(tried ? scratch : j->path, &def, &j->file, &error);
    if (status == STORE_OK) { return CLI_FINE; }
    if (status == STORE_NOT_FOUND && !j->json && !cli_given(j->args, CLI_OPT_LIBRARY)) {
        cli_say("there is no library yet; 'zoetrope library import FILE' makes '%s'", j->path);
    } else {
        cli_library_refuse(j, &error);
    }
    return status == STORE_NOT_FOUND ? CLI_FILES : cli_store_code(status);
}

int cli_library_begin(library_job *j, store_mode mode) {
    store_error error;
    const int code = open_file(j, mode);
    if (code != CLI_FINE || store_begin(j->file, mode, &j->txn, &error) == STORE_OK) { return code; }
    return cli_library_refuse(j, &error);
}

int cli_library_commit(library_job *j) {
    store_error error;
    store_txn *txn = j->txn;
    j->txn = NULL;
    if (j->dry_run) {
        store_rollback(txn);
        return CLI_FINE;
    }
    return store_commit(txn, &error) == STORE_OK ? CLI_FINE : cli_library_refuse(j, &error);
}

// ----------------------------------------------------------------------------------------------------- what went wrong

const char *cli_area_name(store_area area) {
    static const char *const names[STORE_AREA_COUNT] = {"thing", "item", "pet", "config", "asset"};
    return (unsigned)area < STORE_AREA_COUNT ? names[area] : names[0];
}

// In a reference to what is missing it is the target that counts, else who refers to it.
static void json_uses(cli_json *json, const store_error *error) {
    cli_json_open(json, error->status == STORE_DANGLING ? "missing" : "usedBy", '[');
    for (uint32_t i = 0; i < error->use_count; i++) {
        const store_use *use = &error->uses[i];
        const bool missing = error->status == STORE_DANGLING;
        cli_json_open_inline(json, NULL, '{');
        cli_library_json_id(json, missing ? use->to_area : use->from_area, missing ? use->to : use->from);
        cli_json_text(json, "where", use->where);
        cli_json_text(json, "role", use->role);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void say_uses(const store_error *error) {
    for (uint32_t i = 0; i < error->use_count; i++) {
        const store_use *use = &error->uses[i];
        const bool missing = error->status == STORE_DANGLING;
        fprintf(stderr, "  %s/", cli_area_name(missing ? use->to_area : use->from_area));
        cli_put_plain(stderr, missing ? use->to : use->from);
        fputs("  ", stderr);
        cli_put_plain(stderr, use->where);
        fputc('\n', stderr);
    }
    const uint32_t more = error->use_total - error->use_count;
    if (more > 0) { fprintf(stderr, "  and %u more\n", more); }
}

int cli_library_refuse(const library_job *j, const store_error *error) {
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_text(&json, "error", store_status_name(error->status));
        cli_json_text(&json, "message", error->text);
        if (error->status == STORE_IN_USE || error->status == STORE_DANGLING) { json_uses(&json, error); }
        cli_library_close_json(&json);
    } else {
        cli_say("%s", error->text);
        if (error->use_total > 1) { say_uses(error); }
    }
    return cli_store_code(error->status);
}

int cli_library_failed(const library_job *j) { return cli_library_refuse(j, store_error_of(j->txn)); }

void cli_library_say_report(const library_job *j, const zo_report *report) {
    if (report == NULL || zo_report_count(report) == 0) { return; }
    fflush(stdout);
    if (j->json && zo_report_total(report, ZO_ERROR) > 0) {
        zo_report_write(report, ZO_REPORT_JSON, false, cli_to_stdout, NULL);
    } else {
        zo_report_write(report, ZO_REPORT_HUMAN, cli_use_color(j->args, stderr), cli_to_stderr, NULL);
    }
}

// ----------------------------------------------------------------------------------------------------------- documents

void cli_library_open_json(const library_job *j, cli_json *json) {
    *json = (cli_json){0};
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "schema", "zoetrope/library@1");
    cli_json_text(json, "action", j->verb->name);
    cli_json_text(json, "library", j->path);
}

void cli_library_close_json(cli_json *json) {
    cli_json_close(json, '}');
    cli_json_end(json);
}

void cli_library_json_id(cli_json *json, store_area area, const char *id) {
    cli_json_text(json, "area", cli_area_name(area));
    cli_json_text(json, "id", id);
}

void cli_json_time(cli_json *json, const char *key, int64_t when_ms) {
    char text[32];
    petween_time(when_ms, text);
    cli_json_text(json, key, text);
}

cli_when cli_local_time(int64_t when_ms) {
    cli_when when = {"?"};
    struct tm parts;
    const time_t seconds = (time_t)(when_ms / 1000);
    if (localtime_r(&seconds, &parts) != NULL) { strftime(when.text, sizeof when.text, "%Y-%m-%d %H:%M:%S", &parts); }
    return when;
}

cli_amount cli_bytes_text(uint64_t size) {
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    cli_amount amount;
    double value = (double)size / 1000.0;
    unsigned unit = 0;
    if (size < 1000) {
        snprintf(amount.text, sizeof amount.text, size == 1 ? "%u byte" : "%u bytes", (unsigned)size);
        return amount;
    }
    for (; value >= 999.95 && unit < 3; unit++) { value /= 1000.0; }
    snprintf(amount.text, sizeof amount.text, "%.1f %s", value, units[unit]);
    return amount;
}

// --------------------------------------------------------------------------------------------------------- naming them

bool cli_is_builtin_id(const char *id) {
    for (uint32_t i = 0; zo_builtin_at(i) != NULL; i++) {
        if (strcmp(zo_builtin_at(i), id) == 0) { return true; }
    }
    return false;
}

// Ids of the library for cli_nearest, which asks by index alone. Static: the program has one thread.
static const store_item *near_items;
static uint32_t near_count;
static const char *near_id_at(uint32_t index) { return index < near_count ? near_items[index].id : NULL; }

static const char *nearest_id(library_job *j, const char *word) {
    const store_filter filter = {0};
    store_page page;
    if (store_list(j->txn, &filter, NULL, STORE_PAGE_MAX, &page) != STORE_OK) { return NULL; }
    near_items = page.items;
    near_count = page.count;
    return cli_nearest(word, near_id_at);
}

static int say_unknown(library_job *j, const char *word, bool gone) {
    store_error error = {.status = STORE_NOT_FOUND};
    if (gone) {
        snprintf(error.text, sizeof error.text, "there is no '%.200s' any more; 'zoetrope library restore %.200s' "
                 "brings it back", word, word);
    } else {
        snprintf(error.text, sizeof error.text, "there is no '%.200s' in the library%s%s", word,
                 cli_is_builtin_id(word) ? ", as it is built in" : "",
                 cli_is_builtin_id(word) ? "" : cli_did_you_mean(nearest_id(j, word)).text);
    }
    return cli_library_refuse(j, &error);
}

// Whether it is there, or else has been. Not CLI_FINE: said.
static int look_up(library_job *j, store_area area, const char *id, cli_thing *thing, bool *is, bool *was) {
    const store_past *past;
    uint32_t count;
    *is = *was = false;
    *thing = (cli_thing){.area = area, .id = id};
    store_status status = store_get(j->txn, area, id, &thing->item);
    *is = thing->there = status == STORE_OK;
    if (status == STORE_OK) { return CLI_FINE; }
    if (status == STORE_NOT_FOUND) { status = store_history(j->txn, area, id, 0, 1, &past, &count); }
    if (status == STORE_NOT_FOUND || status == STORE_INVALID) { return CLI_FINE; }
    if (status != STORE_OK) { return cli_library_failed(j); }
    *was = count > 0;
    if (count > 0) {
        thing->item = past[0].item;
        thing->action = past[0].action;
        thing->when_ms = past[0].when_ms;
    }
    return CLI_FINE;
}

static store_area area_named(const char *word, size_t size) {
    for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
        const char *name = cli_area_name((store_area)area);
        if (strlen(name) == size && memcmp(name, word, size) == 0) { return (store_area)area; }
    }
    return STORE_ANY_AREA;
}

int cli_library_find(library_job *j, const char *word, bool past, cli_thing *thing) {
    const char *slash = strchr(word, '/'), *id = word;
    const store_area only = slash != NULL ? area_named(word, (size_t)(slash - word)) : STORE_ANY_AREA;
    if (only != STORE_ANY_AREA) { id = slash + 1; }
    cli_thing gone = {0};
    uint32_t there_count = 0, gone_count = 0;
    *thing = (cli_thing){0};
    for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
        cli_thing one;
        bool is = false, was = false;
        if (only != STORE_ANY_AREA && area != (int)only) { continue; }
        const int code = look_up(j, (store_area)area, id, &one, &is, &was);
        if (code != CLI_FINE) { return code; }
        if (is && there_count++ == 0) { *thing = one; }
        if (was && gone_count++ == 0) { gone = one; }
    }
    const bool take_gone = past && there_count == 0;
    if (take_gone) { *thing = gone; }
    const uint32_t count = take_gone ? gone_count : there_count;
    if (count == 0) { return say_unknown(j, word, gone_count > 0); }
    if (count == 1) { return CLI_FINE; }
    store_error error = {.status = STORE_INVALID};
    snprintf(error.text, sizeof error.text, "several things are called '%.200s'; say which with its area: %s/%.200s",
             id, cli_area_name(thing->area), id);
    return cli_library_refuse(j, &error);
}

bool cli_library_revision(const library_job *j, int64_t *revision) {
    const char *text = j->args->values[CLI_OPT_REVISION];
    *revision = 0;
    if (text == NULL) { return true; }
    char *end;
    const size_t digits = strspn(text, "0123456789");
    *revision = digits > 0 && digits < 19 ? strtoll(text, &end, 10) : 0;
    if (*revision > 0 && text[digits] == 0) { return true; }
    cli_usage(j->args, "--revision wants the number of a change, as 'zoetrope library history' has them, not '%s'",
              text);
    return false;
}
