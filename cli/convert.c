// `zoetrope convert`: a pet or a model in another form. Whatever a pet comes in, it is first made a package in memory,
// which is the form that has everything a pet needs and nothing else; the target is written from that. Models are one
// file in any form, which the library writes, and so it does those that are several. Tables hold the targets.
#include <stdlib.h>
#include <string.h>

#include "host/picture.h"
#include "load.h"

enum { PICTURES_MAX = 6 };
static const size_t PICTURE_SIZE_MAX = (size_t)12 << 20;
enum { PICTURE_SIDE_MAX = 4096 };

typedef struct job {
    const cli_args *args;
    const char *out;
    cli_loaded loaded;
    zo_compile_def def;
    zo_package *opened;  // of a package: the files that it stands for
    zo_package_picture pictures[PICTURES_MAX];
    cli_bytes bytes[PICTURES_MAX];
    char slots[PICTURES_MAX][64];
    uint32_t picture_count;
    zo_package *made;    // the manifest
    pet_packed files[PICTURES_MAX + 1]; // of the package: the manifest, then pictures, each once
    char names[PICTURES_MAX][64];
    uint32_t file_count;
} job;

// -------------------------------------------------------------------------------------------------------- what goes in

static int add_picture(job *j, const char *slot, const cli_pet_image *image) {
    cli_bytes *bytes = &j->bytes[j->picture_count];
    if (image->bytes == NULL) {
        if (!cli_read_file(image->name, PICTURE_SIZE_MAX, bytes)) { return CLI_FILES; }
    } else {
        bytes->data = malloc(image->size + 1);
        if (bytes->data == NULL) { return CLI_INTERNAL; }
        memcpy(bytes->data, image->bytes, image->size);
        bytes->size = image->size;
    }
    zo_package_picture *picture = &j->pictures[j->picture_count];
    snprintf(j->slots[j->picture_count], sizeof j->slots[0], "%s", slot);
    *picture = (zo_package_picture){.slot = j->slots[j->picture_count],
                                    .info = picture_look(bytes->data, bytes->size)};
    j->picture_count++;
    if (picture->info.kind == ZO_PICTURE_OTHER) {
        cli_say("'%s' is not a PNG, WebP or JPEG picture, or it is damaged", image->name);
        return CLI_FAULTY;
    }
    if (bytes->size > PICTURE_SIZE_MAX) {
        cli_say("'%s' is larger than 12 MiB, and a package may not have such a picture", image->name);
        return CLI_FAULTY;
    }
    if (picture->info.width > PICTURE_SIDE_MAX || picture->info.height > PICTURE_SIDE_MAX) {
        cli_say("'%s' has %u x %u pixels; a picture of a package has at most %d x %d", image->name,
                (unsigned)picture->info.width, (unsigned)picture->info.height, PICTURE_SIDE_MAX, PICTURE_SIDE_MAX);
        return CLI_FAULTY;
    }
    return CLI_FINE;
}

// Pictures go by the names of states.
static int gather_pictures(job *j) {
    zo_state_info state;
    int code = CLI_FINE;
    for (uint32_t s = 1; code == CLI_FINE && zo_state_get(j->loaded.program, (zo_state){s}, &state); s++) {
        cli_pet_image image;
        if (j->picture_count == PICTURES_MAX || !cli_pet_image_of(j->loaded.pet, state.name, &image)) { continue; }
        code = add_picture(j, state.name, &image);
        free(image.name);
    }
    return code;
}

static int say_report(const job *j, zo_status status, zo_report *report) {
    if (report != NULL && zo_report_total(report, ZO_ERROR) > 0) { // warnings were told when the pet was loaded
        zo_report_write(report, ZO_REPORT_HUMAN, cli_use_color(j->args, stderr), cli_to_stderr, NULL);
    }
    if (status == ZO_LIMIT) { cli_say("the name of a pet has 1 to 120 characters"); }
    if (status == ZO_NO_MEMORY) { cli_say("not enough memory for '%s'", j->loaded.name); }
    zo_report_free(report);
    return status == ZO_LIMIT ? CLI_USAGE : cli_code_of(status);
}

