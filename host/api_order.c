// See api_order.h. What a member may be is in one table; what is not there is refused by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/api_order.h"
#include "host/beside.h"

typedef enum member_id {
    M_AREA, M_ID, M_REVISION, M_FORMAT, M_WIDTH, M_HEIGHT, M_SCALE, M_FPS, M_FROM, M_TO, M_AT, M_DURATION, M_REPEAT, M_LOOP,
    M_SHEET, M_CLIP, M_STATE, M_SCRIPT, M_SHOW, M_NEXT, M_BACKGROUND, M_NEAREST, M_REDUCED_MOTION, M_SEED, M_CAMERA, M_SET,
    M_COUNT
} member_id;

typedef enum member_type { IS_TEXT, IS_NUMBER, IS_WHOLE, IS_FLAG, IS_OBJECT, IS_STEPS } member_type;

enum { OF_STILL = 1, OF_SHEET = 2, OF_MOVING = 4, OF_ALL = 7 };
enum { TEXT_MAX = 1024, WORDS_MAX = 200, SETS_MAX = 64, FILES_MORE = 4096 };

static const struct member {
    const char *name;
    member_type type;
    uint32_t of;         // kinds of pictures that it says something of
    double low, high;    // of numbers
    const char *option;  // of `zoetrope render`, for those that are passed on as they are
    const char *unit;    // behind the number
} members[M_COUNT] = {
    [M_AREA] = {"area", IS_TEXT, OF_ALL, 0, 0, NULL, ""},
    [M_ID] = {"id", IS_TEXT, OF_ALL, 0, 0, NULL, ""},
    [M_REVISION] = {"revision", IS_WHOLE, OF_ALL, 1, 9007199254740991.0, NULL, ""},
    [M_FORMAT] = {"format", IS_TEXT, OF_ALL, 0, 0, NULL, ""},
    [M_WIDTH] = {"width", IS_WHOLE, OF_ALL, 1, ORDER_SIDE_MAX, NULL, ""},
    [M_HEIGHT] = {"height", IS_WHOLE, OF_ALL, 1, ORDER_SIDE_MAX, NULL, ""},
    [M_SCALE] = {"scale", IS_NUMBER, OF_ALL, 0.001, 1000, "--scale", ""},
    [M_FPS] = {"fps", IS_NUMBER, OF_MOVING, 0.01, 240, "--fps", ""},
    [M_FROM] = {"fromMs", IS_NUMBER, OF_MOVING | OF_SHEET, 0, 3600000, "--from", "ms"},
    [M_TO] = {"toMs", IS_NUMBER, OF_MOVING | OF_SHEET, 0, 3600000, "--to", "ms"},
    [M_AT] = {"atMs", IS_NUMBER, OF_STILL, 0, 3600000, "--at", "ms"},
    [M_DURATION] = {"durationMs", IS_NUMBER, OF_ALL, 0.001, 3600000, "--duration", "ms"},
    [M_REPEAT] = {"repeat", IS_TEXT, OF_ALL, 0, 0, "--repeat", ""},
    [M_LOOP] = {"loop", IS_WHOLE, OF_MOVING, 0, 1000, "--loop", ""},
    [M_SHEET] = {"sheet", IS_WHOLE, OF_SHEET, 1, 256, "--sheet", ""},
    [M_CLIP] = {"clip", IS_TEXT, OF_ALL, 0, 0, "--clip", ""},
    [M_STATE] = {"state", IS_TEXT, OF_ALL, 0, 0, NULL, ""},
    [M_SCRIPT] = {"script", IS_STEPS, OF_ALL, 0, 0, NULL, ""},
    [M_SHOW] = {"show", IS_TEXT, OF_ALL, 0, 0, "--show", ""},
    [M_NEXT] = {"next", IS_TEXT, OF_ALL, 0, 0, "--next", ""},
    [M_BACKGROUND] = {"background", IS_TEXT, OF_ALL, 0, 0, "--background", ""},
    [M_NEAREST] = {"nearest", IS_FLAG, OF_ALL, 0, 0, "--nearest", ""},
    [M_REDUCED_MOTION] = {"reducedMotion", IS_FLAG, OF_ALL, 0, 0, "--reduced-motion", ""},
    [M_SEED] = {"seed", IS_WHOLE, OF_ALL, 0, 9007199254740991.0, "--seed", ""},
    [M_CAMERA] = {"camera", IS_OBJECT, OF_ALL, 0, 0, NULL, ""},
    [M_SET] = {"set", IS_OBJECT, OF_ALL, 0, 0, NULL, ""},
};

