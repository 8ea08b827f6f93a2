// A program being shown: what was loaded, its pictures, its script, and the timeline on which it plays. One is opened
// at the start and one more at every reload, which then goes on where the first stands. Called by play.c; knows no
// terminal.
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli.h"
#include "load.h"
#include "pictures.h"
#include "scene.h"
#include "script.h"

typedef struct cli_show { // stays where it is while it is open
    const cli_args *args;
    cli_loaded loaded;
    cli_pictures pictures;
    cli_script script;
    cli_scene scene;
    zo_timeline *timeline;
    const zo_instance *instance; // the timeline's
    const char **asked;  // [asked_count]: what keys ask for: names of states, of a graph labels, each once
    uint32_t asked_count;
    bool graph;          // whole, and a machine runs by itself: it takes triggers
    bool whole;          // its states decide what is played; else it is one clip at a time
    zo_clip clip;        // not whole: the one that is played
    zo_clip given;       // the first of these; what the options say is of it
    double params[CLI_PARAM_MAX];
    cli_lines lines;     // controls that are set from the start
    zo_run_def run;
    zo_cel first;        // not whole: shown when the clip begins; none: nothing
    uint64_t seed;
    bool hidden, reduced; // at the beginning of the timeline
    uint32_t step;       // of the script: the next,
    int64_t step_ns;     // and when
    zo_event_fn listen;
    void *context;
} cli_show;

// Opens the one operand. Says what is wrong on stderr, coloured if `color`, and returns an exit code; close in any
// case.
int cli_show_open(cli_show *show, const cli_args *args, bool color);
void cli_show_close(cli_show *show);
// At 0, with nothing told yet. false: no memory.
bool cli_show_start(cli_show *show, zo_event_fn listen, void *context);
// The same, where `old` stands. What has no place any more is told of.
bool cli_show_adopt(cli_show *show, const cli_show *old, zo_event_fn listen, void *context, zo_gone_fn tell);

// To any time, with the script's steps on the way.
void cli_show_seek(cli_show *show, int64_t t_ns);
// Makes a call now. What was to come after it, of the script too, is another future's. false: refused, or no memory.
bool cli_show_add(cli_show *show, const zo_input *input);
bool cli_show_begin_clip(cli_show *show, zo_clip clip); // not whole: ends what runs, shows the first picture, starts it
// The clips that one may choose from: all but those that stand in for another one under reduced motion. None: the
// first.
zo_clip cli_show_next_clip(const cli_show *show, zo_clip clip, bool forward);
// Which of how many it is, from 1.
uint32_t cli_show_clip_place(const cli_show *show, zo_clip clip, uint32_t *count);
// Whether the last such call until now said so: of hidden, of reduced motion.
bool cli_show_is(const cli_show *show, zo_input_kind kind);

// Every file and folder that it was made of.
void cli_show_files(const cli_show *show, void (*take)(void *context, const char *path), void *context);

#endif
