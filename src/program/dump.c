// A program as text: one block of lines a record, names instead of numbers, times in ms, columns that line up. Called
// by api for people, and by tests that hold a compiled program against its listing. The program has been checked. The
// same text for the same program everywhere; SRCMAP is left out, so that stripping it changes nothing.
#include "base/buffer.h"
#include "base/utf8.h"
#include "program/program.h"

static const char *const placements[ZP_PLACE_COUNT] = {"explicit", "uniform open", "uniform loop", "step", "by index"};
static const char *const interpolations[ZP_INTERPOLATE_COUNT] = {
    "hold", "hold next", "nearest", "linear", "angle", "slerp", "ease", "hermite", "per interval",
};
static const char *const arithmetics[ZP_ARITHMETIC_COUNT] = {"f64", "f32 product", "f32 hermite", "index"};
static const char *const repeats[ZP_REPEAT_COUNT] = {"once", "loop", "alternate", "random interval", "hold"};
static const char *const time_units[ZP_TIME_COUNT] = {"fractions", "seconds", "frames"};
static const char *const actions[ZP_ACTION_COUNT] = {"notify", "show cel", "start effect", "request state"};
static const char *const mixes[ZP_MIX_COUNT] = {"replace", "add", "multiply"};
static const char *const composes[ZP_COMPOSE_COUNT] = {"none", "trs2", "axis angle", "trs3"};
static const char *const size_rules[ZP_SIZE_COUNT] = {"pixels", "fit box"};
static const char *const outlines[ZP_OUTLINE_COUNT] = {"ellipse", "rounded", "polygon"};
static const char *const motions[ZP_MOTION_COUNT] = {"path", "integrated"};
static const char *const slots[ZP_COMPOSE_COUNT][ZP_SLOT_COUNT] = {
    [ZP_COMPOSE_NONE] = {"x", "y", "rotation", "scale x", "scale y", "opacity"},
    [ZP_COMPOSE_TRS2] = {"x", "y", "rotation", "scale x", "scale y", "opacity"},
    [ZP_COMPOSE_AXIS_ANGLE] = {"offset x", "offset y", "offset z", "axis x", "axis y", "axis z", "angle", "scale x",
                               "scale y", "scale z", "origin x", "origin y", "origin z"},
    [ZP_COMPOSE_TRS3] = {"x", "y", "z", "rotation x", "rotation y", "rotation z", "rotation w", "scale x", "scale y",
                         "scale z"},
};

// ------------------------------------------------------------------------------------------------ words and columns

enum { NAME_SIZE_MAX = 64, GAP = 2 };

// A name, cut when it is very long.
static void put_name(zb_buffer *out, const zp_program *program, zp_name name) {
    zo_text text = zb_text(zp_name_text(program, name));
    const bool cut = text.size > NAME_SIZE_MAX;
    if (cut) { text.size = NAME_SIZE_MAX; }
    zb_put_json_text(out, text);
    if (cut) { zb_put(out, "..."); }
}

// Exact: up to six digits behind the point, none that are not needed.
static void put_ms(zb_buffer *out, int64_t ns) {
    const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    if (ns < 0) { zb_put_char(out, '-'); }
    zb_put_uint(out, size / 1000000);
    uint64_t rest = size % 1000000, unit = 100000;
    if (rest > 0) { zb_put_char(out, '.'); }
    for (; rest > 0; unit /= 10) {
        zb_put_char(out, (char)('0' + rest / unit));
        rest %= unit;
    }
}

static void put_ms_unit(zb_buffer *out, int64_t ns) {
    put_ms(out, ns);
    zb_put(out, " ms");
}

static void put_numbers(zb_buffer *out, const double *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0) { zb_put_char(out, ' '); }
        zb_put_double(out, numbers[i]);
    }
}

static void put_word(zb_buffer *out, const char *word, const char *value) {
    zb_put(out, "  ");
    zb_put(out, word);
    zb_put_char(out, ' ');
    zb_put(out, value);
}

// A table: cells are collected with their widths, then written row by row. One scratch table serves all, in the
// listing's arena.
typedef struct table {
    zb_buffer cells;    // texts one after another
    zb_array ends;      // uint64_t: where each cell ends in `cells`
    uint32_t columns;
} table;

static table table_open(zb_arena *arena, uint32_t columns) {
    return (table){zb_buffer_open(arena), zb_array_open(arena, sizeof(uint64_t)), columns};
}

// What was put into `cells` since the last cell becomes one.
static void end_cell(table *t) { *(uint64_t *)zb_array_push(&t->ends) = t->cells.size; }

static uint64_t cell_start(const table *t, uint32_t cell) {
    return cell == 0 ? 0 : ((const uint64_t *)(const void *)t->ends.items)[cell - 1];
}
static uint64_t cell_size(const table *t, uint32_t cell) { return cell_start(t, cell + 1) - cell_start(t, cell); }

