// `zoetrope render`: a clip played into a file. What is written follows from the name's ending; the frames come from
// player.c and go to the writers of movie.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/beside.h"
#include "load.h"
#include "movie.h"
#include "nearest.h"
#include "player.h"
#include "progress.h"

typedef enum target_kind {
    TO_WEBP, TO_GIF, TO_APNG, TO_MP4, TO_WEBM, TO_RAW, TO_ATLAS, TO_PNG, TO_PNG_EACH, TO_SHEET
} target_kind;

enum { LOOPS = 1, STILL = 2 }; // bits of traits

static const struct {
    const char *ending;
    uint32_t traits;
} kinds[] = {
    [TO_WEBP] = {".webp", LOOPS},
    [TO_GIF] = {".gif", LOOPS},
    [TO_APNG] = {".apng", LOOPS},
    [TO_MP4] = {".mp4", LOOPS},
    [TO_WEBM] = {".webm", LOOPS},
    [TO_RAW] = {".rgba", 0},
    [TO_ATLAS] = {".json", LOOPS},
    [TO_PNG] = {".png", STILL},
    [TO_PNG_EACH] = {".png", 0},
    [TO_SHEET] = {".png", STILL},
};

static const int64_t REST_NS = 500000000;        // shown after a clip that stops, so that one sees it settle
static const int64_t WAITING_NS = 3000000000;    // of a clip that waits for a random time
static const int64_t FADING_NS_MAX = 10000000000; // for particles that outlive such a clip
static const uint32_t FRAME_COUNT_MAX = 1000000;
enum { SHEET_MAX = 256, SIDE_MAX = 16384 };

// What is to be written, the same for every input.
typedef struct target {
    const char *pattern; // of its name; {name} is the input's
    target_kind kind;
} target;

typedef struct job {
    const cli_args *args; // with one operand
    target_kind kind;
    const char *out;
    cli_loaded loaded;
    cli_pictures pictures;
    cli_script script;
    cli_player player;
    zo_clip_info info;
    zo_clip_info played; // the same as it is played: in another time, or its twin under reduced motion
    double params[CLI_PARAM_MAX];
    cli_lines lines;
    uint32_t width, height;
    zo_size sheet;         // of all frames on one picture, when that is written
    uint32_t frame_count;
    uint32_t first_frame;  // of all those between from_ns and to_ns
    int64_t from_ns, to_ns;
    int64_t *start_ns;     // [frame_count + 1], counted from the first that is shown
    int64_t first_ns;      // when that one is, on the player's clock
    uint32_t drawing;      // the frame at hand
    cli_marks marks;       // what happened when, for an atlas
    double fps;
    double pixels_per_unit; // 0: the stage fits
    bool tells;            // all that is to be said of the work goes to a program, as lines of JSON
    bool ping_pong;
    bool no_memory;
    cli_movie_def movie;
} job;

static bool ends_with(const char *text, const char *ending) {
    const size_t a = strlen(text), b = strlen(ending);
    return a > b && strcmp(text + a - b, ending) == 0;
}

static bool pick_target(const cli_args *args, target *t) {
    t->pattern = args->values[CLI_OPT_OUT];
    if (t->pattern == NULL) {
        cli_usage(args, "render wants -o OUT");
        return false;
    }
    uint32_t kind = 0;
    while (kind <= TO_PNG && !ends_with(t->pattern, kinds[kind].ending)) { kind++; }
    if (kind > TO_PNG) {
        cli_usage(args, "'%s' ends in no kind that can be written: .webp, .gif, .apng, .mp4, .webm, .png, .json (an "
                        "atlas) or .rgba", t->pattern);
        return false;
    }
    t->kind = (target_kind)kind;
    if (t->kind == TO_PNG && cli_given(args, CLI_OPT_SHEET)) {
        t->kind = TO_SHEET;
    } else if (t->kind == TO_PNG && strchr(t->pattern, '%') != NULL) {
        t->kind = TO_PNG_EACH;
    }
    const char *fault = NULL;
    if (cli_given(args, CLI_OPT_SHEET) && t->kind != TO_SHEET) { fault = "--sheet goes with a .png"; }
    if (cli_given(args, CLI_OPT_AT) && t->kind != TO_PNG) { fault = "--at goes with one .png"; }
    if (cli_given(args, CLI_OPT_LOOP) && (kinds[t->kind].traits & LOOPS) == 0) {
        fault = "--loop goes with .webp, .gif, .apng, .mp4, .webm and .json";
    }
    if (cli_given(args, CLI_OPT_FRAMES) && (kinds[t->kind].traits & STILL) != 0) {
        fault = "--frames goes with moving pictures, with numbered ones (%04d.png) and with an atlas";
    }
    if (fault != NULL) { cli_usage(args, "%s", fault); }
    return fault == NULL;
}

