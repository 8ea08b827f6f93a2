// See content.h: a thing goes into a store, with its references and its program; and comes out of it as a program or a
// picture.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "host/content_inside.h"
#include "host/picture.h"
#include "host/store_name.h"

// --------------------------------------------------------------------------------------------------------- the program

// What a program was made of besides its own files: what it uses, as that is now.
static store_status digest_of_uses(store_txn *txn, const store_use *uses, uint32_t count, char hash[65],
                                   store_error *error) {
    store_digest digest;
    uint8_t raw[32];
    store_digest_start(&digest);
    for (uint32_t i = 0; i < count; i++) {
        store_item item;
        const store_status status = store_get(txn, uses[i].to_area, uses[i].to, &item);
        if (status != STORE_OK && status != STORE_NOT_FOUND) { return content_said(txn, status, error); }
        store_digest_text(&digest, uses[i].to);
        store_digest_text(&digest, status == STORE_OK ? item.hash : "");
    }
    store_digest_end(&digest, raw);
    store_hash_text(raw, hash);
    return STORE_OK;
}

store_status content_how(store_txn *txn, const content_def *def, const char *format, const store_use *uses,
                         uint32_t count, char how[CONTENT_HOW_MAX], store_error *error) {
    const zo_compile_def *c = &def->compile;
    char hash[65] = "";
    how[0] = 0;
    if (c->cel_count > 0 || c->look != NULL) { return STORE_OK; } // it hangs on what nobody can name
    if (count > 0) {
        const store_status status = digest_of_uses(txn, uses, count, hash, error);
        if (status != STORE_OK) { return status; }
        hash[32] = 0; // enough
    }
    snprintf(how, CONTENT_HOW_MAX, "%s %.60s %d%d%d%d%d%d%d%d%d %s", zo_version(), format, (int)c->profile,
             (int)c->model, (int)c->b3d_keys, c->null_tangent_step, c->sampled_poses,
             c->draft_repeat_letter, c->draft_uniform_samples, c->late_faults, def->lone, hash);
    return STORE_OK;
}

// A cache: where nothing can be written, nothing is.
static store_status keep_program(store_txn *txn, const char *hash, const char *how, const zo_program *program,
                                 store_error *error) {
    size_t size = 0;
    const void *bytes = zo_program_blob(program, &size);
    const store_status status = store_program_put(txn, hash, how, bytes, size);
    return status == STORE_READ_ONLY ? STORE_OK : content_said(txn, status, error);
}

static store_status keep_thing(store_txn *txn, const char *hash, const content_looked *l, store_error *error) {
    char how[CONTENT_HOW_MAX];
    const content_thing *thing = &l->thing;
    if (thing->program == NULL || l->open) { return STORE_OK; }
    const store_status status =
        content_how(txn, &l->def, thing->format, thing->uses, thing->use_count, how, error);
    return status == STORE_OK && *how != 0 ? keep_program(txn, hash, how, thing->program, error) : status;
}

// ------------------------------------------------------------------------------------------------------------- putting

static store_status check_thing(const content_thing *thing, const char *id, store_error *error) {
    const char *why = NULL;
    if (thing->shape != CONTENT_THING) {
        return content_fail(error, STORE_INVALID, "a %s is several things, and is imported", thing->kind);
    }
    if (thing->status != ZO_OK) {
        return content_fail(error, STORE_INVALID, "it has errors: %.400s", content_first_error(thing->report));
    }
    if (id == NULL) { return content_fail(error, STORE_INVALID, "it has no id, and no name to make one of"); }
    if (thing->id_is_its_own && strcmp(id, thing->id) != 0) {
        return content_fail(error, STORE_INVALID, "its id is '%.200s', not '%.200s'", thing->id, id);
    }
    if (thing->area == STORE_ITEM) { why = content_reserved(id); }
    return why != NULL ? content_fail(error, STORE_INVALID, "'%.60s' may not be put: %s", id, why) : STORE_OK;
}

store_status content_put(store_txn *txn, const content_thing *thing, const content_put_def *def, store_item *item,
                         store_error *error) {
    const char *id = def->id != NULL ? def->id : thing->id;
    const bool picture = thing->area == STORE_ASSET;
    store_item put_item;
    *error = (store_error){0};
    store_status status = check_thing(thing, id, error);
    if (status == STORE_OK && thing->area == STORE_ITEM) {
        status = content_kind_guard(txn, id, thing->kind, error);
    }
    if (status != STORE_OK) { return status; }
    const store_put put = {
        .area = thing->area, .id = id, .format = thing->format, .kind = thing->kind,
        .name = def->name != NULL ? def->name : thing->name, .origin = def->origin, .text = thing->text,
        .files = thing->files, .file_count = thing->file_count, .uses = thing->uses, .use_count = thing->use_count,
        .number_a = picture ? thing->width : thing->duration_ns, .number_b = picture ? thing->height : 0,
        .expected = def->expected, .created_ms = def->created_ms, .updated_ms = def->updated_ms};
    status = content_said(txn, store_put_item(txn, &put, &put_item), error);
    if (status != STORE_OK) { return status; }
    if (item != NULL) { *item = put_item; }
    return keep_thing(txn, put_item.hash, (const content_looked *)thing, error); // its first member
}

