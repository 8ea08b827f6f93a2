// The character-pack readers as formats.c sees them: how much a text looks like one of the three files of a pack, and
// reading them. Also what holds for all three: that they are objects, what has come along from authoring, the schemas.
#include "formats/charpack.h"

// ---------------------------------------------------------------------------------------------------- all three

// A byte order mark is none of JSON's, and programs that read packs stop at it. Whether the value is an object.
static bool is_good(zf_cp_judge *judge, const zj_doc *doc, zo_text name, zf_cp_category category) {
    const bool marked = doc->size >= 3 && memcmp(doc->source, "\xEF\xBB\xBF", 3) == 0;
    if (marked) {
        zf_cp_refuse(judge, category, zb_text(zd_report_message(judge->input->report, zd_report_add(
            judge->input->report, ZD_CHARPACK_BYTE_ORDER_MARK, (zd_place){.file = doc->file, .length = 3},
            ZD_ARGS(zf_cp_name(judge, name))))));
    }
    if (!zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        zf_cp_fault(judge, category, doc, ZJ_ROOT, ZD_CHARPACK_OBJECT,
                    ZD_ARGS(zf_cp_name(judge, name), zf_not(judge->arena, doc, ZJ_ROOT)));
        return false;
    }
    return true;
}

static void refuse_json(zf_cp_judge *judge, zo_text name, zf_cp_category category) {
    zb_buffer out = zb_buffer_open(judge->arena);
    zf_put_cut(&out, name);
    zb_put(&out, " is not JSON that can be read");
    zf_cp_refuse(judge, category, (zo_text){zb_buffer_text(&out), out.size});
}

const zj_doc *zf_cp_open(zf_cp_judge *judge, const zo_source *file, zo_text name, zf_cp_category category) {
    const zf_input *input = judge->input;
    const uint32_t number = zd_report_file(input->report, file->name, file->bytes, file->size);
    const zj_limits limits = {.depth_max = input->def->depth_max, .size_max = input->def->size_max};
    const zj_doc *doc =
        zj_parse_outcome(judge->arena, file->bytes, file->size, number, &limits, input->report).doc;
    if (doc == NULL) {
        refuse_json(judge, name, category);
        return NULL;
    }
    return is_good(judge, doc, name, category) ? doc : NULL;
}

