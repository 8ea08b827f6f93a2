// The reader of lists of speech: the tables of what they hold, the lists that packs have which bring none along, and
// the way from members to plain structures. Called by charpack_pack.c, and by formats.c for lists by themselves. What
// the labels of a pack are is not known here.
#include <math.h>

#include "base/utf8.h"
#include "formats/charpack_speech.h"

// -------------------------------------------------------------------------------------------------------------- tables

enum {
    SPEECH_SCHEMA, SPEECH_VERSION, SPEECH_TYPE, SPEECH_ENTRY, SPEECH_OTHER_ENTRY, SPEECH_OTHER_CHANCE,
    SPEECH_OTHER_FROM, SPEECH_HOLD, SPEECH_GROUPS, SPEECH_ALIASES, SPEECH_CLIPS, SPEECH_MOUTHS
};
enum { GROUP_INTENT, GROUP_AFTER, GROUP_ROLES };
enum { MOUTH_ALIGN, MOUTH_THRESHOLD, MOUTH_OPEN, MOUTH_WIDTH, MOUTH_HEIGHT, MOUTH_SHIFT };

static const uint16_t rules[ZF_KEYWORD_COUNT] = {
    [ZF_KEYWORD_TYPE] = ZD_CHARPACK_SPEECH_VALUE,
    [ZF_KEYWORD_CONST] = ZD_CHARPACK_SPEECH_VALUE,
    [ZF_KEYWORD_ENUM] = ZD_CHARPACK_SPEECH_VALUE,
    [ZF_KEYWORD_MIN_LENGTH] = ZD_CHARPACK_SPEECH_COUNT,
    [ZF_KEYWORD_MAX_LENGTH] = ZD_CHARPACK_SPEECH_COUNT,
    [ZF_KEYWORD_MINIMUM] = ZD_CHARPACK_SPEECH_LOW,
    [ZF_KEYWORD_MAXIMUM] = ZD_CHARPACK_SPEECH_HIGH,
    [ZF_KEYWORD_MAX_ITEMS] = ZD_CHARPACK_SPEECH_COUNT,
    [ZF_KEYWORD_ADDITIONAL_PROPERTIES] = ZD_CHARPACK_SPEECH_MEMBER,
};
#define OBJECT(name, about, table) {name, about, ZD_CHARPACK_SPEECH_VALUE, .fields = table, \
                                    .field_count = ZB_COUNT(table), .other = ZD_CHARPACK_SPEECH_MEMBER, .rules = rules}
#define MEMBER(text, types, about_) ZF_NAME(text), types, .about = about_
enum { LETTERS_MAX = 200, LABELS_MAX = 64, GROUPS_MAX = 64 }; // every label of a group knows all of it
#define TEXT(text, about) {MEMBER(text, ZF_TEXT, about), .count_min = 1, .count_max = LETTERS_MAX}
#define LABELS(text, about) {MEMBER(text, ZF_ARRAY, about), .flags = ZF_ITEMS, .item = &label_item, \
                             .count_max = LABELS_MAX}
#define MAP(text, of, about) {MEMBER(text, ZF_OBJECT, about), .flags = ZF_MAP, .item = of}
#define NUMBER(text, least, most, about) {MEMBER(text, ZF_NUMBER, about), .low = least, .high = most}

static const zf_field label_item = TEXT("a label", "of nodes and clips of the pack");

static const zf_field group_fields[] = {
    [GROUP_INTENT] = TEXT("intent", "what is expressed by its labels; without one nothing is"),
    [GROUP_AFTER] = TEXT("after", "the label that follows speech in which that was expressed; else the root does"),
    [GROUP_ROLES + ZF_CP_MEANING] = LABELS("labels", "which only mean the same as the others"),
    [GROUP_ROLES + ZF_CP_ENTRY] = LABELS("entries", "ways into speech: at their end they wait for it; while somebody "
                                                    "speaks the first one is asked for in place of any that expresses "
                                                    "the intent"),
    [GROUP_ROLES + ZF_CP_SPEAKING] = LABELS("speaking", "clips of somebody who speaks, with a moving mouth"),
    [GROUP_ROLES + ZF_CP_EXIT] = LABELS("exits", "ways out of speech"),
};
_Static_assert(ZB_COUNT(group_fields) == GROUP_ROLES + ZF_CP_ROLE_COUNT, "a list for each role");
static const zf_object group_object =
    OBJECT("group", "labels of which one answers as well as another; a label counts with the first that has it",
           group_fields);

