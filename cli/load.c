// See load.h.
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "load.h"
#include "nearest.h"
#include "walk.h"

static const size_t SOURCE_MAX = (size_t)64 << 20; // the library's own limit for one source

// Also one that does not exist: the library then names its nearest neighbour.
bool cli_is_builtin(const char *path) { return strncmp(path, "builtin:", 8) == 0 && !cli_file_exists(path); }

static const char *base_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

int cli_code_of(zo_status status) {
    switch (status) {
    case ZO_OK: return CLI_FINE;
    case ZO_LIMIT:
    case ZO_NO_MEMORY: return CLI_INTERNAL;
    default: return CLI_FAULTY;
    }
}

// Parameters that a machine leaves to whoever plays it are told of where it is looked at, and where it is played
// without them.
static bool leaves_params_open(const cli_args *args) {
    const uint32_t bit = args->command->bit, playing = CLI_PLAY | CLI_RENDER | CLI_TRACE | CLI_SAMPLE;
    if ((bit & (CLI_CHECK | CLI_INFO)) != 0) { return cli_given(args, CLI_OPT_GRAPH); }
    return (bit & playing) == 0 || cli_given(args, CLI_OPT_QUIET);
}

bool cli_compile_def(const cli_args *args, zo_compile_def *def) {
    uint32_t profile = 0, color = 0, poses = 0, null_tangent = 0, model = 0, b3d_keys = 0, repeat = 0,
             uniform = 0;
    if (!cli_choice(args, CLI_OPT_PROFILE, &profile) || !cli_choice(args, CLI_OPT_POSES, &poses) ||
        !cli_choice(args, CLI_OPT_NULL_TANGENT, &null_tangent) || !cli_choice(args, CLI_OPT_MODEL, &model) ||
        !cli_choice(args, CLI_OPT_B3D_KEYS, &b3d_keys) || !cli_choice(args, CLI_OPT_DRAFT_REPEAT, &repeat) ||
        !cli_choice(args, CLI_OPT_DRAFT_UNIFORM, &uniform) || !cli_choice(args, CLI_OPT_COLOR, &color)) {
        return false;
    }
    const char *format = args->values[CLI_OPT_FORMAT];
    *def = (zo_compile_def){
        .profile = (zo_profile)profile,
        .format = format != NULL && strcmp(format, "auto") != 0 ? format : NULL,
        .strict = cli_given(args, CLI_OPT_STRICT),
        .sampled_poses = poses == 1,
        .null_tangent_step = null_tangent == 1,
        .model = (zo_model)model,
        .open_params = leaves_params_open(args),
        .b3d_keys = (zo_b3d_keys)b3d_keys,
        .draft_repeat_letter = repeat == 1,
        .draft_uniform_samples = uniform == 1,
    };
    return true;
}

static const char *format_name_at(uint32_t index) {
    return zo_format_at(index) != NULL ? zo_format_at(index)->name : NULL;
}

bool cli_format_is_known(const cli_args *args, const zo_compile_def *def) {
    for (uint32_t i = 0; def->format != NULL && zo_format_at(i) != NULL; i++) {
        if (strcmp(def->format, zo_format_at(i)->name) == 0) { return true; }
    }
    if (def->format == NULL) { return true; }
    const char *near = cli_nearest(def->format, format_name_at);
    cli_usage(args, "there is no format '%s'%s", def->format, cli_did_you_mean(near).text);
    return false;
}

// Whether the folder of a path is there, be the file there or not.
static bool in_a_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    const bool is = folder != NULL && cli_is_folder(folder);
    free(folder);
    return is;
}

