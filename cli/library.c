// `zoetrope library`: finds the verb, holds the words of the command line against what it takes, and runs it on a file
// or, with --dir, on a folder.
#include <stdlib.h>
#include <string.h>

#include "library.h"

static const cli_verb verbs[] = {
    {"import", " dry-run profile ", " assets format id name replace rig strict ", true, true, 1, UINT32_MAX, 1,
     "files or folders: definitions, packs, pets, machines, enemies, characters, pictures", cli_library_import,
     cli_folder_import},
    {"export", " ids name out profile ", " revision ", false, false, 0, 1, 0,
     "the id of one thing, or --ids with the animations of a pack", cli_library_export, cli_folder_export},
    {"list", " profile ", " format ", false, false, 0, UINT32_MAX, 0, "words to look for, or nothing", cli_library_list,
     cli_folder_list},
    {"show", "", " revision ", false, false, 0, UINT32_MAX, 0, "ids, or nothing", cli_library_show, NULL},
    {"clone", " dry-run id profile ", "", true, true, 1, 1, 1, "the id of an animation, such as builtin:comic-pop",
     cli_library_clone, cli_folder_clone},
    {"remove", " dry-run profile ", "", true, false, 1, UINT32_MAX, UINT32_MAX, "ids", cli_library_remove,
     cli_folder_remove},
    {"mount", "", " clear dry-run pet ", true, false, 0, 2, 0,
     "the id of an animation, and a slot such as success or click",
     cli_library_mount, NULL},
    {"history", "", "", false, false, 0, 1, 0, "an id, or nothing", cli_library_history, NULL},
    {"restore", "", " dry-run revision ", true, false, 1, UINT32_MAX, 0, "ids", cli_library_restore, NULL},
    {"check", "", "", false, false, 0, 0, 0, "nothing but options", cli_library_check, NULL},
    {"repair", "", "", true, false, 0, 0, 0, "nothing but options", cli_library_repair, NULL},
    {"backup", "", " out ", false, false, 0, 0, 0, "nothing but options", cli_library_backup, NULL},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static const char *verb_name_at(uint32_t index) { return index < VERB_COUNT ? verbs[index].name : NULL; }

static const cli_verb *find_verb(const cli_args *args) {
    const char *name = args->operand_count > 0 ? args->operands[0] : "";
    char list[VERB_COUNT * 16] = "";
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verbs[i].name, name) == 0) { return &verbs[i]; }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0 ? "" : i + 1 == VERB_COUNT ? " or " : ", ", verbs[i].name);
    }
    if (*name == 0) {
        cli_usage(args, "library wants to be told what to do: %s", list);
    } else {
        cli_usage(args, "library cannot '%s'%s", name, cli_did_you_mean(cli_nearest(name, verb_name_at)).text);
    }
    return NULL;
}

// An option of another verb is a mistake, and not nothing.
static bool options_fit(const cli_args *args, const cli_verb *verb) {
    static const char all[] = " library dir output quiet color help version ";
    const bool folder = cli_given(args, CLI_OPT_DIR);
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", cli_options[i].name);
        const bool of_file = strstr(verb->file_options, word) != NULL;
        if (!cli_given(args, (cli_option_id)i) || strstr(all, word) != NULL || strstr(verb->options, word) != NULL ||
            (of_file && !folder)) {
            continue;
        }
        cli_usage(args, "library %s takes no --%s%s", verb->name, cli_options[i].name, of_file ? " with --dir" : "");
        return false;
    }
    return true;
}

static int look_at_arguments(const cli_args *args, library_job *j) {
    uint32_t form = 0;
    *j = (library_job){.args = args, .folder = {.lock = -1}, .verb = find_verb(args)};
    if (j->verb == NULL) { return CLI_USAGE; }
    const bool folder = cli_given(args, CLI_OPT_DIR);
    if (folder && cli_given(args, CLI_OPT_LIBRARY)) {
        return cli_usage(args, "a library is a folder (--dir) or a file (--library), not both");
    }
    if (folder && j->verb->in_folder == NULL) {
        return cli_usage(args, "%s wants a library in a file (--library); one in a folder has its files and no more",
                         j->verb->name);
    }
    if (!options_fit(args, j->verb)) { return CLI_USAGE; }
    if (!cli_choice(args, CLI_OPT_OUTPUT, &form) || !cli_compile_def(args, &j->def) ||
        !cli_format_is_known(args, &j->def)) {
        return CLI_USAGE;
    }
    j->json = form == 1;
    j->quiet = cli_given(args, CLI_OPT_QUIET);
    j->dry_run = cli_given(args, CLI_OPT_DRY_RUN);
    const uint32_t count = cli_library_count(j), most = folder ? j->verb->folder_most : j->verb->most;
    if (count >= j->verb->least && count <= most) { return CLI_FINE; }
    return cli_usage(args, "%s wants %s", j->verb->name,
                     most == j->verb->most ? j->verb->wants
                     : most == 0           ? "nothing but options with --dir"
                                           : "one file with --dir");
}

int cli_library(const cli_args *args) {
    library_job j;
    const int code = look_at_arguments(args, &j);
    if (code != CLI_FINE) { return code; }
    return cli_given(args, CLI_OPT_DIR) ? cli_folder_run(&j) : cli_library_run(&j);
}
