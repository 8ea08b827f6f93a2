// `zoetrope help --completions`: what bash, zsh and fish need to complete a command line, made of the tables of
// commands.c. Called by help.c. Each script stands alone; none runs the program.
#include <ctype.h>
#include <string.h>

#include "cli.h"

typedef enum operand_kind {
    OPERAND_FILES, OPERAND_COMMANDS, OPERAND_RULES, OPERAND_FORMATS, OPERAND_NONE,
} operand_kind;

static operand_kind operand_of(const cli_command *command) {
    if (strstr(command->operands, "PATH") != NULL) { return OPERAND_FILES; }
    if (strstr(command->operands, "COMMAND") != NULL) { return OPERAND_COMMANDS; }
    if (strstr(command->operands, "FORMAT") != NULL) { return OPERAND_FORMATS; }
    return strstr(command->operands, "ID") != NULL ? OPERAND_RULES : OPERAND_NONE;
}

// The words that the operand may be besides files; NULL beyond the last.
static const char *operand_word(operand_kind kind, uint32_t index) {
    switch (kind) {
    case OPERAND_FILES: return zo_builtin_at(index);
    case OPERAND_COMMANDS: return cli_command_name_at(index);
    case OPERAND_RULES: return zo_rule_at(index) != NULL ? zo_rule_at(index)->id : NULL;
    case OPERAND_FORMATS: return zo_format_at(index) != NULL ? zo_format_at(index)->name : NULL;
    default: return NULL;
    }
}

static bool has(const cli_option *option, const cli_command *command) {
    return (option->commands & command->bit) != 0;
}

static void print_words(const cli_option *option, const cli_command *command) { // "human json gcc"
    cli_word word;
    for (uint32_t i = 0; cli_word_at(option, command->bit, i, &word); i++) {
        printf("%s%s", i > 0 ? " " : "", word.text);
    }
}

static void print_operand_words(operand_kind kind) {
    for (uint32_t i = 0; operand_word(kind, i) != NULL; i++) {
        printf("%s%s", i > 0 ? " " : "", operand_word(kind, i));
    }
}

// Text within single quotes, with a backslash before each of the characters that mean something there.
static void print_quoted(const char *text, const char *special) {
    for (; *text != 0; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text) != NULL) { putchar('\\'); }
        putchar(*text);
    }
}

// ---------------------------------------------------------------------------------------------------- bash

// A name as it may follow another in a pattern of `case`.
static void bash_option_pattern(const cli_command *command, const cli_option *option) {
    printf("    %s:--%s", command->name, option->name);
    if (option->letter != 0) { printf(" | %s:-%c", command->name, option->letter); }
    fputs(") ", stdout);
}

static void bash_values(const cli_command *command) {
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        if (!has(option, command) || option->value == NULL) { continue; }
        const cli_values *values = cli_values_of(option, command->bit);
        bash_option_pattern(command, option);
        if (values == NULL || values->kind == CLI_NAME_FILE) { // NAME=FILE: its second half is seen below
            puts("return ;;");
        } else if (values->kind == CLI_FILE) {
            puts("_zoetrope_files \"$word\"; return ;;");
        } else {
            fputs("_zoetrope_words \"", stdout);
            print_words(option, command);
            puts("\"; return ;;");
        }
    }
}

static void bash_command(const cli_command *command) {
    printf("    %s)\n        if [[ $word == -* ]]; then\n            _zoetrope_words \"", command->name);
    const char *separator = "";
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        if (!has(&cli_options[i], command)) { continue; }
        printf("%s--%s", separator, cli_options[i].name);
        separator = " ";
    }
    fputs("\"\n        else\n", stdout);
    const char *verbs = cli_command_verbs(command);
    if (*verbs != 0) { printf("            [[ $COMP_CWORD -eq 2 ]] && { _zoetrope_words \"%s\"; return; }\n", verbs); }
    const bool files = operand_of(command) == OPERAND_FILES; // built-ins only when something was typed: there are many
    printf("            %s_zoetrope_words \"", files ? "[[ -n $word ]] && " : "");
    print_operand_words(operand_of(command));
    puts("\"");
    if (files) { puts("            _zoetrope_files \"$word\""); }
    puts("        fi ;;");
}

