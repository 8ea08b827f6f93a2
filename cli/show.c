// See show.h.
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "show.h"

static bool pick_cel(const cli_show *show, cli_option_id option, zo_cel *cel) {
    const char *name = show->args->values[option];
    if (name == NULL) { return true; }
    *cel = zo_cel_find(show->loaded.program, name);
    if (cel->id != 0) { return true; }
    const char *near = cli_nearest_cel(show->loaded.program, name);
    cli_usage(show->args, "there is no picture '%s' here%s", name,
              near != NULL ? cli_did_you_mean(near).text : "; 'zoetrope info' lists them");
    return false;
}

// A pet as a whole has no clip of its own: it is played as its states want.
static int pick_played(cli_show *show) {
    const cli_args *args = show->args;
    const zo_program *program = show->loaded.program;
    zo_clip_info info = {.name = cli_whole_name(program) + 2};
    show->whole = zo_state_count(program) > 0 && !cli_given(args, CLI_OPT_CLIP);
    if (show->whole && (cli_given(args, CLI_OPT_NEXT) || cli_given(args, CLI_OPT_SHOW))) {
        return cli_usage(args, "--next and --show are for a clip, and this is %s; --clip names one",
                         cli_whole_name(program));
    }
    if (!show->whole && !cli_pick_clip(args, program, &show->clip, &info)) { return CLI_USAGE; }
    if (!cli_pick_params(args, program, &info, show->params, CLI_PARAM_MAX, &show->lines) ||
        !cli_seed(args, &show->seed) || !pick_cel(show, CLI_OPT_NEXT, &show->run.cel) ||
        !pick_cel(show, CLI_OPT_SHOW, &show->first)) {
        return CLI_USAGE;
    }
    show->given = show->clip;
    show->run.params = show->params;
    show->run.param_count = info.param_count < CLI_PARAM_MAX ? info.param_count : CLI_PARAM_MAX;
    show->reduced = cli_given(args, CLI_OPT_REDUCED_MOTION);
    return CLI_FINE;
}

static int load_script(cli_show *show) {
    const char *path = show->args->values[CLI_OPT_SCRIPT];
    if (path == NULL) { return CLI_FINE; }
    const int code = cli_script_load(path, show->loaded.program, &show->script);
    if (code != CLI_FINE || !cli_script_seeks(&show->script)) { return code; }
    cli_say("%s: 'seek_ms' is for trace: here time runs by itself", path);
    return CLI_FAULTY;
}

// All at once: later there is nobody to hear what is wrong with one.
static int decode(cli_show *show) {
    for (uint32_t i = 1; i <= show->pictures.count; i++) {
        if (!cli_pictures_want(&show->pictures, i)) { return CLI_INTERNAL; }
    }
    return CLI_FINE;
}

// false: no memory.
static bool list_asked(cli_show *show) {
    const zo_program *program = show->loaded.program;
    zo_state_info state;
    show->graph = show->whole && cli_has_graph(program);
    show->asked = calloc((size_t)zo_state_count(program) + 1, sizeof *show->asked);
    for (uint32_t s = 1; show->asked != NULL && zo_state_get(program, (zo_state){s}, &state); s++) {
        const char *name = show->graph ? state.group : state.name;
        uint32_t i = 0;
        while (i < show->asked_count && strcmp(show->asked[i], name) != 0) { i++; }
        if (i == show->asked_count) { show->asked[show->asked_count++] = name; }
    }
    return show->asked != NULL;
}

int cli_show_open(cli_show *show, const cli_args *args, bool color) {
    *show = (cli_show){.args = args};
    int code = cli_load(args, args->operands[0], true, &show->loaded);
    if (show->loaded.report != NULL && zo_report_count(show->loaded.report) > 0) {
        zo_report_write(show->loaded.report, ZO_REPORT_HUMAN, color, cli_to_stderr, NULL);
    }
    if (code == CLI_FINE) { code = pick_played(show); }
    if (code == CLI_FINE && !list_asked(show)) { code = CLI_INTERNAL; }
    if (code == CLI_FINE) { code = load_script(show); }
    if (code == CLI_FINE) { code = cli_pictures_load(args, &show->loaded, &show->pictures); }
    if (code == CLI_FINE) { code = decode(show); }
    if (code == CLI_FINE && !cli_scene_open(&show->scene, show->loaded.program, &show->pictures)) {
        code = CLI_INTERNAL;
    }
    if (code == CLI_INTERNAL) { cli_say("'%s' cannot be shown: not enough memory, or too large", args->operands[0]); }
    return code;
}

void cli_show_close(cli_show *show) {
    zo_timeline_free(show->timeline);
    cli_scene_close(&show->scene);
    cli_pictures_free(&show->pictures);
    cli_script_free(&show->script);
    cli_lines_free(&show->lines);
    free(show->asked);
    cli_loaded_free(&show->loaded);
}

