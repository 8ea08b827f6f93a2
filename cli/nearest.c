// See nearest.h; and the distance that all of it, and cli_nearest, goes by.
#include <ctype.h>
#include <string.h>

#include "nearest.h"

enum { LONGEST = 64 };

// Edit distance in one row, capitals equal to small letters; words longer than the row are no near miss.
static uint32_t distance(const char *a, const char *b) {
    const size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > LONGEST || b_size > LONGEST) { return LONGEST; }
    uint32_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_size; j++) { row[j] = (uint32_t)j; }
    for (size_t i = 1; i <= a_size; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_size; j++) {
            const int differs = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            uint32_t best = diagonal + (uint32_t)differs;
            if (row[j] + 1 < best) { best = row[j] + 1; }
            if (row[j - 1] + 1 < best) { best = row[j - 1] + 1; }
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_size];
}

typedef struct search {
    const char *word, *best;
    uint32_t limit; // only what is nearer than this is near
} search;

static search search_for(const char *word) {
    return (search){.word = word, .best = NULL, .limit = (uint32_t)(strlen(word) / 3) + 2};
}

static void offer(search *s, const char *name) {
    const uint32_t d = distance(s->word, name);
    if (d < s->limit && d < strlen(name)) { // not a word of which nothing is right
        s->best = name;
        s->limit = d;
    }
}

const char *cli_nearest(const char *word, const char *(*candidate)(uint32_t index)) {
    search s = search_for(word);
    for (uint32_t i = 0; candidate(i) != NULL; i++) { offer(&s, candidate(i)); }
    return s.best;
}

cli_hint cli_did_you_mean(const char *near) {
    cli_hint hint = {""};
    if (near != NULL) { snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", near); }
    return hint;
}

const char *cli_nearest_clip(const zo_program *program, const char *word) {
    search s = search_for(word);
    zo_clip_info info;
    for (uint32_t i = 1; zo_clip_get(program, (zo_clip){i}, &info); i++) {
        offer(&s, info.name);
        const char *own = strchr(info.name, ':'); // "jelly" for "builtin:jelly"
        if (own != NULL && distance(word, own + 1) == 0) { return info.name; }
    }
    return s.best;
}

const char *cli_nearest_cel(const zo_program *program, const char *word) {
    search s = search_for(word);
    zo_cel_info info;
    for (uint32_t i = 1; zo_cel_get(program, (zo_cel){i}, &info); i++) { offer(&s, info.name); }
    return s.best;
}

const char *cli_nearest_state(const zo_program *program, const char *word) {
    search s = search_for(word);
    zo_state_info info;
    for (uint32_t i = 1; zo_state_get(program, (zo_state){i}, &info); i++) {
        offer(&s, info.name);
        offer(&s, info.group);
    }
    return s.best;
}

const char *cli_nearest_status(const zo_program *program, const char *word) {
    search s = search_for(word);
    const char *type;
    for (uint32_t i = 0; (type = zo_status_type(program, i)) != NULL; i++) { offer(&s, type); }
    return s.best;
}

const char *cli_nearest_channel(const zo_program *program, const char *word) {
    search s = search_for(word);
    zo_channel_info info;
    for (uint32_t i = 1; zo_channel_get(program, (zo_channel){i}, &info); i++) { offer(&s, info.name); }
    return s.best;
}

const char *cli_nearest_param(const zo_program *program, const zo_clip_info *clip, const char *word) {
    search s = search_for(word);
    zo_param_info info;
    for (uint32_t i = 0; i < clip->param_count; i++) {
        if (zo_param_get(program, (zo_param){clip->first_param.id + i}, &info)) { offer(&s, info.name); }
    }
    for (uint32_t p = 1; zo_param_get(program, (zo_param){p}, &info); p++) { // a control is everybody's
        if (info.clip.id == 0) { offer(&s, info.name); }
    }
    return s.best;
}
