// Forge's machine as Bedrock's files: what is to be posed is planned and built, and then all is written. See bedrock.h.
//
// A state's pose hangs on numbers: the times of its clips, of which only the part of a pass counts, and how far its
// blends are. Where there is one such number, whatever it is, the pose is worked out over that number and Bedrock is
// told how to come by it. Where there are several that are all times, they are worked out over the time that it takes
// until all are where they were. Otherwise Bedrock blends the clips itself.
#include "formats/bedrock.h"

#include <math.h>

#include "formats/fields.h"
#include "json/layout.h"

enum { ITEMS_MAX = 64, TIMES_MAX = 4096, GRID = 4, SHARE_MAX = 2048 };
static const double period_max = 120.0; // seconds
static const uint64_t budget_all = 100000000; // transforms that are worked out for one machine

typedef struct state_plan {
    uint32_t first_show, show_count; // animations that it plays
    uint32_t first_trigger, trigger_count;
} state_plan;

typedef struct show {
    uint32_t animation;
    zo_text short_name;
    zo_text share; // empty: whole
} show;

typedef struct trigger {
    zf_br_value value;
    zo_text text;
    uint32_t node;
} trigger;

typedef struct model_plan {
    zo_text name;              // of the geometry and its file
    uint32_t node;             // that names the model
    zf_br_geometry geometry;
} model_plan;

typedef struct plan {
    zf_fg_reading r;
    zf_fg_reads reads;
    zf_fg_machine m;
    zp_build *build;
    zb_arena *arena;
    zo_text name;              // of the machine
    zf_br_names controls, events, ids, model_names, textures;
    const zf_br_value *values; // [expressions]
    uint32_t *first_clips;     // [files]: of the program
    uint32_t *clip_nodes;      // [clips of the program]: the first that names it; 0: none does
    zb_array event_nodes;      // uint32_t, by given event - 1: of what tells of it first
    zb_intern joint_names;     // target + 1
    zb_intern bone_names;      // in small letters
    uint32_t bone_next;        // behind a name that is taken
    zb_array bones;            // zf_br_bone; the first are those of the joints
    zb_intern mixtures;        // of several joints, as texts
    zb_array mixture_bones;    // uint32_t, by mixture - 1
    zb_array animations;       // zf_br_animation
    zb_array shows, triggers;
    zb_array models;           // model_plan
    state_plan *states;
    zo_package_file *files;
    uint32_t file_count;
} plan;

static zf_br_bone *bone_at(const plan *p, uint32_t i) { return (zf_br_bone *)(void *)p->bones.items + i; }
static zf_br_animation *animation_at(const plan *p, uint32_t i) {
    return (zf_br_animation *)(void *)p->animations.items + i;
}

static void tell(const plan *p, uint32_t node, zd_id id, zd_args args) { zf_report_head(p->r.doc, node, id, args); }
static zd_arg quoted(const plan *p, zo_text text) { return zf_fg_quoted(&p->r, text); }

static zo_text joined(zb_arena *arena, const char *a, zo_text b, const char *c, zo_text d) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put(&out, a);
    zb_put_text(&out, b);
    zb_put(&out, c);
    zb_put_text(&out, d);
    return (zo_text){zb_buffer_text(&out), out.size};
}

// "frog" of pond:block/frog and of asms/block/frog.json.
static zo_text base_of(zo_text name) {
    size_t begin = name.size, end = name.size;
    while (begin > 0 && name.data[begin - 1] != '/' && name.data[begin - 1] != ':') {
        begin--;
    }
    const char ending[] = ".json";
    const size_t size = sizeof ending - 1;
    if (end - begin > size && memcmp(name.data + end - size, ending, size) == 0) {
        end -= size;
    }
    return (zo_text){name.data + begin, end - begin};
}

// --------------------------------------------------------------------------------------------------------------- bones

