// `zoetrope library mount`: which animations the six states of a pet and its click play, and which pet is the active
// one. Slots belong to a pet; where there is none, to the configuration. Documents keep all that is not spoken of.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/petween_config.h"
#include "host/petween_pet.h"
#include "library.h"

static const char config_id[] = "petween", config_file[] = "config.json";

typedef enum part { PART_NONE = 0, PART_ENTER = 1, PART_AMBIENT = 2, PART_BOTH = 3, PART_CLICK = 4 } part;

typedef struct document { // of the configuration or of a pet, as it is stored
    store_area area;
    const char *id, *file;
    int64_t revision; // STORE_NONE: it is not stored yet
    zo_document *text;
} document;

typedef struct mounting {
    library_job *job;
    document config, pet; // pet.text NULL: there is none
    char active[PETWEEN_PET_ID_MAX + 1];
    const char *animation; // NULL: taken out
    const char *kind;      // of the animation
    int slot;              // -1: the click
    part part;
} mounting;

// ----------------------------------------------------------------------------------------------------------- documents

static int no_memory(void) {
    cli_say("not enough memory");
    return CLI_INTERNAL;
}

static int refuse(const library_job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(const library_job *j, const char *format, ...) {
    store_error error = {.status = STORE_INVALID};
    va_list list;
    va_start(list, format);
    vsnprintf(error.text, sizeof error.text, format, list);
    va_end(list);
    return cli_library_refuse(j, &error);
}

// *text stays NULL when the thing is not there.
static int open_document(library_job *j, store_area area, const char *id, document *d) {
    store_item item;
    store_file file;
    *d = (document){.area = area, .id = id};
    store_status status = store_get(j->txn, area, id, &item);
    if (status == STORE_NOT_FOUND) { return CLI_FINE; }
    if (status == STORE_OK) { status = store_file_get(j->txn, area, id, NULL, &file); }
    if (status != STORE_OK) { return cli_library_failed(j); }
    d->revision = item.revision;
    d->file = file.name;
    const zo_status opened = zo_document_open(file.bytes, (size_t)file.size, NULL, &d->text);
    if (opened == ZO_NO_MEMORY) { return no_memory(); }
    return opened == ZO_OK ? CLI_FINE : refuse(j, "the %s '%s' is no JSON", cli_area_name(area), id);
}

// One that states everything, as petween's own does.
static bool make_config(document *d) {
    cli_bytes bytes = {0};
    cli_json json = {.write = cli_collect, .context = &bytes};
    petween_config config;
    petween_config_default(&config);
    petween_config_write(&json, NULL, &config);
    cli_json_end(&json);
    d->file = config_file;
    const bool fine = bytes.data != NULL && zo_document_open(bytes.data, bytes.size, NULL, &d->text) == ZO_OK;
    cli_bytes_free(&bytes);
    return fine;
}

static int open_config(mounting *m) {
    const int code = open_document(m->job, STORE_CONFIG, config_id, &m->config);
    if (code != CLI_FINE || m->config.text != NULL) { return code; }
    return make_config(&m->config) ? CLI_FINE : no_memory();
}

static const petween_reading lenient;

static void read_config(const document *d, petween_config *config) {
    petween_config_default(config);
    petween_config_read(d->text, &lenient, config);
}

// The active pet, or the one that --pet names.
static int open_pet(mounting *m) {
    library_job *j = m->job;
    const char *given = j->args->values[CLI_OPT_PET];
    petween_config config;
    read_config(&m->config, &config);
    snprintf(m->active, sizeof m->active, "%s", config.active_pet);
    if (given == NULL && m->active[0] == 0) { return CLI_FINE; }
    const int code = open_document(j, STORE_PET, given != NULL ? given : m->active, &m->pet);
    if (code != CLI_FINE || m->pet.text != NULL || given == NULL) { return code; }
    return refuse(j, "there is no pet '%s' in the library", given);
}

// Slots that a configuration has from before there were pets are seen by nobody as long as a pet is active, and keep
// nothing from being removed. false: memory.
static bool pick_uses(const document *d, content_thing *thing, store_use **kept) {
    petween_config config;
    uint32_t count = 0;
    *kept = NULL;
    if (d->area != STORE_CONFIG) { return true; }
    read_config(d, &config);
    if (config.active_pet[0] == 0) { return true; }
    *kept = calloc((size_t)thing->use_count + 1, sizeof **kept);
    for (uint32_t i = 0; *kept != NULL && i < thing->use_count; i++) {
        if (strcmp(thing->uses[i].role, "click") == 0) { (*kept)[count++] = thing->uses[i]; }
    }
    thing->uses = *kept;
    thing->use_count = count;
    return *kept != NULL;
}

// Stores it, as whatever is stored is: looked at, with its references.
static int put(library_job *j, const document *d) {
    const zo_text text = zo_document_bytes(d->text);
    const store_file file = {.name = d->file, .bytes = text.data, .size = text.size};
    const content_put_def def = {.id = d->id, .expected = d->revision};
    content_thing *thing = NULL;
    store_use *kept = NULL;
    store_error error;
    int code = CLI_FINE;
    store_status status = content_look(j->txn, d->area, &file, 1, &(content_def){0}, &thing, &error);
    if (status == STORE_OK && thing->status != ZO_OK) {
        cli_library_say_report(j, thing->report);
        code = cli_code_of(thing->status);
    } else if (status == STORE_OK && !pick_uses(d, thing, &kept)) {
        code = no_memory();
    } else {
        if (status == STORE_OK) { status = content_put(j->txn, thing, &def, NULL, &error); }
        if (status != STORE_OK) { code = cli_library_refuse(j, &error); }
    }
    content_thing_free(thing);
    free(kept);
    return code;
}

// --------------------------------------------------------------------------------------------------------------- slots

static const char *slot_at(uint32_t index) {
    return index < PETWEEN_SLOTS ? petween_slots[index] : index == PETWEEN_SLOTS ? "click" : NULL;
}

// "success", "success.enter", "success.ambient" or "click".
static int read_slot(mounting *m, const char *word) {
    const size_t size = strcspn(word, ".");
    const char *rest = word + size;
    m->slot = -2;
    for (uint32_t i = 0; slot_at(i) != NULL; i++) {
        const bool is = strlen(slot_at(i)) == size && memcmp(slot_at(i), word, size) == 0;
        if (is) { m->slot = i < PETWEEN_SLOTS ? (int)i : -1; }
    }
    m->part = m->slot == -1                   ? PART_CLICK
              : *rest == 0                    ? PART_BOTH
              : strcmp(rest, ".enter") == 0   ? PART_ENTER
              : strcmp(rest, ".ambient") == 0 ? PART_AMBIENT
                                              : PART_NONE;
    if (m->slot != -2 && m->part != PART_NONE && (m->slot >= 0 || *rest == 0)) { return CLI_FINE; }
    return cli_usage(m->job->args, "a slot is click, or one of idle, thinking, working, waiting, success and error, "
                     "alone or with .enter or .ambient behind it, not '%s'%s", word,
                     cli_did_you_mean(cli_nearest(word, slot_at)).text);
}

// The kind of an animation, which decides what it can be mounted as. Not CLI_FINE: said.
static int find_kind(mounting *m) {
    static const char *const kinds[] = {"transition", "ambient", "interaction"};
    library_job *j = m->job;
    const char *kind = "";
    zo_program *program = NULL;
    zo_clip_info clip;
    cli_thing thing;
    if (cli_is_builtin_id(m->animation)) {
        const zo_source source = {.name = m->animation, .kind = ZO_SOURCE_BUILTIN};
        const zo_status status = zo_compile(&source, 1, NULL, &program, NULL);
        if (status == ZO_NO_MEMORY) { return no_memory(); }
        if (status == ZO_OK && zo_clip_get(program, (zo_clip){1}, &clip)) { kind = clip.kind; }
    } else {
        const int code = cli_library_find(j, m->animation, false, &thing);
        if (code != CLI_FINE) { return code; }
        kind = thing.area == STORE_ITEM ? thing.item.kind : "";
        m->animation = thing.id;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i]) == 0) { m->kind = kinds[i]; }
    }
    zo_program_free(program);
    return m->kind != NULL ? CLI_FINE : refuse(j, "'%s' is no animation that a slot can play", m->animation);
}