static uint64_t cell_width(const table *t, uint32_t cell) { // columns on a terminal
    uint64_t width = 0;
    const size_t end = (size_t)cell_start(t, cell + 1);
    for (size_t at = (size_t)cell_start(t, cell); at < end;) {
        width += zb_code_point_width(zb_utf8_next(t->cells.data, end, &at, NULL));
    }
    return width;
}

enum { COLUMNS_MAX = 24 };

static void put_table(zb_buffer *out, const table *t, uint32_t indent) {
    if (zb_arena_failed(out->arena)) { return; }
    uint64_t widths[COLUMNS_MAX] = {0};
    ZO_ASSERT(t->columns <= COLUMNS_MAX);
    for (uint32_t cell = 0; cell < t->ends.count; ++cell) {
        const uint64_t width = cell_width(t, cell);
        if (width > widths[cell % t->columns]) { widths[cell % t->columns] = width; }
    }
    uint64_t blanks = indent;
    for (uint32_t cell = 0; cell < t->ends.count; ++cell) {
        const uint32_t column = cell % t->columns;
        if (column == 0) { blanks = indent; }
        const uint64_t size = cell_size(t, cell);
        if (size > 0) { // blanks only before something, so that no line ends in them
            zb_put_repeat(out, ' ', (uint32_t)blanks);
            zb_put_bytes(out, t->cells.data + cell_start(t, cell), (size_t)size);
            blanks = 0;
        }
        blanks += widths[column] - cell_width(t, cell) + (widths[column] > 0 ? GAP : 0);
        if (column + 1 == t->columns) { zb_put_char(out, '\n'); }
    }
}

static void cell_text(table *t, const char *text) {
    zb_put(&t->cells, text);
    end_cell(t);
}
static void cell_uint(table *t, uint32_t value) {
    zb_put_uint(&t->cells, value);
    end_cell(t);
}
static void cell_name(table *t, const zp_program *program, zp_name name) {
    put_name(&t->cells, program, name);
    end_cell(t);
}
static void cell_numbers(table *t, const char *word, const double *numbers, uint32_t count) {
    zb_put(&t->cells, word);
    put_numbers(&t->cells, numbers, count);
    end_cell(t);
}

static void put_heading(zb_buffer *out, const char *heading) {
    zb_put_char(out, '\n');
    zb_put(out, heading);
    zb_put_char(out, '\n');
}

// ---------------------------------------------------------------------------------------------------- what is moved

static void put_header(zb_buffer *out, const zp_program *program) {
    const zp_header *header = program->header;
    zb_put(out, "program ");
    put_name(out, program, header->format);
    put_word(out, "profile", header->profile == 0 ? "document" : "original");
    zb_put(out, "  hash ");
    zb_put_hex(out, header->hash, 16);
    zb_put(out, "\nstage ");
    put_numbers(out, header->stage, 4);
    zb_put(out, zp_y_up(program) ? ", y up" : "");
    zb_put(out, "\nmix groups ");
    zb_put_uint(out, header->mix_group_count);
    zb_put_char(out, '\n');
}

static void put_channels(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_CHANNELS);
    if (count == 0) { return; }
    put_heading(out, "channels");
    table t = table_open(out->arena, 7);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_channel *channel = &program->channels[i];
        cell_uint(&t, i);
        cell_name(&t, program, channel->name);
        cell_name(&t, program, channel->unit);
        zb_put(&t.cells, "layer ");
        cell_name(&t, program, program->layers[channel->layer].name);
        cell_numbers(&t, "rest ", &channel->rest, 1);
        cell_text(&t, channel->own_rest ? "own index" : channel->is_index ? "index" : mixes[channel->mix]);
        cell_numbers(&t, "limits ", &channel->low, 2);
    }
    put_table(out, &t, 2);
}
_Static_assert(offsetof(zp_channel, high) == offsetof(zp_channel, low) + sizeof(double), "limits in a row");

static void put_target(zb_buffer *out, const zp_program *program, uint32_t index) {
    const zp_target *target = &program->targets[index];
    zb_put(out, "  ");
    zb_put_uint(out, index);
    zb_put(out, "  ");
    put_name(out, program, target->name);
    if (target->parent_ref > 0) {
        zb_put(out, "  in ");
        put_name(out, program, program->targets[target->parent_ref - 1].name);
    }
    put_word(out, "compose", composes[target->compose]);
    if (target->compose <= ZP_COMPOSE_TRS2) {
        zb_put(out, "  pivot ");
        put_numbers(out, target->pivot, 2);
    }
    zb_put_char(out, '\n');
    table t = table_open(out->arena, 2);
    for (uint32_t slot = 0; slot < ZP_SLOT_COUNT; ++slot) {
        const uint32_t ref = target->slot_refs[slot];
        if (!slots[target->compose][slot] || (ref == 0 && target->compose == ZP_COMPOSE_NONE)) { continue; }
        cell_text(&t, slots[target->compose][slot]);
        if (ref > 0) {
            cell_name(&t, program, program->channels[ref - 1].name);
        } else {
            cell_numbers(&t, "", &target->constant[slot], 1);
        }
    }
    put_table(out, &t, 6);
}