static void bash(void) {
    fputs("# bash completion of zoetrope; written by 'zoetrope help --completions bash'.\n"
          "_zoetrope_words() {\n"
          "    local candidate\n"
          "    for candidate in $1; do\n"
          "        [[ $candidate == \"$word\"* ]] || continue\n"
          "        COMPREPLY+=(\"${candidate#\"$cut\"}\")\n"
          "    done\n"
          "}\n"
          "_zoetrope_files() {\n"
          "    local file\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$1\")\n"
          "}\n"
          "_zoetrope() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local name=\"\" cut=\"\" i=$COMP_CWORD\n"
          "    COMPREPLY=()\n"
          "    # bash takes a word apart at '=' and ':'. What follows '=' is the value; of a word with ':' only the "
          "rest is\n"
          "    # put in the place of what was typed after it.\n"
          "    [[ $word == [=:] ]] && { word=\"\" i=$((i + 1)) before=${COMP_WORDS[COMP_CWORD]}; }\n"
          "    if [[ $before == = && $i -gt 2 ]]; then\n"
          "        before=${COMP_WORDS[i - 2]} name=${COMP_WORDS[i - 3]}\n"
          "        if [[ $name == --picture || ($name == = && ${COMP_WORDS[i - 4]} == --picture) ]]; then\n"
          "            _zoetrope_files \"$word\"\n"
          "            return\n"
          "        fi\n"
          "    elif [[ $before == : && $i -gt 2 ]]; then\n"
          "        cut=${COMP_WORDS[i - 2]}: word=${COMP_WORDS[i - 2]}:$word before=${COMP_WORDS[i - 3]}\n"
          "    fi\n"
          "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
          "        _zoetrope_words \"", stdout);
    print_operand_words(OPERAND_COMMANDS);
    fputs(" --help --version\"\n        return\n    fi\n    case ${COMP_WORDS[1]}:$before in\n", stdout);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) { bash_values(command); }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) { bash_command(command); }
    fputs("    esac\n}\ncomplete -F _zoetrope zoetrope\n", stdout);
}

// ---------------------------------------------------------------------------------------------------- zsh

static void zsh_option(const cli_command *command, const cli_option *option) {
    static const char special[] = "[]:\\";
    const cli_values *values = cli_values_of(option, command->bit);
    const bool repeatable = strstr(option->help, "may be repeated") != NULL;
    fputs("                ", stdout);
    if (option->letter != 0) {
        printf("'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter, option->value ? "+" : "",
               option->name, option->value ? "=" : "");
    } else {
        printf("'%s--%s%s", repeatable ? "*" : "", option->name, option->value ? "=" : "");
    }
    putchar('[');
    print_quoted(option->help, special);
    putchar(']');
    if (option->value != NULL) {
        putchar(':');
        print_quoted(option->value, special);
        putchar(':');
        if (values != NULL && (values->kind == CLI_FILE || values->kind == CLI_NAME_FILE)) {
            fputs(values->kind == CLI_FILE ? "_files" : "_zoetrope_named_file", stdout);
        } else if (values != NULL) {
            putchar('(');
            print_words(option, command);
            putchar(')');
        }
    }
    puts("' \\");
}

static void zsh_command(const cli_command *command) {
    printf("        %s)\n            _arguments -s -S \\\n", command->name);
    for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
        if (has(&cli_options[i], command)) { zsh_option(command, &cli_options[i]); }
    }
    static const char *const kinds[] = {
        [OPERAND_FILES] = "'*:animation:_zoetrope_inputs'", [OPERAND_COMMANDS] = "'1:command:_zoetrope_commands'",
        [OPERAND_RULES] = "'*:diagnostic:_zoetrope_rules'", [OPERAND_FORMATS] = "'*:format:_zoetrope_formats'",
        [OPERAND_NONE] = "",
    };
    const char *verbs = cli_command_verbs(command);
    if (*verbs != 0) { printf("                '1:verb:(%s)' \\\n", verbs); }
    printf("                %s ;;\n", kinds[operand_of(command)]);
}

