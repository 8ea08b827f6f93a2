// petween/packs.json: imports and exports of motion packs, through the public functions. What each case holds is said in
// the README beside the file.
#include <string.h>

#include "base/buffer.h"
#include "json/compact.h"
#include "vectors.h"

typedef struct library {
    zo_library_item *items;
    uint32_t count;
} library;

static library library_of(vectors *v, uint32_t item) {
    const uint32_t array = vectors_member(v->doc, item, "library");
    library l = {0};
    l.items = zb_arena_take_array(v->arena, (size_t)zj_at(v->doc, array)->as.items.count + 1, sizeof *l.items);
    VECTORS_EACH(v->doc, definition, array) {
        const zo_text id = zj_text(v->doc, zj_member(v->doc, definition, ZB_TEXT("id")));
        l.items[l.count++] =
            (zo_library_item){.id = zb_arena_text(v->arena, id), .definition = zj_source(v->doc, definition)};
    }
    return l;
}

static zo_status plan_of(const char *name, zo_text text, const library *l, zo_profile profile, zo_plan **plan,
                         zo_report **report) {
    const zo_source source = {.name = name, .bytes = text.data, .size = text.size};
    const zo_compile_def def = {.profile = profile, .format = "motion-pack", .diag_max = 1000};
    return zo_pack_plan(&source, l->items, l->count, &def, plan, report);
}

// ------------------------------------------------------------------------------------------------------------- refused

// animations[0] as /animations/0, mounts.idle as /mounts/idle. What lies below belongs to the place.
static bool is_at(const char *pointer, const char *place) {
    char wanted[128] = "/";
    size_t size = 1;
    for (const char *c = place; *c != '\0' && size + 1 < sizeof wanted; c++) {
        if (*c != ']') { wanted[size++] = *c == '[' || *c == '.' ? '/' : *c; }
    }
    return pointer != NULL && strncmp(pointer, wanted, size) == 0 && (pointer[size] == '\0' || pointer[size] == '/');
}

static bool names_place(const zo_diag *diag, const char *place) {
    if (strcmp(place, "pack") == 0) { return strcmp(diag->id, "petween/pack-object") == 0; }
    if (is_at(diag->place.pointer, place)) { return true; }
    // A member that is missing is reported at the object, and the id says which.
    const bool at_root = diag->place.pointer != NULL && diag->place.pointer[0] == '\0';
    return at_root && strncmp(diag->id, "petween/pack-", 13) == 0 && strcmp(diag->id + 13, place) == 0;
}

static bool all_places_named(vectors *v, uint32_t result, const char *name, const zo_report *report) {
    VECTORS_EACH(v->doc, place, vectors_member(v->doc, result, "where")) {
        const char *text = zb_arena_text(v->arena, zj_text(v->doc, place));
        bool named = false;
        for (uint32_t i = 0; i < zo_report_count(report); i++) {
            const zo_diag *diag = zo_report_at(report, i);
            named = named || (diag->severity == ZO_ERROR && names_place(diag, text));
        }
        if (!named) {
            vectors_fail(v, name, "no report names %s", text);
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------------ accepted

static void put_ids(zb_buffer *out, const zo_plan *plan, zo_plan_status status) {
    bool begun = false;
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        if (plan->entries[i].status == status) {
            zb_put(out, begun ? "," : "");
            zb_put_json_text(out, zb_text(plan->entries[i].final_id));
            begun = true;
        }
    }
}

static void put_quoted(zb_buffer *out, const char *before, const char *text) {
    zb_put(out, before);
    zb_put_json_text(out, zb_text(text));
}

// The plan in the form of the cases' results.
static zo_text result_text(zb_arena *arena, const zo_plan *plan) {
    static const char *const statuses[] = {"imported", "identical", "remapped"};
    zb_buffer out = zb_buffer_open(arena);
    put_quoted(&out, "{\"ok\":true,\"name\":", plan->name);
    put_quoted(&out, ",\"namespace\":", plan->pack_namespace);
    zb_put(&out, ",\"entries\":[");
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        const zo_plan_entry *e = &plan->entries[i];
        put_quoted(&out, i > 0 ? ",{\"requestedId\":" : "{\"requestedId\":", e->requested_id);
        put_quoted(&out, ",\"finalId\":", e->final_id);
        put_quoted(&out, ",\"status\":", statuses[e->status]);
        zb_put_char(&out, '}');
    }
    zb_put(&out, "],\"imported\":[");
    put_ids(&out, plan, ZO_PLAN_IMPORTED);
    zb_put(&out, "],\"renamed\":[");
    bool begun = false;
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        const zo_plan_entry *e = &plan->entries[i];
        if (e->status == ZO_PLAN_REMAPPED) {
            put_quoted(&out, begun ? ",{\"from\":" : "{\"from\":", e->requested_id);
            put_quoted(&out, ",\"to\":", e->final_id);
            zb_put_char(&out, '}');
            begun = true;
        }
    }
    zb_put(&out, "],\"skipped\":[");
    put_ids(&out, plan, ZO_PLAN_IDENTICAL);
    zb_put(&out, "],\"writes\":[");
    begun = false;
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        if (plan->entries[i].definition.size > 0) {
            zb_put(&out, begun ? "," : "");
            zb_put_text(&out, plan->entries[i].definition);
            begun = true;
        }
    }
    zb_put(&out, "],\"mounts\":");
    zb_put(&out, plan->mounts_json);
    zb_put(&out, ",\"warnings\":[]");
    if (plan->apply_patch_json != NULL) {
        zb_put(&out, ",\"applyPatch\":");
        zb_put(&out, plan->apply_patch_json);
    }
    zb_put(&out, "}");
    return (zo_text){out.data, out.size};
}