static bool pick_time(job *j, cli_option_id option, int64_t *ns) {
    const char *text = j->args->values[option];
    const cli_bare bare = option == CLI_OPT_AT ? CLI_BARE_CLIP_UNIT : CLI_BARE_SECONDS;
    if (text == NULL || cli_time(text, bare, &j->played, ns)) { return true; }
    cli_usage(j->args, "--%s wants one time such as 120ms, 0.12s or 50%%, not '%s'", cli_options[option].name, text);
    return false;
}

static bool pick_cel(const job *j, cli_option_id option, zo_cel *cel) {
    const char *name = j->args->values[option];
    if (name == NULL) { return true; }
    *cel = zo_cel_find(j->loaded.program, name);
    if (cel->id == 0) {
        const char *near = cli_nearest_cel(j->loaded.program, name);
        cli_usage(j->args, "there is no picture '%s' here%s", name,
                  near != NULL ? cli_did_you_mean(near).text : "; 'zoetrope info' lists them");
        return false;
    }
    return true;
}

// Until the last particle is gone that is alive when the clip ends; 0: none is. Which there are depends on the seed, so
// it is played once beforehand.
static int64_t fading_ns(const cli_player_def *def, int64_t end_ns) {
    const zo_instance_def as_played = {.seed = def->seed, .reduced_motion = def->reduced_motion, .idle = true};
    zo_instance *instance = zo_instance_create(def->program, &as_played, NULL);
    int64_t longest_ns = 0;
    if (instance == NULL || zo_instance_start(instance, def->clip, &def->run).id == 0) { end_ns = 0; }
    zo_step step = {.left_ns = end_ns};
    while (instance != NULL && (step.more || step.left_ns > 0)) {
        zo_event events[16];
        step = zo_instance_advance(instance, step.left_ns, events, 16);
    }
    zo_particle particle;
    for (uint32_t i = 0; instance != NULL && zo_instance_particle_at(instance, i, &particle); i++) {
        const int64_t left_ns = particle.life_ns - particle.age_ns;
        longest_ns = left_ns > longest_ns ? left_ns : longest_ns;
    }
    zo_instance_free(instance);
    return longest_ns < FADING_NS_MAX ? longest_ns : FADING_NS_MAX;
}

// A clip that stops is shown until all has come to rest: some time longer, and until its particles are gone.
static int64_t rest_ns(const job *j, const cli_player_def *def, int64_t pass) {
    const int64_t fading = fading_ns(def, pass), rest = (kinds[j->kind].traits & STILL) != 0 ? 0 : REST_NS;
    return fading > rest ? fading : rest;
}

// The clip's end as it will be played: its override of duration and repeat, or its twin under reduced motion.
static int64_t natural_end_ns(job *j, const cli_player_def *def) {
    if (cli_given(j->args, CLI_OPT_SCRIPT)) { return cli_script_end_ns(&j->script); }
    const int64_t pass = j->played.duration_ns;
    switch (def->run.set_repeat ? def->run.repeat : j->played.repeat) {
    case ZO_REPEAT_LOOP: return pass;
    case ZO_REPEAT_ALTERNATE:
        // An atlas has the way there, the turn included; who plays it goes back by itself.
        j->ping_pong = j->kind == TO_ATLAS && !cli_given(j->args, CLI_OPT_FROM) && !cli_given(j->args, CLI_OPT_TO) &&
                       !cli_given(j->args, CLI_OPT_FRAMES);
        return j->ping_pong ? pass + 1 : pass * 2;
    case ZO_REPEAT_RANDOM_INTERVAL: return WAITING_NS;
    default: return pass + rest_ns(j, def, pass);
    }
}

