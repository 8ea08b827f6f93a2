// `zoetrope help --man`: the manual page in man(7) macros, made of the tables of commands.c and a few paragraphs that
// stand here. Called by help.c.
#include <string.h>

#include "cli.h"

// The day of the version's manual; a date of the build would make builds differ.
static const char *const DATE = "2026-12-01";

// Text for roff: backslashes and hyphens as such, and nothing that begins a line is taken for a request.
static void put(const char *text) {
    bool at_start = true;
    for (; *text != 0; text++) {
        if (at_start && (*text == '.' || *text == '\'')) { fputs("\\&", stdout); }
        at_start = *text == '\n';
        switch (*text) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        case '`': fputs("\\(ga", stdout); break;
        default: putchar(*text);
        }
    }
}

static void section(const char *title) { printf(".SH %s\n", title); }

// One line as it stands.
static void line(const char *text) {
    put(text);
    putchar('\n');
}

// Source lines of at most 80 columns or so, as manuals have them; roff fills them anew.
static void paragraph(const char *text) {
    enum { WIDTH = 72 };
    size_t column = 0;
    char word[256];
    while (*text != 0) {
        const size_t size = strcspn(text, " ");
        if (column > 0 && column + 1 + size > WIDTH) {
            putchar('\n');
            column = 0;
        } else if (column > 0) {
            putchar(' ');
            column++;
        }
        snprintf(word, sizeof word, "%.*s", size < sizeof word ? (int)size : (int)sizeof word - 1, text);
        put(word);
        column += size;
        text += size;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void entry(const char *name, const char *text) {
    fputs(".TP\n.B ", stdout);
    line(name);
    paragraph(text);
}

// As they stand in the table: an indent of two, and long gaps before what is said of an example.
static void examples(const char *text) {
    fputs(".nf\n", stdout);
    while (*text != 0) {
        const size_t size = strcspn(text, "\n");
        char copy[256];
        snprintf(copy, sizeof copy, "%.*s", size < sizeof copy ? (int)size : (int)sizeof copy - 1, text);
        line(copy);
        text += size;
        text += *text == '\n';
    }
    fputs(".fi\n", stdout);
}

static void option(const cli_option *o, const cli_command *command) {
    fputs(".TP\n", stdout);
    if (o->letter != 0) { printf("\\fB\\-%c\\fR, ", o->letter); }
    fputs("\\fB\\-\\-", stdout);
    put(o->name);
    fputs("\\fR", stdout);
    if (o->value != NULL) {
        fputs(" \\fI", stdout);
        put(o->value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    paragraph(cli_option_sentence(o, command->bit).text);
}

static void command_page(const cli_command *command) {
    fputs(".SS ", stdout);
    char title[128];
    snprintf(title, sizeof title, "zoetrope %s %s", command->name, command->operands);
    line(title);
    paragraph(command->summary);
    for (int group = CLI_GROUP_INPUT; group < CLI_GROUP_OTHER; group++) {
        for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
            const cli_option *o = &cli_options[i];
            if (o->group == (cli_group)group && (o->commands & command->bit) != 0) { option(o, command); }
        }
    }
    if (command->examples != NULL) {
        fputs(".PP\nExamples:\n.PP\n", stdout);
        examples(command->examples);
    }
}

static void commands(void) {
    section("COMMANDS");
    paragraph("PATH is a file, - for the standard input, or the name of a built-in animation such as builtin:jelly. "
              "Every command also knows these:");
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        if (cli_options[i].group == CLI_GROUP_OTHER) { option(&cli_options[i], cli_command_find("help")); }
    }
    for (const cli_command *command = cli_commands; command->name != NULL; command++) { command_page(command); }
}

static void formats(void) {
    section("FORMATS");
    paragraph("The format of a file is found from its content, or named with --format:");
    for (uint32_t i = 0; zo_format_at(i) != NULL; i++) { entry(zo_format_at(i)->name, zo_format_at(i)->title); }
    fputs(".PP\n", stdout);
    paragraph("Built in are:");
    for (uint32_t i = 0; zo_builtin_at(i) != NULL; i++) {
        put(zo_builtin_at(i));
        puts(zo_builtin_at(i + 1) != NULL ? "," : ".");
    }
}

static void fixed_end(void) {
    section("EXIT STATUS");
    entry("0", "All went well; warnings and notes do not change that.");
    entry("1", "The input has errors. They were all reported.");
    entry("2", "The command line makes no sense.");
    entry("3", "Something could not be read or written.");
    entry("4", "A limit was reached, or memory ran out.");
    section("ENVIRONMENT");
    entry("NO_COLOR", "When set and not empty, nothing is coloured unless --color always asks for it.");
    entry("TERM", "When it is dumb, nothing is coloured either.");
    section("FILES");
    paragraph("A file that is written appears under its name when it is complete: it is written under another "
              "name in the "
              "same folder first, so that a failure leaves what was there before.");
    section("EXAMPLES");
    examples("  zoetrope check bounce.json\n  zoetrope render bounce.json -o bounce.webp\n"
             "  zoetrope render builtin:jelly -o jelly.gif --fps 25 --set strength=2\n"
             "  zoetrope explain petween/at\n");
    fputs(".PP\n", stdout);
    paragraph("Each command above has more.");
}

void cli_manual(void) {
    fputs(".\\\" Written by 'zoetrope help \\-\\-man'.\n", stdout);
    printf(".TH ZOETROPE 1 %s \"zoetrope %s\" \"User Commands\"\n", DATE, zo_version());
    section("NAME");
    fputs("zoetrope \\- check, play and render data\\-driven animation\n", stdout);
    section("SYNOPSIS");
    fputs(".B zoetrope\n.I COMMAND\n[\\fIoptions\\fR] [\\fIPATH\\fR ...]\n", stdout);
    section("DESCRIPTION");
    paragraph("Reads animations that are written as data, says what is wrong with them, all of it and each at its "
              "place, and plays, samples and renders them, with the same bits on every machine. Results go to the "
              "standard output, "
              "everything else to the standard error.");
    commands();
    formats();
    fixed_end();
}
