// See panel.h.
#include <stdarg.h>
#include <string.h>

#include "panel.h"

static const cli_pen PLAIN = {0, 0, 0}, DIM = {0, 0, CLI_DIM}, STRONG = {0, 0, CLI_BOLD}, ACTIVE = {0, 0, CLI_INVERSE};
static const cli_pen NAME = {CLI_INK_INDEX(6), 0, CLI_BOLD}, ALARM = {CLI_INK_INDEX(1), 0, CLI_BOLD | CLI_INVERSE};
enum { GAP = 2, KEYED_STATES = 10 };

const char *cli_panel_short(const char *name) {
    const char *colon = strchr(name, ':');
    return colon != NULL && colon[1] != 0 ? colon + 1 : name;
}

// A row that is filled from both ends. What finds no room in the middle is left away, or cut where it may be.
typedef struct line {
    cli_grid *grid;
    uint32_t row, left, right;
} line;

static line line_at(cli_grid *grid, uint32_t row) {
    cli_grid_clear(grid, (cli_area){0, row, grid->width, 1}, PLAIN);
    return (line){grid, row, grid->width > 1 ? 1 : 0, grid->width > 1 ? grid->width - 1 : grid->width};
}

static bool fits(const line *l, uint32_t width) { return l->left + width <= l->right; }

static void put_cut(line *l, cli_pen pen, const char *text) {
    const uint32_t width = cli_text_width(text);
    if (l->left >= l->right || width == 0) { return; }
    if (fits(l, width)) {
        l->left = cli_grid_text(l->grid, l->row, l->left, l->right, pen, text);
        return;
    }
    cli_grid_text(l->grid, l->row, l->left, l->right - 1, pen, text);
    cli_grid_text(l->grid, l->row, l->right - 1, l->right, pen, "…");
    l->left = l->right;
}

static void put_whole(line *l, cli_pen pen, const char *text) {
    if (fits(l, cli_text_width(text))) { put_cut(l, pen, text); }
}

static void put_right(line *l, cli_pen pen, const char *text) {
    const uint32_t width = cli_text_width(text);
    if (width == 0 || !fits(l, width)) { return; }
    cli_grid_text(l->grid, l->row, l->right - width, l->right, pen, text);
    l->right -= width + GAP < l->right ? width + GAP : l->right;
}

typedef struct phrase { char text[160]; } phrase;

__attribute__((format(printf, 1, 2))) static phrase say(const char *format, ...) {
    phrase p;
    va_list list;
    va_start(list, format);
    vsnprintf(p.text, sizeof p.text, format, list);
    va_end(list);
    return p;
}

// ---------------------------------------------------------------------------------------------------- where it stands

static void put_runs(const cli_panel *panel, line *l) {
    zo_run_info run;
    zo_clip_info clip;
    for (uint32_t i = 0; zo_instance_run_at(panel->show->instance, i, &run); i++) {
        if (!zo_clip_get(panel->show->loaded.program, run.clip, &clip)) { continue; }
        const phrase time = run.waiting ? say(" waits") : say(" %.0f/%.0f ms", (double)run.local_ns / 1e6,
                                                              (double)run.duration_ns / 1e6);
        if (l->left + GAP >= l->right) { return; }
        l->left += GAP;
        put_cut(l, PLAIN, cli_panel_short(clip.name));
        put_whole(l, DIM, time.text);
    }
}

static void draw_standing(const cli_panel *panel, cli_grid *grid, uint32_t row) {
    line l = line_at(grid, row);
    zo_target_state target;
    const double now_s = (double)zo_instance_now_ns(panel->show->instance) / 1e9;
    if (grid->width >= 60 && panel->fps > 0) { put_right(&l, DIM, say("%u fps", panel->fps).text); }
    if (grid->width >= 24) { put_right(&l, PLAIN, say("%.1f s", now_s).text); }
    if (panel->speed != 1 || panel->slowness != 1) {
        put_right(&l, STRONG, panel->slowness > 1 ? say("×1/%u", panel->slowness).text : say("×%u", panel->speed).text);
    }
    if (panel->reduced) { put_right(&l, STRONG, "less motion"); }
    if (panel->hidden) { put_right(&l, STRONG, "hidden"); }
    if (panel->paused) { put_right(&l, ACTIVE, " paused "); }
    put_cut(&l, NAME, panel->name);
    if (zo_instance_state(panel->show->instance, &target) && panel->show->whole) {
        l.left += GAP;
        put_cut(&l, STRONG, target.name);
        if (target.speaking) { put_cut(&l, PLAIN, say(" · speaks, %.1f", target.mouth).text); }
        if (*target.activity != 0 && strcmp(target.activity, target.name) != 0) {
            put_cut(&l, PLAIN, say(" · %s", target.activity).text);
        }
    }
    put_runs(panel, &l);
}