// What is played of the clip: its twin under reduced motion, in the time that was asked for. Percentages are of that.
static bool pick_duration(job *j, int64_t *duration_ns) {
    j->played = j->info;
    if (cli_given(j->args, CLI_OPT_REDUCED_MOTION) && j->info.reduced.id != 0) {
        zo_clip_get(j->loaded.program, j->info.reduced, &j->played);
    }
    if (!cli_given(j->args, CLI_OPT_DURATION)) { return true; }
    int64_t wanted = 0;
    if (!pick_time(j, CLI_OPT_DURATION, &wanted)) { return false; }
    const int64_t low = j->played.duration_ns_min, high = j->played.duration_ns_max;
    *duration_ns = wanted < low ? low : wanted > high ? high : wanted;
    if (*duration_ns != wanted) {
        cli_say("the duration is cut from %g to %g ms; '%s' may take %g to %g", (double)wanted / 1e6,
                (double)*duration_ns / 1e6, j->info.name, (double)low / 1e6, (double)high / 1e6);
    }
    j->played.duration_ns = *duration_ns;
    return true;
}

static bool pick_run(job *j, cli_player_def *def) {
    const cli_args *args = j->args;
    uint32_t repeat = 0;
    def->run = (zo_run_def){.params = j->params, .param_count = j->info.param_count};
    if (def->run.param_count > CLI_PARAM_MAX) { def->run.param_count = CLI_PARAM_MAX; }
    if (!cli_pick_params(args, j->loaded.program, &j->info, j->params, CLI_PARAM_MAX, &j->lines) ||
        !pick_duration(j, &def->run.duration_ns) || !cli_choice(args, CLI_OPT_REPEAT, &repeat) ||
        !pick_cel(j, CLI_OPT_NEXT, &def->run.cel) || !pick_cel(j, CLI_OPT_SHOW, &def->show)) {
        return false;
    }
    def->run.set_repeat = cli_given(args, CLI_OPT_REPEAT);
    def->run.repeat = (zo_repeat)repeat;
    return true;
}

static bool pick_window(job *j, const cli_player_def *def) {
    j->to_ns = natural_end_ns(j, def);
    j->fps = 30.0;
    if (!cli_number(j->args, CLI_OPT_FPS, 0.01, 1000.0, &j->fps) || !pick_time(j, CLI_OPT_FROM, &j->from_ns) ||
        !pick_time(j, CLI_OPT_TO, &j->to_ns) || !pick_time(j, CLI_OPT_AT, &j->from_ns)) {
        return false;
    }
    if (j->kind == TO_PNG) { return true; }
    if (j->to_ns <= j->from_ns) {
        cli_usage(j->args, "there is nothing to show: the end, %g ms, must lie after the start, %g ms",
                  (double)j->to_ns / 1e6, (double)j->from_ns / 1e6);
        return false;
    }
    return true;
}

static bool pick_size(job *j, const double stage[4]) {
    const cli_args *args = j->args;
    j->width = j->height = j->kind == TO_SHEET ? 192 : 512;
    if (!cli_number(args, CLI_OPT_SCALE, 1e-3, 1e4, &j->pixels_per_unit)) { return false; }
    if (j->pixels_per_unit > 0.0 && !cli_given(args, CLI_OPT_SIZE)) {
        // Less a trifle, for a product that should be whole and is not quite.
        const double width = ceil((stage[2] - stage[0]) * j->pixels_per_unit - 1e-6);
        const double height = ceil(fabs(stage[3] - stage[1]) * j->pixels_per_unit - 1e-6);
        if (!(width <= SIDE_MAX && height <= SIDE_MAX)) {
            cli_usage(args, "at --scale %g the picture would be %.0fx%.0f pixels, and %d is the limit",
                      j->pixels_per_unit, width, height, SIDE_MAX);
            return false;
        }
        j->width = width > 1.0 ? (uint32_t)width : 1;
        j->height = height > 1.0 ? (uint32_t)height : 1;
    }
    return cli_size(args, CLI_OPT_SIZE, &j->width, &j->height);
}

static bool pick_loop(job *j) {
    double count = 0.0;
    if (!cli_number(j->args, CLI_OPT_LOOP, 0.0, 65535.0, &count)) { return false; }
    j->movie.loop_count = (uint32_t)count;
    j->movie.fps = j->fps;
    if (count == floor(count)) { return true; }
    cli_usage(j->args, "--loop wants a whole number, not '%s'", j->args->values[CLI_OPT_LOOP]);
    return false;
}