// ---------------------------------------------------------------------------------------------------- the timeline

static void hear(void *context, const zo_event *event) {
    cli_show *show = context;
    cli_scene_note(&show->scene, show->instance);
    if (show->listen != NULL) { show->listen(show->context, event); }
}

static bool add(cli_show *show, zo_input input) { return zo_timeline_add(show->timeline, &input, NULL) == ZO_OK; }

// Where pictures are given, what is not among them is not there.
static bool make_timeline(cli_show *show, zo_event_fn listen, void *context) {
    zo_timeline_def def = {.instance = {.seed = show->seed, .idle = !show->whole, .reduced_motion = show->reduced,
                                         .host_polls = cli_script_polls(&show->script)}};
    const cli_pictures *pictures = &show->pictures;
    bool *there = calloc((size_t)pictures->cel_count + 1, sizeof *there);
    zo_timeline_free(show->timeline);
    show->timeline = NULL;
    if (there == NULL) { return false; }
    for (uint32_t c = 0; c < pictures->cel_count; c++) { there[c] = pictures->cel_images[c] != 0; }
    if (pictures->given && zo_state_count(show->loaded.program) > 0) { def.instance.cels_there = there; }
    show->timeline = zo_timeline_create(show->loaded.program, &def, NULL);
    free(there);
    if (show->timeline == NULL) { return false; }
    show->instance = zo_timeline_instance(show->timeline);
    show->listen = listen;
    show->context = context;
    show->step = 0;
    show->step_ns = 0;
    show->scene.last_image = 0;
    zo_timeline_listen(show->timeline, hear, show);
    return true;
}

// After a reload: those of before were others.
static bool tell_pictures(cli_show *show) {
    const cli_pictures *pictures = &show->pictures;
    bool fine = true;
    const bool minded = pictures->given && zo_state_count(show->loaded.program) > 0 && !show->graph;
    for (uint32_t c = 1; c <= pictures->cel_count && minded; c++) {
        const bool there = pictures->cel_images[c - 1] != 0;
        fine = fine && add(show, (zo_input){.kind = ZO_INPUT_SET_CEL, .id = c, .on = there});
    }
    return fine;
}

bool cli_show_start(cli_show *show, zo_event_fn listen, void *context) {
    if (!make_timeline(show, listen, context)) { return false; }
    bool fine = cli_lines_add(&show->lines, show->timeline);
    if (!show->whole) {
        if (show->first.id == 0) { show->first = zo_instance_shown(show->instance); }
        fine = fine && cli_show_begin_clip(show, show->clip);
    }
    cli_show_seek(show, 0);
    return fine;
}

// Of a clip that is played by itself, the first picture is what it was if that is still there.
bool cli_show_adopt(cli_show *show, const cli_show *old, zo_event_fn listen, void *context, zo_gone_fn tell) {
    if (!make_timeline(show, listen, context)) { return false; }
    if (!show->whole && show->first.id == 0) { show->first = zo_instance_shown(show->instance); }
    show->hidden = cli_show_is(old, ZO_INPUT_SET_HIDDEN);
    show->reduced = cli_show_is(old, ZO_INPUT_SET_REDUCED_MOTION);
    zo_timeline_adopt(show->timeline, old->instance, tell, context);
    const int64_t now_ns = zo_instance_now_ns(show->instance);
    for (; show->step < show->script.count && show->step_ns <= now_ns; show->step++) { // has been
        const cli_step *step = &show->script.steps[show->step];
        show->step_ns += step->kind == CLI_STEP_ADVANCE ? step->ns : 0;
    }
    const bool fine = tell_pictures(show);
    cli_show_seek(show, now_ns);
    return fine;
}

// A step that has been made is in the log of the timeline: going back and on again makes it from there.
void cli_show_seek(cli_show *show, int64_t t_ns) {
    const cli_script *script = &show->script;
    for (; show->step < script->count && show->step_ns <= t_ns; show->step++) {
        const cli_step *step = &script->steps[show->step];
        bool done;
        if (step->kind == CLI_STEP_ADVANCE) {
            show->step_ns += step->ns;
            continue;
        }
        zo_timeline_seek(show->timeline, show->step_ns);
        cli_step_add(script, step, show->timeline, &done);
    }
    if (t_ns < zo_instance_now_ns(show->instance)) { show->scene.last_image = 0; }
    zo_timeline_seek(show->timeline, t_ns);
    cli_scene_note(&show->scene, show->instance);
}

// The step of the script that comes after the present.
static void rewind_script(cli_show *show) {
    const int64_t now_ns = zo_instance_now_ns(show->instance);
    int64_t at_ns = show->step_ns;
    while (show->step > 0 && at_ns > now_ns) {
        const cli_step *step = &show->script.steps[--show->step];
        at_ns -= step->kind == CLI_STEP_ADVANCE ? step->ns : 0;
    }
    // Steps before the advance that was taken back have been made; that one comes again, whole.
    show->step_ns = at_ns;
}

