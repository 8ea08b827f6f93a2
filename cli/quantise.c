// See quantise.h. Counting is by bins of six bits a channel, which remember the exact mean of what fell into them. The
// bins are split into boxes where that lessens the squared error most, then moved by k-means. Distances are taken
// between luma and two colour differences, luma being what the eye sees steps in.
#include <stdlib.h>
#include <string.h>

#include "quantise.h"

enum {
    BIN_COUNT = 1 << 18,
    AXES = 3,
    COORDINATES = 2048, // each coordinate is below
    EXACT_SLOTS = 1024,
    CACHE_BITS = 16,
    ROUNDS = 4, // of k-means; further ones change little
};

typedef struct bin {
    uint64_t count, red, green, blue;
} bin;

typedef struct point {
    uint16_t at[AXES];
    uint8_t rgb[3];
    uint32_t weight;
} point;

// The palette in the order of luma, so that a search can start near and stop early.
typedef struct color {
    int32_t at[AXES];
    uint8_t rgb[3];
} color;

struct cli_quantiser {
    bin *bins;
    uint32_t exact[EXACT_SLOTS]; // 1 << 24 | colour; 0: empty
    uint32_t exact_count;        // beyond CLI_COLORS_MAX: given up
    color colors[CLI_COLORS_MAX];
    uint32_t color_count;
    uint16_t first_at[COORDINATES];  // the first colour of at least this luma
    uint32_t cache[1 << CACHE_BITS]; // index << 24 | colour; index 0: empty
};

cli_quantiser *cli_quantiser_new(void) {
    cli_quantiser *q = calloc(1, sizeof *q);
    if (q == NULL) { return NULL; }
    q->bins = calloc(BIN_COUNT, sizeof *q->bins);
    if (q->bins == NULL) {
        free(q);
        return NULL;
    }
    return q;
}

void cli_quantiser_free(cli_quantiser *q) {
    if (q != NULL) { free(q->bins); }
    free(q);
}

static uint32_t pack(const uint8_t rgb[3]) { return (uint32_t)rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16; }

// Luma times 8, blue - luma times 3, red - luma times 4. Linear, so the mean of points is the point of the mean colour.
static void place(const uint8_t rgb[3], int32_t at[AXES]) {
    const int32_t luma = 77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]; // of 65280
    at[0] = luma >> 5;
    at[1] = COORDINATES / 2 + (3 * (256 * rgb[2] - luma)) / 256;
    at[2] = COORDINATES / 2 + (4 * (256 * rgb[0] - luma)) / 256;
}

static uint32_t hash(uint32_t value) { return value * 0x9E3779B1u; }

static void count_exact(cli_quantiser *q, uint32_t packed) {
    const uint32_t entry = packed | 1u << 24;
    uint32_t slot = hash(packed) >> 22;
    while (q->exact[slot] != 0 && q->exact[slot] != entry) { slot = (slot + 1) & (EXACT_SLOTS - 1); }
    if (q->exact[slot] == 0) {
        q->exact[slot] = entry;
        q->exact_count++;
    }
}

static void count_run(cli_quantiser *q, const uint8_t *pixel, uint64_t length) {
    if (pixel[3] < 128) { return; }
    bin *b = &q->bins[(uint32_t)(pixel[0] >> 2) << 12 | (uint32_t)(pixel[1] >> 2) << 6 | pixel[2] >> 2];
    b->count += length;
    b->red += length * pixel[0];
    b->green += length * pixel[1];
    b->blue += length * pixel[2];
    if (q->exact_count <= CLI_COLORS_MAX) { count_exact(q, pack(pixel)); }
}

void cli_quantiser_count(cli_quantiser *q, const zo_image *image) {
    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->pixels + image->stride * y;
        uint32_t start = 0;
        for (uint32_t x = 1; x <= image->width; x++) {
            if (x < image->width && memcmp(row + (size_t)x * 4, row + (size_t)start * 4, 4) == 0) { continue; }
            count_run(q, row + (size_t)start * 4, x - start);
            start = x;
        }
    }
}

static uint32_t square_root(uint64_t value) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1) {
        if ((root | bit) * (root | bit) <= value) { root |= bit; }
    }
    return (uint32_t)root;
}

// To the power of 3/4: a highlight in an eye matters more than its area says. With `shift` taken from the total all
// weights together stay below 2^27.
static uint32_t weight_of(uint64_t count, uint32_t shift) {
    const uint64_t share = (count >> shift) + 1;
    return square_root(share * square_root(share << 8));
}

static uint32_t shift_for(uint64_t total) {
    uint32_t shift = 0;
    while (total >> shift >= UINT64_C(1) << 26) { shift++; }
    return shift;
}

