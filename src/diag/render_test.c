// What a report looks like: the caret under what is meant, whatever the line holds, and documents that parse.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "diag/diag.h"

#define E_ACUTE "\xC3\xA9"
#define CAT "\xE7\x8C\xAB"           // wide
#define SMILE "\xF0\x9F\x98\x80"     // wide
#define COMBINING "\xCC\x81"         // no column
#define DOTS "\xE2\x80\xA6"
#define REPLACED "\xEF\xBF\xBD"

typedef struct output {
    char *text;
    size_t size, capacity;
    uint32_t calls_left;
} output;

static bool collect(void *context, const void *bytes, size_t size) {
    output *out = context;
    if (out->calls_left == 0) { return false; }
    out->calls_left--;
    if (out->size + size + 1 > out->capacity) {
        out->capacity = 2 * (out->size + size + 1);
        out->text = realloc(out->text, out->capacity);
        assert_non_null(out->text);
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    out->text[out->size] = '\0';
    return true;
}

static bool write_one(const zd_report *report, zo_report_style style, bool color, zo_write_fn write, void *context) {
    return zd_reports_write(&report, 1, style, color, write, context);
}

static output write_report(zd_report *report, zo_report_style style, bool color) {
    output out = {.calls_left = UINT32_MAX};
    assert_true(collect(&out, "", 0));
    assert_true(write_one(report, style, color, collect, &out));
    return out;
}

static void expect(zd_report *report, zo_report_style style, const char *expected) {
    zd_report_finish(report);
    output out = write_report(report, style, false);
    assert_string_equal(out.text, expected);
    free(out.text);
    zd_report_close(report);
}

// One error "nil" over part of one file.
static zd_report *report_on(const char *bytes, size_t size, size_t offset, size_t length) {
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a.json", bytes, size);
    const zd_place place = {.offset = offset, .length = length};
    const uint32_t added = zd_report_add(report, ZD_JSON_WORD, place, ZD_ARGS(zd_word("nil")));
    zd_report_hint(report, added, NULL, ZD_NO_ARGS);
    return report;
}

static void expect_lines(const char *text, size_t offset, size_t length, const char *place, const char *lines) {
    char expected[2000];
    snprintf(expected, sizeof expected, "a.json:%s: error[json/word]: the word nil is not a JSON value\n%s\n1 error\n",
             place, lines);
    expect(report_on(text, strlen(text), offset, length), ZO_REPORT_HUMAN, expected);
}

static void an_empty_report_is_silent(void **state) {
    (void)state;
    expect(zd_report_open(NULL, 0, false), ZO_REPORT_HUMAN, "");
    expect(zd_report_open(NULL, 0, false), ZO_REPORT_GCC, "");
    expect(zd_report_open(NULL, 0, false), ZO_REPORT_JSON,
           "{\n  \"schema\": \"zoetrope/check@1\",\n  \"format\": \"\",\n  \"errors\": 0,\n  \"warnings\": 0,\n"
           "  \"notes\": 0,\n  \"dropped\": 0,\n  \"unread\": 0,\n  \"files\": [\n    {\"file\": null, \"format\": \"\", "
           "\"errors\": 0, \"warnings\": 0, \"notes\": 0, \"dropped\": 0}\n  ],\n  \"diagnostics\": []\n}\n");
    expect(zd_report_open(NULL, 0, false), ZO_REPORT_GITHUB, "");
}

static void a_writer_that_stops_is_obeyed(void **state) {
    (void)state;
    zd_report *report = report_on("[nil]", 5, 1, 3);
    zd_report_finish(report);
    output out = {.calls_left = 1};
    assert_false(write_one(report, ZO_REPORT_HUMAN, false, collect, &out));
    free(out.text);
    zd_report_close(report);
}

static void the_whole_form(void **state) {
    (void)state;
    const char text[] = "{\n  \"at\": 1,\n  \"at\": nil\n}\n";
    zd_report *report = zd_report_open(NULL, 0, false);
    const uint32_t file = zd_report_file(report, "bounce.json", text, sizeof text - 1);
    zd_place place = {.file = file, .offset = 15, .length = 4, .pointer = "/at"};
    const zd_place first = {.file = file, .offset = 4, .length = 4};
    const uint32_t added = zd_report_add(report, ZD_JSON_DUPLICATE_KEY, place, ZD_ARGS(zd_word("at")));
    zd_report_relate(report, added, first, "first used here");
    place.offset = 21;
    place.length = 3;
    zd_report_add(report, ZD_JSON_WORD, place, ZD_ARGS(zd_word("nil")));
    zd_report_add(report, ZD_JSON_EMPTY, (zd_place){.file = file, .whole = true, .pointer = ""}, ZD_NO_ARGS);
    expect(report, ZO_REPORT_HUMAN,
           "bounce.json: error[json/empty]: the file is empty\n"
           "   hint: the smallest JSON text is a value such as [] or null\n"
           "\n"
           "bounce.json:3:3: warning[json/duplicate-key]: the key \"at\" stands more than once in this object\n"
           "    3 |   \"at\": nil\n"
           "      |   ^^^^\n"
           "   at: /at\n"
           "   hint: the last one counts; remove the others\n"
           "bounce.json:2:3: note: first used here\n"
           "    2 |   \"at\": 1,\n"
           "      |   ^^^^\n"
           "\n"
           "bounce.json:3:9: error[json/word]: the word nil is not a JSON value\n"
           "    3 |   \"at\": nil\n"
           "      |         ^^^\n"
           "   at: /at\n"
           "   hint: the only words are true, false and null; text needs double quotes\n"
           "\n"
           "2 errors, 1 warning\n");
}

static void the_caret_stands_under_what_is_meant(void **state) {
    (void)state;
    expect_lines("", 0, 0, "1:1", "    1 |\n      | ^\n");
    expect_lines("ab\n", 3, 0, "2:1", "    2 |\n      | ^\n");
    expect_lines("ab", 2, 0, "1:3", "    1 | ab\n      |   ^\n");
    expect_lines("ab\r\ncd", 2, 2, "1:3", "    1 | ab\n      |   ^\n");
    expect_lines("ab\r\ncd", 3, 1, "1:4", "    1 | ab\n      |   ^\n");
    expect_lines("ab\r\ncd\r\n", 4, 1, "2:1", "    2 | cd\n      | ^\n");
    expect_lines("[nil,\n2]", 1, 7, "1:2", "    1 | [nil,\n      |  ^^^^\n"); // several lines: to the first one's end
    expect_lines("\tx\ty", 3, 1, "1:4", "    1 |     x   y\n      |         ^\n");
    expect_lines("ab\tx", 2, 1, "1:3", "    1 | ab  x\n      |   ^^\n");
    expect_lines(CAT CAT " x", 7, 1, "1:4", "    1 | " CAT CAT " x\n      |      ^\n");
    expect_lines("\"" CAT "\"", 1, 3, "1:2", "    1 | \"" CAT "\"\n      |  ^^\n");
    expect_lines("\"" CAT "\"", 2, 1, "1:2", "    1 | \"" CAT "\"\n      |  ^^\n"); // inside a character
    expect_lines(SMILE "x", 4, 1, "1:2", "    1 | " SMILE "x\n      |   ^\n");
    expect_lines("e" COMBINING "x", 3, 1, "1:3", "    1 | e" COMBINING "x\n      |  ^\n");
    expect_lines(E_ACUTE "x", 2, 1, "1:2", "    1 | " E_ACUTE "x\n      |  ^\n");
    expect_lines("\xFF\xC3x", 2, 1, "1:3", "    1 | " REPLACED REPLACED "x\n      |   ^\n");
    expect_lines("\x1b[0mx", 4, 1, "1:5", "    1 | \xE2\x90\x9B[0mx\n      |     ^\n");
    expect_lines("\xEF\xBB\xBFx", 3, 1, "1:1", "    1 | x\n      | ^\n");
    expect_lines("\xEF\xBB\xBFx", 0, 3, "1:1", "    1 | x\n      | ^\n");
}

static void long_lines_are_shown_around_the_span(void **state) {
    (void)state;
    const size_t size = 1000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    static const size_t offsets[] = {0, 1, 50, 74, 98, 99, 100, 101, 5000, 999890, 999950, 999990, 999999};
    for (size_t i = 0; i < ZB_COUNT(offsets); i++) {
        for (size_t length = 0; length <= 300; length += 60) {
            zd_report *report = report_on(text, size, offsets[i], length);
            memset(text + offsets[i], 'A', 1); // what the first caret must be under
            zd_report_finish(report);
            output out = write_report(report, ZO_REPORT_HUMAN, false);
            memset(text + offsets[i], 'x', 1);
            char *line = strchr(out.text, '\n') + 1;
            char *carets = strchr(line, '\n') + 1;
            char *end = strchr(carets, '\n');
            const size_t cut = strncmp(line + 8, DOTS, 3) == 0 ? 2 : 0; // bytes that the ellipsis has more than columns
            const size_t span = length > 0 ? length : 1;
            assert_int_equal(cut == 0, offsets[i] + span <= 75 || offsets[i] == 0);
            const size_t column = (size_t)(strchr(carets, '^') - carets);
            assert_int_equal(line[column + cut], 'A');
            assert_true(carets - line <= 8 + 100 + 6 + 1);
            assert_true(end - carets <= 8 + 102);
            char place[32];
            snprintf(place, sizeof place, "a.json:1:%zu:", offsets[i] + 1); // the true one
            assert_memory_equal(out.text, place, strlen(place));
            free(out.text);
            zd_report_close(report);
        }
    }
    free(text);
    char wide[3 * 400 + 1] = "";
    for (int i = 0; i < 400; i++) { strcat(wide, CAT); }
    zd_report *report = report_on(wide, sizeof wide - 1, 3 * 200, 3);
    zd_report_finish(report);
    output out = write_report(report, ZO_REPORT_HUMAN, false);
    char *line = strchr(out.text, '\n') + 1;
    char *carets = strchr(line, '\n') + 1;
    assert_int_equal(zb_utf8_valid_prefix(out.text, out.size), out.size);
    assert_memory_equal(line + 8, DOTS CAT, 6);
    assert_int_equal((strchr(carets, '^') - carets - 9) % 2, 0); // behind the ellipsis every second column begins one
    assert_memory_equal(strchr(carets, '^'), "^^\n", 3);
    free(out.text);
    zd_report_close(report);
}

static void a_span_wider_than_the_line_ends_with_it(void **state) {
    (void)state;
    char text[301];
    memset(text, 'y', 300);
    text[300] = '\0';
    char lines[1000] = "    1 | " DOTS;
    strcat(lines, text + 200);
    strcat(lines, DOTS "\n      |  ");
    memset(lines + strlen(lines), '^', 100);
    strcat(lines, "\n");
    expect_lines(text, 120, 170, "1:121", lines);
}

static void many_are_counted(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 1, false);
    zd_report_file(report, "a.json", "+1", 2);
    for (int i = 0; i < 38; i++) { zd_report_add(report, ZD_JSON_PLUS, (zd_place){.length = 1}, ZD_NO_ARGS); }
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.length = 1}, ZD_NO_ARGS);
    expect(report, ZO_REPORT_HUMAN,
           "a.json:1:1: error[json/plus]: a number must not begin with +\n"
           "    1 | +1\n"
           "      | ^\n"
           "   hint: remove the plus sign\n"
           "\n"
           DOTS " and 38 more, not shown\n"
           "38 errors, 1 note\n");
}