static zo_text bone_name(plan *p, zo_text name) { // Bedrock knows no difference between large and small letters
    zb_buffer own = zb_buffer_open(p->arena);
    zb_put_text(&own, name);
    if (name.size == 0) {
        zb_put_char(&own, '_');
    }
    const size_t size = own.size;
    for (;;) {
        zb_buffer small = zb_buffer_open(p->arena);
        for (size_t i = 0; i < own.size; i++) {
            const char c = own.data[i];
            zb_put_char(&small, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
        }
        const uint32_t known = zb_intern_count(&p->bone_names);
        const uint32_t id = zb_intern_id(&p->bone_names, (zo_text){zb_buffer_text(&small), small.size});
        if (id == 0 || id > known) {
            return (zo_text){zb_buffer_text(&own), own.size};
        }
        own.size = size;
        zb_put_char(&own, '_');
        zb_put_uint(&own, (uint64_t)++p->bone_next + 1);
    }
}

// Where a joint turns: keys can say any turning about any point, but those about this one say it in fewest.
static void find_pivots(plan *p) {
    for (uint32_t f = 0; f < p->m.files.count; f++) {
        const zf_fg_rig *rig = &zf_fg_file_at(&p->m, f)->rig;
        for (uint32_t c = rig->clip_count; c-- > 0;) { // the first clip has the last word
            for (uint32_t t = 0; t < rig->clips[c].track_count; t++) {
                const zf_fg_track *track = &rig->clips[c].tracks[t];
                if (track->variable < ZF_FG_ORIGIN_X) {
                    continue;
                }
                const uint32_t id = zb_intern_find(&p->joint_names, rig->joints[track->joint].name);
                const double limit = 1e6; // what is farther off is no place in a block
                const double at = track->samples[0];
                if (id != 0 && fabs(at) < limit) {
                    bone_at(p, id - 1)->pivot[track->variable - ZF_FG_ORIGIN_X] = at;
                }
            }
        }
    }
}

static void plan_joints(plan *p) {
    for (uint32_t f = 0; f < p->m.files.count; f++) {
        const zf_fg_rig *rig = &zf_fg_file_at(&p->m, f)->rig;
        for (uint32_t j = 0; j < rig->joint_count && !zb_arena_failed(p->arena); j++) {
            const uint32_t known = zb_intern_count(&p->joint_names);
            if (zb_intern_id(&p->joint_names, rig->joints[j].name) <= known) {
                continue;
            }
            zf_br_part *part = zb_arena_take_array(p->arena, 1, sizeof *part);
            if (part != NULL) {
                *part = (zf_br_part){.target = known, .weight = 1.0}; // joints are the first targets
                *(zf_br_bone *)zb_array_push(&p->bones) =
                    (zf_br_bone){.name = bone_name(p, rig->joints[j].name), .pivot = {0.5, 0.5, 0.5}, .parts = part,
                                 .part_count = 1};
            }
        }
    }
    if (!zb_arena_failed(p->arena)) {
        find_pivots(p);
    }
}

// A bone of its own for what several joints move together.
static uint32_t mixture_of(plan *p, const zf_br_part *parts, uint32_t count) {
    zb_buffer key = zb_buffer_open(p->arena), name = zb_buffer_open(p->arena);
    for (uint32_t i = 0; i < count; i++) {
        zb_put_uint(&key, parts[i].target);
        zb_put_char(&key, ':');
        zb_put_double(&key, parts[i].weight);
        zb_put_char(&key, ' ');
        zb_put(&name, i > 0 ? "+" : "");
        zb_put_text(&name, bone_at(p, parts[i].target)->name);
    }
    const uint32_t known = zb_intern_count(&p->mixtures);
    const uint32_t id = zb_intern_id(&p->mixtures, (zo_text){zb_buffer_text(&key), key.size});
    if (id > known) {
        zf_br_bone bone = *bone_at(p, parts[0].target);
        bone.name = bone_name(p, (zo_text){zb_buffer_text(&name), name.size});
        bone.parts = parts;
        bone.part_count = count;
        *(uint32_t *)zb_array_push(&p->mixture_bones) = p->bones.count;
        *(zf_br_bone *)zb_array_push(&p->bones) = bone;
    }
    return zb_arena_failed(p->arena) ? 0 : ((const uint32_t *)(const void *)p->mixture_bones.items)[id - 1];
}

// By element the joints that it hangs on, sorted by counting.
typedef struct hangers { uint32_t *first; zf_br_part *parts; } hangers;

static hangers hang(const plan *p, const zf_fg_model *model, const zf_fg_rig *rig) {
    size_t total = 0;
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        total += rig->joints[j].weight_count;
    }
    hangers h = {.first = zb_arena_take_array(p->arena, (size_t)model->element_count + 3, sizeof *h.first),
                 .parts = zb_arena_take_array(p->arena, total + 1, sizeof *h.parts)};
    for (uint32_t pass = 0; pass < 2 && h.first != NULL && h.parts != NULL; pass++) { // counts, then places
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            const uint32_t target = zb_intern_find(&p->joint_names, rig->joints[j].name) - 1;
            for (uint32_t w = 0; w < rig->joints[j].weight_count; w++) {
                const zf_fg_weight *weight = &rig->joints[j].weights[w];
                if (weight->element < model->element_count && pass == 0) {
                    h.first[weight->element + 2]++;
                } else if (weight->element < model->element_count) {
                    h.parts[h.first[weight->element + 1]++] =
                        (zf_br_part){.target = target, .weight = weight->weights[0]};
                }
            }
        }
        for (uint32_t e = 0; pass == 0 && e < model->element_count; e++) {
            h.first[e + 2] += h.first[e + 1];
        }
    }
    return h;
}

static void plan_model(plan *p, const zf_fg_file *file) {
    const zf_fg_model *model = file->model.doc != NULL ? &file->model : NULL;
    const double least = 1e-5; // weights up to this move nothing
    const uint32_t count = model != NULL ? model->element_count : 0, joints = file->rig.joint_count;
    uint32_t *element_bones = zb_arena_take_array(p->arena, (size_t)count + 1, sizeof *element_bones);
    uint32_t *numbers = zb_arena_take_array(p->arena, (size_t)zb_intern_count(&p->joint_names) + 1, sizeof *numbers);
    zb_array own = zb_array_open(p->arena, sizeof(zf_br_bone));
    zb_array numbers_of_mixtures = zb_array_open(p->arena, sizeof(uint32_t)); // own + 1, by bone behind the joints
    if (numbers == NULL || element_bones == NULL) {
        return;
    }
    for (uint32_t j = 0; j < joints; j++) {
        const uint32_t target = zb_intern_find(&p->joint_names, file->rig.joints[j].name) - 1;
        *(zf_br_bone *)zb_array_push(&own) = *bone_at(p, target);
        numbers[target] = own.count;
    }
    const zf_fg_rig none = {.doc = NULL};
    const zf_fg_model empty = {.doc = NULL};
    const hangers h = hang(p, model != NULL ? model : &empty, file->rig.doc != NULL ? &file->rig : &none);
    const uint32_t first_mixture = zb_intern_count(&p->joint_names);
    uint32_t mixed = 0;
    for (uint32_t e = 0; e < count && !zb_arena_failed(p->arena); e++) {
        const uint32_t begin = h.first[e], parts = h.first[e + 1] - begin;
        double sum = 0.0;
        for (uint32_t i = 0; i < parts; i++) {
            sum += h.parts[begin + i].weight;
        }
        if (!(sum > least)) {
            continue;
        }
        if (parts == 1) {
            element_bones[e] = numbers[h.parts[begin].target];
            continue;
        }
        const uint32_t bone = mixture_of(p, &h.parts[begin], parts) - first_mixture;
        mixed++;
        while (numbers_of_mixtures.count <= bone && !zb_arena_failed(p->arena)) {
            zb_array_push(&numbers_of_mixtures);
        }
        uint32_t *number = (uint32_t *)(void *)numbers_of_mixtures.items + bone;
        if (!zb_arena_failed(p->arena) && *number == 0) {
            *(zf_br_bone *)zb_array_push(&own) = *bone_at(p, first_mixture + bone);
            *number = own.count;
        }
        element_bones[e] = zb_arena_failed(p->arena) ? 0 : *number;
    }
    if (mixed > 0) {
        tell(p, file->node, ZD_BEDROCK_AVERAGED, ZD_ARGS(zd_int(mixed), quoted(p, file->name)));
    }
    const zo_text name = zf_br_new_name(&p->model_names, base_of(file->name));
    *(model_plan *)zb_array_push(&p->models) = (model_plan){
        .name = name,
        .node = file->node,
        .geometry = {.identifier = joined(p->arena, "geometry.", name, "", zb_text("")), .model = model,
                     .bones = (const zf_br_bone *)(const void *)own.items, .bone_count = own.count,
                     .element_bones = element_bones}};
}