static void put_targets(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_TARGETS);
    if (count == 0) { return; }
    put_heading(out, "targets");
    for (uint32_t i = 0; i < count; ++i) { put_target(out, program, i); }
}

static void cell_cel(table *t, const zp_program *program, uint32_t cel_ref) {
    zb_put(&t->cells, "cel ");
    if (cel_ref > 0) {
        cell_name(t, program, program->cels[cel_ref - 1].name);
    } else {
        cell_text(t, "none");
    }
}

static void cell_colours(table *t, const zp_program *program, const zp_sprite *sprite) {
    const char *before = "times ";
    for (uint32_t i = 0; i < ZB_COUNT(sprite->colour_refs); ++i) {
        if (sprite->colour_refs[i] == 0) { continue; }
        zb_put(&t->cells, before);
        put_name(&t->cells, program, program->channels[sprite->colour_refs[i] - 1].name);
        before = ", ";
    }
    end_cell(t);
}

static void put_sprites(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_SPRITES);
    if (count == 0) { return; }
    put_heading(out, "sprites");
    table t = table_open(out->arena, 10);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_sprite *sprite = &program->sprites[i];
        cell_uint(&t, i);
        cell_name(&t, program, sprite->name);
        zb_put(&t.cells, "on ");
        cell_name(&t, program, program->targets[sprite->target].name);
        zb_put(&t.cells, "channel ");
        if (sprite->channel_ref > 0) {
            cell_name(&t, program, program->channels[sprite->channel_ref - 1].name);
        } else {
            cell_text(&t, "none");
        }
        cell_cel(&t, program, sprite->cel_ref);
        cell_numbers(&t, "box ", sprite->box, 2);
        cell_numbers(&t, "origin ", sprite->origin, 2);
        zb_put(&t.cells, "layer ");
        zb_put_int(&t.cells, sprite->layer);
        end_cell(&t);
        zb_put(&t.cells, "order ");
        if (sprite->order_ref > 0) {
            put_name(&t.cells, program, program->channels[sprite->order_ref - 1].name);
        } else {
            zb_put_int(&t.cells, sprite->order);
        }
        end_cell(&t);
        cell_colours(&t, program, sprite);
    }
    put_table(out, &t, 2);
}

static void put_cels(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_CELS);
    if (count == 0) { return; }
    put_heading(out, "cels");
    table t = table_open(out->arena, 9);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_cel *cel = &program->cels[i];
        cell_uint(&t, i);
        cell_name(&t, program, cel->name);
        zb_put(&t.cells, "image ");
        if (cel->image_ref > 0) {
            cell_uint(&t, cel->image_ref - 1);
        } else {
            cell_text(&t, "none");
        }
        zb_put(&t.cells, "size ");
        cell_text(&t, size_rules[cel->size_rule]);
        cell_numbers(&t, "scale ", &cel->scale, 1);
        cell_numbers(&t, "anchor ", cel->anchor, 2);
        cell_numbers(&t, "region ", cel->region, 4);
        cell_text(&t, cel->flags & ZP_CEL_ABSENT ? "absent" : "");
        for (uint32_t k = 0; k < cel->fallback_count; ++k) { // what is shown in its place
            zb_put(&t.cells, k == 0 ? "else " : ", ");
            put_name(&t.cells, program, program->cels[program->words[cel->first_fallback + k]].name);
        }
        end_cell(&t);
    }
    put_table(out, &t, 2);
}

static void put_images(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_IMAGES);
    if (count == 0) { return; }
    put_heading(out, "images");
    table t = table_open(out->arena, 3);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_image *image = &program->images[i];
        cell_uint(&t, i);
        cell_name(&t, program, image->name);
        if (image->width > 0 && image->height > 0) {
            zb_put_uint(&t.cells, image->width);
            zb_put_char(&t.cells, 'x');
            zb_put_uint(&t.cells, image->height);
        }
        end_cell(&t);
    }
    put_table(out, &t, 2);
}

// ---------------------------------------------------------------------------------------------------- effects

static void put_shapes(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_SHAPES);
    if (count == 0) { return; }
    put_heading(out, "shapes");
    table t = table_open(out->arena, 6);
    for (uint32_t i = 0; i < count; ++i) {
        const zp_shape *shape = &program->shapes[i];
        cell_uint(&t, i);
        cell_name(&t, program, shape->name);
        cell_text(&t, outlines[shape->outline]);
        cell_numbers(&t, "aspect ", &shape->aspect, 1);
        cell_numbers(&t, "corner ", &shape->corner, 1);
        if (shape->point_count > 0) { zb_put(&t.cells, "corners "); }
        put_numbers(&t.cells, &program->numbers[shape->points], 2 * shape->point_count);
        end_cell(&t);
    }
    put_table(out, &t, 2);
}