static void line_numbers_of_six_digits_keep_the_caret_in_place(void **state) {
    (void)state;
    char *text = malloc(1234568);
    assert_non_null(text);
    memset(text, '\n', 1234568);
    text[1234567] = '+';
    zd_report *report = report_on(text, 1234568, 1234567, 1);
    expect(report, ZO_REPORT_HUMAN,
           "a.json:1234568:1: error[json/word]: the word nil is not a JSON value\n"
           "1234568 | +\n"
           "        | ^\n"
           "\n1 error\n");
    free(text);
}

static void names_and_pointers_cannot_reach_the_terminal(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a\x1b]0;x\a.json\nb", "+1", 2);
    char pointer[2000];
    memset(pointer, 'p', sizeof pointer);
    memcpy(pointer, "/\x1b", 2);
    pointer[sizeof pointer - 1] = '\0';
    zd_report_add(report, ZD_JSON_PLUS, (zd_place){.length = 1, .pointer = pointer}, ZD_NO_ARGS);
    zd_report_finish(report);
    output out = write_report(report, ZO_REPORT_HUMAN, false);
    assert_null(strchr(out.text, '\x1b'));
    assert_null(strchr(out.text, '\a'));
    assert_true(out.size < 800);
    free(out.text);
    out = write_report(report, ZO_REPORT_JSON, false);
    assert_non_null(strstr(out.text, "\"file\": \"a\\u001b]0;x\\u0007.json\\nb\""));
    assert_non_null(strstr(out.text, "\"pointer\": \"/\\u001bppp"));
    assert_true(out.size > 2000); // whole
    free(out.text);
    zd_report_close(report);
}