int cli_source(const cli_args *args, const char *path, cli_loaded *loaded, zo_source *source, zo_compile_def *def) {
    *loaded = (cli_loaded){.name = base_name(path), .status = ZO_OK, .args = args};
    if (!cli_compile_def(args, def) || !cli_format_is_known(args, def)) { return CLI_USAGE; }
    *source = (zo_source){.name = loaded->name, .kind = ZO_SOURCE_BUILTIN};
    if (strcmp(path, "-") != 0 && cli_is_folder(path) && !beside_is_manifest(path)) {
        cli_folder_kind kind;
        loaded->path = cli_first_in_folder(path, &kind);
        if (loaded->path == NULL) { return CLI_FILES; }
        loaded->set = kind == CLI_FOLDER_SET;
        loaded->name = path = loaded->path;
    }
    const bool pack = def->format != NULL ? strcmp(def->format, beside_pack_format) == 0 : beside_is_manifest(path);
    if (pack) { def->format = beside_pack_format; }
    if (pack && strcmp(path, "-") != 0) { loaded->real = realpath(path, NULL); }
    if (pack && strcmp(path, "-") != 0 && !cli_is_file(path) && (cli_file_exists(path) || in_a_folder(path))) {
        *source = (zo_source){.name = loaded->name, .kind = ZO_SOURCE_MISSING};
        return CLI_FINE;
    }
    if (!cli_is_builtin(path)) {
        if (!cli_read_file(path, SOURCE_MAX, &loaded->bytes)) { return CLI_FILES; }
        *source = (zo_source){.name = loaded->name, .bytes = loaded->bytes.data, .size = loaded->bytes.size,
                              .real_name = loaded->real};
        if (loaded->path != NULL && def->format == NULL) { def->format = cli_pet_format(path, &loaded->bytes); }
    }
    const bool any = def->format == NULL || strcmp(def->format, pet_package_format) == 0;
    if (any && archive_is(loaded->bytes.data, loaded->bytes.size)) {
        loaded->package = pet_package_open(loaded->name, loaded->bytes.data, loaded->bytes.size);
        if (loaded->package == NULL) {
            cli_say("not enough memory for '%s'", loaded->name);
            return CLI_INTERNAL;
        }
        *source = loaded->package->manifest;
        def->format = pet_package_format;
        def->archive = &loaded->package->archive;
    }
    return CLI_FINE;
}

static void compile_again(const zo_source *sources, uint32_t count, const zo_compile_def *def, bool want_program,
                          cli_loaded *loaded) {
    zo_program_free(loaded->program);
    zo_report_free(loaded->report);
    loaded->program = NULL;
    loaded->report = NULL;
    loaded->status = zo_compile(sources, count, def, want_program ? &loaded->program : NULL, &loaded->report);
}

// What the report asks for is looked for, and found things may ask for more: a rig for its atlas, that for its picture.
static int gather(const zo_source *source, const zo_compile_def *def, bool want_program, cli_loaded *loaded) {
    enum { ROUNDS_MAX = 8 };
    const char *path = strcmp(loaded->name, "<stdin>") == 0 ? "-" : loaded->name;
    int code;
    loaded->gathered = cli_gather_begin(loaded->args, path, source, loaded->listed, loaded->told, &code);
    if (loaded->gathered == NULL) { return code; }
    if (loaded->set) { code = cli_gather_set(loaded->gathered, path, def); }
    if (loaded->beside != NULL && code == CLI_FINE) { code = cli_gather_file(loaded->gathered, loaded->beside); }
    bool more = loaded->gathered->count > 1;
    for (int round = 0; round < ROUNDS_MAX && code == CLI_FINE; round++) {
        if (more) {
            compile_again(loaded->gathered->sources, loaded->gathered->count, def, want_program, loaded);
            if (loaded->report == NULL) { return CLI_INTERNAL; }
        }
        code = cli_gather_needs(loaded->gathered, loaded->report, &more);
        if (!more) { break; }
    }
    return code;
}

// A pet is known by what the library has read, and only then are the files beside it looked at.
int cli_compile(const zo_source *source, const zo_compile_def *def, bool want_program, cli_loaded *loaded) {
    zo_program **program = want_program ? &loaded->program : NULL;
    loaded->status = zo_compile(source, 1, def, program, &loaded->report);
    if (loaded->package != NULL) {
        loaded->pet = cli_pet_of_package(loaded->name, loaded->package);
        if (loaded->pet == NULL) { return CLI_INTERNAL; }
    } else if (source->kind == ZO_SOURCE_FILE && cli_pet_is(loaded->report)) {
        const char *path = strcmp(loaded->name, "<stdin>") == 0 ? "-" : loaded->name;
        const int code = cli_pet_gather(path, source, def, &loaded->pet);
        if (code != CLI_FINE) { return code; }
        compile_again(loaded->pet->sources, loaded->pet->source_count, def, want_program, loaded);
    } else if (loaded->report != NULL && zo_report_need_count(loaded->report) > 0) {
        const int code = gather(source, def, want_program, loaded);
        if (code != CLI_FINE) { return code; }
    }
    if (loaded->status == ZO_NO_MEMORY) { cli_say("%s: not enough memory", loaded->name); }
    return cli_code_of(loaded->status);
}