// What stands behind everything. An .mp4 has no transparency, so there the writer puts it behind the finished frames.
static bool pick_background(job *j, uint8_t premultiplied[4]) {
    uint8_t *color = j->movie.background;
    if (j->kind == TO_SHEET) { memcpy(color, (const uint8_t[4]){244, 244, 240, 255}, 4); }
    if (!cli_color(j->args, CLI_OPT_BACKGROUND, color)) { return false; }
    if (j->kind == TO_MP4) { return true; }
    for (int i = 0; i < 3; i++) { premultiplied[i] = (uint8_t)((color[i] * color[3] + 127) / 255); }
    premultiplied[3] = color[3];
    return true;
}

static void say_of_mp4(const job *j) {
    if (j->kind != TO_MP4 || cli_given(j->args, CLI_OPT_QUIET)) { return; }
    if (j->movie.background[3] < 255) {
        cli_say("an .mp4 has no transparency, so it gets white behind it; --background COLOR puts another there, and a "
                ".webm stays clear");
    }
    if (j->width % 2 != 0 || j->height % 2 != 0) {
        cli_say("an .mp4 has even sides: %ux%u becomes %ux%u, with background at the right or below", j->width,
                j->height, j->width + j->width % 2, j->height + j->height % 2);
    }
}

// ---------------------------------------------------------------------------------------------------- frames

// The times at which frames begin, counted from the first; frame k of the animation is at ceil(k / fps) wherever the
// window begins. The last entry is where the window ends.
static int list_all(job *j) {
    const double wanted = (double)(j->to_ns - j->from_ns) * j->fps / 1e9;
    if (wanted > FRAME_COUNT_MAX) {
        cli_say("that would be %.0f frames; at most %u can be rendered at once", wanted, FRAME_COUNT_MAX);
        return CLI_INTERNAL;
    }
    j->start_ns = calloc((size_t)wanted + 3, sizeof *j->start_ns);
    if (j->start_ns == NULL) { return CLI_INTERNAL; }
    const int64_t end = j->to_ns - j->from_ns;
    while (j->frame_count < (uint32_t)wanted + 2 && cli_frame_ns(j->frame_count, j->fps) < end) {
        j->start_ns[j->frame_count] = cli_frame_ns(j->frame_count, j->fps);
        j->frame_count++;
    }
    // A way there and back has frames of one length only.
    j->start_ns[j->frame_count] = j->ping_pong ? cli_frame_ns(j->frame_count, j->fps) : end;
    return CLI_FINE;
}

// Up to nine digits and nothing else before `end`.
static bool read_count(const char *text, const char *end, uint32_t *count) {
    *count = 0;
    if (text == end || end - text > 9) { return false; }
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') { return false; }
        *count = *count * 10 + (uint32_t)(*text - '0');
    }
    return true;
}

// "A-B" or "A". false: it is neither.
static bool read_range(const char *text, uint32_t *first, uint32_t *last) {
    const char *end = text + strlen(text), *dash = strchr(text, '-');
    if (dash == NULL) { return read_count(text, end, first) && read_count(text, end, last); }
    return read_count(text, dash, first) && read_count(dash + 1, end, last) && *first <= *last;
}

static int keep_range(job *j) {
    const char *text = j->args->values[CLI_OPT_FRAMES];
    if (text == NULL) { return CLI_FINE; }
    uint32_t last = 0;
    if (!read_range(text, &j->first_frame, &last)) {
        return cli_usage(j->args, "--frames wants A-B, such as 0-9, not '%s'", text);
    }
    if (last >= j->frame_count) {
        return cli_usage(j->args, "there is no frame %u: %u frames, from 0 to %u", last, j->frame_count,
                         j->frame_count - 1);
    }
    const int64_t first_ns = j->start_ns[j->first_frame];
    j->frame_count = last - j->first_frame + 1;
    for (uint32_t i = 0; i <= j->frame_count; i++) { j->start_ns[i] = j->start_ns[j->first_frame + i] - first_ns; }
    j->first_ns += first_ns;
    return CLI_FINE;
}