static void color_only_adds_escapes(void **state) {
    (void)state;
    zd_report *report = report_on("[nil]", 5, 1, 3);
    zd_report_finish(report);
    output plain = write_report(report, ZO_REPORT_HUMAN, false);
    output colored = write_report(report, ZO_REPORT_HUMAN, true);
    assert_non_null(strstr(colored.text, "\x1b[1;31m^^^\x1b[0m"));
    size_t kept = 0;
    for (size_t i = 0; i < colored.size; i++) {
        if (colored.text[i] == '\x1b') {
            while (colored.text[i] != 'm') { i++; }
            continue;
        }
        colored.text[kept++] = colored.text[i];
    }
    assert_int_equal(kept, plain.size);
    assert_memory_equal(colored.text, plain.text, kept);
    free(plain.text);
    free(colored.text);
    plain = write_report(report, ZO_REPORT_GCC, true);
    assert_string_equal(plain.text, "a.json:1:2: error: the word nil is not a JSON value [json/word]\n");
    free(plain.text);
    zd_report_close(report);
}

static void documents_for_programs(void **state) {
    (void)state;
    for (int style = ZO_REPORT_JSON; style <= ZO_REPORT_GCC; style++) {
        zd_report *report = zd_report_open(NULL, 1, false);
        zd_report_file(report, "a \"b\".json", "{\"k\":1,\"k\":2}", 13);
        const zd_place place = {.offset = 7, .length = 3, .pointer = "/k"};
        const uint32_t added = zd_report_add(report, ZD_JSON_DUPLICATE_KEY, place, ZD_ARGS(zd_text(ZB_TEXT("\"\xFF"))));
        zd_report_hint(report, added, NULL, ZD_NO_ARGS);
        zd_report_relate(report, added, (zd_place){.whole = true}, "first in this file");
        zd_report_add(report, ZD_JSON_BOM, place, ZD_NO_ARGS);
        zd_report_format_name(report, "some-format");
        expect(report, (zo_report_style)style, style == ZO_REPORT_GCC ?
               "a \"b\".json:1:8: warning: the key \"\"" REPLACED "\" stands more than once in this object "
               "[json/duplicate-key]\n"
               "a \"b\".json: note: first in this file\n" :
               "{\n  \"schema\": \"zoetrope/check@1\",\n  \"format\": \"some-format\",\n  \"errors\": 0,\n"
               "  \"warnings\": 1,\n  \"notes\": 1,\n  \"dropped\": 1,\n  \"unread\": 0,\n  \"files\": [\n"
               "    {\"file\": \"a \\\"b\\\".json\", \"format\": \"some-format\", \"errors\": 0, \"warnings\": 1, "
               "\"notes\": 1, \"dropped\": 1}\n  ],\n  \"diagnostics\": [\n"
               "    {\"severity\": \"warning\", \"id\": \"json/duplicate-key\", "
               "\"message\": \"the key \\\"\\\"" REPLACED "\\\" stands more than once in this object\", "
               "\"hint\": null, "
               "\"file\": \"a \\\"b\\\".json\", \"line\": 1, \"column\": 8, \"endLine\": 1, "
               "\"endColumn\": 11, \"offset\": 7, \"length\": 3, "
               "\"pointer\": \"/k\", \"related\": {\"message\": \"first in this file\", "
               "\"file\": \"a \\\"b\\\".json\", "
               "\"line\": 0, \"column\": 0, \"endLine\": 0, \"endColumn\": 0, \"offset\": 0, \"length\": 0, "
               "\"pointer\": null}}\n  ]\n}\n");
    }
}