int cli_compile_again(const zo_compile_def *def, cli_loaded *loaded) {
    const cli_gathered *g = loaded->gathered;
    compile_again(g->sources, g->count, def, loaded->program != NULL, loaded);
    return cli_code_of(loaded->status);
}

enum { NAMES_MAX = 256 };

static bool add_name(cli_names *names, const char *name, size_t size) {
    char *copy = names->count < NAMES_MAX ? strndup(name, size) : NULL;
    char **items = copy != NULL ? realloc(names->items, (names->count + 1) * sizeof *items) : NULL;
    if (items == NULL) {
        free(copy);
        return false;
    }
    names->items = items;
    names->items[names->count++] = copy;
    return true;
}

static void free_names(cli_names *names) {
    for (uint32_t i = 0; i < names->count; i++) { free(names->items[i]); }
    free(names->items);
}

// Cut as pictures.c cuts them. Names beyond the most are no loss: what they are of is told.
static void cut_names(const cli_args *args, cli_option_id option, cli_names *names) {
    const char *word;
    for (uint32_t n = 0; (word = cli_args_each(args, option, n)) != NULL; n++) {
        const char *equals = strchr(word, '=');
        if (!add_name(names, word, equals != NULL ? (size_t)(equals - word) : strlen(word))) { break; }
    }
}

static void name_params(cli_loaded *loaded) {
    loaded->def.params = (const char *const *)loaded->params.items;
    loaded->def.param_count = loaded->params.count;
}

// Once more with the names of the pictures that are given: what models show is told by them then.
static int supply(cli_loaded *loaded) {
    cut_names(loaded->args, CLI_OPT_PICTURE, &loaded->cels);
    loaded->def.cels = (const char *const *)loaded->cels.items;
    loaded->def.cel_count = loaded->cels.count;
    const cli_gathered *g = loaded->gathered;
    compile_again(g != NULL ? g->sources : &loaded->first, g != NULL ? g->count : 1, &loaded->def, true, loaded);
    return cli_code_of(loaded->status);
}

int cli_load(const cli_args *args, const char *path, bool want_program, cli_loaded *loaded) {
    int code = cli_source(args, path, loaded, &loaded->first, &loaded->def);
    if (code != CLI_FINE) { return code; }
    cut_names(args, CLI_OPT_SET, &loaded->params);
    name_params(loaded);
    code = cli_compile(&loaded->first, &loaded->def, want_program, loaded);
    const bool given = loaded->program != NULL && cli_given(args, CLI_OPT_PICTURE);
    return given && cli_has_pictures(loaded->report) ? supply(loaded) : code;
}

static bool tells_of_params(const zo_report *report) {
    bool tells = false;
    for (uint32_t i = 0; i < zo_report_count(report) && !tells; i++) {
        const char *id = zo_report_at(report, i)->id;
        tells = strcmp(id, "forge/supplied-parameter") == 0 || strcmp(id, "forge/unresolved-parameter") == 0;
    }
    return tells;
}

int cli_load_script(const cli_args *args, cli_loaded *loaded, cli_script *script) {
    const char *path = args->values[CLI_OPT_SCRIPT];
    const int code = path != NULL ? cli_script_load(path, loaded->program, script) : CLI_FINE;
    if (code != CLI_FINE || script->set_count == 0 || !tells_of_params(loaded->report)) { return code; }
    for (uint32_t i = 0; i < script->set_count; i++) {
        zo_param_info param;
        bool known = !zo_param_get(loaded->program, script->sets[i].param, &param);
        for (uint32_t k = 0; k < i && !known; k++) { known = script->sets[k].param.id == script->sets[i].param.id; }
        if (!known && !add_name(&loaded->params, param.name, strlen(param.name))) { break; }
    }
    name_params(loaded);
    const cli_gathered *g = loaded->gathered;
    zo_report *report = NULL; // the program is the same
    zo_compile(g != NULL ? g->sources : &loaded->first, g != NULL ? g->count : 1, &loaded->def, NULL, &report);
    if (report != NULL) {
        zo_report_free(loaded->report);
        loaded->report = report;
    }
    return code;
}

