// See child.h.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "files.h"

enum { TOLD_MAX = 2000 }; // bytes

int cli_child_start(const char *const *words, int input, FILE *told, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(told), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(told), STDERR_FILENO);
    sigset_t none, pipes;
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    extern char **environ;
    cli_signals_hold();
    char *const *arguments = (char *const *)(uintptr_t)words; // not written to; the type is of an older time
    const int error = posix_spawnp(child, words[0], &actions, &attributes, arguments, environ);
    if (error == 0) { cli_signals_child(*child); }
    cli_signals_release();
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int cli_child_wait(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    cli_signals_child(0);
    return status;
}

void cli_child_say_told(FILE *told, const char *program, const char *path) {
    char text[TOLD_MAX + 1];
    fseek(told, 0, SEEK_END);
    const long size = ftell(told);
    const long from = size > TOLD_MAX ? size - TOLD_MAX : 0;
    fseek(told, from, SEEK_SET);
    size_t got = fread(text, 1, TOLD_MAX, told);
    while (got > 0 && text[got - 1] == '\n') { got--; }
    text[got] = 0;
    const char *line = from > 0 ? strchr(text, '\n') : NULL;
    cli_say("%s cannot make '%s':", program, path);
    fprintf(stderr, "%s\n", line != NULL ? line + 1 : got > 0 ? text : "it does not say why");
}
