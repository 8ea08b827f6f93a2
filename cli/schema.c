// `zoetrope schema`: a format as a JSON Schema for editors and validators; without a name, those that have one. The
// library writes it from the tables that its reader goes by.
#include <string.h>

#include "cli.h"

static bool to_nowhere(void *context, const void *bytes, size_t size) {
    (void)context;
    (void)bytes;
    (void)size;
    return true;
}

static bool has_schema(const zo_format *format) {
    return zo_schema_write(format->name, ZO_PROFILE_DOCUMENT, to_nowhere, NULL);
}

static const zo_format *find_format(const char *name) {
    const zo_format *format = NULL;
    for (uint32_t i = 0; (format = zo_format_at(i)) != NULL && strcmp(format->name, name) != 0;) { i++; }
    return format;
}

static const char *format_name_at(uint32_t index) {
    const zo_format *format = zo_format_at(index);
    return format != NULL ? format->name : NULL;
}

int cli_schema(const cli_args *args) {
    uint32_t profile = ZO_PROFILE_DOCUMENT;
    if (!cli_choice(args, CLI_OPT_PROFILE, &profile)) { return CLI_USAGE; }
    if (args->operand_count == 0) {
        for (uint32_t i = 0; zo_format_at(i) != NULL; i++) {
            if (has_schema(zo_format_at(i))) { printf("%-34s %s\n", zo_format_at(i)->name, zo_format_at(i)->title); }
        }
        return CLI_FINE;
    }
    if (args->operand_count > 1) { return cli_usage(args, "schema takes one format at a time"); }
    const char *name = args->operands[0];
    const zo_format *format = find_format(name);
    if (format == NULL) {
        const char *near = cli_nearest(name, format_name_at);
        return cli_usage(args, "there is no format '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
                         near ? "'?" : "");
    }
    if (!has_schema(format)) { return cli_usage(args, "the format '%s' has no schema", name); }
    return zo_schema_write(name, (zo_profile)profile, cli_to_stdout, NULL) ? CLI_FINE : CLI_FILES;
}
