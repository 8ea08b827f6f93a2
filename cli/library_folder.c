// `zoetrope library --dir`: a library of animations in a folder. Import and export of packs, clones, a list; what an
// import does is planned by the library's own function, and the folder is changed whole or not at all.
#include <stdlib.h>
#include <string.h>

#include "library.h"

typedef library_job job;

static const size_t PACK_MAX = (size_t)64 << 20; // the library's own limit for one source
static const char *const status_words[] = {"imported", "identical", "renamed"};

// --------------------------------------------------------------------------------------------- what all have in common

static void say_passed(const job *j) {
    for (uint32_t i = 0; i < j->folder.passed_count && !j->json; i++) {
        cli_say("'%s/%s' is passed over: %s", j->path, j->folder.passed[i].file, j->folder.passed[i].why);
    }
    for (uint32_t i = 0; i < j->folder.count && !j->json; i++) {
        if (j->folder.items[i].mended) {
            cli_say("'%s/%s' is of older rules and is read as it would be written today", j->path,
                    j->folder.items[i].file);
        }
    }
}

static void open_json(const job *j, cli_json *json) {
    *json = (cli_json){0};
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "schema", "zoetrope/library@1");
    cli_json_text(json, "action", j->verb->name);
    cli_json_text(json, "dir", j->path);
}

static void close_json(const job *j, cli_json *json) {
    cli_json_open(json, "warnings", '[');
    for (uint32_t i = 0; i < j->folder.passed_count; i++) {
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "file", j->folder.passed[i].file);
        cli_json_text(json, "message", j->folder.passed[i].why);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "normalized", '[');
    for (uint32_t i = 0; i < j->folder.count; i++) {
        if (j->folder.items[i].mended) { cli_json_text(json, NULL, j->folder.items[i].file); }
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
    cli_json_end(json);
}

// As the library's functions take them; free it.
static zo_library_item *items_of(const job *j) {
    zo_library_item *items = calloc((size_t)j->folder.count + 1, sizeof *items);
    for (uint32_t i = 0; items != NULL && i < j->folder.count; i++) {
        const cli_stored *stored = &j->folder.items[i];
        items[i] = (zo_library_item){stored->id, {(const char *)stored->bytes.data, stored->bytes.size}};
    }
    return items;
}

static zo_status plan(job *j, const zo_source *source, zo_plan **result) {
    zo_library_item *items = items_of(j);
    zo_report *report = NULL;
    const zo_status status =
        items != NULL ? zo_pack_plan(source, items, j->folder.count, &j->def, result, &report) : ZO_NO_MEMORY;
    cli_library_say_report(j, report);
    if (status == ZO_NO_MEMORY) { cli_say("not enough memory"); }
    zo_report_free(report);
    free(items);
    return status;
}

static int store_plan(job *j, const zo_plan *p) {
    cli_change *changes = calloc((size_t)p->entry_count + 1, sizeof *changes);
    char **files = calloc((size_t)p->entry_count + 1, sizeof *files);
    uint32_t count = 0;
    bool fine = changes != NULL && files != NULL;
    for (uint32_t i = 0; fine && i < p->entry_count; i++) {
        const zo_plan_entry *e = &p->entries[i];
        if (e->definition.size == 0) { continue; }
        files[count] = cli_folder_file_of(e->final_id);
        fine = files[count] != NULL;
        changes[count] = (cli_change){files[count], e->definition.data, e->definition.size};
        count++;
    }
    int code = CLI_INTERNAL;
    if (fine) { code = cli_folder_change(&j->folder, changes, count) ? CLI_FINE : CLI_FILES; }
    for (uint32_t i = 0; files != NULL && i < count; i++) { free(files[i]); }
    free(files);
    free(changes);
    return code;
}

// -------------------------------------------------------------------------------------------------------------- import

static void print_plan(const job *j, const zo_plan *p) {
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < p->entry_count; i++) {
        const zo_plan_entry *e = &p->entries[i];
        counts[e->status]++;
        if (j->quiet) { continue; }
        printf("%-10s %s", status_words[e->status], e->requested_id);
        if (strcmp(e->requested_id, e->final_id) != 0) { printf(" as %s", e->final_id); }
        printf("%s%s\n", e->reason != NULL ? ": " : "", e->reason != NULL ? e->reason : "");
    }
    for (uint32_t i = 0; i < p->mount_count && !j->quiet; i++) {
        const zo_plan_mount *m = &p->mounts[i];
        if (m->enter != NULL) { printf("%-10s %s is to be entered by %s\n", "mount", m->slot, m->enter); }
        if (m->ambient != NULL) { printf("%-10s %s is to be accompanied by %s\n", "mount", m->slot, m->ambient); }
    }
    if (j->quiet) { return; }
    printf("%s%u imported, %u renamed, %u held already\n", j->dry_run ? "would be: " : "", counts[ZO_PLAN_IMPORTED],
           counts[ZO_PLAN_REMAPPED], counts[ZO_PLAN_IDENTICAL]);
}

