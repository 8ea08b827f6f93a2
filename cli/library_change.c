// What `zoetrope library` changes in a file one thing at a time: remove, restore, clone. All that one command names
// happens, or nothing.
#include <stdlib.h>
#include <string.h>

#include "library.h"

typedef struct work { // one of the things that are named
    cli_thing thing;
    int64_t from, revision; // restored from, and what it is now; 0: nothing to do
    bool done, same;
} work;

// -------------------------------------------------------------------------------------------------- several in a round

static bool is_again(const work *list, uint32_t count, const cli_thing *thing) {
    bool is = false;
    for (uint32_t i = 0; i < count; i++) {
        is = is || (list[i].thing.area == thing->area && strcmp(list[i].thing.id, thing->id) == 0);
    }
    return is;
}

// Things may hang on each other, so each is tried until no more can be done; then the first that is left says why.
static int do_all(library_job *j, work *list, uint32_t count,
                  store_status (*one)(library_job *j, work *w, store_error *error), store_status wait) {
    store_error error = {0};
    uint32_t left = count;
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        error.status = STORE_OK;
        for (uint32_t i = 0; i < count; i++) {
            store_error why;
            if (list[i].done) { continue; }
            const store_status status = one(j, &list[i], &why);
            if (status != STORE_OK && status != wait) { return cli_library_refuse(j, &why); }
            list[i].done = status == STORE_OK;
            if (status == STORE_OK) {
                moved = true;
                left--;
            } else if (error.status == STORE_OK) {
                error = why;
            }
        }
    }
    return left > 0 ? cli_library_refuse(j, &error) : CLI_FINE;
}

static int gather(library_job *j, bool past, work *list, uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < cli_library_count(j); i++) {
        cli_thing thing;
        const int code = cli_library_find(j, cli_library_word(j, i), past, &thing);
        if (code != CLI_FINE) { return code; }
        if (!is_again(list, *count, &thing)) { list[(*count)++].thing = thing; }
    }
    return CLI_FINE;
}

static void print_id(const cli_thing *thing) {
    if (thing->area != STORE_ITEM) { printf("%s/", cli_area_name(thing->area)); }
    fputs(thing->id, stdout);
}

// -------------------------------------------------------------------------------------------------------------- remove

static store_status remove_one(library_job *j, work *w, store_error *error) {
    return content_delete(j->txn, w->thing.area, w->thing.id, w->thing.item.revision, error);
}

static void tell_removed(const library_job *j, const work *list, uint32_t count) {
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_json_open(&json, "removed", '[');
        for (uint32_t i = 0; i < count; i++) {
            cli_json_open_inline(&json, NULL, '{');
            cli_library_json_id(&json, list[i].thing.area, list[i].thing.id);
            cli_json_number(&json, "revision", (double)list[i].thing.item.revision); // that brings it back
            cli_json_close(&json, '}');
        }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
        return;
    }
    for (uint32_t i = 0; i < count && !j->quiet; i++) {
        fputs(j->dry_run ? "would remove " : "removed ", stdout);
        print_id(&list[i].thing);
        putchar('\n');
    }
}

int cli_library_remove(library_job *j) {
    uint32_t count = 0;
    int code = cli_library_begin(j, STORE_WRITE);
    work *list = calloc((size_t)cli_library_count(j) + 1, sizeof *list);
    if (list == NULL && code == CLI_FINE) { code = CLI_INTERNAL; }
    if (code == CLI_FINE) { code = gather(j, false, list, &count); }
    if (code == CLI_FINE) { code = do_all(j, list, count, remove_one, STORE_IN_USE); }
    if (code == CLI_FINE) { code = cli_library_commit(j); }
    if (code == CLI_FINE) { tell_removed(j, list, count); }
    free(list);
    return code;
}

// ------------------------------------------------------------------------------------------------------------- restore

