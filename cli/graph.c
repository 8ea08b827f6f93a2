// See graph.h. What an edge is worth is shown as its share of those that leave the same state by themselves.
#include <string.h>

#include "graph.h"

// The edges out of a state are next to each other.
typedef struct out {
    uint32_t first, end; // indices of edges
    double sum;          // of weights
} out;

static out out_of(const zo_program *program, uint32_t state, uint32_t from) {
    out o = {from, from, 0.0};
    zo_edge_info edge;
    for (; zo_edge_get(program, o.end, &edge) && edge.from.id == state; o.end++) { o.sum += edge.weight; }
    return o;
}

static const char *name_of(const zo_program *program, zo_state state) {
    zo_state_info info;
    return zo_state_get(program, state, &info) ? info.name : "";
}

// "80 %", "0.4 %": two figures that count.
typedef struct share { char text[48]; } share;

static share share_of(const zo_edge_info *edge, double sum) {
    share s;
    const double percent = sum > 0.0 ? 100.0 * (edge->weight / sum) : 0.0;
    snprintf(s.text, sizeof s.text, percent >= 10.0 ? "%.0f %%" : "%.2g %%", percent);
    return s;
}

// "1000 ms" that a state takes to be shown wholly; "": none.
static share blend_of(const zo_edge_info *edge) {
    share s = {""};
    char ms[32];
    if (edge->blend_ns == 0) { return s; }
    cli_number_text((double)edge->blend_ns / 1e6, ms);
    snprintf(s.text, sizeof s.text, "%s ms", ms);
    return s;
}

// How many pictures of how many ms a clip of equal frames has; 0: it is none.
static uint32_t frames_of(const zo_program *program, zo_clip clip, char interval[32]) {
    zo_clip_info info;
    if (!zo_clip_get(program, clip, &info) || info.key_count == 0) { return 0; }
    cli_number_text((double)(info.duration_ns / info.key_count) / 1e6, interval);
    return info.key_count;
}

static void put_dot_text(const char *text) {
    for (; *text != 0; text++) {
        if (*text == '"' || *text == '\\') { putchar('\\'); }
        if ((unsigned char)*text < 0x20) {
            putchar(' ');
        } else {
            putchar(*text);
        }
    }
}

// Quotes and what Mermaid would read are written as it writes signs by their number.
static void put_mermaid_text(const char *text) {
    for (; *text != 0; text++) {
        if (strchr("\"#;<>&`", *text) != NULL) {
            printf("#%d;", *text);
        } else {
            putchar((unsigned char)*text < 0x20 ? ' ' : *text);
        }
    }
}

// The name, below it the label where it is another, and the time of a pass.
static void put_node_text(const zo_program *program, const zo_state_info *state, void (*put)(const char *text),
                          const char *line_end) {
    char interval[32];
    const uint32_t count = frames_of(program, state->clip, interval);
    put(state->name);
    if (*state->group != 0 && strcmp(state->group, state->name) != 0) {
        fputs(line_end, stdout);
        put(state->group);
    }
    if (state->clip.id != 0 && count > 0) {
        fputs(line_end, stdout);
        printf("%u × %s ms", count, interval);
    }
}

void cli_graph_dot(const zo_program *program) {
    zo_state_info state;
    puts("digraph states {\n  node [shape=box, style=rounded];");
    for (uint32_t s = 1; zo_state_get(program, (zo_state){s}, &state); s++) {
        printf("  s%u [label=\"", s);
        put_node_text(program, &state, put_dot_text, "\\n");
        printf("\"%s];\n", state.first ? ", style=\"rounded,bold\", peripheries=2" : "");
    }
    uint32_t from = 0;
    for (uint32_t s = 1; s <= zo_state_count(program); s++) {
        const out o = out_of(program, s, from);
        for (uint32_t e = o.first; e < o.end; e++) {
            zo_edge_info edge;
            zo_edge_get(program, e, &edge);
            printf("  s%u -> s%u [", s, edge.to.id);
            if (edge.weight > 0.0) {
                printf("label=\"%s\"];\n", share_of(&edge, o.sum).text);
            } else if (edge.blend_ns > 0) {
                printf("style=dashed, label=\"%s\"];\n", blend_of(&edge).text);
            } else {
                puts("style=dashed];");
            }
        }
        from = o.end;
    }
    puts("}");
}