static void put_range(zb_buffer *out, const char *word, const zp_range *range) {
    zb_put(out, word);
    put_numbers(out, &range->low, 1);
    zb_put(out, " to ");
    put_numbers(out, &range->high, 1);
}

static void put_effect_drawing(zb_buffer *out, const zp_program *program, const zp_effect *effect) {
    zb_put(out, "      colours");
    for (uint32_t i = 0; i < effect->colour_count; ++i) {
        zb_put(out, i > 0 ? ", " : " ");
        put_numbers(out, &program->numbers[effect->colours + 4 * (size_t)i], 4);
    }
    zb_put(out, "\n      shapes");
    for (uint32_t i = 0; i < effect->shape_count; ++i) {
        zb_put(out, i > 0 ? ", " : " ");
        put_name(out, program, program->shapes[effect->shapes + i].name);
    }
    zb_put(out, "  layer ");
    zb_put_int(out, effect->layer);
    zb_put(out, "  order ");
    zb_put_int(out, effect->order);
    if (effect->flags & ZP_EFFECT_ROUND_SIZE) { zb_put(out, "  whole sizes"); }
    if (effect->flags & ZP_EFFECT_ROUND_KEYS) { zb_put(out, "  keys in hundredths"); }
    zb_put_char(out, '\n');
}

static void put_path(zb_buffer *out, const zp_program *program, const zp_effect *effect) {
    static const char *const words[ZP_PATH_COUNT] = {"", "distance ", "fall ", "turn ", "opacity "};
    if (effect->easing_ref > 0) {
        zb_put(out, "      ease ");
        put_numbers(out, &program->easings[effect->easing_ref - 1].x1, 4);
        zb_put_char(out, '\n');
    }
    table t = table_open(out->arena, ZP_PATH_COUNT);
    for (uint32_t i = 0; i < ZP_PATH_COUNT * effect->key_count; ++i) {
        cell_numbers(&t, words[i % ZP_PATH_COUNT], &program->numbers[effect->keys + i], 1);
    }
    put_table(out, &t, 6);
}

static void put_effect(zb_buffer *out, const zp_program *program, uint32_t index) {
    const zp_effect *effect = &program->effects[index];
    zb_put(out, "  ");
    zb_put_uint(out, index);
    zb_put(out, "  ");
    put_name(out, program, effect->name);
    zb_put(out, "  on ");
    put_name(out, program, program->targets[effect->target].name);
    if (effect->motion == ZP_MOTION_INTEGRATED) {
        put_word(out, "motion", motions[effect->motion]);
        zp_emitter_dump(program, effect, out);
        return;
    }
    zb_put(out, "  at ");
    put_numbers(out, effect->origin, 2);
    put_word(out, "motion", motions[effect->motion]);
    zb_put(out, "\n      particles ");
    zb_put_uint(out, effect->burst_count);
    zb_put(out, ", at most ");
    zb_put_uint(out, effect->burst_max);
    zb_put(out, ", alive ");
    zb_put_uint(out, effect->alive_max);
    put_range(out, "\n      size ", &effect->size);
    put_range(out, "  travel ", &effect->travel);
    put_range(out, "  spin ", &effect->spin);
    put_range(out, "  life ", &effect->life);
    zb_put(out, " times ");
    put_ms_unit(out, effect->life_unit_ns);
    zb_put(out, "  fall ");
    put_numbers(out, &effect->fall, 1);
    zb_put_char(out, '\n');
    put_effect_drawing(out, program, effect);
    put_path(out, program, effect);
}

static void put_effects(zb_buffer *out, const zp_program *program) {
    put_shapes(out, program);
    const uint32_t count = zp_count(program, ZP_SECTION_EFFECTS);
    if (count == 0) { return; }
    put_heading(out, "effects");
    for (uint32_t i = 0; i < count; ++i) { put_effect(out, program, i); }
}

// ---------------------------------------------------------------------------------------------------- clips

