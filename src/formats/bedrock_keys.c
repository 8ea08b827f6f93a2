// Poses as Bedrock's keys: rotation in three angles, position and scale about a bone's pivot, each going straight from
// key to key. Keys are set where the clip has its own, and the way between two is halved until what comes of it is what
// the engine says. See bedrock.h.
#include <math.h>

#include "base/maths.h"
#include "formats/bedrock.h"

static const double tolerance = 2e-4;     // of the linear part and, in blocks, of the place
static const double least_step = 1e-6;    // of the span: across less there is a jump
static const double nothing = 1e-7;       // of the span: two keys are one
static const double just_below = 1.0 - 1e-9; // of the span: where a clip that starts over ends
static const double least_scale = 1e-6;   // an axis shorter than this points nowhere
static const double right_angle_limit = 1e-9;
static const double degrees = 57.29577951308232; // of a radian
enum { KEYS_MAX = 2048, STACK_MAX = 64, VALUES = 9, DROPPED_MAX = 32 };

// What a bone does at one time, in Bedrock's space.
typedef struct key {
    double x;
    double values[VALUES]; // angles in degrees, position in px, scale
    double turn[9];        // the rotation, row by row
} key;
enum { ANGLES = 0, POSITION = 3, SCALE = 6 };

static void turn_of(const double angles[3], double r[9]) { // Rz(-z) Ry(y) Rx(-x)
    double ca, sa, cb, sb, cc, sc;
    zb_sincos_degrees(-angles[2], &sa, &ca);
    zb_sincos_degrees(angles[1], &sb, &cb);
    zb_sincos_degrees(-angles[0], &sc, &cc);
    const double all[9] = {ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc,
                           sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc,
                           -sb,     cb * sc,                cb * cc};
    memcpy(r, all, sizeof all);
}

// ---------------------------------------------------------------------------------------------------- taking apart

static double nearest_turn(double angle, double to) { return angle + 360.0 * round((to - angle) / 360.0); }

