// What the verbs of `zoetrope library` share: where the library is, how it is opened, how things in it are named and
// told of. A library is a file (host/store.h) or, with --dir, a folder of animations (folder.h).
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include "folder.h"
#include "host/content.h"
#include "host/json.h"
#include "load.h"

typedef struct library_job library_job;

typedef struct cli_verb {
    const char *name;
    const char *options;      // that it takes besides what all do: " ids name out "
    const char *file_options; // and those that it takes of a library in a file alone
    bool write, makes;        // it changes the library; and makes it where there is none
    uint32_t least, most;     // operands behind its name
    uint32_t folder_most;     // the same of a library in a folder
    const char *wants;
    int (*in_file)(library_job *j);
    int (*in_folder)(library_job *j); // NULL: of files only
} cli_verb;

struct library_job {
    const cli_args *args;
    const cli_verb *verb;
    char *path;  // of the file or folder
    bool json, quiet, dry_run;
    zo_compile_def def;
    cli_folder folder;
    store *file;
    store_txn *txn; // the one that the verb works in; NULL: none has begun
    char scratch[64]; // folder of a library that is only there for a dry run; "": there is none
};

// The n-th word behind the verb.
static inline const char *cli_library_word(const library_job *j, uint32_t n) { return j->args->operands[1 + n]; }
static inline uint32_t cli_library_count(const library_job *j) { return j->args->operand_count - 1; }

int cli_folder_import(library_job *j);
int cli_folder_export(library_job *j);
int cli_folder_list(library_job *j);
int cli_folder_clone(library_job *j);
int cli_folder_remove(library_job *j);
int cli_folder_run(library_job *j); // opens the folder, runs the verb, closes it

int cli_library_run(library_job *j); // opens the file, runs the verb, closes it
int cli_library_import(library_job *j);
int cli_library_export(library_job *j);
int cli_library_list(library_job *j);
int cli_library_show(library_job *j);
int cli_library_clone(library_job *j);
int cli_library_remove(library_job *j);
int cli_library_mount(library_job *j);
int cli_library_history(library_job *j);
int cli_library_restore(library_job *j);
int cli_library_check(library_job *j);
int cli_library_repair(library_job *j);
int cli_library_backup(library_job *j);

// ---- What the verbs have in common ----

// Opens the file and begins a transaction. Not CLI_FINE: said.
int cli_library_begin(library_job *j, store_mode mode);
// Ends it: with --dry-run nothing of it happens. Not CLI_FINE: said.
int cli_library_commit(library_job *j);
// Says that something is refused, on the standard output where the result is a document, and returns the exit code.
// Who uses it, or what is missing, is named.
int cli_library_refuse(const library_job *j, const store_error *error);
int cli_library_failed(const library_job *j); // the same of the transaction's last error

// A document of the verb, up to what is the verb's own.
void cli_library_open_json(const library_job *j, cli_json *json);
void cli_library_close_json(cli_json *json); // all of it, with the line end
void cli_library_json_id(cli_json *json, store_area area, const char *id); // its members area and id

typedef struct cli_thing {
    store_area area;
    const char *id;   // in the operand
    bool there;       // else it has been, and is gone
    store_item item;  // as it is, or was until it went
    store_action action; // of its last change, when it is gone
    int64_t when_ms;     // of that
} cli_thing;

// The thing of a name: ID, or AREA/ID where several areas have that id. `past`: one that is gone counts too.
// Not CLI_FINE: said.
int cli_library_find(library_job *j, const char *word, bool past, cli_thing *thing);
const char *cli_area_name(store_area area); // "item", "pet", "config", "asset"
bool cli_is_builtin_id(const char *id);
bool cli_collect(void *bytes, const void *more, size_t size); // zo_write_fn into a cli_bytes

// --revision. 0: not given. false: said.
bool cli_library_revision(const library_job *j, int64_t *revision);

typedef struct cli_when { char text[32]; } cli_when;
cli_when cli_local_time(int64_t when_ms); // "2026-12-03 05:41:07", where the user is
void cli_json_time(cli_json *json, const char *key, int64_t when_ms);
typedef struct cli_amount { char text[32]; } cli_amount;
cli_amount cli_bytes_text(uint64_t size); // "1 byte", "812 bytes", "1.2 kB"

// What is wrong with contents: where the result is a document, so are the faults.
void cli_library_say_report(const library_job *j, const zo_report *report);

#endif
