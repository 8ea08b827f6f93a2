// What `zoetrope library` tells of a library in a file: list, show, history. Reads and changes nothing.
#include <stdlib.h>
#include <string.h>

#include "library.h"

// ------------------------------------------------------------------------------------------------------- of one thing

static const char *format_of(const store_item *item) {
    return item->format[0] != 0 ? item->format : cli_area_name(item->area);
}

static const char *kind_of(const store_item *item) { // "": the format says as much
    return strcmp(item->kind, item->format) != 0 ? item->kind : "";
}

// How long it is, or how large: what fits its kind. "": nothing does.
static cli_amount measure_of(const store_item *item) {
    cli_amount amount = {""};
    if (item->area == STORE_ASSET && item->number_a > 0) {
        snprintf(amount.text, sizeof amount.text, "%lldx%lld", (long long)item->number_a, (long long)item->number_b);
    } else if (item->area == STORE_ITEM && item->number_a > 0) {
        char ms[32];
        cli_number_text((double)item->number_a / 1e6, ms);
        snprintf(amount.text, sizeof amount.text, "%.27s ms", ms);
    } else if (item->file_count > 1) {
        snprintf(amount.text, sizeof amount.text, "%u files", item->file_count);
    }
    return amount;
}

// The members of an item, into an object that is open.
static void json_item(cli_json *json, const store_item *item) {
    cli_library_json_id(json, item->area, item->id);
    cli_json_text(json, "format", item->format);
    cli_json_text(json, "kind", item->kind);
    cli_json_text(json, "name", item->name);
    if (item->area == STORE_ASSET && item->number_a > 0) {
        cli_json_number(json, "width", (double)item->number_a);
        cli_json_number(json, "height", (double)item->number_b);
    } else if (item->area == STORE_ITEM && item->number_a > 0) {
        cli_json_ms(json, "durationMs", item->number_a);
    }
    cli_json_number(json, "revision", (double)item->revision);
    cli_json_number(json, "version", (double)item->version);
    cli_json_time(json, "created", item->created_ms);
    cli_json_time(json, "updated", item->updated_ms);
    cli_json_text(json, "origin", item->origin);
    cli_json_number(json, "size", (double)item->size);
    cli_json_number(json, "fileCount", (double)item->file_count);
    cli_json_text(json, "hash", item->hash);
}

// ---------------------------------------------------------------------------------------------------------------- list

typedef struct widths { int id, format, kind, measure; } widths;

enum { ID_MAX = 44, FORMAT_MAX = 34, KIND_MAX = 16 }; // columns that are wider take none of the others with them

static void widen(int *width, const char *text, int most) {
    const int size = (int)strlen(text);
    if (size > *width && size <= most) { *width = size; }
}

// Things of other areas than the usual one are named with it, as the verbs take them.
static const char *id_of(const store_item *item, char text[STORE_ID_MAX + 16]) {
    const char *area = item->area == STORE_ITEM ? "" : cli_area_name(item->area);
    snprintf(text, STORE_ID_MAX + 16, "%s%s%s", area, area[0] != 0 ? "/" : "", item->id);
    return text;
}

static void print_row(const store_item *item, const widths *w) {
    char id[STORE_ID_MAX + 16], line[STORE_ID_MAX + 256];
    const cli_amount measure = measure_of(item);
    snprintf(line, sizeof line, "%-*s  %-*s  %-*s%s%*s", w->id, id_of(item, id), w->format, format_of(item), w->kind,
             kind_of(item), w->kind > 0 ? "  " : "", w->measure, measure.text);
    size_t size = strlen(line);
    if (item->name[0] == 0) { // no spaces at the end
        while (size > 0 && line[size - 1] == ' ') { line[--size] = 0; }
    }
    cli_put_plain(stdout, line);
    if (item->name[0] != 0) { fputs("  ", stdout); }
    cli_put_plain(stdout, item->name);
    putchar('\n');
}

// The words of the command line as one query; free it. NULL: memory, said.
static char *query_of(const library_job *j) {
    size_t size = 1;
    for (uint32_t i = 0; i < cli_library_count(j); i++) { size += strlen(cli_library_word(j, i)) + 1; }
    char *query = calloc(size, 1);
    for (uint32_t i = 0; query != NULL && i < cli_library_count(j); i++) {
        strcat(query, cli_library_word(j, i));
        strcat(query, " ");
    }
    if (query == NULL) { cli_say("not enough memory"); }
    return query;
}