static void plan_models(plan *p) {
    plan_joints(p);
    for (uint32_t f = 0; f < p->m.files.count && !zb_arena_failed(p->arena); f++) {
        const zf_fg_file *file = zf_fg_file_at(&p->m, f);
        if (file->b3d) {
            tell(p, file->node, ZD_BEDROCK_B3D, ZD_ARGS(quoted(p, file->name)));
            continue;
        }
        if (file->model.doc == NULL) {
            tell(p, file->node, ZD_BEDROCK_MODEL, ZD_ARGS(quoted(p, file->name)));
        }
        if (file->model.doc != NULL || file->rig.doc != NULL) {
            plan_model(p, file);
        }
    }
    const zo_text root = bone_name(p, zb_text("root")); // last: joints keep their names
    for (uint32_t i = 0; i < p->models.count; i++) {
        ((model_plan *)(void *)p->models.items + i)->geometry.root = root;
    }
}

// ---------------------------------------------------------------------------------------------------------- animations

// What a state's pose is made of, once names, times and triggers are gone through.
typedef struct item {
    const zf_fg_clip *clip; // NULL: two others, or nothing
    uint32_t program_clip;
    bool blend;
    zf_br_value value;      // the time of the clip, or how far from a to b
    uint32_t a, b;
    zo_text share;          // as a product; empty: whole
} item;

typedef struct tree {
    item items[ITEMS_MAX];  // parts behind what is made of them
    uint32_t count;
    bool large;
} tree;

static const zf_fg_clip *clip_of(const plan *p, const zf_fg_pose *pose, uint32_t *program_clip) {
    const zf_fg_file *file = zf_fg_file_at(&p->m, pose->file);
    const uint32_t id = file->rig.doc != NULL ? zb_intern_find(&file->rig.clip_names, pose->name) : 0;
    *program_clip = p->first_clips[pose->file] + id - 1;
    return id != 0 ? &file->rig.clips[id - 1] : NULL;
}

static void name_clips(plan *p) {
    for (uint32_t i = 0; i < p->m.poses.count; i++) {
        const zf_fg_pose *pose = zf_fg_pose_at(&p->m, i);
        uint32_t clip = 0;
        if (pose->kind == ZF_FG_MODEL_CLIP && clip_of(p, pose, &clip) != NULL && p->clip_nodes[clip] == 0) {
            p->clip_nodes[clip] = pose->node;
        }
    }
}

// Whether it looks the same at all times, and has nothing to tell.
static bool is_still(const zf_fg_clip *clip) {
    for (uint32_t t = 0; clip != NULL && t < clip->track_count; t++) {
        const zf_fg_track *track = &clip->tracks[t];
        for (uint32_t i = 1; i < track->count; i++) {
            if (track->samples[i] != track->samples[0]) { return false; }
        }
    }
    return clip == NULL || clip->event_count == 0;
}

static zo_text share_of(zb_arena *arena, zo_text outer, zo_text own, bool rest) {
    zb_buffer out = zb_buffer_open(arena);
    zb_put_text(&out, outer);
    zb_put(&out, outer.size > 0 ? " * " : "");
    zb_put(&out, rest ? "(1 - math.clamp(" : "math.clamp(");
    zb_put_text(&out, own);
    zb_put(&out, rest ? ", 0, 1))" : ", 0, 1)");
    return (zo_text){zb_buffer_text(&out), out.size};
}

static void lay_out(plan *p, uint32_t pose_index, tree *t) {
    typedef struct task { uint32_t pose, parent_ref; bool second; zf_br_value time; zo_text share; } task;
    task tasks[ITEMS_MAX];
    uint32_t open = 1;
    *t = (tree){.count = 0};
    tasks[0] = (task){.pose = pose_index, .time = zf_br_of_text("query.life_time")};
    while (open > 0 && !t->large && !zb_arena_failed(p->arena)) {
        task at = tasks[--open];
        const zf_fg_pose *pose = zf_fg_pose_at(&p->m, at.pose);
        for (bool through = true; through;) {
            switch (pose->kind) {
            case ZF_FG_TRIGGER:
                *(trigger *)zb_array_push(&p->triggers) =
                    (trigger){.value = zf_br_apply(p->arena, p->values[pose->expr], at.time), .text = pose->name,
                              .node = pose->node};
                break;
            case ZF_FG_TIME: at.time = zf_br_apply(p->arena, p->values[pose->expr], at.time); break;
            case ZF_FG_NAMED_POSE: break;
            default: through = false;
            }
            pose = through ? zf_fg_pose_at(&p->m, pose->a) : pose;
        }
        if (t->count == ITEMS_MAX || open + 2 > ITEMS_MAX) {
            t->large = true;
            break;
        }
        item *own = &t->items[t->count];
        *own = (item){.share = at.share};
        if (at.parent_ref != 0) {
            *(at.second ? &t->items[at.parent_ref - 1].b : &t->items[at.parent_ref - 1].a) = t->count;
        }
        t->count++;
        if (pose->kind == ZF_FG_MODEL_CLIP) {
            own->clip = clip_of(p, pose, &own->program_clip);
            own->value = is_still(own->clip) ? (zf_br_value){.text = zb_text("0"), .line = true} : at.time;
            t->large |= own->value.text.size == 0;
        } else if (pose->kind == ZF_FG_BLEND) {
            own->blend = true;
            own->value = zf_br_apply(p->arena, p->values[pose->expr], at.time);
            t->large |= own->value.text.size == 0 || own->value.text.size + at.share.size > SHARE_MAX;
            for (uint32_t k = 0; k < 2 && !t->large; k++) {
                tasks[open++] = (task){.pose = k == 0 ? pose->b : pose->a, .parent_ref = t->count, .second = k == 0,
                                       .time = at.time,
                                       .share = share_of(p->arena, at.share, own->value.text, k == 1)};
            }
        }
    }
}

