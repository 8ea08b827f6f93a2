// See beside.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"

enum { NAME_MAX_BYTES = 2000 };
static const char *const set_formats[] = {"enemy-animation", NULL};
static const char *const rig_formats[] = {"enemy-animation", "enemy-rig", NULL};
static const char *const resource_formats[] = {"forge-machine", "forge-draft-machine", "forge-draft-animation",
                                               "forge-armature", "forge-model", NULL};
static const char *const model_formats[] = {"b3d", "b3d-source", NULL};
static const char *const lone_formats[] = {"enemy-rig", "forge-armature", "forge-draft-animation", "forge-model", "b3d",
                                           NULL};

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words != NULL; words++) {
        if (strcmp(word, *words) == 0) { return true; }
    }
    return false;
}

bool beside_is_set(const char *format) { return is_one_of(format, set_formats); }
bool beside_has_rig(const char *format) { return is_one_of(format, rig_formats); }
bool beside_has_resources(const char *format) { return is_one_of(format, resource_formats); }
bool beside_has_pictures(const char *format) {
    return beside_has_resources(format) || is_one_of(format, model_formats);
}
bool beside_is_alone(const char *format) { return is_one_of(format, lone_formats); }
bool beside_is_rig(const char *format) { return strcmp(format, lone_formats[0]) == 0; }

// What a folder is by the name of a file in it. A pack may have lost its manifest, or have something else in its place,
// and is one for all that.
static const char *const pack_files[] = {"runtime_manifest.json", "graph_config.json",
                                         "spriteforge_mouth_config.json"};
const char *const beside_pack_format = "character-pack-v1/runtime_manifest";

const char *beside_pack_file_at(uint32_t index) {
    return index < sizeof pack_files / sizeof pack_files[0] ? pack_files[index] : NULL;
}

bool beside_is_manifest(const char *path) { return beside_ends_in(path, pack_files[0]); }

bool beside_ends_in(const char *path, const char *name) {
    const size_t a = strlen(path), b = strlen(name);
    return a >= b && strcmp(path + a - b, name) == 0 && (a == b || path[a - b - 1] == '/');
}

size_t beside_folder_size(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

const char *beside_last_part(const char *path) { return path + beside_folder_size(path); }

bool beside_leads_down(const char *name) {
    if (*name == 0 || *name == '/' || strlen(name) > NAME_MAX_BYTES) { return false; }
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/' ? 1 : 0;
        const size_t size = strcspn(part, "/");
        if (size == 0 || (size == 2 && part[0] == '.' && part[1] == '.')) { return false; }
    }
    return true;
}

void beside_file_of_id(const char *id, char *name, size_t capacity) {
    snprintf(name, capacity, "%s.json", id);
    char *colon = strchr(name, ':');
    if (colon != NULL) { *colon = '_'; }
}

char *beside_name(const char *first, const char *need, const char *path) {
    const size_t size = beside_folder_size(first);
    if (path != NULL) { return strdup(path); }
    if (size == 0 || strncmp(need, first, size) != 0) { return strdup(need); }
    char *name = malloc(size + strlen(need) + 1);
    if (name != NULL) { snprintf(name, size + strlen(need) + 1, "%.*s%s", (int)size, first, need); }
    return name;
}
