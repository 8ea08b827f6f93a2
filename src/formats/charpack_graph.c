// The graph of a pack: nodes and edges, in the order of the format's own validator. Called by charpack.c and
// charpack_pack.c. Which clips there are is not known here.
#include "formats/charpack.h"

typedef struct graph_reader {
    zf_cp_judge *judge;
    const zj_doc *doc;
    zb_intern node_ids, edge_ids, pairs;
    uint32_t *nodes_of; // [count of node_ids]: node by id - 1
    zf_cp_node *nodes;
    zf_cp_edge *edges;
    uint32_t node_count, edge_count, manual_count, root_count, root;
} graph_reader;

static uint32_t fault(const graph_reader *r, uint32_t node, zd_id id, zd_args args) {
    return zf_cp_fault(r->judge, ZF_CP_GRAPH, r->doc, node, id, args);
}

static zd_arg seen(const graph_reader *r, uint32_t node) { return zf_not(r->judge->arena, r->doc, node); }
static zd_arg name(const graph_reader *r, zo_text text) { return zf_cp_name(r->judge, text); }

static uint32_t member(const graph_reader *r, uint32_t object, const char *key) {
    return zj_member(r->doc, object, zb_text(key));
}

// A text that must not be blank. "": it is, and that has been reported.
static zo_text text_of(const graph_reader *r, uint32_t object, const char *key, zd_arg where) {
    const uint32_t node = member(r, object, key);
    bool loose = false;
    const zo_text text = zf_cp_text(r->judge->arena, r->doc, node, &loose);
    if (text.size == 0) {
        fault(r, node != 0 ? node : object, ZD_CHARPACK_BLANK, ZD_ARGS(where, zd_word(key), seen(r, node)));
    } else if (loose) {
        zf_cp_warn(r->judge, r->doc, node, ZD_CHARPACK_LOOSE_TYPE,
                   ZD_ARGS(where, zd_word(key), zf_cp_name(r->judge, text)));
    }
    return text;
}

// false: another has it.
static bool take_id(const graph_reader *r, zb_intern *ids, zo_text id, uint32_t node, zd_arg where, const char *what) {
    const uint32_t known = zb_intern_count(ids);
    if (id.size == 0 || zb_intern_id(ids, id) > known) {
        return id.size > 0;
    }
    fault(r, node, ZD_CHARPACK_ID_TWICE, ZD_ARGS(where, zd_word(what), name(r, id)));
    return false;
}

static void read_node(graph_reader *r, uint32_t node, uint32_t index) {
    const zd_arg where = zf_cp_where(r->judge, "graph.nodes[%u]", (zo_text){"", 0}, index);
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        fault(r, node, ZD_CHARPACK_ITEM, ZD_ARGS(where, seen(r, node)));
        return;
    }
    const zo_text id = text_of(r, node, "id", where);
    const zo_text label = text_of(r, node, "label", where);
    const bool own = take_id(r, &r->node_ids, id, member(r, node, "id"), where, "node");
    const uint32_t flag = member(r, node, "isRoot");
    const bool root = zf_is(r->doc, flag, ZJ_TRUE);
    if (flag != 0 && !root && !zf_is(r->doc, flag, ZJ_FALSE)) {
        fault(r, flag, ZD_CHARPACK_ROOT_FLAG, ZD_ARGS(where, name(r, id), seen(r, flag)));
    }
    const uint32_t authoring = member(r, node, zf_cp_authoring[ZF_CP_ROOT].text);
    if (zf_cp_text(r->judge->arena, r->doc, authoring, NULL).size > 0) {
        fault(r, authoring, ZD_CHARPACK_AUTHORING_FIELD, ZD_ARGS(where, zd_word(zf_cp_authoring[ZF_CP_ROOT].text)));
    }
    r->root = root && r->root_count == 0 ? r->node_count : r->root;
    r->root_count += root ? 1 : 0;
    if (own && r->nodes_of != NULL) {
        r->nodes_of[zb_intern_count(&r->node_ids) - 1] = r->node_count;
    }
    r->nodes[r->node_count++] = (zf_cp_node){id, label, node, root};
}

static void read_nodes(graph_reader *r, uint32_t list) {
    if (!zf_is(r->doc, list, ZJ_ARRAY) || zj_at(r->doc, list)->as.items.count == 0) {
        const bool empty = zf_is(r->doc, list, ZJ_ARRAY);
        fault(r, list != 0 ? list : ZJ_ROOT, ZD_CHARPACK_NODES,
              ZD_ARGS(empty ? zd_word(", not an empty one") : seen(r, list)));
        return;
    }
    const uint32_t count = zj_at(r->doc, list)->as.items.count;
    r->nodes = zb_arena_take_array(r->judge->arena, count, sizeof *r->nodes);
    r->nodes_of = zb_arena_take_array(r->judge->arena, count, sizeof *r->nodes_of);
    uint32_t index = 0;
    for (uint32_t node = zj_at(r->doc, list)->as.items.first; node != 0 && r->nodes != NULL;
         node = zj_at(r->doc, node)->next) {
        read_node(r, node, index++);
    }
    if (r->root_count != 1) {
        fault(r, list, ZD_CHARPACK_ROOTS, ZD_ARGS(zd_int(r->root_count)));
    }
}

