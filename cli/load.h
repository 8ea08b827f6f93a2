// From a path on the command line to a program: the one loader of all commands.
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli.h"
#include "files.h"
#include "host/package.h"
#include "gather.h"
#include "pet.h"
#include "script.h"
#include "walk.h"

// What stands before the = of an option's words.
typedef struct cli_names {
    char **items;
    uint32_t count;
} cli_names;

typedef struct cli_loaded {
    const char *name;    // for people: the path as given, or <stdin>
    cli_bytes bytes;     // of the source; the report quotes from them
    zo_program *program; // NULL when it was not asked for or has errors
    zo_report *report;   // may be NULL when a file could not be read
    zo_status status;
    cli_pet *pet;        // its animations and pictures; NULL: it is no pet
    pet_package *package; // what it came in; NULL: in a file of its own
    char *path;          // the file, where the path given was that of a folder; else NULL
    char *real;          // its whole path, of a character pack's manifest; else NULL
    cli_gathered *gathered; // the files that its report asked for; NULL: none were
    const cli_args *args;   // what cli_source was told
    bool set;               // the clips beside it belong to it
    const char *beside;     // one more file that belongs to it; NULL: none
    const cli_paths *listed, *told; // see cli_gathered; NULL: none
    zo_source first;        // what cli_load compiled, and how
    zo_compile_def def;
    cli_names cels, params; // of --picture and --set, which `def` speaks of
} cli_loaded;

// Reads, checks and, when `want_program`, compiles. Returns the exit code that the input deserves so far; nothing of
// the report is printed. Free with cli_loaded_free whatever is returned.
int cli_load(const cli_args *args, const char *path, bool want_program, cli_loaded *loaded);
void cli_loaded_free(cli_loaded *loaded);
// The script of --script for what has been loaded, if one is given. The report then says nothing of parameters that it
// sets. As cli_script_load.
int cli_load_script(const cli_args *args, cli_loaded *loaded, cli_script *script);

// The steps of cli_load for commands that call the library another way: what the options say of compiling, and the
// source. Of a package it is the manifest, and `def` speaks of the archive.
bool cli_compile_def(const cli_args *args, zo_compile_def *def);
bool cli_format_is_known(const cli_args *args, const zo_compile_def *def); // else says so
int cli_source(const cli_args *args, const char *path, cli_loaded *loaded, zo_source *source, zo_compile_def *def);
// Compiles what cli_source gave: a pet with the animations beside it. Returns the exit code; the report is not printed.
int cli_compile(const zo_source *source, const zo_compile_def *def, bool want_program, cli_loaded *loaded);
// The same once more, after the bytes of some of its sources have been exchanged.
int cli_compile_again(const zo_compile_def *def, cli_loaded *loaded);
int cli_code_of(zo_status status);
bool cli_is_builtin(const char *path); // one of the library's animations, and no file of that name
int cli_say_report(const cli_args *args, const cli_loaded *loaded); // on stderr; returns the exit code of its status
bool cli_one_operand(const cli_args *args);                         // else says so

// For commands whose result is not the report: the one operand loaded, with the report on stderr. Not CLI_FINE: stop.
int cli_load_one(const cli_args *args, cli_loaded *loaded);
// --clip, or the first. Says what is wrong and returns false.
bool cli_pick_clip(const cli_args *args, const zo_program *program, zo_clip *clip, zo_clip_info *info);
// What --set says of controls, which are the host's: lines over what they are asked for.
typedef struct cli_control {
    zo_param param;
    cli_line line;
} cli_control;
typedef struct cli_lines {
    cli_control *items;
    uint32_t count;
} cli_lines;
// The clip's parameters with every --set applied, at most `capacity`, and the controls of the program in `lines`, to be
// freed in any case. Says what is wrong and returns false.
bool cli_pick_params(const cli_args *args, const zo_program *program, const zo_clip_info *info, double *params,
                     uint32_t capacity, cli_lines *lines);
void cli_lines_free(cli_lines *lines);
void cli_lines_set(const cli_lines *lines, zo_instance *instance);
bool cli_lines_add(const cli_lines *lines, zo_timeline *timeline); // at the present; false: no memory
// What plays as a whole, as messages call it: "a pet", "a character", "a machine".
const char *cli_whole_name(const zo_program *program);
enum { CLI_PARAM_MAX = 64 };

#endif