void cli_loaded_free(cli_loaded *loaded) {
    zo_program_free(loaded->program);
    zo_report_free(loaded->report);
    cli_pet_free(loaded->pet);
    pet_package_free(loaded->package);
    cli_gathered_free(loaded->gathered);
    free_names(&loaded->cels);
    free_names(&loaded->params);
    cli_bytes_free(&loaded->bytes);
    free(loaded->path);
    free(loaded->real);
}

int cli_say_report(const cli_args *args, const cli_loaded *loaded) {
    if (loaded->report != NULL && zo_report_count(loaded->report) > 0) {
        fflush(stdout);
        zo_report_write(loaded->report, ZO_REPORT_HUMAN, cli_use_color(args, stderr), cli_to_stderr, NULL);
    }
    return cli_code_of(loaded->status);
}

bool cli_one_operand(const cli_args *args) {
    if (args->operand_count == 1) { return true; }
    cli_usage(args, args->operand_count == 0 ? "%s wants a file" : "%s takes one file at a time", args->command->name);
    return false;
}

int cli_load_one(const cli_args *args, cli_loaded *loaded) {
    *loaded = (cli_loaded){0};
    if (!cli_one_operand(args)) { return CLI_USAGE; }
    const int code = cli_load(args, args->operands[0], true, loaded);
    if (loaded->report != NULL) { cli_say_report(args, loaded); }
    return code;
}

// By its whole name, or by the last part of one that no other has: idle of pond:enemy-animation/slime/idle, or
// swing of demo:block/door@swing.
static zo_clip clip_named(const zo_program *program, const char *name) {
    zo_clip found = zo_clip_find(program, name);
    const size_t size = strlen(name);
    uint32_t count = found.id != 0 ? 1 : 0;
    zo_clip_info info;
    for (uint32_t c = 1; count != 1 && size > 0 && zo_clip_get(program, (zo_clip){c}, &info); c++) {
        const size_t whole = strlen(info.name);
        const bool ends = whole > size && strcmp(info.name + whole - size, name) == 0 &&
                          strchr("/:@", info.name[whole - size - 1]) != NULL;
        if (!ends) { continue; }
        if (found.id != 0) { return (zo_clip){0}; }
        found.id = c;
    }
    return found;
}

bool cli_pick_clip(const cli_args *args, const zo_program *program, zo_clip *clip, zo_clip_info *info) {
    const char *name = args->values[CLI_OPT_CLIP];
    *clip = name != NULL ? clip_named(program, name) : (zo_clip){1};
    if (zo_clip_get(program, *clip, info)) { return true; }
    if (name == NULL) {
        cli_say("there is no clip in '%s'", args->operands[0]);
    } else {
        const char *near = cli_nearest_clip(program, name);
        cli_say("there is no clip '%s' in '%s'%s", name, args->operands[0],
                near != NULL ? cli_did_you_mean(near).text : "; 'zoetrope info' lists them");
    }
    return false;
}

static bool has_param(const zo_program *program, const zo_clip_info *info, const char *name, size_t size) {
    zo_param_info param;
    bool has = false;
    for (uint32_t p = 0; p < info->param_count; p++) {
        has = has || (zo_param_get(program, (zo_param){info->first_param.id + p}, &param) &&
                      strlen(param.name) == size && memcmp(param.name, name, size) == 0);
    }
    return has;
}

static int set_param(const zo_program *program, const zo_clip_info *info, const char *name, size_t size, double value,
                     double *params) {
    int found = 0;
    for (uint32_t p = 0; p < info->param_count && p < CLI_PARAM_MAX; p++) {
        zo_param_info param;
        if (!zo_param_get(program, (zo_param){info->first_param.id + p}, &param)) { continue; }
        if (strlen(param.name) != size || memcmp(param.name, name, size) != 0) { continue; }
        params[p] = value < param.low ? param.low : value > param.high ? param.high : value;
        if (params[p] != value) {
            cli_say("%s is cut from %g to %g; its range is %g to %g", param.name, value, params[p], param.low,
                    param.high);
        }
        found++;
    }
    return found;
}