// "praxi" of a/praxi/pet.json, of a/praxi/ and of a/praxi.zip.
static void name_of_input(const job *j, char *name, size_t size) {
    const char *path = j->args->operands[0];
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') { end--; }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') { begin--; }
    const char *dot = memchr(path + begin, '.', end - begin);
    for (const char *next = dot; next != NULL; next = memchr(next + 1, '.', (size_t)(path + end - next - 1))) {
        dot = next;
    }
    if (dot != NULL && dot > path + begin) { end = (size_t)(dot - path); }
    snprintf(name, size, "%.*s", (int)(end - begin), path + begin);
}

static int make_manifest(job *j) {
    const cli_pet *pet = j->loaded.pet;
    zo_report *report = NULL;
    char other_name[256];
    name_of_input(j, other_name, sizeof other_name);
    const zo_package_def def = {.name = j->args->values[CLI_OPT_NAME], .other_name = other_name,
                                .pictures = j->pictures,
                                .picture_count = j->picture_count};
    if (pet->package == NULL) {
        const zo_status status = zo_package_make(pet->sources, pet->source_count, &def, &j->def, &j->made, &report);
        return say_report(j, status, report);
    }
    zo_status status = zo_package_open(&pet->package->manifest, &j->def, &j->opened, &report);
    if (status != ZO_OK) { return say_report(j, status, report); }
    zo_report_free(report);
    report = NULL;
    zo_source *sources = calloc((size_t)j->opened->file_count + 1, sizeof *sources);
    if (sources == NULL) { return CLI_INTERNAL; }
    for (uint32_t i = 0; i < j->opened->file_count; i++) {
        const zo_package_file *file = &j->opened->files[i];
        sources[i] = (zo_source){.name = file->name, .bytes = file->text.data, .size = file->text.size};
    }
    status = zo_package_make(sources, j->opened->file_count, &def, &j->def, &j->made, &report);
    free(sources);
    return say_report(j, status, report);
}

static bool is_listed(const job *j, const char *name) {
    for (uint32_t i = 0; i < j->file_count; i++) {
        if (strcmp(j->files[i].name, name) == 0) { return true; }
    }
    return false;
}

static void list_files(job *j) {
    const zo_package_file *manifest = &j->made->files[0];
    j->files[j->file_count++] = (pet_packed){manifest->name, manifest->text.data, manifest->text.size, false};
    for (uint32_t i = 0; i < j->picture_count; i++) {
        const zo_picture_info *info = &j->pictures[i].info;
        char id[17] = {0}; // of its own: gcc takes the whole of *j for what is written and read at once
        memcpy(id, info->sha256, sizeof id - 1);
        snprintf(j->names[i], sizeof j->names[i], "assets/%s.%s", id, picture_ending(info->kind));
        if (is_listed(j, j->names[i])) { continue; }
        j->files[j->file_count++] = (pet_packed){j->names[i], j->bytes[i].data, j->bytes[i].size, true};
    }
}

// ------------------------------------------------------------------------------------------------------ what comes out

// What is handed on must be what others accept, so it is read like anybody's.
static int check_package(const job *j, const pet_bytes *zip) {
    pet_package *package = pet_package_open(j->out, zip->data, zip->size);
    if (package == NULL) {
        cli_say("not enough memory for '%s'", j->out);
        return CLI_INTERNAL;
    }
    const zo_compile_def def = {.profile = j->def.profile, .format = pet_package_format, .archive = &package->archive};
    zo_report *report = NULL;
    const zo_status status = zo_compile(&package->manifest, 1, &def, NULL, &report);
    const int code = say_report(j, status, report);
    pet_package_free(package);
    return code;
}

static int write_package(job *j) {
    pet_bytes zip;
    cli_file file;
    if (!pet_package_write(j->files, j->file_count, &zip)) {
        cli_say("the archive could not be made; there may be too little memory");
        return CLI_INTERNAL;
    }
    int code = check_package(j, &zip);
    if (code == CLI_FINE) {
        code = cli_file_open(&file, j->out) ? CLI_FINE : CLI_FILES;
        if (code != CLI_FINE) {
            cli_file_discard(&file);
        } else if (!cli_file_write(&file, zip.data, zip.size) || !cli_file_commit(&file)) {
            code = CLI_FILES;
        }
    }
    free(zip.data);
    return code;
}