bool cli_show_add(cli_show *show, const zo_input *input) {
    uint32_t result = 0;
    rewind_script(show);
    const bool fine = zo_timeline_add(show->timeline, input, &result) == ZO_OK;
    cli_show_seek(show, zo_instance_now_ns(show->instance));
    return fine && result != 0;
}

bool cli_show_begin_clip(cli_show *show, zo_clip clip) {
    zo_run_info run;
    show->clip = clip;
    rewind_script(show);
    while (zo_instance_run_at(show->instance, 0, &run)) { // the first goes each time
        if (!add(show, (zo_input){.kind = ZO_INPUT_CANCEL, .id = run.run.id})) { return false; }
        zo_timeline_seek(show->timeline, zo_instance_now_ns(show->instance));
        zo_run_info next;
        if (zo_instance_run_at(show->instance, 0, &next) && next.run.id == run.run.id) { break; }
    }
    zo_run_def def = show->run;
    if (clip.id != show->given.id) { def.param_count = 0; } // they are of that one
    return add(show, (zo_input){.kind = ZO_INPUT_SHOW, .id = show->first.id}) &&
           add(show, (zo_input){.kind = ZO_INPUT_START, .id = clip.id, .run = def});
}

static bool stands_in(const zo_program *program, uint32_t clip) {
    zo_clip_info info;
    bool does = false;
    for (uint32_t c = 1; zo_clip_get(program, (zo_clip){c}, &info); c++) {
        does = does || (info.reduced.id == clip && c != clip);
    }
    return does;
}

zo_clip cli_show_next_clip(const cli_show *show, zo_clip clip, bool forward) {
    const zo_program *program = show->loaded.program;
    const uint32_t count = zo_clip_count(program);
    for (uint32_t tries = 0; tries < count; tries++) {
        clip.id = forward ? clip.id % count + 1 : clip.id <= 1 ? count : clip.id - 1;
        if (!stands_in(program, clip.id)) { break; }
    }
    return clip;
}

uint32_t cli_show_clip_place(const cli_show *show, zo_clip clip, uint32_t *count) {
    const zo_program *program = show->loaded.program;
    uint32_t place = 0;
    *count = 0;
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        if (stands_in(program, c)) { continue; }
        *count += 1;
        place = c <= clip.id ? *count : place;
    }
    return place;
}

bool cli_show_is(const cli_show *show, zo_input_kind kind) {
    bool is = kind == ZO_INPUT_SET_HIDDEN ? show->hidden : show->reduced;
    zo_input input;
    for (uint32_t i = 0; zo_timeline_input_at(show->timeline, i, &input); i++) {
        if (input.t_ns > zo_instance_now_ns(show->instance)) { break; }
        if (input.kind == kind) { is = input.on; }
    }
    return is;
}

// ---------------------------------------------------------------------------------------------------- files

static void take_joined(const char *folder, const char *name, void (*take)(void *context, const char *path),
                        void *context) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) { return; }
    snprintf(path, size, "%s/%s", folder, name);
    take(context, path);
    free(path);
}

void cli_show_files(const cli_show *show, void (*take)(void *context, const char *path), void *context) {
    const cli_args *args = show->args;
    const cli_pet *pet = show->loaded.pet;
    const char *word;
    take(context, args->operands[0]);
    if (show->loaded.path != NULL) { take(context, show->loaded.path); }
    if (cli_given(args, CLI_OPT_SCRIPT)) { take(context, args->values[CLI_OPT_SCRIPT]); }
    for (uint32_t n = 0; (word = cli_args_each(args, CLI_OPT_PICTURE, n)) != NULL; n++) {
        if (strchr(word, '=') != NULL) { take(context, strchr(word, '=') + 1); }
    }
    const cli_gathered *gathered = show->loaded.gathered;
    for (uint32_t i = 1; gathered != NULL && i < gathered->count; i++) {
        if (gathered->found[i].path != NULL) { take(context, gathered->found[i].path); }
    }
    if (pet == NULL || pet->folder == NULL || pet->package != NULL) { return; } // a package is one file
    for (uint32_t i = 1; i < pet->source_count; i++) { take(context, pet->sources[i].name); }
    take(context, pet->folder); // what is put there belongs to the pet
    take_joined(pet->folder, "animations", take, context);
    take_joined(pet->folder, "assets", take, context);
    zo_cel_info cel;
    for (uint32_t c = 1; show->loaded.program != NULL && zo_cel_get(show->loaded.program, (zo_cel){c}, &cel); c++) {
        char *path = cli_pet_picture(pet, cel.name);
        if (path != NULL) { take(context, path); }
        free(path);
    }
}
