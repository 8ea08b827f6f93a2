// The words of the command line: options by the table, typed values, and messages about them. Called by main and by the
// commands; knows nothing of animations but the units of a clip's time.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

void cli_put_plain(FILE *stream, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at < 0x20) {
            fprintf(stream, "\xE2\x90%c", 0x80 + *at); // U+2400 and on
        } else if (*at == 0x7F) {
            fputs("\xE2\x90\xA1", stream); // U+2421
        } else if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) {
            fputs("\xEF\xBF\xBD", stream); // U+FFFD; these have no signs of their own
            at++;
        } else {
            putc(*at, stream);
        }
    }
}

static void put_message(const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    const int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text != NULL) { vsnprintf(text, (size_t)size + 1, format, list); }
    fputs("zoetrope: ", stderr);
    cli_put_plain(stderr, text != NULL ? text : format);
    fputc('\n', stderr);
    free(text);
}

void cli_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    put_message(format, list);
    va_end(list);
}

int cli_usage(const cli_args *args, const char *format, ...) {
    va_list list;
    va_start(list, format);
    put_message(format, list);
    va_end(list);
    fprintf(stderr, "zoetrope: see 'zoetrope help%s%s'\n", args && args->command ? " " : "",
            args && args->command ? args->command->name : "");
    return CLI_USAGE;
}

static int option_of(const cli_args *args, const char *word, size_t size) {
    for (int i = 0; i < CLI_OPT_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        if ((option->commands & args->command->bit) == 0) { continue; }
        if (size > 2 && strncmp(word, "--", 2) == 0 && strlen(option->name) == size - 2 &&
            strncmp(option->name, word + 2, size - 2) == 0) {
            return i;
        }
        if (size == 2 && option->letter != 0 && word[0] == '-' && word[1] == option->letter) { return i; }
    }
    return -1;
}

// An option of another command is named as such; else the nearest of this command's own is offered.
static const cli_command *asking;
static const char *own_option_at(uint32_t index) {
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        if ((cli_options[i].commands & asking->bit) != 0 && index-- == 0) { return cli_options[i].name; }
    }
    return NULL;
}

static bool say_no_option(const cli_args *args, const char *word, size_t size) {
    char name[64] = "", others[256] = "";
    if (size > 2 && strncmp(word, "--", 2) == 0) { snprintf(name, sizeof name, "%.*s", (int)(size - 2), word + 2); }
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        if (strcmp(cli_options[i].name, name) != 0) { continue; }
        for (const cli_command *command = cli_commands; command->name != NULL; command++) {
            if ((cli_options[i].commands & command->bit) == 0) { continue; }
            snprintf(others + strlen(others), sizeof others - strlen(others), "%s%s", *others ? ", " : "",
                     command->name);
        }
    }
    asking = args->command;
    const char *near = *name ? cli_nearest(name, own_option_at) : NULL;
    char dashed[72];
    snprintf(dashed, sizeof dashed, "--%s", near != NULL ? near : "");
    if (*others) {
        cli_usage(args, "'%s' has no option '%.*s'; that is an option of %s", args->command->name, (int)size, word,
                  others);
    } else {
        cli_usage(args, "'%s' has no option '%.*s'%s", args->command->name, (int)size, word,
                  cli_did_you_mean(near != NULL ? dashed : NULL).text);
    }
    return false;
}

// Takes the option at words[*at] and its value; moves *at to the last word taken.
static bool take_option(cli_args *args, int count, char **words, int *at, const char **value, int *option) {
    const char *word = words[*at];
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t size = equals ? (size_t)(equals - word) : strlen(word);
    *option = option_of(args, word, size);
    *value = "";
    if (*option < 0) { return say_no_option(args, word, size); }
    if (cli_options[*option].value == NULL) {
        if (equals != NULL) {
            cli_usage(args, "option '%.*s' takes no value", (int)size, word);
            return false;
        }
        return true;
    }
    if (equals != NULL) {
        *value = equals + 1;
    } else if (*at + 1 < count) {
        *value = words[++*at];
    } else {
        cli_usage(args, "option '%s' wants a value: %s", word, cli_options[*option].value);
        return false;
    }
    return true;
}

static bool is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

// Whoever comes second would find nothing there, and take that for what was meant.
static bool reads_input_once(const cli_args *args) {
    uint32_t inputs = 0;
    const char *word;
    for (uint32_t i = 0; i < args->operand_count; i++) { inputs += strcmp(args->operands[i], "-") == 0; }
    if (args->values[CLI_OPT_SCRIPT] != NULL) { inputs += strcmp(args->values[CLI_OPT_SCRIPT], "-") == 0; }
    for (uint32_t n = 0; (word = cli_args_each(args, CLI_OPT_PICTURE, n)) != NULL; n++) {
        const char *equals = strchr(word, '=');
        inputs += equals != NULL && strcmp(equals + 1, "-") == 0;
    }
    if (inputs > 1) { cli_usage(args, "the standard input can be read only once"); }
    return inputs <= 1;
}

