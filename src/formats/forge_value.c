// Members and values of Forge's files: what is not of the type that is wanted is reported, with the file's kind in
// front. Called by the other forge files.
#include "base/number.h"
#include "formats/forge_fields.h"

const char *const zf_fg_titles[ZF_FG_KIND_COUNT] = {"draft machine", "draft animation", "shipped machine",
                                                    "shipped armature", "block model"};
const char *const zf_fg_formats[ZF_FG_KIND_COUNT] = {"forge-draft-machine", "forge-draft-animation", "forge-machine",
                                                     "forge-armature", "forge-model"};

static zd_args with_title(const zf_fg_reading *r, const zd_args *args) {
    zd_args all = {{zd_word(zf_fg_titles[r->kind])}};
    memcpy(all.items + 1, args->items, (ZD_ARG_MAX - 1) * sizeof args->items[0]);
    return all;
}

uint32_t zf_fg_tell(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args) {
    return zf_report_head(r->doc, node, id, with_title(r, &args));
}

uint32_t zf_fg_tell_key(const zf_fg_reading *r, uint32_t member, zd_id id, zd_args args) {
    return zj_report_key(r->doc, member, id, with_title(r, &args));
}

uint32_t zf_fg_advise(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args) {
    if (r->doc->report == NULL) {
        return 0;
    }
    zd_report_soften(r->doc->report, true);
    const uint32_t added = zf_fg_tell(r, node, id, args);
    zd_report_soften(r->doc->report, false);
    return added;
}

uint32_t zf_fg_advise_key(const zf_fg_reading *r, uint32_t member, zd_id id, zd_args args) {
    if (r->doc->report == NULL) {
        return 0;
    }
    zd_report_soften(r->doc->report, true);
    const uint32_t added = zf_fg_tell_key(r, member, id, args);
    zd_report_soften(r->doc->report, false);
    return added;
}

uint32_t zf_fg_tell_late(const zf_fg_reading *r, uint32_t node, zd_id id, zd_args args) {
    return r->late ? zf_fg_advise(r, node, id, args) : zf_fg_tell(r, node, id, args);
}

uint32_t zf_fg_wrong_type(const zf_fg_reading *r, uint32_t node, const char *what, const char *wanted) {
    return zf_fg_tell(r, node, ZD_FORGE_WRONG_TYPE,
                      ZD_ARGS(zd_word(what), zd_word(wanted), zf_not(r->arena, r->doc, node)));
}

uint32_t zf_fg_other_dialect(const zf_fg_reading *r, uint32_t node, const char *what, const char *wanted) {
    if (r->doc->report == NULL) {
        return 0;
    }
    const zd_arg found = zf_not(r->arena, r->doc, node);
    zb_buffer out = zb_buffer_open(r->arena);
    zb_put_text(&out, found.text);
    zb_put(&out, zf_fg_is_draft(r->kind) ? ", as the shipped dialect has it" : ", as the draft has it");
    return zf_fg_tell(r, node, ZD_FORGE_WRONG_TYPE,
                      ZD_ARGS(zd_word(what), zd_word(wanted), zd_text((zo_text){out.data, out.size})));
}

// Names of a file are as many as one likes, so a few are held against the word and no more. Of one letter any other is
// a mistake away.
void zf_fg_hint_name(const zf_fg_reading *r, uint32_t added, zo_text word, const zb_intern *first,
                     const zb_intern *second) {
    enum { HELD_MAX = 256 };
    const char *candidates[HELD_MAX];
    const zb_intern *both[2] = {first, second};
    uint32_t count = 0;
    for (uint32_t k = 0; k < ZB_COUNT(both); k++) {
        for (uint32_t id = 1; both[k] != NULL && id <= zb_intern_count(both[k]) && count < HELD_MAX; id++) {
            candidates[count++] = zb_intern_text(both[k], id).data;
        }
    }
    const bool told = added != 0 && word.size > 1 && r->doc->report != NULL;
    const char *nearest = told ? zd_nearest(word, candidates, count) : NULL;
    if (nearest != NULL) {
        zd_report_hint(r->doc->report, added, "did you mean \"{}\"?", ZD_ARGS(zd_word(nearest)));
    }
}

void zf_fg_tell_unused(const zf_fg_reading *r, const zf_fields *f, uint32_t first, uint32_t last, const char *where) {
    for (uint32_t i = first; i <= last; i++) {
        if (f->nodes[i] != 0) {
            zj_report_key(r->doc, f->nodes[i], ZD_FORGE_UNKNOWN_KEY,
                          ZD_ARGS(zf_fg_quoted(r, zj_key(r->doc, f->nodes[i])), zd_word(where)));
        }
    }
}

bool zf_fg_is(const zf_fg_reading *r, uint32_t node, zj_kind kind, const char *what) {
    if (zf_is(r->doc, node, kind)) {
        return true;
    }
    zf_fg_wrong_type(r, node, what, kind == ZJ_OBJECT ? "an object" : "an array");
    return false;
}

// Of a file's members so few that it is another one: "parameters, clips, states".
static bool is_other_file(const zf_fg_reading *r, const zf_object *table) {
    zb_buffer wanted = zb_buffer_open(r->arena);
    uint32_t there = 0, missing = 0;
    for (uint32_t i = 0; i < table->field_count; i++) {
        const zf_field *field = &table->fields[i];
        const bool has = zj_member(r->doc, ZJ_ROOT, zf_name_text(field->name)) != 0;
        there += has;
        missing += field->required && !has;
        if (field->required) {
            zb_put(&wanted, wanted.size > 0 ? ", " : "");
            zb_put(&wanted, field->name.text);
        }
    }
    if (missing < 2 || there > 1) {
        return false;
    }
    zf_fg_tell(r, ZJ_ROOT, ZD_FORGE_OTHER_FILE,
               ZD_ARGS(zd_text((zo_text){zb_buffer_text(&wanted), wanted.size}), zd_word(there == 0 ? "none" : "one")));
    return true;
}

