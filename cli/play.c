// `zoetrope play`: an animation played in the terminal, with keys for what can be done to it, and with --watch made
// anew whenever its files are saved. One loop: what the clock says, a frame, then waiting for a key or the next frame.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "graphics.h"
#include "keys.h"
#include "panel.h"
#include "show.h"
#include "terminal.h"
#include "watch.h"

static const int64_t SECOND_NS = 1000000000;
static const double LOUD = 0.6; // of a voice
static const int64_t REST_NS = 1000000000;      // between a clip that is over and its next beginning
static const int64_t LEAP_NS = 1000000000;      // more than this has passed at once: the program was stopped
static const int64_t ESCAPE_NS = 50000000;      // after which an escape is a key by itself
static const int64_t NOTE_NS = 8000000000;      // how long a word of ours stands
static const double FLASH_MS = 1500.0;

static const struct { uint32_t speed, slowness; } speeds[] = {{1, 16}, {1, 8}, {1, 4}, {1, 2}, {1, 1}, {2, 1}, {4, 1},
                                                              {8, 1}};
enum { SPEED_COUNT = sizeof speeds / sizeof speeds[0], NORMAL_SPEED = 4 };

typedef struct text { char text[256]; } text;

typedef struct play {
    const cli_args *args;
    cli_show *show;
    cli_way way;
    double fps, pixels_per_unit;
    int zoom;                 // steps nearer than that, or farther
    zo_camera camera;         // of what stands in space; its zoom is as when nothing is nearer or farther
    uint32_t width, height;   // of --size, px; 0: what there is room for
    uint8_t background[4];    // straight
    bool given_background;
    int64_t to_ns;            // the end, < 0: none
    // the screen
    cli_terminal_size size;
    cli_grid shown, wanted;
    zo_image image;           // premultiplied
    zo_image sent;            // what a terminal with pictures shows, straight
    cli_area sent_area;       // and where; width 0: nowhere
    cli_out out;
    cli_keys keys;
    // what goes on
    int64_t last_ns;          // of the wall clock: when time was last taken
    int64_t carry;            // what was left when it was divided by the speed
    uint32_t speed;
    bool paused, again, help, stale, quit;
    int64_t quiet_ns;         // since when nothing plays; < 0: something does
    zo_clip chosen;
    uint32_t asked;           // of a graph: what `p` asks for
    uint32_t flashed;         // the last picture that was, from 1
    text note, event;
    int64_t note_ns;          // of the wall clock: when the note goes, and the event stands there again
    uint32_t frames, fps_seen;
    int64_t counted_ns;
    // files
    cli_watch watch;
    int64_t look_ns;
    text gone;                // what a reload has left out
    uint32_t gone_count;
    char *faults;             // NULL: none
    text fault_title;
} play;

static int64_t wall_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

__attribute__((format(printf, 2, 3))) static void set_text(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(t->text, sizeof t->text, format, list);
    va_end(list);
}

static const char *base_name(const char *path) {
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') { size--; }
    while (size > 0 && path[size - 1] != '/') { size--; }
    return path[size] != 0 ? path + size : path;
}

// "praxi" of examples/praxi/ and of praxi.json.
static text name_of(const char *path) {
    text name;
    set_text(&name, "%s", base_name(path));
    char *slash = strrchr(name.text, '/');
    if (slash != NULL && slash > name.text) { *slash = 0; }
    char *point = strrchr(name.text, '.');
    if (point != NULL && point > name.text) { *point = 0; }
    return name;
}

#define NOTE(p, ...) (set_text(&(p)->note, __VA_ARGS__), (p)->note_ns = wall_ns() + NOTE_NS)

static void hear(void *context, const zo_event *event) {
    static const char *const words[] = {
        [ZO_EVENT_NOTIFY] = "notify", [ZO_EVENT_SHOW_CEL] = "swap to", [ZO_EVENT_START_EFFECT] = "particles",
        [ZO_EVENT_REQUEST_STATE] = "request", [ZO_EVENT_STATE] = "state", [ZO_EVENT_CEL] = "picture",
        [ZO_EVENT_HOLD] = "held", [ZO_EVENT_UNROUTED] = "no way to"};
    play *p = context;
    if ((size_t)event->kind >= sizeof words / sizeof words[0] || words[event->kind] == NULL) { return; } // shown above
    if (*event->name == 0) { return; }
    set_text(&p->event, "%s %s at %.3f s", words[event->kind], event->name, (double)event->t_ns / 1e9);
}

// ---------------------------------------------------------------------------------------------------- reloads

// While the screen is ours, whoever has something to say on stderr is heard here.
typedef struct capture {
    FILE *file;
    int before;
} capture;

static capture begin_capture(void) {
    fflush(stderr);
    capture c = {tmpfile(), dup(STDERR_FILENO)};
    if (c.file == NULL) { c.file = fopen("/dev/null", "r+"); }
    if (c.file != NULL && c.before >= 0) { dup2(fileno(c.file), STDERR_FILENO); }
    return c;
}