static bool ends_in_png(zo_text text) {
    static const char ending[] = ".png";
    for (size_t i = 0; i < 4; i++) {
        const char c = text.size > 4 ? text.data[text.size - 4 + i] : 0;
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

// A slash by itself, or a colon in a sentence, is no path.
static bool is_leftover(zo_text text) {
    const bool rooted = zf_cp_is_absolute(text) && text.size > 2 && text.data[1] != ' ' &&
                        (text.data[1] != ':' || text.data[2] == '/' || text.data[2] == '\\');
    return rooted || ends_in_png(text);
}

static bool is_judged(const zj_doc *doc, uint32_t node, const zf_name *judged, uint32_t count) {
    return zj_at(doc, node)->key != 0 && zf_word(judged, count, zj_key(doc, node)) < count;
}

void zf_cp_check_leftovers(const zf_cp_judge *judge, const zj_doc *doc, const zf_name *judged, uint32_t judged_count) {
    uint32_t end = 0; // of what is passed over, in bytes of the source
    zd_report_raise(judge->input->report, judge->input->def->strict);
    for (uint32_t node = ZJ_ROOT; doc != NULL && node < doc->node_count; node++) {
        const zj_node *at = zj_at(doc, node);
        // a key comes right before its value
        const bool is_value = node + 1 == doc->node_count || zj_at(doc, node + 1)->key != node;
        if (is_value && at->begin >= end && is_judged(doc, node, judged, judged_count)) {
            end = at->end;
        }
        if (is_value && at->begin >= end && at->kind == ZJ_STRING && is_leftover(zj_text(doc, node))) {
            const zd_arg name = zf_cp_name(judge, zj_text(doc, node));
            zf_cp_warn(judge, doc, node, ZD_CHARPACK_AUTHORING_LEFTOVER, ZD_ARGS(name));
        }
    }
    zd_report_raise(judge->input->report, false);
}

void zf_cp_check_schema(const zf_cp_judge *judge, const zj_doc *doc, const zf_object *object) {
    if (doc != NULL && judge->input->def->strict) {
        zf_fields_check_all(judge->arena, doc, object);
    }
}

static uint32_t sum_of(const zf_input *input, const zf_name *members, const uint8_t *sure, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += zj_member(input->doc, ZJ_ROOT, zf_name_text(members[i])) != 0 ? sure[i] : 0;
    }
    return sum < 100 ? sum : 100;
}

// ---------------------------------------------------------------------------------------------------- the manifest

static uint32_t likeness(const zf_input *input) {
    static const zf_name members[] = {ZF_NAME("mouthConfig"), ZF_NAME("mouthOverlays"), ZF_NAME("textureFormat"),
                                      ZF_NAME("clips"),       ZF_NAME("graph"),         ZF_NAME("textureCount")};
    static const uint8_t sure[] = {30, 30, 20, 15, 15, 20};
    if (input->doc == NULL || !zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    zo_text format = {NULL, 0};
    if (zf_text(input->doc, zj_member(input->doc, ZJ_ROOT, ZB_TEXT("format")), &format) &&
        zb_text_equal(format, ZB_TEXT(ZF_CP_FORMAT))) {
        return 100;
    }
    return sum_of(input, members, sure, ZB_COUNT(members));
}

static const char *fine_line(const zf_cp_pack *pack) {
    zb_buffer out = zb_buffer_open(zd_report_arena(pack->input->report));
    zb_put(&out, "OK: ");
    zb_put_text(&out, pack->id);
    zb_put_char(&out, ' ');
    zb_put_text(&out, pack->version);
    const struct { const char *name; uint64_t count; } counts[] = {
        {" | nodes=", pack->graph.node_count},        {" edges=", pack->graph.edge_count},
        {" manual_edges=", pack->graph.manual_count}, {" clips=", pack->clip_count},
        {" frames=", pack->frame_count}};
    for (uint32_t i = 0; i < ZB_COUNT(counts); i++) {
        zb_put(&out, counts[i].name);
        zb_put_uint(&out, counts[i].count);
    }
    return zb_buffer_text(&out);
}

static zo_text manifest_name(const zf_input *input) { return zf_beside_name(input, input->sources[0].name); }

static zo_status read(const zf_input *input, zp_build *build) {
    zf_cp_judge judge = zf_cp_judge_open(input);
    zf_cp_pack pack = {0};
    if (!is_good(&judge, input->doc, manifest_name(input), ZF_CP_MANIFEST)) {
        zf_cp_sentence(&judge, NULL);
        return ZO_INVALID;
    }
    zf_cp_read_pack(&judge, build != NULL, &pack);
    if (judge.faults > 0) {
        zf_cp_sentence(&judge, NULL);
        return ZO_INVALID;
    }
    if (pack.unknown) {
        return ZO_NEEDS;
    }
    zf_cp_sentence(&judge, fine_line(&pack));
    if (build != NULL && zd_report_errors(input->report) == 0) {
        zf_cp_compile(&pack, build);
    }
    return ZO_OK;
}

// No file, or a text that is not JSON, of which the parser has said what is wrong.
static void without(const zf_input *input) {
    zf_cp_judge judge = zf_cp_judge_open(input);
    const bool missing = input->sources[0].kind != ZO_SOURCE_FILE;
    if (missing) {
        const zd_place whole = {.file = input->file, .whole = true};
        const uint32_t added = zd_report_add(input->report, ZD_CHARPACK_NOT_INSTALLED, whole,
                                             ZD_ARGS(zf_cp_name(&judge, manifest_name(input))));
        zf_cp_refuse(&judge, ZF_CP_NOT_INSTALLED, zb_text(zd_report_message(input->report, added)));
    } else {
        refuse_json(&judge, manifest_name(input), ZF_CP_MANIFEST);
    }
    zf_cp_sentence(&judge, NULL);
    zd_report_format_name(input->report, zf_cp_reader.format.name);
}

const zf_reader zf_cp_reader = {
    .format = {.name = "character-pack-v1/runtime_manifest", .title = "character pack v1, the manifest and with it the "
                                                                      "pack"},
    .json = true,
    .likeness = likeness,
    .read = read,
    .without = without,
    .object = &zf_cp_manifest_object,
};

// ------------------------------------------------------------------------------------------ the others by themselves

static uint32_t graph_likeness(const zf_input *input) {
    const zj_doc *doc = input->doc;
    if (doc == NULL || !zf_is(doc, ZJ_ROOT, ZJ_OBJECT)) {
        return 0;
    }
    const uint32_t nodes = zj_member(doc, ZJ_ROOT, ZB_TEXT("nodes")), edges = zj_member(doc, ZJ_ROOT, ZB_TEXT("edges"));
    const uint32_t node = zf_is(doc, nodes, ZJ_ARRAY) ? zj_at(doc, nodes)->as.items.first : 0;
    const bool labelled = zf_is(doc, node, ZJ_OBJECT) && zj_member(doc, node, ZB_TEXT("label")) != 0;
    return (nodes != 0 ? 30u : 0u) + (edges != 0 ? 30u : 0u) + (labelled ? 20u : 0u);
}

// `build` is not NULL when a program is wanted.
static void refuse_alone(const zf_input *input, const zp_build *build) {
    if (build != NULL) {
        zd_report_add(input->report, ZD_CHARPACK_ALONE, (zd_place){.file = input->file, .whole = true}, ZD_NO_ARGS);
    }
}

static zo_status graph_read(const zf_input *input, zp_build *build) {
    zf_cp_judge judge = zf_cp_judge_open(input);
    zf_cp_graph graph;
    if (is_good(&judge, input->doc, manifest_name(input), ZF_CP_GRAPH)) {
        zf_cp_read_graph(&judge, input->doc, &graph);
        zf_cp_check_leftovers(&judge, input->doc, &zf_cp_authoring[ZF_CP_ROOT], 1);
        if (judge.faults == 0) {
            zf_cp_check_schema(&judge, input->doc, &zf_cp_graph_object);
        }
        refuse_alone(input, build);
    }
    return judge.faults > 0 || build != NULL ? ZO_INVALID : ZO_OK;
}

const zf_reader zf_cp_graph_reader = {
    .format = {.name = "character-pack-v1/graph_config", .title = "character pack v1, a graph by itself"},
    .json = true,
    .likeness = graph_likeness,
    .read = graph_read,
    .object = &zf_cp_graph_object,
};

static uint32_t mouth_likeness(const zf_input *input) {
    static const zf_name members[] = {ZF_NAME("expressions"), ZF_NAME("profiles"), ZF_NAME("canvas_size"),
                                      ZF_NAME("profile_kind")};
    static const uint8_t sure[] = {35, 35, 25, 25};
    return input->doc != NULL && zf_is(input->doc, ZJ_ROOT, ZJ_OBJECT) ? sum_of(input, members, sure, ZB_COUNT(members))
                                                                       : 0;
}

static zo_status mouth_read(const zf_input *input, zp_build *build) {
    zf_cp_judge judge = zf_cp_judge_open(input);
    zf_cp_mouth mouth;
    if (is_good(&judge, input->doc, manifest_name(input), ZF_CP_MOUTH)) {
        zf_cp_read_mouth(&judge, input->doc, &mouth);
        zf_cp_check_leftovers(&judge, input->doc, zf_cp_authoring, ZF_CP_AUTHORING_COUNT);
        if (judge.faults == 0) {
            zf_cp_check_schema(&judge, input->doc, &zf_cp_mouth_object);
        }
        refuse_alone(input, build);
    }
    return judge.faults > 0 || build != NULL ? ZO_INVALID : ZO_OK;
}

const zf_reader zf_cp_mouth_reader = {
    .format = {.name = "character-pack-v1/mouth_config", .title = "character pack v1, a mouth file by itself"},
    .json = true,
    .likeness = mouth_likeness,
    .read = mouth_read,
    .object = &zf_cp_mouth_object,
};
