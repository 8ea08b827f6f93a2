// See progress.h.
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

bool cli_progress_wanted(const cli_args *args) {
    return !cli_given(args, CLI_OPT_QUIET) && isatty(STDERR_FILENO) != 0;
}

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// At most twenty times a second, and at the end.
static bool is_due(uint32_t done, uint32_t total) {
    static double last; // for the pace alone
    const double now = now_s();
    if (done < total && now - last < 0.05) { return false; }
    last = now;
    return true;
}

void cli_progress_json(void *context, uint32_t done, uint32_t total) {
    (void)context;
    if (!is_due(done, total)) { return; }
    printf("{\"done\": %u, \"total\": %u}\n", done, total);
    fflush(stdout);
}

void cli_progress(void *context, uint32_t done, uint32_t total) {
    static const char full[] = "########################################";
    (void)context;
    if (!is_due(done, total)) { return; }
    if (done >= total) {
        fputs("\r\x1b[K", stderr);
        return;
    }
    const int filled = (int)(40.0 * (double)done / (double)total);
    fprintf(stderr, "\r\x1b[K  [%.*s%*s] %3.0f %%", filled, full, 40 - filled, "",
            100.0 * (double)done / (double)total);
    fflush(stderr);
}
