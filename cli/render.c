// `zoetrope render`: a clip played into a file. What is written follows from the name's ending; the frames come from
// player.c and go to the writers of movie.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "load.h"
#include "movie.h"
#include "nearest.h"
#include "player.h"

typedef enum target_kind { TO_WEBP, TO_GIF, TO_RAW, TO_PNG, TO_PNG_EACH, TO_SHEET } target_kind;

static const int64_t REST_NS = 500000000;        // shown after a clip that stops, so that one sees it settle
static const int64_t WAITING_NS = 3000000000;    // of a clip that waits for a random time
static const uint32_t FRAME_COUNT_MAX = 1000000;
enum { SHEET_MAX = 256, SHEET_GAP = 8, SHEET_BAR = 3 };

typedef struct job {
    const cli_args *args;
    const char *out;
    target_kind kind;
    cli_loaded loaded;
    cli_pictures pictures;
    cli_player player;
    zo_clip_info info;
    double params[CLI_PARAM_MAX];
    uint32_t width, height;
    uint32_t sheet_count;
    uint32_t frame_count;
    int64_t from_ns, to_ns;
    double fps;
    int64_t *start_ns; // [frame_count + 1]
    uint8_t background[4];
} job;

static bool ends_with(const char *text, const char *ending) {
    const size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

static bool pick_kind(job *j) {
    const cli_args *args = j->args;
    j->out = args->values[CLI_OPT_OUT];
    if (j->out == NULL) {
        cli_usage(args, "render wants -o OUT");
        return false;
    }
    static const struct { const char *ending; target_kind kind; } endings[] = {
        {".webp", TO_WEBP}, {".gif", TO_GIF}, {".rgba", TO_RAW}, {".png", TO_PNG}};
    size_t i = 0;
    while (i < 4 && !ends_with(j->out, endings[i].ending)) { i++; }
    if (i == 4) {
        cli_usage(args, "'%s' ends in no kind that can be written: .webp, .gif, .png or .rgba", j->out);
        return false;
    }
    j->kind = endings[i].kind;
    if (j->kind == TO_PNG && cli_given(args, CLI_OPT_SHEET)) {
        j->kind = TO_SHEET;
    } else if (j->kind == TO_PNG && strchr(j->out, '%') != NULL) {
        j->kind = TO_PNG_EACH;
    }
    if (cli_given(args, CLI_OPT_SHEET) && j->kind != TO_SHEET) {
        cli_usage(args, "--sheet goes with a .png");
        return false;
    }
    if (cli_given(args, CLI_OPT_AT) && j->kind != TO_PNG) {
        cli_usage(args, "--at goes with one .png");
        return false;
    }
    return true;
}

static bool pick_time(job *j, cli_option_id option, int64_t *ns) {
    const char *text = j->args->values[option];
    const cli_bare bare = option == CLI_OPT_AT ? CLI_BARE_CLIP_UNIT : CLI_BARE_SECONDS;
    if (text == NULL || cli_time(text, bare, &j->info, ns)) { return true; }
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

// The clip's end as it will be played: its override of duration and repeat, or its twin under reduced motion.
static int64_t natural_end_ns(const job *j, const zo_run_def *run, const zo_clip_info *played) {
    const int64_t pass = run->duration_ns > 0 ? run->duration_ns : played->duration_ns;
    switch (run->set_repeat ? run->repeat : played->repeat) {
    case ZO_REPEAT_LOOP: return pass;
    case ZO_REPEAT_ALTERNATE: return pass * 2;
    case ZO_REPEAT_RANDOM_INTERVAL: return WAITING_NS;
    default: return j->kind == TO_PNG || j->kind == TO_SHEET ? pass : pass + REST_NS;
    }
}

static bool pick_run(job *j, cli_player_def *def) {
    const cli_args *args = j->args;
    uint32_t repeat = 0;
    def->run = (zo_run_def){.params = j->params, .param_count = j->info.param_count};
    if (def->run.param_count > CLI_PARAM_MAX) { def->run.param_count = CLI_PARAM_MAX; }
    if (!cli_pick_params(args, j->loaded.program, &j->info, j->params, CLI_PARAM_MAX) ||
        !pick_time(j, CLI_OPT_DURATION, &def->run.duration_ns) || !cli_choice(args, CLI_OPT_REPEAT, &repeat) ||
        !pick_cel(j, CLI_OPT_NEXT, &def->run.cel) || !pick_cel(j, CLI_OPT_SHOW, &def->show)) {
        return false;
    }
    def->run.set_repeat = cli_given(args, CLI_OPT_REPEAT);
    def->run.repeat = (zo_repeat)repeat;
    return true;
}

static bool pick_window(job *j, const zo_run_def *run) {
    zo_clip_info played = j->info;
    if (cli_given(j->args, CLI_OPT_REDUCED_MOTION) && j->info.reduced.id != 0) {
        zo_clip_get(j->loaded.program, j->info.reduced, &played);
    }
    j->to_ns = natural_end_ns(j, run, &played);
    j->fps = 30.0;
    if (!cli_number(j->args, CLI_OPT_FPS, 0.01, 1000.0, &j->fps) || !pick_time(j, CLI_OPT_FROM, &j->from_ns) ||
        !pick_time(j, CLI_OPT_TO, &j->to_ns) || !pick_time(j, CLI_OPT_AT, &j->from_ns)) {
        return false;
    }
    if (j->kind == TO_PNG) { return true; }
    if (j->to_ns <= j->from_ns) {
        cli_usage(j->args, "there is nothing to show: --to must lie after --from");
        return false;
    }
    return true;
}

static bool pick_size(job *j) {
    double count = 12.0;
    if (!cli_number(j->args, CLI_OPT_SHEET, 1.0, SHEET_MAX, &count)) { return false; }
    j->sheet_count = (uint32_t)count;
    j->width = j->height = j->kind == TO_SHEET ? 192 : 512;
    if (j->kind == TO_SHEET) { memcpy(j->background, (uint8_t[4]){244, 244, 240, 255}, 4); }
    return cli_size(j->args, CLI_OPT_SIZE, &j->width, &j->height) &&
           cli_color(j->args, CLI_OPT_BACKGROUND, j->background);
}

// The times at which frames begin, counted from the first; frame k of the animation is at ceil(k / fps) wherever the
// window begins. The last entry is where the window ends.
static int list_frames(job *j) {
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
    j->start_ns[j->frame_count] = end;
    return CLI_FINE;
}

static bool draw_frame(void *context, uint32_t index, zo_image *image) {
    job *j = context;
    cli_player_draw(&j->player, j->from_ns + j->start_ns[index], image);
    return true;
}

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// A bar on the terminal, at most twenty times a second, gone when the work is done.
static void show_progress(void *context, uint32_t done, uint32_t total) {
    static const char full[] = "########################################";
    (void)context;
    static double last; // of drawing, for the pace alone
    const double now = now_s();
    if (done < total && now - last < 0.05) { return; }
    last = now;
    if (done >= total) {
        fputs("\r\x1b[K", stderr);
        return;
    }
    const int filled = (int)(40.0 * (double)done / (double)total);
    fprintf(stderr, "\r\x1b[K  [%.*s%*s] %3.0f %%", filled, full, 40 - filled, "", 100.0 * (double)done / (double)total);
    fflush(stderr);
}

static void blit(zo_image *sheet, const zo_image *cell, uint32_t left, uint32_t top) {
    for (uint32_t y = 0; y < cell->height; y++) {
        memcpy(sheet->pixels + (top + y) * sheet->stride + (size_t)left * 4, cell->pixels + y * cell->stride,
               (size_t)cell->width * 4);
    }
}

// How far in time the cell is, as a bar along its lower border.
static void draw_bar(zo_image *cell, double fraction) {
    const uint32_t filled = (uint32_t)(fraction * cell->width + 0.5);
    for (uint32_t y = cell->height > SHEET_BAR ? cell->height - SHEET_BAR : 0; y < cell->height; y++) {
        uint8_t *row = cell->pixels + y * cell->stride;
        for (uint32_t x = 0; x < cell->width; x++) {
            const uint8_t *color = x < filled ? (const uint8_t[4]){216, 90, 60, 255} : (const uint8_t[4]){0, 0, 0, 40};
            memcpy(row + (size_t)x * 4, color, 4);
        }
    }
}

static bool make_image(zo_image *image, uint32_t width, uint32_t height) {
    *image = (zo_image){calloc((size_t)width * height, 4), width, height, (size_t)width * 4};
    return image->pixels != NULL;
}

static int write_sheet(job *j) {
    const uint32_t count = j->sheet_count;
    uint32_t columns = (uint32_t)ceil(sqrt((double)count * 1.2));
    columns = columns < count ? columns : count;
    const uint32_t rows = (count + columns - 1) / columns;
    const uint64_t width = (uint64_t)columns * (j->width + SHEET_GAP) + SHEET_GAP;
    const uint64_t height = (uint64_t)rows * (j->height + SHEET_GAP) + SHEET_GAP;
    if (width > 16384 || height > 16384) {
        return cli_usage(j->args, "the sheet would be %llux%llu pixels, and 16384 is the limit; ask for smaller cells with --size",
                         (unsigned long long)width, (unsigned long long)height);
    }
    zo_image sheet = {0}, cell = {0};
    int code = CLI_INTERNAL;
    if (make_image(&sheet, (uint32_t)width, (uint32_t)height) && make_image(&cell, j->width, j->height)) {
        zo_image_fill(&sheet, (const uint8_t[4]){255, 255, 255, 255});
        for (uint32_t i = 0; i < count; i++) {
            const double fraction = count > 1 ? (double)i / (count - 1) : 0.0;
            cli_player_draw(&j->player, j->from_ns + (int64_t)(fraction * (double)(j->to_ns - j->from_ns)), &cell);
            draw_bar(&cell, fraction);
            blit(&sheet, &cell, SHEET_GAP + i % columns * (j->width + SHEET_GAP),
                 SHEET_GAP + i / columns * (j->height + SHEET_GAP));
        }
        code = cli_write_png(j->out, &sheet);
    }
    free(sheet.pixels);
    free(cell.pixels);
    return code;
}

static int write_still(job *j) {
    zo_image image;
    if (!make_image(&image, j->width, j->height)) { return CLI_INTERNAL; }
    cli_player_draw(&j->player, j->from_ns, &image);
    const int code = cli_write_png(j->out, &image);
    free(image.pixels);
    return code;
}

static int write_movie(job *j) {
    const int code = list_frames(j);
    if (code != CLI_FINE) { return code; }
    const bool quiet = cli_given(j->args, CLI_OPT_QUIET) || isatty(STDERR_FILENO) == 0;
    const cli_frames frames = {
        .width = j->width,
        .height = j->height,
        .count = j->frame_count,
        .draw = draw_frame,
        .context = j,
        .start_ns = j->start_ns,
        .progress = quiet ? NULL : show_progress,
    };
    const cli_movie_def def = {0};
    switch (j->kind) {
    case TO_WEBP: return cli_write_webp(j->out, &frames, &def);
    case TO_GIF: return cli_write_gif(j->out, &frames, &def);
    case TO_RAW: return cli_write_raw(j->out, &frames);
    default: return cli_write_png_each(j->out, &frames);
    }
}

// A picture that the clip asks for by name and that nobody gave: the one before it stays, and that is worth a word.
static void say_missing(const job *j, zo_clip clip) {
    for (uint32_t e = 0; e < j->info.event_count; e++) {
        zo_clip_event_info event;
        if (!zo_clip_event_get(j->loaded.program, clip, e, &event) || event.action != ZO_ACTION_SHOW_CEL) { continue; }
        const zo_cel cel = zo_cel_find(j->loaded.program, event.name);
        if (cel.id != 0 && j->pictures.cel_images[cel.id - 1] == 0) {
            cli_say("no picture for '%s', so the one before it stays; --picture %s=FILE gives one", event.name, event.name);
        }
    }
}

static int render(job *j) {
    const cli_args *args = j->args;
    cli_player_def def = {.program = j->loaded.program, .pictures = &j->pictures,
                          .reduced_motion = cli_given(args, CLI_OPT_REDUCED_MOTION),
                          .nearest = cli_given(args, CLI_OPT_NEAREST)};
    if (!cli_pick_clip(args, j->loaded.program, &def.clip, &j->info) || !pick_run(j, &def) ||
        !pick_window(j, &def.run) || !pick_size(j) || !cli_seed(args, &def.seed)) {
        return CLI_USAGE;
    }
    int code = cli_pictures_load(args, j->loaded.program, &j->pictures);
    if (code != CLI_FINE) { return code; }
    say_missing(j, def.clip);
    for (int i = 0; i < 4; i++) {
        const int alpha = i < 3 ? j->background[3] : 255;
        def.background[i] = (uint8_t)((j->background[i] * alpha + 127) / 255);
    }
    if (!cli_player_open(&j->player, &def)) {
        cli_say("'%s' cannot be played so: a clip with events does not alternate", j->info.name);
        return CLI_USAGE;
    }
    switch (j->kind) {
    case TO_SHEET: return write_sheet(j);
    case TO_PNG: return write_still(j);
    default: return write_movie(j);
    }
}

int cli_render(const cli_args *args) {
    job j = {.args = args};
    if (!pick_kind(&j)) { return CLI_USAGE; }
    int code = cli_load_one(args, &j.loaded);
    if (code == CLI_FINE) { code = render(&j); }
    if (code == CLI_FINE && !cli_given(args, CLI_OPT_QUIET)) {
        fprintf(stderr, "%s: %ux%u", j.out, j.width, j.height);
        if (j.frame_count > 0) { fprintf(stderr, ", %u frames, %.3g s", j.frame_count, (double)(j.to_ns - j.from_ns) / 1e9); }
        fputc('\n', stderr);
    }
    free(j.start_ns);
    cli_player_close(&j.player);
    cli_pictures_free(&j.pictures);
    cli_loaded_free(&j.loaded);
    return code;
}