// Of a whole slot, the part that the kind of animation is for.
static int fit_kind(mounting *m) {
    const part fits = strcmp(m->kind, "transition") == 0 ? PART_ENTER
                      : strcmp(m->kind, "ambient") == 0  ? PART_AMBIENT
                                                         : PART_CLICK;
    const bool builtin = strncmp(m->animation, "builtin:", 8) == 0;
    if (m->part == PART_BOTH && fits != PART_CLICK) { m->part = fits; }
    if (m->part == PART_AMBIENT && builtin) {
        return refuse(m->job, "'%s' is built in, and a slot is accompanied by animations of the library; 'zoetrope "
                              "library clone' makes one of it", m->animation);
    }
    if (m->part == fits) { return CLI_FINE; }
    switch (m->part) {
    case PART_CLICK:
        return refuse(m->job, "'%s' is of kind %s, and a click plays an interaction", m->animation, m->kind);
    case PART_ENTER:
        return refuse(m->job, "'%s' is of kind %s, and a state is entered by a transition", m->animation, m->kind);
    case PART_AMBIENT:
        return refuse(m->job, "'%s' is of kind %s, and a state is accompanied by an ambient", m->animation, m->kind);
    default: return refuse(m->job, "'%s' is of kind %s, which only the slot click plays", m->animation, m->kind);
    }
}