// Evenly from the first moment to the last.
static int list_cells(job *j) {
    double count = 12.0;
    if (!cli_number(j->args, CLI_OPT_SHEET, 1.0, SHEET_MAX, &count)) { return CLI_USAGE; }
    const uint32_t cell_count = (uint32_t)count;
    j->start_ns = calloc((size_t)cell_count + 1, sizeof *j->start_ns);
    if (j->start_ns == NULL) { return CLI_INTERNAL; }
    const int64_t length = j->to_ns - j->from_ns;
    for (uint32_t i = 0; i < cell_count; i++) {
        const double fraction = cell_count > 1 ? (double)i / (cell_count - 1) : 0.0;
        j->start_ns[i] = (int64_t)(fraction * (double)length);
    }
    j->start_ns[cell_count] = length;
    j->frame_count = cell_count;
    return CLI_FINE;
}

static int list_frames(job *j) {
    j->first_ns = j->from_ns;
    if (j->kind == TO_PNG) { return CLI_FINE; }
    if (j->kind == TO_SHEET) { return list_cells(j); }
    const int code = list_all(j);
    return code == CLI_FINE ? keep_range(j) : code;
}

// What happens between two frames shows in the second. What came before the first is none of theirs.
static void note_event(void *context, const zo_event *event) {
    static const char *const whats[] = {
        [ZO_EVENT_NOTIFY] = "notify", [ZO_EVENT_SHOW_CEL] = "show", [ZO_EVENT_START_EFFECT] = "effect",
        [ZO_EVENT_REQUEST_STATE] = "request"};
    job *j = context;
    if ((uint32_t)event->kind >= sizeof whats / sizeof whats[0] || event->t_ns < j->first_ns) { return; }
    if (j->marks.count == j->marks.capacity) {
        const uint32_t capacity = j->marks.capacity * 2 + 16;
        cli_mark *items = realloc(j->marks.items, capacity * sizeof *items);
        if (items == NULL) {
            j->no_memory = true;
            return;
        }
        j->marks.items = items;
        j->marks.capacity = capacity;
    }
    j->marks.items[j->marks.count++] = (cli_mark){j->drawing, event->name, whats[event->kind]};
}

// Each texture that cannot be shown, once.
static void say_faults(job *j) {
    char text[4600];
    while (cli_pictures_next_fault(&j->pictures, text, sizeof text)) { cli_say("%s", text); }
}

static bool draw_frame(void *context, uint32_t index, zo_image *image) {
    job *j = context;
    j->drawing = index;
    const bool fine = cli_player_draw(&j->player, j->first_ns + j->start_ns[index], image) && !j->no_memory;
    say_faults(j);
    if (j->no_memory) { cli_say("not enough memory"); }
    return fine;
}

static int write_still(job *j) {
    zo_image image = {calloc((size_t)j->width * j->height, 4), j->width, j->height, (size_t)j->width * 4};
    int code = CLI_INTERNAL;
    if (image.pixels == NULL) {
        cli_say("not enough memory for a picture of %ux%u pixels", j->width, j->height);
    } else if (cli_player_draw(&j->player, j->first_ns, &image)) {
        say_faults(j);
        code = cli_write_png(j->out, &image);
    }
    free(image.pixels);
    return code;
}

static int write_out(job *j) {
    const cli_frames frames = {
        .width = j->width,
        .height = j->height,
        .count = j->frame_count,
        .first_number = j->first_frame,
        .draw = draw_frame,
        .context = j,
        .start_ns = j->start_ns,
        .progress = j->tells ? cli_progress_json : cli_progress_wanted(j->args) ? cli_progress : NULL,
    };
    const cli_atlas_def atlas = {.name = j->info.label[0] != 0 ? j->info.label : j->info.name,
                                 .ping_pong = j->ping_pong,
                                 .loop_count = j->movie.loop_count,
                                 .marks = &j->marks};
    switch (j->kind) {
    case TO_WEBP: return cli_write_webp(j->out, &frames, &j->movie);
    case TO_GIF: return cli_write_gif(j->out, &frames, &j->movie);
    case TO_APNG: return cli_write_apng(j->out, &frames, &j->movie);
    case TO_MP4: return cli_write_video(j->out, CLI_VIDEO_MP4, &frames, &j->movie);
    case TO_WEBM: return cli_write_video(j->out, CLI_VIDEO_WEBM, &frames, &j->movie);
    case TO_RAW: return cli_write_raw(j->out, &frames);
    case TO_ATLAS: return cli_write_atlas(j->out, &frames, &atlas);
    case TO_PNG_EACH: return cli_write_png_each(j->out, &frames);
    case TO_SHEET: return cli_write_sheet(j->out, &frames, &j->sheet);
    case TO_PNG: break;
    }
    return write_still(j);
}

