#include "paths/graph_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "term/smtlib_printer.h"

namespace plumb::paths {

namespace {

std::string text_of(const Graph& graph, Term t) { return term::to_smtlib(*graph.terms, t); }

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return "\"" + result + "\"";
}

std::string way_to(const Graph::Node& node) {
  std::string way;
  for (const Graph::Ancestor& each : node.cond_anc)
    way += fmt::format("{}{}<{}>", way.empty() ? "" : " ", each.left ? "" : "!", each.condition);
  return way;
}

}  // namespace

void print(std::ostream& out, const Graph& graph) {
  for (std::size_t c = 0; c < graph.conditions.size(); ++c)
    fmt::print(out, "<{}> {}\n", c, text_of(graph, graph.conditions[c]));
  for (const Graph::Variable& variable : graph.variables) {
    for (const NodeId n : variable.def_nodes) {
      const Graph::Node& node = graph.nodes[n];
      const std::string way = way_to(node);
      fmt::print(out, "({}) {} = {}{}{}\n", n, variable.name, text_of(graph, node.definition),
                 way.empty() ? "" : "  if ", way);
    }
  }
  for (const Term each : graph.property) fmt::print(out, "violated if {}\n", text_of(graph, each));
}

void print_dot(std::ostream& out, const Graph& graph) {
  fmt::print(out, "digraph paths {{\n  node [fontname=monospace];\n");
  for (std::size_t c = 0; c < graph.conditions.size(); ++c)
    fmt::print(out, "  c{} [shape=diamond, label={}];\n", c, quoted(text_of(graph, graph.conditions[c])));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Graph::Node& node = graph.nodes[n];
    const Graph::Variable& variable = graph.variables[node.defines];
    fmt::print(out, "  n{} [shape=box, label={}];\n", n,
               quoted(fmt::format("{} = {}", variable.name, text_of(graph, node.definition))));
    fmt::print(out, "  n{} -> v{} [style=dashed];\n", n, node.defines);
    if (node.cond_anc.empty()) continue;
    const Graph::Ancestor& last = node.cond_anc.back();
    fmt::print(out, "  c{} -> n{} [label={}];\n", last.condition, n, last.left ? "left" : "right");
  }
  for (std::size_t v = 0; v < graph.variables.size(); ++v)
    fmt::print(out, "  v{} [shape=ellipse, label={}];\n", v, quoted(graph.variables[v].name));
  for (std::size_t p = 0; p < graph.property.size(); ++p) {
    fmt::print(out, "  p{} [shape=octagon, label={}];\n", p, quoted(text_of(graph, graph.property[p])));
    for (const VariableId v : graph.variables_in(graph.property[p])) fmt::print(out, "  v{} -> p{};\n", v, p);
  }
  fmt::print(out, "}}\n");
}

}  // namespace plumb::paths
