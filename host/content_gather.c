// See content_inside.h: a thing compiled with what it asks for. The reader says what it wants (zo_report_need); that is
// looked for among the thing's own files, then among the files of what it uses already, then in the library. How much
// is looked for is bounded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/beside.h"
#include "host/content_inside.h"

enum {
    ROUNDS_MAX = 12,    // found things may ask for more: a rig for its atlas, that for its picture
    SEARCHES_MAX = 500, // in the library, by one name each
    PARTS_MAX = 64,     // files of a thing that is used, to be used as well
    HITS_MAX = 100,     // of one of them
    FOLDERS_MAX = 64,   // around the first file
};

typedef struct held { // something of the library that is used
    store_area area;
    const char *id;
    const store_file *files; // without bytes
    uint32_t count;
    bool alone; // it is judged by itself
} held;

typedef struct gathering {
    content_looked *l;
    const content_asking *asking;
    store_error *error;
    store_status status;
    const zo_source *first;
    const store_file **by_name; // [file_count], of the thing, sorted
    bool *given;                // [file_count]: it is a source already
    zo_source *sources;
    uint32_t count, capacity;
    held *helds;
    uint32_t held_count, held_capacity;
    uint32_t searches;
    size_t folders[FOLDERS_MAX]; // how much of the first file's name each is, its own first
    uint32_t folder_count;
    bool whole;  // the files are all there is: what is not among them is missing
    bool around; // names lead down from every folder around the first file, not only from its own
    bool beside; // what is asked for may lie in the library
} gathering;

static bool fits(const gathering *g) { return g->status == STORE_OK && !g->l->keep.failed; }

// Takes over what the store said; not finding something is no fault.
static bool fine(gathering *g, store_status status) {
    if (status == STORE_OK) { return true; }
    if (status != STORE_NOT_FOUND && status != STORE_INVALID) {
        g->status = content_said(g->asking->txn, status, g->error);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------------- sources

static void add_source(gathering *g, const zo_source *source) {
    if (!content_grow(&g->l->keep, (void **)&g->sources, g->count, &g->capacity, sizeof *g->sources)) { return; }
    g->sources[g->count++] = *source;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const store_file *const *)a)->name, (*(const store_file *const *)b)->name);
}

static const store_file *own_file(const gathering *g, const char *name) { // NULL: there is none
    const store_file wanted = {.name = name}, *key = &wanted;
    const store_file **found =
        bsearch(&key, g->by_name, g->l->thing.file_count, sizeof *g->by_name, by_name);
    return found != NULL ? *found : NULL;
}

static void give(gathering *g, const store_file *file) { g->given[file - g->l->thing.files] = true; }

// ---------------------------------------------------------------------------------------------------------------- uses

static void add_use(gathering *g, const store_use *use) {
    content_thing *thing = &g->l->thing;
    for (uint32_t i = 0; i < thing->use_count; i++) {
        const store_use *known = &thing->uses[i];
        if (known->to_area == use->to_area && strcmp(known->to, use->to) == 0 &&
            strcmp(known->where, use->where) == 0) {
            return;
        }
    }
    content_keep *keep = &g->l->keep;
    const store_use copy = {.to_area = use->to_area, .to = content_copy(keep, use->to),
                            .where = content_copy(keep, use->where), .role = content_copy(keep, use->role),
                            .needed = use->needed};
    if (keep->failed || !content_grow(keep, (void **)&g->l->uses, thing->use_count, &g->l->use_capacity,
                                      sizeof *g->l->uses)) {
        return;
    }
    g->l->uses[thing->use_count++] = copy;
    thing->uses = g->l->uses;
}

// --------------------------------------------------------------------------------------------------------- the library

// The names under which a file may be meant: below the folder of the first file, then below those around it.
typedef struct candidate {
    char name[STORE_NAME_MAX + 2048]; // a folder, and what leads down
} candidate;

static void find_folders(gathering *g) {
    const char *first = g->first->name;
    size_t size = beside_folder_size(first);
    g->folders[g->folder_count++] = size;
    while (size > 0 && g->around && g->folder_count < FOLDERS_MAX) {
        for (size--; size > 0 && first[size - 1] != '/';) { size--; }
        g->folders[g->folder_count++] = size;
    }
}

static const char *candidate_of(const gathering *g, const char *need, uint32_t folder, candidate *c) {
    snprintf(c->name, sizeof c->name, "%.*s%s", (int)g->folders[folder], g->first->name, need);
    return c->name;
}

