// See api_order.h. What a member may be is in one table; what is not there is refused by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/api_internal.h"
#include "host/api_order.h"
#include "host/beside.h"

typedef enum member_id {
    M_AREA, M_ID, M_REVISION, M_FORMAT, // whose picture and of what kind; what follows are options
    M_WIDTH, M_HEIGHT, M_SCALE, M_FPS, M_FROM, M_TO, M_AT, M_DURATION, M_REPEAT, M_LOOP, M_SHEET, M_CLIP, M_STATE,
    M_SCRIPT, M_SHOW, M_NEXT, M_BACKGROUND, M_NEAREST, M_REDUCED_MOTION, M_SEED, M_CAMERA, M_SET,
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
    const struct member *member = &members[m];
    const bool is =
        value->kind == ZO_VALUE_NUMBER && value->number >= member->low && value->number <= member->high;
    if (is && (member->type == IS_NUMBER || value->number == floor(value->number))) { return true; }
    snprintf(what, sizeof what, "is a %s from %.16g to %.16g", member->type == IS_WHOLE ? "whole number" : "number",
             member->low, member->high);
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

static const char *printed(ordering *o, member_id m) {
    char text[32], *made = http_alloc(o->request, 48);
    cli_number_text(o->values[m].number, text);
    if (members[m].type == IS_WHOLE) { snprintf(text, sizeof text, "%.0f", o->values[m].number); }
    if (made != NULL) { snprintf(made, 48, "%s%s", text, members[m].unit); }
    return made != NULL ? made : "";
}

// Members that are passed on as they are.
static void add_options(ordering *o) {
    for (uint32_t m = 0; m < M_COUNT; m++) {
        if (!o->given[m] || members[m].option == NULL) { continue; }
        if (members[m].type == IS_FLAG) {
            if (o->values[m].kind == ZO_VALUE_TRUE) { add_word(o, members[m].option); }
            continue;
        }
        add_word(o, members[m].option);
        add_word(o, members[m].type == IS_TEXT ? o->texts[m] : printed(o, (member_id)m));
    }
    char *size = o->given[M_WIDTH] ? http_alloc(o->request, 32) : NULL;
    if (size != NULL) {
        snprintf(size, 32, "%.0fx%.0f", o->values[M_WIDTH].number, o->values[M_HEIGHT].number);
        add_word(o, "--size");
        add_word(o, size);
    }
}

// As `zoetrope render` has them when nothing is said.
static bool add_camera(ordering *o) {
    static const struct { const char *name; double low, high; } parts[] = {
        {"yaw", -1e6, 1e6}, {"pitch", -90, 90}, {"zoom", 0.001, 1000}, {"field", 0, 170}};
    double numbers[4] = {225, 30, 1, 0};
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
    }
    char text[4][32], *whole = http_alloc(o->request, sizeof text + 4);
    if (whole == NULL) { return no_memory(o); }
    for (int i = 0; i < 4; i++) { cli_number_text(numbers[i], text[i]); }
    snprintf(whole, sizeof text + 4, "%s,%s,%s,%s", text[0], text[1], text[2], text[3]);
    add_word(o, "--camera");
    add_word(o, whole);
    return true;
}

// ------------------------------------------------------------------------------------------- what depends on the thing

static bool has_param(const zo_program *program, zo_text name) {
    zo_param_info param;
    bool has = false;
    for (uint32_t p = 1; !has && zo_param_get(program, (zo_param){p}, &param); p++) { has = is_text(name, param.name); }
    return has;
}