static const zf_name align_words[] = {ZF_NAME("anchor"), ZF_NAME("canvas")};
static const zf_field mouth_fields[] = {
    [MOUTH_ALIGN] = {MEMBER("align", ZF_TEXT, "anchor: the mouths of both pictures meet; canvas: the pictures do"),
                     .words = align_words, .word_count = ZB_COUNT(align_words)},
    [MOUTH_THRESHOLD] = NUMBER("threshold", 0.0, 1.0, "speech no louder than this shows the mouth shut; 0.08"),
    [MOUTH_OPEN] = NUMBER("open", 0.0, 100.0, "how far around the mouth the ellipse reaches up and down; 0.75"),
    [MOUTH_WIDTH] = NUMBER("widthFactor", 0.0, 100.0, "of the ellipse; 1"),
    [MOUTH_HEIGHT] = NUMBER("heightFactor", 0.0, 100.0, "of the ellipse; 1"),
    [MOUTH_SHIFT] = NUMBER("shift", -65535.0, 65535.0, "of the ellipse, px down; 0"),
};
static const zf_object mouth_object = OBJECT("mouth", "how the shut mouth of a label lies", mouth_fields);
static const zf_field mouth_item = {.name = ZF_NAME("a mouth"), .types = ZF_OBJECT, .object = &mouth_object};

static const zf_name speech_word[] = {ZF_NAME("characterPackSpeech")};
static const zf_field speech_fields[] = {
    [SPEECH_SCHEMA] = TEXT("$schema", "where the schema lies, for editors"),
    [SPEECH_VERSION] = {MEMBER("schemaVersion", ZF_NUMBER, "always 1"), .low = 1.0, .high = 1.0},
    [SPEECH_TYPE] = {MEMBER("type", ZF_TEXT, "always characterPackSpeech"), .words = speech_word, .word_count = 1},
    [SPEECH_ENTRY] = TEXT("entry", "the label that is asked for when somebody begins to speak"),
    [SPEECH_OTHER_ENTRY] = TEXT("otherEntry", "a label that is asked for in its place, by chance"),
    [SPEECH_OTHER_CHANCE] = NUMBER("otherChance", 0.0, 1.0, "how often; 0"),
    [SPEECH_OTHER_FROM] = LABELS("otherFrom", "and out of which labels"),
    [SPEECH_HOLD] = NUMBER("holdMs", 0.0, 3600000.0, "how long the shut mouth is held after speech, ms; 1000"),
    [SPEECH_GROUPS] = {MEMBER("groups", ZF_ARRAY, "the labels that speech concerns"), .object = &group_object,
                       .count_max = GROUPS_MAX},
    [SPEECH_ALIASES] = MAP("aliases", &label_item, "labels by other words for them, in small letters, which are asked "
                                                   "for in any"),
    [SPEECH_CLIPS] = MAP("clips", &label_item, "clips by other names for them"),
    [SPEECH_MOUTHS] = MAP("mouths", &mouth_item, "by labels, where the shut mouth does not lie as usual"),
};
static const zf_beyond speech_beyond[] = {
    {ZD_CHARPACK_SPEECH_WORD, "labels are more than white space, and aliases are written in small letters"},
};
const zf_object zf_cp_speech_object = {
    "characterPackSpeech", "what labels of a character pack mean to somebody who speaks", ZD_CHARPACK_SPEECH_VALUE,
    .fields = speech_fields, .field_count = ZB_COUNT(speech_fields), .beyond = speech_beyond,
    .beyond_count = ZB_COUNT(speech_beyond), .other = ZD_CHARPACK_SPEECH_MEMBER, .rules = rules};

// ---------------------------------------------------------------------------------------------------------- the usual

