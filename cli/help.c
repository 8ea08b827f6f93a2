// `zoetrope help`: written from the tables of commands.c. Knows no option by name but its own.
#include <string.h>

#include "cli.h"

enum { WIDTH = 92, LEFT_MAX = 28 }; // columns: of a page, and of the widest name that a line keeps its text beside
enum { OPERANDS_WIDTH = 12 };       // the same of the list of commands

static const char *const group_titles[] = {
    [CLI_GROUP_INPUT] = "Input",     [CLI_GROUP_TIME] = "Time and playing", [CLI_GROUP_PICTURE] = "Picture",
    [CLI_GROUP_OUTPUT] = "Output",   [CLI_GROUP_OTHER] = "Other",
};

static void print_overview(FILE *out) {
    fputs("zoetrope: checks, plays and renders data-driven animation\n\nUsage: zoetrope COMMAND ...\n\n", out);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        const bool long_one = strlen(command->operands) > OPERANDS_WIDTH; // what it does goes below
        fprintf(out, "  %-8s %-*s", command->name, OPERANDS_WIDTH, command->operands);
        fprintf(out, long_one ? "\n%*s%s\n" : "%*s%s\n", long_one ? OPERANDS_WIDTH + 12 : 1, "", command->summary);
    }
    fputs("\nBegin with these; 'zoetrope help COMMAND' tells more, 'zoetrope help --man' prints the manual:\n\n"
          "  zoetrope check bounce.json\n  zoetrope render bounce.json -o bounce.webp\n"
          "\nExit status: 0 fine, 1 the input has errors, 2 wrong usage, 3 cannot read or write, "
          "4 a limit was reached\n",
          out);
}

// Text at a left margin, broken at spaces. The cursor stands at the margin.
static void print_wrapped(const char *text, int margin) {
    int column = margin;
    while (*text != 0) {
        const int word = (int)strcspn(text, " ");
        if (column > margin && column + 1 + word > WIDTH) {
            printf("\n%*s", margin, "");
            column = margin;
        } else if (column > margin) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

cli_sentence cli_option_sentence(const cli_option *option, uint32_t command) {
    cli_sentence s;
    const cli_values *values = cli_values_of(option, command);
    snprintf(s.text, sizeof s.text, "%s", option->help);
    cli_word word, after;
    bool more = cli_word_at(option, command, 0, &word);
    for (uint32_t i = 0; more; i++) {
        more = cli_word_at(option, command, i + 1, &after);
        const bool is_default = i == 0 && values->kind != CLI_WORDS;
        snprintf(s.text + strlen(s.text), sizeof s.text - strlen(s.text), "%s%s%s",
                 i == 0 ? ": " : more ? ", " : " or ",
                 word.text, is_default ? " (the default)" : "");
        word = after;
    }
    return s;
}

typedef struct name_text { char text[64]; } name_text;

static name_text name_of(const cli_option *option) { // "-o, --out OUT"
    name_text name;
    snprintf(name.text, sizeof name.text, "%c%c%c --%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ',' : ' ', option->name, option->value ? " " : "",
             option->value ? option->value : "");
    return name;
}

static int left_width(const cli_command *command) {
    int width = 0;
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        const int size = (int)strlen(name_of(&cli_options[i]).text);
        if ((cli_options[i].commands & command->bit) != 0 && size > width && size <= LEFT_MAX) { width = size; }
    }
    return width;
}

static void print_options(const cli_command *command, cli_group group) {
    const int width = left_width(command);
    bool titled = false;
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        if ((option->commands & command->bit) == 0 || option->group != group) { continue; }
        if (!titled) { printf("\n%s:\n", group_titles[group]); }
        titled = true;
        const name_text name = name_of(option);
        printf("  %-*s  ", width, name.text);
        if ((int)strlen(name.text) > width) { printf("\n%*s", width + 4, ""); }
        print_wrapped(cli_option_sentence(option, command->bit).text, width + 4);
    }
}

static void print_command(const cli_command *command) {
    if (command->examples != NULL) { printf("Examples:\n%s\n", command->examples); }
    printf("Usage: zoetrope %s %s [options]\n\n", command->name, command->operands);
    print_wrapped(command->summary, 0);
    for (int group = CLI_GROUP_INPUT; group <= CLI_GROUP_OTHER; group++) { print_options(command, (cli_group)group); }
    if ((command->bit & CLI_INPUTS) != 0) {
        printf("\nPATH is a file, '-' for the standard input, or the name of a built-in such as builtin:jelly.\n"
               "Formats:\n");
        for (uint32_t i = 0; zo_format_at(i) != NULL; i++) {
            printf("  %-12s %s\n", zo_format_at(i)->name, zo_format_at(i)->title);
        }
    }
}

int cli_help(const cli_args *args) {
    if (args == NULL) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    uint32_t shell = 0;
    if (!cli_choice(args, CLI_OPT_COMPLETIONS, &shell)) { return CLI_USAGE; }
    if (cli_given(args, CLI_OPT_COMPLETIONS)) {
        cli_completions(args->values[CLI_OPT_COMPLETIONS]);
    } else if (cli_given(args, CLI_OPT_MAN)) {
        cli_manual();
    } else if (args->operand_count == 0) {
        print_overview(stdout);
    } else {
        const cli_command *command = cli_command_find(args->operands[0]);
        if (command == NULL) {
            return cli_usage(NULL, "there is no command '%s'%s", args->operands[0],
                             cli_did_you_mean(cli_nearest(args->operands[0], cli_command_name_at)).text);
        }
        print_command(command);
    }
    return CLI_FINE;
}