// ---------------------------------------------------------------------------------------------------- out of the store

typedef struct stored {
    store_item item;
    const store_file *files;
    uint32_t count;
    bool past;
} stored;

static store_status find_past(store_txn *txn, store_area area, const char *id, int64_t revision, stored *s,
                              store_error *error) {
    const store_past *past = NULL;
    uint32_t count = 0;
    store_status status = store_history(txn, area, id, revision + 1, 1, &past, &count);
    if (status != STORE_OK) { return content_said(txn, status, error); }
    if (count == 0 || past[0].item.revision != revision) {
        return content_fail(error, STORE_NOT_FOUND, "'%.200s' has no revision %" PRId64, id, revision);
    }
    s->item = past[0].item;
    return content_said(txn, store_past_files(txn, area, id, revision, true, &s->files, &s->count), error);
}

static store_status cached(store_txn *txn, const store_item *item, const content_def *def, zo_program **program,
                           store_error *error) {
    const store_use *uses = NULL;
    uint32_t count = 0;
    char how[CONTENT_HOW_MAX];
    const void *bytes = NULL;
    uint64_t size = 0;
    store_status status = content_said(txn, store_uses(txn, item->area, item->id, &uses, &count), error);
    if (status == STORE_OK) { status = content_how(txn, def, item->format, uses, count, how, error); }
    if (status != STORE_OK || *how == 0) { return status; }
    status = store_program_get(txn, item->hash, how, &bytes, &size);
    if (status == STORE_NOT_FOUND) { return STORE_OK; }
    if (status != STORE_OK) { return content_said(txn, status, error); }
    // One that an older Zoetrope made, or that is damaged, is made again.
    return zo_load(bytes, (size_t)size, NULL, program) == ZO_NO_MEMORY ? content_no_memory(error) : STORE_OK;
}

static store_status make(store_txn *txn, const stored *s, const content_def *def, zo_program **program,
                         zo_report **report, store_error *error) {
    content_def as_stored = *def;
    content_thing *thing = NULL;
    as_stored.mend = true;
    const content_asking asking = {.txn = txn, .area = s->item.area, .id = s->item.id, .format = s->item.format};
    store_status status = content_look_as(&asking, s->files, s->count, &as_stored, &thing, error);
    if (status != STORE_OK) { return status; }
    content_looked *l = (content_looked *)thing; // its first member
    if (thing->program == NULL) {
        status = content_fail(error, STORE_INVALID, "'%.200s' no longer compiles: %.250s", s->item.id,
                              content_first_error(thing->report));
        if (s->item.area == STORE_ASSET) { content_fail(error, STORE_INVALID, "'%s' is a picture", s->item.id); }
    } else if (!s->past) {
        status = keep_thing(txn, s->item.hash, l, error);
    }
    if (status == STORE_OK) {
        *program = thing->program;
        thing->program = NULL;
    }
    // What it quotes must outlive it, and only what the transaction holds does.
    if (report != NULL && !l->borrows_itself) {
        *report = thing->report;
        thing->report = NULL;
    }
    content_thing_free(thing);
    return status;
}

store_status content_program(store_txn *txn, store_area area, const char *id, int64_t revision, const content_def *def,
                             zo_program **program, zo_report **report, store_error *error) {
    static const content_def usual;
    stored s = {0};
    *error = (store_error){0};
    *program = NULL;
    if (report != NULL) { *report = NULL; }
    if (def == NULL) { def = &usual; }
    store_status status = content_said(txn, store_get(txn, area, id, &s.item), error);
    s.past = revision != 0 && (status != STORE_OK || s.item.revision != revision);
    if (s.past && (status == STORE_OK || status == STORE_NOT_FOUND)) {
        status = find_past(txn, area, id, revision, &s, error);
    } else if (status == STORE_OK) {
        status = cached(txn, &s.item, def, program, error);
        if (status != STORE_OK || *program != NULL) { return status; }
        status = content_said(txn, store_files(txn, area, id, true, &s.files, &s.count), error);
    }
    return status == STORE_OK ? make(txn, &s, def, program, report, error) : status;
}

// ------------------------------------------------------------------------------------------------------------ pictures

typedef struct picture_name { char text[STORE_NAME_MAX + 64]; } picture_name;

// A file by its name, from the folder of the first file outwards.
static store_status file_around(store_txn *txn, store_area area, const char *id, const char *first, const char *name,
                                store_file *file) {
    size_t folder = beside_folder_size(first);
    for (;;) {
        picture_name whole;
        const int size = snprintf(whole.text, sizeof whole.text, "%.*s%s", (int)folder, first, name);
        const bool fits = size > 0 && (size_t)size < sizeof whole.text;
        const store_status status = fits ? store_file_get(txn, area, id, whole.text, file) : STORE_NOT_FOUND;
        if (status != STORE_NOT_FOUND || folder == 0) { return status; }
        for (folder--; folder > 0 && first[folder - 1] != '/';) { folder--; }
    }
}