// malloc; NULL: no memory.
static char *end_capture(capture c) {
    enum { LARGEST = 1 << 18 };
    fflush(stderr);
    if (c.before >= 0) {
        dup2(c.before, STDERR_FILENO);
        close(c.before);
    }
    char *said = malloc(LARGEST + 1);
    size_t size = 0;
    if (c.file != NULL) {
        rewind(c.file);
        if (said != NULL) { size = fread(said, 1, LARGEST, c.file); }
        fclose(c.file);
    }
    if (said != NULL) { said[size] = 0; }
    return said;
}

static void note_gone(void *context, const zo_gone *gone) {
    static const char *const kinds[] = {
        [ZO_GONE_RUN] = "clip", [ZO_GONE_PARAM] = "parameter", [ZO_GONE_CEL] = "picture",
        [ZO_GONE_EFFECT] = "particles",
        [ZO_GONE_STATE] = "state"};
    play *p = context;
    const size_t used = strlen(p->gone.text);
    if (p->gone_count++ > 5) { return; }
    snprintf(p->gone.text + used, sizeof p->gone.text - used, "%s%s %s", used > 0 ? ", " : "", kinds[gone->kind],
             cli_panel_short(gone->name));
}

static void take_file(void *context, const char *path) { cli_watch_add(context, path); }

// What is played, or the first that moves anything.
static zo_clip first_choice(const cli_show *show) {
    zo_clip_info clip;
    if (show->clip.id != 0) { return show->clip; }
    for (uint32_t c = 1; zo_clip_get(show->loaded.program, (zo_clip){c}, &clip); c++) {
        if (clip.curve_count > 0) { return (zo_clip){c}; }
    }
    return (zo_clip){1};
}

static void close_show(cli_show *show) {
    if (show == NULL) { return; }
    cli_show_close(show);
    free(show);
}

// What was to be carried over and is there no more must not keep the new one from being seen.
static void take_over(play *p, cli_show *next, const char *changed) {
    const uint64_t hash = zo_program_hash(p->show->loaded.program);
    zo_clip_info clip;
    p->gone = (text){{0}};
    p->gone_count = 0;
    if (!cli_show_adopt(next, p->show, hear, p, note_gone)) {
        NOTE(p, "not enough memory to take in what was saved");
        close_show(next);
        return;
    }
    p->chosen = zo_clip_get(p->show->loaded.program, p->chosen, &clip) ? zo_clip_find(next->loaded.program, clip.name)
                                                                       : (zo_clip){0};
    if (p->chosen.id == 0) { p->chosen = first_choice(next); }
    if (zo_clip_get(p->show->loaded.program, p->show->clip, &clip) && !next->whole) {
        const zo_clip same = zo_clip_find(next->loaded.program, clip.name);
        if (same.id != 0) { next->clip = same; }
    }
    close_show(p->show);
    p->show = next;
    next->pictures.waits = false;
    p->asked = 0;
    free(p->faults);
    p->faults = NULL;
    p->event = (text){{0}};
    p->flashed = 0;
    p->quiet_ns = -1;
    const uint32_t warnings = zo_report_total(next->loaded.report, ZO_WARNING);
    if (p->gone_count > 0) {
        NOTE(p, "%s taken in; gone: %s%s", changed, p->gone.text, p->gone_count > 6 ? " and more" : "");
    } else if (warnings > 0) {
        NOTE(p, "%s taken in, with %u warning%s; 'zoetrope check' tells", changed, warnings, warnings == 1 ? "" : "s");
    } else if (hash != zo_program_hash(next->loaded.program) || strchr(changed, '.') != NULL) {
        NOTE(p, "%s taken in", changed); // of a folder in which nothing of ours has changed there is nothing to say
    }
}

static void reload(play *p, const char *path) {
    char changed[128];
    snprintf(changed, sizeof changed, "%s", base_name(path));
    cli_show *next = calloc(1, sizeof *next);
    if (next == NULL) { return; }
    const capture c = begin_capture();
    const int code = cli_show_open(next, p->args, cli_use_color(p->args, stdout));
    char *said = end_capture(c);
    if (code == CLI_FINE) { cli_watch_begin(&p->watch); } // else also what the old one was made of
    cli_show_files(next, take_file, &p->watch);
    if (code == CLI_FINE) { cli_watch_end(&p->watch); }
    p->stale = true;
    if (code == CLI_FINE) {
        take_over(p, next, changed);
        free(said);
        return;
    }
    const uint32_t errors = next->loaded.report != NULL ? zo_report_total(next->loaded.report, ZO_ERROR) : 0;
    if (errors > 0) {
        set_text(&p->fault_title, "%u error%s in what was saved; what was there before plays on", errors,
                 errors == 1 ? "" : "s");
    } else {
        set_text(&p->fault_title, "what was saved cannot be played; what was there before plays on");
    }
    close_show(next);
    free(p->faults);
    p->faults = said;
}

