// zoetrope-golden: prints one line a scene, its name and the hash of what came of it. With --show NAME: that scene's
// pixels as a PAM picture on stdout, to be looked at. With --check FILE: only the lines that differ from the file's.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

uint64_t golden_hash(uint64_t hash, const void *bytes, size_t size) { // FNV-1a
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) { hash = (hash ^ at[i]) * 0x100000001B3u; }
    return hash;
}

static zo_image draw_scene(const golden_scene *scene) {
    zo_image target = {.width = scene->width, .height = scene->height, .stride = (size_t)scene->width * 4};
    target.pixels = calloc(scene->height, target.stride);
    if (!target.pixels) { abort(); }
    scene->draw(&target);
    return target;
}

static int show(const char *name) {
    for (uint32_t i = 0; i < golden_scene_count; i++) {
        if (strcmp(golden_scenes[i].name, name) != 0) { continue; }
        zo_image target = draw_scene(&golden_scenes[i]);
        zo_image_unpremultiply(&target);
        printf("P7\nWIDTH %u\nHEIGHT %u\n", target.width, target.height);
        puts("DEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR");
        fwrite(target.pixels, target.stride, target.height, stdout);
        free(target.pixels);
        return 0;
    }
    fprintf(stderr, "no scene %s\n", name);
    return 2;
}

// Prints the line, or compares it with the next one of `expected`.
static int give_line(FILE *expected, const char *name, uint64_t hash) {
    char line[128], wanted[128];
    snprintf(line, sizeof line, "%s %016" PRIx64 "\n", name, hash);
    if (!expected) {
        fputs(line, stdout);
        return 0;
    }
    if (fgets(wanted, sizeof wanted, expected) && strcmp(line, wanted) == 0) { return 0; }
    printf("differs: %s", line);
    return 1;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--show") == 0) { return show(argv[2]); }
    FILE *expected = NULL;
    if (argc == 3 && strcmp(argv[1], "--check") == 0) {
        expected = fopen(argv[2], "r");
        if (!expected) { return 2; }
    }
    int faults = 0;
    for (uint32_t i = 0; i < golden_scene_count; i++) {
        zo_image target = draw_scene(&golden_scenes[i]);
        const uint64_t hash = golden_hash(GOLDEN_HASH_START, target.pixels, target.stride * target.height);
        free(target.pixels);
        faults += give_line(expected, golden_scenes[i].name, hash);
    }
    for (uint32_t i = 0; i < golden_line_count; i++) {
        faults += give_line(expected, golden_lines[i].name, golden_lines[i].hash());
    }
    if (expected && fgetc(expected) != EOF) {
        puts("differs: there are more lines in the file");
        faults++;
    }
    return faults ? 1 : 0;
}
