// The reader of character packs: the order of its checks, what it takes for what, what it warns of, and what it would
// write. Packs are texts in memory; each test changes some words of one that is fine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zoetrope/zoetrope.h>

enum { MANIFEST, GRAPH, MOUTH, FILES, TEXT_MAX = 4096 };

static const char *const fine[FILES] = {
    [MANIFEST] = "{\"format\": \"amadeus.spriteforge.character-pack.v1\", \"textureFormat\": \"ktx2\", \"id\": \"lamp\", "
                 "\"displayName\": \"Lamp\", \"version\": \"1\", \"graph\": \"g.json\", \"mouthConfig\": \"m.json\", "
                 "\"clips\": {\"idle\": {\"phase\": \"loop\", \"frameIntervalMs\": 40, \"loopMode\": \"loop\", "
                 "\"frames\": [\"a.ktx2\", \"t/b.ktx2\"]}, \"nod\": {\"phase\": \"in\", \"frameIntervalMs\": 25, "
                 "\"loopMode\": \"once_then_hold\", \"frames\": [\"t/b.ktx2\"]}}, "
                 "\"mouthOverlays\": {\"idle\": [\"o.ktx2\"]}, \"clipCount\": 2, \"frameCount\": 3, "
                 "\"textureCount\": 3, \"textureBytes\": 600}",
    [GRAPH] = "{\"nodes\": [{\"id\": \"i\", \"label\": \"idle\", \"isRoot\": true}, {\"id\": \"n\", \"label\": \"nod\"}], "
              "\"edges\": [{\"id\": \"e\", \"from\": \"i\", \"to\": \"n\", \"prob\": 0.5}]}",
    [MOUTH] = "{\"version\": 1, \"expressions\": {\"neutral\": {\"cx\": 1}}, "
              "\"profiles\": {\"idle\": {\"mouth_set\": \"neutral\"}}}",
};

typedef struct change {
    int file;
    const char *from, *to;
} change;

typedef struct pack {
    char texts[FILES][TEXT_MAX];
    const char *manifest_name, *real_name;
} pack;

static void alter(pack *p, change c) {
    char *text = p->texts[c.file], *at = strstr(text, c.from);
    assert_non_null(at);
    const size_t from = strlen(c.from), to = strlen(c.to), after = strlen(at + from) + 1;
    assert_true((size_t)(at - text) + to + after <= TEXT_MAX);
    memmove(at + to, at + from, after);
    memcpy(at, c.to, to);
}

static pack pack_of(const change *changes, size_t count) {
    pack p = {.manifest_name = "runtime_manifest.json"};
    for (int i = 0; i < FILES; i++) { strcpy(p.texts[i], fine[i]); }
    for (size_t i = 0; i < count; i++) { alter(&p, changes[i]); }
    return p;
}
static pack changed(int file, const char *from, const char *to) { return pack_of(&(change){file, from, to}, 1); }

// As many more as the library asks for: files of these names are there, of 100, 200 and 300 bytes.
static zo_report *check_def(const pack *p, const zo_compile_def *given, zo_program **program) {
    static const char zeros[300] = {0};
    zo_compile_def def = *given;
    def.format = "character-pack-v1/runtime_manifest";
    const char *slash = strrchr(p->manifest_name, '/');
    const int folder = slash != NULL ? (int)(slash - p->manifest_name) + 1 : 0;
    static const struct { const char *name; size_t size; } there[] = {{"a.ktx2", 100}, {"t/b.ktx2", 200}, {"o.ktx2", 300}};
    zo_source sources[16] = {
        {.name = p->manifest_name, .real_name = p->real_name, .bytes = p->texts[MANIFEST], .size = strlen(p->texts[MANIFEST])},
    };
    char names[16][64];
    uint32_t count = 1;
    zo_report *report = NULL;
    zo_compile(sources, 1, &def, NULL, &report);
    for (int round = 0; round < 3 && zo_report_need_count(report) > 0; round++) {
        for (uint32_t i = 0; i < zo_report_need_count(report) && count < 16; i++) {
            const char *need = zo_report_need(report, i)->name;
            snprintf(names[count], sizeof names[count], "%.*s%s", folder, p->manifest_name, need);
            zo_source *source = &sources[count];
            *source = (zo_source){.name = names[count], .kind = ZO_SOURCE_MISSING};
            const int file = strcmp(need, "g.json") == 0 ? GRAPH : strcmp(need, "m.json") == 0 ? MOUTH : FILES;
            if (file < FILES) {
                *source = (zo_source){.name = names[count], .bytes = p->texts[file], .size = strlen(p->texts[file])};
            }
            for (size_t k = 0; k < sizeof there / sizeof there[0]; k++) {
                if (strcmp(need, there[k].name) == 0) {
                    *source = (zo_source){.name = names[count], .bytes = zeros, .size = there[k].size};
                }
            }
            count++;
        }
        zo_report_free(report);
        zo_compile(sources, count, &def, program, &report);
    }
    return report;
}
static zo_report *check(const pack *p) { return check_def(p, &(zo_compile_def){0}, NULL); }