// All pages; what they hold lives as long as the transaction. Free the list.
typedef struct pages {
    store_page *items;
    uint32_t count, capacity;
} pages;

static int read_pages(library_job *j, const store_filter *filter, pages *list) {
    const char *cursor = NULL;
    do {
        if (list->count == list->capacity) {
            const uint32_t capacity = list->capacity * 2 + 16;
            store_page *more = realloc(list->items, capacity * sizeof *more);
            if (more == NULL) {
                cli_say("not enough memory");
                return CLI_INTERNAL;
            }
            list->items = more;
            list->capacity = capacity;
        }
        store_page *page = &list->items[list->count];
        if (store_list(j->txn, filter, cursor, STORE_PAGE_MAX, page) != STORE_OK) { return cli_library_failed(j); }
        list->count++;
        cursor = page->next;
    } while (cursor != NULL);
    return CLI_FINE;
}

static void print_pages(const library_job *j, const pages *list) {
    widths w = {0};
    uint32_t count = 0;
    for (uint32_t p = 0; p < list->count; p++) {
        for (uint32_t i = 0; i < list->items[p].count; i++, count++) {
            const store_item *item = &list->items[p].items[i];
            char id[STORE_ID_MAX + 16];
            widen(&w.id, id_of(item, id), ID_MAX);
            widen(&w.format, format_of(item), FORMAT_MAX);
            widen(&w.kind, kind_of(item), KIND_MAX);
            widen(&w.measure, measure_of(item).text, (int)sizeof(cli_amount));
        }
    }
    for (uint32_t p = 0; p < list->count; p++) {
        for (uint32_t i = 0; i < list->items[p].count; i++) { print_row(&list->items[p].items[i], &w); }
    }
    if (count == 0 && !j->quiet) { cli_say("nothing is there%s", cli_library_count(j) > 0 ? " with these words" : ""); }
}

static void json_pages(const library_job *j, const pages *list) {
    cli_json json;
    cli_library_open_json(j, &json);
    cli_json_open(&json, "things", '[');
    for (uint32_t p = 0; p < list->count; p++) {
        for (uint32_t i = 0; i < list->items[p].count; i++) {
            cli_json_open_inline(&json, NULL, '{');
            json_item(&json, &list->items[p].items[i]);
            cli_json_close(&json, '}');
        }
    }
    cli_json_close(&json, ']');
    cli_library_close_json(&json);
}

