// A program as an object: its one block of memory, the view of its sections, copies and its hash. Called by the
// builder, the validator and api. Must not know how a blob comes about nor what its records mean.
#include "program/build.h"

#include "base/random.h"

static const uint32_t record_sizes[ZP_SECTION_COUNT] = {
    [ZP_SECTION_CLIPS] = sizeof(zp_clip),         [ZP_SECTION_CURVES] = sizeof(zp_curve),
    [ZP_SECTION_INTERVALS] = sizeof(zp_interval), [ZP_SECTION_EASINGS] = sizeof(zp_easing),
    [ZP_SECTION_INSERTS] = sizeof(zp_insert),     [ZP_SECTION_EVENTS] = sizeof(zp_event),
    [ZP_SECTION_ARGUMENTS] = sizeof(zp_argument), [ZP_SECTION_CHANNELS] = sizeof(zp_channel),
    [ZP_SECTION_LAYERS] = sizeof(zp_layer),       [ZP_SECTION_PARAMS] = sizeof(zp_param),
    [ZP_SECTION_TARGETS] = sizeof(zp_target),     [ZP_SECTION_SPRITES] = sizeof(zp_sprite),
    [ZP_SECTION_CELS] = sizeof(zp_cel),           [ZP_SECTION_IMAGES] = sizeof(zp_image),
    [ZP_SECTION_PLAYS] = sizeof(zp_play),         [ZP_SECTION_EFFECTS] = sizeof(zp_effect),
    [ZP_SECTION_SHAPES] = sizeof(zp_shape),       [ZP_SECTION_NUMBERS] = sizeof(double),
    [ZP_SECTION_INSTANTS] = sizeof(int64_t),      [ZP_SECTION_SRCMAP] = sizeof(zp_source_range),
    [ZP_SECTION_WORDS] = sizeof(uint32_t),        [ZP_SECTION_MACHINES] = sizeof(zp_machine),
    [ZP_SECTION_STATES] = sizeof(zp_state),       [ZP_SECTION_EDGES] = sizeof(zp_edge),
    [ZP_SECTION_DIRECTORS] = sizeof(zp_director), [ZP_SECTION_SLOTS] = sizeof(zp_slot),
    [ZP_SECTION_SIGNALS] = sizeof(zp_signal),     [ZP_SECTION_NAMES] = 1,
    [ZP_SECTION_EMITTERS] = sizeof(zp_emitter),   [ZP_SECTION_BURSTS] = sizeof(zp_burst),
    [ZP_SECTION_MINMAXES] = sizeof(zp_minmax),    [ZP_SECTION_GRADIENTS] = sizeof(zp_gradient),
    [ZP_SECTION_OVERLAYS] = sizeof(zp_overlay),   [ZP_SECTION_SPEECHES] = sizeof(zp_speech),
    [ZP_SECTION_VOICES] = sizeof(zp_voice),       [ZP_SECTION_INTENTS] = sizeof(zp_intent),
    [ZP_SECTION_ALIASES] = sizeof(zp_alias),      [ZP_SECTION_MESHES] = sizeof(zp_mesh),
    [ZP_SECTION_PARTS] = sizeof(zp_part),         [ZP_SECTION_VERTICES] = sizeof(zp_vertex),
    [ZP_SECTION_TRIANGLES] = sizeof(zp_triangle), [ZP_SECTION_BONES] = sizeof(zp_bone),
    [ZP_SECTION_WEIGHTS] = sizeof(zp_weight),     [ZP_SECTION_UV_BINDINGS] = sizeof(zp_uv_binding),
    [ZP_SECTION_EXPRS] = sizeof(zp_expr),         [ZP_SECTION_OPS] = sizeof(zp_op),
    [ZP_SECTION_NODES] = sizeof(zp_node),
};

uint32_t zp_record_size(zp_section_id section) {
    ZO_ASSERT(section < ZP_SECTION_COUNT);
    return record_sizes[section];
}

static size_t section_size(const zp_header *header, zp_section_id section) {
    return (size_t)header->sections[section].count * record_sizes[section];
}

// What SRCMAP does to the header (the size, its own entry, the offsets behind it) stays out, so that stripping it
// leaves the hash as it is. Offsets follow from the counts.
uint64_t zp_program_hash(const void *blob) {
    const zp_header *header = blob;
    uint64_t content[8 + ZP_SECTION_COUNT] = {header->magic,
                                              (uint64_t)header->version << 32 | header->header_size,
                                              (uint64_t)header->format << 32 | header->profile,
                                              (uint64_t)header->mix_group_count << 32 | header->clip_depth_max};
    memcpy(content + 4, header->stage, sizeof header->stage);
    for (uint32_t section = 0; section < ZP_SECTION_COUNT; ++section) {
        if (section != ZP_SECTION_SRCMAP) { content[8 + section] = header->sections[section].count; }
    }
    const uint8_t *bytes = blob;
    const size_t srcmap = header->sections[ZP_SECTION_SRCMAP].offset;
    const size_t behind = srcmap + section_size(header, ZP_SECTION_SRCMAP);
    uint64_t hash = zb_hash_bytes(content, sizeof content, 0);
    hash = zb_hash_bytes(bytes + sizeof *header, srcmap - sizeof *header, hash);
    return zb_hash_bytes(bytes + behind, (size_t)header->size - behind, hash);
}

static const void *section_at(const zp_program *program, zp_section_id section) {
    return program->blob + program->header->sections[section].offset;
}