// {"name": 1.5}; of a control also a line, "0.5x + 1".
static bool add_sets(ordering *o, const zo_program *program) {
    zo_value value;
    if (!o->given[M_SET]) { return true; }
    if (o->values[M_SET].count > SETS_MAX) { return refuse(o, M_SET, "has more than 64 members"); }
    for (uint32_t at = o->values[M_SET].first; at != 0 && zo_document_value(o->body, at, &value); at = value.next) {
        char number[32];
        if (!has_param(program, value.key) || memchr(value.key.data, '=', value.key.size) != NULL) {
            return refuse_member(o, "/set", value.key, "there is no parameter of that name");
        }
        const bool is_line = value.kind == ZO_VALUE_STRING && value.text.size <= 64 &&
                             memchr(value.text.data, 0, value.text.size) == NULL;
        if (value.kind != ZO_VALUE_NUMBER && !is_line) {
            return refuse_member(o, "/set", value.key,
                                 "a parameter is a number, of a control also a line such as 0.5x + 1");
        }
        cli_number_text(value.number, number);
        const zo_text text = value.kind == ZO_VALUE_STRING ? value.text : (zo_text){number, strlen(number)};
        char *word = http_alloc(o->request, value.key.size + text.size + 2);
        if (word == NULL) { return no_memory(o); }
        memcpy(word, value.key.data, value.key.size);
        word[value.key.size] = '=';
        memcpy(word + value.key.size + 1, text.data, text.size);
        add_word(o, "--set");
        add_word(o, word);
    }
    return true;
}

static bool has_state(const zo_program *program, const char *name) {
    zo_state_info state;
    bool has = false;
    for (uint32_t s = 1; !has && zo_state_get(program, (zo_state){s}, &state); s++) {
        has = strcmp(state.name, name) == 0 || strcmp(state.group, name) == 0;
    }
    return has;
}

// What is asked for by name must be there, and the picture must not be too large.
static bool fits(ordering *o, const zo_program *program) {
    double stage[4];
    if (o->given[M_CLIP] && zo_clip_find(program, o->texts[M_CLIP]).id == 0) {
        return misfit(o, M_CLIP, "names no clip of it");
    }
    static const member_id cels[] = {M_SHOW, M_NEXT};
    for (int i = 0; i < 2; i++) {
        if (o->given[cels[i]] && zo_cel_find(program, o->texts[cels[i]]).id == 0) {
            return misfit(o, cels[i], "names no picture of it");
        }
    }
    if (o->given[M_STATE] && !has_state(program, o->texts[M_STATE])) {
        return misfit(o, M_STATE, "names no state of it");
    }
    zo_program_stage(program, stage);
    if (!o->given[M_SCALE] || o->given[M_WIDTH]) { return true; }
    const double most = ORDER_SIDE_MAX / o->values[M_SCALE].number;
    return (stage[2] - stage[0] <= most && fabs(stage[3] - stage[1]) <= most) ||
           misfit(o, M_SCALE, "makes it larger than 2048 pixels a side");
}

// ---- Files ----

static bool add_file(ordering *o, const char *name, const void *bytes, uint64_t size, const char *hash) {
    if (o->file_count == o->file_capacity) {
        const uint32_t capacity = o->file_capacity * 2 + 64;
        store_file *files = realloc(o->files, capacity * sizeof *files);
        if (files == NULL) { return no_memory(o); }
        o->files = files;
        o->file_capacity = capacity;
    }
    o->files[o->file_count] = (store_file){.name = name, .bytes = bytes, .size = size};
    if (hash != NULL) { memcpy(o->files[o->file_count].hash, hash, sizeof o->files->hash); }
    o->file_count++;
    return true;
}

static bool has_file(const ordering *o, const char *name) {
    bool has = false;
    for (uint32_t i = 0; i < o->file_count && !has; i++) { has = strcmp(o->files[i].name, name) == 0; }
    return has;
}

// An animation of older rules is written as it would be today, which is how the library reads it.
static bool add_animation(ordering *o, const char *name, const store_file *file) {
    zo_document *mended = NULL;
    if (o->mended_count < FILES_MORE && content_mend(file->bytes, (size_t)file->size, &mended) == STORE_NO_MEMORY) {
        return no_memory(o);
    }
    if (mended == NULL) { return add_file(o, name, file->bytes, file->size, file->hash); }
    o->mended[o->mended_count++] = mended;
    const zo_text text = zo_document_bytes(mended);
    return add_file(o, name, text.data, text.size, NULL);
}