// Whether a piece stands in the text, as often as is said.
static void expect_pieces(const char *text, const char *piece, uint32_t times) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++) { count++; }
    if (count != times) { print_error("%u times, not %u: %s\nin %s\n", count, times, piece, text); }
    assert_int_equal(count, times);
}

// What would end a command or one of its properties is escaped, in upper case as the runner reads it back.
static void commands_cannot_be_broken_out_of(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 2, false);
    zd_report_file(report, "50%, a:b\nc.json", "[nil,\n nil\n]", 11);
    const uint32_t added = zd_report_add(report, ZD_JSON_WORD, (zd_place){.offset = 1, .length = 3},
                                         ZD_ARGS(zd_word("x::y,100%")));
    zd_report_hint(report, added, "one\ntwo", ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.offset = 7, .length = 4}, ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.whole = true}, ZD_NO_ARGS);
    expect(report, ZO_REPORT_GITHUB,
           "::error file=50%25%2C a%3Ab%0Ac.json,line=1,endLine=1,col=2,endColumn=5,title=json/word"
           "::the word x::y,100%25 is not a JSON value%0Ahint: one%0Atwo\n"
           "::notice file=50%25%2C a%3Ab%0Ac.json,line=2,endLine=3,title=json/bom" // columns of two lines mean nothing
           "::the file begins with a byte order mark%0Ahint: save it as UTF-8 without byte order mark\n"
           "::notice file=50%25%2C a%3Ab%0Ac.json::and 1 more, not shown\n");
    report = report_on("[nil]", 5, 1, 3);
    zd_report_relate(report, 1, (zd_place){.length = 1}, "opened here");
    expect(report, ZO_REPORT_GITHUB, "::error file=a.json,line=1,endLine=1,col=2,endColumn=5,title=json/word"
                                     "::the word nil is not a JSON value%0Anote: opened here, in line 1\n");
}

