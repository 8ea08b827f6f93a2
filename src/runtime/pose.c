// Poses: the caller's block, which run holds which channels at the present instant, how runs of one mix group combine,
// and the transforms of the targets. Called by api. Everything is worked out anew each time: nothing that a pose held
// before has a say, and the instance is only read.
#include <math.h>

#include "base/maths.h"
#include "runtime/runtime.h"

// ---------------------------------------------------------------------------------------------------- the block

typedef struct layout {
    size_t slots, transforms, at_rest, rest, scratch, params, index_slots, own, size; // bytes from the block's start
    uint32_t slot_count, target_count, param_count, index_count, depth;
} layout;

static bool take(size_t *at, size_t *offset, size_t count, size_t size) {
    size_t bytes;
    *offset = *at;
    return zb_mul_size(count, size, &bytes) && zb_add_size(*at, bytes, at) && zb_add_size(*at, 7, at) &&
           (*at &= ~(size_t)7, true);
}

// At rest it holds what SHOW_CEL has shown last.
static bool shows_cel(const zp_channel *channel) { return channel->is_index && !channel->own_rest; }

static bool lay_out(const zp_program *program, layout *parts) {
    *parts = (layout){.slot_count = zp_count(program, ZP_SECTION_CHANNELS),
                      .target_count = zp_count(program, ZP_SECTION_TARGETS),
                      .depth = program->header->clip_depth_max};
    for (uint32_t i = 0; i < parts->slot_count; ++i) { parts->index_count += shows_cel(&program->channels[i]); }
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CLIPS); ++i) {
        const uint32_t count = program->clips[i].param_count;
        if (count > parts->param_count) { parts->param_count = count; }
    }
    size_t at = zb_align_up(sizeof(zr_pose), 16), own_count;
    const bool fits = zb_mul_size(parts->depth, parts->target_count, &own_count) &&
                      take(&at, &parts->own, own_count, sizeof(zo_transform)) &&
                      take(&at, &parts->slots, parts->slot_count, sizeof(double)) &&
                      take(&at, &parts->transforms, parts->target_count, sizeof(zo_transform)) &&
                      take(&at, &parts->rest, parts->slot_count, sizeof(double)) &&
                      take(&at, &parts->scratch, parts->slot_count, sizeof(double)) &&
                      take(&at, &parts->params, parts->param_count, sizeof(double)) &&
                      take(&at, &parts->index_slots, parts->index_count, sizeof(uint32_t)) &&
                      take(&at, &parts->at_rest, parts->target_count, 1) && zb_add_size(at, 15, &at);
    parts->size = at & ~(size_t)15;
    return fits;
}

size_t zr_pose_size(const zp_program *program) {
    layout parts;
    return lay_out(program, &parts) ? parts.size : SIZE_MAX;
}

static void fill_rest(zr_pose *block) {
    memcpy(block->pose.slots, block->rest, block->pose.slot_count * sizeof(double));
}

zo_pose *zr_pose_init(void *memory, size_t size, const zp_program *program) {
    layout parts;
    if (!memory || (uintptr_t)memory % 16 != 0 || !lay_out(program, &parts) || size < parts.size) { return NULL; }
    memset(memory, 0, parts.size);
    uint8_t *bytes = memory;
    zr_pose *block = memory;
    block->pose.slots = (double *)(void *)(bytes + parts.slots);
    block->pose.transforms = (zo_transform *)(void *)(bytes + parts.transforms);
    block->pose.at_rest = bytes + parts.at_rest;
    block->pose.slot_count = parts.slot_count;
    block->pose.target_count = parts.target_count;
    block->program = program;
    block->size = parts.size;
    block->rest = (double *)(void *)(bytes + parts.rest);
    block->scratch = (double *)(void *)(bytes + parts.scratch);
    block->params = (double *)(void *)(bytes + parts.params);
    block->index_slots = (uint32_t *)(void *)(bytes + parts.index_slots);
    block->own = (zo_transform *)(void *)(bytes + parts.own);
    block->depth = parts.depth;
    for (uint32_t i = 0; i < parts.slot_count; ++i) {
        block->rest[i] = program->channels[i].rest;
        if (shows_cel(&program->channels[i])) { block->index_slots[block->index_count++] = i; }
    }
    fill_rest(block);
    zr_pose_transforms(program, &block->pose);
    return &block->pose;
}