static void put_clip_times(zb_buffer *out, const zp_clip *clip) {
    zb_put(out, "  duration ");
    put_ms_unit(out, clip->duration_ns);
    zb_put(out, " (may be ");
    put_ms(out, clip->duration_ns_min);
    zb_put(out, " to ");
    put_ms_unit(out, clip->duration_ns_max);
    zb_put(out, ")");
    put_word(out, "repeat", repeats[clip->repeat]);
    if (clip->repeat == ZP_REPEAT_RANDOM_INTERVAL) {
        zb_put(out, " after ");
        put_numbers(out, &clip->delay_min, 1);
        zb_put(out, " to ");
        put_numbers(out, &clip->delay_max, 1);
        zb_put(out, " times ");
        put_ms_unit(out, clip->delay_unit_ns);
    }
    zb_put(out, "  complete ");
    if (clip->complete_ns < 0) {
        zb_put(out, "never");
    } else {
        put_ms_unit(out, clip->complete_ns);
    }
    put_word(out, "times in", time_units[clip->time_unit]);
    if (clip->time_unit == ZP_TIME_FRAMES) {
        zb_put(out, " of ");
        put_ms_unit(out, clip->frame_ns);
    }
    if (clip->flags & ZP_CLIP_WRAPS) { zb_put(out, ", wrapped"); }
    if (clip->flags & ZP_CLIP_OPEN) { zb_put(out, ", open"); }
    zb_put_char(out, '\n');
}

static void put_clip_links(zb_buffer *out, const zp_program *program, const zp_clip *clip) {
    zb_put(out, "  layers");
    for (uint32_t layer = 0; layer < zp_count(program, ZP_SECTION_LAYERS); ++layer) {
        if (!(clip->layer_mask >> layer & 1)) { continue; }
        zb_put_char(out, ' ');
        put_name(out, program, program->layers[layer].name);
    }
    if (clip->layer_mask == 0) { zb_put(out, " none"); }
    if (clip->mix_ref > 0) {
        zb_put(out, "  mix group ");
        zb_put_uint(out, clip->mix_ref - 1);
    }
    if (clip->reduced_ref > 0) {
        zb_put(out, "  reduced motion ");
        put_name(out, program, program->clips[clip->reduced_ref - 1].name);
    }
    if (clip->flags & ZP_CLIP_SEGMENTED) { zb_put(out, "  segmented"); }
    if (clip->flags & ZP_CLIP_NO_ALTERNATE) { zb_put(out, "  never alternates"); }
    zb_put_char(out, '\n');
}

static void cell_key_place(table *t, const zp_program *program, const zp_curve *curve, uint32_t key) {
    if (curve->placement == ZP_PLACE_EXPLICIT) {
        cell_numbers(t, "", &program->numbers[curve->times + key], 1);
        if (curve->instants > 0) { put_ms_unit(&t->cells, program->instants[curve->instants + key]); }
        end_cell(t);
    } else {
        cell_uint(t, key);
        end_cell(t);
    }
}

// One column a value: "1", "1 + 2 p", "(L .. R at w)", a cel's name.
static void cell_value(table *t, const zp_program *program, const zp_curve *curve, size_t at) {
    zb_buffer *out = &t->cells;
    if (curve->flags & ZP_CURVE_INSERTED) {
        const zp_insert *insert = &program->inserts[curve->inserts + at];
        zb_put_char(out, '(');
        put_numbers(out, &insert->left_base, 1);
        zb_put(out, " + ");
        put_numbers(out, &insert->left_scale, 1);
        zb_put(out, " p .. ");
        put_numbers(out, &insert->right_base, 1);
        zb_put(out, " + ");
        put_numbers(out, &insert->right_scale, 1);
        zb_put(out, " p at ");
        put_numbers(out, &insert->weight, 1);
        zb_put_char(out, ')');
    } else if (curve->arithmetic == ZP_ARITHMETIC_INDEX) {
        const uint32_t cel_ref = (uint32_t)program->numbers[curve->values + at];
        if (cel_ref > 0) {
            put_name(out, program, program->cels[cel_ref - 1].name);
        } else {
            zb_put(out, "none");
        }
    } else {
        put_numbers(out, &program->numbers[curve->values + at], 1);
        if (curve->flags & ZP_CURVE_SCALED) {
            zb_put(out, " + ");
            put_numbers(out, &program->numbers[curve->scales + at], 1);
            zb_put(out, " p");
        }
    }
    end_cell(t);
}

static void cell_interval(table *t, const zp_program *program, const zp_curve *curve, uint32_t key) {
    if (zp_curve_has_intervals(curve) && key + 1 < curve->key_count) {
        const zp_interval *interval = &program->intervals[curve->intervals + key];
        zb_put(&t->cells, interpolations[interval->interpolation]);
        if (interval->interpolation == ZP_INTERPOLATE_EASE) {
            const zp_easing *easing = &program->easings[interval->argument];
            zb_put_char(&t->cells, ' ');
            put_numbers(&t->cells, &easing->x1, 4);
        } else if (interval->interpolation == ZP_INTERPOLATE_HERMITE) {
            zb_put_char(&t->cells, ' ');
            put_numbers(&t->cells, &program->numbers[interval->argument], 2u * curve->width);
        }
    }
    end_cell(t);
}
_Static_assert(offsetof(zp_easing, y2) == 3 * sizeof(double), "control points in a row");