static zd_report *sarif_example(const char *name) {
    static const char text[] = "{\n \"\xC3\xA9\": nil\n}";
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, name, text, sizeof text - 1);
    const zd_place place = {.offset = 9, .length = 3, .pointer = "/\xC3\xA9"};
    const uint32_t added = zd_report_add(report, ZD_JSON_WORD, place, ZD_ARGS(zd_word("{0}")));
    zd_report_hint(report, added, "a \"{}\"", ZD_NO_ARGS);
    zd_report_fix(report, added, ZB_TEXT("null"), "replace {} with {}", ZD_ARGS(zd_word("nil"), zd_word("null")));
    zd_report_relate(report, added, (zd_place){.length = 1}, "opened here");
    zd_report_finish(report);
    return report;
}

static const char sarif_expected[] =
    "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
    "    \"tool\": {\"driver\": {\n      \"name\": \"zoetrope\",\n      \"version\": \"%s\",\n      \"rules\": [\n"
    "        {\"id\": \"json/word\", \"shortDescription\": {\"text\": \"the word ... is not a JSON value\"}, "
    "\"fullDescription\": {\"text\": \"%s\"}, \"help\": {\"text\": \"%s\"}, "
    "\"defaultConfiguration\": {\"level\": \"error\"}}\n      ]\n    }},\n"
    "    \"invocations\": [{\"executionSuccessful\": true}],\n    \"columnKind\": \"unicodeCodePoints\",\n"
    "    \"results\": [\n"
    "      {\"ruleId\": \"json/word\", \"ruleIndex\": 0, \"level\": \"error\", "
    "\"message\": {\"text\": \"the word {{0}} is not a JSON value. Hint: a \\\"{{}}\\\"\"}, "
    "\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"a/b%%20%%C3%%A9%%3A%%25.json\"}, "
    "\"region\": {\"startLine\": 2, \"startColumn\": 7, \"endLine\": 2, \"endColumn\": 10, "
    "\"byteOffset\": 9, \"byteLength\": 3}}, \"logicalLocations\": [{\"fullyQualifiedName\": \"/\xC3\xA9\"}]}], "
    "\"relatedLocations\": [{\"id\": 1, \"message\": {\"text\": \"opened here\"}, "
    "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"a/b%%20%%C3%%A9%%3A%%25.json\"}, "
    "\"region\": {\"startLine\": 1, \"startColumn\": 1, \"endLine\": 1, \"endColumn\": 2, "
    "\"byteOffset\": 0, \"byteLength\": 1}}}], "
    "\"partialFingerprints\": {\"rulePointerValue/v1\": \"%.16s\"}, "
    "\"fixes\": [{\"description\": {\"text\": \"replace nil with null\"}, "
    "\"artifactChanges\": [{\"artifactLocation\": {\"uri\": \"a/b%%20%%C3%%A9%%3A%%25.json\"}, "
    "\"replacements\": [{\"deletedRegion\": {\"startLine\": 2, \"startColumn\": 7, \"endLine\": 2, \"endColumn\": 10}, "
    "\"insertedContent\": {\"text\": \"null\"}}]}]}]}\n    ]\n  }]\n}\n";