static void look_at_files(play *p, int64_t now_ns) {
    const char *path;
    if (!cli_given(p->args, CLI_OPT_WATCH) || now_ns < p->look_ns) { return; }
    p->look_ns = now_ns + CLI_WATCH_MS * 1000000;
    if (cli_watch_look(&p->watch, &path) == CLI_WATCH_CHANGED) { reload(p, path); }
}

// ---------------------------------------------------------------------------------------------------- the clock

// The last input of the log is not yet to come.
static bool at_the_front(const play *p) {
    zo_input last;
    const uint32_t count = zo_timeline_input_count(p->show->timeline);
    return count == 0 || (zo_timeline_input_at(p->show->timeline, count - 1, &last) &&
                          last.t_ns <= zo_instance_now_ns(p->show->instance));
}

// A clip that plays once is seen again and again; one's own script is not interrupted.
static void play_again(play *p) {
    const int64_t now_ns = zo_instance_now_ns(p->show->instance);
    if (p->show->whole || !p->again || p->show->script.count > 0) { return; }
    if (zo_instance_live_count(p->show->instance) > 0) {
        p->quiet_ns = -1;
    } else if (p->quiet_ns < 0 || p->quiet_ns > now_ns) {
        p->quiet_ns = now_ns;
    } else if (now_ns - p->quiet_ns >= REST_NS && at_the_front(p)) {
        p->quiet_ns = -1;
        cli_show_begin_clip(p->show, p->show->clip);
        cli_show_seek(p->show, now_ns);
    }
}

// Time is scaled in whole numbers and the rest is carried, so that at any speed none is lost.
static void move_clock(play *p, int64_t now_ns) {
    int64_t passed_ns = now_ns - p->last_ns;
    p->last_ns = now_ns;
    if (p->paused || passed_ns <= 0) { return; }
    if (passed_ns > LEAP_NS) { passed_ns = 0; }
    const int64_t scaled = passed_ns * speeds[p->speed].speed + p->carry;
    int64_t to_ns = zo_instance_now_ns(p->show->instance) + scaled / speeds[p->speed].slowness;
    p->carry = scaled % speeds[p->speed].slowness;
    if (p->to_ns >= 0 && to_ns >= p->to_ns) {
        to_ns = p->to_ns;
        p->quit = true;
    }
    cli_show_seek(p->show, to_ns);
    play_again(p);
}

// ---------------------------------------------------------------------------------------------------- the picture

// Light where the pictures are dark and the other way round, so that what is clear is seen to be.
static void pick_background(play *p) {
    double light = 0.0, weight = 0.0;
    cli_pictures *pictures = &p->show->pictures;
    if (p->given_background) { return; }
    if (pictures->stored > 0) { // one stands for all
        cli_pictures_begin(pictures);
        cli_pictures_take(pictures, 1);
    }
    for (uint32_t i = 0; i < pictures->count; i++) {
        const zo_image *image = &pictures->images[i];
        for (uint32_t y = 0; y < image->height; y += 1 + image->height / 64) {
            const uint8_t *row = image->pixels + (size_t)y * image->stride;
            for (uint32_t x = 0; x < image->width; x += 1 + image->width / 64) {
                const uint8_t *at = row + (size_t)x * 4;
                light += 0.30 * at[0] + 0.59 * at[1] + 0.11 * at[2];
                weight += at[3];
            }
        }
    }
    const bool dark = weight > 0.0 && light < 0.45 * weight;
    memcpy(p->background, dark ? (const uint8_t[4]){226, 226, 222, 255} : (const uint8_t[4]){38, 42, 50, 255}, 4);
}

// A board of two near tones, as where pictures are painted, of whole cells, so that it is no work for the terminal; one
// tone when it was asked for.
static void put_background(const play *p, zo_image *image, uint32_t cell_width, uint32_t cell_height) {
    const uint8_t *c = p->background;
    const uint32_t side = p->size.rows / 12 > 1 ? p->size.rows / 12 : 1; // cells high
    const uint32_t width = side * 2 * cell_width, height = side * cell_height;
    uint8_t tones[2][4];
    for (int t = 0; t < 2; t++) {
        const int shift = p->given_background || t == 0 ? 0 : c[0] < 128 ? 8 : -10;
        for (int i = 0; i < 3; i++) { tones[t][i] = (uint8_t)((c[i] + shift) * c[3] / 255); }
        tones[t][3] = c[3];
    }
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *at = image->pixels + (size_t)y * image->stride;
        for (uint32_t x = 0; x < image->width; x++, at += 4) { memcpy(at, tones[(y / height + x / width) & 1], 4); }
    }
}

static bool size_image(zo_image *image, uint32_t width, uint32_t height) {
    if (image->pixels != NULL && image->width == width && image->height == height) { return true; }
    free(image->pixels);
    *image = (zo_image){calloc((size_t)width * height + 1, 4), width, height, (size_t)width * 4};
    return image->pixels != NULL;
}

