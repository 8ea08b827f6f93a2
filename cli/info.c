// `zoetrope info`: what is in a file, for people or as JSON.
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "graph.h"
#include "host/json.h"
#include "host/beside.h"
#include "load.h"
#include "poses.h"
#include "texture_file.h"

static const char *const repeat_words[] = {"once", "loop", "alternate", "random-interval", "hold"};
static const char *const unit_words[] = {"fraction", "seconds", "frames"};
static const char *const action_words[] = {"notify", "show picture", "start effect", "request state"};
static const char *const profile_words[] = {"document", "original"};

static const char *ms(int64_t ns, char text[32]) {
    cli_number_text((double)ns / 1e6, text);
    return text;
}

static void print_repeat(const zo_clip_info *info) {
    if (info->repeat == ZO_REPEAT_RANDOM_INTERVAL) {
        char low[32], high[32];
        cli_number_text(info->delay_ms_min, low);
        cli_number_text(info->delay_ms_max, high);
        printf("  repeat      %s, a wait of %s to %s ms before each pass\n", repeat_words[info->repeat], low, high);
    } else {
        printf("  repeat      %s\n", repeat_words[info->repeat]);
    }
}

static void print_channels(const zo_program *program, zo_clip clip) {
    const char *separator = "  channels    ";
    zo_channel_info channel;
    for (uint32_t c = 1; zo_channel_get(program, (zo_channel){c}, &channel); c++) {
        if (!zo_clip_drives(program, clip, (zo_channel){c})) { continue; }
        printf("%s%s", separator, channel.name);
        separator = ", ";
    }
    if (separator[0] == ',') { putchar('\n'); }
}

// Where the name of the target ends: "bone/hip position.y", "lid.offset_y". NULL: no target's.
static const char *end_of_target(const char *channel) {
    const char *space = strchr(channel, ' ');
    return space != NULL ? space : strrchr(channel, '.');
}

// A line a target, with the properties of it that move: "bone/hip    position.y, rotation.z".
static void print_moves(const zo_program *program, zo_clip clip) {
    zo_channel_info channel;
    const char *line = NULL; // of this target
    size_t size = 0;
    for (uint32_t c = 1; zo_channel_get(program, (zo_channel){c}, &channel); c++) {
        const char *space = end_of_target(channel.name);
        if (space == NULL || !zo_clip_drives(program, clip, (zo_channel){c})) { continue; }
        const bool same = line != NULL && size == (size_t)(space - channel.name) &&
            memcmp(line, channel.name, size) == 0;
        if (!same) {
            size = (size_t)(space - channel.name);
            printf("%s  %-10s  ", line != NULL ? "\n" : "", line != NULL ? "" : "moves");
            cli_put_plain(stdout, channel.name); // a space stands there, or a point that says as much
        } else {
            printf(", %s", space + 1);
        }
        line = channel.name;
    }
    if (line != NULL) { putchar('\n'); }
}

static void print_arguments(const zo_program *program, zo_clip clip, uint32_t event) {
    zo_argument_info argument;
    char number[32];
    for (uint32_t i = 0; zo_clip_event_argument_get(program, clip, event, i, &argument); i++) {
        printf("%s%s ", i == 0 ? ": " : ", ", argument.name);
        if (argument.kind == ZO_ARGUMENT_TEXT) {
            putchar('"');
            cli_put_plain(stdout, argument.text);
            putchar('"');
        } else if (argument.kind == ZO_ARGUMENT_FLAG) {
            fputs(argument.number != 0.0 ? "true" : "false", stdout);
        } else {
            cli_number_text(argument.number, number);
            fputs(number, stdout);
        }
    }
}