// The whole of it once. The fingerprint is taken from what was written: another test says what it must be like.
static void a_sarif_document(void **state) {
    (void)state;
    zd_report *report = sarif_example("a/b \xC3\xA9:%.json");
    output out = write_report(report, ZO_REPORT_SARIF, false);
    const char *print = strstr(out.text, "rulePointerValue/v1\": \"");
    assert_non_null(print);
    const char *explain = zd_rule_of(ZD_JSON_WORD)->explain;
    char expected[6000];
    snprintf(expected, sizeof expected, sarif_expected, "0.1.0", explain, explain, print + 23);
    assert_string_equal(out.text, expected);
    free(out.text);
    zd_report_close(report);
}

// A mark has no place in lines and goes by bytes, what is only put in has a place of no length, a whole file has no region, an absolute path is a file: URI, and nothing is a run too.
static void sarif_of_odd_places(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "/a#b.json", "\xEF\xBB\xBF[", 4);
    const uint32_t added = zd_report_add(report, ZD_JSON_BOM, (zd_place){.length = 3}, ZD_NO_ARGS);
    zd_report_fix(report, added, ZB_TEXT(""), "remove it", ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.whole = true, .pointer = ""}, ZD_NO_ARGS);
    const uint32_t other = zd_report_add(report, ZD_JSON_END, (zd_place){.offset = 4}, ZD_ARGS(zd_word("[")));
    zd_report_fix(report, other, ZB_TEXT("]"), "put ]", ZD_NO_ARGS);
    zd_report_finish(report);
    output out = write_report(report, ZO_REPORT_SARIF, false);
    expect_pieces(out.text, "\"ruleId\"", 3);
    expect_pieces(out.text, "\"shortDescription\"", 2);
    expect_pieces(out.text, "{\"uri\": \"file:///a%23b.json\"}", 5);
    expect_pieces(out.text, "\"region\"", 2);
    expect_pieces(out.text, "\"fixes\"", 2);
    expect_pieces(out.text, "\"replacements\": [{\"deletedRegion\": {\"byteOffset\": 0, \"byteLength\": 3}}]", 1);
    expect_pieces(out.text, "[{\"deletedRegion\": {\"startLine\": 1, \"startColumn\": 2, \"endLine\": 1, \"endColumn\": 2}, "
                            "\"insertedContent\": {\"text\": \"]\"}}]", 1);
    expect_pieces(out.text, "logicalLocations", 0);
    free(out.text);
    zd_report_close(report);

    out = (output){.calls_left = UINT32_MAX};
    assert_true(zd_reports_write(NULL, 0, ZO_REPORT_SARIF, false, collect, &out));
    expect_pieces(out.text, "\"rules\": []", 1);
    expect_pieces(out.text, "\"results\": []", 1);
    free(out.text);
}

