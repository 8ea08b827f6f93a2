// What every command of the program shares: exit codes, the one table of options and their parsed values, messages.
// Each command is a file of its own with one function; main.c finds it in the table in commands.c. The program uses the
// public headers only.
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <zoetrope/zoetrope.h>

enum {
    CLI_FINE = 0,
    CLI_FAULTY = 1,    // the input has errors
    CLI_USAGE = 2,     // the command line makes no sense
    CLI_FILES = 3,     // something could not be read or written
    CLI_INTERNAL = 4,  // a limit was reached, or memory ran out
};

typedef enum cli_option_id {
    CLI_OPT_ALL,
    CLI_OPT_ALLOW_HOST,
    CLI_OPT_ASSETS,
    CLI_OPT_AT,
    CLI_OPT_B3D_KEYS,
    CLI_OPT_BACKGROUND,
    CLI_OPT_CAMERA,
    CLI_OPT_CLEAR,
    CLI_OPT_CLIP,
    CLI_OPT_COLOR,
    CLI_OPT_COMPLETIONS,
    CLI_OPT_CONTRACT,
    CLI_OPT_DEEP,
    CLI_OPT_DIR,
    CLI_OPT_DRAFT_REPEAT,
    CLI_OPT_DRAFT_UNIFORM,
    CLI_OPT_DRY_RUN,
    CLI_OPT_DURATION,
    CLI_OPT_FIX,
    CLI_OPT_FORMAT,
    CLI_OPT_FPS,
    CLI_OPT_FRAMES,
    CLI_OPT_FROM,
    CLI_OPT_GRAPH,
    CLI_OPT_HELP,
    CLI_OPT_HOST,
    CLI_OPT_ID,
    CLI_OPT_IDS,
    CLI_OPT_KEYFRAMES,
    CLI_OPT_LEVEL,
    CLI_OPT_LIBRARY,
    CLI_OPT_LOG,
    CLI_OPT_LOOP,
    CLI_OPT_MAN,
    CLI_OPT_MAX_ERRORS,
    CLI_OPT_MEMORY,
    CLI_OPT_MODEL,
    CLI_OPT_NAME,
    CLI_OPT_NEAREST,
    CLI_OPT_NEXT,
    CLI_OPT_NULL_TANGENT,
    CLI_OPT_OUT,
    CLI_OPT_OUTPUT,
    CLI_OPT_PET,
    CLI_OPT_PICTURE,
    CLI_OPT_PORT,
    CLI_OPT_POSES,
    CLI_OPT_PROFILE,
    CLI_OPT_QUIET,
    CLI_OPT_REDUCED_MOTION,
    CLI_OPT_RENDERS,
    CLI_OPT_RENDERS_WAITING,
    CLI_OPT_RENDER_SECONDS,
    CLI_OPT_REPEAT,
    CLI_OPT_REPLACE,
    CLI_OPT_REVISION,
    CLI_OPT_RIG,
    CLI_OPT_SCALE,
    CLI_OPT_SCRIPT,
    CLI_OPT_SEED,
    CLI_OPT_SET,
    CLI_OPT_SHEET,
    CLI_OPT_SHOW,
    CLI_OPT_SIZE,
    CLI_OPT_STRICT,
    CLI_OPT_TERMINAL,
    CLI_OPT_TO,
    CLI_OPT_TO_FORMAT,
    CLI_OPT_TOKEN,
    CLI_OPT_UASTC,
    CLI_OPT_VALUES,
    CLI_OPT_VERSION,
    CLI_OPT_WATCH,
    CLI_OPT_WATCH_FOLDER,
    CLI_OPT_COUNT
} cli_option_id;

// A command's bit in cli_option.commands.
enum {
    CLI_CHECK = 1,
    CLI_INFO = 2,
    CLI_SAMPLE = 4,
    CLI_RENDER = 8,
    CLI_DUMP = 16,
    CLI_EXPLAIN = 32,
    CLI_HELP = 64,
    CLI_SCHEMA = 128,
    CLI_LIBRARY = 256,
    CLI_TRACE = 512,
    CLI_PLAY = 1024,
    CLI_CONVERT = 2048,
    CLI_CHARPACK = 4096,
    CLI_SERVE = 8192,
    CLI_ANY = 65535,
    // Those that read animations.
    CLI_INPUTS = CLI_CHECK | CLI_INFO | CLI_SAMPLE | CLI_TRACE | CLI_PLAY | CLI_RENDER | CLI_DUMP | CLI_CONVERT,
};

// Where an option stands in the help.
typedef enum cli_group {
    CLI_GROUP_INPUT, CLI_GROUP_TIME, CLI_GROUP_PICTURE, CLI_GROUP_OUTPUT, CLI_GROUP_OTHER,
} cli_group;

// What a value may be, for some of the option's commands: cli_choice accepts it, help and completions show it.
typedef enum cli_value_kind {
    CLI_WORDS,           // one of `words`
    CLI_WORDS_DEFAULTED, // the same, and the first holds when the option is not given
    CLI_FORMAT,          // auto, which is the default, or the name of a format
    CLI_FILE,
    CLI_NAME_FILE,       // NAME=FILE
} cli_value_kind;

typedef struct cli_values {
    uint32_t commands; // 0 ends a list of these
    cli_value_kind kind;
    const char *words; // "human json gcc"
} cli_values;