static held *hold(gathering *g, const store_item *item) {
    for (uint32_t i = 0; i < g->held_count; i++) {
        if (g->helds[i].area == item->area && strcmp(g->helds[i].id, item->id) == 0) { return &g->helds[i]; }
    }
    held h = {.area = item->area, .id = item->id, .alone = beside_is_alone(item->format)};
    if (!fine(g, store_files(g->asking->txn, item->area, item->id, false, &h.files, &h.count)) || h.count == 0 ||
        !content_grow(&g->l->keep, (void **)&g->helds, g->held_count, &g->held_capacity, sizeof h)) {
        return NULL;
    }
    g->helds[g->held_count] = h;
    return &g->helds[g->held_count++];
}

static bool is_itself(const gathering *g, const store_item *item) {
    return g->asking->id != NULL && item->area == g->asking->area && strcmp(item->id, g->asking->id) == 0;
}

// By the id that a thing has which was made of the name.
static const held *held_by_id(gathering *g, const char *name) {
    char id[STORE_ID_MAX + 1];
    store_item item;
    if (strcmp(name, g->first->name) == 0 || !content_id_of_name(name, id) ||
        !fine(g, store_get(g->asking->txn, STORE_ITEM, id, &item)) || is_itself(g, &item)) {
        return NULL;
    }
    return hold(g, &item);
}

// By the name of its first file; of several that of the first id.
static const held *held_by_name(gathering *g, const char *name) {
    store_page page = {0};
    const held *best = NULL;
    if (!fine(g, store_search(g->asking->txn, &(store_filter){.query = name}, HITS_MAX, &page))) { return NULL; }
    for (uint32_t i = 0; i < page.count && fits(g); i++) {
        const store_item *item = &page.items[i];
        const store_file *files = NULL;
        uint32_t count = 0;
        if (is_itself(g, item) || (item->area != STORE_ITEM && item->area != STORE_ASSET) ||
            !fine(g, store_files(g->asking->txn, item->area, item->id, false, &files, &count)) || count == 0) {
            continue;
        }
        const bool better = best == NULL || strcmp(item->id, best->id) < 0;
        if (strcmp(files[0].name, name) == 0 && better) { best = hold(g, item); }
    }
    return best;
}

static bool read_held(gathering *g, const held *h, const store_file *file, const zo_need *need, zo_source *source) {
    store_file whole = *file;
    if (need->kind != ZO_NEED_STAT && !fine(g, store_file_get(g->asking->txn, h->area, h->id, file->name, &whole))) {
        return false;
    }
    *source = (zo_source){.bytes = need->kind != ZO_NEED_STAT ? whole.bytes : NULL, .size = (size_t)whole.size,
                          .judged = h->alone && file == h->files};
    return true;
}

// A file of what is used already.
static const held *find_part(const gathering *g, const char *name, const store_file **file) {
    for (uint32_t i = 0; i < g->held_count; i++) {
        const held *h = &g->helds[i];
        for (uint32_t k = 0; k < h->count && h->count <= PARTS_MAX; k++) {
            *file = &h->files[k];
            if (strcmp(h->files[k].name, name) == 0) { return h; }
        }
    }
    return NULL;
}

// false: the library does not have it.
static bool find_in_library(gathering *g, const zo_need *need, zo_source *source) {
    const held *h = NULL;
    candidate c;
    for (uint32_t i = 0; i < g->folder_count && g->searches < SEARCHES_MAX; i++) {
        const store_file *file = NULL;
        const held *whole = find_part(g, candidate_of(g, need->name, i, &c), &file);
        if (whole != NULL) { return read_held(g, whole, file, need, source); }
    }
    for (uint32_t i = 0; i < g->folder_count && h == NULL && fits(g) && g->searches < SEARCHES_MAX; i++) {
        const char *name = candidate_of(g, need->name, i, &c);
        g->searches++;
        if (need->kind == ZO_NEED_BYTES) { h = held_by_id(g, name); }
        if (h == NULL && fits(g)) { h = held_by_name(g, name); }
    }
    if (h == NULL || !read_held(g, h, h->files, need, source)) { return false; }
    add_use(g, &(store_use){.to_area = h->area, .to = h->id, .where = need->name,
                            .role = need->kind == ZO_NEED_BYTES ? "file" : "picture",
                            .needed = need->kind == ZO_NEED_BYTES});
    return true;
}