// The number that a pose hangs on: the first that is none of `other`'s; NULL: there is none.
static const item *driver_of(const tree *t, const item *other) {
    for (uint32_t i = 0; i < t->count; i++) {
        const item *own = &t->items[i];
        if ((own->clip == NULL && !own->blend) || zf_br_is_constant(&own->value)) {
            continue;
        }
        if (other == NULL || other->blend != own->blend || !zb_text_equal(other->value.text, own->value.text)) {
            return own;
        }
    }
    return NULL;
}

// The time after which all is as it was; 0: there is none.
static double period_of(const tree *t) {
    double first = 0.0;
    for (uint32_t i = 0; i < t->count; i++) {
        const item *own = &t->items[i];
        const bool counts = own->clip != NULL || own->blend;
        if (!counts || zf_br_is_constant(&own->value)) {
            continue;
        }
        if (own->blend || own->value.host || !own->value.line) {
            return 0.0;
        }
        first = first == 0.0 ? fabs(1.0 / own->value.slope) : first;
    }
    for (uint32_t n = 1; n <= 256 && first > 0.0 && n * first <= period_max; n++) {
        bool all = true;
        for (uint32_t i = 0; i < t->count && all; i++) {
            const double passes = n * first * t->items[i].value.slope;
            all = t->items[i].clip == NULL || fabs(passes - round(passes)) < 1e-5;
        }
        if (all) {
            return n * first;
        }
    }
    return 0.0;
}

// The value as an expression of x: of the driver x itself, of a line what it is over the time.
static uint32_t build_value(const plan *p, const zf_br_value *value, bool over_time) {
    const bool still = zf_br_is_constant(value);
    const double numbers[2] = {still ? value->offset : over_time ? value->slope : 1.0,
                               still || !over_time ? 0.0 : value->offset};
    const uint32_t first = zp_build_numbers(p->build, numbers, 2);
    const zp_op constant[] = {{.code = ZP_OP_NUMBER, .argument = first}};
    const zp_op line[] = {{.code = ZP_OP_INPUT}, {.code = ZP_OP_NUMBER, .argument = first}, {.code = ZP_OP_MUL},
                          {.code = ZP_OP_NUMBER, .argument = first + 1}, {.code = ZP_OP_ADD}};
    return zp_build_expr(p->build, &(zp_expr){.flags = 0}, still ? constant : line,
                         still ? ZB_COUNT(constant) : ZB_COUNT(line));
}

// Returns the node; parts stand behind what is made of them, so it goes backwards.
static uint32_t build_tree(const plan *p, const tree *t, uint32_t root, bool over_time) {
    uint32_t refs[ITEMS_MAX] = {0};
    for (uint32_t i = t->count; i-- > root;) {
        const item *own = &t->items[i];
        if (own->clip == NULL && !own->blend) {
            refs[i] = zp_build_node(p->build, &(zp_node){.kind = ZP_NODE_REST});
            continue;
        }
        const uint32_t value_ref = build_value(p, &own->value, over_time);
        const uint32_t clip_ref = own->clip == NULL ? 0 : zp_build_node(
            p->build, &(zp_node){.kind = ZP_NODE_CLIP, .clip_ref = own->program_clip + 1});
        refs[i] = own->blend
            ? zp_build_node(p->build, &(zp_node){.kind = ZP_NODE_BLEND, .a_ref = refs[own->a], .b_ref = refs[own->b],
                                                 .expr_ref = value_ref})
            : zp_build_node(p->build, &(zp_node){.kind = ZP_NODE_TIME, .a_ref = clip_ref, .expr_ref = value_ref});
    }
    return refs[root];
}

static void sort(double *numbers, uint32_t count) { // rising; by gaps that shrink
    for (uint32_t gap = count / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            const double value = numbers[i];
            uint32_t k = i;
            for (; k >= gap && numbers[k - gap] > value; k -= gap) {
                numbers[k] = numbers[k - gap];
            }
            numbers[k] = value;
        }
    }
}

typedef struct instants { double x[TIMES_MAX]; uint32_t count; } instants;

// Where k + part of a pass comes, for all k, while x runs to `span`.
static void add_instants(instants *all, double part, double slope, double offset, double span) {
    const double low = fmin(offset, slope * span + offset), high = fmax(offset, slope * span + offset);
    for (double k = ceil(low - part); k + part <= high && all->count < TIMES_MAX; k += 1.0) {
        all->x[all->count++] = (k + part - offset) / slope;
    }
}

static void add_clip(instants *all, const zf_fg_clip *clip, double slope, double offset, double span) {
    for (uint32_t t = 0; t < clip->track_count; t++) {
        const zf_fg_track *track = &clip->tracks[t];
        const uint32_t steps = clip->loop ? track->count : track->count - 1;
        const bool halves = track->interpolation == ZF_FG_NEAREST;
        for (uint32_t i = 0; i < steps && all->count < TIMES_MAX; i++) {
            add_instants(all, (i + (halves ? 0.5 : 0.0)) / steps, slope, offset, span);
        }
    }
}

static void fill_times(const plan *p, const tree *t, bool over_time, zf_br_animation *a) {
    instants *all = zb_arena_take(p->arena, sizeof *all);
    instants *when = zb_arena_take(p->arena, sizeof *when);
    zb_array events = zb_array_open(p->arena, sizeof(zf_br_event));
    if (all == NULL || when == NULL) {
        return;
    }
    all->count = 0;
    for (uint32_t i = 1; i < GRID; i++) {
        all->x[all->count++] = a->span * i / GRID;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const item *own = &t->items[i];
        if (own->clip == NULL || zf_br_is_constant(&own->value)) {
            continue;
        }
        const double slope = over_time ? own->value.slope : 1.0, offset = over_time ? own->value.offset : 0.0;
        add_clip(all, own->clip, slope, offset, a->span);
        for (uint32_t e = 0; e < own->clip->event_count && own->value.slope >= 0.0; e++) { // none backwards
            const double part = own->clip->events[e].at - floor(own->clip->events[e].at);
            when->count = 0;
            add_instants(when, part, slope, offset, a->span * (1.0 - 1e-9));
            for (uint32_t k = 0; k < when->count && events.count < TIMES_MAX; k++) {
                *(zf_br_event *)zb_array_push(&events) =
                    (zf_br_event){.x = when->x[k], .text = own->clip->events[e].text};
            }
        }
    }
    sort(all->x, all->count);
    a->times = all->x;
    a->time_count = all->count;
    a->events = (const zf_br_event *)(const void *)events.items;
    a->event_count = events.count;
}