// Whatever a terminal says of itself, there is an end to what is drawn for it.
static bool is_too_large(cli_area area, uint32_t cell_width, uint32_t cell_height) {
    static const uint64_t SIDE_MAX = 16384, PIXELS_MAX = 1 << 24; // px
    const uint64_t width = (uint64_t)area.width * cell_width, height = (uint64_t)area.height * cell_height;
    return width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX;
}

// Pixels of a cell in the picture as it is drawn. A terminal that takes pictures stretches them, so a large screen need
// not cost more than a small one.
static void cell_pixels(const play *p, cli_area area, uint32_t *width, uint32_t *height) {
    static const uint32_t PIXELS_MAX = 120000;
    *width = 1;
    *height = 2;
    if (p->way == CLI_WAY_SYMBOLS) { *width = 8, *height = 16; }
    if (p->way == CLI_WAY_KITTY || p->way == CLI_WAY_SIXEL) {
        *width = p->size.cell_width > 0 ? p->size.cell_width : 10;
        *height = p->size.cell_height > 0 ? p->size.cell_height : 20;
    }
    while (p->way == CLI_WAY_KITTY && *width > 4 && *height > 8 &&
           (uint64_t)area.width * area.height * *width * *height > PIXELS_MAX) {
        *width = *width * 3 / 4;
        *height = *height * 3 / 4;
    }
    while ((*width > 1 || *height > 2) && is_too_large(area, *width, *height)) {
        *width = *width > 2 ? *width / 2 : 1;
        *height = *height > 4 ? *height / 2 : 2;
    }
}

// The room for the picture: all above the text, or --size in half cells, in the middle. Pictures that are sent whole
// take what the stage needs and no more.
static cli_area picture_area(const play *p, uint32_t rows) {
    cli_area area = {0, 0, p->wanted.width, rows};
    double stage[4];
    zo_program_stage(p->show->loaded.program, stage);
    const bool whole = p->way == CLI_WAY_KITTY || p->way == CLI_WAY_SIXEL;
    const double width = ceil(2.0 * rows * (stage[2] - stage[0]) / (stage[3] - stage[1]));
    if (whole && p->width == 0 && width < area.width) {
        area.width = (uint32_t)width;
        area.column = (p->wanted.width - area.width) / 2;
    }
    if (p->width > 0) {
        const uint32_t height = (p->height + 1) / 2;
        area.width = p->width < area.width ? p->width : area.width;
        area.height = height < area.height ? height : area.height;
        area.column = (p->wanted.width - area.width) / 2;
        area.row = (rows - area.height) / 2;
    }
    return area;
}

// A terminal with pictures gets one only when it is another than before.
static void send_picture(play *p, cli_area area, uint32_t cell_width, uint32_t cell_height, bool covered) {
    if (covered) {
        if (p->sent_area.width > 0) { cli_out_text(&p->out, cli_chafa_at_end(p->way)); }
        p->sent_area.width = 0;
        return;
    }
    const bool same_area = memcmp(&area, &p->sent_area, sizeof area) == 0;
    const size_t size = p->image.stride * p->image.height;
    const bool same_size = p->sent.width == p->image.width && p->sent.height == p->image.height;
    zo_image_unpremultiply(&p->image);
    if (same_area && same_size && memcmp(p->sent.pixels, p->image.pixels, size) == 0) { return; }
    if (!size_image(&p->sent, p->image.width, p->image.height)) { return; }
    memcpy(p->sent.pixels, p->image.pixels, size);
    p->sent_area = area;
    cli_chafa_send(p->way, &p->sent, area, cell_width, cell_height, &p->out);
}

static double nearness_of(const play *p) { return pow(1.25, p->zoom); }

// Pixels a unit: --scale, for which a cell is one pixel wide, or as large as lets the stage fit; and nearer or farther,
// which with what stands in space is the camera's affair.
static double scale_of(const play *p, uint32_t cell_width) {
    const zo_program *program = p->show->loaded.program;
    const bool solid = zo_mesh_count(program) > 0;
    if (solid && !(p->pixels_per_unit > 0.0)) { return 0.0; } // the camera fits it
    double stage[4];
    zo_program_stage(program, stage);
    const double fit = fmin(p->image.width / (stage[2] - stage[0]), p->image.height / (stage[3] - stage[1]));
    const double scale = p->pixels_per_unit > 0.0 ? p->pixels_per_unit * cell_width : fit;
    return solid ? scale : scale * nearness_of(p);
}

