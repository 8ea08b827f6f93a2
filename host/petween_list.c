// See petween_serve.h: the list of animations. It is asked for often and made of all of them, so what was made of each
// is kept: after a change only what has changed is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/petween_serve.h"

struct petween_piece { // of one animation, as it was at that revision
    char *id;
    int64_t revision;
    char *text;      // what clients get; NULL: nothing, and `why` says why
    size_t size;
    bool mended;
    const char *why; // static text
};

static void free_piece(petween_piece *piece) {
    free(piece->id);
    free(piece->text);
}

void petween_list_free(petween_list *list) {
    for (uint32_t i = 0; i < list->count; i++) { free_piece(&list->pieces[i]); }
    free(list->pieces);
    *list = (petween_list){0};
}

// -------------------------------------------------------------------------------------------------------------- pieces

// Why a document is no animation that clients of version 1 can take; NULL: it is one, as far as a look can tell: what
// is stored was checked when it came.
static const char *fault_of(const zo_document *document, const store_item *item) {
    zo_value value;
    if (!zo_document_value(document, ZO_VALUE_ROOT, &value) || value.kind != ZO_VALUE_OBJECT) {
        return "it is no JSON object, skipped";
    }
    if (!zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "version"), &value) ||
        value.kind != ZO_VALUE_NUMBER || value.number != 1.0) {
        return value.kind == ZO_VALUE_NUMBER && value.number > 1.0 ? "a newer petween wrote it, skipped"
                                                                   : "its version is not 1, skipped";
    }
    if (!zo_document_value(document, zo_document_member(document, ZO_VALUE_ROOT, "id"), &value) ||
        value.kind != ZO_VALUE_STRING || !petween_text_is(value.text, item->id)) {
        return "it has another id, skipped";
    }
    return *item->kind != 0 ? NULL : "its kind is none, skipped";
}

static bool keep_text(petween_piece *piece, const zo_document *document) {
    zo_value root; // the value alone, without what may stand around it in a file
    if (!zo_document_value(document, ZO_VALUE_ROOT, &root)) { return false; }
    piece->text = malloc(root.source.size + 1);
    if (piece->text == NULL) { return false; }
    memcpy(piece->text, root.source.data, root.source.size);
    piece->size = root.source.size;
    return true;
}

static bool make_piece(petween_job *job, const store_item *item, petween_piece *piece) {
    store_file file;
    zo_document *document = NULL, *mended = NULL;
    *piece = (petween_piece){.id = strdup(item->id), .revision = item->revision};
    const store_status status = store_file_get(job->txn, STORE_ITEM, item->id, NULL, &file);
    if (status == STORE_CORRUPT && piece->id != NULL) { // the others can still be had
        piece->why = "its bytes are damaged, skipped";
        return true;
    }
    if (!petween_fine(job, status)) { return false; }
    const size_t size = (size_t)file.size;
    bool has_memory = piece->id != NULL && zo_document_open(file.bytes, size, NULL, &document) != ZO_NO_MEMORY &&
                      content_mend(file.bytes, size, &mended) != STORE_NO_MEMORY;
    piece->why = document != NULL ? fault_of(document, item) : "it is no JSON, skipped";
    piece->mended = mended != NULL;
    if (has_memory && piece->why == NULL) { has_memory = keep_text(piece, mended != NULL ? mended : document); }
    zo_document_free(mended);
    zo_document_free(document);
    if (!has_memory) { petween_no_memory(job->request); }
    return has_memory;
}

// ---------------------------------------------------------------------------------------------------------------- list

typedef struct walk {
    petween_list *old, now;
    uint32_t at; // in the old one: what stands before it was taken, or is in the library no more
} walk;

static bool grow(petween_list *list) {
    if (list->count < list->capacity) { return true; }
    const uint32_t capacity = list->capacity * 2 + 64;
    petween_piece *pieces = realloc(list->pieces, capacity * sizeof *pieces);
    if (pieces == NULL) { return false; }
    list->pieces = pieces;
    list->capacity = capacity;
    return true;
}

// The next of the library, in the order of ids, which is that of the old list too.
static bool add_piece(petween_job *job, const store_item *item, void *context) {
    walk *const w = context;
    petween_list *const old = w->old;
    if (!grow(&w->now)) {
        petween_no_memory(job->request);
        return false;
    }
    while (w->at < old->count && strcmp(old->pieces[w->at].id, item->id) < 0) { w->at++; }
    petween_piece *const piece = &w->now.pieces[w->now.count];
    petween_piece *const there = w->at < old->count ? &old->pieces[w->at] : NULL;
    if (there != NULL && there->revision == item->revision && strcmp(there->id, item->id) == 0) {
        *piece = *there;
        *there = (petween_piece){0};
        w->at++;
    } else if (!make_piece(job, item, piece)) {
        free_piece(piece);
        return false;
    }
    w->now.count++;
    return true;
}

static void add_line(http_text *lines, const char *id, const char *what) {
    cli_json json = http_text_json(lines);
    char text[STORE_ID_MAX + 160];
    snprintf(text, sizeof text, "%s: %s", id, what);
    if (lines->size > 0) { http_text_words(lines, ", "); }
    cli_json_text(&json, NULL, text);
}

static void write_lines(cli_json *json, const char *key, http_text *lines) {
    http_text text = {0};
    http_text_words(&text, "[");
    http_text_put(&text, lines->bytes, lines->size);
    http_text_words(&text, "]");
    if (lines->failed || text.failed) {
        ((http_text *)json->context)->failed = true;
    } else {
        cli_json_raw(json, key, text.bytes, text.size);
    }
    http_text_free(&text);
    http_text_free(lines);
}

static void write_list(cli_json *json, const petween_list *list) {
    http_text warnings = {0}, mended = {0}; // items of arrays
    cli_json_open(json, NULL, '{');
    cli_json_open(json, "customs", '[');
    for (uint32_t i = 0; i < list->count; i++) {
        const petween_piece *piece = &list->pieces[i];
        if (piece->why != NULL) {
            add_line(&warnings, piece->id, piece->why);
            continue;
        }
        cli_json_raw(json, NULL, piece->text, piece->size);
        if (piece->mended) {
            add_line(&mended, piece->id, "of rules before 27 August 2026, shown as it would be written today");
        }
    }
    cli_json_close(json, ']');
    write_lines(json, "warnings", &warnings);
    write_lines(json, "normalized", &mended);
    cli_json_close(json, '}');
}

static bool write_animations(petween_job *job, cli_json *json) {
    const store_filter filter = {.area = STORE_ITEM, .format = "petween"};
    petween *const p = job->p;
    pthread_mutex_lock(&p->list_lock); // so that many who ask at once wait for one who makes it
    walk w = {.old = &p->list};
    const bool fine = petween_walk(job, &filter, add_piece, &w);
    if (fine) { write_list(json, &w.now); }
    petween_list_free(&p->list);
    p->list = w.now; // also when it is not whole
    pthread_mutex_unlock(&p->list_lock);
    return fine;
}

void petween_get_animations(http_request *request, void *context) {
    petween_reply_kept(request, context, PETWEEN_ANIMATIONS, write_animations);
}