static int write_pet(job *j) {
    const zo_package_file *made = &j->made->files[0];
    const zo_source manifest = {.name = made->name, .bytes = made->text.data, .size = made->text.size};
    const zo_compile_def def = {.profile = j->def.profile};
    zo_package *parts = NULL;
    zo_report *report = NULL;
    if (strcmp(j->out, "-") == 0) {
        return cli_usage(j->args, "a pet is a folder, which cannot be the standard output");
    }
    const zo_status status = zo_package_open(&manifest, &def, &parts, &report);
    int code = say_report(j, status, report);
    cli_member *members = code == CLI_FINE ? calloc((size_t)parts->file_count + j->file_count, sizeof *members) : NULL;
    uint32_t count = 0;
    if (members != NULL) {
        for (uint32_t i = 0; i < parts->file_count; i++) {
            members[count++] = (cli_member){parts->files[i].name, parts->files[i].text.data, parts->files[i].text.size};
        }
        for (uint32_t i = 1; i < j->file_count; i++) {
            members[count++] = (cli_member){j->files[i].name, j->files[i].bytes, j->files[i].size};
        }
        code = cli_write_folder(j->out, members, count) ? CLI_FINE : CLI_FILES;
    }
    free(members);
    zo_package_free(parts);
    return code;
}

// In the order of the words of --to (commands.c), and behind these the forms of models.
static int (*const targets[])(job *j) = {write_package, write_pet};
enum { PET_TARGETS = sizeof targets / sizeof targets[0] };
static const char *const model_targets[] = {"b3d", "b3d-source"};
enum { MODEL_TARGETS = sizeof model_targets / sizeof model_targets[0] };
static const char *const folder_targets[] = {"bedrock"}; // of several files, which the library writes

// ----------------------------------------------------------------------------------------------------------------- all

static int convert(job *j, uint32_t target) {
    if (j->loaded.pet == NULL) {
        cli_say("'%s' is no pet, which --to wants here", j->loaded.name);
        return CLI_FAULTY;
    }
    int code = gather_pictures(j);
    if (code == CLI_FINE) { code = make_manifest(j); }
    if (code != CLI_FINE) { return code; }
    list_files(j);
    code = targets[target](j);
    if (code == CLI_FINE && !cli_given(j->args, CLI_OPT_QUIET) && strcmp(j->out, "-") != 0) {
        cli_put_plain(stdout, j->out);
        fputs(": ", stdout);
        cli_put_plain(stdout, j->made->name);
        printf(", %u picture%s\n", j->file_count - 1, j->file_count == 2 ? "" : "s");
    }
    return code;
}

static bool to_file(void *context, const void *bytes, size_t size) { return cli_file_write(context, bytes, size); }

static int convert_model(const cli_args *args, const char *to) {
    const char *out = args->values[CLI_OPT_OUT];
    cli_loaded loaded;
    zo_source source;
    zo_compile_def def;
    cli_file file;
    int code = cli_source(args, args->operands[0], &loaded, &source, &def);
    if (code == CLI_FINE) {
        if (cli_file_open(&file, out)) {
            loaded.status = zo_convert(&source, to, &def, to_file, &file, &loaded.report);
            if (loaded.report != NULL) { cli_say_report(args, &loaded); }
            code = loaded.status == ZO_LIMIT && file.stream == NULL ? CLI_FILES : cli_code_of(loaded.status);
            if (loaded.status == ZO_UNSUPPORTED && *zo_report_format(loaded.report) != 0) {
                cli_say("'%s' is of the format %s, which cannot be made %s", loaded.name,
                        zo_report_format(loaded.report), to);
            }
        } else {
            code = CLI_FILES;
        }
        if (code != CLI_FINE) {
            cli_file_discard(&file);
        } else if (!cli_file_commit(&file)) {
            code = CLI_FILES;
        }
    }
    cli_loaded_free(&loaded);
    return code;
}