static bool draw_picture(play *p, cli_area area) {
    uint32_t cell_width, cell_height;
    if (area.width == 0 || area.height == 0) { return true; }
    cell_pixels(p, area, &cell_width, &cell_height);
    if (!size_image(&p->image, area.width * cell_width, area.height * cell_height)) { return false; }
    put_background(p, &p->image, cell_width, cell_height);
    p->show->scene.space.camera = p->camera;
    p->show->scene.space.camera.zoom *= nearness_of(p);
    if (!cli_scene_draw(&p->show->scene, p->show->instance, scale_of(p, cell_width),
                        cli_given(p->args, CLI_OPT_NEAREST), &p->image)) {
        return false;
    }
    switch (p->way) {
    case CLI_WAY_BLOCKS: cli_grid_picture(&p->wanted, area, &p->image); break;
    case CLI_WAY_SYMBOLS:
        zo_image_unpremultiply(&p->image);
        cli_chafa_symbols(&p->wanted, area, &p->image);
        break;
    case CLI_WAY_KITTY:
    case CLI_WAY_SIXEL: break; // after the text, which is sent first
    }
    return true;
}

static cli_panel panel_of(const play *p, const text *name) {
    uint32_t clip_count;
    cli_show_clip_place(p->show, p->chosen, &clip_count);
    return (cli_panel){
        .show = p->show,
        .name = name->text,
        .paused = p->paused,
        .hidden = cli_show_is(p->show, ZO_INPUT_SET_HIDDEN),
        .reduced = cli_show_is(p->show, ZO_INPUT_SET_REDUCED_MOTION),
        .again = p->again,
        .speed = speeds[p->speed].speed,
        .slowness = speeds[p->speed].slowness,
        .fps = p->fps_seen,
        .chosen = clip_count > 1 && !p->show->graph ? p->chosen : (zo_clip){0},
        .asked = p->show->graph ? p->show->asked[p->asked] : NULL,
        .note = p->note.text[0] != 0 && p->last_ns < p->note_ns ? p->note.text : p->event.text,
        .fault_title = p->faults != NULL ? p->fault_title.text : NULL,
        .faults = p->faults,
    };
}

static void count_frame(play *p) {
    if (p->counted_ns == 0) { // the first one: from here on
        p->counted_ns = p->last_ns;
        return;
    }
    p->frames++;
    if (p->last_ns - p->counted_ns < SECOND_NS) { return; }
    p->fps_seen = (uint32_t)((double)p->frames * 1e9 / (double)(p->last_ns - p->counted_ns) + 0.5);
    p->frames = 0;
    p->counted_ns = p->last_ns;
}

// Each texture that cannot be shown, once.
static void note_faults(play *p) {
    char words[4600];
    while (cli_pictures_next_fault(&p->show->pictures, words, sizeof words)) {
        NOTE(p, "%s", words);
        p->stale = true;
    }
}

// Everything into the grid, then what differs to the terminal, as one frame where it knows such (mode 2026; where it
// does not, the two sequences do nothing).
static bool draw(play *p) {
    static const char begin[] = "\x1b[?2026h";
    const text name = name_of(p->args->operands[0]);
    const cli_panel panel = panel_of(p, &name);
    if (!cli_grid_size(&p->wanted, p->size.columns, p->size.rows)) { return false; }
    const uint32_t text_rows = cli_panel_rows(&panel, p->wanted.width, p->wanted.height),
        rows = p->wanted.height - text_rows;
    const cli_area area = picture_area(p, rows);
    if (!draw_picture(p, area)) { return false; }
    cli_panel_draw(&panel, &p->wanted, rows);
    if (p->help) { cli_panel_help(&panel, &p->wanted); }
    p->out.size = 0;
    cli_out_text(&p->out, begin);
    if (p->shown.width != p->wanted.width || p->shown.height != p->wanted.height) { p->sent_area.width = 0; }
    cli_blocks_send(&p->shown, &p->wanted, &p->out);
    if ((p->way == CLI_WAY_KITTY || p->way == CLI_WAY_SIXEL) && area.width > 0 && area.height > 0) {
        uint32_t cell_width, cell_height;
        cell_pixels(p, area, &cell_width, &cell_height);
        send_picture(p, area, cell_width, cell_height, p->help);
    }
    p->stale = false;
    count_frame(p);
    note_faults(p);
    if (p->out.failed) { return false; }
    if (p->out.size == sizeof begin - 1) { return true; } // nothing has changed
    cli_out_text(&p->out, "\x1b[?2026l");
    if (!cli_terminal_write(p->out.data, p->out.size)) { p->quit = true; }
    return true;
}

// ---------------------------------------------------------------------------------------------------- keys

static bool add(play *p, zo_input input) { return cli_show_add(p->show, &input); }

// A state at once, or what a graph goes to by its edges.
static void ask_for(play *p, uint32_t index) {
    if (!p->show->whole || index >= p->show->asked_count) { return; }
    add(p, (zo_input){.kind = p->show->graph ? ZO_INPUT_TRIGGER : ZO_INPUT_REQUEST, .text = p->show->asked[index]});
}

static void click(play *p) {
    if (!p->show->whole || p->show->graph) {
        NOTE(p, "nobody here minds a click: that is for pets");
    } else {
        add(p, (zo_input){.kind = ZO_INPUT_CLICK});
    }
}