static void json_mounts(cli_json *json, const zo_plan *p) {
    cli_json_open(json, "mounts", '{');
    for (uint32_t i = 0; i < p->mount_count; i++) {
        cli_json_open_inline(json, p->mounts[i].slot, '{');
        if (p->mounts[i].enter != NULL) { cli_json_text(json, "enter", p->mounts[i].enter); }
        if (p->mounts[i].ambient != NULL) { cli_json_text(json, "ambient", p->mounts[i].ambient); }
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
    if (p->mount_count == 0) { return; }
    cli_json_open(json, "applyPatch", '{');
    cli_json_open(json, "states", '{');
    for (uint32_t i = 0; i < p->mount_count; i++) {
        const zo_plan_mount *m = &p->mounts[i];
        cli_json_open(json, m->slot, '{');
        if (m->enter != NULL) {
            cli_json_open_inline(json, "enter", '{');
            cli_json_text(json, "animationId", m->enter);
            cli_json_close(json, '}');
        }
        if (m->ambient != NULL) {
            cli_json_open_inline(json, "ambient", '{');
            cli_json_text(json, "customAnimationId", m->ambient);
            cli_json_close(json, '}');
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static void json_plan(const job *j, const zo_plan *p) {
    static const char *const words[] = {"imported", "identical", "remapped"};
    cli_json json;
    open_json(j, &json);
    cli_json_bool(&json, "dryRun", j->dry_run);
    cli_json_text(&json, "name", p->name);
    cli_json_text(&json, "namespace", p->pack_namespace);
    cli_json_open(&json, "entries", '[');
    for (uint32_t i = 0; i < p->entry_count; i++) {
        const zo_plan_entry *e = &p->entries[i];
        cli_json_open_inline(&json, NULL, '{');
        cli_json_text(&json, "requestedId", e->requested_id);
        cli_json_text(&json, "finalId", e->final_id);
        cli_json_text(&json, "status", words[e->status]);
        if (e->reason != NULL) { cli_json_text(&json, "reason", e->reason); }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    json_mounts(&json, p);
    close_json(j, &json);
}

// The animations of a package, which must be sound as a whole. Its pet and its pictures are no business of a library.
static int plan_package(job *j, const char *name, const cli_bytes *bytes, zo_plan **p) {
    pet_package *package = pet_package_open(name, bytes->data, bytes->size);
    if (package == NULL) {
        cli_say("not enough memory for '%s'", name);
        return CLI_INTERNAL;
    }
    zo_report *report = NULL;
    j->def.format = pet_package_format;
    j->def.archive = &package->archive;
    zo_status status = zo_compile(&package->manifest, 1, &j->def, NULL, &report);
    if (status == ZO_OK) {
        status = plan(j, &package->manifest, p);
    } else {
        cli_library_say_report(j, report);
    }
    if (status == ZO_UNSUPPORTED) { cli_say("'%s' brings no animations of its own", name); }
    zo_report_free(report);
    j->def.archive = NULL;
    pet_package_free(package);
    return cli_code_of(status);
}

int cli_folder_import(library_job *j) {
    const char *path = cli_library_word(j, 0);
    cli_bytes bytes = {0};
    if (!cli_read_file(path, PACK_MAX, &bytes)) { return CLI_FILES; }
    const zo_source source = {
        .name = strcmp(path, "-") == 0 ? "<stdin>" : path, .bytes = bytes.data, .size = bytes.size};
    zo_plan *p = NULL;
    const bool packed = archive_is(bytes.data, bytes.size);
    int code = packed ? plan_package(j, source.name, &bytes, &p) : cli_code_of(plan(j, &source, &p));
    if (code == CLI_FINE && !j->dry_run) { code = store_plan(j, p); }
    if (code == CLI_FINE) {
        if (j->json) {
            json_plan(j, p);
        } else {
            print_plan(j, p);
        }
    } else if (!j->json) {
        cli_say("nothing was imported; '%s' is as it was", j->path);
    }
    zo_plan_free(p);
    cli_bytes_free(&bytes);
    return code;
}

// -------------------------------------------------------------------------------------------------------------- export

static int refuse_export(const job *j, const zo_pack *pack) {
    if (j->json) {
        cli_json json;
        open_json(j, &json);
        cli_json_text(&json, "error", pack->unknown_count > 0 ? "PACK_EXPORT_UNKNOWN" : "PACK_EXPORT_EMPTY");
        cli_json_open(&json, "details", '[');
        for (uint32_t i = 0; i < pack->unknown_count; i++) { cli_json_text(&json, NULL, pack->unknown[i]); }
        cli_json_close(&json, ']');
        close_json(j, &json);
        return CLI_FAULTY;
    }
    if (pack->unknown_count == 0) { return cli_usage(j->args, "--ids names no animation"); }
    for (uint32_t i = 0; i < pack->unknown_count; i++) {
        cli_say("there is no '%s' in '%s'", pack->unknown[i], j->path);
    }
    return CLI_FAULTY;
}

static int write_pack(const job *j, const zo_pack *pack, const char *out) {
    cli_file file;
    if (!cli_file_open(&file, out)) {
        cli_file_discard(&file);
        return CLI_FILES;
    }
    if (!cli_file_write(&file, pack->text.data, pack->text.size) || !cli_file_commit(&file)) { return CLI_FILES; }
    if (j->json) {
        cli_json json;
        open_json(j, &json);
        cli_json_text(&json, "file", out);
        cli_json_text(&json, "namespace", pack->pack_namespace);
        cli_json_open(&json, "ids", '[');
        for (uint32_t i = 0; i < pack->id_count; i++) { cli_json_text(&json, NULL, pack->ids[i]); }
        cli_json_close(&json, ']');
        close_json(j, &json);
    } else if (!j->quiet && strcmp(out, "-") != 0) {
        printf("%s: %u animation%s, namespace %s\n", out, pack->id_count, pack->id_count == 1 ? "" : "s",
               pack->pack_namespace);
    }
    return CLI_FINE;
}

int cli_folder_export(library_job *j) {
    const char *ids = j->args->values[CLI_OPT_IDS], *out = j->args->values[CLI_OPT_OUT];
    if (ids == NULL) { return cli_usage(j->args, "export wants --ids with the animations' ids, separated by commas"); }
    if (out == NULL) { out = "-"; }
    if (j->json && strcmp(out, "-") == 0) {
        return cli_usage(j->args, "--output json wants a file for the pack: -o PACK");
    }
    zo_library_item *items = items_of(j);
    zo_pack *pack = NULL;
    const zo_status status = items != NULL ? zo_pack_export(items, j->folder.count, ids, j->args->values[CLI_OPT_NAME],
                                                            NULL, &pack)
                                           : ZO_NO_MEMORY;
    int code = CLI_INTERNAL;
    if (status == ZO_OK) {
        code = write_pack(j, pack, out);
    } else if (status == ZO_INVALID) {
        code = refuse_export(j, pack);
    } else {
        cli_say(status == ZO_LIMIT ? "a pack has at most 200 animations, and a name of at most 120 characters"
                                   : "not enough memory");
    }
    zo_pack_free(pack);
    free(items);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------- list

int cli_folder_list(library_job *j) {
    cli_json json;
    if (j->json) {
        open_json(j, &json);
        cli_json_open(&json, "animations", '[');
    }
    int width = 8;
    for (uint32_t i = 0; i < j->folder.count; i++) {
        const int size = (int)strlen(j->folder.items[i].id);
        width = size > width && size <= 40 ? size : width;
    }
    for (uint32_t i = 0; i < j->folder.count; i++) {
        const cli_stored *s = &j->folder.items[i];
        char ms[32];
        cli_number_text((double)s->duration_ns / 1e6, ms);
        if (!j->json) {
            printf("%-*s  %-11s  %6s ms  ", width, s->id, s->kind, ms);
            cli_put_plain(stdout, s->name);
            putchar('\n');
            continue;
        }
        cli_json_open_inline(&json, NULL, '{');
        cli_json_text(&json, "id", s->id);
        cli_json_text(&json, "name", s->name);
        cli_json_text(&json, "kind", s->kind);
        cli_json_number(&json, "durationMs", (double)s->duration_ns / 1e6);
        cli_json_text(&json, "file", s->file);
        cli_json_close(&json, '}');
    }
    if (j->json) {
        cli_json_close(&json, ']');
        close_json(j, &json);
    }
    return CLI_FINE;
}

// --------------------------------------------------------------------------------------------------------------- clone

bool cli_collect(void *context, const void *bytes, size_t size) {
    cli_bytes *out = context;
    uint8_t *more = realloc(out->data, out->size + size + 1);
    if (more == NULL) { return false; }
    memcpy(more + out->size, bytes, size);
    out->data = more;
    out->size += size;
    return true;
}

// The definition's text with another id, everything else as it is. false: memory.
static bool with_id(const char *id, const cli_bytes *from, zo_document **document) {
    if (zo_document_open(from->data, from->size, NULL, document) != ZO_OK) { return false; }
    zo_range range;
    char quoted[1024];
    const int size = snprintf(quoted, sizeof quoted, "\"%s\"", id);
    if (!zo_document_find(*document, "/id", &range) || size >= (int)sizeof quoted) { return false; }
    const zo_edit edit = {range.offset, range.length, quoted, (size_t)size};
    return zo_document_apply(*document, &edit, 1, NULL) == ZO_OK;
}

static bool is_id_text(const char *id) { // enough to be put between quotes; the plan judges the rest
    return *id != 0 && strlen(id) < 1000 && strpbrk(id, "\"\\\n\r\t") == NULL;
}

static int store_clone(job *j, const char *id, const zo_document *document) {
    const zo_text text = zo_document_bytes(document);
    const zo_source source = {.name = id, .bytes = text.data, .size = text.size};
    zo_plan *p = NULL;
    int code = cli_code_of(plan(j, &source, &p));
    if (code == CLI_FINE && !j->dry_run) { code = store_plan(j, p); }
    if (code == CLI_FINE && j->json) { json_plan(j, p); }
    if (code == CLI_FINE && !j->json && !j->quiet) {
        printf("%s %s of %s\n", j->dry_run ? "would be stored:" : "stored", id, cli_library_word(j, 0));
    }
    zo_plan_free(p);
    return code;
}

int cli_folder_clone(library_job *j) {
    const char *from = cli_library_word(j, 0), *id = j->args->values[CLI_OPT_ID];
    if (id == NULL || !is_id_text(id)) { return cli_usage(j->args, "clone wants --id with the id of the clone"); }
    if (cli_folder_find(&j->folder, id) != NULL) {
        cli_say("there is a '%s' in '%s' already", id, j->path);
        return CLI_FAULTY;
    }
    cli_bytes bytes = {0};
    const cli_stored *stored = cli_folder_find(&j->folder, from);
    bool fine = true;
    if (stored != NULL) {
        fine = cli_collect(&bytes, stored->bytes.data, stored->bytes.size);
    } else if (cli_is_builtin_id(from)) {
        fine = zo_builtin_write(from, cli_collect, &bytes);
    } else {
        const char *near = cli_nearest(from, zo_builtin_at);
        cli_say("there is no '%s' in '%s', and no such built-in animation%s", from, j->path,
                cli_did_you_mean(near).text);
        return CLI_FAULTY;
    }
    zo_document *document = NULL;
    int code = CLI_INTERNAL;
    if (fine && with_id(id, &bytes, &document)) {
        code = store_clone(j, id, document);
    } else {
        cli_say("not enough memory");
    }
    zo_document_free(document);
    cli_bytes_free(&bytes);
    return code;
}

// -------------------------------------------------------------------------------------------------------------- remove

int cli_folder_remove(library_job *j) {
    const uint32_t count = j->args->operand_count - 1;
    cli_change *changes = calloc((size_t)count + 1, sizeof *changes);
    int code = changes != NULL ? CLI_FINE : CLI_INTERNAL;
    uint32_t change_count = 0;
    for (uint32_t i = 0; changes != NULL && i < count; i++) {
        const char *id = cli_library_word(j, i);
        const cli_stored *stored = cli_folder_find(&j->folder, id);
        bool again = false;
        for (uint32_t k = 0; k < i; k++) { again = again || strcmp(cli_library_word(j, k), id) == 0; }
        if (stored == NULL) {
            cli_say(cli_is_builtin_id(id) ? "'%s' is built in and cannot be removed; '%s' is as it was"
                                          : "there is no '%s' in '%s', and nothing was removed", id, j->path);
            code = CLI_FAULTY;
        } else if (!again) {
            changes[change_count++] = (cli_change){.file = stored->file};
        }
    }
    if (code == CLI_FINE && !j->dry_run) {
        code = cli_folder_change(&j->folder, changes, change_count) ? CLI_FINE : CLI_FILES;
    }
    if (code == CLI_FINE && j->json) {
        cli_json json;
        open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_json_open(&json, "removed", '[');
        for (uint32_t i = 0; i < change_count; i++) { cli_json_text(&json, NULL, changes[i].file); }
        cli_json_close(&json, ']');
        close_json(j, &json);
    } else if (code == CLI_FINE && !j->quiet) {
        printf("%s %u animation%s\n", j->dry_run ? "would remove" : "removed", change_count,
               change_count == 1 ? "" : "s");
    }
    free(changes);
    return code;
}

// ------------------------------------------------------------------------------------------------------------- running

int cli_folder_run(library_job *j) {
    const char *dir = j->args->values[CLI_OPT_DIR];
    if (*dir == 0) { return cli_usage(j->args, "--dir wants the folder of the library"); }
    j->path = strdup(dir);
    const bool write = j->verb->write && !j->dry_run;
    int code = j->path != NULL ? cli_folder_open(&j->folder, dir, write, &j->def) : CLI_INTERNAL;
    if (code == CLI_FINE) {
        say_passed(j);
        code = j->verb->in_folder(j);
    }
    cli_folder_close(&j->folder);
    free(j->path);
    return code;
}