// What the thing was at the revision. Not CLI_FINE: said.
static int past_of(library_job *j, work *w) {
    const store_past *past;
    uint32_t count = 0;
    if (store_history(j->txn, w->thing.area, w->thing.id, w->from + 1, 1, &past, &count) != STORE_OK) {
        return cli_library_failed(j);
    }
    if (count > 0 && past[0].item.revision == w->from) {
        w->thing.item = past[0].item;
        return CLI_FINE;
    }
    store_error error = {.status = STORE_NOT_FOUND};
    snprintf(error.text, sizeof error.text, "'%.200s' has no revision %lld; 'zoetrope library history %.200s' lists "
             "those that it has", w->thing.id, (long long)w->from, w->thing.id);
    return cli_library_refuse(j, &error);
}

// An animation that a slot plays must not come back as one of another kind.
static store_status restore_one(library_job *j, work *w, store_error *error) {
    const cli_thing *thing = &w->thing;
    store_item now;
    if (thing->area == STORE_ITEM && thing->there) {
        const store_status guard = content_kind_guard(j->txn, thing->id, thing->item.kind, error);
        if (guard != STORE_OK) { return guard; }
    }
    const store_status status = store_restore(j->txn, thing->area, thing->id, w->from, STORE_ANY, &now);
    if (status != STORE_OK) { *error = *store_error_of(j->txn); }
    if (status == STORE_OK) { w->revision = now.revision; }
    return status;
}

static void tell_restored(const library_job *j, const work *list, uint32_t count) {
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_json_open(&json, "restored", '[');
        for (uint32_t i = 0; i < count; i++) {
            cli_json_open_inline(&json, NULL, '{');
            cli_library_json_id(&json, list[i].thing.area, list[i].thing.id);
            cli_json_number(&json, "from", (double)list[i].from);
            cli_json_number(&json, "revision", (double)list[i].revision);
            cli_json_bool(&json, "changed", !list[i].same);
            cli_json_close(&json, '}');
        }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
        return;
    }
    for (uint32_t i = 0; i < count && !j->quiet; i++) {
        if (list[i].same) {
            print_id(&list[i].thing);
            printf(" is as it was at revision %lld\n", (long long)list[i].from);
            continue;
        }
        fputs(j->dry_run ? "would restore " : "restored ", stdout);
        print_id(&list[i].thing);
        printf(" as it was %s revision %lld\n", list[i].thing.there ? "at" : "before", (long long)list[i].from);
    }
}

static int pick_revisions(library_job *j, work *list, uint32_t count, int64_t revision) {
    for (uint32_t i = 0; i < count; i++) {
        work *w = &list[i];
        if (w->thing.there && revision == 0) {
            return cli_usage(j->args, "'%s' is there; --revision says what of its past is wanted, and 'zoetrope "
                                      "library history %s' lists that", w->thing.id, w->thing.id);
        }
        w->from = revision > 0 ? revision : w->thing.item.revision;
        const int code = past_of(j, w);
        if (code != CLI_FINE) { return code; }
    }
    return CLI_FINE;
}

int cli_library_restore(library_job *j) {
    int64_t revision;
    uint32_t count = 0;
    if (!cli_library_revision(j, &revision)) { return CLI_USAGE; }
    if (revision > 0 && cli_library_count(j) != 1) { return cli_usage(j->args, "--revision is of one thing"); }
    int code = cli_library_begin(j, STORE_WRITE);
    work *list = calloc((size_t)cli_library_count(j) + 1, sizeof *list);
    if (list == NULL && code == CLI_FINE) { code = CLI_INTERNAL; }
    if (code == CLI_FINE) { code = gather(j, true, list, &count); }
    int64_t before[2] = {0};
    if (code == CLI_FINE) { code = pick_revisions(j, list, count, revision); }
    if (code == CLI_FINE && store_revision(j->txn, &before[0]) != STORE_OK) { code = cli_library_failed(j); }
    if (code == CLI_FINE) { code = do_all(j, list, count, restore_one, STORE_DANGLING); }
    for (uint32_t i = 0; code == CLI_FINE && i < count; i++) { list[i].same = list[i].revision <= before[0]; }
    if (code == CLI_FINE) { code = cli_library_commit(j); }
    if (code == CLI_FINE) { tell_restored(j, list, count); }
    free(list);
    return code;
}

