// What the sources of content.h share: memory of a thing, its sources, the library beside it. Included by these alone.
#ifndef HOST_CONTENT_INSIDE_H
#define HOST_CONTENT_INSIDE_H

#include "host/content.h"
#include "host/package.h"

// -------------------------------------------------------------------------------------------------------------- memory

// Pieces that are given back together. What could not be had is remembered.
typedef struct content_keep {
    struct content_piece *last;
    bool failed;
} content_keep;
void *content_take(content_keep *keep, size_t size); // zeroed; NULL: memory
char *content_copy(content_keep *keep, const char *text);
char *content_copy_bytes(content_keep *keep, const char *bytes, size_t size); // with a zero byte behind
char *content_words(content_keep *keep, const char *format, ...) __attribute__((format(printf, 2, 3)));
// An array that grows; the old memory stays until the end. false: memory.
bool content_grow(content_keep *keep, void **items, uint32_t count, uint32_t *capacity, size_t size);
void content_give_back(content_keep *keep);

// -------------------------------------------------------------------------------------------------------------- errors

store_status content_fail(store_error *error, store_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
store_status content_no_memory(store_error *error);
store_status content_said(const store_txn *txn, store_status status, store_error *error); // what the store said

// --------------------------------------------------------------------------------------------------------------- texts

// The string at a JSON Pointer if it is one of ASCII that fits, as all ids are; else there is nothing that it could
// name.
bool content_ascii_at(const zo_document *document, const char *pointer, char *text, size_t capacity);
// An id made of the name of a file: '/' becomes a dot, an ending ".json" goes, what no id may have becomes '-'. false:
// nothing is left.
bool content_id_of_name(const char *name, char id[STORE_ID_MAX + 1]);

// A reference is put to another id.
typedef struct content_renaming {
    store_area area;
    const char *from, *to;
} content_renaming;
// Renames what a petween configuration or pet refers to, pets among them; all else stays byte for byte.
zo_status content_rename(zo_document *document, const content_renaming *names, uint32_t count);

// -------------------------------------------------------------------------------------------------------------- things

typedef struct content_looked { // what a content_thing is within
    content_thing thing;    // first
    content_keep keep;
    content_def def;
    pet_package *package;   // that it came in
    archive *zip;           // or another archive, whose files are its own
    bool borrows_itself;    // what was compiled is in part its own: out of an archive, or mended
    store_use *uses;        // [thing.use_count]
    uint32_t use_capacity;
    bool open;              // it asked for what nobody had: what it compiles to may change with what is beside it
} content_looked;

// What is told of an animation, read off its document, so that it is the same wherever it comes from.
typedef struct content_told {
    const char *id;               // NULL: it has none
    const char *name, *kind, *text; // "" where there is none
    int64_t duration_ns;
} content_told;
// `value`: the definition in the document. `file`: its name. Texts are kept.
content_told content_tell_animation(content_keep *keep, const zo_document *document, uint32_t value,
                                    const char *file);

typedef enum content_wish { // bits
    CONTENT_WISH_NO_PROGRAM = 1,
    CONTENT_WISH_IMPORT = 2, // a pack is only told apart: it is judged where its import is planned
} content_wish;

typedef struct content_asking {
    store_txn *txn;     // NULL: nothing is beside
    store_area area;
    const char *id;     // of what is stored, which is not beside itself; NULL: none
    const char *format; // NULL: def's
    uint32_t wishes;
} content_asking;

// What may be the files of a thing: their names, sizes and bytes, before anything else is looked at.
store_status content_check_files(const store_file *files, uint32_t count, store_error *error);
store_status content_look_as(const content_asking *asking, const store_file *files, uint32_t count,
                             const content_def *def, content_thing **thing, store_error *error);

// Compiles thing->files, the first of which is read as `first`, with what they ask for: among them, then in the
// library, from where it becomes a use. Sets status, report and program.
store_status content_compile(content_looked *looked, const content_asking *asking, const zo_source *first,
                             const zo_compile_def *def, store_error *error);
// A document; NULL: it is no JSON, or there was no memory, which is remembered.
zo_document *content_open(content_keep *keep, const void *bytes, size_t size);
// The text as it would be written today if it is of older rules, kept; else itself.
zo_text content_mended(content_keep *keep, const void *bytes, size_t size);

// The word for how something was compiled, with what it was compiled with; "": it is not to be kept. false: the store's
// error is set.
enum { CONTENT_HOW_MAX = 160 };
store_status content_how(store_txn *txn, const content_def *def, const char *format, const store_use *uses,
                         uint32_t count, char how[CONTENT_HOW_MAX], store_error *error);

#endif