static int say_export(const cli_args *args, const cli_loaded *loaded, const char *to) {
    const bool told = loaded->report != NULL && zo_report_count(loaded->report) > 0;
    if (told && !(cli_given(args, CLI_OPT_QUIET) && loaded->status == ZO_OK)) { cli_say_report(args, loaded); }
    if (loaded->status == ZO_UNSUPPORTED && *zo_report_format(loaded->report) != 0) {
        cli_say("'%s' is of the format %s, which cannot be made %s", loaded->name,
                zo_report_format(loaded->report), to);
    }
    return cli_code_of(loaded->status);
}

static int write_files(const cli_args *args, const zo_package *made) {
    const char *out = args->values[CLI_OPT_OUT];
    cli_member *members = calloc((size_t)made->file_count + 1, sizeof *members);
    if (members == NULL) { return CLI_INTERNAL; }
    for (uint32_t i = 0; i < made->file_count; i++) {
        members[i] = (cli_member){made->files[i].name, made->files[i].text.data, made->files[i].text.size};
    }
    const int code = cli_write_folder(out, members, made->file_count) ? CLI_FINE : CLI_FILES;
    free(members);
    if (code == CLI_FINE && !cli_given(args, CLI_OPT_QUIET)) {
        cli_put_plain(stdout, out);
        fputs(": ", stdout);
        cli_put_plain(stdout, made->name);
        printf(", %u files\n", made->file_count);
    }
    return code;
}

// What the input names is looked for as for any command, and then the library has all that it needs.
static int convert_to_files(const cli_args *args, const char *to) {
    cli_loaded loaded;
    zo_source source;
    zo_compile_def def;
    zo_package *made = NULL;
    if (strcmp(args->values[CLI_OPT_OUT], "-") == 0) {
        return cli_usage(args, "several files are a folder, which cannot be the standard output");
    }
    int code = cli_source(args, args->operands[0], &loaded, &source, &def);
    if (code == CLI_FINE) { code = cli_compile(&source, &def, true, &loaded); }
    const bool fine = code == CLI_FINE;
    if (fine) {
        const cli_gathered *g = loaded.gathered;
        zo_report_free(loaded.report);
        loaded.report = NULL;
        loaded.status = zo_export(g != NULL ? g->sources : &source, g != NULL ? g->count : 1, to, &def, &made,
                                  &loaded.report);
    }
    if (loaded.report != NULL) {
        const int said = say_export(args, &loaded, to);
        code = fine ? said : code;
    }
    if (code == CLI_FINE) { code = write_files(args, made); }
    zo_package_free(made);
    cli_loaded_free(&loaded);
    return code;
}

int cli_convert(const cli_args *args) {
    uint32_t target = 0;
    if (!cli_one_operand(args)) { return CLI_USAGE; }
    if (!cli_given(args, CLI_OPT_TO_FORMAT)) { return cli_usage(args, "convert wants --to with the form to write"); }
    if (!cli_choice(args, CLI_OPT_TO_FORMAT, &target)) { return CLI_USAGE; }
    if (!cli_given(args, CLI_OPT_OUT)) { return cli_usage(args, "convert wants -o with the file or folder to write"); }
    if (target >= PET_TARGETS + MODEL_TARGETS) {
        return convert_to_files(args, folder_targets[target - PET_TARGETS - MODEL_TARGETS]);
    }
    if (target >= PET_TARGETS) { return convert_model(args, model_targets[target - PET_TARGETS]); }
    job j = {.args = args, .out = args->values[CLI_OPT_OUT]};
    zo_source source;
    int code = cli_source(args, args->operands[0], &j.loaded, &source, &j.def);
    if (code == CLI_FINE) {
        code = cli_compile(&source, &j.def, true, &j.loaded);
        if (j.loaded.report != NULL) { cli_say_report(args, &j.loaded); }
        j.def.archive = NULL; // texts from here on
        j.def.format = NULL;
        if (code == CLI_FINE) { code = convert(&j, target); }
    }
    for (uint32_t i = 0; i < PICTURES_MAX; i++) { cli_bytes_free(&j.bytes[i]); }
    zo_package_free(j.made);
    zo_package_free(j.opened);
    cli_loaded_free(&j.loaded);
    return code;
}