static point *collect(const cli_quantiser *q, uint32_t *point_count) {
    uint32_t used = 0;
    uint64_t total = 0;
    for (uint32_t i = 0; i < BIN_COUNT; i++) {
        used += q->bins[i].count > 0;
        total += q->bins[i].count;
    }
    point *points = malloc((used + 1) * sizeof *points);
    if (points == NULL) { return NULL; }
    uint32_t n = 0;
    for (uint32_t i = 0; i < BIN_COUNT; i++) {
        const bin *b = &q->bins[i];
        if (b->count == 0) { continue; }
        point *p = &points[n++];
        p->rgb[0] = (uint8_t)((b->red + b->count / 2) / b->count);
        p->rgb[1] = (uint8_t)((b->green + b->count / 2) / b->count);
        p->rgb[2] = (uint8_t)((b->blue + b->count / 2) / b->count);
        int32_t at[AXES];
        place(p->rgb, at);
        for (int axis = 0; axis < AXES; axis++) { p->at[axis] = (uint16_t)at[axis]; }
        p->weight = weight_of(b->count, shift_for(total));
    }
    *point_count = n;
    return points;
}

typedef struct sums {
    uint64_t weight, at[AXES];
} sums;

typedef struct box {
    point *points;
    uint32_t count;
    uint64_t gain; // how much the best cut lessens the squared error; 0: none does
    int axis;
    uint16_t cut; // points below go left
} box;

static void add_point(sums *s, const point *p) {
    s->weight += p->weight;
    for (int axis = 0; axis < AXES; axis++) { s->at[axis] += (uint64_t)p->weight * p->at[axis]; }
}

static void add_sums(sums *s, const sums *other) {
    s->weight += other->weight;
    for (int axis = 0; axis < AXES; axis++) { s->at[axis] += other->at[axis]; }
}

// Of cutting `all` into `left` and the rest: the harmonic weight times the squared distance of the means.
static uint64_t gain_of(const sums *all, const sums *left) {
    const uint64_t right_weight = all->weight - left->weight;
    uint64_t square = 0;
    for (int axis = 0; axis < AXES; axis++) {
        const int64_t a = (int64_t)(left->at[axis] * 8 / left->weight);
        const int64_t b = (int64_t)((all->at[axis] - left->at[axis]) * 8 / right_weight);
        square += (uint64_t)((a - b) * (a - b));
    }
    // In 1/16, with all shares below 2^30 and the square below 2^30: no overflow.
    const uint64_t small = left->weight < right_weight ? left->weight : right_weight;
    const uint64_t large = all->weight - small;
    return (small * ((large << 16) / all->weight) >> 12) * square;
}

// Buckets a coordinate each, so no sorting. `buckets` is all zero before and after.
static void find_cut(box *b, sums *buckets) {
    b->gain = 0;
    for (int axis = 0; axis < AXES; axis++) {
        sums all = {0};
        uint32_t low = COORDINATES, high = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            const uint32_t at = b->points[i].at[axis];
            add_point(&buckets[at], &b->points[i]);
            add_point(&all, &b->points[i]);
            if (at < low) { low = at; }
            if (at > high) { high = at; }
        }
        sums left = {0};
        for (uint32_t at = low; at < high; at++) {
            if (buckets[at].weight == 0) { continue; }
            add_sums(&left, &buckets[at]);
            const uint64_t gain = gain_of(&all, &left);
            if (gain > b->gain) {
                b->gain = gain;
                b->axis = axis;
                b->cut = (uint16_t)(at + 1);
            }
        }
        if (low <= high) { memset(buckets + low, 0, (high - low + 1) * sizeof *buckets); }
    }
}

static uint32_t partition(const box *b) {
    uint32_t left = 0, right = b->count;
    while (left < right) {
        if (b->points[left].at[b->axis] < b->cut) {
            left++;
            continue;
        }
        const point moved = b->points[left];
        b->points[left] = b->points[--right];
        b->points[right] = moved;
    }
    return left;
}

static uint32_t split(point *points, uint32_t point_count, box boxes[CLI_COLORS_MAX], sums *buckets) {
    uint32_t count = 1;
    boxes[0] = (box){.points = points, .count = point_count};
    find_cut(&boxes[0], buckets);
    while (count < CLI_COLORS_MAX) {
        box *best = &boxes[0];
        for (uint32_t i = 1; i < count; i++) {
            if (boxes[i].gain > best->gain) { best = &boxes[i]; }
        }
        if (best->gain == 0) { break; }
        const uint32_t left = partition(best);
        boxes[count] = (box){.points = best->points + left, .count = best->count - left};
        best->count = left;
        find_cut(best, buckets);
        find_cut(&boxes[count++], buckets);
    }
    return count;
}

static int compare_colors(const void *left, const void *right) {
    const color *a = left, *b = right;
    if (a->at[0] != b->at[0]) { return a->at[0] < b->at[0] ? -1 : 1; }
    return memcmp(a->rgb, b->rgb, 3); // as equal colours are one, this decides
}

static void set_colors(cli_quantiser *q, uint8_t (*rgb)[3], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        memcpy(q->colors[i].rgb, rgb[i], 3);
        place(rgb[i], q->colors[i].at);
    }
    qsort(q->colors, count, sizeof *q->colors, compare_colors);
    q->color_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && memcmp(q->colors[i].rgb, q->colors[q->color_count - 1].rgb, 3) == 0) { continue; }
        q->colors[q->color_count++] = q->colors[i];
    }
    uint32_t first = 0;
    for (int32_t luma = 0; luma < COORDINATES; luma++) {
        while (first < q->color_count && q->colors[first].at[0] < luma) { first++; }
        q->first_at[luma] = (uint16_t)first;
    }
}