typedef struct cli_option {
    const char *name;  // without the dashes
    char letter;       // or 0
    const char *value; // what the value is called in help; NULL: none is taken
    uint32_t commands;
    cli_group group;
    const cli_values *values; // what it may be; NULL: text that the command looks at
    const char *help;  // one sentence; words and what is the default among them are added to it
} cli_option;

extern const cli_option cli_options[CLI_OPT_COUNT]; // in the order of cli_option_id

typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name;
    uint32_t bit;
    const char *operands; // "PATH..."
    const char *summary;  // one line
    const char *examples; // several lines, or NULL
    int (*run)(const cli_args *args);
} cli_command;

extern const cli_command cli_commands[]; // ends with an empty one
const cli_command *cli_command_find(const char *name);
const char *cli_command_name_at(uint32_t index); // NULL beyond the last
const char *cli_command_verbs(const cli_command *command); // "build unpack"; "": its first word is no verb
// What the option's value may be with the command, or NULL.
const cli_values *cli_values_of(const cli_option *option, uint32_t command);
// The index-th word that it may be; false: there are no more, or it is no matter of words.
typedef struct cli_word { char text[48]; } cli_word;
bool cli_word_at(const cli_option *option, uint32_t command, uint32_t index, cli_word *word);

struct cli_args {
    const cli_command *command;
    const char *values[CLI_OPT_COUNT]; // the last given; "" for an option without value; NULL: not given
    const char **operands;
    uint32_t operand_count;
    const char **every; // all words after the command, for options that may be repeated
    uint32_t every_count;
};

// Fills `args` from the words after the command. Says what is wrong and returns false; free with cli_args_free always.
bool cli_args_parse(cli_args *args, const cli_command *command, int count, char **words);
void cli_args_free(cli_args *args);
// The n-th value (from 0) of an option that may be repeated; NULL beyond the last.
const char *cli_args_each(const cli_args *args, cli_option_id option, uint32_t n);
static inline bool cli_given(const cli_args *args, cli_option_id option) { return args->values[option] != NULL; }

// Typed values; each says what is wrong and returns false. Not given: *result is left as it is and true is returned.
bool cli_number(const cli_args *args, cli_option_id option, double low, double high, double *result);
bool cli_seed(const cli_args *args, uint64_t *result);
// The place of the value among the option's words for this command, as commands.c has them.
bool cli_choice(const cli_args *args, cli_option_id option, uint32_t *result);
bool cli_size(const cli_args *args, cli_option_id option, uint32_t *width, uint32_t *height);
bool cli_color(const cli_args *args, cli_option_id option, uint8_t rgba[4]);
bool cli_decimal(const char *text, double *result); // the whole text is one decimal number; says nothing
// A line over x: "2", "0.5x+1", "1-x", "-x"; spaces around signs do not count. Says nothing.
typedef struct cli_line {
    double offset, slope;
} cli_line;
bool cli_line_read(const char *text, cli_line *line);
// A point of time: "120ms", "0.5s", "50%", or a bare number, which is `bare` (the clip's unit or seconds).
typedef enum cli_bare { CLI_BARE_SECONDS, CLI_BARE_CLIP_UNIT } cli_bare;
double cli_unit_ns(const zo_clip_info *clip); // of the clip's own unit of time
bool cli_time(const char *text, cli_bare bare, const zo_clip_info *clip, int64_t *ns);

// The instant of frame k: ceil(k * 10^9 / fps), worked out from k alone, so that nothing adds up.
int64_t cli_frame_ns(int64_t k, double fps);

// Text of others for people: control characters, which could move a terminal's cursor, as signs that stand for them.
void cli_put_plain(FILE *stream, const char *text);
// "zoetrope: " and the message on stderr, plain, with a line end.
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same, then where help is to be had; returns CLI_USAGE.
int cli_usage(const cli_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The nearest candidate by edit distance, or NULL when none is near (nearest.c; names of a program's parts by
// nearest.h).
const char *cli_nearest(const char *word, const char *(*candidate)(uint32_t index));
// "; did you mean 'x'?", or "" for NULL.
typedef struct cli_hint { char text[128]; } cli_hint;
cli_hint cli_did_you_mean(const char *near);

bool cli_use_color(const cli_args *args, FILE *stream);
bool cli_to_stdout(void *context, const void *bytes, size_t size); // zo_write_fn
bool cli_to_stderr(void *context, const void *bytes, size_t size);
bool cli_flush_stdout(void); // false (and said): what was printed did not arrive

int cli_charpack(const cli_args *args);
int cli_check(const cli_args *args);
int cli_info(const cli_args *args);
int cli_sample(const cli_args *args);
int cli_trace(const cli_args *args);
int cli_play(const cli_args *args);
int cli_render(const cli_args *args);
int cli_dump(const cli_args *args);
int cli_convert(const cli_args *args);
int cli_explain(const cli_args *args);
int cli_library(const cli_args *args);
int cli_schema(const cli_args *args);
int cli_serve(const cli_args *args);
int cli_help(const cli_args *args);

// What `zoetrope help` writes for others, from the same tables.
void cli_completions(const char *shell); // "bash", "zsh" or "fish"
void cli_manual(void);
// The option's help with the words that its value may be, and which of them is the default.
typedef struct cli_sentence { char text[512]; } cli_sentence;
cli_sentence cli_option_sentence(const cli_option *option, uint32_t command);

#endif