void cli_graph_mermaid(const zo_program *program) {
    zo_state_info state;
    puts("flowchart LR");
    for (uint32_t s = 1; zo_state_get(program, (zo_state){s}, &state); s++) {
        printf("  s%u%s", s, state.first ? "([\"" : "[\"");
        put_node_text(program, &state, put_mermaid_text, "<br/>");
        puts(state.first ? "\"])" : "\"]");
    }
    uint32_t from = 0;
    for (uint32_t s = 1; s <= zo_state_count(program); s++) {
        const out o = out_of(program, s, from);
        for (uint32_t e = o.first; e < o.end; e++) {
            zo_edge_info edge;
            zo_edge_get(program, e, &edge);
            if (edge.weight > 0.0) {
                printf("  s%u -->|\"%s\"| s%u\n", s, share_of(&edge, o.sum).text, edge.to.id);
            } else if (edge.blend_ns > 0) {
                printf("  s%u -.->|\"%s\"| s%u\n", s, blend_of(&edge).text, edge.to.id);
            } else {
                printf("  s%u -.-> s%u\n", s, edge.to.id);
            }
        }
        from = o.end;
    }
}

static uint32_t edge_count(const zo_program *program, uint32_t *manual) {
    uint32_t count = 0;
    zo_edge_info edge;
    *manual = 0;
    for (; zo_edge_get(program, count, &edge); count++) { *manual += !(edge.weight > 0.0); }
    return count;
}

// "to look 40 %, idle 60 %; on request wave"
static void put_ways(const zo_program *program, const out *o) {
    for (int manual = 0; manual < 2; manual++) {
        const char *separator = manual == 0 ? ", goes to " : ", on request to ";
        for (uint32_t e = o->first; e < o->end; e++) {
            zo_edge_info edge;
            zo_edge_get(program, e, &edge);
            if (!(edge.weight > 0.0) != (manual == 1)) { continue; }
            fputs(separator, stdout);
            cli_put_plain(stdout, name_of(program, edge.to));
            if (manual == 0) { printf(" %s", share_of(&edge, o->sum).text); }
            separator = ", ";
        }
    }
}

void cli_graph_human(const zo_program *program) {
    uint32_t manual, from = 0;
    const uint32_t edges = edge_count(program, &manual);
    zo_state_info state;
    if (!zo_state_get(program, (zo_state){1}, &state) || state.clip.id == 0) { return; }
    printf("\ngraph         %u nodes, %u edges, %u of them manual\n", zo_state_count(program), edges, manual);
    for (uint32_t s = 1; zo_state_get(program, (zo_state){s}, &state); s++) {
        const out o = out_of(program, s, from);
        zo_clip_info clip = {.name = ""};
        zo_clip_get(program, state.clip, &clip);
        fputs("  ", stdout);
        cli_put_plain(stdout, state.name);
        printf("%s plays ", state.first ? ", the root," : "");
        cli_put_plain(stdout, clip.name);
        put_ways(program, &o);
        putchar('\n');
        from = o.end;
    }
}

void cli_graph_json(cli_json *json, const zo_program *program) {
    zo_state_info state;
    zo_edge_info edge;
    uint32_t manual;
    if (!zo_state_get(program, (zo_state){1}, &state) || state.clip.id == 0) { return; }
    cli_json_open(json, "graph", '{');
    cli_json_number(json, "edgeCount", edge_count(program, &manual));
    cli_json_number(json, "manualEdgeCount", manual);
    cli_json_open(json, "nodes", '[');
    for (uint32_t s = 1; zo_state_get(program, (zo_state){s}, &state); s++) {
        zo_clip_info clip;
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "id", state.name);
        cli_json_text(json, "label", state.group);
        if (zo_clip_get(program, state.clip, &clip)) { cli_json_text(json, "clip", clip.name); }
        if (state.first) { cli_json_bool(json, "isRoot", true); }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_open(json, "edges", '[');
    for (uint32_t e = 0; zo_edge_get(program, e, &edge); e++) {
        cli_json_open_inline(json, NULL, '{');
        cli_json_text(json, "from", name_of(program, edge.from));
        cli_json_text(json, "to", name_of(program, edge.to));
        cli_json_number(json, "weight", edge.weight);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}