static void print_clip(const zo_program *program, zo_clip clip) {
    zo_clip_info info;
    zo_clip_get(program, clip, &info);
    char text[32];
    putchar('\n');
    cli_put_plain(stdout, info.name);
    fputs(*info.label ? "  \"" : "", stdout);
    cli_put_plain(stdout, info.label);
    puts(*info.label ? "\"" : "");
    if (*info.kind) {
        fputs("  kind        ", stdout);
        cli_put_plain(stdout, info.kind);
        putchar('\n');
    }
    const bool timed = cli_poses_timed(program), frames = info.time_unit == ZO_TIME_FRAMES;
    if (timed && frames) {
        printf("  time        by frames; by itself each takes %s ms\n", ms(info.frame_ns, text));
    } else if (timed) {
        printf("  time        0 to 1 is one pass; by itself that takes %s ms\n", ms(info.duration_ns, text));
    } else {
        printf("  duration    %s ms\n", ms(info.duration_ns, text));
    }
    print_repeat(&info);
    printf("  keys        %u on %u %s\n", info.key_count, info.curve_count, info.curve_count == 1 ? "curve" : "curves");
    if (cli_has_rig(program) || timed) {
        print_moves(program, clip);
    } else {
        print_channels(program, clip);
    }
    for (uint32_t p = 0; p < info.param_count; p++) {
        zo_param_info param;
        zo_param_get(program, (zo_param){info.first_param.id + p}, &param);
        char value[32], low[32], high[32];
        cli_number_text(param.value, value);
        cli_number_text(param.low, low);
        cli_number_text(param.high, high);
        printf("  parameter   %s = %s (%s to %s)\n", param.name, value, low, high);
    }
    for (uint32_t e = 0; e < info.event_count; e++) {
        zo_clip_event_info event;
        zo_clip_event_get(program, clip, e, &event);
        const bool unnamed = event.action == ZO_ACTION_SHOW_CEL && *event.name == 0;
        if (timed) {
            cli_number_text(event.at, text);
        } else {
            ms(event.at_ns, text);
        }
        printf("  at %s%s  %s%s", text, timed ? "" : " ms", action_words[event.action], *event.name ? " " : "");
        cli_put_plain(stdout, unnamed ? " (the one whose turn it is)" : event.name);
        print_arguments(program, clip, e);
        putchar('\n');
    }
    if (info.reduced.id != 0 && info.reduced.id != clip.id) {
        zo_clip_info reduced;
        zo_clip_get(program, info.reduced, &reduced);
        printf("  under reduced motion: %s ms\n", ms(reduced.duration_ns, text));
    }
}

// [clips]: the twins played under reduced motion, which are told of with the clip that has them. malloc; NULL: memory.
static bool *find_twins(const zo_program *program) {
    const uint32_t count = zo_clip_count(program);
    bool *twins = calloc((size_t)count + 1, sizeof *twins);
    for (uint32_t c = 1; twins != NULL && c <= count; c++) {
        zo_clip_info info;
        zo_clip_get(program, (zo_clip){c}, &info);
        if (info.reduced.id != 0 && info.reduced.id != c) { twins[info.reduced.id - 1] = true; }
    }
    return twins;
}

static void print_targets(const zo_program *program) {
    if (!cli_has_rig(program)) { return; }
    uint32_t bones = 0, sprites = 0;
    for (uint32_t t = 1; t <= zo_target_count(program); t++) {
        const bool sprite = strncmp(zo_target_name(program, (zo_target){t}), "sprite/", 7) == 0;
        *(sprite ? &sprites : &bones) += 1;
    }
    printf("\nrig           %u bones, %u sprites\n", bones, sprites);
}

// What the format's document says of the future of members that the file has, and what people noted in it: from the
// text itself, since nothing of it is played.
static const char *const members[] = {"tracks", "objectTracks", "events", "effects", "effectTriggers", "warnings",
                                      "source"};

typedef struct schema_text {
    char *data;
    size_t size;
} schema_text;

static bool keep(void *context, const void *bytes, size_t size) {
    schema_text *text = context;
    char *data = realloc(text->data, text->size + size + 1);
    if (data == NULL) { return false; }
    memcpy(data + text->size, bytes, size);
    *text = (schema_text){data, text->size + size};
    return true;
}

// The schema and the file; false: there is nothing to say.
static bool open_documents(const cli_loaded *loaded, zo_document **schema, zo_document **file) {
    schema_text text = {0};
    *schema = *file = NULL;
    const bool fine = cli_has_rig(loaded->program) &&
                      zo_schema_write(zo_program_format(loaded->program), ZO_PROFILE_DOCUMENT, keep, &text) &&
                      zo_document_open(text.data, text.size, NULL, schema) == ZO_OK &&
                      zo_document_open(loaded->bytes.data, loaded->bytes.size, NULL, file) == ZO_OK;
    free(text.data);
    return fine;
}