// ---------------------------------------------------------------------------------------------------- who holds what

static const zp_clip *clip_of(const zo_instance *instance, const zr_run *run) {
    return &instance->program->clips[run->clip];
}

void zr_find_holders(const zo_instance *instance, zr_holders held) {
    const uint32_t layer_count = zp_count(instance->program, ZP_SECTION_LAYERS);
    ZO_ASSERT(layer_count <= ZR_LAYER_MAX);
    for (uint32_t layer = 0; layer < layer_count; ++layer) { held[layer] = NULL; }
    const zr_run *runs = zr_runs(instance);
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        if (runs[i].phase != ZR_PLAYING) { continue; }
        const uint32_t mask = clip_of(instance, &runs[i])->layer_mask;
        for (uint32_t layer = 0; layer < layer_count; ++layer) {
            if (!(mask >> layer & 1)) { continue; }
            if (!held[layer] || held[layer]->install_serial < runs[i].install_serial) { held[layer] = &runs[i]; }
        }
    }
}

// The layers that this run has a say in: those that it holds, and those that one of its mix group holds.
static uint32_t layers_of(const zo_instance *instance, const zr_run *run, uint32_t layer_count, zr_holders held) {
    const zp_clip *clip = clip_of(instance, run);
    uint32_t mask = 0;
    for (uint32_t layer = 0; layer < layer_count; ++layer) {
        if (!(clip->layer_mask >> layer & 1)) { continue; }
        const bool mixes = run->mix_ref != 0 && held[layer]->mix_ref == run->mix_ref;
        if (held[layer] == run || mixes) { mask |= UINT32_C(1) << layer; }
    }
    return mask;
}

// What waits, or moves nothing, is not covered: nothing lies over it.
bool zr_run_is_covered(const zo_instance *instance, const zr_run *run, zr_holders held) {
    return run->phase == ZR_PLAYING && clip_of(instance, run)->layer_mask != 0 &&
           layers_of(instance, run, zp_count(instance->program, ZP_SECTION_LAYERS), held) == 0;
}

// One more run of a mix group on a channel that others of it have filled already.
static double mix(const zp_channel *channel, double so_far, double value, bool is_newest) {
    switch (channel->mix) {
    case ZP_MIX_ADD: return so_far + (value - channel->rest);
    case ZP_MIX_MULTIPLY: return channel->rest == 0.0 ? so_far * value : so_far * (value / channel->rest);
    default: return is_newest ? value : so_far;
    }
}

// ---------------------------------------------------------------------------------------------------- one target alone

// What a run says of a channel on one of its layers.
static double own_value(const zo_instance *instance, const zr_run *run, uint32_t channel) {
    const zp_program *program = instance->program;
    const zp_clip *clip = clip_of(instance, run);
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        const zp_curve *curve = &program->curves[clip->first_curve + i];
        if (channel - curve->first_channel >= curve->width) { continue; } // also where it stands before
        const zr_moment at = zr_run_moment(instance, run);
        double values[16];
        zr_curve_eval(program, clip, curve, &at, zr_run_values(instance, run), values);
        return values[channel - curve->first_channel];
    }
    return program->channels[channel].rest;
}

// As zr_instance_sample finds it.
static double channel_value(const zo_instance *instance, uint32_t index) {
    const zp_channel *channel = &instance->program->channels[index];
    const zr_run *runs = zr_runs(instance), *held = NULL;
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        if (runs[i].phase != ZR_PLAYING || !(clip_of(instance, &runs[i])->layer_mask >> channel->layer & 1)) {
            continue;
        }
        if (!held || held->install_serial < runs[i].install_serial) { held = &runs[i]; }
    }
    if (!held) { return channel->rest; }
    if (held->mix_ref == 0) { return own_value(instance, held, index); }
    double value = 0.0;
    bool filled = false;
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        if (runs[i].phase != ZR_PLAYING || !(clip_of(instance, &runs[i])->layer_mask >> channel->layer & 1)) {
            continue;
        }
        if (runs[i].mix_ref != held->mix_ref) { continue; }
        const double own = own_value(instance, &runs[i], index);
        value = filled ? mix(channel, value, own, &runs[i] == held) : own;
        filled = true;
    }
    return value;
}

