// json_bench FILE...: bytes to document, ours beside jansson's, in megabytes a second of processor time. Both read the
// same bytes from memory, in turns, for some rounds; the ratio is taken round by round, since a shared machine's speed
// drifts. Ours keeps order, number texts, positions and repeated keys in one arena that is used again; jansson keeps
// the values. Exit status 1 when a file cannot be read by either.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json/json.h"

enum { ROUND_COUNT_DEFAULT = 9, ROUND_COUNT_MAX = 101 };
static const double ROUND_SECONDS = 0.15;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct text {
    char *bytes;
    size_t size;
} text;

static bool read_file(const char *name, text *result) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) { return false; }
    bool ok = fseek(file, 0, SEEK_END) == 0;
    const long size = ok ? ftell(file) : -1;
    ok = ok && size >= 0 && fseek(file, 0, SEEK_SET) == 0;
    result->size = ok ? (size_t)size : 0;
    result->bytes = ok ? malloc(result->size + 1) : NULL;
    ok = result->bytes != NULL && fread(result->bytes, 1, result->size, file) == result->size;
    fclose(file);
    return ok;
}

static bool parse_ours(zb_arena *arena, text t) {
    zb_arena_reset(arena);
    return zj_parse(arena, t.bytes, t.size, 0, NULL, NULL) != NULL;
}

static bool parse_fresh(zb_arena *arena, text t) { // memory from the system and back, as for one file of a command
    zb_arena_close(arena);
    *arena = zb_arena_open(NULL);
    return zj_parse(arena, t.bytes, t.size, 0, NULL, NULL) != NULL;
}

static bool parse_jansson(zb_arena *arena, text t) {
    (void)arena;
    json_t *value = json_loadb(t.bytes, t.size, JSON_DECODE_ANY, NULL);
    json_decref(value);
    return value != NULL;
}

typedef bool (*parse_fn)(zb_arena *arena, text t);

// Megabytes a second in one round; negative: the file was refused.
static double round_of(parse_fn parse, text t) {
    zb_arena arena = zb_arena_open(NULL);
    bool ok = parse(&arena, t); // not counted: first touch of memory, caches
    const double begin = cpu_seconds();
    double seconds;
    uint32_t count = 0;
    do {
        ok = parse(&arena, t) && ok;
        count++;
        seconds = cpu_seconds() - begin;
    } while (seconds < ROUND_SECONDS);
    zb_arena_close(&arena);
    return ok ? (double)t.size * count / seconds * 1e-6 : -1.0;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, int count) {
    double sorted[ROUND_COUNT_MAX];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    return count % 2 != 0 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

static bool measure(const char *name, int round_count) {
    text t;
    if (!read_file(name, &t)) {
        fprintf(stderr, "json_bench: cannot read %s\n", name);
        return false;
    }
    double ours[ROUND_COUNT_MAX], fresh[ROUND_COUNT_MAX], theirs[ROUND_COUNT_MAX], ratio[ROUND_COUNT_MAX];
    for (int i = 0; i < round_count; i++) {
        theirs[i] = round_of(parse_jansson, t);
        ours[i] = round_of(parse_ours, t);
        fresh[i] = round_of(parse_fresh, t);
        ratio[i] = ours[i] / theirs[i];
        if (ours[i] < 0 || fresh[i] < 0 || theirs[i] < 0) {
            fprintf(stderr, "json_bench: %s was refused\n", name);
            free(t.bytes);
            return false;
        }
    }
    const char *slash = strrchr(name, '/');
    printf("%-16s %7.3f MB  jansson %6.1f  ours %6.1f  fresh memory %6.1f MB/s  ratio %4.1f  rounds",
           slash ? slash + 1 : name, (double)t.size * 1e-6, median(theirs, round_count), median(ours, round_count),
           median(fresh, round_count), median(ratio, round_count));
    for (int i = 0; i < round_count; i++) { printf(" %.1f", ratio[i]); }
    printf("\n");
    fflush(stdout);
    free(t.bytes);
    return true;
}

int main(int argc, char **argv) {
    int first = 1, round_count = ROUND_COUNT_DEFAULT;
    if (argc > 2 && strcmp(argv[1], "--rounds") == 0) {
        round_count = atoi(argv[2]);
        first = 3;
    }
    if (first >= argc || round_count < 1 || round_count > ROUND_COUNT_MAX) {
        fprintf(stderr, "usage: json_bench [--rounds 1..%d] FILE...\n", (int)ROUND_COUNT_MAX);
        return 2;
    }
    bool ok = true;
    for (int i = first; i < argc; i++) { ok = measure(argv[i], round_count) && ok; }
    return ok ? 0 : 1;
}