static const char *joined(ordering *o, const char *first, const char *rest, const char *ending) { // in first's folder
    const size_t folder = beside_folder_size(first), size = folder + strlen(rest) + strlen(ending) + 1;
    char *name = http_alloc(o->request, size);
    if (name != NULL) { snprintf(name, size, "%.*s%s%s", (int)folder, first, rest, ending); }
    return name != NULL ? name : "";
}

static const char *ending_of(const char *type) { // of a picture's mime type
    return strcmp(type, "image/jpeg") == 0 ? ".jpg" : strcmp(type, "image/webp") == 0 ? ".webp" : ".png";
}

// What a pet names by id lies where a pet in a folder has it.
static bool add_of_pet(ordering *o, store_txn *txn, const store_use *use, uint32_t number) {
    char rest[STORE_ID_MAX + 32];
    store_item item;
    store_file file;
    if (store_get(txn, use->to_area, use->to, &item) != STORE_OK ||
        store_file_get(txn, use->to_area, use->to, NULL, &file) != STORE_OK) {
        return true; // it is not there: so it is for who looks into the folder
    }
    if (use->to_area == STORE_ASSET) {
        snprintf(rest, sizeof rest, "assets/%.*s", STORE_ID_MAX, use->to);
        const char *name = joined(o, o->files[0].name, rest, ending_of(item.kind));
        return has_file(o, name) || add_file(o, name, file.bytes, file.size, file.hash);
    }
    snprintf(rest, sizeof rest, "animations/%04u", (unsigned)number);
    return add_animation(o, joined(o, o->files[0].name, rest, ".json"), &file);
}

// What it asks for by the name of a file lies there, and what belongs to that beside it.
static bool add_of_name(ordering *o, store_txn *txn, const store_use *use) {
    const store_file *files = NULL;
    uint32_t count = 0;
    if (store_files(txn, use->to_area, use->to, true, &files, &count) != STORE_OK) { return true; }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = i == 0 ? joined(o, o->files[0].name, use->where, "") : files[i].name;
        if (has_file(o, name)) { continue; }
        if (!add_file(o, name, files[i].bytes, files[i].size, files[i].hash)) { return false; }
    }
    return true;
}

static const char *first_name(const ordering *o, const content_thing *thing, const store_file *first) {
    if (*first->name != 0) { return first->name; } // the thing's own texts end with it
    if (o->area != STORE_ITEM) { return "pet.json"; }
    return thing->shape == CONTENT_PACKAGE ? "item.zip" : "item.json";
}

static bool add_files(ordering *o, store_txn *txn, const content_thing *thing, const store_file *files,
                      uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const char *name = i == 0 ? first_name(o, thing, &files[0]) : files[i].name;
        const bool fine = i == 0 && thing->mended
                              ? add_animation(o, name, &files[0])
                              : add_file(o, name, files[i].bytes, files[i].size, files[i].hash);
        if (!fine) { return false; }
    }
    for (uint32_t i = 0; i < thing->use_count; i++) {
        const store_use *use = &thing->uses[i];
        bool again = false;
        for (uint32_t k = 0; k < i && *use->where == '/'; k++) {
            again = again || (thing->uses[k].to_area == use->to_area && strcmp(thing->uses[k].to, use->to) == 0);
        }
        if (again || use->to_area == STORE_PET || use->to_area == STORE_CONFIG) { continue; }
        // A place in a document begins with a slash, and no name that leads down from a folder does.
        if (!(*use->where == '/' ? add_of_pet(o, txn, use, i) : add_of_name(o, txn, use))) { return false; }
    }
    return true;
}

// What is told to happen, as a script. A state is asked for at the beginning, and lasts.
static bool add_script(ordering *o) {
    static const char name[] = ".order/script.json"; // where nobody looks for animations
    if (o->given[M_SCRIPT]) {
        http_text_put(&o->script, o->values[M_SCRIPT].source.data, o->values[M_SCRIPT].source.size);
    } else if (o->given[M_STATE]) {
        const double end = o->given[M_TO] ? o->values[M_TO].number : o->given[M_AT] ? o->values[M_AT].number : 0.0;
        cli_json json = http_text_json(&o->script);
        cli_json_open(&json, NULL, '[');
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "request", o->texts[M_STATE]);
        cli_json_close(&json, '}');
        cli_json_open(&json, NULL, '{');
        cli_json_number(&json, "advance_ms", end > 3000.0 ? end : 3000.0);
        cli_json_close(&json, '}');
        cli_json_close(&json, ']');
    } else {
        return true;
    }
    if (o->script.failed) { return no_memory(o); }
    add_word(o, "--script");
    add_word(o, name);
    return add_file(o, name, o->script.bytes, o->script.size, NULL);
}

