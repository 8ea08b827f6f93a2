// `zoetrope serve`: the host on a port, until a signal ends it. What is served are groups of routes of host/; this file
// gives them a server, options from the command line and the standard streams.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "files.h"
#include "host/api.h"
#include "host/api_render.h"
#include "host/http.h"
#include "host/live.h"
#include "host/petween.h"
#include "host/watch.h"
#include "store.h"

enum { NAMES_MAX = 64, TOKEN_MIN = 16, TOKEN_MAX = 512, FILES_WANTED = 4096 };

typedef struct job {
    const cli_args *args;
    http_options options;
    const char *names[NAMES_MAX];
    char token[TOKEN_MAX + 1];
    store *library;
    live *live; // tells of its changes
    api *api;
    api_render *renders; // NULL: they are not served
    render_def render;
    watch *watch; // keeps a folder in step with the library; NULL: none was asked for
    petween *petween;
} job;

// ---- Options ----

static bool is_token(const char *text) { // of what a header can carry
    const size_t size = strlen(text);
    for (const char *at = text; *at != 0; at++) {
        if (*at <= 0x20 || *at >= 0x7F) { return false; }
    }
    return size >= TOKEN_MIN && size <= TOKEN_MAX;
}

static int pick_token(job *j) {
    const char *given = j->args->values[CLI_OPT_TOKEN];
    if (given == NULL) { return CLI_FINE; }
    if (given[0] == '@') {
        cli_bytes file;
        if (!cli_read_file(given + 1, TOKEN_MAX, &file)) { return CLI_FILES; }
        const size_t size = file.size < TOKEN_MAX ? file.size : TOKEN_MAX;
        if (size > 0) { memcpy(j->token, file.data, size); }
        j->token[strcspn(j->token, "\r\n")] = 0;
        cli_bytes_free(&file);
    } else {
        snprintf(j->token, sizeof j->token, "%s", strlen(given) <= TOKEN_MAX ? given : "");
    }
    j->options.token = j->token;
    if (is_token(j->token)) { return CLI_FINE; }
    return cli_usage(j->args, "a token is %d to %d visible ASCII characters without spaces", TOKEN_MIN, TOKEN_MAX);
}

static bool pick_count(const cli_args *args, cli_option_id option, double high, uint32_t *count) {
    double value = 0.0;
    if (args->values[option] == NULL) { return true; }
    if (!cli_number(args, option, 1.0, high, &value)) { return false; }
    *count = (uint32_t)value;
    if (value == (double)*count) { return true; }
    cli_usage(args, "--%s wants a whole number, not '%s'", cli_options[option].name, args->values[option]);
    return false;
}

static bool pick_renders(job *j) {
    double seconds = 0.0;
    if (!pick_count(j->args, CLI_OPT_RENDERS, 16.0, &j->render.workers) ||
        !pick_count(j->args, CLI_OPT_RENDERS_WAITING, 500.0, &j->render.queue_limit) ||
        !cli_number(j->args, CLI_OPT_RENDER_SECONDS, 0.1, 86400.0, &seconds)) {
        return false;
    }
    j->render.time_ms = (uint32_t)(seconds * 1000.0);
    return true;
}

static int pick_options(job *j) {
    const cli_args *args = j->args;
    double port = 8420.0;
    uint32_t level = HTTP_LOG_ALL;
    if (!cli_number(args, CLI_OPT_PORT, 0.0, 65535.0, &port)) { return CLI_USAGE; }
    if (port != (double)(uint16_t)port) {
        return cli_usage(args, "--port wants a whole number, not '%s'", args->values[CLI_OPT_PORT]);
    }
    if (!cli_choice(args, CLI_OPT_LOG, &level) || !pick_renders(j)) { return CLI_USAGE; }
    j->options.port = (uint16_t)port;
    j->options.log_level = (http_log_level)level;
    j->options.host = args->values[CLI_OPT_HOST];
    const char *name;
    for (uint32_t n = 0; (name = cli_args_each(args, CLI_OPT_ALLOW_HOST, n)) != NULL; n++) {
        if (n == NAMES_MAX) { return cli_usage(args, "--allow-host may be given %d times", NAMES_MAX); }
        if (name[0] == 0 || name[strcspn(name, "/:* ")] != 0) {
            return cli_usage(args, "--allow-host wants a name without a port, not '%s'", name);
        }
        j->names[n] = name;
        j->options.name_count = n + 1;
    }
    j->options.names = j->names;
    return pick_token(j);
}