static void zsh_words(const char *function, operand_kind kind) {
    printf("%s() {\n    local -a words\n    words=(", function);
    print_operand_words(kind);
    puts(")");
    puts(kind == OPERAND_FILES ? "    _alternative 'files:file:_files' \"builtins:built-in:compadd -a words\"\n}"
                               : "    compadd -a words\n}");
}

static void zsh(void) {
    fputs("#compdef zoetrope\n# zsh completion of zoetrope; written by 'zoetrope help --completions zsh'.\n"
          "_zoetrope_commands() {\n    local -a commands\n    commands=(\n", stdout);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        printf("        '%s:", command->name);
        print_quoted(command->summary, "\\");
        puts("'");
    }
    puts("    )\n    _describe -t commands command commands\n}");
    zsh_words("_zoetrope_inputs", OPERAND_FILES);
    zsh_words("_zoetrope_rules", OPERAND_RULES);
    zsh_words("_zoetrope_formats", OPERAND_FORMATS);
    fputs("_zoetrope_named_file() {\n    compset -P '*=' && _files\n}\n"
          "_zoetrope() {\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _zoetrope_commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n", stdout);
    for (const cli_command *command = cli_commands; command->name != NULL; command++) { zsh_command(command); }
    puts("    esac\n}\n_zoetrope \"$@\"");
}

// ---------------------------------------------------------------------------------------------------- fish

static void fish_option(const cli_command *command, const cli_option *option) {
    const cli_values *values = cli_values_of(option, command->bit);
    printf("complete -c zoetrope -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter != 0) { printf(" -s %c", option->letter); }
    if (option->value != NULL && values != NULL && (values->kind == CLI_FILE || values->kind == CLI_NAME_FILE)) {
        fputs(" -r -F", stdout);
    } else if (option->value != NULL && values != NULL) {
        fputs(" -x -a '", stdout);
        print_words(option, command);
        putchar('\'');
    } else if (option->value != NULL) {
        fputs(" -x", stdout);
    }
    fputs(" -d '", stdout);
    for (const char *c = option->help; *c != 0; c++) { // fish: only \ and ' within single quotes
        if (*c == '\\' || *c == '\'') { putchar('\\'); }
        putchar(*c);
    }
    puts("'");
}

static void fish(void) {
    puts("# fish completion of zoetrope; written by 'zoetrope help --completions fish'.\n"
         "complete -c zoetrope -n '__fish_use_subcommand' -f");
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        printf("complete -c zoetrope -n '__fish_use_subcommand' -a %s -d '%s'\n", command->name, command->summary);
    }
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        const operand_kind kind = operand_of(command);
        printf("complete -c zoetrope -n '__fish_seen_subcommand_from %s'%s", command->name,
               kind == OPERAND_FILES ? "" : " -f");
        if (kind != OPERAND_NONE) {
            fputs(" -a '", stdout);
            print_operand_words(kind);
            putchar('\'');
        }
        putchar('\n');
        const char *verbs = cli_command_verbs(command);
        if (*verbs != 0) {
            printf("complete -c zoetrope -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from %s' "
                   "-f -a '%s'\n", command->name, verbs, verbs);
        }
        for (uint32_t i = 0; i < CLI_OPT_COUNT; i++) {
            if (has(&cli_options[i], command)) { fish_option(command, &cli_options[i]); }
        }
    }
}

void cli_completions(const char *shell) {
    if (strcmp(shell, "bash") == 0) { bash(); }
    if (strcmp(shell, "zsh") == 0) { zsh(); }
    if (strcmp(shell, "fish") == 0) { fish(); }
}