// ------------------------------------------------------------------------------------------------------------ changing

// A patch as petween's own interface takes it. Ids have no sign that JSON would want otherwise.
static bool make_patch(const mounting *m, zo_document **patch) {
    char text[1024], id[STORE_ID_MAX + 8] = "null";
    const char *slot = m->slot >= 0 ? petween_slots[m->slot] : "";
    if (m->animation != NULL) { snprintf(id, sizeof id, "\"%s\"", m->animation); }
    if (m->part == PART_CLICK) {
        snprintf(text, sizeof text, "{\"interactions\":{\"click\":{\"animation\":%s}}}",
                 m->animation != NULL ? id : "\"builtin:click-pop\"");
    } else {
        const bool enter = (m->part & PART_ENTER) != 0, ambient = (m->part & PART_AMBIENT) != 0;
        snprintf(text, sizeof text, "{\"states\":{\"%s\":{%s%s%s%s%s%s%s}}}", slot,
                 enter ? "\"enter\":{\"animationId\":" : "", enter ? id : "", enter ? "}" : "",
                 enter && ambient ? "," : "", ambient ? "\"ambient\":{\"customAnimationId\":" : "",
                 ambient ? id : "", ambient ? "}" : "");
    }
    return zo_document_open(text, strlen(text), NULL, patch) == ZO_OK;
}