// Without its bytes nothing can be quoted and no lines be counted: a place is where it is in bytes.
static void places_in_binary_files(void **state) {
    (void)state;
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a.bin", NULL, 100);
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.offset = 64, .length = 4}, ZD_NO_ARGS);
    zd_report_add(report, ZD_JSON_BOM, (zd_place){.offset = 98, .length = 4}, ZD_NO_ARGS);
    zd_report_finish(report);
    output out = write_report(report, ZO_REPORT_SARIF, false);
    expect_pieces(out.text, "\"region\": {\"byteOffset\": 64, \"byteLength\": 4}", 1);
    expect_pieces(out.text, "\"region\": {\"byteOffset\": 98, \"byteLength\": 2}", 1);
    expect_pieces(out.text, "startLine", 0);
    const char *first = strstr(out.text, "/v1\": \""), *second = strstr(first + 1, "/v1\": \"");
    assert_true(strncmp(first, second, 24) != 0);
    free(out.text);
    out = write_report(report, ZO_REPORT_JSON, false);
    expect_pieces(out.text, "\"line\": 0, \"column\": 0, \"endLine\": 0, \"endColumn\": 0, \"offset\": 64, \"length\": 4", 1);
    free(out.text);
    zd_report_close(report);
}

static void fingerprint_of(const char *text, size_t offset, size_t length, const char *pointer, char print[17]) {
    zd_report *report = zd_report_open(NULL, 0, false);
    zd_report_file(report, "a.json", text, strlen(text));
    const zd_place place = {.offset = offset, .length = length, .pointer = pointer};
    zd_report_add(report, ZD_JSON_WORD, place, ZD_ARGS(zd_word("x")));
    zd_report_finish(report);
    output out = write_report(report, ZO_REPORT_SARIF, false);
    snprintf(print, 17, "%.16s", strstr(out.text, "/v1\": \"") + 7);
    free(out.text);
    zd_report_close(report);
}

static void fingerprints_follow_what_moves(void **state) {
    (void)state;
    char prints[4][17];
    fingerprint_of("[nil]", 1, 3, "/0", prints[0]);
    fingerprint_of("\n\n[  nil]", 5, 3, "/0", prints[1]); // moved
    fingerprint_of("[nul]", 1, 3, "/0", prints[2]);       // another value
    fingerprint_of("[nil]", 1, 3, "/1", prints[3]);       // another place in the data
    assert_string_equal(prints[0], prints[1]);
    assert_string_not_equal(prints[0], prints[2]);
    assert_string_not_equal(prints[0], prints[3]);
}