typedef struct ordering {
    http_request *request;
    zo_document *body;
    zo_value values[M_COUNT];
    bool given[M_COUNT];
    const char *texts[M_COUNT]; // of strings, ended by a zero byte
    store_area area;
    const char *id;
    render_kind kind;
    uint32_t of;
    store_item item;
    const char *words[WORDS_MAX];
    uint32_t word_count;
    store_file *files;       // [file_count], malloc
    uint32_t file_count, file_capacity;
    zo_document *mended[FILES_MORE]; // texts as they would be written today
    uint32_t mended_count;
    const char *input, *label;
    http_text label_text, script;
} ordering;

// ------------------------------------------------------------------------------------------------------------ refusals

// `pointer` is a JSON Pointer into the body.
static bool refuse_at(ordering *o, unsigned status, const char *code, const char *pointer, const char *message) {
    http_text more = {0};
    cli_json json = http_text_json(&more);
    cli_json_text(&json, "pointer", pointer);
    http_reply_error_with(o->request, status, code, message, http_text_end(&more));
    http_text_free(&more);
    return false;
}

static bool refuse(ordering *o, member_id m, const char *what) {
    char pointer[32], message[300];
    snprintf(pointer, sizeof pointer, "/%s", members[m].name);
    snprintf(message, sizeof message, "%s %s", members[m].name, what);
    return refuse_at(o, 400, "BAD_MEMBER", pointer, message);
}

static bool misfit(ordering *o, member_id m, const char *what) { // with the thing
    char pointer[32], message[300];
    snprintf(pointer, sizeof pointer, "/%s", members[m].name);
    snprintf(message, sizeof message, "%s %s", members[m].name, what);
    return refuse_at(o, 422, "BAD_OPTION", pointer, message);
}

static bool no_memory(ordering *o) {
    api_no_memory(o->request);
    return false;
}

// "/a~1b" of the member called a/b.
static bool refuse_member(ordering *o, const char *prefix, zo_text key, const char *what) {
    http_text pointer = {0};
    http_text_words(&pointer, prefix);
    http_text_words(&pointer, "/");
    for (size_t i = 0; i < key.size && i < TEXT_MAX; i++) {
        if (key.data[i] == '~') { http_text_words(&pointer, "~0"); }
        if (key.data[i] == '/') { http_text_words(&pointer, "~1"); }
        if (key.data[i] == 0) { break; }
        if (key.data[i] != '~' && key.data[i] != '/') { http_text_put(&pointer, &key.data[i], 1); }
    }
    const bool fine = refuse_at(o, 400, "BAD_MEMBER", http_text_end(&pointer), what);
    http_text_free(&pointer);
    return fine;
}

// ------------------------------------------------------------------------------------------------------------- reading