bool zf_fg_open(const zf_fg_reading *r, zf_fields *fields, uint32_t node, const zf_object *table, const char *what) {
    if (!zf_fg_is(r, node, ZJ_OBJECT, what) || (node == ZJ_ROOT && is_other_file(r, table))) {
        return false;
    }
    zf_fields_read(fields, r->arena, r->doc, node, table);
    for (uint32_t i = 0; i < table->field_count; i++) {
        const zf_field *field = &table->fields[i];
        if (field->required && field->when_ref == 0 && fields->nodes[i] == 0) {
            zf_fg_tell(r, node, ZD_FORGE_MISSING_KEY, ZD_ARGS(zd_word(what), zd_word(field->name.text)));
        }
    }
    return true;
}

static bool is_digit(zo_text text, size_t at) { return at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; }

// The scanner drops what JSON has not, so that its reader of numbers can be asked.
bool zf_fg_figure(zo_text text, double *out) {
    char plain[64];
    size_t at = 0, size = 0, digits = 0;
    if (text.size == 0 || text.size > sizeof plain - 4) {
        return false;
    }
    if (text.data[0] == '-' || text.data[0] == '+') {
        if (text.data[0] == '-') {
            plain[size++] = '-';
        }
        at = 1;
    }
    const size_t begin = size;
    for (; is_digit(text, at); at++, digits++) {
        if (size == begin + 1 && plain[begin] == '0') { // a leading zero says nothing
            size--;
        }
        plain[size++] = text.data[at];
    }
    if (digits == 0) {
        plain[size++] = '0';
    }
    if (at < text.size && text.data[at] == '.') {
        at++;
        if (is_digit(text, at)) {
            plain[size++] = '.';
        }
        for (; is_digit(text, at); at++, digits++) {
            plain[size++] = text.data[at];
        }
    }
    if (digits == 0) {
        return false;
    }
    if (at < text.size && (text.data[at] == 'e' || text.data[at] == 'E')) {
        plain[size++] = text.data[at++];
        if (at < text.size && (text.data[at] == '-' || text.data[at] == '+')) {
            plain[size++] = text.data[at++];
        }
        if (!is_digit(text, at)) {
            return false;
        }
        for (; is_digit(text, at); at++) {
            plain[size++] = text.data[at];
        }
    }
    if (at != text.size) {
        return false;
    }
    *out = zb_number_parse(plain, size);
    return zb_is_finite(*out);
}

bool zf_fg_number(const zf_fg_reading *r, uint32_t node, const char *what, double *out) {
    zo_text text = {NULL, 0};
    if (zf_number(r->doc, node, out)) {
        return true;
    }
    if (zf_text(r->doc, node, &text) && zf_fg_figure(text, out)) {
        const char first = zj_source(r->doc, node).data[0];
        if (first == '"' || first == '\'') { // of a bare word, such as .5, it has been told that it is one
            zf_fg_tell(r, node, ZD_FORGE_NUMBER_AS_STRING, ZD_ARGS(zd_word(what), zf_fg_quoted(r, text)));
        }
        return true;
    }
    zf_fg_wrong_type(r, node, what, "a number");
    return false;
}

bool zf_fg_text(const zf_fg_reading *r, uint32_t node, const char *what, zo_text *out) {
    if (zf_text(r->doc, node, out)) {
        return true;
    }
    zf_fg_wrong_type(r, node, what, "a text");
    return false;
}

bool zf_fg_member_number(const zf_fg_reading *r, const zf_fields *f, uint32_t field, double *out) {
    return f->nodes[field] != 0 && zf_fg_number(r, f->nodes[field], f->table->fields[field].name.text, out);
}

bool zf_fg_member_text(const zf_fg_reading *r, const zf_fields *f, uint32_t field, zo_text *out) {
    return f->nodes[field] != 0 && zf_fg_text(r, f->nodes[field], f->table->fields[field].name.text, out);
}

bool zf_fg_member_true(const zf_fg_reading *r, const zf_fields *f, uint32_t field, bool absent) {
    const uint32_t node = f->nodes[field];
    if (node == 0) {
        return absent;
    }
    if (!zf_is(r->doc, node, ZJ_TRUE) && !zf_is(r->doc, node, ZJ_FALSE)) {
        zf_fg_wrong_type(r, node, f->table->fields[field].name.text, "true or false");
    }
    return zf_is(r->doc, node, ZJ_TRUE);
}

uint32_t zf_fg_member_word(const zf_fg_reading *r, const zf_fields *f, uint32_t field, zd_id id, uint32_t absent) {
    const zf_field *known = &f->table->fields[field];
    zo_text text = {NULL, 0};
    if (f->nodes[field] == 0) {
        return absent;
    }
    if (!zf_fg_text(r, f->nodes[field], known->name.text, &text)) {
        return known->word_count;
    }
    const uint32_t word = zf_word(known->words, known->word_count, text);
    if (word == known->word_count) {
        const uint32_t added = zf_fg_tell(r, f->nodes[field], id, ZD_ARGS(zf_fg_quoted(r, text)));
        zf_hint_nearest(r->doc, added, text, known->words, known->word_count);
    }
    return word;
}

bool zf_fg_index(zo_text text, uint32_t *out) {
    uint32_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (!is_digit(text, i) || value > (UINT32_MAX - 9) / 10) {
            return false;
        }
        value = value * 10 + (uint32_t)(text.data[i] - '0');
    }
    *out = value;
    return text.size > 0 && (text.size == 1 || text.data[0] != '0');
}
