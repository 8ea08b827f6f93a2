// One render: a folder with its files, and a process that draws in it. Called by render.c, by a worker each.
#ifndef HOST_RENDER_RUN_H
#define HOST_RENDER_RUN_H

#include "host/render.h"

// ---- Folders ----

// A new folder for one queue in `base`, which nobody else may enter, and which is locked as long as *lock is open. Then
// removes there what others have left whose locks are gone. malloc; NULL: `error` says why.
char *render_folder_new(const char *base, int *lock, char error[256]);
// FOLDER/NUMBER with in/ and the files in it. Not TAKEN: nothing is left of it.
render_status render_folder_fill(const char *folder, uint64_t number, const store_file *files, uint32_t count);
void render_folder_clear(const char *folder, uint64_t number); // FOLDER/NUMBER with all that is in it
void render_folder_remove(char *folder, int lock);             // the queue's; frees and closes

// ---- The process ----

typedef struct render_task {
    const char *folder;       // the queue's
    uint64_t number;          // of the folder in it, which render_folder_fill has filled
    const char *input;
    const char *const *words;
    render_kind kind;
    const render_def *def;    // program and limits
    int wake;                 // readable: look at `ended`
    bool (*ended)(void *context);    // whether it is to be given up
    void (*moved)(void *context, double progress);
    void *context;            // of these two
} render_task;

typedef struct render_outcome {
    render_fault fault;       // NO_FAULT: there are bytes, or it was given up
    void *bytes;              // as render_take gives them; NULL: none
    size_t size;
    uint32_t width, height;
    uint64_t frame_count;
    double duration_ms;
    char *note, *diagnostics; // malloc, or NULL
} render_outcome;

// Returns when the process and whatever it has started are gone.
void render_run(const render_task *task, render_outcome *outcome);

// Bytes that several may hold, each to be released.
void *render_bytes_new(size_t size); // NULL: no memory
void render_bytes_keep(void *bytes);

#endif
