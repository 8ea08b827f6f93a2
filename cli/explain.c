// `zoetrope explain`: what a diagnostic means, in full. The texts are those of the library's one list of rules.
#include <string.h>

#include "cli.h"

static const char *const severity_words[] = {"note", "warning", "error"};

static const char *rule_id_at(uint32_t index) {
    const zo_rule *rule = zo_rule_at(index);
    return rule != NULL ? rule->id : NULL;
}

static void print_lines(const char *text) { // broken at spaces before column 80
    size_t column = 0;
    while (*text != 0) {
        const size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > 80) {
            putchar('\n');
            column = 0;
        } else if (column > 0) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void list_all(void) {
    for (uint32_t i = 0; zo_rule_at(i) != NULL; i++) {
        const zo_rule *rule = zo_rule_at(i);
        printf("%-34s %-8s %s\n", rule->id, severity_words[rule->severity], rule->message);
    }
}

int cli_explain(const cli_args *args) {
    if (args->operand_count == 0) {
        list_all();
        return CLI_FINE;
    }
    for (uint32_t i = 0; i < args->operand_count; i++) {
        const zo_rule *rule = zo_rule_find(args->operands[i]);
        if (rule == NULL) {
            const char *near = cli_nearest(args->operands[i], rule_id_at);
            return cli_usage(args, "there is no diagnostic '%s'%s", args->operands[i], cli_did_you_mean(near).text);
        }
        printf("%s%s (%s)\n\n  %s\n\n", i > 0 ? "\n" : "", rule->id, severity_words[rule->severity], rule->message);
        print_lines(rule->explain);
        if (rule->hint != NULL) {
            printf("\nHint: ");
            print_lines(rule->hint);
        }
    }
    return CLI_FINE;
}