void zp_program_view(zp_program *program, const void *blob, size_t size) {
    program->blob = blob;
    program->blob_size = size;
    program->header = blob;
    program->clips = section_at(program, ZP_SECTION_CLIPS);
    program->curves = section_at(program, ZP_SECTION_CURVES);
    program->intervals = section_at(program, ZP_SECTION_INTERVALS);
    program->easings = section_at(program, ZP_SECTION_EASINGS);
    program->inserts = section_at(program, ZP_SECTION_INSERTS);
    program->events = section_at(program, ZP_SECTION_EVENTS);
    program->arguments = section_at(program, ZP_SECTION_ARGUMENTS);
    program->channels = section_at(program, ZP_SECTION_CHANNELS);
    program->layers = section_at(program, ZP_SECTION_LAYERS);
    program->params = section_at(program, ZP_SECTION_PARAMS);
    program->targets = section_at(program, ZP_SECTION_TARGETS);
    program->sprites = section_at(program, ZP_SECTION_SPRITES);
    program->cels = section_at(program, ZP_SECTION_CELS);
    program->images = section_at(program, ZP_SECTION_IMAGES);
    program->overlays = section_at(program, ZP_SECTION_OVERLAYS);
    program->plays = section_at(program, ZP_SECTION_PLAYS);
    program->effects = section_at(program, ZP_SECTION_EFFECTS);
    program->shapes = section_at(program, ZP_SECTION_SHAPES);
    program->emitters = section_at(program, ZP_SECTION_EMITTERS);
    program->bursts = section_at(program, ZP_SECTION_BURSTS);
    program->minmaxes = section_at(program, ZP_SECTION_MINMAXES);
    program->gradients = section_at(program, ZP_SECTION_GRADIENTS);
    program->words = section_at(program, ZP_SECTION_WORDS);
    program->machines = section_at(program, ZP_SECTION_MACHINES);
    program->states = section_at(program, ZP_SECTION_STATES);
    program->edges = section_at(program, ZP_SECTION_EDGES);
    program->directors = section_at(program, ZP_SECTION_DIRECTORS);
    program->slots = section_at(program, ZP_SECTION_SLOTS);
    program->signals = section_at(program, ZP_SECTION_SIGNALS);
    program->speeches = section_at(program, ZP_SECTION_SPEECHES);
    program->voices = section_at(program, ZP_SECTION_VOICES);
    program->intents = section_at(program, ZP_SECTION_INTENTS);
    program->aliases = section_at(program, ZP_SECTION_ALIASES);
    program->meshes = section_at(program, ZP_SECTION_MESHES);
    program->parts = section_at(program, ZP_SECTION_PARTS);
    program->vertices = section_at(program, ZP_SECTION_VERTICES);
    program->triangles = section_at(program, ZP_SECTION_TRIANGLES);
    program->bones = section_at(program, ZP_SECTION_BONES);
    program->weights = section_at(program, ZP_SECTION_WEIGHTS);
    program->uv_bindings = section_at(program, ZP_SECTION_UV_BINDINGS);
    program->exprs = section_at(program, ZP_SECTION_EXPRS);
    program->ops = section_at(program, ZP_SECTION_OPS);
    program->nodes = section_at(program, ZP_SECTION_NODES);
    program->numbers = section_at(program, ZP_SECTION_NUMBERS);
    program->instants = section_at(program, ZP_SECTION_INSTANTS);
    program->srcmap = section_at(program, ZP_SECTION_SRCMAP);
    program->names = section_at(program, ZP_SECTION_NAMES);
}

// One block: the view, then the blob, aligned to 16.
enum { BLOB_OFFSET = (sizeof(zp_program) + 15) & ~15u };

zp_program *zp_program_new(size_t blob_size, const zo_allocator *allocator, void **blob) {
    const zo_allocator chosen = zb_allocator_or_default(allocator);
    size_t size;
    if (!zb_add_size(blob_size, BLOB_OFFSET, &size)) { return NULL; }
    uint8_t *block = chosen.alloc(chosen.context, size);
    if (!block) { return NULL; }
    zp_program *program = (zp_program *)(void *)block;
    *program = (zp_program){.allocator = chosen, .blob = block + BLOB_OFFSET, .blob_size = blob_size};
    *blob = block + BLOB_OFFSET;
    return program;
}

zp_program *zp_program_copy(const void *blob, size_t size, const zo_allocator *allocator) {
    void *copy;
    zp_program *program = zp_program_new(size, allocator, &copy);
    if (!program) { return NULL; }
    memcpy(copy, blob, size);
    zp_program_view(program, copy, size);
    return program;
}

zp_program *zp_program_load(const void *blob, size_t size, const zo_allocator *allocator, const char **what) {
    *what = NULL;
    if (size < sizeof(zp_header)) {
        *what = "shorter than a header";
        return NULL;
    }
    void *copy;
    zp_program *program = zp_program_new(size, allocator, &copy);
    if (!program) { return NULL; }
    memcpy(copy, blob, size);
    if (!zp_program_check(copy, size, what)) {
        zp_program_free(program);
        return NULL;
    }
    zp_program_view(program, copy, size);
    return program;
}

void zp_program_free(zp_program *program) {
    if (!program) { return; }
    const zo_allocator allocator = program->allocator;
    allocator.free(allocator.context, program, BLOB_OFFSET + program->blob_size);
}
