// `zoetrope library export` from a file: a motion pack of animations, or the files of one thing, byte for byte. Names
// come from whoever wrote the library, so nothing but a way down from the folder given is followed.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/store_name.h"
#include "library.h"
#include "walk.h"

// --------------------------------------------------------------------------------------------------------------- packs

static int refuse_pack(const library_job *j, const zo_pack *pack, const store_error *error) {
    if (error->status != STORE_INVALID || pack == NULL) { return cli_library_refuse(j, error); }
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_text(&json, "error", pack->unknown_count > 0 ? "PACK_EXPORT_UNKNOWN" : "PACK_EXPORT_EMPTY");
        cli_json_open(&json, "details", '[');
        for (uint32_t i = 0; i < pack->unknown_count; i++) { cli_json_text(&json, NULL, pack->unknown[i]); }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
        return CLI_FAULTY;
    }
    if (pack->unknown_count == 0) { return cli_usage(j->args, "--ids names no animation"); }
    for (uint32_t i = 0; i < pack->unknown_count; i++) {
        cli_say("there is no animation '%s' in the library", pack->unknown[i]);
    }
    return CLI_FAULTY;
}

static int write_file(const char *path, const void *bytes, size_t size) {
    cli_file file;
    if (!cli_file_open(&file, path)) {
        cli_file_discard(&file);
        return CLI_FILES;
    }
    return cli_file_write(&file, bytes, size) && cli_file_commit(&file) ? CLI_FINE : CLI_FILES;
}

static void tell_pack(const library_job *j, const zo_pack *pack, const char *out) {
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_text(&json, "file", out);
        cli_json_text(&json, "namespace", pack->pack_namespace);
        cli_json_open(&json, "ids", '[');
        for (uint32_t i = 0; i < pack->id_count; i++) { cli_json_text(&json, NULL, pack->ids[i]); }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
    } else if (!j->quiet && strcmp(out, "-") != 0) {
        printf("%s: %u animation%s, namespace %s\n", out, pack->id_count, pack->id_count == 1 ? "" : "s",
               pack->pack_namespace);
    }
}

static int export_pack(library_job *j, const char *ids, const char *out) {
    zo_pack *pack = NULL;
    store_error error;
    int code;
    if (content_export_pack(j->txn, ids, j->args->values[CLI_OPT_NAME], &pack, &error) != STORE_OK) {
        code = refuse_pack(j, pack, &error);
    } else {
        code = write_file(out, pack->text.data, pack->text.size);
        if (code == CLI_FINE) { tell_pack(j, pack, out); }
    }
    zo_pack_free(pack);
    return code;
}

// ----------------------------------------------------------------------------------------------------------- one thing

static int refuse(const library_job *j, const char *what, const char *name) {
    store_error error = {.status = STORE_INVALID};
    snprintf(error.text, sizeof error.text, "%s '%.300s'", what, name);
    return cli_library_refuse(j, &error);
}

// A name for what was stored without one.
static char *own_name(const cli_thing *thing) {
    const char *kind = thing->item.kind;
    const char *ending = strcmp(kind, "image/png") == 0    ? ".png"
                         : strcmp(kind, "image/webp") == 0 ? ".webp"
                         : strcmp(kind, "image/jpeg") == 0 ? ".jpg"
                         : thing->area == STORE_ASSET      ? ""
                                                           : ".json";
    const size_t size = strlen(thing->id) + strlen(ending) + 1;
    char *name = malloc(size);
    if (name != NULL) { snprintf(name, size, "%s%s", thing->id, ending); }
    for (char *c = name; c != NULL && *c != 0; c++) { *c = *c == ':' ? '_' : *c; }
    return name;
}

// Where one file goes: what -o names, or under its name into the folder that it is. NULL: refused, with *code.
static char *place_of(const library_job *j, const cli_thing *thing, const store_file *file, const char *out,
                      int *code) {
    const size_t size = strlen(out);
    const bool folder = size > 0 && (out[size - 1] == '/' || cli_is_folder(out));
    *code = CLI_INTERNAL;
    if (!folder) { return strdup(out); }
    char *name = file->name[0] != 0 ? strdup(file->name) : own_name(thing);
    const char *slash = name != NULL ? strrchr(name, '/') : NULL, *last = slash != NULL ? slash + 1 : name;
    char *path = name != NULL ? malloc(size + strlen(last) + 2) : NULL;
    struct stat status;
    if (path != NULL) { sprintf(path, "%s%s%s", out, out[size - 1] == '/' ? "" : "/", last); }
    if (path != NULL && lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) { // it might lead out of the folder
        *code = refuse(j, "nothing is written through the link", path);
        free(path);
        path = NULL;
    }
    free(name);
    return path;
}