// ---- The library ----

static int open_library(job *j) {
    store_error error;
    int code;
    char *path = cli_store_path(j->args, true, &code);
    if (path == NULL) { return code; }
    j->live = live_new();
    if (j->live == NULL) {
        cli_say("no memory");
        free(path);
        return CLI_INTERNAL;
    }
    const store_def def = {.committed = live_committed, .committed_context = j->live};
    store_status status = store_open(path, &def, &j->library, &error);
    free(path);
    // Before any part reads something to keep it: a part that listens first and then reads misses nothing.
    if (status == STORE_OK) { status = live_start(j->live, j->library, 0, &error); }
    if (status == STORE_OK) { return CLI_FINE; }
    cli_say("%s", error.text); // which names the file
    return status == STORE_NO_MEMORY ? CLI_INTERNAL : CLI_FILES;
}

// How much there is, counted when somebody asks. A library that cannot be read has no numbers.
static void add_metrics(void *context, http_metrics *metrics) {
    static const char *const labels[STORE_AREA_COUNT] = {NULL, "area=\"item\"", "area=\"pet\"", "area=\"config\"",
                                                         "area=\"asset\""};
    const job *j = context;
    store_txn *txn = NULL;
    store_error error;
    int64_t revision = 0;
    if (j->watch != NULL) { watch_metrics(j->watch, metrics); }
    if (store_begin(j->library, STORE_READ, &txn, &error) != STORE_OK) { return; }
    for (int area = STORE_ITEM; area < STORE_AREA_COUNT; area++) {
        const store_filter filter = {.area = (store_area)area};
        uint64_t count = 0;
        if (store_count(txn, &filter, &count) != STORE_OK) { continue; }
        http_metric(metrics, HTTP_GAUGE, "zoetrope_library_things", "Things in the library.", labels[area],
                    (double)count);
    }
    if (store_revision(txn, &revision) == STORE_OK) {
        http_metric(metrics, HTTP_COUNTER, "zoetrope_library_revision", "Number of the library's last change.", NULL,
                    (double)revision);
    }
    store_rollback(txn);
    api_metrics(j->api, metrics);
    if (j->renders != NULL) { api_render_metrics(j->renders, metrics); }
}

// ---- Running ----

static void write_log(void *context, const char *lines, size_t size) {
    (void)context;
    while (size > 0) { // a log that cannot be written stops nothing
        const ssize_t written = write(STDERR_FILENO, lines, size);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return; }
        lines += written;
        size -= (size_t)written;
    }
}

static void want_files(void) { // a connection is a file, and 1024, which many shells allow, would be too few
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES_WANTED) { return; }
    limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int say_why(const job *j, http_status status) {
    const char *host = j->options.host != NULL ? j->options.host : "127.0.0.1";
    switch (status) {
    case HTTP_NO_ADDRESS:
        return cli_usage(j->args, "--host wants an IPv4 or IPv6 address or localhost, not '%s'", host);
    case HTTP_NO_TOKEN:
        return cli_usage(j->args, "%s is an address that others can reach: it wants a --token", host);
    case HTTP_IN_USE:
        cli_say("port %u of %s is taken; --port 0 takes one that is free", j->options.port, host);
        return CLI_FILES;
    case HTTP_NO_MEMORY: cli_say("no memory"); return CLI_INTERNAL;
    default: cli_say("cannot listen at %s, port %u: %s", host, j->options.port, strerror(errno)); return CLI_FILES;
    }
}