// As docs/character-packs.md prints them. Source: the application that packs are made for, its settings.
static const char usual[] =
    "{\"entry\":\"speaking_short\",\"otherEntry\":\"closed_eye_trans\",\"otherChance\":0.18,\"otherFrom\":[\"idle\","
    "\"idle1\",\"idle2\",\"idle_mic_wind\",\"idle_str_wind\",\"idle_closed_eye\",\"speaking_short\",\"speaking_med\","
    "\"speaking_long\"],\"holdMs\":1000,\"groups\":["
    "{\"entries\":[\"speaking_trans\",\"thinking_to_serious\"],\"speaking\":[\"speaking_loop1\",\"speaking_loop2\"]},"
    "{\"speaking\":[\"speaking_short\",\"speaking_med\",\"speaking_long\"]},"
    "{\"entries\":[\"closed_eye_trans\"],\"speaking\":[\"speaking_closed_eye_1\",\"speaking_closed_eye_2\"]},"
    "{\"entries\":[\"thinking_trans\",\"thinking_to_serious\",\"thinking_to_key_point\"],\"speaking\":["
    "\"thinking_speaking1\",\"thinking_speaking2\",\"key_point_speaking\"],\"exits\":[\"serious_to_thinking\"]},"
    "{\"intent\":\"smile\",\"labels\":[\"smile\"],\"entries\":[\"trans_smile\"],\"speaking\":[\"smile_speaking\"],"
    "\"after\":\"smile\"},"
    "{\"intent\":\"sad\",\"labels\":[\"sad\"],\"entries\":[\"sad_trans\"],\"speaking\":[\"sad_speaking\"],"
    "\"after\":\"sad\"},"
    "{\"intent\":\"shy\",\"labels\":[\"shy\"],\"entries\":[\"shy_trans\"],\"speaking\":[\"shy_speaking1\","
    "\"shy_speaking2\"]},"
    "{\"intent\":\"surprise\",\"labels\":[\"surprise\",\"surprised\"],\"entries\":[\"surprise_trans\"],\"speaking\":["
    "\"surprise_speaking\"]},"
    "{\"intent\":\"angry\",\"labels\":[\"angry\"],\"entries\":[\"angry_trans\"],\"speaking\":[\"angry_speaking\"]}],"
    "\"aliases\":{\"thinking\":\"thinking_trans\",\"work\":\"thinking_trans\",\"working\":\"thinking_trans\","
    "\"provider_work\":\"thinking_trans\",\"tool_call\":\"thinking_trans\",\"coding\":\"thinking_trans\","
    "\"serious\":\"speaking_trans\",\"serious_speaking\":\"speaking_trans\",\"speaking_serious\":\"speaking_trans\","
    "\"speaking_seriously\":\"speaking_trans\",\"seriously_speaking\":\"speaking_trans\",\"surprised\":\"surprise\","
    "\"mad\":\"angry\",\"furious\":\"angry\",\"disappointed\":\"sad\",\"sadness\":\"sad\",\"sorrow\":\"sad\","
    "\"depressed\":\"sad\",\"gloomy\":\"sad\"},"
    "\"clips\":{\"happy\":\"smile\"},"
    "\"mouths\":{\"key_point_speaking\":{\"align\":\"canvas\",\"open\":0.8,\"heightFactor\":0.9},"
    "\"thinking_speaking2\":{\"open\":1,\"widthFactor\":1.04,\"heightFactor\":1.25,\"shift\":-4}}}";

zf_cp_shut zf_cp_usual_shut(void) { return (zf_cp_shut){.threshold = 0.08, .open = 0.75, .width = 1.0, .height = 1.0}; }

// ------------------------------------------------------------------------------------------------------------- reading

typedef struct reader {
    zb_arena *arena;
    const zj_doc *doc;
} reader;

// Without the white space around it, which no label has. Nothing: blank, or no text, which has been reported.
static zo_text label_of(const reader *r, uint32_t node, zo_text text) {
    const zo_text trimmed = zb_utf8_trim(text, zb_is_white);
    if (trimmed.size == 0 && text.size > 0) {
        zj_report(r->doc, node, ZD_CHARPACK_SPEECH_WORD,
                  ZD_ARGS(zf_quoted(r->arena, r->doc, text), zd_word("is white space, and no label is")));
    }
    return trimmed;
}