static bool is_text(zo_text text, const char *name) {
    return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

static const char *copy(ordering *o, zo_text text) { // NULL: memory
    char *made = http_alloc(o->request, text.size + 1);
    if (made != NULL && text.size > 0) { memcpy(made, text.data, text.size); }
    return made;
}

static bool take_number(ordering *o, member_id m, const zo_value *value) {
    char what[120];
    const bool is = value->kind == ZO_VALUE_NUMBER && value->number >= members[m].low && value->number <= members[m].high;
    if (is && (members[m].type == IS_NUMBER || value->number == floor(value->number))) { return true; }
    snprintf(what, sizeof what, "is a %s from %.16g to %.16g", members[m].type == IS_WHOLE ? "whole number" : "number",
             members[m].low, members[m].high);
    return refuse(o, m, what);
}

static bool take_value(ordering *o, member_id m, const zo_value *value) {
    const bool is_true = value->kind == ZO_VALUE_TRUE;
    switch (members[m].type) {
    case IS_TEXT:
        if (value->kind != ZO_VALUE_STRING || value->text.size == 0 || value->text.size > TEXT_MAX ||
            memchr(value->text.data, 0, value->text.size) != NULL) {
            return refuse(o, m, "is a text of 1 to 1024 bytes");
        }
        o->texts[m] = copy(o, value->text);
        if (o->texts[m] == NULL) { return no_memory(o); }
        break;
    case IS_FLAG:
        if (!is_true && value->kind != ZO_VALUE_FALSE) { return refuse(o, m, "is true or false"); }
        break;
    case IS_OBJECT:
        if (value->kind != ZO_VALUE_OBJECT) { return refuse(o, m, "is an object"); }
        break;
    case IS_STEPS:
        if (value->kind != ZO_VALUE_ARRAY) { return refuse(o, m, "is an array of steps"); }
        break;
    default:
        if (!take_number(o, m, value)) { return false; }
    }
    o->values[m] = *value;
    o->given[m] = true;
    return true;
}

static bool read_body(ordering *o) {
    const http_bytes bytes = http_body_of(o->request);
    zo_value root, value;
    const char *type = http_content_type(o->request);
    if (strcmp(type, "application/json") != 0) {
        http_reply_error(o->request, 415, "BAD_TYPE", "what is to be rendered is said as application/json");
        return false;
    }
    const zo_status status = zo_document_open(bytes.bytes, bytes.size, NULL, &o->body);
    if (status == ZO_NO_MEMORY) { return no_memory(o); }
    if (status != ZO_OK || !zo_document_value(o->body, ZO_VALUE_ROOT, &root) || root.kind != ZO_VALUE_OBJECT) {
        return refuse_at(o, 400, "BAD_BODY", "", "the body is no JSON object");
    }
    for (uint32_t at = root.first; at != 0 && zo_document_value(o->body, at, &value); at = value.next) {
        uint32_t m = 0;
        while (m < M_COUNT && !is_text(value.key, members[m].name)) { m++; }
        if (m == M_COUNT) { return refuse_member(o, "", value.key, "there is no such member"); }
        if (o->given[m]) { return refuse(o, (member_id)m, "is there twice"); }
        if (!take_value(o, (member_id)m, &value)) { return false; }
    }
    return true;
}

// ------------------------------------------------------------------------------------------- what needs no look at it

static bool pick_kind(ordering *o) {
    uint32_t kind = 0;
    if (!o->given[M_FORMAT]) { return refuse(o, M_FORMAT, "is missing: png, webp, gif, apng, mp4 or webm"); }
    while (kind < RENDER_KIND_COUNT && strcmp(render_kind_name((render_kind)kind), o->texts[M_FORMAT]) != 0) { kind++; }
    if (kind == RENDER_KIND_COUNT) { return refuse(o, M_FORMAT, "is png, webp, gif, apng, mp4 or webm"); }
    o->kind = (render_kind)kind;
    if (render_kind_wants_ffmpeg(o->kind) && !render_has_ffmpeg()) {
        return refuse_at(o, 501, "NO_FFMPEG", "/format", "videos want the program ffmpeg, which is not installed here");
    }
    if (o->kind != RENDER_PNG && o->given[M_SHEET]) { return refuse(o, M_SHEET, "goes with png"); }
    o->of = o->kind != RENDER_PNG ? OF_MOVING : o->given[M_SHEET] ? OF_SHEET : OF_STILL;
    for (uint32_t m = 0; m < M_COUNT; m++) {
        if (!o->given[m] || (members[m].of & o->of) != 0) { continue; }
        return refuse(o, (member_id)m, o->of == OF_STILL ? "says nothing of one picture"
                                     : o->of == OF_SHEET ? "says nothing of a sheet"
                                                         : "says nothing of a moving picture");
    }
    return true;
}

static bool is_color(const char *text) {
    const size_t size = strlen(text);
    return strcmp(text, "none") == 0 || (text[0] == '#' && (size == 4 || size == 7 || size == 9) &&
                                         strspn(text + 1, "0123456789abcdefABCDEF") == size - 1);
}

static bool pick_plain(ordering *o) {
    static const char *const repeats[] = {"once", "loop", "alternate"};
    static const member_id of_clips[] = {M_CLIP, M_DURATION, M_REPEAT, M_SHOW, M_NEXT};
    if (!o->given[M_ID]) { return refuse(o, M_ID, "is missing"); }
    o->area = STORE_ITEM;
    if (o->given[M_AREA] && (!api_area_named(o->texts[M_AREA], &o->area) || o->area == STORE_ASSET)) {
        return refuse(o, M_AREA, "is items, pets or configs");
    }
    o->id = o->texts[M_ID];
    if (o->given[M_WIDTH] != o->given[M_HEIGHT]) {
        return refuse(o, o->given[M_WIDTH] ? M_HEIGHT : M_WIDTH, "is missing: width and height go together");
    }
    if (o->given[M_FROM] && o->given[M_TO] && o->values[M_TO].number <= o->values[M_FROM].number) {
        return refuse(o, M_TO, "lies after fromMs");
    }
    if (o->given[M_TO] && o->values[M_TO].number <= 0.0) { return refuse(o, M_TO, "lies after 0"); }
    if (o->given[M_BACKGROUND] && !is_color(o->texts[M_BACKGROUND])) {
        return refuse(o, M_BACKGROUND, "is #rgb, #rrggbb, #rrggbbaa or none");
    }
    bool known = !o->given[M_REPEAT];
    for (size_t i = 0; !known && i < 3; i++) { known = strcmp(repeats[i], o->texts[M_REPEAT]) == 0; }
    if (!known) { return refuse(o, M_REPEAT, "is once, loop or alternate"); }
    if (o->given[M_STATE] && o->given[M_SCRIPT]) { return refuse(o, M_STATE, "and script cannot be both"); }
    for (size_t i = 0; o->given[M_STATE] && i < sizeof of_clips / sizeof of_clips[0]; i++) {
        if (o->given[of_clips[i]]) { return refuse(o, of_clips[i], "is for a clip, and state is for the whole"); }
    }
    return true;
}

static void add_word(ordering *o, const char *word) {
    if (o->word_count + 1 < WORDS_MAX) { o->words[o->word_count++] = word; }
}

static const char *printed(ordering *o, const char *before, double number, const char *behind) {
    char text[32];
    cli_number_text(number, text);
    const size_t size = strlen(before) + strlen(text) + strlen(behind) + 1;
    char *made = http_alloc(o->request, size);
    if (made != NULL) { snprintf(made, size, "%s%s%s", before, text, behind); }
    return made != NULL ? made : "";
}

// Members that are passed on as they are. What is made of memory that is not there is found by the queue.
static void add_options(ordering *o) {
    for (uint32_t m = 0; m < M_COUNT; m++) {
        if (!o->given[m] || members[m].option == NULL) { continue; }
        if (members[m].type == IS_FLAG) {
            if (o->values[m].kind == ZO_VALUE_TRUE) { add_word(o, members[m].option); }
            continue;
        }
        add_word(o, members[m].option);
        add_word(o, members[m].type == IS_TEXT ? o->texts[m] : printed(o, "", o->values[m].number, members[m].unit));
    }
    if (o->given[M_WIDTH]) {
        const char *width = printed(o, "", o->values[M_WIDTH].number, "x");
        add_word(o, "--size");
        add_word(o, printed(o, width, o->values[M_HEIGHT].number, ""));
    }
}

// {"yaw", "pitch", "zoom", "field"}: the first two, then as many as there are.
static bool add_camera(ordering *o) {
    static const struct { const char *name; double low, high; } parts[] = {
        {"yaw", -36000, 36000}, {"pitch", -90, 90}, {"zoom", 0.001, 1000}, {"field", 1, 170}};
    double numbers[4] = {225, 30, 1, 0};
    bool given[4] = {false};
    zo_value value;
    if (!o->given[M_CAMERA]) { return true; }
    for (uint32_t at = o->values[M_CAMERA].first; at != 0 && zo_document_value(o->body, at, &value); at = value.next) {
        uint32_t i = 0;
        char what[80];
        while (i < 4 && !is_text(value.key, parts[i].name)) { i++; }
        if (i == 4) { return refuse_member(o, "/camera", value.key, "a camera has yaw, pitch, zoom and field"); }
        snprintf(what, sizeof what, "%s is a number from %g to %g", parts[i].name, parts[i].low, parts[i].high);
        if (value.kind != ZO_VALUE_NUMBER || !(value.number >= parts[i].low && value.number <= parts[i].high)) {
            return refuse_member(o, "/camera", value.key, what);
        }
        numbers[i] = value.number;
        given[i] = true;
    }
    const char *text = "";
    for (uint32_t i = 0; i < (given[3] ? 4u : 3u); i++) {
        text = printed(o, i > 0 ? printed(o, text, numbers[i - 1], ",") : "", 0, "");
        (void)text;
    }
    return true;
}