void zr_target_values(const zo_instance *instance, const zp_target *target, double *values) {
    for (uint32_t i = 0; i <= ZP_SLOT_SCALE_Y; ++i) {
        const uint32_t ref = target->slot_refs[i];
        values[i] = ref ? channel_value(instance, ref - 1) : target->constant[i];
    }
}

// ---------------------------------------------------------------------------------------------------- transforms

static const zo_transform root = {.m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, .opacity = 1.0};

static uint32_t value_count(const zp_target *target) {
    switch (target->compose) {
    case ZP_COMPOSE_AXIS_ANGLE: return ZP_AXIS_ANGLE_COUNT;
    case ZP_COMPOSE_TRS3: return ZP_TRS3_COUNT;
    default: return ZP_SLOT_OPACITY + 1;
    }
}

// The target's own values.
static void read_values(const zp_target *target, const double *slots, double values[ZP_SLOT_COUNT]) {
    for (uint32_t i = 0; i < value_count(target); ++i) {
        const uint32_t ref = target->slot_refs[i];
        values[i] = ref ? slots[ref - 1] : target->constant[i];
    }
}

// Whether each of them equals its rest value.
static bool rests(const zp_program *program, const zp_target *target, const double *slots) {
    for (uint32_t i = 0; i < value_count(target); ++i) {
        const uint32_t ref = target->slot_refs[i];
        if (ref && slots[ref - 1] != program->channels[ref - 1].rest) { return false; }
    }
    return true;
}

// parent * T(pivot) T(x, y) R S T(-pivot), in the plane. Turned about the pivot by its linear part L, a target is moved
// by (x, y) + pivot - L pivot; taking the pivots' difference first leaves (x, y) exact where nothing turns or scales.
static void compose_trs2(const zo_transform *parent, const zp_target *target, const double *v, zo_transform *result) {
    double sine = 0.0, cosine = 1.0;
    if (v[ZP_SLOT_ROTATION] != 0.0) { zb_sincos_degrees(v[ZP_SLOT_ROTATION], &sine, &cosine); }
    const double a = cosine * v[ZP_SLOT_SCALE_X], b = 0.0 - sine * v[ZP_SLOT_SCALE_Y];
    const double c = sine * v[ZP_SLOT_SCALE_X], d = cosine * v[ZP_SLOT_SCALE_Y];
    const double px = target->pivot[0], py = target->pivot[1];
    const double x = v[ZP_SLOT_X] + (px - (a * px + b * py));
    const double y = v[ZP_SLOT_Y] + (py - (c * px + d * py));
    const double *m = parent->m;
    *result = (zo_transform){
        .m = {m[0] * a + m[1] * c, m[0] * b + m[1] * d, 0.0, m[0] * x + m[1] * y + m[3],
              m[4] * a + m[5] * c, m[4] * b + m[5] * d, 0.0, m[4] * x + m[5] * y + m[7],
              0.0, 0.0, 1.0, 0.0},
        .opacity = parent->opacity * v[ZP_SLOT_OPACITY],
    };
}

// T(place) L T(-about): about is turned and scaled about, and moved by `by`. What neither turns nor scales is moved by
// exactly that.
static void place_linear(const double linear[9], const double *by, const double *about, zo_transform *own) {
    for (uint32_t r = 0; r < 3; ++r) {
        const double *row = linear + 3 * r;
        for (uint32_t c = 0; c < 3; ++c) { own->m[4 * r + c] = row[c]; }
        own->m[4 * r + 3] = by[r];
        if (about) { own->m[4 * r + 3] += about[r] - (row[0] * about[0] + row[1] * about[1] + row[2] * about[2]); }
    }
    own->opacity = 1.0;
}

static void scale_columns(double linear[9], const double *scale) {
    for (uint32_t i = 0; i < 9; ++i) { linear[i] *= scale[i % 3]; }
}

// The turn about the axis as rows; an axis that is hardly there turns nothing.
static void axis_rows(const double *axis, double degrees, double m[9]) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double sine = 0.0, cosine = 1.0, x = 0.0, y = 0.0, z = 0.0;
    if (length >= 1e-6) {
        zb_sincos_degrees(degrees, &sine, &cosine);
        x = axis[0] / length;
        y = axis[1] / length;
        z = axis[2] / length;
    }
    const double rest = 1.0 - cosine;
    const double rows[9] = {cosine + rest * x * x,     rest * x * y - sine * z,   rest * x * z + sine * y,
                            rest * x * y + sine * z,   cosine + rest * y * y,     rest * y * z - sine * x,
                            rest * x * z - sine * y,   rest * y * z + sine * x,   cosine + rest * z * z};
    memcpy(m, rows, sizeof rows);
}