static zo_text text_at(const reader *r, const zf_fields *f, uint32_t field) {
    return label_of(r, f->nodes[field], zf_checked_text(f, field));
}

static zf_cp_labels labels_at(const reader *r, const zf_fields *f, uint32_t field) {
    uint32_t count, kept = 0, item = zf_checked_items(f, field, &count);
    zo_text *items = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *items);
    for (uint32_t i = 0; i < count && items != NULL; i++, item = zj_at(r->doc, item)->next) {
        zo_text text = {"", 0};
        zf_text(r->doc, item, &text);
        items[kept] = label_of(r, item, text);
        kept += items[kept].size > 0;
    }
    return (zf_cp_labels){items, kept};
}

static double number_at(const zf_fields *f, uint32_t field, double absent) {
    const double number = zf_checked_number(f, field, absent);
    return zb_is_nan(number) ? absent : number;
}

static void read_groups(const reader *r, const zf_fields *f, zf_cp_speech *out) {
    uint32_t count, item = zf_checked_items(f, SPEECH_GROUPS, &count);
    zf_cp_group *groups = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *groups);
    for (uint32_t i = 0; i < count && groups != NULL; i++, item = zj_at(r->doc, item)->next) {
        zf_fields own;
        if (!zf_fields_check(&own, r->arena, r->doc, item, &group_object)) {
            continue;
        }
        groups[i].intent = text_at(r, &own, GROUP_INTENT);
        groups[i].after = text_at(r, &own, GROUP_AFTER);
        for (uint32_t role = 0; role < ZF_CP_ROLE_COUNT; role++) {
            groups[i].roles[role] = labels_at(r, &own, GROUP_ROLES + role);
        }
    }
    out->groups = groups;
    out->group_count = groups != NULL ? count : 0;
}

static uint32_t first_member(const zf_fields *f, uint32_t field, uint32_t *count) { // of a map
    const uint32_t node = f->nodes[field];
    const bool is_map = zf_is(f->doc, node, ZJ_OBJECT);
    *count = is_map ? zj_at(f->doc, node)->as.items.count : 0;
    return is_map ? zj_at(f->doc, node)->as.items.first : 0;
}

// What is asked for is compared in small letters, so a word with others would never be found.
static bool is_small(zo_text word) {
    for (size_t at = 0; at < word.size;) {
        const uint32_t letter = zb_utf8_next(word.data, word.size, &at, NULL);
        if (zb_lower(letter) != letter) {
            return false;
        }
    }
    return true;
}

static const zf_cp_pair *read_pairs(const reader *r, const zf_fields *f, uint32_t field, bool words, uint32_t *kept) {
    uint32_t count, member = first_member(f, field, &count);
    zf_cp_pair *pairs = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *pairs);
    *kept = 0;
    for (; member != 0 && pairs != NULL; member = zj_at(r->doc, member)->next) {
        const zo_text key = zj_key(r->doc, member), name = zb_utf8_trim(key, zb_is_white);
        if (name.size == 0 || (words && !is_small(name))) {
            zj_report_key(r->doc, member, ZD_CHARPACK_SPEECH_WORD,
                          ZD_ARGS(zf_quoted(r->arena, r->doc, key),
                                  zd_word(name.size == 0 ? "is white space, and no name is"
                                                         : "is not in small letters, so nothing would find it")));
            continue;
        }
        zo_text text = {"", 0};
        zf_text(r->doc, member, &text);
        pairs[*kept] = (zf_cp_pair){name, label_of(r, member, text)};
        *kept += pairs[*kept].label.size > 0;
    }
    return pairs;
}

