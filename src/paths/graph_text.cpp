#include "paths/graph_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <map>
#include <string>

#include "term/smtlib_printer.h"
#include "term/substitution.h"

namespace plumb::paths {

namespace {

/// Terms as text, in which variables that share a name are told apart by a number, in the order of the program.
class Texts {
 public:
  explicit Texts(const Graph& graph) : graph_(graph), numbered_(*graph.terms) {
    std::vector<Term> all = graph.conditions;
    for (const Graph::Node& node : graph.nodes) all.push_back(node.definition);
    all.insert(all.end(), graph.property.begin(), graph.property.end());
    for (const Graph::Variable& variable : graph.variables) all.push_back(variable.term);
    const std::vector<Term> variables = term::support(*graph.terms, all);
    std::map<std::string, std::size_t> count;
    for (const Term each : variables) ++count[graph.terms->name(each)];
    std::map<std::string, std::size_t> number;
    for (const Term each : variables) {
      const std::string& name = graph.terms->name(each);
      if (count[name] == 1) continue;
      const std::string numbered = fmt::format("{}.{}", name, ++number[name]);
      numbered_.add(each, graph.terms->variable(graph.terms->sort(each), numbered));
    }
  }

  std::string of(Term t) { return term::to_smtlib(*graph_.terms, numbered_.apply(t)); }

 private:
  const Graph& graph_;
  term::Substitution numbered_;
};

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
  Texts texts(graph);
  for (std::size_t c = 0; c < graph.conditions.size(); ++c)
    fmt::print(out, "<{}> {}\n", c, texts.of(graph.conditions[c]));
  for (const Graph::Variable& variable : graph.variables) {
    for (const NodeId n : variable.def_nodes) {
      const Graph::Node& node = graph.nodes[n];
      const std::string way = way_to(node);
      fmt::print(out, "({}) {} = {}{}{}\n", n, texts.of(variable.term), texts.of(node.definition),
                 way.empty() ? "" : "  if ", way);
    }
  }
  for (const Term each : graph.property) fmt::print(out, "violated if {}\n", texts.of(each));
}

void print_dot(std::ostream& out, const Graph& graph) {
  Texts texts(graph);
  fmt::print(out, "digraph paths {{\n  node [fontname=monospace];\n");
  for (std::size_t c = 0; c < graph.conditions.size(); ++c)
    fmt::print(out, "  c{} [shape=diamond, label={}];\n", c, quoted(texts.of(graph.conditions[c])));
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Graph::Node& node = graph.nodes[n];
    const Graph::Variable& variable = graph.variables[node.defines];
    fmt::print(out, "  n{} [shape=box, label={}];\n", n,
               quoted(fmt::format("{} = {}", texts.of(variable.term), texts.of(node.definition))));
    fmt::print(out, "  n{} -> v{} [style=dashed];\n", n, node.defines);
    if (node.cond_anc.empty()) continue;
    const Graph::Ancestor& last = node.cond_anc.back();
    fmt::print(out, "  c{} -> n{} [label={}];\n", last.condition, n, last.left ? "left" : "right");
  }
  for (std::size_t v = 0; v < graph.variables.size(); ++v)
    fmt::print(out, "  v{} [shape=ellipse, label={}];\n", v, quoted(texts.of(graph.variables[v].term)));
  for (std::size_t p = 0; p < graph.property.size(); ++p) {
    fmt::print(out, "  p{} [shape=octagon, label={}];\n", p, quoted(texts.of(graph.property[p])));
    for (const VariableId v : graph.variables_in(graph.property[p])) fmt::print(out, "  v{} -> p{};\n", v, p);
  }
  fmt::print(out, "}}\n");
}

}  // namespace plumb::paths
