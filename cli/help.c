// `zoetrope help`: written from the tables of commands.c.
#include <string.h>

#include "cli.h"

static void print_overview(FILE *out) {
    fputs("zoetrope: checks, plays and renders data-driven animation\n\nUsage: zoetrope COMMAND ...\n\n", out);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        fprintf(out, "  %-8s %-12s %s\n", command->name, command->operands, command->summary);
    }
    fputs("\n'zoetrope help COMMAND' tells more. Exit: 0 fine, 1 the input has errors, 2 usage, 3 cannot read or write,\n"
          "4 a limit was reached.\n\n  zoetrope check bounce.json\n  zoetrope render bounce.json -o bounce.webp\n",
          out);
}

// Text at a left margin, broken at spaces before column 100.
static void print_wrapped(const char *text, int margin) {
    int column = margin;
    while (*text != 0) {
        const int word = (int)strcspn(text, " ");
        if (column > margin && column + 1 + word > 100) {
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

static void print_command(const cli_command *command) {
    if (command->examples != NULL) { printf("Examples:\n%s\n", command->examples); }
    printf("Usage: zoetrope %s %s [options]\n\n", command->name, command->operands);
    print_wrapped(command->summary, 0);
    printf("\nOptions:\n");
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        if ((option->commands & command->bit) == 0) { continue; }
        char left[64];
        snprintf(left, sizeof left, "%c%c %s--%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
                 "", option->name, option->value ? " " : "", option->value ? option->value : "");
        printf("  %-26s ", left);
        if (strlen(left) > 26) { printf("\n%29s", ""); }
        print_wrapped(option->help, 29);
    }
    if ((command->bit & CLI_INPUTS) != 0) {
        printf("\nPATH is a file, '-' for the standard input, or the name of a built-in such as builtin:jelly.\nFormats:\n");
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
    if (args->operand_count == 0) {
        print_overview(stdout);
        return CLI_FINE;
    }
    const cli_command *command = cli_command_find(args->operands[0]);
    if (command == NULL) { return cli_usage(NULL, "there is no command '%s'", args->operands[0]); }
    print_command(command);
    return CLI_FINE;
}