int cli_library_list(library_job *j) {
    int code = cli_library_begin(j, STORE_READ);
    char *query = code == CLI_FINE ? query_of(j) : NULL;
    if (code == CLI_FINE && query == NULL) { code = CLI_INTERNAL; }
    if (code != CLI_FINE) { return code; }
    const store_filter filter = {.format = j->def.format, .query = cli_library_count(j) > 0 ? query : NULL};
    pages list = {0};
    code = read_pages(j, &filter, &list);
    if (code == CLI_FINE && j->json) { json_pages(j, &list); }
    if (code == CLI_FINE && !j->json) { print_pages(j, &list); }
    free(list.items);
    free(query);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------- show

typedef struct seen { // a thing, or a revision of it
    cli_thing thing;
    bool past;        // not what is there now
    const store_file *files;
    uint32_t file_count;
    const store_use *uses, *users; // of what is there now
    uint32_t use_count, user_count;
} seen;

// The past of the thing at that revision.
static int find_past(library_job *j, const cli_thing *thing, int64_t revision, store_past *found) {
    const store_past *past;
    uint32_t count = 0;
    const store_status status = store_history(j->txn, thing->area, thing->id, revision + 1, 1, &past, &count);
    if (status != STORE_OK) { return cli_library_failed(j); }
    if (count > 0 && past[0].item.revision == revision) {
        *found = past[0];
        return CLI_FINE;
    }
    store_error error = {.status = STORE_NOT_FOUND};
    snprintf(error.text, sizeof error.text, "'%.200s' has no revision %lld; 'zoetrope library history %.200s' lists "
             "those that it has", thing->id, (long long)revision, thing->id);
    return cli_library_refuse(j, &error);
}

static int look_at(library_job *j, const char *word, int64_t revision, seen *s) {
    *s = (seen){0};
    int code = cli_library_find(j, word, revision > 0, &s->thing);
    if (code != CLI_FINE) { return code; }
    cli_thing *thing = &s->thing;
    s->past = revision > 0 && (!thing->there || revision != thing->item.revision);
    if (s->past) {
        store_past past = {0};
        code = find_past(j, thing, revision, &past);
        if (code != CLI_FINE) { return code; }
        thing->item = past.item;
        thing->action = past.action;
        thing->when_ms = past.when_ms;
        return store_past_files(j->txn, thing->area, thing->id, revision, false, &s->files, &s->file_count) == STORE_OK
                   ? CLI_FINE : cli_library_failed(j);
    }
    const bool fine =
        store_files(j->txn, thing->area, thing->id, false, &s->files, &s->file_count) == STORE_OK &&
        store_uses(j->txn, thing->area, thing->id, &s->uses, &s->use_count) == STORE_OK &&
        store_users(j->txn, thing->area, thing->id, &s->users, &s->user_count) == STORE_OK;
    return fine ? CLI_FINE : cli_library_failed(j);
}

static void print_uses(const char *title, const store_use *uses, uint32_t count, bool users) {
    int width = 0, role_width = 0;
    char id[STORE_ID_MAX + 16];
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const store_use *use = &uses[i];
            snprintf(id, sizeof id, "%s/%.*s", cli_area_name(users ? use->from_area : use->to_area), STORE_ID_MAX,
                     users ? use->from : use->to);
            if (pass == 0) {
                widen(&width, id, ID_MAX);
                widen(&role_width, use->role, KIND_MAX);
                continue;
            }
            const int size = (int)strlen(id);
            printf("  %-10s  ", i == 0 ? title : "");
            cli_put_plain(stdout, id);
            printf("%*s  %-*s  ", size < width ? width - size : 0, "", role_width, use->role);
            cli_put_plain(stdout, use->where);
            putchar('\n');
        }
    }
}

static void print_files(const seen *s) {
    int width = 0, size_width = 0;
    for (uint32_t i = 0; i < s->file_count; i++) {
        widen(&width, s->files[i].name, 60);
        widen(&size_width, cli_bytes_text(s->files[i].size).text, 32);
    }
    for (uint32_t i = 0; i < s->file_count; i++) {
        const int size = (int)strlen(s->files[i].name);
        printf("  %-10s  ", i == 0 ? s->file_count == 1 ? "file" : "files" : "");
        cli_put_plain(stdout, s->files[i].name);
        printf("%*s%*s  %.12s\n", (size < width ? width - size : 0) + (width > 0 ? 2 : 0), "", size_width,
               cli_bytes_text(s->files[i].size).text, s->files[i].hash);
    }
}

static void print_seen(const seen *s) {
    const store_item *item = &s->thing.item;
    fputs(item->id, stdout);
    if (item->name[0] != 0) {
        fputs("  \"", stdout);
        cli_put_plain(stdout, item->name);
        putchar('"');
    }
    printf("\n  %-10s  %s%s%s\n", "format", format_of(item), kind_of(item)[0] != 0 ? ", " : "", kind_of(item));
    if (item->area == STORE_ITEM && item->number_a > 0) {
        printf("  %-10s  %s\n", "duration", measure_of(item).text);
    } else if (item->area == STORE_ASSET && item->number_a > 0) {
        printf("  %-10s  %s\n", "pixels", measure_of(item).text);
    }
    printf("  %-10s  %lld, its %lld%s version%s\n", "revision", (long long)item->revision, (long long)item->version,
           item->version % 100 / 10 == 1 ? "th" : item->version % 10 == 1 ? "st" : item->version % 10 == 2 ? "nd"
                                              : item->version % 10 == 3 ? "rd" : "th",
           s->past ? s->thing.action == STORE_DELETED ? "; then it was removed" : "; not what is there now" : "");
    printf("  %-10s  %s\n", "created", cli_local_time(item->created_ms).text);
    printf("  %-10s  %s\n", "changed", cli_local_time(item->updated_ms).text);
    if (item->origin[0] != 0) {
        printf("  %-10s  ", "from");
        cli_put_plain(stdout, item->origin);
        putchar('\n');
    }
    print_uses("uses", s->uses, s->use_count, false);
    print_uses("used by", s->users, s->user_count, true);
    print_files(s);
}

