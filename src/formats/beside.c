// See beside.h.
#include "formats/beside.h"

zo_text zf_beside_name(const zf_input *input, const char *name) {
    const char *first = input->sources[0].name;
    const char *slash = strrchr(first, '/');
    const size_t size = slash != NULL ? (size_t)(slash - first) + 1 : 0;
    return zb_text(strncmp(name, first, size) == 0 ? name + size : name);
}

zf_beside zf_beside_open(const zf_input *input) {
    zf_beside beside = {.input = input, .names = zb_intern_open(input->arena)};
    uint32_t *sources = zb_arena_take_array(input->arena, (size_t)input->source_count + 1, sizeof *sources);
    for (uint32_t i = 1; i < input->source_count && sources != NULL; i++) {
        const uint32_t known = zb_intern_count(&beside.names);
        const uint32_t id = zb_intern_id(&beside.names, zf_beside_name(input, input->sources[i].name));
        if (id > known) { // of two of one name the first counts
            sources[id - 1] = i;
        }
    }
    beside.sources = sources;
    return beside;
}

const zo_source *zf_beside_find(const zf_beside *beside, zo_text name) {
    const uint32_t id = zb_intern_find(&beside->names, name);
    return id != 0 && beside->sources != NULL ? &beside->input->sources[beside->sources[id - 1]] : NULL;
}

void zf_beside_need(const zf_beside *beside, zo_text name, zo_need_kind kind) {
    if (zf_beside_find(beside, name) == NULL) {
        zd_report_add_need(beside->input->report, zb_arena_text(beside->input->arena, name), kind);
    }
}

bool zf_beside_is_supplied(const zf_input *input, zo_text name) {
    const zo_compile_def *def = input->def;
    bool is = false;
    for (uint32_t i = 0; i < def->cel_count && !is; i++) {
        is = zb_text_equal(zb_text(def->cels[i]), name);
    }
    return is;
}