void cli_lines_free(cli_lines *lines) {
    free(lines->items);
    *lines = (cli_lines){0};
}

void cli_lines_set(const cli_lines *lines, zo_instance *instance) {
    for (uint32_t i = 0; i < lines->count; i++) {
        const cli_control *control = &lines->items[i];
        zo_instance_set_param_line(instance, control->param, control->line.offset, control->line.slope);
    }
}

bool cli_lines_add(const cli_lines *lines, zo_timeline *timeline) {
    bool fine = true;
    for (uint32_t i = 0; i < lines->count; i++) {
        const cli_control *control = &lines->items[i];
        const zo_input input = {.kind = ZO_INPUT_SET_PARAM_LINE, .id = control->param.id,
                                .number = control->line.offset, .slope = control->line.slope};
        fine = fine && zo_timeline_add(timeline, &input, NULL) == ZO_OK;
    }
    return fine;
}

const char *cli_whole_name(const zo_program *program) {
    zo_state_info state;
    if (zo_posing_get(program, &(zo_posing_info){0})) { return "a machine"; }
    return zo_state_get(program, (zo_state){1}, &state) && state.clip.id != 0 ? "a character" : "a pet";
}

static uint32_t add_line(const zo_program *program, const char *name, size_t size, cli_line line, cli_lines *lines) {
    uint32_t found = 0;
    zo_param_info param;
    for (uint32_t p = 1; found == 0 && zo_param_get(program, (zo_param){p}, &param); p++) {
        if (param.clip.id != 0 || strlen(param.name) != size || memcmp(param.name, name, size) != 0) { continue; }
        lines->items[lines->count++] = (cli_control){{p}, line};
        found++;
    }
    return found;
}

// One word of --set. Says what is wrong.
static bool take_set(const cli_args *args, const zo_program *program, const zo_clip_info *info, const char *word,
                     double *params, cli_lines *lines) {
    const char *equals = strchr(word, '=');
    cli_line line;
    if (equals == NULL || !cli_line_read(equals + 1, &line)) {
        cli_usage(args, "--set wants NAME=VALUE with a number, or of a control a line such as 2x or 0.5x+1, not '%s'",
                  word);
        return false;
    }
    const size_t size = (size_t)(equals - word);
    char name[64];
    snprintf(name, sizeof name, "%.*s", size < sizeof name ? (int)size : (int)sizeof name - 1, word);
    if (add_line(program, word, size, line, lines) > 0) {
        if (line.slope == 0.0) { set_param(program, info, word, size, line.offset, params); } // one may be called alike
        return true;
    }
    if (line.slope != 0.0 && has_param(program, info, word, size)) {
        cli_usage(args, "'%s' of '%s' is a plain number, and '%s' is a line, which only controls can be", name,
                  info->name, equals + 1);
        return false;
    }
    if (set_param(program, info, word, size, line.offset, params) > 0) { return true; }
    const char *near = cli_nearest_param(program, info, name);
    cli_usage(args, "'%s' has no parameter '%s'%s", info->name, name,
              near != NULL ? cli_did_you_mean(near).text : "; 'zoetrope info' lists them");
    return false;
}

bool cli_pick_params(const cli_args *args, const zo_program *program, const zo_clip_info *info, double *params,
                     uint32_t capacity, cli_lines *lines) {
    *lines = (cli_lines){malloc(((size_t)args->every_count + 1) * sizeof *lines->items), 0};
    if (lines->items == NULL) {
        cli_say("not enough memory");
        return false;
    }
    for (uint32_t p = 0; p < info->param_count && p < capacity; p++) {
        zo_param_info param;
        params[p] = zo_param_get(program, (zo_param){info->first_param.id + p}, &param) ? param.value : 0.0;
    }
    const char *word;
    for (uint32_t n = 0; (word = cli_args_each(args, CLI_OPT_SET, n)) != NULL; n++) {
        if (!take_set(args, program, info, word, params, lines)) { return false; }
    }
    return true;
}