static void several_reports_are_one_document(void **state) {
    (void)state;
    zd_report *a = sarif_example("a.json");
    zd_report *b = sarif_example("b.json");
    const zd_report *reports[] = {a, NULL, b};
    output out = {.calls_left = UINT32_MAX};
    assert_true(zd_reports_write(reports, 3, ZO_REPORT_JSON, false, collect, &out));
    expect_pieces(out.text, "\"schema\"", 1);
    expect_pieces(out.text, "  \"errors\": 2,\n", 1);
    expect_pieces(out.text, "  \"unread\": 1,\n", 1);
    expect_pieces(out.text, "    {\"file\": \"b.json\", \"format\": \"\", \"errors\": 1, ", 1);
    expect_pieces(out.text, "\"fix\": {\"message\": \"replace nil with null\", "
                            "\"edits\": [{\"offset\": 9, \"remove\": 3, \"insert\": \"null\"}]}", 2);
    free(out.text);

    out = (output){.calls_left = UINT32_MAX};
    assert_true(zd_reports_write(reports, 3, ZO_REPORT_SARIF, false, collect, &out));
    expect_pieces(out.text, "\"tool\"", 1);
    expect_pieces(out.text, "\"shortDescription\"", 1);
    expect_pieces(out.text, "\"ruleIndex\": 0", 2);
    expect_pieces(out.text, "\"executionSuccessful\": false", 1);
    free(out.text);

    out = (output){.calls_left = UINT32_MAX};
    assert_true(zd_reports_write(reports, 3, ZO_REPORT_HUMAN, false, collect, &out));
    expect_pieces(out.text, "1 error\n\nb.json:2:7: error", 1);
    free(out.text);
    zd_report_close(a);
    zd_report_close(b);
}

// Any bytes, any place: the output is UTF-8 without control bytes, and each caret stands inside its line or at its end.
static void any_bytes_can_be_quoted(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (uint32_t n = 0; n < 3000; n++) {
        char bytes[400];
        const size_t size = n % (sizeof bytes + 1);
        for (size_t i = 0; i < size; i++) {
            seed = seed * 1664525 + 1013904223;
            const char tricky = "\t\n\r\xCC\x81x \xE7"[seed >> 29];
            bytes[i] = n % 3 == 0 ? (char)(seed >> 24) : n % 3 == 1 ? (char)(0xE0 + (seed >> 24) % 4 * 7) : tricky;
        }
        zd_report *report = report_on(bytes, size, seed % (size + 1), seed >> 8 & 127);
        zd_report_finish(report);
        output out = write_report(report, ZO_REPORT_HUMAN, false);
        assert_int_equal(zb_utf8_valid_prefix(out.text, out.size), out.size);
        for (size_t i = 0; i < out.size; i++) {
            assert_true((unsigned char)out.text[i] >= 0x20 || out.text[i] == '\n');
        }
        assert_non_null(strchr(out.text, '^'));
        free(out.text);
        zd_report_close(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_report_is_silent),
        cmocka_unit_test(a_writer_that_stops_is_obeyed),
        cmocka_unit_test(the_whole_form),
        cmocka_unit_test(the_caret_stands_under_what_is_meant),
        cmocka_unit_test(long_lines_are_shown_around_the_span),
        cmocka_unit_test(a_span_wider_than_the_line_ends_with_it),
        cmocka_unit_test(many_are_counted),
        cmocka_unit_test(line_numbers_of_six_digits_keep_the_caret_in_place),
        cmocka_unit_test(names_and_pointers_cannot_reach_the_terminal),
        cmocka_unit_test(color_only_adds_escapes),
        cmocka_unit_test(documents_for_programs),
        cmocka_unit_test(commands_cannot_be_broken_out_of),
        cmocka_unit_test(a_sarif_document),
        cmocka_unit_test(sarif_of_odd_places),
        cmocka_unit_test(places_in_binary_files),
        cmocka_unit_test(fingerprints_follow_what_moves),
        cmocka_unit_test(several_reports_are_one_document),
        cmocka_unit_test(any_bytes_can_be_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