// ---- The thing ----

static bool is_builtin(const char *id) {
    bool is = false;
    for (uint32_t i = 0; zo_builtin_at(i) != NULL && !is; i++) { is = strcmp(zo_builtin_at(i), id) == 0; }
    return is;
}

static bool order_builtin(ordering *o) {
    const zo_source source = {.name = o->id, .kind = ZO_SOURCE_BUILTIN};
    zo_program *program = NULL;
    const zo_status status = zo_compile(&source, 1, NULL, &program, NULL);
    if (status != ZO_OK) { return no_memory(o); } // it is sound, so that is all that it can be
    o->input = o->id;
    const bool fine = fits(o, program) && add_sets(o, program) && add_script(o);
    zo_program_free(program);
    return fine;
}

// A set of clips in one thing is a folder to who reads from the disk, and begins with a clip of its own choice.
static void pick_input(ordering *o, const content_thing *thing) {
    zo_clip_info clip;
    o->input = o->files[0].name;
    if (!beside_is_set(thing->format) || !zo_clip_get(thing->program, (zo_clip){2}, &clip)) { return; }
    const size_t folder = beside_folder_size(o->input);
    o->input = folder > 0 ? copy(o, (zo_text){o->input, folder - 1}) : ".";
    if (o->given[M_CLIP] || !zo_clip_get(thing->program, (zo_clip){1}, &clip)) { return; }
    add_word(o, "--clip");
    add_word(o, copy(o, (zo_text){clip.name, strlen(clip.name)}));
}

static bool order_thing(ordering *o, store_txn *txn, const store_file *files, uint32_t count) {
    content_thing *thing = NULL;
    store_error error = {.status = STORE_OK};
    const content_def def = {.compile = {.format = *o->item.format != 0 ? o->item.format : NULL}, .mend = true};
    const store_status status = content_look(txn, o->area, files, count, &def, &thing, &error);
    if (status != STORE_OK) {
        api_refuse(o->request, &error);
        return false;
    }
    bool fine = false;
    if (thing->status != ZO_OK || thing->program == NULL) {
        if (thing->area == STORE_ASSET) {
            misfit(o, M_ID, "is a picture already");
        } else {
            api_refuse_content(o->request, &error, thing->status, thing->report);
        }
    } else if (zo_clip_count(thing->program) == 0 && zo_state_count(thing->program) == 0) {
        misfit(o, M_ID, "has nothing that could be played");
    } else if (fits(o, thing->program) && add_sets(o, thing->program) && add_files(o, txn, thing, files, count) &&
               add_script(o)) {
        pick_input(o, thing);
        if (*o->item.format != 0) {
            add_word(o, "--format");
            add_word(o, o->area == STORE_ITEM ? o->item.format : "pet");
        }
        fine = o->input != NULL;
        if (!fine) { no_memory(o); }
    }
    content_thing_free(thing);
    return fine;
}

// The change of that number, or the newest.
static store_status find(ordering *o, store_txn *txn, const store_file **files, uint32_t *count) {
    const store_past *past = NULL;
    uint32_t past_count = 0;
    if (!o->given[M_REVISION]) {
        const store_status status = store_get(txn, o->area, o->id, &o->item);
        return status == STORE_OK ? store_files(txn, o->area, o->id, true, files, count) : status;
    }
    const int64_t revision = (int64_t)o->values[M_REVISION].number;
    store_status status = store_history(txn, o->area, o->id, revision + 1, 1, &past, &past_count);
    if (status == STORE_OK && (past_count == 0 || past[0].item.revision != revision)) { status = STORE_NOT_FOUND; }
    if (status != STORE_OK) { return status; }
    o->item = past[0].item;
    return store_past_files(txn, o->area, o->id, revision, true, files, count);
}