static void read_mouths(const reader *r, const zf_fields *f, zf_cp_speech *out) {
    uint32_t count, member = first_member(f, SPEECH_MOUTHS, &count);
    zf_cp_shut *shuts = zb_arena_take_array(r->arena, (size_t)count + 1, sizeof *shuts);
    out->shuts = shuts;
    for (; member != 0 && shuts != NULL; member = zj_at(r->doc, member)->next) {
        zf_fields own;
        if (!zf_is(r->doc, member, ZJ_OBJECT) || !zf_fields_check(&own, r->arena, r->doc, member, &mouth_object)) {
            continue; // which has been reported
        }
        zf_cp_shut shut = zf_cp_usual_shut();
        shut.on_canvas = zf_checked_word(&own, MOUTH_ALIGN, 0) == 1;
        shut.threshold = number_at(&own, MOUTH_THRESHOLD, shut.threshold);
        shut.open = number_at(&own, MOUTH_OPEN, shut.open);
        shut.width = number_at(&own, MOUTH_WIDTH, shut.width);
        shut.height = number_at(&own, MOUTH_HEIGHT, shut.height);
        shut.shift = number_at(&own, MOUTH_SHIFT, shut.shift);
        const uint32_t ref = zb_intern_id(&out->shut_labels, zb_utf8_trim(zj_key(r->doc, member), zb_is_white));
        if (ref != 0) {
            shuts[ref - 1] = shut; // of a repeated label the last counts
        }
    }
}

void zf_cp_read_speech(zb_arena *arena, const zj_doc *doc, zf_cp_speech *out) {
    const reader r = {.arena = arena, .doc = doc};
    zf_fields f;
    *out = (zf_cp_speech){.shut_labels = zb_intern_open(arena)};
    if (!zf_fields_check(&f, arena, doc, ZJ_ROOT, &zf_cp_speech_object)) {
        return;
    }
    out->entry = text_at(&r, &f, SPEECH_ENTRY);
    out->other = text_at(&r, &f, SPEECH_OTHER_ENTRY);
    out->other_chance = number_at(&f, SPEECH_OTHER_CHANCE, 0.0);
    out->other_from = labels_at(&r, &f, SPEECH_OTHER_FROM);
    out->hold_ns = (int64_t)floor(number_at(&f, SPEECH_HOLD, 1000.0) * 1e6 + 0.5);
    read_groups(&r, &f, out);
    out->aliases = read_pairs(&r, &f, SPEECH_ALIASES, true, &out->alias_count);
    out->clips = read_pairs(&r, &f, SPEECH_CLIPS, false, &out->clip_count);
    read_mouths(&r, &f, out);
}

void zf_cp_usual_speech(zb_arena *arena, zf_cp_speech *out) {
    const zj_doc *doc = zj_parse(arena, usual, sizeof usual - 1, 0, NULL, NULL);
    *out = (zf_cp_speech){.shut_labels = zb_intern_open(arena)};
    if (doc != NULL) { // else memory is short
        zf_cp_read_speech(arena, doc, out);
    }
}

// -------------------------------------------------------------------------------------------------------------- reader

static uint32_t likeness(const zf_input *input) {
    zo_text type = {NULL, 0};
    const bool is_object = input->doc != NULL && zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT);
    const bool typed = is_object && zf_text(input->doc, zj_member(input->doc, ZJ_ROOT, ZB_TEXT("type")), &type);
    if (typed && zf_name_is(&speech_word[0], type)) {
        return 100;
    }
    uint32_t known = 0;
    for (uint32_t i = SPEECH_ENTRY; i < ZB_COUNT(speech_fields) && is_object && !typed; i++) {
        known += zj_member(input->doc, ZJ_ROOT, zf_name_text(speech_fields[i].name)) != 0;
    }
    return known < 4 ? 20 * known : 70;
}

static zo_status read(const zf_input *input, zp_build *build) {
    ZO_ASSERT(input->doc != NULL);
    const uint32_t errors_before = zd_report_errors(input->report);
    zf_cp_speech speech;
    zf_cp_read_speech(input->arena, input->doc, &speech);
    if (build != NULL) {
        zd_report_add(input->report, ZD_CHARPACK_ALONE, (zd_place){.file = input->file, .whole = true}, ZD_NO_ARGS);
    }
    return zd_report_errors(input->report) == errors_before ? ZO_OK : ZO_INVALID;
}

const zf_reader zf_cp_speech_reader = {
    .format = {.name = "character-pack-speech", .title = "what labels of a character pack mean to somebody who speaks"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .object = &zf_cp_speech_object,
};