// Of the driver, a part of a pass or a way from one pose to another; or, without one, of a pose that stands still.
static void set_clock(const plan *p, zf_br_animation *a, const item *driver, double period) {
    zb_buffer out = zb_buffer_open(p->arena);
    a->span = a->length = 1.0;
    a->wraps = driver == NULL || !driver->blend;
    if (period > 0.0) {
        a->span = a->length = period;
        zb_put(&out, "math.mod(query.life_time, ");
        zf_br_put_number(&out, period);
        zb_put_char(&out, ')');
    } else if (driver != NULL && driver->blend) {
        zb_put(&out, "math.clamp(");
        zb_put_text(&out, driver->value.text);
        zb_put(&out, ", 0, 1)");
    } else if (driver != NULL) {
        const zf_br_value *v = &driver->value;
        const double pass = v->line && !v->host && v->slope > 0.0 ? 1.0 / v->slope : 0.0;
        if (pass >= 0.01 && pass <= 1e5) { // a length that people and Bedrock's own clock can do something with
            const double ahead = v->offset * pass - floor(v->offset) * pass;
            a->length = pass;
            zb_put(&out, "math.mod(query.life_time");
            if (ahead > 0.0) {
                zb_put(&out, " + ");
                zf_br_put_number(&out, ahead);
            }
            zb_put(&out, ", ");
            zf_br_put_number(&out, pass);
            zb_put_char(&out, ')');
        } else {
            zb_put_text(&out, v->text);
            zb_put(&out, " - math.floor(");
            zb_put_text(&out, v->text);
            zb_put_char(&out, ')');
        }
    }
    a->time_update = (zo_text){zb_buffer_text(&out), out.size};
}

static void plan_animation(plan *p, const tree *t, const item *driver, double period, zo_text name, uint32_t place,
                           zo_text share) {
    const zo_text own = zf_br_new_name(&p->ids, name);
    const uint32_t ref = build_tree(p, t, 0, period > 0.0);
    zf_br_animation a = {.place = place};
    if (ref == 0) {
        tell(p, place, ZD_BEDROCK_TOO_LARGE, ZD_ARGS(quoted(p, name)));
        return;
    }
    a.name = joined(p->arena, "animation.", p->name, ".", own);
    a.node = ref - 1;
    set_clock(p, &a, driver, period);
    fill_times(p, t, period > 0.0, &a);
    *(show *)zb_array_push(&p->shows) =
        (show){.animation = p->animations.count, .short_name = own, .share = share};
    *(zf_br_animation *)zb_array_push(&p->animations) = a;
}

static void plan_state(plan *p, uint32_t index) {
    const zf_fg_state *state = &p->m.states[index];
    state_plan *own = &p->states[index];
    tree *t = zb_arena_take(p->arena, sizeof *t);
    *own = (state_plan){.first_show = p->shows.count, .first_trigger = p->triggers.count};
    if (t == NULL || state->clip_ref == 0) {
        return;
    }
    lay_out(p, p->m.clips[state->clip_ref - 1].pose, t);
    const item *driver = driver_of(t, NULL);
    const bool several = driver != NULL && driver_of(t, driver) != NULL;
    const double period = several && !t->large ? period_of(t) : 0.0;
    if (t->large) {
        tell(p, state->node, ZD_BEDROCK_TOO_LARGE, ZD_ARGS(quoted(p, state->name)));
    } else if (!several || period > 0.0) {
        plan_animation(p, t, driver, period, state->name, state->node, zb_text(""));
    } else {
        tell(p, state->node, ZD_BEDROCK_WEIGHTS, ZD_ARGS(quoted(p, state->name)));
        for (uint32_t i = 0; i < t->count && !zb_arena_failed(p->arena); i++) {
            tree *alone = zb_arena_take(p->arena, sizeof *alone);
            if (alone != NULL && t->items[i].clip != NULL) {
                alone->items[0] = t->items[i];
                alone->count = 1;
                alone->large = false;
                plan_animation(p, alone, driver_of(alone, NULL), 0.0, state->name, state->node, t->items[i].share);
            }
        }
    }
    own->show_count = p->shows.count - own->first_show;
    own->trigger_count = p->triggers.count - own->first_trigger;
}

// Clips as their files have them, for those who play them by themselves.
static void plan_clips(plan *p) {
    for (uint32_t f = 0; f < p->m.files.count; f++) {
        const zf_fg_file *file = zf_fg_file_at(&p->m, f);
        for (uint32_t c = 0; c < file->rig.clip_count && !zb_arena_failed(p->arena); c++) {
            const zf_fg_clip *clip = &file->rig.clips[c];
            const zo_text name = joined(p->arena, "", file->name, "@", clip->name);
            tree *t = zb_arena_take(p->arena, sizeof *t);
            bool nearest = false;
            if (t == NULL) {
                return;
            }
            t->items[0] = (item){.clip = clip, .program_clip = p->first_clips[f] + c,
                                 .value = zf_br_of_text("query.life_time")};
            t->count = 1;
            t->large = false;
            const uint32_t named = p->clip_nodes[p->first_clips[f] + c], node = named != 0 ? named : file->node;
            plan_animation(p, t, &t->items[0], 0.0, name, node, zb_text(""));
            for (uint32_t i = 0; i < clip->track_count; i++) {
                nearest |= clip->tracks[i].interpolation == ZF_FG_NEAREST && clip->tracks[i].count > 1;
            }
            if (!clip->loop && clip->track_count > 0) {
                tell(p, node, ZD_BEDROCK_WRAPS, ZD_ARGS(quoted(p, name)));
            }
            if (nearest) {
                tell(p, node, ZD_BEDROCK_STEPS, ZD_ARGS(quoted(p, name)));
            }
        }
    }
    for (uint32_t i = 0; i < p->animations.count; i++) {
        animation_at(p, i)->time_update = zb_text(""); // they play by themselves
    }
}

// ------------------------------------------------------------------------------------------------------------ writing