static void draw_note(const cli_panel *panel, cli_grid *grid, uint32_t row) {
    line l = line_at(grid, row);
    zo_clip_info clip;
    if (grid->width >= 60 && zo_clip_get(panel->show->loaded.program, panel->chosen, &clip)) {
        put_right(&l, DIM, say("p plays %s", cli_panel_short(clip.name)).text);
    }
    if (grid->width >= 60 && panel->asked != NULL && panel->show->asked_count > KEYED_STATES) {
        put_right(&l, DIM, say("p asks for %s", panel->asked).text);
    }
    put_cut(&l, PLAIN, panel->note);
}

// ---------------------------------------------------------------------------------------------------- keys

// "1 idle", the one that it stands in marked. false: there is no room for all of them.
static bool put_states(const cli_panel *panel, line *l) {
    const cli_show *show = panel->show;
    const uint32_t count = show->asked_count < KEYED_STATES ? show->asked_count : KEYED_STATES;
    zo_target_state target = {.name = "", .group = ""};
    uint32_t width = 0;
    for (uint32_t s = 0; s < count; s++) { width += cli_text_width(show->asked[s]) + 4; }
    if (!show->whole || !fits(l, width)) {
        if (show->whole && count > 1) {
            put_whole(l, DIM, say(show->graph ? "1-%u labels  " : "1-%u states  ", count % 10).text);
        }
        return false;
    }
    zo_instance_state(show->instance, &target);
    for (uint32_t s = 0; s < count; s++) {
        const bool here = strcmp(show->graph ? target.group : target.name, show->asked[s]) == 0;
        put_cut(l, STRONG, say("%u", (s + 1) % 10).text);
        put_cut(l, here ? ACTIVE : DIM, say(" %s ", show->asked[s]).text);
        l->left += 1;
    }
    return true;
}

static void draw_keys(const cli_panel *panel, cli_grid *grid, uint32_t row) {
    static const char *const pet_keys[][2] = {{"c", "click"}, {"space", "pause"}, {"f", "flash"}, {"p", "play"},
                                              {"n", "next"}, {"+-", "speed"}};
    static const char *const clip_keys[][2] = {{"space", "pause"}, {"p", "play"}, {"l", "loop"}, {"n", "next"},
                                               {"←→", "1 s"}, {"+-", "speed"}};
    static const char *const graph_keys[][2] = {{"s", "speak"}, {"b", "root"}, {"space", "pause"}, {"n", "next"},
                                                {"p", "ask"}, {"←→", "1 s"}};
    const char *const (*keys)[2] = panel->show->graph ? graph_keys : panel->show->whole ? pet_keys : clip_keys;
    line l = line_at(grid, row);
    put_right(&l, DIM, grid->width >= 30 ? "? help  q quit" : "?  q");
    put_states(panel, &l);
    for (uint32_t i = 0; i < 6; i++) {
        const phrase meaning = say(" %s  ", keys[i][1]);
        if (!fits(&l, cli_text_width(keys[i][0]) + cli_text_width(meaning.text))) { break; }
        put_cut(&l, STRONG, keys[i][0]);
        put_cut(&l, DIM, meaning.text);
    }
}

typedef struct help_row {
    const char *key, *meaning, *word; // the word where there is no room for the meaning
    uint32_t of;      // what there is such a thing of
} help_row;

enum { PET = 1, CLIP = 2, GRAPH = 4, ALL = 7 };