// ------------------------------------------------------------------------------------------------------------ ordering

// What the job is said to be, members of a JSON object: whose picture, and what was wished for. Not the script, which
// may be long.
static bool make_label(ordering *o) {
    cli_json json = http_text_json(&o->label_text);
    json.depth = 1;
    json.first[1] = true;
    cli_json_text(&json, "area", api_area_word(o->area));
    cli_json_text(&json, "thing", o->id);
    if (o->item.revision > 0) { cli_json_number(&json, "revision", (double)o->item.revision); }
    cli_json_open(&json, "options", '{');
    for (uint32_t m = M_WIDTH; m < M_COUNT; m++) {
        if (!o->given[m] || m == M_SCRIPT) { continue; }
        cli_json_raw(&json, members[m].name, o->values[m].source.data, o->values[m].source.size);
    }
    cli_json_close(&json, '}');
    o->label = http_text_end(&o->label_text);
    return !o->label_text.failed || no_memory(o);
}

static bool answer(ordering *o, render_status status) {
    switch (status) {
    case RENDER_TAKEN:
    case RENDER_KNOWN: return true;
    case RENDER_FULL:
        http_reply_error(o->request, 503, "QUEUE_FULL", "too many renders wait already");
        http_set(o->request, "Retry-After", "5");
        return false;
    case RENDER_TOO_LARGE:
        http_reply_error(o->request, 413, "TOO_LARGE", "its files are larger together than can be rendered here");
        return false;
    case RENDER_BAD_NAME: return misfit(o, M_ID, "has files whose names cannot lie in one folder");
    case RENDER_NO_ROOM:
        http_reply_error(o->request, 507, "FULL", "its files cannot be written: there is no room for them");
        return false;
    default: return no_memory(o);
    }
}

static bool submit(ordering *o, render_queue *queue, char id[RENDER_ID_SIZE], render_status *status) {
    if (!make_label(o)) { return false; }
    o->words[o->word_count] = NULL;
    const render_order order = {.files = o->files, .file_count = o->file_count, .input = o->input, .words = o->words,
                                .kind = o->kind, .label = o->label};
    *status = render_submit(queue, &order, id);
    return answer(o, *status);
}

static bool order(ordering *o, store *library, render_queue *queue, char id[RENDER_ID_SIZE], render_status *status) {
    store_txn *txn = NULL;
    store_error error;
    const store_file *files = NULL;
    uint32_t count = 0;
    if (!read_body(o) || !pick_kind(o) || !pick_plain(o)) { return false; }
    add_options(o);
    if (!add_camera(o)) { return false; }
    if (o->area == STORE_ITEM && is_builtin(o->id)) { return order_builtin(o) && submit(o, queue, id, status); }
    if (store_begin(library, STORE_READ, &txn, &error) != STORE_OK) {
        api_refuse(o->request, &error);
        return false;
    }
    const store_status found = find(o, txn, &files, &count);
    if (found != STORE_OK) {
        error = *store_error_of(txn);
        if (error.status != found) { // the thing is there, and has no such revision
            error = (store_error){.status = found};
            snprintf(error.text, sizeof error.text, "there is no such revision of '%.200s'", o->id);
        }
        api_refuse(o->request, &error);
    }
    const bool fine = found == STORE_OK && order_thing(o, txn, files, count) && submit(o, queue, id, status);
    store_rollback(txn); // the files were written by then
    return fine;
}

bool api_order(http_request *request, store *library, render_queue *queue, char id[RENDER_ID_SIZE],
               render_status *status) {
    ordering *o = http_alloc(request, sizeof *o);
    if (o == NULL) {
        api_no_memory(request);
        return false;
    }
    o->request = request;
    const bool fine = order(o, library, queue, id, status);
    for (uint32_t i = 0; i < o->mended_count; i++) { zo_document_free(o->mended[i]); }
    zo_document_free(o->body);
    http_text_free(&o->label_text);
    http_text_free(&o->script);
    free(o->files);
    return fine;
}
