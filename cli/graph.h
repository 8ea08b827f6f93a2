// The graph of a program's states: for people, as JSON, and as text that other programs draw. Called by info.c.
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include "cli.h"
#include "host/json.h"

// Graphviz and Mermaid. States without edges are drawn all the same.
void cli_graph_dot(const zo_program *program);
void cli_graph_mermaid(const zo_program *program);
// Nothing for programs without edges.
void cli_graph_human(const zo_program *program);
void cli_graph_json(cli_json *json, const zo_program *program);

#endif