// A picture that the clip asks for by name and that nobody gave: the one before it stays, and that is worth a word.
static void say_missing(const job *j, zo_clip clip) {
    for (uint32_t e = 0; e < j->info.event_count; e++) {
        zo_clip_event_info event;
        if (!zo_clip_event_get(j->loaded.program, clip, e, &event) || event.action != ZO_ACTION_SHOW_CEL) { continue; }
        const zo_cel cel = zo_cel_find(j->loaded.program, event.name);
        if (cel.id != 0 && j->pictures.cel_images[cel.id - 1] == 0) {
            cli_say("no picture for '%s', so the one before it stays; --picture %s=FILE gives one", event.name,
                    event.name);
        }
    }
}

// A pet as a whole has no clip of its own: it is played as its states want.
static bool is_whole(const job *j) {
    return zo_state_count(j->loaded.program) > 0 && !cli_given(j->args, CLI_OPT_CLIP);
}

static bool pick_played(job *j, zo_clip *clip) {
    static const cli_option_id of_clips[] = {CLI_OPT_DURATION, CLI_OPT_REPEAT, CLI_OPT_NEXT, CLI_OPT_SHOW};
    if (!is_whole(j)) { return cli_pick_clip(j->args, j->loaded.program, clip, &j->info); }
    j->info = (zo_clip_info){.name = cli_whole_name(j->loaded.program) + 2, .label = "", .kind = "",
                             .time_unit = ZO_TIME_SECONDS, .repeat = ZO_REPEAT_LOOP, .duration_ns = WAITING_NS};
    for (uint32_t i = 0; i < sizeof of_clips / sizeof of_clips[0]; i++) {
        if (!cli_given(j->args, of_clips[i])) { continue; }
        cli_usage(j->args, "--%s is for a clip, and this is %s; --clip names one", cli_options[of_clips[i]].name,
                  cli_whole_name(j->loaded.program));
        return false;
    }
    return true;
}

static int render(job *j) {
    const cli_args *args = j->args;
    const zo_program *program = j->loaded.program;
    cli_player_def def = {.program = program, .pictures = &j->pictures,
                          .reduced_motion = cli_given(args, CLI_OPT_REDUCED_MOTION),
                          .nearest = cli_given(args, CLI_OPT_NEAREST)};
    double stage[4];
    zo_program_stage(program, stage);
    if (cli_given(args, CLI_OPT_SCRIPT)) {
        if (cli_script_seeks(&j->script)) {
            cli_say("%s: 'seek_ms' is for trace: a film has its frames in their order", args->values[CLI_OPT_SCRIPT]);
            return CLI_FAULTY;
        }
        def.script = &j->script;
    }
    if (!pick_played(j, &def.clip) || !pick_run(j, &def) || !cli_seed(args, &def.seed) || !pick_window(j, &def) ||
        !pick_size(j, stage) || !pick_loop(j) || !pick_background(j, def.background) ||
        !cli_camera(args, &def.camera)) {
        return CLI_USAGE;
    }
    int code = list_frames(j);
    if (code == CLI_FINE) { code = cli_pictures_load(args, &j->loaded, &j->pictures); }
    if (code != CLI_FINE) { return code; }
    say_missing(j, def.clip);
    say_of_mp4(j);
    def.pixels_per_unit = j->pixels_per_unit;
    def.lines = &j->lines;
    if (j->kind == TO_ATLAS) {
        def.on_event = note_event;
        def.context = j;
    }
    if (!cli_player_open(&j->player, &def)) {
        cli_say("'%s' cannot be played so: a clip with events does not alternate", j->info.name);
        return CLI_USAGE;
    }
    return write_out(j);
}