bool cli_args_parse(cli_args *args, const cli_command *command, int count, char **words) {
    *args = (cli_args){.command = command};
    args->operands = calloc((size_t)count + 1, sizeof *args->operands);
    args->every = calloc(2 * (size_t)count + 2, sizeof *args->every);
    if (args->operands == NULL || args->every == NULL) { return false; }
    bool options_end = false;
    for (int i = 0; i < count; i++) {
        if (!options_end && strcmp(words[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && is_option(words[i])) {
            const char *value;
            int option;
            if (!take_option(args, count, words, &i, &value, &option)) { return false; }
            args->values[option] = value;
            args->every[args->every_count++] = cli_options[option].name;
            args->every[args->every_count++] = value;
        } else {
            args->operands[args->operand_count++] = words[i];
        }
    }
    return reads_input_once(args);
}

void cli_args_free(cli_args *args) {
    free(args->operands);
    free(args->every);
}

const char *cli_args_each(const cli_args *args, cli_option_id option, uint32_t n) {
    for (uint32_t i = 0; i < args->every_count; i += 2) {
        if (args->every[i] == cli_options[option].name && n-- == 0) { return args->every[i + 1]; }
    }
    return NULL;
}

// The program never calls setlocale, so strtod reads a point everywhere. What strtod takes beyond decimal (hexadecimal,
// infinity, nan) is no number here.
static bool decimal(const char *text, const char **end, double *result) {
    const char *first = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*first) && *first != '.') { return false; }
    if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X')) { return false; }
    char *stop;
    *result = strtod(text, &stop);
    *end = stop;
    return stop != text && isfinite(*result);
}

bool cli_decimal(const char *text, double *result) {
    const char *end;
    return decimal(text, &end, result) && *end == 0;
}

static const char *behind_spaces(const char *at) {
    while (*at == ' ') { at++; }
    return at;
}

// "0.5x", "x" or "1" behind its sign. Where it ends; NULL: it is none.
static const char *read_term(const char *at, double sign, double *figure, bool *is_slope) {
    size_t whole = strspn(at, ".0123456789");
    if (whole > 0 && (at[whole] == 'e' || at[whole] == 'E')) {
        const size_t exponent = whole + (at[whole + 1] == '-' || at[whole + 1] == '+' ? 2 : 1);
        const size_t digits = strspn(at + exponent, "0123456789");
        whole = digits > 0 ? exponent + digits : whole;
    }
    char text[64];
    *figure = 1.0;
    if (whole >= sizeof text) { return NULL; }
    memcpy(text, at, whole);
    text[whole] = 0;
    if (whole > 0 && !cli_decimal(text, figure)) { return NULL; }
    *figure *= sign;
    at = behind_spaces(at + whole);
    if (whole > 0 && *at == '*' && *behind_spaces(at + 1) == 'x') { at = behind_spaces(at + 1); }
    *is_slope = *at == 'x';
    return *is_slope || whole > 0 ? behind_spaces(at + *is_slope) : NULL;
}

bool cli_line_read(const char *text, cli_line *line) {
    const char *at = behind_spaces(text);
    bool given[2] = {false, false};
    *line = (cli_line){0.0, 0.0};
    do {
        double figure;
        bool is_slope;
        const bool minus = *at == '-', sign = minus || *at == '+';
        if (!sign && at != behind_spaces(text)) { return false; }
        at = read_term(behind_spaces(at + sign), minus ? -1.0 : 1.0, &figure, &is_slope);
        if (at == NULL || given[is_slope]) { return false; }
        given[is_slope] = true;
        *(is_slope ? &line->slope : &line->offset) = figure;
    } while (*at != 0);
    return true;
}

bool cli_number(const cli_args *args, cli_option_id option, double low, double high, double *result) {
    const char *text = args->values[option], *end;
    if (text == NULL) { return true; }
    double value;
    if (!decimal(text, &end, &value) || *end != 0 || !(value >= low && value <= high)) {
        cli_usage(args, "--%s wants a number from %.10g to %.10g, not '%s'", cli_options[option].name, low, high, text);
        return false;
    }
    *result = value;
    return true;
}

bool cli_seed(const cli_args *args, uint64_t *result) {
    const char *text = args->values[CLI_OPT_SEED];
    if (text == NULL) { return true; }
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != 0 || errno != 0) {
        cli_usage(args, "--seed wants a whole number from 0 to 18446744073709551615, not '%s'", text);
        return false;
    }
    *result = value;
    return true;
}

// The words of one option with one command, as cli_nearest wants them. Static: a name must outlive the call, and the
// program has one thread.
static cli_word choice_words[64];
static const char *choice_word_at(uint32_t index) {
    return index < 64 && choice_words[index].text[0] != 0 ? choice_words[index].text : NULL;
}