static bool same_content(zb_arena *arena, const zj_doc *a, uint32_t node_a, const zj_doc *b, uint32_t node_b) {
    zb_buffer text_a = zb_buffer_open(arena), text_b = zb_buffer_open(arena);
    zj_put_compact(&text_a, a, node_a, ZJ_ORDER_SCRIPT, (zj_stand_in){0});
    zj_put_compact(&text_b, b, node_b, ZJ_ORDER_SCRIPT, (zj_stand_in){0});
    return zb_text_equal((zo_text){text_a.data, text_a.size}, (zo_text){text_b.data, text_b.size});
}

// Each member of the expected object, in this form. `whole`: there are no others.
static bool is_result(vectors *v, const char *name, uint32_t expected, zo_text actual, bool whole) {
    const zj_doc *doc = zj_parse(v->arena, actual.data, actual.size, 0, NULL, NULL);
    if (doc == NULL) {
        vectors_fail(v, name, "the result is no JSON: %.*s", (int)actual.size, actual.data);
        return false;
    }
    VECTORS_EACH(v->doc, member, expected) {
        const zo_text key = zj_key(v->doc, member);
        const uint32_t other = zj_member(doc, ZJ_ROOT, key);
        if (other == 0 || !same_content(v->arena, v->doc, member, doc, other)) {
            const zo_text seen = other != 0 ? zj_source(doc, other) : ZB_TEXT("not there");
            vectors_fail(v, name, "%.*s is %.*s", (int)key.size, key.data, (int)seen.size, seen.data);
            return false;
        }
    }
    if (whole && zj_at(doc, ZJ_ROOT)->as.items.count != zj_at(v->doc, expected)->as.items.count) {
        vectors_fail(v, name, "the result has other members: %.*s", (int)actual.size, actual.data);
        return false;
    }
    return true;
}

static void import_case(vectors *v, uint32_t item, const char *name) {
    const uint32_t alternative = vectors_member(v->doc, item, "alternative");
    const uint32_t expected = alternative != 0 ? alternative : vectors_member(v->doc, item, "result");
    const bool whole = alternative == 0;
    const library l = library_of(v, item);
    zo_plan *plan = NULL;
    zo_report *report = NULL;
    const zo_text text = zj_source(v->doc, vectors_member(v->doc, item, "pack"));
    const zo_status status =
        plan_of(name, text, &l, whole ? ZO_PROFILE_ORIGINAL : ZO_PROFILE_DOCUMENT, &plan, &report);
    const bool partial = vectors_member(v->doc, expected, "ok") == 0;
    const bool ok = partial || vectors_true(v->doc, expected, "ok");
    if (ok != (status == ZO_OK) || ok != (plan != NULL)) {
        vectors_fail(v, name, ok ? "refused, but should be accepted" : "accepted, but should be refused");
    } else if (ok ? is_result(v, name, expected, result_text(v->arena, plan), whole)
                  : all_places_named(v, expected, name, report)) {
        vectors_pass(v);
    }
    zo_plan_free(plan);
    zo_report_free(report);
}

