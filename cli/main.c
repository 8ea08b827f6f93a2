// The program's entry: finds the command, parses its words, runs it. Everything else is in the command's own file.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static bool is_word(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

// A standard stream that is closed must not become the first file that is opened, or what is said would be written
// there: in its place is something that can neither be read nor written. And what is larger than a file may be is an
// error as a full disk is, to be told of, with nothing left behind.
static void settle(void) {
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) < 0) { (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY); }
    }
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv) {
    settle();
    if (argc < 2) {
        cli_help(NULL);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (is_word(name, "--version", "-V")) {
        printf("zoetrope %s\n", zo_version());
        return cli_flush_stdout() ? CLI_FINE : CLI_FILES;
    }
    if (is_word(name, "--help", "-h")) { name = "help"; }
    const cli_command *command = cli_command_find(name);
    if (command == NULL) {
        const char *near = cli_nearest(name, cli_command_name_at);
        return cli_usage(NULL, "there is no command '%s'%s", name, cli_did_you_mean(near).text);
    }
    cli_args args;
    int code = CLI_USAGE;
    if (cli_args_parse(&args, command, argc - 2, argv + 2)) {
        if (cli_given(&args, CLI_OPT_VERSION)) {
            printf("zoetrope %s\n", zo_version());
            code = CLI_FINE;
        } else if (cli_given(&args, CLI_OPT_HELP)) {
            args.operands[0] = command->name;
            args.operand_count = 1;
            code = cli_help(&args);
        } else {
            code = command->run(&args);
        }
    }
    cli_args_free(&args);
    if (!cli_flush_stdout() && code == CLI_FINE) { code = CLI_FILES; }
    return code;
}