static void put_file(plan *p, zo_text name, const char *ending, const zb_buffer *text) {
    const zo_text laid = zb_arena_failed(p->arena) ? (zo_text){"", 0}
                                                   : zj_laid_out(p->arena, (zo_text){text->data, text->size});
    const zo_text whole = joined(p->arena, "", name, ending, zb_text(""));
    p->files[p->file_count++] = (zo_package_file){.name = zb_arena_text(p->arena, whole), .text = laid};
}

static void put_json(zb_buffer *out, const char *before, zo_text text) {
    zb_put(out, before);
    zb_put_json_text(out, text);
}

static zo_text wanted_state(zo_text event, const plan *p, uint32_t *state) { // size 0: it is for the host
    zo_text name = {NULL, 0};
    *state = zf_fg_wants_state(event, &name) ? zb_intern_find(&p->m.state_names, name) : 0;
    return *state != 0 ? name : (zo_text){NULL, 0};
}

// What an event does, as Molang; empty: nothing. `node` is what tells of it.
static zo_text deed_of(plan *p, zo_text event, uint32_t node) {
    uint32_t state = 0;
    zb_buffer out = zb_buffer_open(p->arena);
    if (wanted_state(event, p, &state).size > 0) {
        zb_put(&out, "variable.request = ");
        zb_put_uint(&out, state);
        zb_put_char(&out, ';');
    } else if (event.size == 0 || event.data[0] != '!') {
        zb_put(&out, "variable.event_");
        zb_put_text(&out, zf_br_name(&p->events, event));
        zb_put(&out, " = 1;");
        if (zb_intern_count(&p->events.given) > p->event_nodes.count) {
            *(uint32_t *)zb_array_push(&p->event_nodes) = node;
        }
    }
    return (zo_text){zb_buffer_text(&out), out.size};
}

static void put_timeline(plan *p, zb_buffer *out, const zf_br_animation *a) {
    double last = -1.0;
    bool open = false;
    for (uint32_t i = 0; i < a->event_count; i++) {
        const double at = round(a->events[i].x / a->span * a->length * 1e9) / 1e9;
        const zo_text deed = deed_of(p, a->events[i].text, a->place);
        if (deed.size == 0) {
            continue;
        }
        if (open && at == last) {
            put_json(out, ", ", deed);
            continue;
        }
        zb_put(out, open ? "], \"" : ", \"timeline\": {\"");
        zf_br_put_time(out, at);
        put_json(out, "\": [", deed);
        open = true;
        last = at;
    }
    zb_put(out, open ? "]}" : "");
}

static void write_animations(plan *p, const zf_posing *posing) {
    zb_buffer out = zb_buffer_open(p->arena);
    uint64_t budget = budget_all;
    zb_put(&out, "{\"format_version\": \"1.8.0\", \"animations\": {");
    for (uint32_t i = 0; i < p->animations.count && !zb_arena_failed(p->arena); i++) {
        const zf_br_animation *a = animation_at(p, i);
        put_json(&out, i > 0 ? ", " : "", a->name);
        zb_put(&out, a->wraps ? ": {\"loop\": true, \"animation_length\": "
                              : ": {\"loop\": \"hold_on_last_frame\", \"animation_length\": ");
        zf_br_put_number(&out, a->length);
        if (a->time_update.size > 0) {
            put_json(&out, ", \"anim_time_update\": ", a->time_update);
        }
        zb_put(&out, ", ");
        const zf_br_judgement judgement =
            zf_br_put_bones(&out, a, (const zf_br_bone *)(const void *)p->bones.items, p->bones.count, posing, &budget);
        put_timeline(p, &out, a);
        zb_put_char(&out, '}');
        if (judgement.spent) {
            tell(p, a->place, ZD_BEDROCK_TOO_LARGE, ZD_ARGS(quoted(p, a->name)));
        } else if (judgement.inexact) {
            tell(p, a->place, ZD_BEDROCK_INEXACT, ZD_ARGS(quoted(p, a->name)));
        } else if (judgement.halved) {
            tell(p, a->place, ZD_BEDROCK_RESAMPLED, ZD_ARGS(quoted(p, a->name), zd_int(judgement.key_count)));
        }
    }
    zb_put(&out, "}}");
    put_file(p, p->name, ".animation.json", &out);
}

static void put_variable(zb_buffer *out, const char *name, uint64_t number) {
    zb_put(out, "variable.");
    zb_put(out, name);
    zb_put_uint(out, number);
}

static bool is_listed(const plan *p, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < p->m.edges.count; i++) {
        if (zf_fg_edge_at(&p->m, i)->from == from && zf_fg_edge_at(&p->m, i)->to == to) { return true; }
    }
    return false;
}

static void put_state(plan *p, zb_buffer *out, uint32_t index, uint32_t *edge) {
    const state_plan *own = &p->states[index];
    const show *shows = (const show *)(const void *)p->shows.items;
    const char *comma = "";
    put_json(out, index > 0 ? ", " : "", p->m.states[index].name);
    zb_put(out, ": {\"animations\": [");
    for (uint32_t i = own->first_show; i < own->first_show + own->show_count; i++) {
        zb_put(out, i == own->first_show ? "" : ", ");
        if (shows[i].share.size > 0) {
            put_json(out, "{", shows[i].short_name);
            put_json(out, ": ", shows[i].share);
            zb_put_char(out, '}');
        } else {
            zb_put_json_text(out, shows[i].short_name);
        }
    }
    zb_put(out, "], \"on_entry\": [\"variable.request = 0;\"], \"transitions\": [");
    for (uint32_t i = own->first_trigger; i < own->first_trigger + own->trigger_count; i++) {
        const trigger *t = (const trigger *)(const void *)p->triggers.items + i;
        uint32_t to = 0;
        const zo_text name = wanted_state(t->text, p, &to);
        if (name.size == 0 || !is_listed(p, index, to - 1)) {
            continue;
        }
        zb_put(out, comma);
        put_json(out, "{", name);
        zb_put(out, ": \"");
        put_variable(out, "trigger_", i + 1);
        zb_put(out, "\"}");
        comma = ", ";
    }
    for (; *edge < p->m.edges.count && zf_fg_edge_at(&p->m, *edge)->from == index; (*edge)++) {
        const uint32_t to = zf_fg_edge_at(&p->m, *edge)->to;
        zb_put(out, comma);
        put_json(out, "{", p->m.states[to].name);
        zb_put(out, ": \"variable.request == ");
        zb_put_uint(out, (uint64_t)to + 1);
        zb_put(out, "\"}");
        comma = ", ";
    }
    zb_put(out, "]}");
}