// --------------------------------------------------------------------------------------------------------------- needs

// The thing's own file that is meant. A machine may have the name of the model that it moves, and lie in a folder
// called alike: the first file is found last.
static const store_file *find_own(const gathering *g, const char *need) {
    const store_file *first = NULL;
    candidate c;
    for (uint32_t i = 0; i < g->folder_count; i++) {
        const store_file *file = own_file(g, candidate_of(g, need, i, &c));
        if (file != NULL && file != &g->l->thing.files[0]) { return file; }
        first = file != NULL ? file : first;
    }
    return first;
}

static void add_need(gathering *g, const zo_need *need, zo_source source, const char *path) {
    char *name = beside_name(g->first->name, need->name, path);
    source.name = name != NULL ? content_copy(&g->l->keep, name) : NULL;
    if (source.name != NULL) {
        add_source(g, &source);
    } else {
        g->l->keep.failed = true;
    }
    free(name);
}

// false: it is not there.
static bool take_need(gathering *g, const zo_need *need) {
    candidate c;
    zo_source source = {0};
    const char *path = NULL;
    if (!beside_leads_down(need->name)) { return false; }
    const store_file *file = find_own(g, need->name);
    if (file != NULL) {
        source = (zo_source){.bytes = need->kind != ZO_NEED_STAT ? file->bytes : NULL, .size = (size_t)file->size};
        path = strcmp(file->name, candidate_of(g, need->name, 0, &c)) == 0 ? file->name : NULL;
        give(g, file);
    } else if (!g->beside || !fits(g) || !find_in_library(g, need, &source)) {
        return false;
    }
    g->whole = g->whole || need->kind == ZO_NEED_BYTES; // somebody has put together what belongs together
    add_need(g, need, source, path);
    return true;
}

// Whole files first. What can lie in several places is asked for in all of them at once, so nothing is said to be
// missing before nothing more is found.
static bool take_needs(gathering *g) {
    const zo_report *report = g->l->thing.report;
    const uint32_t count = zo_report_need_count(report);
    bool more = false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count && fits(g); i++) {
            const zo_need *need = zo_report_need(report, i);
            if ((need->kind == ZO_NEED_BYTES) == (pass == 0)) { more = take_need(g, need) || more; }
        }
    }
    if (more || count == 0) { return more; }
    g->l->open = g->l->open || g->beside || !g->whole;
    for (uint32_t i = 0; i < count && g->whole; i++) {
        add_need(g, zo_report_need(report, i), (zo_source){.kind = ZO_SOURCE_MISSING}, NULL);
    }
    return g->whole;
}

// ------------------------------------------------------------------------------------------ what nobody has to ask for

static bool ends_in_json(const char *name) {
    const size_t size = strlen(name);
    return size > 5 && strcmp(name + size - 5, ".json") == 0;
}

// Other clips and the rig of a set, animations of a pet: files of the thing that its reader takes without asking.
static bool is_taken_along(const gathering *g, const store_file *file, bool pet) {
    if (!ends_in_json(file->name)) { return false; }
    if (pet) { return true; } // its reader passes over what is none
    const zo_source source = {.name = file->name, .bytes = file->bytes, .size = (size_t)file->size};
    zo_report *report = NULL;
    zo_compile(&source, 1, &(zo_compile_def){.maybe = true, .diag_max = 1, .profile = g->l->def.compile.profile}, NULL,
               &report);
    const bool is = report != NULL && beside_has_rig(zo_report_format(report));
    g->l->keep.failed = g->l->keep.failed || report == NULL;
    zo_report_free(report);
    return is;
}

static bool take_along(gathering *g, bool pet) {
    const content_thing *thing = &g->l->thing;
    bool more = false;
    for (uint32_t i = 1; i < thing->file_count; i++) {
        const store_file *file = &thing->files[i];
        if (g->given[i] || !is_taken_along(g, file, pet)) { continue; }
        g->given[i] = more = true;
        add_source(g, &(zo_source){.name = file->name, .bytes = file->bytes, .size = (size_t)file->size});
    }
    return more;
}

// Whether one of the thing's own files is the animation of that id, so that the library's is not meant.
static bool brings(const gathering *g, const char *id) {
    bool has = false;
    for (uint32_t i = 1; i < g->l->thing.file_count && !has; i++) {
        const store_file *file = &g->l->thing.files[i];
        char own[STORE_ID_MAX + 1];
        zo_document *document = g->given[i] ? content_open(&g->l->keep, file->bytes, (size_t)file->size) : NULL;
        has = document != NULL && content_ascii_at(document, "/id", own, sizeof own) && strcmp(own, id) == 0;
        zo_document_free(document);
    }
    return has;
}