// Node + 1; 0: there is none, and that has been reported.
static uint32_t end_of(const graph_reader *r, uint32_t edge, const char *key, zo_text id, zd_arg edge_name) {
    const uint32_t known = zb_intern_find(&r->node_ids, id);
    if (id.size > 0 && known == 0) {
        fault(r, member(r, edge, key), ZD_CHARPACK_EDGE_END, ZD_ARGS(edge_name, zd_word(key), name(r, id)));
    }
    return id.size > 0 && known != 0 && r->nodes_of != NULL ? r->nodes_of[known - 1] + 1 : 0;
}

static bool read_weight(const graph_reader *r, uint32_t edge, zd_arg edge_name, double *out) {
    const uint32_t node = member(r, edge, "prob");
    double weight = -1.0;
    if (!zf_number(r->doc, node, &weight) || !(weight >= 0.0)) {
        fault(r, node != 0 ? node : edge, ZD_CHARPACK_PROB, ZD_ARGS(edge_name, seen(r, node)));
        return false;
    }
    *out = weight > 0.0 ? weight : 0.0; // -0 is as good
    return true;
}

static void read_edge(graph_reader *r, uint32_t node, uint32_t index) {
    const zd_arg where = zf_cp_where(r->judge, "graph.edges[%u]", (zo_text){"", 0}, index);
    if (!zf_is(r->doc, node, ZJ_OBJECT)) {
        fault(r, node, ZD_CHARPACK_ITEM, ZD_ARGS(where, seen(r, node)));
        return;
    }
    const zo_text id = text_of(r, node, "id", where);
    const zo_text from_id = text_of(r, node, "from", where);
    const zo_text to_id = text_of(r, node, "to", where);
    take_id(r, &r->edge_ids, id, member(r, node, "id"), where, "edge");
    const zd_arg edge_name = id.size > 0 ? name(r, id) : where;
    const uint32_t from_ref = end_of(r, node, "from", from_id, edge_name);
    const uint32_t to_ref = end_of(r, node, "to", to_id, edge_name);
    if (from_ref != 0 && to_ref != 0) {
        const uint32_t pair[2] = {from_ref, to_ref};
        const uint32_t known = zb_intern_count(&r->pairs);
        if (zb_intern_id(&r->pairs, (zo_text){(const char *)pair, sizeof pair}) <= known) {
            fault(r, node, ZD_CHARPACK_EDGE_TWICE, ZD_ARGS(edge_name, name(r, from_id), name(r, to_id)));
        }
    }
    double weight = 0.0;
    if (read_weight(r, node, edge_name, &weight) && from_ref != 0 && to_ref != 0) {
        r->manual_count += weight == 0.0 ? 1 : 0;
        r->edges[r->edge_count++] = (zf_cp_edge){id, from_ref - 1, to_ref - 1, node, weight};
    }
}

static void read_edges(graph_reader *r, uint32_t list) {
    if (!zf_is(r->doc, list, ZJ_ARRAY)) {
        fault(r, list != 0 ? list : ZJ_ROOT, ZD_CHARPACK_EDGES, ZD_ARGS(seen(r, list)));
        return;
    }
    r->edges = zb_arena_take_array(r->judge->arena, (size_t)zj_at(r->doc, list)->as.items.count + 1, sizeof *r->edges);
    uint32_t index = 0;
    for (uint32_t node = zj_at(r->doc, list)->as.items.first; node != 0 && r->edges != NULL;
         node = zj_at(r->doc, node)->next) {
        read_edge(r, node, index++);
    }
}

// The weights are added in the order in which a choice among them adds.
static void check_sums(const graph_reader *r) {
    double *sums = zb_arena_take_array(r->judge->arena, (size_t)r->node_count + 1, sizeof *sums);
    for (uint32_t i = 0; i < r->edge_count && sums != NULL; i++) {
        double *sum = &sums[r->edges[i].from];
        const bool before = zb_is_finite(*sum);
        *sum += r->edges[i].weight;
        if (before && !zb_is_finite(*sum)) {
            fault(r, member(r, r->edges[i].node, "prob"), ZD_CHARPACK_WEIGHTS,
                  ZD_ARGS(name(r, r->nodes[r->edges[i].from].id)));
        }
    }
}

void zf_cp_read_graph(zf_cp_judge *judge, const zj_doc *doc, zf_cp_graph *out) {
    graph_reader r = {.judge = judge, .doc = doc, .node_ids = zb_intern_open(judge->arena),
                      .edge_ids = zb_intern_open(judge->arena), .pairs = zb_intern_open(judge->arena)};
    const uint32_t edges = member(&r, ZJ_ROOT, "edges");
    const uint32_t nodes = member(&r, ZJ_ROOT, "nodes");
    const bool has_nodes = zf_is(doc, nodes, ZJ_ARRAY) && zj_at(doc, nodes)->as.items.count > 0;
    const bool edges_first = has_nodes && !zf_is(doc, edges, ZJ_ARRAY); // lists before what is in them
    if (edges_first) {
        read_edges(&r, edges);
    }
    read_nodes(&r, nodes);
    if (!edges_first) {
        read_edges(&r, edges);
    }
    if (!judge->input->def->contract_only) {
        check_sums(&r);
    }
    *out = (zf_cp_graph){.doc = doc, .nodes = r.nodes, .node_count = r.node_count, .edges = r.edges,
                         .edge_count = r.edge_count, .manual_count = r.manual_count, .root = r.root};
}