static void put_curve(zb_buffer *out, const zp_program *program, const zp_clip *clip, const zp_curve *curve) {
    zb_put(out, "  curve");
    for (uint32_t i = 0; i < curve->width; ++i) {
        zb_put_char(out, ' ');
        put_name(out, program, program->channels[curve->first_channel + i].name);
    }
    zb_put(out, "  ");
    zb_put(out, placements[curve->placement]);
    if (curve->placement == ZP_PLACE_STEP_NS) {
        zb_put_char(out, ' ');
        put_ms_unit(out, program->instants[curve->step_ref - 1]);
    }
    zb_put(out, ", ");
    zb_put(out, interpolations[curve->interpolation]);
    zb_put(out, ", ");
    zb_put(out, arithmetics[curve->arithmetic]);
    if (curve->ends == ZP_ENDS_WRAP) { zb_put(out, ", wraps"); }
    if (curve->finish == ZP_FINISH_ROUND_HALF_EVEN) { zb_put(out, ", rounded"); }
    if (curve->flags != 0) {
        zb_put(out, ", p = ");
        put_name(out, program, program->params[clip->first_param + curve->param].name);
    }
    zb_put_char(out, '\n');

    table t = table_open(out->arena, 3u + curve->width);
    for (uint32_t key = 0; key < curve->key_count && !zb_arena_failed(out->arena); ++key) {
        cell_key_place(&t, program, curve, key);
        for (uint32_t i = 0; i < curve->width; ++i) {
            cell_value(&t, program, curve, (size_t)key * curve->width + i);
        }
        cell_interval(&t, program, curve, key);
    }
    put_table(out, &t, 6);
}

static void put_params(zb_buffer *out, const zp_program *program, const zp_clip *clip) {
    table t = table_open(out->arena, 4);
    for (uint32_t i = 0; i < clip->param_count; ++i) {
        const zp_param *param = &program->params[clip->first_param + i];
        cell_text(&t, "parameter");
        cell_name(&t, program, param->name);
        cell_numbers(&t, "default ", &param->value, 1);
        cell_numbers(&t, "limits ", &param->low, 2);
    }
    put_table(out, &t, 2);
}
_Static_assert(offsetof(zp_param, high) == offsetof(zp_param, low) + sizeof(double), "limits in a row");

static void cell_arguments(table *t, const zp_program *program, const zp_event *event) {
    for (uint32_t i = 0; i < event->argument_count; ++i) {
        const zp_argument *argument = &program->arguments[event->first_argument + i];
        if (i > 0) { zb_put(&t->cells, ", "); }
        put_name(&t->cells, program, argument->name);
        zb_put(&t->cells, " = ");
        switch (argument->kind) {
        case ZP_ARGUMENT_TEXT: put_name(&t->cells, program, argument->text); break;
        case ZP_ARGUMENT_FLAG: zb_put(&t->cells, argument->number != 0.0 ? "true" : "false"); break;
        default: put_numbers(&t->cells, &argument->number, 1);
        }
    }
    end_cell(t);
}

static void put_events(zb_buffer *out, const zp_program *program, const zp_clip *clip) {
    table t = table_open(out->arena, 6);
    for (uint32_t i = 0; i < clip->event_count; ++i) {
        const zp_event *event = &program->events[clip->first_event + i];
        cell_text(&t, "event");
        cell_numbers(&t, "", &event->at, 1);
        put_ms_unit(&t.cells, event->at_ns);
        end_cell(&t);
        cell_text(&t, actions[event->action]);
        if (event->action == ZP_ACTION_START_EFFECT && event->subject_ref == 0) {
            put_name(&t.cells, program, event->name);
            zb_put(&t.cells, ", the host's");
            end_cell(&t);
        } else if (event->action == ZP_ACTION_NOTIFY && event->subject_ref != 0) {
            put_name(&t.cells, program, event->name);
            zb_put(&t.cells, ", starts ");
            put_name(&t.cells, program, program->effects[event->subject_ref - 1].name);
            end_cell(&t);
        } else if (event->action != ZP_ACTION_SHOW_CEL) {
            cell_name(&t, program, event->name);
        } else if (event->subject_ref > 0) {
            cell_name(&t, program, program->cels[event->subject_ref - 1].name);
        } else {
            cell_text(&t, "as given");
        }
        cell_arguments(&t, program, event);
    }
    put_table(out, &t, 2);
}

static void put_clip(zb_buffer *out, const zp_program *program, uint32_t index) {
    const zp_clip *clip = &program->clips[index];
    zb_put(out, "\nclip ");
    zb_put_uint(out, index);
    zb_put_char(out, ' ');
    put_name(out, program, clip->name);
    zb_put(out, "  label ");
    put_name(out, program, clip->label);
    zb_put(out, "  kind ");
    put_name(out, program, clip->kind);
    zb_put_char(out, '\n');
    put_clip_times(out, clip);
    put_clip_links(out, program, clip);
    put_params(out, program, clip);
    put_events(out, program, clip);
    for (uint32_t i = 0; i < clip->curve_count; ++i) {
        put_curve(out, program, clip, &program->curves[clip->first_curve + i]);
    }
}

