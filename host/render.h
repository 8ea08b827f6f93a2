// Renders as jobs: a queue with a few workers, each of which lets the program itself draw, as a process of its own with
// bounds on time, memory and what it may write, in a folder that nobody else can look into. What comes out is, byte for
// byte, what `zoetrope render` makes of the same files and options. Knows files and words of the command line; nothing
// of formats, and nothing of who asks. Called by api_render.c.
//
// A job is known by what it is made of, the contents of its files and its options: the same order twice is the same job
// and, as long as the result is kept, done already. Whoever cancels it does so for all who have ordered it.
//
// Nothing is left behind: the processes are ended and the folders removed when a job is over, when it is cancelled and
// when the queue is freed; what a host left that was killed itself is removed by the next one, and its processes end
// with it.
//
// Threads: everything here may be called from any thread. The program must not ignore SIGCHLD.
#ifndef HOST_RENDER_H
#define HOST_RENDER_H

#include "host/store.h"

typedef struct render_queue render_queue;
typedef struct render_info render_info;

typedef enum render_kind {
    RENDER_PNG, RENDER_WEBP, RENDER_GIF, RENDER_APNG, RENDER_MP4, RENDER_WEBM, RENDER_KIND_COUNT
} render_kind;
const char *render_kind_name(render_kind kind);  // "png" and so on: the file's ending too
const char *render_kind_type(render_kind kind);  // "image/png"
bool render_kind_wants_ffmpeg(render_kind kind); // the program of that name must be installed
bool render_has_ffmpeg(void);                    // it is, now

// All zero is the default of every member.
typedef struct render_def {
    const char *program;     // what renders; "/proc/self/exe"
    const char *folder;      // where the queue's own folder is made; $TMPDIR or /tmp
    uint32_t workers;        // renders at once; the processors less one, at least 1, at most 16
    uint32_t queue_limit;    // jobs that wait; 64
    uint32_t kept_limit;     // jobs that are over and still known; 256
    uint32_t kept_ms;        // for how long after they were last asked for; 10 minutes
    uint32_t time_ms;        // that one may take, by the clock; 2 minutes. Of processor time a process gets as much
    uint64_t input_limit;    // bytes of all files of one job; 256 MiB. Of those that wait together, four times that
    uint64_t result_limit;   // bytes of one result, and of any file that is written for it; 64 MiB
    uint64_t results_limit;  // bytes of all results that are kept; 256 MiB
    uint64_t memory_limit;   // bytes of address space of each process; 4 GiB
    // Called when a job has changed, in the order of the changes, with the queue locked: it must not call back.
    // Progress is told of at most five times a second. NULL: nobody listens.
    void (*changed)(void *context, const render_info *info);
    void *changed_context;
} render_def;

// NULL: `error` says why, a sentence without a full stop. Also removes what others have left that are gone.
render_queue *render_new(const render_def *def, char error[256]);
void render_free(render_queue *queue); // ends what runs, at once; NULL does nothing
const render_def *render_limits(const render_queue *queue); // with the defaults filled in

typedef enum render_status {
    RENDER_TAKEN = 0,
    RENDER_KNOWN,     // it was ordered before: it waits, runs or is done
    RENDER_FULL,      // too many wait; it may go in a while
    RENDER_TOO_LARGE, // its files are
    RENDER_BAD_NAME,  // a file's name is none that can be put into a folder
    RENDER_NO_ROOM,   // its files cannot be written
    RENDER_NO_MEMORY,
} render_status;

typedef struct render_order {
    const store_file *files; // [file_count] name, bytes, size; a hash that is there is believed. Written to one folder
    uint32_t file_count;
    const char *input;        // what is rendered: a file's name, or the name of one that comes with the program
    const char *const *words; // options of `zoetrope render` behind it; NULL ends them. Not: --out, --output
    render_kind kind;
    const char *label;        // given back with the job: who asks knows what it says; NULL: ""
} render_order;

enum { RENDER_ID_SIZE = 33 }; // bytes of a job's id: 32 hexadecimal digits and a zero

// Whatever is borrowed is copied or written to the disk. `id` is set with TAKEN and KNOWN.
render_status render_submit(render_queue *queue, const render_order *order, char id[RENDER_ID_SIZE]);

typedef enum render_state {
    RENDER_WAITING, RENDER_RUNNING, RENDER_DONE, RENDER_FAILED, RENDER_CANCELLED
} render_state;
const char *render_state_name(render_state state); // "waiting" and so on

typedef enum render_fault { // why it failed
    RENDER_NO_FAULT = 0,
    RENDER_INVALID,   // the content has errors: info.diagnostics
    RENDER_REFUSED,   // the options do not fit the content
    RENDER_UNMADE,    // it could not be written, or ffmpeg failed
    RENDER_LIMIT,     // memory, or a limit of the renderer
    RENDER_TOO_SLOW,  // more time than time_ms
    RENDER_TOO_BIG,   // more bytes than result_limit
    RENDER_KILLED,    // somebody ended the process, or it broke down
    RENDER_UNSTARTED, // it could not be started
} render_fault;
const char *render_fault_name(render_fault fault); // "invalid", "too-slow" and so on

struct render_info {
    char id[RENDER_ID_SIZE];
    render_state state;
    render_kind kind;
    uint32_t position;    // WAITING: how many come before it
    double progress;      // 0 to 1
    int64_t ordered_ms, started_ms, ended_ms; // Unix time; 0: not yet
    uint64_t size;        // DONE: of the result, bytes
    char hash[65];        // DONE: its SHA-256
    uint32_t width, height; // DONE: px
    uint64_t frame_count; // DONE: 0: it is one picture
    double duration_ms;   // DONE
    render_fault fault;   // FAILED
    const char *note;     // what the renderer said, lines for people; ""
    const char *diagnostics; // a JSON array: what there is to say of the content; NULL: nothing
    const char *label;
};

// A copy of how a job stands; free it. NULL: there is no such job, or no memory. Asking keeps it.
render_info *render_get(render_queue *queue, const char *id);
void render_info_free(render_info *info); // NULL does nothing
// All of them, the newest first, at most `capacity`; how many there are. Each to be freed.
uint32_t render_list(render_queue *queue, render_info **infos, uint32_t capacity);
typedef struct render_counts { uint64_t waiting, running, kept, kept_bytes, done, failed, cancelled; } render_counts;
render_counts render_count(render_queue *queue); // the last three: since the beginning

// The result's bytes, which stay as they are until they are given to render_release, whatever becomes of job and queue.
// NULL: it is not done, or not known.
void *render_take(render_queue *queue, const char *id, size_t *size);
void render_release(void *bytes); // any thread

// One that waits or runs is given up; one that is over is forgotten. False: there is no such job.
bool render_cancel(render_queue *queue, const char *id);

#endif