bool cli_choice(const cli_args *args, cli_option_id option, uint32_t *result) {
    const char *text = args->values[option];
    if (text == NULL) { return true; }
    uint32_t count = 0;
    memset(choice_words, 0, sizeof choice_words);
    while (count < 63 && cli_word_at(&cli_options[option], args->command->bit, count, &choice_words[count])) {
        count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, choice_words[i].text) == 0) {
            *result = i;
            return true;
        }
    }
    char list[sizeof choice_words + 64 * 4] = "";
    for (uint32_t i = 0; i < count; i++) {
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0 ? "" : i + 1 == count ? " or " : ", ", choice_words[i].text);
    }
    cli_usage(args, "--%s wants %s, not '%s'%s", cli_options[option].name, list, text,
              cli_did_you_mean(cli_nearest(text, choice_word_at)).text);
    return false;
}

bool cli_size(const cli_args *args, cli_option_id option, uint32_t *width, uint32_t *height) {
    const char *text = args->values[option];
    if (text == NULL) { return true; }
    unsigned w = 0, h = 0;
    int end = 0;
    const int got = sscanf(text, "%5u%*1[xX]%5u%n", &w, &h, &end);
    if (got != 2 || text[end] != 0 || !isdigit((unsigned char)text[0]) || w < 1 || h < 1 || w > 16384 || h > 16384) {
        cli_usage(args, "--%s wants WIDTHxHEIGHT in pixels, 1 to 16384 each, not '%s'", cli_options[option].name, text);
        return false;
    }
    *width = w;
    *height = h;
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    if (c >= 'A' && c <= 'F') { return c - 'A' + 10; }
    return -1;
}

bool cli_color(const cli_args *args, cli_option_id option, uint8_t rgba[4]) {
    const char *text = args->values[option];
    if (text == NULL) { return true; }
    if (strcmp(text, "none") == 0 || strcmp(text, "transparent") == 0) {
        memset(rgba, 0, 4);
        return true;
    }
    const size_t digits = text[0] == '#' ? strlen(text + 1) : 0;
    bool fine = digits == 3 || digits == 4 || digits == 6 || digits == 8;
    const size_t width = digits > 4 ? 2 : 1;
    rgba[3] = 255;
    for (size_t i = 0; fine && i < digits / width; i++) {
        const int high = hex_digit(text[1 + i * width]), low = hex_digit(text[i * width + width]);
        fine = high >= 0 && low >= 0;
        rgba[i] = fine ? (uint8_t)(high * 16 + low) : 0;
    }
    if (!fine) {
        cli_usage(args, "--%s wants #rgb, #rrggbb, #rrggbbaa or none, not '%s'", cli_options[option].name, text);
    }
    return fine;
}

double cli_unit_ns(const zo_clip_info *clip) {
    switch (clip->time_unit) {
    case ZO_TIME_SECONDS: return 1e9;
    case ZO_TIME_FRAMES: return (double)clip->frame_ns;
    default: return (double)clip->duration_ns; // a fraction of the pass
    }
}

static double bare_ns(cli_bare bare, const zo_clip_info *clip, double value) {
    return value * (bare == CLI_BARE_SECONDS ? 1e9 : cli_unit_ns(clip));
}

bool cli_time(const char *text, cli_bare bare, const zo_clip_info *clip, int64_t *ns) {
    const char *unit;
    double value;
    if (!decimal(text, &unit, &value)) { return false; }
    double result;
    if (*unit == 0) {
        result = bare_ns(bare, clip, value);
    } else if (strcmp(unit, "ms") == 0) {
        result = value * 1e6;
    } else if (strcmp(unit, "s") == 0) {
        result = value * 1e9;
    } else if (strcmp(unit, "%") == 0) {
        result = value / 100.0 * (double)clip->duration_ns;
    } else {
        return false;
    }
    if (!(result >= 0.0 && result <= 1e9 * 86400.0)) { return false; }
    *ns = (int64_t)(result + 0.5);
    return true;
}

int64_t cli_frame_ns(int64_t k, double fps) {
    const int64_t whole = (int64_t)fps;
    if ((double)whole == fps && k <= INT64_MAX / 1000000000) { // exact
        return (k * 1000000000 + whole - 1) / whole;
    }
    return (int64_t)ceil((double)k * 1e9 / fps);
}

bool cli_use_color(const cli_args *args, FILE *stream) {
    const char *when = args->values[CLI_OPT_COLOR];
    if (when != NULL && strcmp(when, "always") == 0) { return true; }
    if (when != NULL && strcmp(when, "never") == 0) { return false; }
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (no_color != NULL && *no_color != 0) { return false; }
    return isatty(fileno(stream)) != 0 && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static bool to_stream(FILE *stream, const void *bytes, size_t size) {
    return size == 0 || fwrite(bytes, 1, size, stream) == size;
}

bool cli_to_stdout(void *context, const void *bytes, size_t size) {
    (void)context;
    return to_stream(stdout, bytes, size);
}

bool cli_to_stderr(void *context, const void *bytes, size_t size) {
    (void)context;
    return to_stream(stderr, bytes, size);
}

bool cli_flush_stdout(void) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) { return true; }
    cli_say("cannot write to the standard output: %s", strerror(errno));
    return false;
}