// What a play changes of its clip's own figures.
static void cell_overrides(table *t, const zp_program *program, const zp_play *play) {
    const char *gap = "";
    if (play->flags & ZP_PLAY_REPEAT) {
        zb_put(&t->cells, repeats[play->repeat]);
        if (play->repeat == ZP_REPEAT_RANDOM_INTERVAL) {
            zb_put_char(&t->cells, ' ');
            put_numbers(&t->cells, &play->delay_min, 2);
            zb_put(&t->cells, " ms");
        }
        gap = "  ";
    }
    if (play->duration_ns != 0) {
        zb_put(&t->cells, gap);
        put_ms_unit(&t->cells, play->duration_ns);
        gap = "  ";
    }
    if (play->value_count != 0) {
        zb_put(&t->cells, gap);
        zb_put(&t->cells, "p = ");
        put_numbers(&t->cells, &program->numbers[play->first_value], play->value_count);
        gap = "  ";
    }
    if (play->mix_ref != 0) {
        zb_put(&t->cells, gap);
        zb_put(&t->cells, "mix group ");
        zb_put_uint(&t->cells, play->mix_ref - 1);
    }
    end_cell(t);
}
_Static_assert(offsetof(zp_play, delay_max) == offsetof(zp_play, delay_min) + sizeof(double), "a wait in a row");

static void put_play(table *t, const zp_program *program, const char *what, uint32_t play_ref) {
    if (play_ref == 0) { return; }
    const zp_play *play = &program->plays[play_ref - 1];
    cell_text(t, what);
    cell_name(t, program, program->clips[play->clip].name);
    cell_cel(t, program, play->cel_ref);
    cell_overrides(t, program, play);
}

static void put_plays(zb_buffer *out, const zp_program *program) {
    const uint32_t count = zp_count(program, ZP_SECTION_PLAYS);
    table t = table_open(out->arena, 2);
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (program->plays[i].flags & ZP_PLAY_LATER) { continue; }
        if (!any) { put_heading(out, "first runs"); }
        any = true;
        cell_name(&t, program, program->clips[program->plays[i].clip].name);
        cell_cel(&t, program, program->plays[i].cel_ref);
    }
    put_table(out, &t, 2);
}

static void put_running_state(zb_buffer *out, const zp_program *program, const zp_state *state) {
    static const char *const reentries[ZP_REENTRY_COUNT] = {"restarts", "goes on", "goes on, or again"};
    table t = table_open(out->arena, 3);
    cell_text(&t, "plays");
    cell_name(&t, program, program->clips[program->plays[program->words[state->first_play] - 1].clip].name);
    cell_text(&t, reentries[state->reentry]);
    for (uint32_t i = 0; i < state->edge_count; ++i) {
        const zp_edge *edge = &program->edges[state->first_edge + i];
        cell_text(&t, "to");
        cell_name(&t, program, program->states[edge->to].name);
        if (edge->when == ZP_WHEN_COMPLETE) { zb_put_double(&t.cells, edge->weight); }
        end_cell(&t);
    }
    put_table(out, &t, 4);
}

// What it does of its own accord, for machines that run by themselves.
static void put_ways(zb_buffer *out, const zp_machine *machine) {
    static const char *const ways[] = {"from the first state", "direct", "a step"};
    zb_put(out, "  asked for: first hop");
    if (machine->flags & ZP_MACHINE_KEEPS_ROUTE) { zb_put(out, " and on"); }
    zb_put(out, machine->act == ZP_ACT_NOW ? ", at once" : ", at completion");
    for (uint32_t i = 0; i < ZB_COUNT(ways); ++i) {
        if (!(machine->otherwise >> i & 1)) { continue; }
        zb_put(out, ", else ");
        zb_put(out, ways[i]);
    }
    zb_put(out, machine->flags & ZP_MACHINE_DEAD_END_ENTERS ? "; dead ends enter" : "; dead ends stay");
    zb_put(out, machine->window == ZP_WINDOW_OPEN_CLOSED ? "; ends of steps count\n" : "; starts of steps count\n");
}

static void put_state(zb_buffer *out, const zp_program *program, const zp_machine *machine, uint32_t index) {
    const zp_state *state = &program->states[index];
    zb_put(out, "  state ");
    put_name(out, program, state->name);
    zb_put(out, "  group ");
    put_name(out, program, state->group);
    if (state->activity != 0) {
        zb_put(out, "  activity ");
        put_name(out, program, state->activity);
    }
    if (state->cel_ref != 0) {
        zb_put(out, "  cel ");
        put_name(out, program, program->cels[state->cel_ref - 1].name);
    }
    if (machine->start == index) { zb_put(out, "  first"); }
    zb_put_char(out, '\n');
    if (zp_machine_runs(machine)) {
        put_running_state(out, program, state);
        return;
    }
    table t = table_open(out->arena, 4);
    for (uint32_t i = 0; i < machine->edge_count; ++i) {
        const zp_edge *edge = &program->edges[machine->first_edge + i];
        if (edge->to == index) { put_play(&t, program, "enter", edge->enter_ref); }
    }
    for (uint32_t i = 0; i < state->play_count; ++i) {
        put_play(&t, program, "while", program->words[state->first_play + i]);
    }
    put_table(out, &t, 4);
}