static void flash(play *p) {
    const cli_pictures *pictures = &p->show->pictures;
    zo_cel_info cel;
    uint32_t next = p->flashed;
    if (p->show->graph) { return; } // it shows what its clips do
    for (uint32_t tries = 0; tries < pictures->cel_count; tries++) {
        next = next % pictures->cel_count + 1;
        if (pictures->cel_images[next - 1] != 0) { break; }
    }
    if (next == 0 || !zo_cel_get(p->show->loaded.program, (zo_cel){next}, &cel)) { return; }
    p->flashed = next;
    const bool done = p->show->whole ? add(p, (zo_input){.kind = ZO_INPUT_FLASH, .id = next, .number = FLASH_MS})
                                     : add(p, (zo_input){.kind = ZO_INPUT_SHOW, .id = next});
    NOTE(p, done ? "picture %s" : "picture %s: not now", cel.name);
}

static void choose(play *p, bool forward) {
    zo_clip_info clip;
    uint32_t count;
    if (p->show->graph) {
        count = p->show->asked_count;
        p->asked = (p->asked + (forward ? 1 : count - 1)) % count;
        NOTE(p, "p asks for %s, %u of %u", p->show->asked[p->asked], p->asked + 1, count);
        return;
    }
    p->chosen = cli_show_next_clip(p->show, p->chosen, forward);
    if (!zo_clip_get(p->show->loaded.program, p->chosen, &clip)) { return; }
    const uint32_t place = cli_show_clip_place(p->show, p->chosen, &count);
    NOTE(p, "p plays %s, %u of %u%s%s", clip.name, place, count, *clip.kind != 0 ? ": " : "", clip.kind);
}

static void play_chosen(play *p) {
    zo_clip_info clip;
    if (p->show->graph) {
        ask_for(p, p->asked);
        return;
    }
    if (!zo_clip_get(p->show->loaded.program, p->chosen, &clip)) { return; }
    bool done = true;
    if (p->show->whole) {
        done = add(p, (zo_input){.kind = ZO_INPUT_PLAY, .text = clip.name, .on = true});
    } else {
        done = cli_show_begin_clip(p->show, p->chosen);
        cli_show_seek(p->show, zo_instance_now_ns(p->show->instance));
    }
    p->quiet_ns = -1;
    if (!done) { NOTE(p, "%s: not now", clip.name); }
}

// While somebody speaks they are heard, too; how loud is changed then.
static void speak(play *p) {
    zo_target_state now;
    if (!p->show->graph || !zo_instance_state(p->show->instance, &now)) { return; }
    add(p, (zo_input){.kind = ZO_INPUT_SET_MOUTH, .number = now.speaking ? 0.0 : LOUD});
    add(p, (zo_input){.kind = ZO_INPUT_SPEAKING, .on = !now.speaking});
}

static void speak_louder(play *p, double by) {
    zo_target_state now;
    if (!p->show->graph || !zo_instance_state(p->show->instance, &now)) { return; }
    add(p, (zo_input){.kind = ZO_INPUT_SET_MOUTH, .number = floor((now.mouth + by) * 10.0 + 0.5) / 10.0});
    zo_instance_state(p->show->instance, &now);
    NOTE(p, "mouth %.1f%s", now.mouth, now.speaking ? "" : ", and nobody speaks");
}

static void ask_after(play *p) {
    if (p->show->graph && p->show->whole) {
        add(p, (zo_input){.kind = ZO_INPUT_TRIGGER, .text = p->show->asked[p->asked], .on = true});
    }
}

static void toggle(play *p, zo_input_kind kind) {
    add(p, (zo_input){.kind = kind, .on = !cli_show_is(p->show, kind)});
}

static void seek(play *p, int64_t by_ns) {
    const int64_t now_ns = zo_instance_now_ns(p->show->instance);
    const int64_t to_ns = now_ns + by_ns > 0 ? now_ns + by_ns : 0;
    p->event = (text){{0}};
    p->quiet_ns = -1;
    cli_show_seek(p->show, to_ns);
    if (zo_instance_now_ns(p->show->instance) > to_ns) { NOTE(p, "no way back behind what was taken in last"); }
}

static void restart(play *p) {
    p->show->hidden = false;
    p->show->reduced = cli_given(p->args, CLI_OPT_REDUCED_MOTION);
    p->carry = 0;
    p->quiet_ns = -1;
    p->event = p->note = (text){{0}};
    if (!cli_show_start(p->show, hear, p)) { p->quit = true; }
}

static void one_frame(play *p) {
    p->paused = true;
    cli_show_seek(p->show, zo_instance_now_ns(p->show->instance) + (int64_t)(1e9 / p->fps));
}