// ------------------------------------------------------------------------------------------------------------- exports

static bool is_reimport(vectors *v, const char *name, uint32_t expected, const zo_pack *pack, const library *l) {
    zo_plan *plan = NULL;
    const zo_status status = plan_of(name, pack->text, l, ZO_PROFILE_ORIGINAL, &plan, NULL);
    bool good = vectors_true(v->doc, expected, "ok") == (status == ZO_OK);
    uint32_t count = 0;
    VECTORS_EACH(v->doc, entry, vectors_member(v->doc, expected, "statuses")) {
        good = good && zb_text_equal(zj_text(v->doc, entry), ZB_TEXT("identical")) && count < plan->entry_count &&
               plan->entries[count].status == ZO_PLAN_IDENTICAL;
        count++;
    }
    good = good && plan->entry_count == count;
    zo_plan_free(plan);
    if (!good) { vectors_fail(v, name, "importing the export gives something else"); }
    return good;
}

static bool is_refusal(vectors *v, const char *name, uint32_t expected, const zo_pack *pack) {
    const char *error = pack->unknown_count > 0 ? "PACK_EXPORT_UNKNOWN" : "PACK_EXPORT_EMPTY";
    bool good = strcmp(vectors_text(v, expected, "error"), error) == 0;
    uint32_t count = 0;
    VECTORS_EACH(v->doc, id, vectors_member(v->doc, expected, "details")) {
        good = good && count < pack->unknown_count &&
               zb_text_equal(zj_text(v->doc, id), zb_text(pack->unknown[count]));
        count++;
    }
    good = good && count == pack->unknown_count;
    if (!good) { vectors_fail(v, name, "refused for another reason: %s", error); }
    return good;
}

static void export_case(vectors *v, uint32_t item, const char *name) {
    const uint32_t expected = vectors_member(v->doc, item, "result");
    const char *ids = vectors_text(v, vectors_member(v->doc, item, "export"), "ids");
    const library l = library_of(v, item);
    zo_pack *pack = NULL;
    const zo_status status = zo_pack_export(l.items, l.count, ids, NULL, NULL, &pack);
    const bool ok = vectors_true(v->doc, expected, "ok");
    if (pack == NULL || ok != (status == ZO_OK)) {
        vectors_fail(v, name, ok ? "refused, but should make a pack" : "makes a pack, but should be refused");
    } else if (!ok) {
        if (is_refusal(v, name, expected, pack)) { vectors_pass(v); }
    } else {
        const zj_doc *doc = zj_parse(v->arena, pack->text.data, pack->text.size, 0, NULL, NULL);
        const uint32_t wanted = vectors_member(v->doc, expected, "pack");
        if (doc == NULL || !same_content(v->arena, v->doc, wanted, doc, ZJ_ROOT)) {
            vectors_fail(v, name, "another pack: %.*s", (int)pack->text.size, pack->text.data);
        } else if (is_reimport(v, name, vectors_member(v->doc, expected, "reimport"), pack, &l)) {
            vectors_pass(v);
        }
    }
    zo_pack_free(pack);
}

void vectors_petween_packs(vectors *v) {
    VECTORS_EACH(v->doc, item, ZJ_ROOT) {
        const char *name = vectors_text(v, item, "name");
        const bool disputed = vectors_true(v->doc, item, "disputed");
        if (disputed && vectors_member(v->doc, item, "alternative") == 0) {
            vectors_skip(v, name, "disputed, and no outcome is agreed on");
        } else if (vectors_member(v->doc, item, "export") != 0) {
            export_case(v, item, name);
        } else {
            import_case(v, item, name);
        }
    }
}