static void write_controllers(plan *p) {
    zb_buffer out = zb_buffer_open(p->arena);
    uint32_t edge = 0; // they are in the order of the states that they lead from
    zb_put(&out, "{\"format_version\": \"1.19.0\", \"animation_controllers\": {");
    put_json(&out, "", joined(p->arena, "controller.animation.", p->name, "", zb_text("")));
    put_json(&out, ": {\"initial_state\": ", p->m.states[p->m.start].name);
    zb_put(&out, ", \"states\": {");
    for (uint32_t i = 0; i < p->m.state_count && !zb_arena_failed(p->arena); i++) {
        put_state(p, &out, i, &edge);
    }
    zb_put(&out, "}}}}");
    put_file(p, p->name, ".animation_controllers.json", &out);
}

static void put_scripts(plan *p, zb_buffer *out) {
    zb_put(out, ", \"scripts\": {\"initialize\": [\"variable.request = 0;\"");
    for (uint32_t i = 0; i < p->m.exprs.controls.count; i++) {
        const zo_text name = zf_br_name(&p->controls, zf_fg_control_at(&p->m.exprs, i)->name);
        put_json(out, ", ", joined(p->arena, "variable.", name, " = 0;", zb_text("")));
    }
    for (uint32_t i = 0; i < p->triggers.count; i++) {
        zb_put(out, ", \"");
        put_variable(out, "before_", i + 1);
        zb_put(out, " = 0;\"");
    }
    zb_put(out, "], \"pre_animation\": [");
    for (uint32_t i = 0; i < p->triggers.count; i++) { // below 0 the frame before, and no longer
        const trigger *t = (const trigger *)(const void *)p->triggers.items + i;
        uint32_t to = 0;
        zb_put(out, i > 0 ? ", \"" : "\"");
        put_variable(out, "trigger_", i + 1);
        zb_put(out, " = ");
        put_variable(out, "before_", i + 1);
        zb_put(out, " < 0 && ");
        zb_put_text(out, t->value.text);
        zb_put(out, " >= 0;\", \"");
        put_variable(out, "before_", i + 1);
        zb_put(out, " = ");
        zb_put_text(out, t->value.text);
        zb_put(out, ";\"");
        if (wanted_state(t->text, p, &to).size == 0 && deed_of(p, t->text, t->node).size > 0) {
            zb_put(out, ", \"variable.event_");
            zb_put_text(out, zf_br_name(&p->events, t->text));
            zb_put(out, " = ");
            put_variable(out, "trigger_", i + 1);
            zb_put(out, ";\"");
        }
    }
    put_json(out, "], \"animate\": [", zb_text("controller"));
    zb_put(out, "]}");
}

// Pictures by the name of the slot that shows them; what only the game knows is left to be filled in. What draws the
// entity asks for the one that is called default, which is the first where no slot has that name.
static void put_textures(plan *p, zb_buffer *out) {
    zb_intern seen = zb_intern_open(p->arena);
    const char *comma = "";
    zo_text first = joined(p->arena, "textures/", p->name, "", zb_text(""));
    zb_put(out, ", \"textures\": {");
    for (uint32_t i = 0; i < p->models.count; i++) {
        const zf_fg_model *model = ((const model_plan *)(const void *)p->models.items + i)->geometry.model;
        for (uint32_t e = 0; model != NULL && e < model->element_count; e++) {
            for (uint32_t side = 0; side < ZF_FG_SIDE_COUNT; side++) {
                const zf_fg_face *face = &model->elements[e].faces[side];
                const zo_text slot = face->node != 0 ? zf_br_name(&p->textures, face->slot) : (zo_text){"", 0};
                const uint32_t known = zb_intern_count(&seen);
                if (slot.size == 0 || zb_intern_id(&seen, slot) <= known) {
                    continue;
                }
                zo_text domain = {"", 0}, path = face->slot;
                if (face->texture.size > 0 && !zf_fg_split_name(face->texture, &domain, &path)) {
                    path = face->slot;
                }
                const zo_text whole = joined(p->arena, "textures/", path, "", zb_text(""));
                put_json(out, comma, slot);
                put_json(out, ": ", whole);
                if (known == 0) {
                    first = whole;
                }
                comma = ", ";
            }
        }
    }
    if (p->models.count > 0 && zb_intern_find(&seen, zb_text("default")) == 0) {
        put_json(out, comma, zb_text("default"));
        put_json(out, ": ", first);
    }
    zb_put_char(out, '}');
}

static void write_entity(plan *p) {
    zb_buffer out = zb_buffer_open(p->arena);
    const show *shows = (const show *)(const void *)p->shows.items;
    zb_put(&out, "{\"format_version\": \"1.10.0\", \"minecraft:client_entity\": {\"description\": {\"identifier\": ");
    put_json(&out, "", joined(p->arena, "zoetrope:", p->name, "", zb_text("")));
    zb_put(&out, ", \"materials\": {\"default\": \"entity_alphatest\"}");
    put_textures(p, &out);
    zb_put(&out, ", \"geometry\": {");
    for (uint32_t i = 0; i < p->models.count; i++) {
        const model_plan *m = (const model_plan *)(const void *)p->models.items + i;
        put_json(&out, i > 0 ? ", " : "", i > 0 ? m->name : zb_text("default"));
        put_json(&out, ": ", m->geometry.identifier);
    }
    zb_put(&out, "}, \"animations\": {");
    put_json(&out, "\"controller\": ", joined(p->arena, "controller.animation.", p->name, "", zb_text("")));
    for (uint32_t i = 0; i < p->shows.count; i++) {
        put_json(&out, ", ", shows[i].short_name);
        put_json(&out, ": ", animation_at(p, shows[i].animation)->name);
    }
    zb_put_char(&out, '}');
    put_scripts(p, &out);
    zb_put(&out, p->models.count > 0 ? ", \"render_controllers\": [\"controller.render.default\"]}}}" : "}}}");
    put_file(p, p->name, ".entity.json", &out);
}