// "stable" or "experimental" of a member that the file has; 0: it has not, or nothing is said of it.
static size_t stability(const zo_document *schema, const zo_document *file, const char *member, const char **word) {
    char pointer[128];
    zo_range range;
    snprintf(pointer, sizeof pointer, "/%s", member);
    if (!zo_document_find(file, pointer, &range)) { return 0; }
    snprintf(pointer, sizeof pointer, "/properties/%s/x-stability", member);
    if (!zo_document_find(schema, pointer, &range) || range.length < 2) { return 0; }
    *word = zo_document_bytes(schema).data + range.offset + 1;
    return range.length - 2;
}

static bool note_at(const zo_document *file, uint32_t index, const char **text, size_t *size) { // with its quotes
    char pointer[64];
    zo_range range;
    snprintf(pointer, sizeof pointer, "/warnings/%u", index);
    if (!zo_document_find(file, pointer, &range) || range.length < 2) { return false; }
    *text = zo_document_bytes(file).data + range.offset;
    *size = range.length;
    return true;
}

static void print_members(const cli_loaded *loaded) {
    zo_document *schema, *file;
    if (open_documents(loaded, &schema, &file)) {
        const char *separator = "members       ", *word, *note;
        size_t size;
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            if ((size = stability(schema, file, members[i], &word)) == 0) { continue; }
            printf("%s%s (%.*s)", separator, members[i], (int)size, word);
            separator = ", ";
        }
        if (separator[0] == ',') { putchar('\n'); }
        for (uint32_t i = 0; note_at(file, i, &note, &size); i++) {
            printf("%s%.*s\n", i == 0 ? "notes         " : "              ", (int)size, note);
        }
    }
    zo_document_free(schema);
    zo_document_free(file);
}

static void json_members(cli_json *json, const cli_loaded *loaded) {
    zo_document *schema, *file;
    if (open_documents(loaded, &schema, &file)) {
        const char *word, *note;
        size_t size;
        cli_json_open(json, "stability", '{');
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            if ((size = stability(schema, file, members[i], &word)) > 0) {
                cli_json_raw(json, members[i], word - 1, size + 2);
            }
        }
        cli_json_close(json, '}');
        cli_json_open(json, "notes", '[');
        for (uint32_t i = 0; note_at(file, i, &note, &size); i++) { cli_json_raw(json, NULL, note, size); }
        cli_json_close(json, ']');
    }
    zo_document_free(schema);
    zo_document_free(file);
}

// ---- the textures of a pack

enum { KINDS_MAX = 16 };

typedef struct texture_kind {
    const char *encoding, *scheme;
    uint32_t count;
    uint32_t least[2], most[2]; // width, height, px
} texture_kind;

typedef struct textures_look {
    texture_kind kinds[KINDS_MAX];
    uint32_t kind_count, count, broken;
    uint64_t bytes, pixel_bytes;
} textures_look;

static void count_texture(textures_look *look, const zo_texture *texture) {
    static const char *const schemes[] = {"", "BasisLZ", "Zstandard", "ZLIB"};
    const char *scheme = (uint32_t)texture->scheme < 4 ? schemes[texture->scheme] : "";
    const uint32_t sides[2] = {texture->width, texture->height};
    uint32_t k = 0;
    while (k < look->kind_count && (strcmp(look->kinds[k].encoding, texture->encoding) != 0 ||
                                    strcmp(look->kinds[k].scheme, scheme) != 0)) { k++; }
    if (k == KINDS_MAX) { return; }
    texture_kind *kind = &look->kinds[k];
    if (k == look->kind_count) {
        *kind = (texture_kind){texture->encoding, scheme, 0, {UINT32_MAX, UINT32_MAX}, {0, 0}};
        look->kind_count++;
    }
    kind->count++;
    for (int i = 0; i < 2; i++) {
        kind->least[i] = sides[i] < kind->least[i] ? sides[i] : kind->least[i];
        kind->most[i] = sides[i] > kind->most[i] ? sides[i] : kind->most[i];
    }
}

// Each cel of a pack is a texture. false: it is no pack.
static bool look_at_textures(const cli_loaded *loaded, textures_look *look) {
    zo_cel_info cel;
    char fault[CLI_FAULT_SIZE];
    *look = (textures_look){0};
    if (!beside_is_manifest(loaded->name) || loaded->gathered == NULL) { return false; }
    for (uint32_t c = 1; zo_cel_get(loaded->program, (zo_cel){c}, &cel); c++) {
        const char *path = cli_gathered_path(loaded->gathered, cel.image);
        zo_texture texture;
        look->count++;
        if (path == NULL || !cli_texture_look(path, &texture, fault)) {
            look->broken++;
            continue;
        }
        look->bytes += texture.size;
        look->pixel_bytes += (uint64_t)texture.width * texture.height * 4;
        count_texture(look, &texture);
    }
    return true;
}