static int write_folder(const char *out, const store_file *files, uint32_t count) {
    cli_member *members = calloc((size_t)count + 1, sizeof *members);
    if (members == NULL) { return CLI_INTERNAL; }
    for (uint32_t i = 0; i < count; i++) {
        members[i] = (cli_member){files[i].name, files[i].bytes, (size_t)files[i].size};
    }
    const bool fine = cli_write_folder(out, members, count);
    free(members);
    return fine ? CLI_FINE : CLI_FILES;
}

static void tell_files(const library_job *j, const cli_thing *thing, const char *out, const store_file *files,
                       uint32_t count) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < count; i++) { size += files[i].size; }
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_library_json_id(&json, thing->area, thing->id);
        cli_json_text(&json, count > 1 ? "folder" : "file", out);
        cli_json_open(&json, "files", '[');
        for (uint32_t i = 0; i < count; i++) {
            cli_json_open_inline(&json, NULL, '{');
            cli_json_text(&json, "name", files[i].name);
            cli_json_number(&json, "size", (double)files[i].size);
            cli_json_text(&json, "sha256", files[i].hash);
            cli_json_close(&json, '}');
        }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
    } else if (!j->quiet && strcmp(out, "-") != 0) {
        printf("%s: ", out);
        if (count > 1) { printf("%u files, ", count); }
        puts(cli_bytes_text(size).text);
    }
}

static int write_thing(const library_job *j, const cli_thing *thing, const char *out, const store_file *files,
                       uint32_t count) {
    int code = CLI_FINE;
    for (uint32_t i = 0; i < count; i++) { // whoever wrote the library may have meant otherwise
        if ((files[i].name[0] != 0 || count > 1) && !store_name_is_good(files[i].name)) {
            return refuse(j, "this name leads out of the folder, and nothing was written:", files[i].name);
        }
    }
    if (count > 1 && strcmp(out, "-") == 0) {
        return cli_usage(j->args, "'%s' has %u files, which want a folder: -o FOLDER", thing->id, count);
    }
    if (count > 1) {
        code = write_folder(out, files, count);
        if (code == CLI_FINE) { tell_files(j, thing, out, files, count); }
        return code;
    }
    char *path = place_of(j, thing, &files[0], out, &code);
    if (path == NULL) { return code; }
    code = write_file(path, files[0].bytes, (size_t)files[0].size);
    if (code == CLI_FINE) { tell_files(j, thing, path, files, count); }
    free(path);
    return code;
}

static int export_thing(library_job *j, const char *word, int64_t revision, const char *out) {
    cli_thing thing;
    const store_file *files = NULL;
    uint32_t count = 0;
    const int code = cli_library_find(j, word, revision > 0, &thing);
    if (code != CLI_FINE) { return code; }
    const store_status status =
        revision > 0 ? store_past_files(j->txn, thing.area, thing.id, revision, true, &files, &count)
                     : store_files(j->txn, thing.area, thing.id, true, &files, &count);
    if (status != STORE_OK) { return cli_library_failed(j); }
    return write_thing(j, &thing, out, files, count);
}

int cli_library_export(library_job *j) {
    const char *ids = j->args->values[CLI_OPT_IDS], *out = j->args->values[CLI_OPT_OUT];
    int64_t revision;
    const bool one = cli_library_count(j) == 1;
    if (one == (ids != NULL)) {
        return cli_usage(j->args, "export wants the id of one thing, or --ids with the animations of a pack, separated "
                                  "by commas");
    }
    if (!cli_library_revision(j, &revision)) { return CLI_USAGE; }
    if (ids != NULL && revision > 0) { return cli_usage(j->args, "--revision is of one thing, and not of a pack"); }
    if (one && cli_given(j->args, CLI_OPT_NAME)) { return cli_usage(j->args, "--name is that of a pack: --ids"); }
    if (out == NULL || *out == 0) { out = "-"; }
    if (j->json && strcmp(out, "-") == 0) { return cli_usage(j->args, "--output json wants a place to write to: -o"); }
    const int code = cli_library_begin(j, STORE_READ);
    if (code != CLI_FINE) { return code; }
    return ids != NULL ? export_pack(j, ids, out) : export_thing(j, cli_library_word(j, 0), revision, out);
}