void zr_own_transform(const zp_target *target, const double *slots, zo_transform *own) {
    double v[ZP_SLOT_COUNT], linear[9];
    read_values(target, slots, v);
    switch (target->compose) {
    case ZP_COMPOSE_TRS2: compose_trs2(&root, target, v, own); break;
    case ZP_COMPOSE_AXIS_ANGLE:
        axis_rows(v + ZP_AXIS_ANGLE_AXIS, v[ZP_AXIS_ANGLE_ANGLE], linear);
        scale_columns(linear, v + ZP_AXIS_ANGLE_SCALE);
        place_linear(linear, v + ZP_AXIS_ANGLE_OFFSET, v + ZP_AXIS_ANGLE_ORIGIN, own);
        break;
    case ZP_COMPOSE_TRS3:
        zr_turn_rows(v + ZP_TRS3_ROTATION, linear);
        scale_columns(linear, v + ZP_TRS3_SCALE);
        place_linear(linear, v + ZP_TRS3_POSITION, NULL, own);
        break;
    default: *own = root;
    }
}

static bool is_same(const zo_transform *a, const zo_transform *b) {
    bool same = a->opacity == b->opacity;
    for (uint32_t i = 0; i < 12; ++i) { same &= a->m[i] == b->m[i]; }
    return same;
}

static const zo_transform *parent_of(const zp_target *target, const zo_pose *pose) {
    return target->parent_ref ? &pose->transforms[target->parent_ref - 1] : &root;
}

static void place_under(const zo_transform *parent, const zo_transform *own, zo_transform *result) {
    zb_affine_multiply(result->m, parent->m, own->m);
    result->opacity = parent->opacity * own->opacity;
}

void zr_pose_transforms(const zp_program *program, zo_pose *pose) {
    for (uint32_t i = 0; i < pose->target_count; ++i) {
        const zp_target *target = &program->targets[i];
        const zo_transform *parent = parent_of(target, pose);
        pose->at_rest[i] = rests(program, target, pose->slots);
        if (target->compose == ZP_COMPOSE_TRS2) {
            double values[ZP_SLOT_COUNT];
            read_values(target, pose->slots, values);
            compose_trs2(parent, target, values, &pose->transforms[i]);
        } else if (target->compose == ZP_COMPOSE_NONE) {
            pose->transforms[i] = *parent;
        } else {
            zo_transform own;
            zr_own_transform(target, pose->slots, &own);
            if (target->compose == ZP_COMPOSE_AXIS_ANGLE) { pose->at_rest[i] = is_same(&own, &root); }
            place_under(parent, &own, &pose->transforms[i]);
        }
    }
}

// From the own transforms that nodes have made. At rest is what stands as it does at rest, however that has come about.
static void place_own(const zp_program *program, zr_pose *block) {
    for (uint32_t i = 0; i < block->pose.target_count; ++i) {
        const zp_target *target = &program->targets[i];
        const zo_transform *own = &block->own[i];
        zo_transform rest = root;
        if (target->compose != ZP_COMPOSE_AXIS_ANGLE) { zr_own_transform(target, block->rest, &rest); }
        block->pose.at_rest[i] = is_same(own, &rest);
        place_under(parent_of(target, &block->pose), own, &block->pose.transforms[i]);
    }
}

// What a machine shows that poses: into the own transforms, and the slots where it is one clip.
static void sample_poser(const zo_instance *instance, zr_pose *block) {
    const zr_layer *layers;
    const uint32_t count = zr_poser_layers(instance, &layers);
    const double x = zr_world_s(instance);
    uint32_t alone = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double weight = zr_poser_weight(instance, &layers[i]);
        alone = zr_node_pose(instance, instance->program->states[layers[i].state].node_ref - 1, x, i > 0, block);
        for (uint32_t t = 0; t < block->pose.target_count && i > 0; ++t) {
            zo_transform *under = &block->own[t];
            zr_transform_blend(under, under + block->pose.target_count, weight, under);
        }
    }
    if (count == 1 && alone) { memcpy(block->pose.slots, block->scratch, block->pose.slot_count * sizeof(double)); }
}