typedef struct amount { char text[32]; } amount;

static amount amount_of(uint64_t bytes) {
    amount a;
    const bool small = bytes < 1000000;
    snprintf(a.text, sizeof a.text, "%.1f %s", (double)bytes / (small ? 1e3 : 1e6), small ? "kB" : "MB");
    return a;
}

static void print_textures(const textures_look *look) {
    printf("\ntextures      %u, %s, %s as pixels", look->count, amount_of(look->bytes).text,
           amount_of(look->pixel_bytes).text);
    printf(look->broken > 0 ? "; %u cannot be read\n" : "\n", look->broken);
    for (uint32_t k = 0; k < look->kind_count; k++) {
        const texture_kind *kind = &look->kinds[k];
        printf("  %u %s%s%s, %ux%u", kind->count, kind->encoding, *kind->scheme != 0 ? " with " : "", kind->scheme,
               kind->least[0], kind->least[1]);
        const bool same = kind->least[0] == kind->most[0] && kind->least[1] == kind->most[1];
        if (!same) { printf(" to %ux%u", kind->most[0], kind->most[1]); }
        putchar('\n');
    }
}

static void json_textures(cli_json *json, const cli_loaded *loaded) {
    textures_look look;
    if (!look_at_textures(loaded, &look)) { return; }
    cli_json_open(json, "textures", '{');
    cli_json_number(json, "count", look.count);
    cli_json_number(json, "bytes", (double)look.bytes);
    cli_json_number(json, "pixelBytes", (double)look.pixel_bytes);
    if (look.broken > 0) { cli_json_number(json, "unreadable", look.broken); }
    cli_json_open(json, "kinds", '[');
    for (uint32_t k = 0; k < look.kind_count; k++) {
        const texture_kind *kind = &look.kinds[k];
        cli_json_open_inline(json, NULL, '{');
        cli_json_number(json, "count", kind->count);
        cli_json_text(json, "encoding", kind->encoding);
        cli_json_text(json, "supercompression", kind->scheme);
        cli_json_number(json, "minWidth", kind->least[0]);
        cli_json_number(json, "minHeight", kind->least[1]);
        cli_json_number(json, "maxWidth", kind->most[0]);
        cli_json_number(json, "maxHeight", kind->most[1]);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static bool print_human(const cli_loaded *loaded) {
    const zo_program *program = loaded->program;
    bool *twins = find_twins(program);
    if (twins == NULL) { return false; }
    size_t size;
    zo_program_blob(program, &size);
    cli_put_plain(stdout, loaded->name);
    printf(": %s, %s profile, %zu bytes compiled\n", zo_program_format(program),
           profile_words[zo_program_profile(program)], size);
    const bool fine = cli_poses_human(loaded);
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        if (!twins[c - 1]) { print_clip(program, (zo_clip){c}); }
    }
    free(twins);
    print_targets(program);
    cli_graph_human(program);
    print_members(loaded);
    textures_look look;
    const bool pack = look_at_textures(loaded, &look); // which has hundreds of pictures, named by their number
    if (pack) { print_textures(&look); }
    const char *separator = "\npictures      ";
    for (uint32_t c = pack ? UINT32_MAX : 1; c <= zo_cel_count(program); c++) {
        zo_cel_info cel;
        zo_cel_get(program, (zo_cel){c}, &cel);
        printf("%s%s", separator, cel.name);
        separator = ", ";
    }
    if (separator[0] == ',') { putchar('\n'); }
    return fine;
}

static void json_clip(cli_json *json, const zo_program *program, zo_clip clip) {
    zo_clip_info info;
    zo_clip_get(program, clip, &info);
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", info.name);
    cli_json_text(json, "label", info.label);
    cli_json_text(json, "kind", info.kind);
    cli_json_number(json, "durationMs", (double)info.duration_ns / 1e6);
    cli_json_text(json, "timeUnit", unit_words[info.time_unit]);
    cli_json_text(json, "repeat", repeat_words[info.repeat]);
    if (info.repeat == ZO_REPEAT_RANDOM_INTERVAL) {
        cli_json_number(json, "minDelayMs", info.delay_ms_min);
        cli_json_number(json, "maxDelayMs", info.delay_ms_max);
    }
    cli_json_number(json, "keys", info.key_count);
    cli_json_open(json, "channels", '[');
    for (uint32_t c = 1; c <= zo_channel_count(program); c++) {
        zo_channel_info channel;
        if (zo_channel_get(program, (zo_channel){c}, &channel) && zo_clip_drives(program, clip, (zo_channel){c})) {
            cli_json_text(json, NULL, channel.name);
        }
    }
    cli_json_close(json, ']');
    cli_json_open(json, "parameters", '[');
    for (uint32_t p = 0; p < info.param_count; p++) {
        zo_param_info param;
        zo_param_get(program, (zo_param){info.first_param.id + p}, &param);
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "name", param.name);
        cli_json_number(json, "default", param.value);
        cli_json_number(json, "min", param.low);
        cli_json_number(json, "max", param.high);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "events", '[');
    for (uint32_t e = 0; e < info.event_count; e++) {
        zo_clip_event_info event;
        zo_clip_event_get(program, clip, e, &event);
        cli_json_open_inline(json, NULL, '{');
        cli_json_number(json, "atMs", (double)event.at_ns / 1e6);
        if (cli_poses_timed(program)) { cli_json_number(json, "at", event.at); }
        cli_json_text(json, "action", action_words[event.action]);
        cli_json_text(json, "name", event.name);
        zo_argument_info argument;
        for (uint32_t i = 0; zo_clip_event_argument_get(program, clip, e, i, &argument); i++) {
            if (i == 0) { cli_json_open(json, "arguments", '{'); }
            cli_json_argument(json, &argument);
            if (i + 1 == event.argument_count) { cli_json_close(json, '}'); }
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static bool print_json(const cli_loaded *loaded) {
    const zo_program *program = loaded->program;
    bool *twins = find_twins(program);
    if (twins == NULL) { return false; }
    cli_json json = {0};
    size_t size;
    zo_program_blob(program, &size);
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "schema", "zoetrope/info@1");
    cli_json_text(&json, "file", loaded->name);
    cli_json_text(&json, "format", zo_program_format(program));
    cli_json_text(&json, "profile", profile_words[zo_program_profile(program)]);
    cli_json_number(&json, "programBytes", (double)size);
    cli_json_open(&json, "clips", '[');
    for (uint32_t c = 1; c <= zo_clip_count(program); c++) {
        if (!twins[c - 1]) { json_clip(&json, program, (zo_clip){c}); }
    }
    free(twins);
    cli_json_close(&json, ']');
    cli_graph_json(&json, program);
    const bool fine = cli_poses_json(&json, loaded);
    json_textures(&json, loaded);
    json_members(&json, loaded);
    cli_json_open(&json, "pictures", '[');
    for (uint32_t c = 1; c <= zo_cel_count(program); c++) {
        zo_cel_info cel;
        zo_cel_get(program, (zo_cel){c}, &cel);
        cli_json_text(&json, NULL, cel.name);
    }
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
    cli_json_end(&json);
    return fine;
}

// In the order of the words of --graph (commands.c).
static void (*const drawers[])(const zo_program *program) = {cli_graph_dot, cli_graph_mermaid};

static int print_graph(const cli_loaded *loaded, uint32_t drawer) {
    if (zo_state_count(loaded->program) == 0) {
        cli_say("'%s' has no states, so there is no graph of them", loaded->name);
        return CLI_FAULTY;
    }
    drawers[drawer](loaded->program);
    return CLI_FINE;
}

int cli_info(const cli_args *args) {
    uint32_t kind = 0, drawer = 0;
    if (!cli_choice(args, CLI_OPT_OUTPUT, &kind) || !cli_choice(args, CLI_OPT_GRAPH, &drawer)) { return CLI_USAGE; }
    cli_loaded loaded;
    int code = cli_load_one(args, &loaded);
    if (code == CLI_FINE && cli_given(args, CLI_OPT_GRAPH)) {
        code = print_graph(&loaded, drawer);
    } else if (code == CLI_FINE && !(kind == 1 ? print_json : print_human)(&loaded)) {
        cli_say("not enough memory");
        code = CLI_INTERNAL;
    }
    cli_loaded_free(&loaded);
    return code;
}