static void press_character(play *p, uint32_t code) {
    if (code >= '0' && code <= '9') {
        ask_for(p, code == '0' ? 9 : code - '1');
        return;
    }
    switch (code) {
    case ' ': p->paused = !p->paused; break;
    case '.': one_frame(p); break;
    case 'c': click(p); break;
    case 'f': flash(p); break;
    case 'h': toggle(p, ZO_INPUT_SET_HIDDEN); break;
    case 'm': toggle(p, ZO_INPUT_SET_REDUCED_MOTION); break;
    case 'n': choose(p, true); break;
    case 'N': choose(p, false); break;
    case 'p': play_chosen(p); break;
    case 'r': restart(p); break;
    case 'b':
        if (p->show->graph) { add(p, (zo_input){.kind = ZO_INPUT_RELEASE}); }
        break;
    case 's': speak(p); break;
    case 'a': ask_after(p); break;
    case 'l':
        p->again = !p->again;
        if (!p->show->whole) { NOTE(p, p->again ? "again and again" : "once"); }
        break;
    case 'z': p->zoom += p->zoom < 12 ? 1 : 0; break;
    case 'Z': p->zoom -= p->zoom > -12 ? 1 : 0; break;
    case '+': p->speed += p->speed + 1 < SPEED_COUNT ? 1 : 0; break;
    case '-': p->speed -= p->speed > 0 ? 1 : 0; break;
    case '=': p->speed = NORMAL_SPEED; break;
    case '?': p->help = !p->help; break;
    case 'q': p->quit = true; break;
    case 0x0C: p->shown.width = 0; break; // Ctrl-L: all anew
    default: break;
    }
}

static void press(play *p, const cli_key *key) {
    p->stale = true;
    switch (key->kind) {
    case CLI_KEY_CHARACTER: press_character(p, key->code); break;
    case CLI_KEY_ESCAPE: p->help = false; break;
    case CLI_KEY_UP: speak_louder(p, 0.1); break;
    case CLI_KEY_DOWN: speak_louder(p, -0.1); break;
    case CLI_KEY_LEFT: seek(p, -SECOND_NS); break;
    case CLI_KEY_RIGHT: seek(p, SECOND_NS); break;
    case CLI_KEY_HOME: restart(p); break;
    case CLI_KEY_PRESS:
        if (key->row + cli_panel_rows(&(cli_panel){0}, p->size.columns, p->size.rows) < p->size.rows) { click(p); }
        break;
    default: break;
    }
}

static void read_keys(play *p) {
    uint8_t bytes[512];
    cli_key key;
    const size_t count = cli_terminal_read(bytes, sizeof bytes);
    if (count == 0) { p->quit = true; }
    for (size_t i = 0; i < count && !p->quit; i++) {
        if (cli_keys_take(&p->keys, bytes[i], &key)) { press(p, &key); }
    }
}

// ---------------------------------------------------------------------------------------------------- the loop

// What it cost to get there is in the wait: a frame begins at a multiple of its length, or late, and none is made up
// for.
static int64_t next_frame_ns(const play *p, int64_t frame_ns) {
    const int64_t next_ns = frame_ns + (int64_t)(1e9 / p->fps), now_ns = wall_ns();
    return next_ns > now_ns ? next_ns : now_ns;
}

static void wait_until(play *p, int64_t until_ns) {
    cli_key key;
    int64_t wait_ns = until_ns - wall_ns();
    if (cli_keys_wait(&p->keys) && wait_ns > ESCAPE_NS) { wait_ns = ESCAPE_NS; }
    const bool waiting = cli_keys_wait(&p->keys);
    const uint32_t wakes = cli_terminal_wait(wait_ns > 0 ? wait_ns : 0);
    if ((wakes & CLI_WAKE_GONE) != 0) { p->quit = true; }
    if ((wakes & CLI_WAKE_BYTES) != 0) {
        read_keys(p);
    } else if (waiting && wakes == 0 && cli_keys_give_up(&p->keys, &key)) {
        press(p, &key);
    }
    if ((wakes & CLI_WAKE_SUSPEND) != 0) { cli_terminal_suspend(); }
    if ((wakes & (CLI_WAKE_SUSPEND | CLI_WAKE_RETURNED)) != 0) {
        p->shown.width = 0;
        p->last_ns = wall_ns(); // it stood still meanwhile
    }
    if ((wakes & (CLI_WAKE_SUSPEND | CLI_WAKE_RETURNED | CLI_WAKE_RESIZED)) != 0) {
        p->size = cli_terminal_get_size();
        p->stale = true;
    }
}

static int loop(play *p) {
    int64_t frame_ns = p->last_ns = wall_ns(), next_ns = frame_ns;
    p->stale = true;
    while (!p->quit) {
        const int64_t now_ns = wall_ns();
        const bool due = now_ns >= next_ns;
        look_at_files(p, now_ns);
        if (due || p->stale) {
            move_clock(p, now_ns);
            if (!draw(p)) { return CLI_INTERNAL; }
        }
        if (due) {
            frame_ns = now_ns - next_ns < (int64_t)(1e9 / p->fps) ? next_ns : now_ns;
            next_ns = next_frame_ns(p, frame_ns);
        }
        // Where nothing moves there is nothing to draw: then only files are looked at, and words of ours go.
        int64_t until_ns = next_ns;
        if (p->paused && !p->stale) {
            until_ns = now_ns + (cli_given(p->args, CLI_OPT_WATCH) ? 1 : 10) * SECOND_NS / 10;
        }
        if (!p->quit) { wait_until(p, until_ns); }
    }
    return CLI_FINE;
}