static void json_uses(cli_json *json, const char *key, const store_use *uses, uint32_t count, bool users) {
    cli_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++) {
        cli_json_open_inline(json, NULL, '{');
        cli_library_json_id(json, users ? uses[i].from_area : uses[i].to_area, users ? uses[i].from : uses[i].to);
        cli_json_text(json, "where", uses[i].where);
        cli_json_text(json, "role", uses[i].role);
        cli_json_bool(json, "needed", uses[i].needed);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void json_seen(cli_json *json, const seen *s) {
    cli_json_open(json, NULL, '{');
    json_item(json, &s->thing.item);
    cli_json_bool(json, "current", !s->past);
    cli_json_open(json, "files", '[');
    for (uint32_t i = 0; i < s->file_count; i++) {
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "name", s->files[i].name);
        cli_json_number(json, "size", (double)s->files[i].size);
        cli_json_text(json, "sha256", s->files[i].hash);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    if (!s->past) {
        json_uses(json, "uses", s->uses, s->use_count, false);
        json_uses(json, "usedBy", s->users, s->user_count, true);
    }
    cli_json_close(json, '}');
}

// The library itself.
static int show_library(library_job *j) {
    static const char *const many[STORE_AREA_COUNT] = {NULL, "items", "pets", "configs", "assets"};
    uint64_t counts[STORE_AREA_COUNT] = {0};
    int64_t revision = 0;
    cli_json json;
    bool fine = store_revision(j->txn, &revision) == STORE_OK;
    for (int area = STORE_ITEM; fine && area < STORE_AREA_COUNT; area++) {
        const store_filter filter = {.area = (store_area)area};
        fine = store_count(j->txn, &filter, &counts[area]) == STORE_OK;
    }
    if (!fine) { return cli_library_failed(j); }
    if (j->json) {
        cli_library_open_json(j, &json);
        cli_json_text(&json, "libraryId", store_library_id(j->file));
        cli_json_number(&json, "revision", (double)revision);
        for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
            cli_json_number(&json, many[area], (double)counts[area]);
        }
        cli_library_close_json(&json);
        return CLI_FINE;
    }
    cli_put_plain(stdout, j->path);
    printf("\n  %-10s  %lld\n  %-10s  %s\n", "revision", (long long)revision, "library id",
           store_library_id(j->file));
    for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
        printf("  %-10s  %llu\n", many[area], (unsigned long long)counts[area]);
    }
    return CLI_FINE;
}

int cli_library_show(library_job *j) {
    int64_t revision;
    const uint32_t count = cli_library_count(j);
    if (!cli_library_revision(j, &revision)) { return CLI_USAGE; }
    if (revision > 0 && count != 1) { return cli_usage(j->args, "--revision is of one thing, which wants an id"); }
    int code = cli_library_begin(j, STORE_READ);
    if (code != CLI_FINE || count == 0) { return code != CLI_FINE ? code : show_library(j); }
    seen *all = calloc(count, sizeof *all);
    if (all == NULL) {
        cli_say("not enough memory");
        return CLI_INTERNAL;
    }
    for (uint32_t i = 0; code == CLI_FINE && i < count; i++) {
        code = look_at(j, cli_library_word(j, i), revision, &all[i]);
    }
    if (code == CLI_FINE && j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_open(&json, "things", '[');
        for (uint32_t i = 0; i < count; i++) { json_seen(&json, &all[i]); }
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
    }
    for (uint32_t i = 0; code == CLI_FINE && !j->json && i < count; i++) {
        if (i > 0) { putchar('\n'); }
        print_seen(&all[i]);
    }
    free(all);
    return code;
}

// ------------------------------------------------------------------------------------------------------------- history

enum { HISTORY_PAGE = 1000 };

static const char *action_name(store_action action) {
    switch (action) {
    case STORE_CREATED: return "created";
    case STORE_CHANGED: return "changed";
    case STORE_DELETED: return "removed";
    case STORE_RESTORED: return "restored";
    }
    return "?";
}

