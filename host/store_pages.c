// See store_pages.h. The form of the file is that which SQLite documents as its file format.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/store_db.h"
#include "host/store_pages.h"

enum {
    PAGE_MIN = 512, PAGE_MAX = 65536, PAGE_USUAL = 4096, LOG_HEAD = 32, FRAME_HEAD = 24, CLAIMS_MAX = 3,
    INDEX_INNER = 2, INDEX_LEAF = 10, TABLE_LEAF = 13,
};

struct store_pages {
    sqlite3_file *file;
    int log;
    uint32_t size, usable; // bytes of a page, and of those that are in use
    uint32_t count;        // pages
    uint64_t *in_log;      // [count + 1] place in the log of the page's newest form; 0: it has none there
    uint8_t *claims;       // [count + 1] how often an overflowing row said that the page is its own; 255: it is free
    uint8_t *page, *over;  // [size]
    uint8_t *row;          // a row that does not fit on its page
    size_t row_room;
};

static uint32_t get16(const uint8_t *at) { return (uint32_t)at[0] << 8 | at[1]; }
static uint32_t get32(const uint8_t *at) { return get16(at) << 16 | get16(at + 2); }

static bool is_page_size(uint32_t size) { return size >= PAGE_MIN && size <= PAGE_MAX && (size & (size - 1)) == 0; }

// Reads exactly `size` bytes; false: they are not all there, or the disk does not give them.
static bool read_at(int descriptor, void *to, size_t size, uint64_t place) {
    uint8_t *out = to;
    while (size > 0) {
        const ssize_t got = pread(descriptor, out, size, (off_t)place);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return false; }
        out += got;
        size -= (size_t)got;
        place += (uint64_t)got;
    }
    return true;
}

static bool read_page(const store_pages *p, uint32_t number, uint8_t *to) {
    if (number == 0 || number > p->count) { return false; }
    if (p->in_log[number] != 0) { return read_at(p->log, to, p->size, p->in_log[number]); }
    return p->file->pMethods->xRead(p->file, to, (int)p->size, (sqlite3_int64)(number - 1) * p->size) == SQLITE_OK;
}

// ------------------------------------------------------------------------------------------------------------- the log

// The sum that SQLite keeps over a log, of words in the order that the log's head says.
static void add_sum(uint32_t sum[2], const uint8_t *bytes, size_t size, bool big) {
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint32_t words[2];
        for (unsigned k = 0; k < 2; k++) {
            const uint8_t *at = bytes + i + 4 * k;
            words[k] = big ? get32(at)
                           : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | (uint32_t)at[0];
        }
        sum[0] += words[0] + sum[1];
        sum[1] += words[1] + sum[0];
    }
}

typedef struct log_walk {
    uint8_t head[LOG_HEAD];
    uint32_t sum[2];
    uint64_t place; // of the next frame
    bool big;
} log_walk;

// False: there is no log, or none of pages of this size.
static bool start_log(const store_pages *p, log_walk *walk) {
    if (p->log < 0 || !read_at(p->log, walk->head, LOG_HEAD, 0)) { return false; }
    const uint32_t magic = get32(walk->head);
    walk->big = magic == 0x377F0683;
    if ((magic != 0x377F0682 && !walk->big) || get32(walk->head + 8) != p->size) { return false; }
    walk->sum[0] = walk->sum[1] = 0;
    add_sum(walk->sum, walk->head, 24, walk->big);
    walk->place = LOG_HEAD;
    return walk->sum[0] == get32(walk->head + 24) && walk->sum[1] == get32(walk->head + 28);
}

// The next frame that belongs to the log: its page's number, and how many pages the file has after it, when it ends a
// transaction. False: there is none.
static bool next_frame(const store_pages *p, log_walk *walk, uint32_t *number, uint32_t *count) {
    uint8_t head[FRAME_HEAD];
    if (!read_at(p->log, head, sizeof head, walk->place)) { return false; }
    if (!read_at(p->log, p->over, p->size, walk->place + FRAME_HEAD)) { return false; }
    if (memcmp(head + 8, walk->head + 16, 8) != 0) { return false; } // of an older log
    add_sum(walk->sum, head, 8, walk->big);
    add_sum(walk->sum, p->over, p->size, walk->big);
    if (walk->sum[0] != get32(head + 16) || walk->sum[1] != get32(head + 20)) { return false; }
    walk->place += FRAME_HEAD + p->size;
    *number = get32(head);
    *count = get32(head + 4);
    return *number != 0;
}

// ------------------------------------------------------------------------------------------------------------- opening

