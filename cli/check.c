// `zoetrope check`: all that is wrong with the files given, on the standard output. Exit 1 when any has errors; a file
// that cannot be read does not keep the others from being checked.
#include <string.h>

#include "cli.h"
#include "load.h"

static int worse(int a, int b) { // what could not be read outranks what is faulty; a limit outranks both
    return a > b ? a : b;
}

static bool say_fine(const cli_args *args, const cli_loaded *loaded) {
    if (cli_given(args, CLI_OPT_QUIET)) { return true; }
    const char *format = zo_report_format(loaded->report);
    return printf("%s: ok%s%s%s\n", loaded->name, *format ? " (" : "", format, *format ? ")" : "") > 0;
}

int cli_check(const cli_args *args) {
    uint32_t style = 0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &style)) { return CLI_USAGE; }
    if (args->operand_count == 0) { return cli_usage(args, "check wants at least one file, or '-'"); }
    int code = CLI_FINE;
    for (uint32_t i = 0; i < args->operand_count; i++) {
        cli_loaded loaded;
        code = worse(code, cli_load(args, args->operands[i], false, &loaded));
        if (loaded.report != NULL) {
            if (style == 0 && i > 0 && zo_report_count(loaded.report) > 0) { putchar('\n'); }
            zo_report_write(loaded.report, (zo_report_style)style, cli_use_color(args, stdout), cli_to_stdout, NULL);
            if (style == 0 && zo_report_count(loaded.report) == 0 && loaded.status == ZO_OK) { say_fine(args, &loaded); }
        }
        cli_loaded_free(&loaded);
    }
    return code;
}