// The parts: each is made, adds its routes and listens to what changes. They end when no handler runs any more and
// nobody tells them of changes.
static bool add_parts(job *j, http_server *server) {
    j->api = api_new(j->library, server, NULL);
    if (j->api == NULL || !api_add(j->api) || !live_listen(j->live, api_changed, j->api)) { return false; }
    j->petween = petween_new(j->library, server);
    if (j->petween == NULL || !petween_add(j->petween) || !live_listen(j->live, petween_changed, j->petween)) {
        return false;
    }
    char why[256];
    j->renders = api_render_new(j->library, server, &j->render, why);
    if (j->renders == NULL) { cli_say("nothing is rendered here: %s", why); } // all else is served
    return j->renders == NULL || api_render_add(j->renders);
}

// The last of them, as it changes the library.
static int begin_watch(job *j, http_server *server) {
    const char *folder = j->args->values[CLI_OPT_WATCH_FOLDER];
    if (folder == NULL) { return CLI_FINE; }
    errno = 0;
    j->watch = watch_new(j->library, server, folder);
    if (j->watch == NULL) {
        cli_say("cannot watch '%s': %s", folder, strerror(errno != 0 ? errno : ENOMEM));
        return CLI_FILES;
    }
    return live_listen(j->live, watch_changed, j->watch) ? CLI_FINE : say_why(j, HTTP_NO_MEMORY);
}

static void free_parts(job *j) {
    watch_free(j->watch);
    api_render_free(j->renders);
    petween_free(j->petween);
    api_free(j->api);
}

static int run(job *j, http_server *server, const sigset_t *ends) {
    int number = 0;
    if (!http_server_add_own(server) || !add_parts(j, server)) { return say_why(j, HTTP_NO_MEMORY); }
    const int code = begin_watch(j, server);
    if (code != CLI_FINE) { return code; }
    const http_status status = http_server_start(server);
    if (status != HTTP_STARTED) { return say_why(j, status); }
    printf("listening on %s\n", http_server_url(server));
    if (!cli_flush_stdout()) { return CLI_FILES; }
    http_log(server, false, "start", NULL);
    while (sigwait(ends, &number) != 0) {}
    pthread_sigmask(SIG_UNBLOCK, ends, NULL); // a second one ends it at once
    http_log(server, false, "stop", NULL);
    if (j->watch != NULL) { watch_stop(j->watch); } // while clients can still be told of what it does last
    const bool is_whole = http_server_stop(server);
    http_log(server, !is_whole, "end", is_whole ? NULL : "\"cut\": true");
    return is_whole ? CLI_FINE : CLI_INTERNAL;
}

static int serve(job *j) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); // for every thread that begins from here on; run() waits for one
    int result = open_library(j);
    if (result == CLI_FINE) {
        http_server *server = http_server_new(&j->options);
        result = server != NULL ? run(j, server, &ends) : say_why(j, HTTP_NO_MEMORY);
        if (j->watch != NULL) { watch_stop(j->watch); }
        if (j->live != NULL) { live_stop(j->live); } // its listeners send to the server's streams
        api_render_stop(j->renders);
        http_server_free(server);
        free_parts(j);
    }
    store_close(j->library);
    live_free(j->live);
    return result;
}

int cli_serve(const cli_args *args) {
    job j = {.args = args, .options = {.log = write_log, .metrics = add_metrics}};
    errno = 0;
    j.options.metrics_context = &j;
    if (args->operand_count > 0) { return cli_usage(args, "serve takes no '%s'", args->operands[0]); }
    const int code = pick_options(&j);
    if (code != CLI_FINE) { return code; }
    want_files();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow any more is a full disk, and no end
    signal(SIGCHLD, SIG_DFL); // who started us may ignore it, and then nobody is told how a render ends
    return serve(&j);
}