static void pick_sizes(store_pages *p, const uint8_t head[100], uint64_t size) {
    uint8_t log[LOG_HEAD];
    uint32_t page = get16(head + 16);
    page = page == 1 ? PAGE_MAX : page;
    if (!is_page_size(page)) {
        page = p->log >= 0 && read_at(p->log, log, sizeof log, 0) ? get32(log + 8) : 0;
        page = is_page_size(page) ? page : PAGE_USUAL;
    }
    p->size = page;
    p->usable = page - (head[20] <= 32 ? head[20] : 0);
    const uint64_t pages = size / page; // the rest is the beginning of a page that is not there
    p->count = pages < UINT32_MAX - 1 ? (uint32_t)pages : UINT32_MAX - 1;
}

// Where the log has pages. What follows the end of the last whole transaction is not looked at.
static bool read_log(store_pages *p) {
    log_walk walk;
    uint32_t number = 0, count = 0, last = 0;
    uint64_t end = 0;
    if (start_log(p, &walk)) {
        while (next_frame(p, &walk, &number, &count)) {
            if (count != 0) {
                end = walk.place;
                last = count;
            }
        }
    }
    // A file cannot have more pages than the two have room for.
    const uint64_t most = (uint64_t)p->count + end / p->size;
    if (end > 0 && last <= most) { p->count = last; }
    p->in_log = calloc((size_t)p->count + 1, sizeof *p->in_log);
    p->claims = calloc((size_t)p->count + 1, 1);
    if (p->in_log == NULL || p->claims == NULL) { return false; }
    if (end == 0 || !start_log(p, &walk)) { return true; }
    while (walk.place < end) {
        const uint64_t place = walk.place + FRAME_HEAD;
        if (!next_frame(p, &walk, &number, &count)) { break; }
        if (number <= p->count) { p->in_log[number] = place; }
    }
    return true;
}

// Marks the pages that the file has set aside; when their list is not what it says of itself, none.
static void mark_free(store_pages *p) {
    if (!read_page(p, 1, p->page)) { return; }
    uint32_t trunk = get32(p->page + 32), marked = 0;
    const uint32_t told = get32(p->page + 36);
    bool right = told < p->count;
    while (right && trunk != 0) {
        right = trunk > 1 && trunk <= p->count && p->claims[trunk] == 0 && read_page(p, trunk, p->page);
        if (!right) { break; }
        p->claims[trunk] = 255;
        marked++;
        const uint32_t leaves = get32(p->page + 4);
        right = leaves <= p->usable / 4 - 2;
        for (uint32_t i = 0; right && i < leaves; i++) {
            const uint32_t leaf = get32(p->page + 8 + 4 * i);
            right = leaf > 1 && leaf <= p->count && p->claims[leaf] == 0;
            if (right) { p->claims[leaf] = 255; }
            marked++;
        }
        trunk = get32(p->page);
    }
    if (!right || marked != told) { memset(p->claims, 0, (size_t)p->count + 1); }
}

store_status store_pages_open(sqlite3_file *file, int log, store_pages **result, store_error *error) {
    sqlite3_int64 size = 0;
    uint8_t head[100] = {0};
    *result = NULL;
    *error = (store_error){0};
    if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) {
        return db_tell(error, STORE_IO, "the file cannot be read");
    }
    if (file->pMethods->xRead(file, head, sizeof head, 0) != SQLITE_OK) { memset(head, 0, sizeof head); }
    store_pages *p = calloc(1, sizeof *p);
    if (p == NULL) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
    p->file = file;
    p->log = log;
    pick_sizes(p, head, (uint64_t)size);
    p->page = malloc(p->size);
    p->over = malloc(p->size);
    if (p->page == NULL || p->over == NULL || !read_log(p)) {
        store_pages_close(p);
        return db_tell(error, STORE_NO_MEMORY, "there is not enough memory");
    }
    mark_free(p);
    *result = p;
    return STORE_OK;
}

void store_pages_close(store_pages *p) {
    if (p == NULL) { return; }
    free(p->in_log);
    free(p->claims);
    free(p->page);
    free(p->over);
    free(p->row);
    free(p);
}

// ---------------------------------------------------------------------------------------------------------------- rows

typedef struct piece { // bytes that are read one behind the other
    const uint8_t *at, *end;
} piece;

static bool take_number(piece *from, uint64_t *number) {
    *number = 0;
    for (unsigned i = 0; i < 9 && from->at < from->end; i++) {
        const uint8_t byte = *from->at++;
        if (i == 8) {
            *number = *number << 8 | byte;
            return true;
        }
        *number = *number << 7 | (byte & 0x7F);
        if (byte < 0x80) { return true; }
    }
    return false;
}

// How many bytes a value of that type takes, by the format's table; false: there is none such.
static bool size_of(uint64_t type, uint64_t *size) {
    static const uint8_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type == 10 || type == 11) { return false; }
    *size = type < 10 ? sizes[type] : (type - 12) / 2;
    return true;
}

