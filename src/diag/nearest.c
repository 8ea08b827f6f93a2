// "Did you mean": the nearest word of a list, and the one that was surely meant. Called by readers that met a name they
// do not know. Must not know what the words name.
#include "diag/diag.h"

enum { WORD_SIZE_MAX = 64, EDIT = 2, CASE_EDIT = 1 }; // costs in half edits

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static uint32_t replace_cost(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? CASE_EDIT : EDIT; }

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }

static bool equal_but_for_case(const char *a, size_t a_size, const char *b, size_t b_size) {
    bool equal = a_size == b_size;
    for (size_t i = 0; equal && i < a_size; i++) { equal = lower(a[i]) == lower(b[i]); }
    return equal;
}

// Half edits from a to b: insert, remove, replace, or swap two neighbours.
static uint32_t distance(const char *a, size_t a_size, const char *b, size_t b_size) {
    uint32_t rows[3][WORD_SIZE_MAX + 1]; // this row of the table and the two before
    for (uint32_t j = 0; j <= b_size; j++) { rows[0][j] = EDIT * j; }
    for (uint32_t i = 1; i <= a_size; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *before = rows[(i + 2) % 3];
        const uint32_t *before_that = rows[(i + 1) % 3];
        row[0] = EDIT * i;
        for (uint32_t j = 1; j <= b_size; j++) {
            uint32_t cost = min(before[j], row[j - 1]) + EDIT;
            cost = min(cost, before[j - 1] + replace_cost(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                cost = min(cost, before_that[j - 2] + EDIT);
            }
            row[j] = cost;
        }
    }
    return rows[a_size % 3][b_size];
}

const char *zd_nearest(zo_text word, const char *const *candidates, uint32_t count) {
    if (word.size == 0 || word.size > WORD_SIZE_MAX) { return NULL; }
    const uint32_t third = EDIT * (uint32_t)word.size / 3;
    uint32_t limit = third > EDIT ? third : EDIT;
    const char *nearest = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const size_t size = strlen(candidates[i]);
        if (size == 0 || size > WORD_SIZE_MAX) { continue; }
        const size_t gap = size > word.size ? size - word.size : word.size - size;
        if (EDIT * gap > limit) { continue; }
        const bool same = equal_but_for_case(word.data, word.size, candidates[i], size); // always near
        const uint32_t edits = distance(word.data, word.size, candidates[i], size);
        const uint32_t cost = same ? min(edits, CASE_EDIT) : edits;
        if (cost < limit || (cost == limit && !nearest)) { // of equals the first
            nearest = candidates[i];
            limit = cost;
        }
    }
    return nearest;
}

// ---- Surely ----

static bool is_sign(char c) { return c == '-' || c == '_' || c == ' '; }

static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// Equal but for case and for how words are joined: easeOut, Ease_Out and ease-out.
static bool same_letters(zo_text word, zo_text other) {
    size_t at = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (is_sign(word.data[i])) { continue; }
        while (at < other.size && is_sign(other.data[at])) { at++; }
        if (at == other.size || lower(word.data[i]) != lower(other.data[at])) { return false; }
        at++;
    }
    while (at < other.size && is_sign(other.data[at])) { at++; }
    return at == other.size;
}

const char *zd_surely(zo_text word, const char *const *candidates, uint32_t count) {
    // A word that stops at a hyphen or a dot is not finished: it could become several.
    if (word.size < 3 || word.size > WORD_SIZE_MAX || !is_letter(word.data[word.size - 1])) { return NULL; }
    const char *same = NULL;
    const char *nearest = NULL;
    uint32_t same_count = 0;
    uint32_t first = UINT32_MAX; // distance of the nearest, and of the next one
    uint32_t second = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const zo_text candidate = zb_text(candidates[i]);
        if (candidate.size > WORD_SIZE_MAX) { continue; }
        if (same_letters(word, candidate)) {
            same = candidates[i];
            same_count++;
        }
        const uint32_t edits = distance(word.data, word.size, candidate.data, candidate.size);
        if (edits < first) {
            second = first;
            first = edits;
            nearest = candidates[i];
        } else {
            second = min(second, edits);
        }
    }
    if (same_count > 0) { return same_count == 1 ? same : NULL; }
    // A wrong letter says less than one that is missing, doubled or swapped: ease-on is not ease-in for sure.
    const bool replaced = nearest && strlen(nearest) == word.size;
    return first <= EDIT && second >= (replaced ? 3 * EDIT : 2 * EDIT) ? nearest : NULL;
}