static void say_done(const job *j) {
    const bool is_video = j->kind == TO_MP4 || j->kind == TO_WEBM;
    const uint32_t odd_width = j->kind == TO_MP4 ? j->width % 2 : 0, odd_height = j->kind == TO_MP4 ? j->height % 2 : 0;
    const bool sheet = j->kind == TO_SHEET;
    const uint32_t width = sheet ? j->sheet.width : j->width + odd_width;
    const uint32_t height = sheet ? j->sheet.height : j->height + odd_height;
    const uint32_t times = is_video && j->movie.loop_count > 0 ? j->movie.loop_count : 1;
    const uint64_t count = sheet ? 0 : (uint64_t)j->frame_count * times;
    const double length = is_video ? (double)count / j->fps : count > 0 ? (double)j->start_ns[count] / 1e9 : 0.0;
    if (j->tells) {
        printf("{\"width\": %u, \"height\": %u, \"frames\": %llu, \"durationMs\": %.10g}\n", width, height,
               (unsigned long long)count, length * 1e3);
        return;
    }
    fprintf(stderr, "%s: %ux%u", j->out, width, height);
    if (count > 0) { fprintf(stderr, ", %llu frames, %.3g s", (unsigned long long)count, length); }
    fputc('\n', stderr);
}

// A report of several lines in one: between its texts, which have no line ends, these mean nothing.
static bool write_unbroken(void *context, const void *bytes, size_t size) {
    (void)context;
    for (const char *at = bytes, *end = at + size; at < end; at++) {
        if (*at != '\n') { putchar(*at); }
    }
    return true;
}

static int load(job *j) {
    int code = cli_load(j->args, j->args->operands[0], true, &j->loaded);
    if (code == CLI_FINE) { code = cli_load_script(j->args, &j->loaded, &j->script); }
    if (!j->tells) {
        cli_say_report(j->args, &j->loaded);
        return code;
    }
    if (j->loaded.report != NULL && zo_report_count(j->loaded.report) > 0) {
        zo_report_write(j->loaded.report, ZO_REPORT_JSON, false, write_unbroken, NULL);
        putchar('\n');
    }
    return code;
}

// false: a picture that is read would be written over, as in `-o cat.png --picture idle=cat.png`.
static bool keeps_pictures(const cli_args *args, const char *out) {
    const char *lost = NULL, *word;
    for (uint32_t n = 0; lost == NULL && (word = cli_args_each(args, CLI_OPT_PICTURE, n)) != NULL; n++) {
        const char *equals = strchr(word, '=');
        if (equals != NULL && cli_same_file(out, equals + 1)) { lost = equals + 1; }
    }
    if (lost != NULL) { cli_usage(args, "'%s' is an input; render into another file", lost); }
    return lost == NULL;
}

// The same of both files of an atlas.
static bool keeps_all_pictures(const cli_args *args, target_kind kind, const char *out) {
    if (!keeps_pictures(args, out)) { return false; }
    if (kind != TO_ATLAS) { return true; }
    char *picture = strdup(out);
    if (picture == NULL) { return false; }
    memcpy(picture + strlen(out) - strlen("json"), "png", sizeof "png");
    const bool fine = keeps_pictures(args, picture);
    free(picture);
    return fine;
}

static int render_one(const cli_args *args, target_kind kind, const char *out) {
    uint32_t form = 0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &form)) { return CLI_USAGE; }
    job j = {.args = args, .kind = kind, .out = out, .tells = form == 1};
    int code = keeps_all_pictures(args, kind, out) ? load(&j) : CLI_USAGE;
    if (code == CLI_FINE) { code = render(&j); }
    if (code == CLI_FINE && !cli_given(args, CLI_OPT_QUIET)) { say_done(&j); }
    free(j.start_ns);
    free(j.marks.items);
    cli_player_close(&j.player);
    cli_pictures_free(&j.pictures);
    cli_script_free(&j.script);
    cli_lines_free(&j.lines);
    cli_loaded_free(&j.loaded);
    return code;
}

// ---------------------------------------------------------------------------------------------------- inputs

// The input's name without folder and ending; a built-in's without the word before the colon.
static void name_of_input(const char *path, const char **name, size_t *size) {
    static const char builtin[] = "builtin:";
    *name = beside_last_part(path);
    if (strcmp(path, "-") == 0) { *name = "stdin"; }
    if (strncmp(path, builtin, sizeof builtin - 1) == 0) { *name = path + sizeof builtin - 1; }
    const char *point = strrchr(*name, '.');
    *size = point != NULL && point > *name ? (size_t)(point - *name) : strlen(*name);
}