// --------------------------------------------------------------------------------------------------------------- clone

static bool is_id_text(const char *id) { // enough to be put between quotes; content_look judges the rest
    return *id != 0 && strlen(id) < 1000 && strpbrk(id, "\"\\\n\r\t") == NULL;
}

// The definition that is cloned. Not CLI_FINE: said.
static int source_of(library_job *j, const char *from, zo_document **document) {
    cli_bytes builtin = {0};
    store_file file = {0};
    if (cli_is_builtin_id(from)) {
        if (!zo_builtin_write(from, cli_collect, &builtin)) {
            cli_bytes_free(&builtin);
            cli_say("not enough memory");
            return CLI_INTERNAL;
        }
        file = (store_file){.bytes = builtin.data, .size = builtin.size};
    } else {
        cli_thing thing;
        const int code = cli_library_find(j, from, false, &thing);
        if (code != CLI_FINE) { return code; }
        if (store_file_get(j->txn, thing.area, thing.id, NULL, &file) != STORE_OK) { return cli_library_failed(j); }
    }
    const zo_status status = zo_document_open(file.bytes, (size_t)file.size, NULL, document);
    cli_bytes_free(&builtin);
    if (status == ZO_OK && content_kind_of(zo_document_bytes(*document).data, zo_document_bytes(*document).size)) {
        return CLI_FINE;
    }
    cli_say(status == ZO_NO_MEMORY ? "not enough memory for '%s'" : "'%s' is no animation with an id of its own", from);
    return status == ZO_NO_MEMORY ? CLI_INTERNAL : CLI_FAULTY;
}

static int store_clone(library_job *j, const char *id, const zo_document *document) {
    const zo_text text = zo_document_bytes(document);
    char *name = cli_folder_file_of(id);
    if (name == NULL) { return CLI_INTERNAL; }
    const store_file file = {.name = name, .bytes = text.data, .size = text.size};
    const content_def look = {.compile = j->def};
    const content_put_def put = {.origin = cli_library_word(j, 0), .expected = STORE_NONE};
    content_thing *thing = NULL;
    store_error error;
    store_item item;
    int code = CLI_FINE;
    store_status status = content_look(j->txn, STORE_ITEM, &file, 1, &look, &thing, &error);
    if (status == STORE_OK && thing->status != ZO_OK) {
        cli_library_say_report(j, thing->report);
        code = cli_code_of(thing->status);
    } else {
        if (status == STORE_OK) { status = content_put(j->txn, thing, &put, &item, &error); }
        code = status == STORE_OK ? cli_library_commit(j) : cli_library_refuse(j, &error);
    }
    content_thing_free(thing);
    free(name);
    return code;
}

static void tell_clone(const library_job *j, const char *id) {
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_json_text(&json, "of", cli_library_word(j, 0));
        cli_library_json_id(&json, STORE_ITEM, id);
        cli_library_close_json(&json);
    } else if (!j->quiet) {
        printf("%s %s of %s\n", j->dry_run ? "would be stored:" : "stored", id, cli_library_word(j, 0));
    }
}

int cli_library_clone(library_job *j) {
    const char *id = j->args->values[CLI_OPT_ID];
    if (id == NULL || !is_id_text(id)) { return cli_usage(j->args, "clone wants --id with the id of the clone"); }
    zo_document *document = NULL;
    zo_range range;
    char quoted[1024];
    const int size = snprintf(quoted, sizeof quoted, "\"%s\"", id);
    int code = cli_library_begin(j, STORE_WRITE);
    if (code == CLI_FINE) { code = source_of(j, cli_library_word(j, 0), &document); }
    if (code == CLI_FINE && zo_document_find(document, "/id", &range)) {
        const zo_edit edit = {range.offset, range.length, quoted, (size_t)size};
        if (zo_document_apply(document, &edit, 1, NULL) != ZO_OK) { code = CLI_INTERNAL; }
    }
    if (code == CLI_FINE) { code = store_clone(j, id, document); }
    if (code == CLI_FINE) { tell_clone(j, id); }
    zo_document_free(document);
    return code;
}