static pages_value value_of(uint64_t type, const uint8_t *at, size_t size) {
    if (type == 0) { return (pages_value){.type = 'n'}; }
    if (type == 7) { return (pages_value){.type = 'r'}; }
    if (type == 8 || type == 9) { return (pages_value){.type = 'i', .number = (int64_t)type - 8}; }
    if (type >= 12) { return (pages_value){.type = type % 2 == 0 ? 'b' : 't', .bytes = at, .size = size}; }
    uint64_t number = at[0] >= 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < size; i++) { number = number << 8 | at[i]; }
    return (pages_value){.type = 'i', .number = (int64_t)number};
}

// Takes a record apart. `whole` is how long it says that it is; what is beyond `size` could not be read.
static bool read_record(const uint8_t *bytes, size_t size, uint64_t whole, pages_row *row) {
    piece head = {bytes, bytes + size};
    uint64_t head_size = 0, type = 0, value_size = 0;
    if (!take_number(&head, &head_size) || head_size > size) { return false; }
    head.end = bytes + head_size;
    uint64_t at = head_size;
    for (row->count = 0; head.at < head.end; row->count++) {
        if (row->count == PAGES_COLUMNS_MAX || !take_number(&head, &type) || !size_of(type, &value_size) ||
            value_size > whole - at) {
            return false;
        }
        pages_value *value = &row->values[row->count];
        *value = (pages_value){.type = '-'};
        if (at + value_size <= size) { *value = value_of(type, bytes + at, (size_t)value_size); }
        at += value_size;
    }
    return true;
}

// The record of a cell, put together from where it overflowed to. *got: how much of it could be read.
static const uint8_t *gather(store_pages *p, const uint8_t *at, const uint8_t *end, uint64_t whole, bool is_table,
                             size_t *got, bool *memory) {
    const uint64_t room = p->usable, least = (room - 12) * 32 / 255 - 23;
    const uint64_t most = is_table ? room - 35 : (room - 12) * 64 / 255 - 23;
    uint64_t here = whole;
    if (whole > most) {
        const uint64_t even = least + (whole - least) % (room - 4);
        here = even <= most ? even : least;
    }
    *got = 0;
    if (here + (whole > here ? 4 : 0) > (uint64_t)(end - at)) { return NULL; }
    *got = (size_t)here;
    if (whole == here) { return at; }
    if (whole / room > p->count) { return at; } // more than there is
    if (p->row_room < whole) {
        free(p->row);
        p->row = malloc((size_t)whole);
        p->row_room = p->row != NULL ? (size_t)whole : 0;
        *memory = p->row != NULL;
        if (!*memory) { return NULL; }
    }
    memcpy(p->row, at, (size_t)here);
    // A page belongs to one row; a damaged cell may claim it too, but not all of them all again.
    for (uint32_t next = get32(at + here); *got < whole;) {
        if (next < 2 || next > p->count || p->claims[next] >= CLAIMS_MAX || !read_page(p, next, p->over)) { break; }
        p->claims[next]++;
        const uint64_t left = whole - *got, some = left < room - 4 ? left : room - 4;
        memcpy(p->row + *got, p->over + 4, (size_t)some);
        *got += (size_t)some;
        next = get32(p->over);
    }
    return p->row;
}

store_status store_pages_each(store_pages *p, bool (*take)(void *context, const pages_row *row), void *context,
                              store_error *error) {
    *error = (store_error){0};
    for (uint32_t number = 1; number <= p->count; number++) {
        if (p->claims[number] == 255 || !read_page(p, number, p->page)) { continue; }
        const uint8_t *head = p->page + (number == 1 ? 100 : 0), *end = p->page + p->usable;
        const uint8_t kind = head[0];
        if (kind != TABLE_LEAF && kind != INDEX_LEAF && kind != INDEX_INNER) { continue; }
        const uint8_t *pointers = head + (kind == INDEX_INNER ? 12 : 8);
        const uint32_t cells = get16(head + 3);
        if (cells > (uint32_t)(end - pointers) / 2) { continue; }
        for (uint32_t i = 0; i < cells; i++) {
            const uint32_t place = get16(pointers + 2 * i);
            if (p->page + place < pointers + 2 * cells || place >= p->usable) { continue; }
            piece cell = {p->page + place, end};
            uint64_t whole = 0, key = 0;
            pages_row row = {.keyed = kind == TABLE_LEAF};
            if (kind == INDEX_INNER) { cell.at += end - cell.at < 4 ? end - cell.at : 4; }
            if (!take_number(&cell, &whole) || (row.keyed && !take_number(&cell, &key))) { continue; }
            if (whole < 1 || whole > STORE_FILE_MAX + PAGE_MAX) { continue; }
            size_t got = 0;
            bool memory = true;
            const uint8_t *record = gather(p, cell.at, cell.end, whole, row.keyed, &got, &memory);
            if (!memory) { return db_tell(error, STORE_NO_MEMORY, "there is not enough memory"); }
            row.key = (int64_t)key;
            if (record == NULL || !read_record(record, got, whole, &row)) { continue; }
            if (!take(context, &row)) { return STORE_OK; }
        }
    }
    return STORE_OK;
}
