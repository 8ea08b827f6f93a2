// See basisu.h.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "basisu.h"
#include "child.h"
#include "cli.h"

static bool run(const char *from, const char *const *words, FILE *told) {
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t child;
    const int error = input >= 0 ? cli_child_start(words, input, told, &child) : errno;
    if (input >= 0) { close(input); }
    if (error == ENOENT) {
        cli_say("UASTC textures want the program 'basisu', and it is not there; without --uastc, and with the encoding "
                "rgba8, none is needed");
        return false;
    }
    if (error != 0) {
        cli_say("cannot make a texture of '%s': basisu does not start: %s", from, strerror(error));
        return false;
    }
    const int status = cli_child_wait(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) { return true; }
    cli_child_say_told(told, "basisu", from);
    return false;
}

// Names that begin with a hyphen would be taken for options, so what is relative is said to be.
bool cli_basisu(const char *from, const char *to, uint32_t quality, uint32_t level) {
    char from_path[4200], to_path[4200], quality_text[16], level_text[16];
    const int from_size = snprintf(from_path, sizeof from_path, "%s%s", *from == '/' ? "" : "./", from);
    const int to_size = snprintf(to_path, sizeof to_path, "%s%s", *to == '/' ? "" : "./", to);
    if (from_size >= (int)sizeof from_path || to_size >= (int)sizeof to_path) {
        cli_say("the name '%s' is too long", from);
        return false;
    }
    snprintf(quality_text, sizeof quality_text, "%u", (unsigned)quality);
    snprintf(level_text, sizeof level_text, "%u", (unsigned)level);
    const char *const words[] = {"basisu", "-ktx2", "-uastc", "-uastc_level", quality_text, "-ktx2_zstandard_level",
                                 level_text, "-file", from_path, "-output_file", to_path, NULL};
    FILE *told = tmpfile();
    if (told == NULL) {
        cli_say("cannot make a temporary file: %s", strerror(errno));
        return false;
    }
    const bool fine = run(from, words, told);
    fclose(told);
    return fine;
}
