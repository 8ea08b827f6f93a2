// clip_bench FILE: how long `zoetrope check` takes of a large clip that is in memory (parse, every member, every rule,
// report) beside jansson's bare parse of the same bytes. The two run in turns within a round, since a shared machine's
// speed drifts. Prints `clip_ratio VALUE x` once a round, and how much of the time is our parse.
#define _POSIX_C_SOURCE 200809L
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <zoetrope/zoetrope.h>

#include "json/json.h"

enum { BYTES_MAX = 8 << 20, ROUNDS = 7 };
static char bytes[BYTES_MAX];
static size_t size;
static const double ROUND_SECONDS = 0.2;

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool check(void) {
    const zo_source source = {.name = "clip.json", .bytes = bytes, .size = size};
    zo_report *report = NULL;
    const zo_status status = zo_compile(&source, 1, NULL, NULL, &report);
    const bool fine = status == ZO_OK && report != NULL && zo_report_count(report) == 0;
    zo_report_free(report);
    return fine;
}

static bool parse(void) {
    zb_arena arena = zb_arena_open(NULL);
    const bool fine = zj_parse(&arena, bytes, size, 0, NULL, NULL) != NULL;
    zb_arena_close(&arena);
    return fine;
}

static bool parse_jansson(void) {
    json_t *value = json_loadb(bytes, size, 0, NULL);
    json_decref(value);
    return value != NULL;
}

static double seconds_of(bool (*work)(void)) {
    uint32_t count = 0;
    const double start = cpu_s();
    do {
        if (!work()) {
            fprintf(stderr, "clip_bench: the file should be without fault\n");
            exit(1);
        }
        count++;
    } while (cpu_s() - start < ROUND_SECONDS);
    return (cpu_s() - start) / count;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: clip_bench FILE\n");
        return 2;
    }
    size = fread(bytes, 1, BYTES_MAX, file);
    fclose(file);
    for (int round = -1; round < ROUNDS; round++) {
        const double theirs = seconds_of(parse_jansson), ours = seconds_of(check), parsed = seconds_of(parse);
        if (round < 0) { continue; } // first touch of memory
        printf("clip_ratio %.2f x\nclip_ms %.3f ms\nclip_parse_ms %.3f ms\n", theirs / ours, ours * 1e3, parsed * 1e3);
    }
    return 0;
}
