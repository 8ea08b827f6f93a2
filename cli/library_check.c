// The whole file of a library: `zoetrope library check`, `repair` and `backup`.
#include <stdlib.h>
#include <string.h>

#include "library.h"

typedef struct findings {
    const library_job *job;
    cli_json json; // open at the list of them
    uint64_t count;
} findings;

// What is wrong is the result of check; what repair does is told alike.
static void take_finding(void *context, const store_finding *found) { // store_finding_fn
    findings *f = context;
    f->count++;
    if (f->job->json) {
        cli_json_open_inline(&f->json, NULL, '{');
        if (found->id != NULL) { cli_library_json_id(&f->json, found->area, found->id); }
        cli_json_text(&f->json, "message", found->text);
        cli_json_bool(&f->json, "mendable", found->mendable);
        cli_json_close(&f->json, '}');
        return;
    }
    if (found->id != NULL) {
        printf("%s/", cli_area_name(found->area));
        cli_put_plain(stdout, found->id);
        fputs(": ", stdout);
    }
    cli_put_plain(stdout, found->text);
    putchar('\n');
}

static void open_findings(const library_job *j, findings *f) {
    *f = (findings){.job = j};
    if (!j->json) { return; }
    cli_library_open_json(j, &f->json);
    cli_json_open(&f->json, "findings", '[');
}

static void say_findings(const library_job *j, const findings *f) {
    const unsigned long long count = f->count;
    cli_put_plain(stdout, j->path);
    if (count == 0) {
        puts(": nothing is wrong");
    } else {
        printf(": %llu %s wrong; 'zoetrope library repair' puts right what can be\n", count,
               count == 1 ? "thing is" : "things are");
    }
}

int cli_library_check(library_job *j) {
    findings f;
    uint64_t found = 0;
    const int code = cli_library_begin(j, STORE_READ);
    if (code != CLI_FINE) { return code; }
    open_findings(j, &f);
    const store_status status = store_check(j->txn, content_check, NULL, take_finding, &f, &found);
    if (status != STORE_OK) {
        j->json = false; // a document that has begun cannot become another one
        return cli_library_failed(j);
    }
    if (j->json) {
        cli_json_close(&f.json, ']');
        cli_json_bool(&f.json, "sound", found == 0);
        cli_library_close_json(&f.json);
    } else if (!j->quiet) {
        say_findings(j, &f);
    }
    return found == 0 ? CLI_FINE : CLI_FAULTY;
}

int cli_library_repair(library_job *j) {
    findings f;
    store_error error;
    bool changed = false;
    if (!cli_file_exists(j->path)) {
        cli_say("there is no library '%s'", j->path);
        return CLI_FILES;
    }
    open_findings(j, &f);
    const store_status status = store_repair(j->path, take_finding, &f, &changed, &error);
    if (status != STORE_OK) {
        j->json = false;
        return cli_library_refuse(j, &error);
    }
    if (j->json) {
        cli_json_close(&f.json, ']');
        cli_json_bool(&f.json, "changed", changed);
        cli_library_close_json(&f.json);
    } else if (!j->quiet) {
        cli_put_plain(stdout, j->path);
        puts(changed ? ": put right; what it was is kept beside it, with .damaged behind its name"
                     : ": nothing is wrong, and it is as it was");
    }
    return CLI_FINE;
}

int cli_library_backup(library_job *j) {
    const char *out = j->args->values[CLI_OPT_OUT];
    store_error error;
    if (out == NULL || strcmp(out, "-") == 0) { return cli_usage(j->args, "backup wants a file to write: -o FILE"); }
    if (cli_file_exists(out)) {
        cli_say("'%s' is there already, and a backup takes the place of nothing", out);
        return CLI_FILES;
    }
    const int code = cli_library_begin(j, STORE_READ);
    if (code != CLI_FINE) { return code; }
    store_rollback(j->txn);
    j->txn = NULL;
    if (store_backup(j->file, out, &error) != STORE_OK) { return cli_library_refuse(j, &error); }
    if (j->json) {
        cli_json json;
        cli_library_open_json(j, &json);
        cli_json_text(&json, "file", out);
        cli_library_close_json(&json);
    } else if (!j->quiet) {
        printf("%s: a copy of ", out);
        cli_put_plain(stdout, j->path);
        putchar('\n');
    }
    return CLI_FINE;
}