// Runs lie over what a machine shows: a target with a slot on one of these layers stands as its slots say.
static void place_runs(const zp_program *program, uint32_t layers, zr_pose *block) {
    for (uint32_t i = 0; i < block->pose.target_count && layers != 0; ++i) {
        const zp_target *target = &program->targets[i];
        bool moved = false;
        for (uint32_t slot = 0; slot < value_count(target); ++slot) {
            const uint32_t ref = target->slot_refs[slot];
            moved |= ref != 0 && (layers >> program->channels[ref - 1].layer & 1) != 0;
        }
        if (moved) { zr_own_transform(target, block->pose.slots, &block->own[i]); }
    }
}

// ---------------------------------------------------------------------------------------------------- the whole

// Adds a run that shares its layers, or some of them, with others. `filled`: the layers that others have filled.
static void blend_run(const zo_instance *instance, const zr_run *run, uint32_t mask, uint32_t filled, zr_holders held,
                      zr_pose *block) {
    const zp_program *program = instance->program;
    const zr_moment at = zr_run_moment(instance, run);
    const zp_clip *clip = clip_of(instance, run);
    double *own = block->scratch, *slots = block->pose.slots;
    memcpy(own, block->rest, block->pose.slot_count * sizeof *own);
    for (uint32_t i = 0; i < block->index_count; ++i) { own[block->index_slots[i]] = (double)instance->cel_ref; }
    zr_clip_eval(program, clip, &at, zr_run_values(instance, run), own);
    for (uint32_t l = 0; mask >> l != 0; ++l) {
        if (!(mask >> l & 1)) { continue; }
        const zp_layer *layer = &program->layers[l];
        for (uint32_t c = layer->first_channel; c < layer->first_channel + layer->channel_count; ++c) {
            slots[c] = filled >> l & 1 ? mix(&program->channels[c], slots[c], own[c], held[l] == run) : own[c];
        }
        if (l == ZR_LAYER_MAX - 1) { break; } // a shift by 32 has no meaning
    }
}

void zr_instance_sample(const zo_instance *instance, zo_pose *pose) {
    const zp_program *program = instance->program;
    zr_pose *block = (zr_pose *)pose;
    ZO_ASSERT(block->program == program);
    fill_rest(block);
    for (uint32_t i = 0; i < block->index_count; ++i) {
        pose->slots[block->index_slots[i]] = (double)instance->cel_ref;
    }

    if (instance->poser_offset != 0) { sample_poser(instance, block); }
    const uint32_t layer_count = zp_count(program, ZP_SECTION_LAYERS);
    zr_holders held;
    zr_find_holders(instance, held);
    uint32_t filled = 0;
    const zr_run *runs = zr_runs(instance);
    for (uint32_t i = 0; i < instance->run_count; ++i) {
        if (runs[i].phase != ZR_PLAYING) { continue; }
        const uint32_t mask = layers_of(instance, &runs[i], layer_count, held);
        if (mask == 0) { continue; }
        const zp_clip *clip = clip_of(instance, &runs[i]);
        if (mask == clip->layer_mask && (mask & filled) == 0) { // nobody there yet: straight into the pose
            const zr_moment at = zr_run_moment(instance, &runs[i]);
            zr_clip_eval(program, clip, &at, zr_run_values(instance, &runs[i]), pose->slots);
        } else {
            blend_run(instance, &runs[i], mask, filled, held, block);
        }
        filled |= mask;
    }
    if (instance->poser_offset == 0) {
        zr_pose_transforms(program, pose);
    } else {
        place_runs(program, filled, block);
        place_own(program, block);
    }
}

void zr_clip_sample(const zp_program *program, uint32_t clip_index, double time, const double *params, zo_pose *pose) {
    ZO_ASSERT(clip_index < zp_count(program, ZP_SECTION_CLIPS));
    zr_pose *block = (zr_pose *)pose;
    ZO_ASSERT(block->program == program);
    const zp_clip *clip = &program->clips[clip_index];
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &program->params[clip->first_param + i];
        const double value = params && !zb_is_nan(params[i]) ? params[i] : param->value;
        block->params[i] = zb_clamp(value, param->low, param->high);
    }
    fill_rest(block);
    const zr_moment at = zr_moment_at(clip, time);
    zr_clip_eval(program, clip, &at, block->params, pose->slots);
    zr_pose_transforms(program, pose);
}