// Colour is on the number, which is what one copies.
static void print_number(const library_job *j, int64_t revision) {
    const bool color = cli_use_color(j->args, stdout);
    printf("%s%7lld%s", color ? "\033[33m" : "", (long long)revision, color ? "\033[m" : "");
}

static void print_past(const library_job *j, const store_past *past) {
    print_number(j, past->item.revision);
    printf("  %s  %s", cli_local_time(past->when_ms).text, action_name(past->action));
    if (past->action != STORE_DELETED) {
        printf("%*s%10s  %.12s", past->action == STORE_RESTORED ? 2 : 3, "", cli_bytes_text(past->item.size).text,
               past->item.hash);
    }
    putchar('\n');
}

static void json_past(cli_json *json, const store_past *past) {
    cli_json_open_inline(json, NULL, '{');
    cli_json_number(json, "revision", (double)past->item.revision);
    cli_json_text(json, "change", action_name(past->action));
    cli_json_time(json, "when", past->when_ms);
    cli_json_text(json, "name", past->item.name);
    cli_json_number(json, "size", (double)past->item.size);
    cli_json_text(json, "hash", past->item.hash);
    cli_json_close(json, '}');
}

// A document that has begun cannot become another one.
static int broke_off(library_job *j) {
    j->json = false;
    return cli_library_failed(j);
}

static int thing_history(library_job *j, cli_json *json) {
    cli_thing thing;
    const int code = cli_library_find(j, cli_library_word(j, 0), true, &thing);
    if (code != CLI_FINE) { return code; }
    if (j->json) {
        cli_library_open_json(j, json);
        cli_library_json_id(json, thing.area, thing.id);
        cli_json_open(json, "history", '[');
    }
    const store_past *past;
    uint32_t count = HISTORY_PAGE;
    for (int64_t before = 0; count == HISTORY_PAGE; before = past[count - 1].item.revision) {
        if (store_history(j->txn, thing.area, thing.id, before, HISTORY_PAGE, &past, &count) != STORE_OK) {
            return broke_off(j);
        }
        for (uint32_t i = 0; i < count; i++) {
            if (j->json) {
                json_past(json, &past[i]);
            } else {
                print_past(j, &past[i]);
            }
        }
    }
    return CLI_FINE;
}

static void print_change(const library_job *j, const store_change *change) {
    print_number(j, change->revision);
    printf("  %s  %-8s  ", cli_local_time(change->when_ms).text, action_name(change->action));
    if (change->area != STORE_ITEM) { printf("%s/", cli_area_name(change->area)); }
    puts(change->id);
}

static void json_change(cli_json *json, const store_change *change) {
    cli_json_open_inline(json, NULL, '{');
    cli_json_number(json, "revision", (double)change->revision);
    cli_json_text(json, "change", action_name(change->action));
    cli_json_time(json, "when", change->when_ms);
    cli_library_json_id(json, change->area, change->id);
    cli_json_close(json, '}');
}

// The newest first, a stretch of numbers at a time: the store tells them the oldest first.
static int whole_history(library_job *j, cli_json *json) {
    int64_t last;
    if (store_revision(j->txn, &last) != STORE_OK) { return cli_library_failed(j); }
    if (j->json) {
        cli_library_open_json(j, json);
        cli_json_open(json, "history", '[');
    }
    for (; last > 0; last -= HISTORY_PAGE) {
        const store_change *changes;
        uint32_t count = 0;
        const int64_t after = last > HISTORY_PAGE ? last - HISTORY_PAGE : 0;
        if (store_changes(j->txn, after, HISTORY_PAGE, &changes, &count) != STORE_OK) { return broke_off(j); }
        while (count > 0 && changes[count - 1].revision > last) { count--; } // of the stretch behind
        for (uint32_t i = count; i > 0; i--) {
            if (j->json) {
                json_change(json, &changes[i - 1]);
            } else {
                print_change(j, &changes[i - 1]);
            }
        }
    }
    return CLI_FINE;
}

int cli_library_history(library_job *j) {
    cli_json json;
    int code = cli_library_begin(j, STORE_READ);
    if (code == CLI_FINE) { code = cli_library_count(j) > 0 ? thing_history(j, &json) : whole_history(j, &json); }
    if (code == CLI_FINE && j->json) {
        cli_json_close(&json, ']');
        cli_library_close_json(&json);
    }
    return code;
}