static const help_row help_rows[] = {
    {"1-9 0", "the states, as numbered below", "state", PET},
    {"1-9 0", "asks for a label, as numbered below", "label", GRAPH},
    {"c, mouse", "click", "click", PET},
    {"f", "show the next picture for a moment", "picture", PET | CLIP},
    {"n  N", "choose the next clip, the one before", "choose", PET | CLIP},
    {"n  N", "choose the next label, the one before", "choose", GRAPH},
    {"p", "play the chosen clip", "play", PET | CLIP},
    {"p", "ask for the chosen label", "ask", GRAPH},
    {"a", "ask for it when speech is over", "after", GRAPH},
    {"s", "somebody speaks, and stops", "speak", GRAPH},
    {"↑ ↓", "the voice louder, softer", "voice", GRAPH},
    {"b", "back to the root", "root", GRAPH},
    {"l", "play a clip again and again, or once", "loop", CLIP},
    {"space", "pause, and go on", "pause", ALL},
    {".", "one frame on, and pause", "frame", ALL},
    {"← →", "a second back, a second on", "second", ALL},
    {"+  -  =", "faster, slower, as it is", "speed", ALL},
    {"z  Z", "nearer, farther", "zoom", ALL},
    {"r", "from the beginning", "restart", ALL},
    {"h", "hidden: nobody sees it", "hidden", ALL},
    {"m", "less motion", "motion", PET | CLIP},
    {"?", "this help", "help", ALL},
    {"q", "quit", "quit", ALL},
};
enum { HELP_ROWS = sizeof help_rows / sizeof help_rows[0] };

static void put_help_row(cli_grid *grid, uint32_t row, uint32_t column, uint32_t end, const help_row *r, bool brief) {
    cli_grid_text(grid, row, column, end, (cli_pen){0, 0, CLI_INVERSE | CLI_BOLD}, r->key);
    cli_grid_text(grid, row, column + 10, end, ACTIVE, brief ? r->word : r->meaning);
}

// A key a row with what it does; where that does not fit, two keys a row with a word for each.
void cli_panel_help(const cli_panel *panel, cli_grid *grid) {
    static const uint32_t INNER = 53, BRIEF = 18, MARGIN = 2; // columns
    const help_row *rows[HELP_ROWS];
    const uint32_t of = panel->show->graph ? GRAPH : panel->show->whole ? PET : CLIP;
    uint32_t count = 0;
    for (uint32_t i = 0; i < HELP_ROWS; i++) {
        if ((help_rows[i].of & of) != 0) { rows[count++] = &help_rows[i]; }
    }
    const bool brief = grid->width < INNER || grid->height < count;
    const uint32_t columns = brief && grid->width >= MARGIN + 2 * BRIEF ? 2 : 1;
    const uint32_t width = brief ? MARGIN + columns * BRIEF : INNER, height = (count + columns - 1) / columns;
    cli_area area = {.width = width < grid->width ? width : grid->width,
                     .height = height + 2 < grid->height ? height + 2 : grid->height};
    area.column = (grid->width - area.width) / 2;
    area.row = (grid->height - area.height) / 2;
    cli_grid_clear(grid, area, ACTIVE);
    const uint32_t first = area.row + (area.height > height ? 1 : 0), end = area.column + area.width;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = first + i % height, column = area.column + MARGIN + i / height * BRIEF;
        if (row < area.row + area.height) { put_help_row(grid, row, column, end, rows[i], brief); }
    }
}

// ---------------------------------------------------------------------------------------------------- faults

// A sequence that colours, as our reports have them; any other is passed over. Returns what follows it.
static const char *take_sgr(const char *at, cli_pen *pen) {
    uint32_t number = 0;
    for (at += 2; *at != 0 && *at != '\n'; at++) {
        if (*at >= '0' && *at <= '9') {
            number = number < 1000 ? number * 10 + (uint32_t)(*at - '0') : number;
            continue;
        }
        if (*at != ';' && *at != 'm') { return *at >= 0x40 ? at + 1 : at; }
        if (number == 0) { *pen = PLAIN; }
        if (number == 1) { pen->style |= CLI_BOLD; }
        if (number == 2) { pen->style |= CLI_DIM; }
        if (number >= 30 && number <= 37) { pen->ink = CLI_INK_INDEX(number - 30); }
        if (number == 39) { pen->ink = 0; }
        number = 0;
        if (*at == 'm') { return at + 1; }
    }
    return at;
}

// A line of the source, or of marks under it: cut where others are wrapped, for its places must stay one under another.
static bool is_quoted(const char *at) {
    while (*at == ' ' || (*at >= '0' && *at <= '9')) { at++; }
    while (at[0] == 0x1B && at[1] == '[') { // the bar is coloured
        at += 2 + strspn(at + 2, "0123456789;");
        at += *at != 0;
        at += strspn(at, " 0123456789");
    }
    return *at == '|';
}