static uint32_t count_of(const zo_report *report, const char *id, zo_severity severity) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        count += strcmp(zo_report_at(report, i)->id, id) == 0 && zo_report_at(report, i)->severity == severity;
    }
    return count;
}

static const zo_diag *diag_of(const zo_report *report, const char *id) {
    for (uint32_t i = 0; i < zo_report_count(report); i++) {
        if (strcmp(zo_report_at(report, i)->id, id) == 0) { return zo_report_at(report, i); }
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------------ A3: the order

// Everything is wrong at once, and mended from the first to the last in the order of the format's own validator.
static void a3_the_first_fault_in_the_validators_order_decides(void **state) {
    (void)state;
    static const struct { change wrong; const char *category, *named; } order[] = {
        {{MANIFEST, "\"amadeus.", "\"amadeus_"}, "invalid_manifest", "format"},
        {{MANIFEST, "\"textureFormat\": \"ktx2\"", "\"textureFormat\": \"png\""}, "invalid_manifest", "textureFormat"},
        {{MANIFEST, "\"lamp\"", "\" \""}, "invalid_manifest", "id"},
        {{MANIFEST, "\"Lamp\"", "[]"}, "invalid_manifest", "displayName"},
        {{MANIFEST, "\"version\": \"1\"", "\"version\": 0"}, "invalid_manifest", "version"},
        {{MANIFEST, "\"g.json\"", "\"../g.json\""}, "invalid_manifest", "graph"},
        {{MANIFEST, "\"m.json\"", "\"/m.json\""}, "invalid_manifest", "mouthConfig"},
        {{GRAPH, "{\"nodes\"", "{nodes"}, "invalid_graph", "g.json"},
        {{MOUTH, "{\"version\"", "{version"}, "invalid_mouth_config", "m.json"}, // trap 8: before what the graph says
        {{GRAPH, "true", "1"}, "invalid_graph", "graph.nodes[0]"},
        {{GRAPH, "0.5", "-0.5"}, "invalid_graph", "'e'"},
        {{MOUTH, "\"cx\"", "\"speaking_frames\""}, "invalid_mouth_config", "expressions.neutral"},
        {{MOUTH, "{\"mouth_set\"", "{\"frame_names\": 0, \"mouth_set\""}, "invalid_mouth_config", "frame_names"},
        {{MANIFEST, "40", "0"}, "invalid_manifest", "clips.idle"},
        {{MANIFEST, "\"phase\": \"loop\"", "\"phase\": \"\""}, "invalid_manifest", "phase"},
        {{MANIFEST, "\"loopMode\": \"loop\"", "\"loopMode\": \"Loop\""}, "invalid_manifest", "clips.idle"},
        {{MANIFEST, "\"a.ktx2\"", "\"a.png\""}, "invalid_manifest", "clips.idle.frames[0]"},
        {{MANIFEST, ", \"t/b.ktx2\"", ", \"c.ktx2\""}, "incomplete_pack", "clips.idle.frames[1]"},
        {{MANIFEST, "25", "\"25.5\""}, "invalid_manifest", "clips.nod"}, // one clip is finished before the next
        {{GRAPH, "\"nod\"", "\"nid\""}, "incomplete_pack", "nid"},
        {{MANIFEST, "\"o.ktx2\"", "\"x/../o.ktx2\""}, "invalid_manifest", "mouthOverlays.idle[0]"},
        {{MOUTH, "{\"idle\"", "{\"Idle\""}, "incomplete_pack", "Idle"},
        {{MANIFEST, "\"clipCount\": 2", "\"clipCount\": 3"}, "invalid_manifest", "clipCount"},
        {{MANIFEST, "\"frameCount\": 3", "\"frameCount\": 2"}, "invalid_manifest", "frameCount"},
        {{MANIFEST, "\"textureCount\": 3", "\"textureCount\": 0"}, "invalid_manifest", "textureCount"},
        {{MANIFEST, "\"textureBytes\": 600", "\"textureBytes\": \"x\""}, "invalid_manifest", "textureBytes"},
    };
    enum { COUNT = sizeof order / sizeof order[0] };
    for (size_t mended = 0; mended <= COUNT; mended++) {
        pack p = pack_of(NULL, 0);
        for (size_t i = COUNT; i > mended; i--) { alter(&p, order[i - 1].wrong); }
        for (int contract = 0; contract < 2; contract++) {
            zo_report *report = check_def(&p, &(zo_compile_def){.contract_only = contract == 1}, NULL);
            zo_verdict verdict;
            assert_true(zo_report_verdict(report, &verdict));
            if (mended == COUNT) {
                assert_null(verdict.category);
                assert_string_equal(verdict.line, "OK: lamp 1 | nodes=2 edges=1 manual_edges=0 clips=2 frames=3");
            } else if (verdict.category == NULL || strcmp(verdict.category, order[mended].category) != 0 ||
                       strstr(verdict.line, order[mended].named) == NULL) {
                fail_msg("after %d: %s, not %s of %s", (int)mended, verdict.line, order[mended].category,
                         order[mended].named);
            }
            assert_true((zo_report_total(report, ZO_ERROR) > 0) == (mended < COUNT));
            zo_report_free(report);
        }
    }
}

// Both lists are looked at before what is in either, and that of nodes, which may not be empty, before that of edges.
static void a3_the_lists_of_a_graph_come_before_what_is_in_them(void **state) {
    (void)state;
    static const char nodes[] = "[{\"id\": \"i\", \"label\": \"idle\", \"isRoot\": true}, {\"id\": \"n\", "
                                "\"label\": \"nod\"}]";
    static const struct { change wrong[2]; const char *named; uint32_t errors; } cases[] = {
        {{{GRAPH, nodes, "[]"}, {GRAPH, "\"edges\"", "\"other\""}}, "nodes must be", 2},
        {{{GRAPH, nodes, "{}"}, {GRAPH, "\"edges\"", "\"other\""}}, "nodes must be", 2},
        {{{GRAPH, nodes, "[7]"}, {GRAPH, "\"edges\"", "\"other\""}}, "edges must be", 3}, // the item, and no root
        {{{GRAPH, nodes, "[7]"}, {GRAPH, "0.5", "-1"}}, "graph.nodes[0]", 5}, // and both ends of the edge
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pack p = pack_of(cases[i].wrong, 2);
        zo_report *report = check(&p);
        zo_verdict verdict;
        assert_true(zo_report_verdict(report, &verdict) && verdict.category != NULL);
        assert_string_equal(verdict.category, "invalid_graph");
        if (strstr(verdict.line, cases[i].named) == NULL || zo_report_total(report, ZO_ERROR) != cases[i].errors) {
            fail_msg("%d: %s, %u errors", (int)i, verdict.line, zo_report_total(report, ZO_ERROR));
        }
        zo_report_free(report);
    }
}

// Each alone is told, whatever else is wrong, but for what cannot be looked at without it.
static void a3_all_faults_are_listed(void **state) {
    (void)state;
    const change changes[] = {{MANIFEST, "\"lamp\"", "null"}, {MANIFEST, "40", "0"}, {MANIFEST, "\"a.ktx2\"", "\"a.png\""},
                              {GRAPH, "true", "1"}, {GRAPH, "0.5", "-1"}, {MOUTH, "\"cx\"", "\"root\""},
                              {MANIFEST, "\"clipCount\": 2", "\"clipCount\": 1"}};
    const pack p = pack_of(changes, sizeof changes / sizeof changes[0]);
    zo_report *report = check(&p);
    static const char *const ids[] = {"charpack/member", "charpack/interval", "charpack/extension", "charpack/root-flag",
                                      "charpack/roots", "charpack/prob", "charpack/authoring-field", "charpack/count"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) { assert_int_equal(count_of(report, ids[i], ZO_ERROR), 1); }
    assert_int_equal(zo_report_total(report, ZO_ERROR), sizeof ids / sizeof ids[0]);
    zo_report_free(report);
}

// Trap 8, its second half.
static void a3_an_overlay_of_another_kind_is_incomplete_and_a_frame_is_invalid(void **state) {
    (void)state;
    static const struct { change wrong; const char *category; } cases[] = {
        {{MANIFEST, "\"a.ktx2\"", "\"a.png\""}, "invalid_manifest"},
        {{MANIFEST, "\"o.ktx2\"", "\"o.png\""}, "incomplete_pack"},
        {{MANIFEST, "\"a.ktx2\"", "\"gone.ktx2\""}, "incomplete_pack"},
        {{MANIFEST, "\"o.ktx2\"", "\"gone.ktx2\""}, "incomplete_pack"},
        {{MANIFEST, "[\"o.ktx2\"]", "[]"}, "invalid_manifest"},
        {{MANIFEST, "{\"idle\": [\"o.ktx2\"]}", "null"}, "invalid_manifest"},
        {{MANIFEST, "\"mouthOverlays\"", "\"other\""}, "incomplete_pack"}, // none are there, and a profile wants one
        {{MANIFEST, "\"mouthOverlays\": {\"idle\"", "\"mouthOverlays\": {\" \""}, "invalid_manifest"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pack p = pack_of(&cases[i].wrong, 1);
        zo_report *report = check(&p);
        zo_verdict verdict;
        assert_true(zo_report_verdict(report, &verdict) && verdict.category != NULL);
        assert_string_equal(verdict.category, cases[i].category);
        zo_report_free(report);
    }
}

// Trap 9: files are counted once, frames as often as clips list them; 0 is compared, null and absence are not.
static void a3_counts(void **state) {
    (void)state;
    static const struct { const char *from, *to; bool good; } cases[] = {
        {"\"clipCount\": 2", "\"clipCount\": null", true},
        {"\"clipCount\": 2, ", "", true},
        {"\"clipCount\": 2", "\"clipCount\": 0", false},
        {"\"clipCount\": 2", "\"clipCount\": 2.9", true}, // cut towards zero
        {"\"clipCount\": 2", "\"clipCount\": \" 2 \"", true},
        {"\"clipCount\": 2", "\"clipCount\": -2", false},
        {"\"clipCount\": 2", "\"clipCount\": true", false},
        {"\"frameCount\": 3", "\"frameCount\": 2", false}, // t/b.ktx2 stands in two clips
        {"\"frameCount\": 3", "\"frameCount\": 4", false}, // the overlay is no frame of a clip
        {"\"textureCount\": 3", "\"textureCount\": 4", false},
        {"\"textureCount\": 3", "\"textureCount\": 2", false}, // the overlay is a texture
        {"\"textureBytes\": 600", "\"textureBytes\": 800", false},
        {"\"textureBytes\": 600", "\"textureBytes\": [600]", false},
        {"\"textureBytes\": 600", "\"textureBytes\": 0", false},
        {", \"t/b.ktx2\"", ", \"./t//b.ktx2\"", true}, // the same file, written otherwise
        {", \"t/b.ktx2\"", ", \"t\\\\b.ktx2\"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pack p = changed(MANIFEST, cases[i].from, cases[i].to);
        zo_report *report = check(&p);
        if ((zo_report_total(report, ZO_ERROR) == 0) != cases[i].good ||
            count_of(report, "charpack/count", ZO_ERROR) != (cases[i].good ? 0 : 1)) {
            fail_msg("%s: %u errors", cases[i].to, zo_report_total(report, ZO_ERROR));
        }
        zo_report_free(report);
    }
}

static void a3_weights_without_a_finite_sum_are_an_error_of_ours(void **state) {
    (void)state;
    const pack p = changed(GRAPH, "\"edges\": [", "\"edges\": [{\"id\": \"f\", \"from\": \"i\", \"to\": \"i\", \"prob\": "
                                                  "1.7e308}, ");
    zo_report *report = check(&p);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 0);
    zo_report_free(report);
    pack two = p;
    alter(&two, (change){GRAPH, "0.5", "1.7e308"});
    report = check(&two);
    assert_int_equal(count_of(report, "charpack/weights", ZO_ERROR), 1);
    zo_report_free(report);
    report = check_def(&two, &(zo_compile_def){.contract_only = true}, NULL);
    assert_int_equal(zo_report_total(report, ZO_ERROR), 0);
    zo_report_free(report);
}

// ------------------------------------------------------------------------------------------------------- A4: the paths

// Trap 7.
static void a4_paths_lead_down_in_any_spelling(void **state) {
    (void)state;
    static const struct { const char *path; const char *id; } cases[] = { // NULL: it is a.ktx2
        {"./a.ktx2", NULL}, {"a.ktx2/", NULL}, {".//./a.ktx2", NULL}, {" \\t\\u3000a.ktx2\\n", NULL}, {".\\\\a.ktx2", NULL},
        {"../a.ktx2", "charpack/path"}, {"x/../a.ktx2", "charpack/path"}, {"x\\\\..\\\\a.ktx2", "charpack/path"},
        {"..", "charpack/path"}, {"/a.ktx2", "charpack/path"}, {"\\\\a.ktx2", "charpack/path"},
        {"\\\\\\\\server\\\\a.ktx2", "charpack/path"}, {"//a.ktx2", "charpack/path"}, {"C:/a.ktx2", "charpack/path"},
        {"z:a.ktx2", "charpack/path"}, {"", "charpack/path"}, {" \\t", "charpack/path"}, {"a\\u0000.ktx2", "charpack/path"},
        {"..x/a.ktx2", "charpack/file"}, {"a..b/a.ktx2", "charpack/file"}, {".../a.ktx2", "charpack/file"}, // as a name
        {"1:/a.ktx2", "charpack/file"}, {"ab:/a.ktx2", "charpack/file"}, {"A.ktx2", "charpack/file"},
        {".", "charpack/extension"}, {".ktx2", "charpack/extension"}, {"t/.ktx2", "charpack/extension"},
        {"a.ktx2.png", "charpack/extension"}, {"a", "charpack/extension"}, {"a.KTX2", "charpack/file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\"", cases[i].path);
        const pack p = changed(MANIFEST, "\"a.ktx2\"", quoted);
        zo_report *report = check(&p);
        const zo_diag *diag = cases[i].id != NULL ? diag_of(report, cases[i].id) : NULL;
        if (zo_report_total(report, ZO_ERROR) != (cases[i].id != NULL ? 1u : 0u) || (cases[i].id != NULL && diag == NULL)) {
            fail_msg("%s: %s", cases[i].path, zo_report_count(report) > 0 ? zo_report_at(report, 0)->id : "fine");
        }
        zo_report_free(report);
    }
}

// ---------------------------------------------------------------------------------------------------- loose typing

static void loose_types_are_taken_and_told(void **state) {
    (void)state;
    static const struct { change c; bool good; } cases[] = {
        {{MANIFEST, "\"lamp\"", "7"}, true},           {{MANIFEST, "\"lamp\"", "true"}, true},
        {{MANIFEST, "\"lamp\"", "[0]"}, true},         {{MANIFEST, "\"lamp\"", "{\"a\": 1}"}, true},
        {{MANIFEST, "\"lamp\"", "0"}, false},          {{MANIFEST, "\"lamp\"", "-0.0"}, false},
        {{MANIFEST, "\"lamp\"", "false"}, false},      {{MANIFEST, "\"lamp\"", "null"}, false},
        {{MANIFEST, "\"lamp\"", "[]"}, false},         {{MANIFEST, "\"lamp\"", "{}"}, false},
        {{MANIFEST, "\"lamp\"", "\" \\u2003\""}, false},
        {{MANIFEST, "\"Lamp\"", "1.5"}, true},         {{MANIFEST, "\"version\": \"1\"", "\"version\": 1"}, true},
        {{MANIFEST, "40", "true"}, true},              {{MANIFEST, "40", "false"}, false},
        {{MANIFEST, "40", "41.9"}, true},              {{MANIFEST, "40", "0.5"}, false},
        {{MANIFEST, "40", "\" 42 \""}, true},          {{MANIFEST, "40", "\"42.5\""}, false},
        {{MANIFEST, "40", "\"+4_2\""}, true},          {{MANIFEST, "40", "\"4__2\""}, false},
        {{MANIFEST, "40", "\"\""}, false},             {{MANIFEST, "40", "-1"}, false},
        {{MANIFEST, "40", "[40]"}, false},             {{MANIFEST, "40", "null"}, false},
        {{MANIFEST, "40", "1e999"}, false},
        {{MANIFEST, "\"phase\": \"loop\"", "\"phase\": 1"}, true},
        {{MANIFEST, "\"phase\": \"loop\"", "\"phase\": 0"}, false},
        {{MANIFEST, "\"loopMode\": \"loop\"", "\"loopMode\": [\"loop\"]"}, false},
        {{MANIFEST, "\"loopMode\": \"loop\"", "\"loopMode\": \" loop\""}, false},
        {{MANIFEST, "\"clipCount\": 2", "\"clipCount\": \"2\""}, true},
        {{MANIFEST, "\"clipCount\": 2", "\"clipCount\": 2.5"}, true},
        {{GRAPH, "\"label\": \"nod\"", "\"label\": 0"}, false},
        {{GRAPH, "\"id\": \"e\"", "\"id\": 0.25"}, true},
        {{GRAPH, "0.5", "\"0.5\""}, false},            {{GRAPH, "0.5", "true"}, false},
        {{GRAPH, "true", "\"true\""}, false},          {{GRAPH, "true", "null"}, false},
        {{MANIFEST, "\"textureFormat\": \"ktx2\"", "\"textureFormat\": \"kTX2\""}, true},
        {{MANIFEST, "\"textureFormat\": \"ktx2\"", "\"textureFormat\": \"ktx2 \""}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pack p = pack_of(&cases[i].c, 1);
        zo_report *report = check(&p), *quiet = check_def(&p, &(zo_compile_def){.contract_only = true}, NULL);
        const bool is_case = strstr(cases[i].c.to, "kTX2") != NULL; // no other type
        const uint32_t told = count_of(report, "charpack/loose-type", ZO_WARNING);
        if ((zo_report_total(report, ZO_ERROR) == 0) != cases[i].good || told != (cases[i].good && !is_case ? 1u : 0u)) {
            fail_msg("%s: %u errors, %u told", cases[i].c.to, zo_report_total(report, ZO_ERROR), told);
        }
        assert_int_equal(zo_report_total(quiet, ZO_ERROR) == 0, cases[i].good);
        assert_int_equal(zo_report_total(quiet, ZO_WARNING), 0);
        zo_report_free(report);
        zo_report_free(quiet);
    }
}

// A number and the text of it are one id, and an interval is what was made of it.
static void loose_values_mean_what_they_are_taken_for(void **state) {
    (void)state;
    const change changes[] = {{GRAPH, "{\"id\": \"n\"", "{\"id\": 7"}, {GRAPH, "\"to\": \"n\"", "\"to\": \" 7 \""},
                              {MANIFEST, "40", "41.9"}, {MANIFEST, "25", "\" 42\\t\""}};
    const pack p = pack_of(changes, sizeof changes / sizeof changes[0]);
    zo_program *program = NULL;
    zo_report *report = check_def(&p, &(zo_compile_def){0}, &program);
    assert_non_null(program);
    assert_int_equal(count_of(report, "charpack/loose-type", ZO_WARNING), 3);
    zo_clip_info info;
    assert_true(zo_clip_get(program, zo_clip_find(program, "idle"), &info));
    assert_int_equal(info.duration_ns, 2 * 41 * 1000000);
    assert_true(zo_clip_get(program, zo_clip_find(program, "nod"), &info));
    assert_int_equal(info.duration_ns, 42 * 1000000);
    zo_program_free(program);
    zo_report_free(report);
}

// --------------------------------------------------------------------------------------------------- from authoring

static const char *const authoring[] = {"root", "phase", "frame_names", "closed_source", "speaking_frames"};

// In expressions, in profiles and at the top of the mouth file; the format's own validator looks in fewer places.
static void fields_of_authoring_are_refused(void **state) {
    (void)state;
    static const char *const places[] = {"{\"version\"", "{\"cx\"", "{\"mouth_set\""}; // top, expression, profile
    for (size_t a = 0; a < sizeof authoring / sizeof authoring[0]; a++) {
        for (int at = 0; at < 3; at++) {
            char with[64];
            snprintf(with, sizeof with, "{\"%s\": null, %s", authoring[a], places[at] + 1);
            const pack p = changed(MOUTH, places[at], with);
            zo_report *report = check(&p), *contract = check_def(&p, &(zo_compile_def){.contract_only = true}, NULL);
            assert_int_equal(count_of(report, "charpack/authoring-field", ZO_ERROR), 1);
            assert_int_equal(zo_report_total(report, ZO_ERROR), 1);
            const bool speaking = strcmp(authoring[a], "speaking_frames") == 0;
            const bool looked_for = at == 1 ? speaking : at == 2 && !speaking;
            assert_int_equal(zo_report_total(contract, ZO_ERROR), looked_for ? 1 : 0);
            zo_report_free(report);
            zo_report_free(contract);
        }
    }
    static const struct { const char *value; bool good; } roots[] = { // of a node: when it is not blank
        {"\"\"", true}, {"\" \"", true}, {"null", true}, {"0", true}, {"[]", true}, {"\"x\"", false}, {"true", false},
    };
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        char with[64];
        snprintf(with, sizeof with, "{\"root\": %s, \"id\": \"n\"", roots[i].value);
        const pack p = changed(GRAPH, "{\"id\": \"n\"", with);
        for (int contract = 0; contract < 2; contract++) {
            zo_report *report = check_def(&p, &(zo_compile_def){.contract_only = contract == 1}, NULL);
            assert_int_equal(count_of(report, "charpack/authoring-field", ZO_ERROR), roots[i].good ? 0 : 1);
            zo_report_free(report);
        }
    }
}

static void texts_left_over_from_authoring_are_told(void **state) {
    (void)state;
    static const struct { const char *text; bool is; } texts[] = {
        {"idle/0001.png", true}, {"A.PNG", true},     {"/home/x/fox", true}, {"\\\\\\\\server\\\\x", true},
        {"C:\\\\work\\\\fox", true}, {"d:/work", true},  {"idle/0001.ktx2", false}, {".png", false},
        {"png", false},          {"a.png/b", false},  {"/", false},          {"a: b", false},
        {"C: the note", false},  {"/ or not", false}, {"", false},           {"a/../b", false},
    };
    static const change places[] = { // %s
        {MANIFEST, "\"version\"", "\"note\": \"%s\", \"version\""},
        {MANIFEST, "{\"phase\"", "{\"source\": [{\"file\": \"%s\"}], \"phase\""},
        {GRAPH, "{\"id\": \"n\"", "{\"note\": \"%s\", \"id\": \"n\""},
        {GRAPH, "\"edges\": [{", "\"edges\": [{\"note\": \"%s\", "},
        {MOUTH, "{\"version\": 1", "{\"version\": \"%s\""},
        {MOUTH, "{\"mouth_set\"", "{\"picture\": {\"a\": [\"%s\"]}, \"mouth_set\""},
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            const char *mark = strstr(places[i].to, "%s");
            char with[128];
            snprintf(with, sizeof with, "%.*s%s%s", (int)(mark - places[i].to), places[i].to, texts[t].text, mark + 2);
            const pack p = changed(places[i].file, places[i].from, with);
            zo_report *report = check(&p), *strict = check_def(&p, &(zo_compile_def){.strict = true}, NULL);
            zo_report *contract = check_def(&p, &(zo_compile_def){.contract_only = true}, NULL);
            if (count_of(report, "charpack/authoring-leftover", ZO_WARNING) != (texts[t].is ? 1u : 0u) ||
                count_of(strict, "charpack/authoring-leftover", ZO_ERROR) != (texts[t].is ? 1u : 0u)) {
                fail_msg("%s at place %d: %s", texts[t].text, (int)i, texts[t].is ? "not told" : "told");
            }
            assert_int_equal(zo_report_total(report, ZO_ERROR), 0);
            assert_int_equal(zo_report_count(contract), 0);
            zo_report_free(report);
            zo_report_free(strict);
            zo_report_free(contract);
        }
    }
}

// What is refused by its own rule is no leftover besides.
static void what_is_refused_is_told_once(void **state) {
    (void)state;
    static const change cases[] = {{MANIFEST, "\"a.ktx2\"", "\"a.png\""}, {MANIFEST, "\"o.ktx2\"", "\"/o.ktx2\""},
                                   {MANIFEST, "\"g.json\"", "\"C:/g.json\""},
                                   {GRAPH, "{\"id\": \"n\"", "{\"root\": \"/home/x\", \"id\": \"n\""},
                                   {MOUTH, "{\"mouth_set\"", "{\"frame_names\": [\"a.png\"], \"mouth_set\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pack p = pack_of(&cases[i], 1);
        zo_report *report = check(&p);
        assert_int_equal(zo_report_total(report, ZO_ERROR), 1);
        assert_int_equal(zo_report_total(report, ZO_WARNING), 0);
        zo_report_free(report);
    }
}

// -------------------------------------------------------------------------------------------------- members to write

static void members_that_are_missing_have_their_usual_values(void **state) {
    (void)state;
    static const struct { const char *member, *id, *usual; } cases[] = {
        {"\"graph\": \"g.json\", ", "charpack/member", "graph_config.json"},
        {"\"mouthConfig\": \"m.json\", ", "charpack/member", "spriteforge_mouth_config.json"},
        {"\"textureFormat\": \"ktx2\", ", "charpack/texture-format", "ktx2"},
        {"\"id\": \"lamp\", ", "charpack/member", "fox"},
        {"\"displayName\": \"Lamp\", ", "charpack/member", NULL},
        {"\"version\": \"1\", ", "charpack/member", NULL},
        {"\"format\": \"amadeus.spriteforge.character-pack.v1\", ", "charpack/format", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pack p = changed(MANIFEST, cases[i].member, "");
        p.manifest_name = "packs/fox/runtime_manifest.json";
        zo_report *report = check(&p);
        const zo_diag *diag = diag_of(report, cases[i].id);
        assert_non_null(diag);
        assert_int_equal(diag->place.offset, 0);
        assert_int_equal(zo_report_total(report, ZO_ERROR), 1);
        if (cases[i].usual == NULL) {
            assert_int_equal(diag->edit_count, 0);
            assert_true(diag->hint == NULL || strstr(diag->hint, "usually") == NULL);
        } else {
            char hint[128], insert[128];
            const int name_size = (int)(strchr(cases[i].member, ':') - cases[i].member);
            snprintf(hint, sizeof hint, "usually it is \"%s\"", cases[i].usual);
            snprintf(insert, sizeof insert, "{%.*s: \"%s\", ", name_size, cases[i].member, cases[i].usual);
            assert_string_equal(diag->hint, hint);
            assert_int_equal(diag->edit_count, 1);
            assert_int_equal(diag->edits[0].insert_size, strlen(insert));
            assert_memory_equal(diag->edits[0].insert, insert, strlen(insert));
        }
        zo_report_free(report);
    }
    static const char *const blank[] = {"\"\"", "null", "0", "\" \""}; // somebody has to look at what is there
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++) {
        const pack p = changed(MANIFEST, "\"g.json\"", blank[i]);
        zo_report *report = check(&p);
        const zo_diag *diag = diag_of(report, "charpack/member");
        assert_string_equal(diag->hint, "usually it is \"graph_config.json\"");
        assert_int_equal(diag->edit_count, 0);
        zo_report_free(report);
    }
}

static void the_folder_has_a_name_or_none(void **state) {
    (void)state;
    static const struct { const char *name, *real_name, *id; } cases[] = {
        {"fox/runtime_manifest.json", NULL, "fox"},
        {"/a/b c/runtime_manifest.json", NULL, "b c"},
        {"fox//runtime_manifest.json", "/packs/bear/runtime_manifest.json", "bear"},
        {"fox/runtime_manifest.json", "/packs/bear/runtime_manifest.json", "fox"}, // as it is called
        {"runtime_manifest.json", "/packs/bear/runtime_manifest.json", "bear"},
        {"./runtime_manifest.json", "/packs/bear/runtime_manifest.json", "bear"},
        {"a/../runtime_manifest.json", "/packs/bear/runtime_manifest.json", "bear"},
        {"runtime_manifest.json", NULL, NULL},
        {"./runtime_manifest.json", NULL, NULL},
        {"../runtime_manifest.json", NULL, NULL},
        {"/runtime_manifest.json", "/runtime_manifest.json", NULL},
        {" /runtime_manifest.json", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pack p = changed(MANIFEST, "\"id\": \"lamp\", ", "");
        p.manifest_name = cases[i].name;
        p.real_name = cases[i].real_name;
        zo_report *report = check(&p);
        const zo_diag *diag = diag_of(report, "charpack/member");
        assert_non_null(diag);
        assert_int_equal(diag->edit_count, cases[i].id != NULL ? 1 : 0);
        char fix[64];
        snprintf(fix, sizeof fix, "write \"id\": \"%s\"", cases[i].id != NULL ? cases[i].id : "");
        if (cases[i].id != NULL) { assert_string_equal(diag->fix, fix); }
        zo_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a3_the_first_fault_in_the_validators_order_decides),
        cmocka_unit_test(a3_the_lists_of_a_graph_come_before_what_is_in_them),
        cmocka_unit_test(a3_all_faults_are_listed),
        cmocka_unit_test(a3_an_overlay_of_another_kind_is_incomplete_and_a_frame_is_invalid),
        cmocka_unit_test(a3_counts),
        cmocka_unit_test(a3_weights_without_a_finite_sum_are_an_error_of_ours),
        cmocka_unit_test(a4_paths_lead_down_in_any_spelling),
        cmocka_unit_test(loose_types_are_taken_and_told),
        cmocka_unit_test(loose_values_mean_what_they_are_taken_for),
        cmocka_unit_test(fields_of_authoring_are_refused),
        cmocka_unit_test(texts_left_over_from_authoring_are_told),
        cmocka_unit_test(what_is_refused_is_told_once),
        cmocka_unit_test(members_that_are_missing_have_their_usual_values),
        cmocka_unit_test(the_folder_has_a_name_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