// The target's name for one input. malloc; NULL: no memory, said. In a name of numbered pictures a per cent sign of the
// input's is doubled.
static char *expand(const target *t, const char *input) {
    static const char hole[] = "{name}";
    const size_t hole_size = sizeof hole - 1;
    const char *name;
    size_t size, holes = 0;
    name_of_input(input, &name, &size);
    for (const char *at = t->pattern; (at = strstr(at, hole)) != NULL; at += hole_size) { holes++; }
    char *path = malloc(strlen(t->pattern) + holes * size * 2 + 1), *to = path;
    if (path == NULL) {
        cli_say("not enough memory");
        return NULL;
    }
    for (const char *at = t->pattern; *at != 0;) {
        if (strncmp(at, hole, hole_size) != 0) {
            *to++ = *at++;
            continue;
        }
        for (size_t i = 0; i < size; i++) {
            if (name[i] == '%' && t->kind == TO_PNG_EACH) { *to++ = '%'; }
            *to++ = name[i];
        }
        at += hole_size;
    }
    *to = 0;
    return path;
}

static int compare_paths(const void *x, const void *y) {
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

// Two inputs of one name would overwrite each other.
static bool all_differ(const cli_args *args, char *const *outs) {
    const uint32_t count = args->operand_count;
    const char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) { sorted[i] = outs[i]; }
    qsort(sorted, count, sizeof *sorted, compare_paths);
    const char *twice = NULL;
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0) { twice = sorted[i]; }
    }
    if (twice != NULL) {
        cli_usage(args, "two inputs would be written to '%s'; render them into different folders", twice);
    }
    free(sorted);
    return twice == NULL;
}

// An atlas ends in .json as animations do; written over its input it would be the end of that.
static bool keeps_inputs(const cli_args *args, char *const *outs) {
    const uint32_t count = args->operand_count;
    struct stat *inputs = calloc(count, sizeof *inputs), out;
    if (inputs == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        if (stat(args->operands[i], &inputs[i]) != 0) { inputs[i] = (struct stat){0}; } // of no file is an inode 0
    }
    const char *lost = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (stat(outs[i], &out) != 0 || !S_ISREG(out.st_mode)) { continue; }
        for (uint32_t k = 0; k < count; k++) {
            if (inputs[k].st_ino == out.st_ino && inputs[k].st_dev == out.st_dev) { lost = outs[i]; }
        }
    }
    if (lost != NULL) { cli_usage(args, "'%s' is an input; render it into another file", lost); }
    free(inputs);
    return lost == NULL;
}

// One failure does not keep the others from being rendered; the worst code is returned.
static int render_each(const cli_args *args, const target *t, char *const *outs) {
    int worst = CLI_FINE;
    uint32_t failed = 0;
    for (uint32_t i = 0; i < args->operand_count; i++) {
        cli_args one = *args;
        one.operands = &args->operands[i];
        one.operand_count = 1;
        const int code = render_one(&one, t->kind, outs[i]);
        worst = code > worst ? code : worst;
        if (code == CLI_FINE) { continue; }
        failed++;
        if (args->operand_count > 1) { cli_say("'%s' was not rendered", args->operands[i]); }
    }
    if (args->operand_count > 1 && (failed > 0 || !cli_given(args, CLI_OPT_QUIET))) {
        fprintf(stderr, "%u of %u rendered\n", args->operand_count - failed, args->operand_count);
    }
    return worst;
}

int cli_render(const cli_args *args) {
    target t;
    if (!pick_target(args, &t)) { return CLI_USAGE; }
    const uint32_t count = args->operand_count;
    if (count == 0) { return cli_usage(args, "render wants a file"); }
    if (count > 1 && strstr(t.pattern, "{name}") == NULL) {
        return cli_usage(args, "with several inputs the output's name must hold {name}, as in 'out/{name}%s'",
                         kinds[t.kind].ending);
    }
    char **outs = calloc(count, sizeof *outs);
    bool fine = outs != NULL;
    for (uint32_t i = 0; fine && i < count; i++) {
        outs[i] = expand(&t, args->operands[i]);
        fine = outs[i] != NULL;
    }
    int code = CLI_INTERNAL;
    if (fine) { code = all_differ(args, outs) && keeps_inputs(args, outs) ? render_each(args, &t, outs) : CLI_USAGE; }
    for (uint32_t i = 0; outs != NULL && i < count; i++) { free(outs[i]); }
    free(outs);
    return code;
}