static int merge(mounting *m) {
    const bool click = m->part == PART_CLICK;
    document *d = !click && m->pet.text != NULL ? &m->pet : &m->config;
    zo_document *patch = NULL;
    if (!make_patch(m, &patch)) { return no_memory(); }
    zo_status status = petween_merge(d->text, patch, ZO_VALUE_ROOT, click ? PETWEEN_GLOBAL : PETWEEN_PET, NULL);
    zo_document_free(patch);
    if (status == ZO_OK && d == &m->pet) {
        char time[32], quoted[40];
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        petween_time((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, time);
        snprintf(quoted, sizeof quoted, "\"%s\"", time);
        status = petween_set(d->text, "updatedAt", quoted);
    }
    if (status == ZO_NO_MEMORY) { return no_memory(); }
    if (status != ZO_OK) { return refuse(m->job, "the %s '%s' is no object", cli_area_name(d->area), d->id); }
    return put(m->job, d);
}

static void tell_mounted(const mounting *m) {
    const library_job *j = m->job;
    const document *d = m->part != PART_CLICK && m->pet.text != NULL ? &m->pet : &m->config;
    const char *slot = m->slot >= 0 ? petween_slots[m->slot] : "click";
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_library_json_id(&json, d->area, d->id);
        cli_json_text(&json, "slot", slot);
        if ((m->part & PART_BOTH) != 0) {
            cli_json_open_inline(&json, "parts", '[');
            if ((m->part & PART_ENTER) != 0) { cli_json_text(&json, NULL, "enter"); }
            if ((m->part & PART_AMBIENT) != 0) { cli_json_text(&json, NULL, "ambient"); }
            cli_json_close(&json, ']');
        }
        if (m->animation != NULL) {
            cli_json_text(&json, "animation", m->animation);
        } else {
            cli_json_null(&json, "animation");
        }
        cli_library_close_json(&json);
    } else if (!j->quiet) {
        const char *how = m->part == PART_CLICK   ? "plays"
                          : m->part == PART_ENTER ? "is entered by"
                                                  : "is accompanied by";
        if (m->animation == NULL) { how = m->part == PART_CLICK ? "plays what is usual" : "plays nothing of its own"; }
        printf("%s%s %s%s%s (%s/%s)\n", j->dry_run ? "would be: " : "", slot, how, m->animation != NULL ? " " : "",
               m->animation != NULL ? m->animation : "", cli_area_name(d->area), d->id);
    }
}

static int mount_animation(mounting *m, const char *animation, const char *slot) {
    int code = read_slot(m, slot);
    m->animation = animation;
    if (code == CLI_FINE) { code = cli_library_begin(m->job, STORE_WRITE); }
    if (code == CLI_FINE && animation != NULL) { code = find_kind(m); }
    if (code == CLI_FINE && animation != NULL) { code = fit_kind(m); }
    if (code == CLI_FINE) { code = open_config(m); }
    if (code == CLI_FINE && m->part != PART_CLICK) { code = open_pet(m); }
    if (code == CLI_FINE) { code = merge(m); }
    if (code == CLI_FINE) { code = cli_library_commit(m->job); }
    if (code == CLI_FINE) { tell_mounted(m); }
    return code;
}

// --------------------------------------------------------------------------------------------------- which pet is seen

static int mount_pet(mounting *m, const char *word) {
    library_job *j = m->job;
    cli_thing thing;
    char quoted[STORE_ID_MAX + 8];
    int code = cli_library_begin(j, STORE_WRITE);
    if (code == CLI_FINE) { code = cli_library_find(j, word, false, &thing); }
    if (code == CLI_FINE && thing.area != STORE_PET) {
        return cli_usage(j->args, "'%s' is no pet; an animation wants a slot behind it, such as success or click",
                         word);
    }
    if (code == CLI_FINE) { code = open_config(m); }
    if (code != CLI_FINE) { return code; }
    snprintf(quoted, sizeof quoted, "\"%s\"", thing.id);
    const zo_status status = petween_set(m->config.text, "activePetId", quoted);
    if (status == ZO_NO_MEMORY) { return no_memory(); }
    if (status != ZO_OK) { return refuse(j, "the %s '%s' is no object", "config", config_id); }
    code = put(j, &m->config);
    if (code == CLI_FINE) { code = cli_library_commit(j); }
    if (code != CLI_FINE) { return code; }
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_bool(&json, "dryRun", j->dry_run);
        cli_json_text(&json, "activePetId", thing.id);
        cli_library_close_json(&json);
    } else if (!j->quiet) {
        printf("%s%s is the active pet\n", j->dry_run ? "would be: " : "", thing.id);
    }
    return CLI_FINE;
}