// ---------------------------------------------------------------------------------------------------- options

static bool pick_way(play *p) {
    static const cli_way ways[] = {CLI_WAY_BLOCKS, CLI_WAY_KITTY, CLI_WAY_SIXEL, CLI_WAY_SYMBOLS, CLI_WAY_BLOCKS};
    uint32_t choice = 0;
    if (!cli_choice(p->args, CLI_OPT_TERMINAL, &choice)) { return false; }
    p->way = choice == 0 ? cli_chafa_detect() : ways[choice];
    if (choice == 0 || p->way == CLI_WAY_BLOCKS || cli_chafa_here()) { return true; }
    cli_usage(p->args, "this zoetrope was built without chafa, which --terminal %s wants; blocks need nothing",
              p->args->values[CLI_OPT_TERMINAL]);
    return false;
}

static bool pick_options(play *p) {
    const cli_args *args = p->args;
    p->fps = 30.0;
    p->to_ns = -1;
    p->given_background = cli_given(args, CLI_OPT_BACKGROUND);
    if (!cli_one_operand(args) || !pick_way(p) || !cli_number(args, CLI_OPT_FPS, 0.1, 240.0, &p->fps) ||
        !cli_number(args, CLI_OPT_SCALE, 1e-3, 1e4, &p->pixels_per_unit) || !cli_camera(args, &p->camera) ||
        !cli_size(args, CLI_OPT_SIZE, &p->width, &p->height) || !cli_color(args, CLI_OPT_BACKGROUND, p->background)) {
        return false;
    }
    const zo_clip_info seconds = {.time_unit = ZO_TIME_SECONDS, .duration_ns = SECOND_NS};
    const char *path = args->operands[0], *to = args->values[CLI_OPT_TO];
    if (to != NULL && !cli_time(to, CLI_BARE_SECONDS, &seconds, &p->to_ns)) {
        cli_usage(args, "--to wants one time such as 120ms or 0.12s, not '%s'", to);
        return false;
    }
    if (strcmp(path, "-") == 0) {
        cli_usage(args, "play takes its keys from the standard input, so the animation must be a file");
        return false;
    }
    if (cli_given(args, CLI_OPT_WATCH) && cli_is_builtin(path)) {
        cli_usage(args, "'%s' is built in and never changes; --watch is for files", path);
        return false;
    }
    return true;
}

// A terminal that cannot place its cursor would show a mess.
static bool has_terminal(const cli_args *args) {
    const char *terminal = getenv("TERM");
    if (!cli_terminal_here()) {
        cli_usage(args, "play shows the animation in a terminal and takes keys from it, and here is none; "
                        "'zoetrope render' writes it to a file");
        return false;
    }
    if (terminal == NULL || *terminal == 0 || strcmp(terminal, "dumb") == 0) {
        cli_usage(args, "this terminal%s%s%s cannot show pictures; 'zoetrope render' writes them to a file",
                  terminal != NULL && *terminal != 0 ? " (TERM is " : "", terminal != NULL ? terminal : "",
                  terminal != NULL && *terminal != 0 ? ")" : "");
        return false;
    }
    return true;
}

static int run(play *p) {
    if (!cli_show_start(p->show, hear, p)) { return CLI_INTERNAL; }
    pick_background(p);
    p->show->pictures.waits = false; // the clock does not wait
    p->chosen = first_choice(p->show);
    p->speed = NORMAL_SPEED;
    p->again = true;
    p->quiet_ns = -1;
    p->shown.true_color = p->wanted.true_color = cli_terminal_true_color();
    p->size = cli_terminal_get_size();
    if (!cli_terminal_enter(cli_chafa_at_end(p->way))) { return CLI_FILES; }
    const int code = loop(p);
    cli_terminal_leave();
    return code;
}

int cli_play(const cli_args *args) {
    play p = {.args = args};
    if (!pick_options(&p) || !has_terminal(args)) { return CLI_USAGE; }
    p.show = calloc(1, sizeof *p.show);
    if (p.show == NULL) { return CLI_INTERNAL; }
    if (cli_given(args, CLI_OPT_WATCH)) { cli_watch_add(&p.watch, args->operands[0]); } // as it is before it is read
    int code = cli_show_open(p.show, args, cli_use_color(args, stderr));
    if (cli_given(args, CLI_OPT_WATCH)) { cli_show_files(p.show, take_file, &p.watch); }
    if (code == CLI_FINE) {
        code = run(&p);
        if (code == CLI_INTERNAL) { cli_say("not enough memory"); }
    }
    close_show(p.show);
    cli_grid_free(&p.shown);
    cli_grid_free(&p.wanted);
    cli_out_free(&p.out);
    cli_watch_free(&p.watch);
    free(p.image.pixels);
    free(p.sent.pixels);
    free(p.faults);
    return code;
}