static int32_t distance(const color *c, const int32_t at[AXES]) {
    const int32_t a = c->at[0] - at[0], b = c->at[1] - at[1], d = c->at[2] - at[2];
    return a * a + b * b + d * d; // below 3 * 2^22
}

// The lowest index among equally near ones. Upwards and downwards in luma until luma alone is too far.
static uint32_t nearest(const cli_quantiser *q, const int32_t at[AXES]) {
    const uint32_t first = q->first_at[at[0]];
    uint32_t best = 0;
    int32_t least = INT32_MAX;
    for (uint32_t i = first; i < q->color_count; i++) {
        const int32_t luma = q->colors[i].at[0] - at[0];
        if (luma * luma > least) { break; }
        const int32_t d = distance(&q->colors[i], at);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    for (uint32_t i = first; i-- > 0;) {
        const int32_t luma = q->colors[i].at[0] - at[0];
        if (luma * luma > least) { break; }
        const int32_t d = distance(&q->colors[i], at);
        if (d <= least) {
            least = d;
            best = i;
        }
    }
    return best;
}

typedef struct mean {
    uint64_t weight, rgb[3];
} mean;

static void add_mean(mean *m, const point *p) {
    m->weight += p->weight;
    for (int i = 0; i < 3; i++) { m->rgb[i] += (uint64_t)p->weight * p->rgb[i]; }
}

static void colors_from_means(cli_quantiser *q, const mean *means, uint32_t count) {
    uint8_t rgb[CLI_COLORS_MAX][3];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const mean *m = &means[i];
        if (m->weight == 0) { continue; }
        for (int c = 0; c < 3; c++) { rgb[n][c] = (uint8_t)((m->rgb[c] + m->weight / 2) / m->weight); }
        n++;
    }
    set_colors(q, rgb, n);
}

static bool choose(cli_quantiser *q) {
    uint32_t point_count = 0;
    point *points = collect(q, &point_count);
    sums *buckets = calloc(COORDINATES, sizeof *buckets);
    if (points == NULL || buckets == NULL) {
        free(points);
        free(buckets);
        return false;
    }
    box boxes[CLI_COLORS_MAX];
    mean means[CLI_COLORS_MAX] = {0};
    const uint32_t box_count = split(points, point_count, boxes, buckets);
    for (uint32_t i = 0; i < box_count; i++) {
        for (uint32_t k = 0; k < boxes[i].count; k++) { add_mean(&means[i], &boxes[i].points[k]); }
    }
    colors_from_means(q, means, box_count);
    for (int round = 0; round < ROUNDS; round++) {
        memset(means, 0, sizeof means);
        for (uint32_t i = 0; i < point_count; i++) {
            const int32_t at[AXES] = {points[i].at[0], points[i].at[1], points[i].at[2]};
            add_mean(&means[nearest(q, at)], &points[i]);
        }
        colors_from_means(q, means, q->color_count);
    }
    free(points);
    free(buckets);
    return true;
}

static void keep_exact(cli_quantiser *q) {
    uint8_t rgb[CLI_COLORS_MAX][3];
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < EXACT_SLOTS; slot++) {
        const uint32_t entry = q->exact[slot];
        if (entry == 0) { continue; }
        for (int c = 0; c < 3; c++) { rgb[n][c] = (uint8_t)(entry >> (8 * c)); }
        n++;
    }
    set_colors(q, rgb, n);
}

uint32_t cli_quantiser_finish(cli_quantiser *q, uint8_t palette[CLI_COLORS_MAX * 3]) {
    if (q->exact_count <= CLI_COLORS_MAX) {
        keep_exact(q);
    } else if (!choose(q)) {
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < q->color_count; i++) { memcpy(palette + (size_t)i * 3, q->colors[i].rgb, 3); }
    return q->color_count;
}

static uint8_t index_of(cli_quantiser *q, const uint8_t *pixel) {
    if (pixel[3] < 128) { return 0; }
    const uint32_t packed = pack(pixel);
    uint32_t *entry = &q->cache[hash(packed) >> (32 - CACHE_BITS)];
    if (*entry >> 24 == 0 || (*entry & 0xFFFFFF) != packed) {
        int32_t at[AXES];
        place(pixel, at);
        *entry = packed | (nearest(q, at) + 1) << 24;
    }
    return (uint8_t)(*entry >> 24);
}

void cli_quantiser_map(cli_quantiser *q, const zo_image *image, uint8_t *indices) {
    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->pixels + image->stride * y;
        uint8_t *to = indices + (size_t)image->width * y;
        uint32_t start = 0;
        for (uint32_t x = 1; x <= image->width; x++) {
            if (x < image->width && memcmp(row + (size_t)x * 4, row + (size_t)start * 4, 4) == 0) { continue; }
            memset(to + start, index_of(q, row + (size_t)start * 4), x - start);
            start = x;
        }
    }
}
