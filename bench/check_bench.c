// check_bench FILE: how long `zoetrope check` takes of a definition that is in memory: parse, every rule, report. Beside it
// bench/ajv/check.mjs does JSON.parse and ajv with a schema of the same fields. Prints `check_us VALUE us` once a round.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <zoetrope/zoetrope.h>

enum { BYTES_MAX = 1 << 20, ROUNDS = 5 };
static char bytes[BYTES_MAX];

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: check_bench FILE\n");
        return 2;
    }
    const zo_source source = {.name = argv[1], .bytes = bytes, .size = fread(bytes, 1, BYTES_MAX, file)};
    fclose(file);
    for (int round = -1; round < ROUNDS; round++) {
        uint32_t count = 0;
        const double start = cpu_s();
        do {
            for (int i = 0; i < 100; i++) {
                zo_report *report = NULL;
                const zo_status status = zo_compile(&source, 1, NULL, NULL, &report);
                if (status != ZO_OK || report == NULL || zo_report_count(report) != 0) {
                    fprintf(stderr, "check_bench: the file should be without fault\n");
                    return 1;
                }
                zo_report_free(report);
            }
            count += 100;
        } while (cpu_s() - start < 0.2);
        if (round >= 0) { printf("check_us %.3f us\n", (cpu_s() - start) / count * 1e6); }
    }
    return 0;
}