// As it is, with the endings of pictures, and as a resource: "domain:block/door" lies in textures/block/door.png.
static store_status own_picture(store_txn *txn, store_area area, const char *id, const char *name, store_file *file) {
    const store_file *files = NULL;
    uint32_t count = 0;
    picture_name more;
    store_status status = store_files(txn, area, id, false, &files, &count);
    if (status == STORE_OK && count == 0) { status = STORE_NOT_FOUND; }
    if (status != STORE_OK) { return status; }
    const char *first = files[0].name, *colon = strchr(name, ':'), *path = colon != NULL ? colon + 1 : name;
    status = file_around(txn, area, id, first, name, file);
    for (uint32_t i = 0; status == STORE_NOT_FOUND && picture_ending_at(i) != NULL; i++) {
        snprintf(more.text, sizeof more.text, "%.1000s.%s", name, picture_ending_at(i));
        status = file_around(txn, area, id, first, more.text, file);
    }
    if (status == STORE_NOT_FOUND) {
        snprintf(more.text, sizeof more.text, "textures/%.1000s.png", path);
        status = file_around(txn, area, id, first, more.text, file);
    }
    if (status == STORE_NOT_FOUND && colon != NULL) {
        snprintf(more.text, sizeof more.text, "assets/%.*s/textures/%.500s.png", (int)(colon - name < 400 ? colon - name
                 : 400), name, path);
        status = file_around(txn, area, id, first, more.text, file);
    }
    return status;
}

// Whether a picture that is used stands for the name: by the place that names it, a pose, or the file asked for.
static bool stands_for(const store_use *use, const char *name) {
    picture_name pose;
    const char *colon = strchr(name, ':');
    if (use->to_area != STORE_ASSET) { return false; }
    snprintf(pose.text, sizeof pose.text, "/poses/%.1000s/assetId", name);
    if (strcmp(use->where, name) == 0 || strcmp(use->where, pose.text) == 0) { return true; }
    snprintf(pose.text, sizeof pose.text, "textures/%.1000s.png", colon != NULL ? colon + 1 : name);
    return beside_ends_in(use->where, pose.text);
}

store_status content_picture(store_txn *txn, store_area area, const char *id, const char *name, store_file *file,
                             store_error *error) {
    const store_use *uses = NULL;
    uint32_t count = 0;
    *error = (store_error){0};
    store_status status = area == STORE_ASSET ? store_file_get(txn, area, id, NULL, file)
                                              : own_picture(txn, area, id, name, file);
    if (status != STORE_NOT_FOUND) { return content_said(txn, status, error); }
    status = store_uses(txn, area, id, &uses, &count);
    if (status != STORE_OK) { return content_said(txn, status, error); }
    for (uint32_t i = 0; i < count; i++) {
        if (!stands_for(&uses[i], name)) { continue; }
        status = store_file_get(txn, STORE_ASSET, uses[i].to, NULL, file);
        if (status != STORE_NOT_FOUND) { return content_said(txn, status, error); }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (uses[i].to_area != STORE_ITEM) { continue; }
        status = own_picture(txn, STORE_ITEM, uses[i].to, name, file);
        if (status != STORE_NOT_FOUND) { return content_said(txn, status, error); }
    }
    return content_fail(error, STORE_NOT_FOUND, "'%.100s' has no picture '%.200s'", id, name);
}

// ------------------------------------------------------------------------------------------------------------ checking

// What belongs to pets and configurations is read leniently wherever it is read, so it need only be an object.
static bool is_object(const store_file *file) {
    zo_document *document = NULL;
    zo_value value;
    const bool is = zo_document_open(file->bytes, (size_t)file->size, NULL, &document) == ZO_OK &&
                    zo_document_value(document, ZO_VALUE_ROOT, &value) && value.kind == ZO_VALUE_OBJECT;
    zo_document_free(document);
    return is;
}

void content_check(void *context, store_txn *txn, const store_item *item, const store_file *files, uint32_t count,
                   store_finding_fn finding, void *finding_context) {
    const content_def *given = context;
    content_def def = given != NULL ? *given : (content_def){0};
    content_thing *thing = NULL;
    store_error error = {0};
    char text[640] = "";
    def.mend = true;
    if (item->area == STORE_PET || item->area == STORE_CONFIG) {
        if (count == 0 || !is_object(&files[0])) { snprintf(text, sizeof text, "it is no JSON object"); }
    } else {
        const content_asking asking = {.txn = txn, .area = item->area, .id = item->id, .format = item->format};
        if (content_look_as(&asking, files, count, &def, &thing, &error) != STORE_OK) {
            snprintf(text, sizeof text, "%s", error.text);
        } else if (thing->status != ZO_OK) {
            snprintf(text, sizeof text, "it no longer compiles: %.500s", content_first_error(thing->report));
        }
        content_thing_free(thing);
    }
    if (*text != 0) { finding(finding_context, &(store_finding){.area = item->area, .id = item->id, .text = text}); }
}