// The animations and pictures that a pet names are uses, be they there or not.
static bool take_uses(gathering *g) {
    const zo_source *first = g->first;
    store_use *uses = NULL;
    uint32_t count = 0;
    bool more = false;
    const store_area area = g->asking->area == STORE_PET ? STORE_PET : STORE_CONFIG; // a click is in some
    if (content_petween_uses(area, first->bytes, first->size, &uses, &count) == STORE_NO_MEMORY) {
        g->l->keep.failed = true;
    }
    for (uint32_t i = 0; i < count && fits(g) && g->asking->txn != NULL && !g->l->def.lone; i++) {
        store_file file;
        bool again = false;
        if (uses[i].to_area == STORE_ITEM && brings(g, uses[i].to)) { continue; }
        for (uint32_t k = 0; k < i; k++) { again = again || strcmp(uses[k].to, uses[i].to) == 0; }
        add_use(g, &uses[i]);
        if (again || uses[i].to_area != STORE_ITEM ||
            !fine(g, store_file_get(g->asking->txn, STORE_ITEM, uses[i].to, NULL, &file))) {
            continue;
        }
        const zo_text text = content_mended(&g->l->keep, file.bytes, (size_t)file.size);
        g->l->borrows_itself = g->l->borrows_itself || text.data != file.bytes;
        const char *name = content_copy(&g->l->keep, uses[i].to);
        if (name != NULL) { add_source(g, &(zo_source){.name = name, .bytes = text.data, .size = text.size}); }
        more = true;
    }
    free(uses);
    return more;
}

// ----------------------------------------------------------------------------------------------------------------- all

static void compile(gathering *g, const zo_compile_def *def) {
    content_thing *thing = &g->l->thing;
    const bool program = (g->asking->wishes & CONTENT_WISH_NO_PROGRAM) == 0;
    zo_program_free(thing->program);
    zo_report_free(thing->report);
    thing->program = NULL;
    thing->report = NULL;
    thing->status = zo_compile(g->sources, g->count, def, program ? &thing->program : NULL, &thing->report);
    if (thing->report == NULL || thing->status == ZO_NO_MEMORY) { g->l->keep.failed = true; }
}

static bool begin(gathering *g) {
    const content_thing *thing = &g->l->thing;
    g->by_name = content_take(&g->l->keep, sizeof *g->by_name * thing->file_count);
    g->given = content_take(&g->l->keep, sizeof *g->given * thing->file_count);
    if (g->by_name == NULL || g->given == NULL) { return false; }
    for (uint32_t i = 0; i < thing->file_count; i++) { g->by_name[i] = &thing->files[i]; }
    qsort(g->by_name, thing->file_count, sizeof *g->by_name, by_name);
    add_source(g, g->first);
    give(g, &thing->files[0]);
    return !g->l->keep.failed;
}

store_status content_compile(content_looked *l, const content_asking *asking, const zo_source *first,
                             const zo_compile_def *def, store_error *error) {
    gathering g = {.l = l, .asking = asking, .error = error, .status = STORE_OK, .first = first};
    l->thing.use_count = 0;
    if (!begin(&g)) { return content_no_memory(error); }
    compile(&g, def);
    if (l->keep.failed) { return content_no_memory(error); }
    const char *format = zo_report_format(l->thing.report);
    const bool pack = strcmp(format, beside_pack_format) == 0, pet = strcmp(format, "pet") == 0;
    g.around = beside_has_resources(format);
    find_folders(&g);
    g.whole = l->def.lone || l->thing.file_count > 1 || pack || g.around;
    g.beside = asking->txn != NULL && !l->def.lone && strncmp(format, "character-pack", 14) != 0;
    bool more = false;
    if (pet || beside_has_rig(format)) { more = take_along(&g, pet); }
    if (pet && first->bytes != NULL) { more = take_uses(&g) || more; }
    for (int round = 0; round < ROUNDS_MAX && fits(&g); round++) {
        if (more) { compile(&g, def); }
        if (!fits(&g) || !(more = take_needs(&g))) { break; }
    }
    if (l->keep.failed) { return content_no_memory(error); }
    return g.status;
}