static void write_geometries(plan *p) {
    for (uint32_t i = 0; i < p->models.count && !zb_arena_failed(p->arena); i++) {
        const model_plan *m = (const model_plan *)(const void *)p->models.items + i;
        zb_buffer out = zb_buffer_open(p->arena);
        const zf_br_faces faces = zf_br_put_geometry(&out, &m->geometry, &p->textures);
        if (faces.texture_count > 1) {
            tell(p, m->node, ZD_BEDROCK_TEXTURES, ZD_ARGS(quoted(p, m->name), zd_int(faces.texture_count)));
        }
        if (faces.controlled) {
            tell(p, m->node, ZD_BEDROCK_UV, ZD_ARGS(quoted(p, m->name)));
        }
        if (faces.shaded) {
            tell(p, m->node, ZD_BEDROCK_SHADE, ZD_ARGS(quoted(p, m->name)));
        }
        put_file(p, m->name, ".geo.json", &out);
    }
}

// What is left for whoever puts the files to use.
static void tell_variables(plan *p) {
    for (uint32_t i = 0; i < p->m.exprs.controls.count; i++) {
        const zf_fg_control *control = zf_fg_control_at(&p->m.exprs, i);
        tell(p, control->node, ZD_BEDROCK_CONTROL,
             ZD_ARGS(quoted(p, control->name), zd_text(zf_br_name(&p->controls, control->name))));
    }
    uint8_t *asked = zb_arena_take_array(p->arena, (size_t)p->m.state_count + 1, sizeof *asked);
    for (uint32_t i = 0; i < p->m.edges.count && asked != NULL; i++) {
        asked[zf_fg_edge_at(&p->m, i)->to] = 1;
    }
    for (uint32_t i = 0; i < p->m.state_count && asked != NULL; i++) {
        if (asked[i]) {
            tell(p, p->m.states[i].node, ZD_BEDROCK_REQUEST,
                 ZD_ARGS(quoted(p, p->m.states[i].name), zd_int((int64_t)i + 1)));
        }
    }
    for (uint32_t i = 1; i <= zb_intern_count(&p->events.given) && i <= p->event_nodes.count; i++) {
        const zo_text text = zb_intern_text(&p->events.given, i);
        tell(p, ((const uint32_t *)(const void *)p->event_nodes.items)[i - 1], ZD_BEDROCK_EVENT,
             ZD_ARGS(quoted(p, text), zd_text(zf_br_name(&p->events, text))));
    }
}

static void write_all(void *context, const zf_posing *posing, zo_package *out) {
    plan *p = context;
    p->files = zb_arena_take_array(p->arena, (size_t)p->models.count + 4, sizeof *p->files);
    if (p->files == NULL || zb_arena_failed(p->arena)) {
        return;
    }
    write_geometries(p);
    write_animations(p, posing);
    write_controllers(p);
    write_entity(p);
    tell_variables(p);
    *out = (zo_package){.files = p->files, .file_count = p->file_count, .name = zb_arena_text(p->arena, p->name)};
}

zo_status zf_br_plan(const zf_input *input, zp_build *build, zf_export *out) {
    plan *p = zb_arena_take_array(input->arena, 1, sizeof *p);
    zb_arena *arena = input->arena;
    if (p == NULL) {
        return ZO_NO_MEMORY;
    }
    p->r = zf_fg_reading_of(input, ZF_FG_MACHINE, &p->reads);
    zf_fg_read_machine(&p->r, &p->m);
    if (zd_report_errors(input->report) > 0 || zb_arena_failed(arena)) {
        return ZO_INVALID;
    }
    if (p->m.unknown) {
        return ZO_NEEDS;
    }
    const zo_status status = zf_fg_compile_machine(&p->r, &p->m, build);
    if (status != ZO_OK) {
        return status;
    }
    p->build = build;
    p->arena = arena;
    p->controls = zf_br_names_open(arena);
    p->controls.variables = true;
    p->events = zf_br_names_open(arena);
    p->ids = zf_br_names_open(arena);
    p->model_names = zf_br_names_open(arena);
    p->textures = zf_br_names_open(arena);
    p->joint_names = zb_intern_open(arena);
    p->bone_names = zb_intern_open(arena);
    p->bones = zb_array_open(arena, sizeof(zf_br_bone));
    p->mixtures = zb_intern_open(arena);
    p->mixture_bones = zb_array_open(arena, sizeof(uint32_t));
    p->animations = zb_array_open(arena, sizeof(zf_br_animation));
    p->shows = zb_array_open(arena, sizeof(show));
    p->triggers = zb_array_open(arena, sizeof(trigger));
    p->event_nodes = zb_array_open(arena, sizeof(uint32_t));
    p->models = zb_array_open(arena, sizeof(model_plan));
    p->states = zb_arena_take_array(arena, (size_t)p->m.state_count + 1, sizeof *p->states);
    p->first_clips = zb_arena_take_array(arena, (size_t)p->m.files.count + 1, sizeof *p->first_clips);
    uint32_t next = 0;
    for (uint32_t f = 0; f < p->m.files.count && p->first_clips != NULL; f++) { // as they were compiled
        const zf_fg_file *file = zf_fg_file_at(&p->m, f);
        p->first_clips[f] = next;
        next += file->b3d_model != NULL ? 1 : file->rig.clip_count;
    }
    p->clip_nodes = zb_arena_take_array(arena, (size_t)next + 1, sizeof *p->clip_nodes);
    if (p->first_clips != NULL && p->clip_nodes != NULL) {
        name_clips(p);
    }
    zf_br_names machine = zf_br_names_open(arena);
    p->name = zf_br_name(&machine, base_of(zb_text(input->sources[0].name)));
    p->values = zf_br_expressions(arena, &p->m.exprs, &p->controls);
    if (zb_arena_failed(arena)) {
        return ZO_NO_MEMORY;
    }
    zf_br_new_name(&p->ids, zb_text("controller")); // what the entity calls it
    plan_models(p);
    plan_clips(p);
    for (uint32_t i = 0; i < p->m.state_count && !zb_arena_failed(arena); i++) {
        plan_state(p, i);
    }
    *out = (zf_export){.write = write_all, .context = p};
    return ZO_OK;
}