// Of the triples of angles that make the rotation the one next to `before`.
static void angles_of(const double r[9], const double before[3], double angles[3]) {
    const double sb = fmax(-1.0, fmin(1.0, -r[6]));
    const double cb = sqrt(r[0] * r[0] + r[3] * r[3]);
    double a, c;
    if (cb > right_angle_limit) {
        a = zb_atan2(r[3], r[0]);
        c = zb_atan2(r[7], r[8]);
    } else { // the first and the last turn about one axis: the last stays
        c = -before[0] / degrees;
        a = sb > 0.0 ? c + zb_atan2(-r[1], r[4]) : zb_atan2(-r[1], r[4]) - c;
    }
    const double b = zb_atan2(sb, cb);
    double best = (double)INFINITY;
    for (int other = 0; other < 2; other++) {
        const double half = other ? 180.0 : 0.0;
        const double found[3] = {nearest_turn(-c * degrees - half, before[0]),
                                 nearest_turn(other ? 180.0 - b * degrees : b * degrees, before[1]),
                                 nearest_turn(-a * degrees - half, before[2])};
        const double far = fabs(found[0] - before[0]) + fabs(found[1] - before[1]) + fabs(found[2] - before[2]);
        if (far < best - 1e-9) {
            best = far;
            memcpy(angles, found, sizeof found);
        }
    }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// One of length 1 that is square to the first `count` of `columns` and as near to `wish` as there is.
static void square_to(double columns[3][3], int count, const double wish[3], double out[3]) {
    for (int k = -1; k < 3; k++) {
        double v[3] = {k == 0, k == 1, k == 2};
        if (k < 0) {
            memcpy(v, wish, sizeof v);
        }
        for (int i = 0; i < count; i++) {
            const double along = dot(v, columns[i]);
            for (int n = 0; n < 3; n++) {
                v[n] -= along * columns[i][n];
            }
        }
        const double size = sqrt(dot(v, v));
        if (size > 0.3) { // of the three axes at least one is that far from any plane
            for (int n = 0; n < 3; n++) {
                out[n] = v[n] / size;
            }
            return;
        }
    }
}

// The linear part as a rotation and a scale, the rotation next to that of the key before; its first key has none.
// Where axes are not square to each other, what comes of it is not the same.
static void split(const double linear[9], const key *before, bool first, key *out) {
    static const double signs[8][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                       {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    double columns[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double done[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // it stays so where there are no finite figures
    int order[3], count = 0;
    for (int pass = 0; pass < 2; pass++) { // those that point somewhere come first
        for (int k = 0; k < 3; k++) {
            const double c[3] = {linear[k], linear[3 + k], linear[6 + k]};
            const double size = sqrt(dot(c, c));
            const double was[3] = {before->turn[k], before->turn[3 + k], before->turn[6 + k]};
            if ((size > least_scale) == (pass == 0)) {
                const double wish[3] = {size > 0.0 ? c[0] / size : 0.0, size > 0.0 ? c[1] / size : 0.0,
                                        size > 0.0 ? c[2] / size : 0.0};
                square_to(done, count, pass == 0 ? wish : was, done[count]);
                order[count++] = k;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        memcpy(columns[order[i]], done[i], sizeof done[i]);
    }
    const double cross[3] = {columns[0][1] * columns[1][2] - columns[0][2] * columns[1][1],
                             columns[0][2] * columns[1][0] - columns[0][0] * columns[1][2],
                             columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]};
    const int mirrored = dot(cross, columns[2]) < 0.0 ? 4 : 0;
    int chosen = mirrored;
    double best = -(double)INFINITY;
    for (int s = mirrored; s < mirrored + (first && mirrored == 0 ? 1 : 4); s++) {
        double near = 0.0;
        for (int k = 0; k < 3; k++) {
            const double was[3] = {before->turn[k], before->turn[3 + k], before->turn[6 + k]};
            near += signs[s][k] * dot(columns[k], was);
        }
        if (near > best + 1e-9) {
            best = near;
            chosen = s;
        }
    }
    double turn[9];
    for (int k = 0; k < 3; k++) {
        const double c[3] = {linear[k], linear[3 + k], linear[6 + k]};
        for (int n = 0; n < 3; n++) {
            turn[3 * n + k] = signs[chosen][k] * columns[k][n];
        }
        out->values[SCALE + k] = signs[chosen][k] * dot(columns[k], c);
    }
    angles_of(turn, &before->values[ANGLES], &out->values[ANGLES]);
    memcpy(out->turn, turn, sizeof turn);
}

// ------------------------------------------------------------------------------------------------------------- poses

typedef struct sampler {
    const zf_br_animation *animation;
    const zf_br_bone *bone;
    const zf_posing *posing;
    uint64_t cost, *budget;
    zf_br_judgement *judgement;
} sampler;

static bool is_identity(const double m[12]) {
    double none[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < 12; i++) {
        if (m[i] != none[i]) { return false; }
    }
    return true;
}

// The bone's matrix at x, in Bedrock's space, its place that of the pivot.
static void matrix_at(const sampler *s, double x, double linear[9], double place[3]) {
    static const double side[3] = {-1.0, 1.0, 1.0}; // x is mirrored
    const zf_br_animation *a = s->animation;
    double sum = 0.0, m[12] = {0};
    if (*s->budget < s->cost) {
        s->judgement->spent = true;
    } else {
        *s->budget -= s->cost;
        s->posing->at(s->posing, a->node, a->wraps && x >= a->span ? a->span * just_below : x);
    }
    for (uint32_t i = 0; i < s->bone->part_count; i++) {
        const zf_br_part *part = &s->bone->parts[i];
        const double *own = s->posing->transforms[part->target].m;
        for (int k = 0; k < 12 && !is_identity(own); k++) {
            m[k] += part->weight * own[k];
        }
        sum += is_identity(own) ? 0.0 : part->weight;
    }
    const bool moved = sum > 1e-5;
    for (int n = 0; n < 3; n++) {
        place[n] = -s->bone->pivot[n] + (moved ? m[4 * n + 3] / sum : 0.0);
        for (int k = 0; k < 3; k++) {
            const double value = moved ? m[4 * n + k] / sum : n == k ? 1.0 : 0.0;
            place[n] += value * s->bone->pivot[k];
            linear[3 * n + k] = value * side[n] * side[k];
        }
        place[n] *= side[n] * zf_br_pixels;
    }
}

static void key_at(const sampler *s, double x, const key *before, bool first, key *out) {
    double linear[9];
    *out = (key){.x = x};
    matrix_at(s, x, linear, &out->values[POSITION]);
    split(linear, before, first, out);
}

// How far what keys make of x is from what it is.
static double error_at(const sampler *s, double x, const double values[VALUES]) {
    double linear[9], place[3], turn[9], most = 0.0;
    matrix_at(s, x, linear, place);
    turn_of(&values[ANGLES], turn);
    for (int n = 0; n < 3; n++) {
        most = fmax(most, fabs(place[n] - values[POSITION + n]) / zf_br_pixels);
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(linear[3 * n + k] - turn[3 * n + k] * values[SCALE + k]));
        }
    }
    return most;
}

static bool fits(const sampler *s, const key *a, const key *b) {
    static const double parts[] = {0.5, 0.25, 0.75, 0.111, 0.889};
    for (uint32_t i = 0; i < ZB_COUNT(parts); i++) {
        double values[VALUES];
        for (int v = 0; v < VALUES; v++) {
            values[v] = a->values[v] + (b->values[v] - a->values[v]) * parts[i];
        }
        if (!(error_at(s, a->x + (b->x - a->x) * parts[i], values) <= tolerance)) { return false; }
    }
    return true;
}

static void put_keys(const sampler *s, zb_array *keys) {
    const zf_br_animation *a = s->animation;
    key before = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, next;
    key_at(s, 0.0, &before, true, &next);
    before = next;
    *(key *)zb_array_push(keys) = before;
    s->judgement->inexact |= !(error_at(s, 0.0, before.values) <= tolerance);
    for (uint32_t t = 0; t <= a->time_count; t++) {
        double ends[STACK_MAX]; // the nearest on top
        uint32_t open = 1;
        ends[0] = t < a->time_count ? fmin(a->times[t], a->span) : a->span;
        while (open > 0) {
            const double end = ends[open - 1], way = end - before.x;
            if (!(way > nothing * a->span)) {
                open--;
                continue;
            }
            key_at(s, end, &before, false, &next);
            const bool free = keys->count < KEYS_MAX && open < STACK_MAX && !s->judgement->spent;
            const bool good = fits(s, &before, &next);
            if (!good && free && way > least_step * a->span) {
                ends[open++] = before.x + way / 2.0;
                s->judgement->halved = true;
                continue;
            }
            s->judgement->inexact |= !free || !(error_at(s, end, next.values) <= tolerance);
            before = next;
            *(key *)zb_array_push(keys) = before;
            open--;
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ writing

static bool same(double a, double b) { return fabs(a - b) <= 5e-7; }

// Whether what lies between two keys is on the straight way from one to the other.
static bool lies_between(const key *a, const key *k, const key *b, int first) {
    const double p = (k->x - a->x) / (b->x - a->x);
    for (int v = first; v < first + 3; v++) {
        if (fabs(a->values[v] + (b->values[v] - a->values[v]) * p - k->values[v]) > 1e-7) { return false; }
    }
    return true;
}

static void put_triple(zb_buffer *out, const double *values) {
    zb_put_char(out, '[');
    for (int v = 0; v < 3; v++) {
        zb_put(out, v > 0 ? ", " : "");
        zf_br_put_number(out, values[v]);
    }
    zb_put_char(out, ']');
}

static bool is_still(const key *keys, uint32_t count, int first) {
    for (uint32_t i = 1; i < count; i++) {
        for (int v = first; v < first + 3; v++) {
            if (!same(keys[i].values[v], keys[0].values[v])) { return false; }
        }
    }
    return true;
}

// A channel of three; nothing where it says nothing. Returns how many keys it has.
static uint32_t put_channel(zb_buffer *out, const zf_br_animation *a, const key *keys, uint32_t count, int first,
                            const char *comma) {
    static const char *const names[] = {[ANGLES] = "rotation", [POSITION] = "position", [SCALE] = "scale"};
    const double rest = first == SCALE ? 1.0 : 0.0;
    uint32_t written = 0, kept = 0, dropped = 0;
    const bool still = is_still(keys, count, first);
    if (still && same(keys[0].values[first], rest) && same(keys[0].values[first + 1], rest) &&
        same(keys[0].values[first + 2], rest)) {
        return 0;
    }
    zb_put(out, comma);
    zb_put_json_text(out, zb_text(names[first]));
    zb_put(out, ": ");
    if (still) {
        put_triple(out, &keys[0].values[first]);
        return 1;
    }
    zb_put_char(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        const bool inner = i > 0 && i + 1 < count && dropped < DROPPED_MAX;
        if (inner && lies_between(&keys[kept], &keys[i], &keys[i + 1], first)) {
            dropped++;
            continue;
        }
        zb_put(out, written > 0 ? ", \"" : "\"");
        zf_br_put_time(out, keys[i].x / a->span * a->length);
        zb_put(out, "\": ");
        put_triple(out, &keys[i].values[first]);
        kept = i;
        dropped = 0;
        written++;
    }
    zb_put_char(out, '}');
    return written;
}

// Which bones move at all: where joints are at rest at their keys and half-way between, they are so everywhere.
static bool *find_moved(zb_arena *arena, const sampler *all, const zf_br_bone *bones, uint32_t bone_count) {
    const zf_br_animation *a = all->animation;
    bool *moved = zb_arena_take_array(arena, (size_t)bone_count + 1, sizeof *moved);
    double before = 0.0;
    for (uint32_t t = 0; t <= a->time_count && moved != NULL; t++) {
        const double end = t < a->time_count ? a->times[t] : a->span * just_below;
        for (uint32_t half = 0; half < 3; half++) {
            if (*all->budget < all->cost) {
                all->judgement->spent = true;
                return moved;
            }
            *all->budget -= all->cost;
            all->posing->at(all->posing, a->node, before + (end - before) * half / 2.0);
            for (uint32_t i = 0; i < bone_count; i++) {
                for (uint32_t k = 0; k < bones[i].part_count && !moved[i]; k++) {
                    moved[i] = !is_identity(all->posing->transforms[bones[i].parts[k].target].m);
                }
            }
        }
        before = end;
    }
    return moved;
}

zf_br_judgement zf_br_put_bones(zb_buffer *out, const zf_br_animation *animation, const zf_br_bone *bones,
                                uint32_t bone_count, const zf_posing *posing, uint64_t *budget) {
    zf_br_judgement judgement = {0};
    const char *comma = "";
    zb_array list = zb_array_open(out->arena, sizeof(key));
    sampler s = {.animation = animation, .posing = posing, .budget = budget, .cost = 8, .judgement = &judgement};
    for (uint32_t i = 0; i < bone_count; i++) { // a pose is of all targets, and joints are the first bones
        s.cost += 1 + bones[i].part_count;
    }
    const bool *moved = find_moved(out->arena, &s, bones, bone_count);
    zb_put(out, "\"bones\": {");
    for (uint32_t i = 0; i < bone_count && !zb_arena_failed(out->arena); i++) {
        if (!moved[i]) {
            continue;
        }
        s.bone = &bones[i];
        list.count = 0;
        put_keys(&s, &list);
        if (zb_arena_failed(out->arena) || judgement.spent) { // the last ones are of no pose
            break;
        }
        const key *keys = (const key *)(const void *)list.items;
        const size_t begin = out->size;
        zb_put(out, comma);
        zb_put_json_text(out, bones[i].name);
        zb_put(out, ": {");
        const size_t empty = out->size;
        for (int first = ANGLES; first <= SCALE; first += 3) {
            judgement.key_count += put_channel(out, animation, keys, list.count, first, out->size > empty ? ", " : "");
        }
        if (out->size == empty) { // it does not move
            out->size = begin;
            continue;
        }
        zb_put_char(out, '}');
        comma = ", ";
    }
    zb_put_char(out, '}');
    return judgement;
}