// ------------------------------------------------------------------------------------------------------------- showing

static void print_mounts(const mounting *m, const petween_slice *slice, const char *click) {
    if (m->pet.text != NULL) {
        printf("pet/%s%s\n", m->pet.id, strcmp(m->pet.id, m->active) == 0 ? ", the active one" : "");
    } else {
        printf("config/%s\n", config_id);
    }
    for (int i = 0; i < PETWEEN_SLOTS; i++) {
        const petween_state *state = &slice->states[i];
        const bool any = state->enter.animation[0] != 0 || state->ambient[0] != 0;
        printf("  %-8s  %s%s", petween_slots[i], any ? "" : "-", state->enter.animation);
        if (state->ambient[0] != 0) {
            printf("%saccompanied by %s", state->enter.animation[0] != 0 ? ", " : "", state->ambient);
        }
        putchar('\n');
    }
    fputs("  click     ", stdout);
    cli_put_plain(stdout, click);
    putchar('\n');
}

static void json_mounts(const mounting *m, const petween_slice *slice, const char *click) {
    cli_json json;
    cli_library_open_json(m->job, &json);
    if (m->active[0] != 0) {
        cli_json_text(&json, "activePetId", m->active);
    } else {
        cli_json_null(&json, "activePetId");
    }
    cli_library_json_id(&json, m->pet.text != NULL ? STORE_PET : STORE_CONFIG,
                        m->pet.text != NULL ? m->pet.id : config_id);
    cli_json_open(&json, "mounts", '{');
    for (int i = 0; i < PETWEEN_SLOTS; i++) {
        const petween_state *state = &slice->states[i];
        cli_json_open_inline(&json, petween_slots[i], '{');
        if (state->enter.animation[0] != 0) { cli_json_text(&json, "enter", state->enter.animation); }
        if (state->ambient[0] != 0) { cli_json_text(&json, "ambient", state->ambient); }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, '}');
    cli_json_text(&json, "click", click);
    cli_library_close_json(&json);
}

// What a text of JSON says, as far as it is plain; it is shown and nothing else.
static void plain_text(zo_text json, char *text, size_t capacity) {
    size_t size = 0;
    for (size_t i = 1; i + 1 < json.size && size + 1 < capacity; i++) { text[size++] = json.data[i]; }
    text[size] = 0;
}

static int show(mounting *m) {
    library_job *j = m->job;
    petween_config config;
    char click[STORE_ID_MAX + 1];
    int code = cli_library_begin(j, STORE_READ);
    if (code == CLI_FINE) { code = open_config(m); }
    if (code == CLI_FINE) { code = open_pet(m); }
    if (code != CLI_FINE) { return code; }
    read_config(&m->config, &config);
    if (m->pet.text != NULL) {
        petween_config fresh;
        petween_config_default(&fresh);
        config.slice = fresh.slice;
        petween_slice_read(m->pet.text, ZO_VALUE_ROOT, &lenient, &config.slice);
    }
    plain_text(config.click, click, sizeof click);
    if (j->json) {
        json_mounts(m, &config.slice, click);
    } else {
        print_mounts(m, &config.slice, click);
    }
    return CLI_FINE;
}

int cli_library_mount(library_job *j) {
    mounting m = {.job = j};
    const uint32_t count = cli_library_count(j);
    const bool clear = cli_given(j->args, CLI_OPT_CLEAR);
    int code;
    if (clear && count != 1) {
        code = cli_usage(j->args, "mount --clear wants one slot, such as success or click");
    } else if (clear) {
        code = mount_animation(&m, NULL, cli_library_word(j, 0));
    } else if (count == 2) {
        code = mount_animation(&m, cli_library_word(j, 0), cli_library_word(j, 1));
    } else {
        code = count == 1 ? mount_pet(&m, cli_library_word(j, 0)) : show(&m);
    }
    zo_document_free(m.config.text);
    zo_document_free(m.pet.text);
    return code;
}