// The end of what fits into a row of this width, and in `next` the start of the row after it.
static const char *row_end(const char *at, uint32_t width, const char **next) {
    cli_pen pen = PLAIN;
    const char *space = NULL;
    const bool quoted = is_quoted(at);
    uint32_t column = 0;
    while (*at != 0 && *at != '\n') {
        if (at[0] == 0x1B && at[1] == '[') {
            at = take_sgr(at, &pen);
            continue;
        }
        if (!quoted && column >= width) {
            *next = space != NULL ? space + 1 : at;
            return space != NULL ? space : at;
        }
        if (*at == ' ' && column > width / 2) { space = at; }
        char sign[5] = {0};
        uint32_t size = 0;
        do { sign[size++] = *at++; } while (size < 4 && (*at & 0xC0) == 0x80);
        column += cli_text_width(sign);
    }
    *next = *at == '\n' ? at + 1 : at;
    return at;
}

// One row of a report, with the pen that the row before it left. Returns the start of the next.
static const char *draw_row(cli_grid *grid, uint32_t row, const char *at, cli_pen *pen) {
    line l = line_at(grid, row);
    const char *next, *end = row_end(at, l.right - l.left, &next);
    while (at < end) {
        char piece[256];
        if (at[0] == 0x1B && at[1] == '[') {
            at = take_sgr(at, pen);
            continue;
        }
        size_t size = strcspn(at + 1, "\x1b\n") + 1;
        if (size > (size_t)(end - at)) { size = (size_t)(end - at); }
        if (size > sizeof piece - 1) {
            size = sizeof piece - 1;
            while (size > 1 && (at[size] & 0xC0) == 0x80) { size--; } // not within a code point
        }
        memcpy(piece, at, size);
        piece[size] = 0;
        put_cut(&l, *pen, piece);
        at += size;
    }
    return next;
}

static uint32_t row_count(const char *text, uint32_t width) {
    uint32_t count = 0;
    const char *next;
    for (; *text != 0; text = next) {
        row_end(text, width > 2 ? width - 2 : width, &next);
        count++;
    }
    return count;
}

static uint32_t fault_rows(const cli_panel *panel, uint32_t columns, uint32_t rows) {
    if (panel->fault_title == NULL || rows < 4) { return 0; }
    const uint32_t wanted = 1 + row_count(panel->faults, columns), most = rows / 2;
    return wanted < most ? wanted : most;
}

static void draw_faults(const cli_panel *panel, cli_grid *grid, uint32_t row, uint32_t rows) {
    line l = line_at(grid, row);
    cli_grid_clear(grid, (cli_area){0, row, grid->width, 1}, ALARM);
    put_cut(&l, ALARM, panel->fault_title);
    const char *at = panel->faults;
    uint32_t left = row_count(at, grid->width);
    cli_pen pen = PLAIN;
    for (uint32_t r = 1; r < rows; r++) {
        if (r + 1 == rows && left > 1) {
            l = line_at(grid, row + r);
            put_cut(&l, DIM, say("… and %u lines more", left).text);
            return;
        }
        at = draw_row(grid, row + r, at, &pen);
        left -= left > 0 ? 1 : 0;
    }
}

// ---------------------------------------------------------------------------------------------------- all of it

static uint32_t standing_rows(uint32_t rows) { return rows >= 14 ? 3 : rows >= 8 ? 2 : rows >= 3 ? 1 : 0; }

uint32_t cli_panel_rows(const cli_panel *panel, uint32_t columns, uint32_t rows) {
    return fault_rows(panel, columns, rows) + standing_rows(rows);
}

void cli_panel_draw(const cli_panel *panel, cli_grid *grid, uint32_t row) {
    const uint32_t faults = fault_rows(panel, grid->width, grid->height), standing = standing_rows(grid->height);
    if (faults > 0) { draw_faults(panel, grid, row, faults); }
    row += faults;
    if (standing > 0) { draw_standing(panel, grid, row); }
    if (standing > 2) { draw_note(panel, grid, row + 1); }
    if (standing > 1) { draw_keys(panel, grid, row + standing - 1); }
}