static void put_signals(zb_buffer *out, const zp_program *program, const zp_director *director) {
    table t = table_open(out->arena, 5);
    for (uint32_t i = 0; i < director->signal_count; ++i) {
        const zp_signal *signal = &program->signals[director->first_signal + i];
        cell_text(&t, "signal");
        cell_name(&t, program, signal->type);
        cell_name(&t, program, signal->tool);
        cell_name(&t, program, signal->state_ref != 0 ? program->states[signal->state_ref - 1].name : 0);
        cell_name(&t, program, signal->activity);
    }
    put_table(out, &t, 2);
}

static void put_slots(zb_buffer *out, const zp_program *program, const zp_director *director) {
    const zp_machine *machine = &program->machines[director->machine];
    table t = table_open(out->arena, 6);
    for (uint32_t i = 0; i < director->slot_count; ++i) {
        const zp_slot *slot = &program->slots[director->first_slot + i];
        cell_text(&t, "slot");
        cell_name(&t, program, program->states[machine->first_state + i].name);
        zb_put(&t.cells, "rank ");
        zb_put_uint(&t.cells, slot->rank);
        end_cell(&t);
        if (slot->flags & ZP_SLOT_ENDS) {
            zb_put(&t.cells, "ends after ");
            put_ms_unit(&t.cells, slot->hold_ns);
        }
        end_cell(&t);
        if (slot->fresh_ns >= 0) {
            zb_put(&t.cells, "counts for ");
            put_ms_unit(&t.cells, slot->fresh_ns);
        }
        end_cell(&t);
        cell_text(&t, slot->flags & ZP_SLOT_OVERTAKES ? "overtakes" : "");
    }
    put_table(out, &t, 2);
}

static void put_director(zb_buffer *out, const zp_program *program) {
    static const char *const flags[] = {"keeps slot", "until click", "click swaps", "effects", "reduced",
                                        "never reduced"};
    static const char *const swaps[ZP_SWAP_COUNT] = {"enter", "play", "silent"};
    const zp_director *director = program->directors;
    put_heading(out, "director of slots");
    zb_put(out, "  quiet ");
    put_ms_unit(out, director->quiet_ns);
    zb_put(out, ", at the latest ");
    put_ms_unit(out, director->patience_ns);
    zb_put(out, ", swaps by ");
    zb_put(out, swaps[director->swap]);
    for (uint32_t i = 0; i < ZB_COUNT(flags); ++i) {
        if (!(director->flags >> i & 1)) { continue; }
        zb_put(out, ", ");
        zb_put(out, flags[i]);
    }
    zb_put_char(out, '\n');
    table t = table_open(out->arena, 4);
    put_play(&t, program, "swap", director->swap_play_ref);
    put_play(&t, program, "click", director->click_play_ref);
    put_table(out, &t, 2);
    put_slots(out, program, director);
    put_signals(out, program, director);
}

static void put_deciding(zb_buffer *out, const zp_program *program) {
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_MACHINES); ++i) {
        const zp_machine *machine = &program->machines[i];
        zb_put(out, "\nmachine ");
        zb_put_uint(out, i);
        zb_put_char(out, ' ');
        put_name(out, program, machine->name);
        zb_put_char(out, '\n');
        if (zp_machine_poses(machine)) {
            zp_posing_dump(program, machine, out);
            continue;
        }
        if (zp_machine_runs(machine)) { put_ways(out, machine); }
        for (uint32_t s = 0; s < machine->state_count; ++s) {
            put_state(out, program, machine, machine->first_state + s);
        }
    }
    if (zp_count(program, ZP_SECTION_SPEECHES) > 0) {
        zp_speech_dump(program, out);
    } else if (zp_count(program, ZP_SECTION_DIRECTORS) > 0) {
        put_director(out, program);
    }
}

void zp_program_dump(const zp_program *program, zb_buffer *out) {
    put_header(out, program);
    put_channels(out, program);
    put_targets(out, program);
    put_sprites(out, program);
    put_cels(out, program);
    put_images(out, program);
    put_effects(out, program);
    for (uint32_t i = 0; i < zp_count(program, ZP_SECTION_CLIPS); ++i) { put_clip(out, program, i); }
    zp_overlays_dump(program, out);
    zp_meshes_dump(program, out);
    zp_nodes_dump(program, out);
    put_plays(out, program);
    put_deciding(out, program);
}
