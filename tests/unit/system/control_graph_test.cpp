#include "system/control_graph.h"

#include <gtest/gtest.h>

#include <functional>

namespace plumb::system {
namespace {

/// A graph of two statements with nothing wrong.
ControlGraph small_graph() {
  ControlGraph graph;
  TermStore& s = graph.store();
  const Term x = s.variable(8, "x");
  const Term in = s.variable(8, "in");
  graph.variables.push_back({x, s.zero(8), 0, false});
  graph.inputs.push_back(in);
  graph.properties.push_back("p");
  graph.statements.resize(2);
  graph.statements[0].checks.push_back({s.ult(x, s.constant(8, 9)), 0, {}});
  graph.statements[0].assignments.push_back({x, s.add(x, in)});
  graph.statements[0].targets = {{s.eq(x, in), 0}, {s.boolean(true), 1}};
  return graph;
}

TEST(ControlGraph, NamesEachProblem) {
  ASSERT_EQ(small_graph().problems(), std::vector<std::string>());
  using Change = std::function<void(ControlGraph&)>;
  const std::vector<std::pair<std::string, Change>> cases = {
      {"the entry 2 is no statement", [](ControlGraph& g) { g.entry = 2; }},
      {"variable 'x' is there twice", [](ControlGraph& g) { g.variables.push_back(g.variables[0]); }},
      {"input 'in' is there twice", [](ControlGraph& g) { g.inputs.push_back(g.inputs[0]); }},
      {"the init of 'x' has another sort", [](ControlGraph& g) { g.variables[0].init = g.store().zero(4); }},
      {"the init of 'x' refers to a variable", [](ControlGraph& g) { g.variables[0].init = g.inputs[0]; }},
      {"statement 0 goes to 7, which is no statement", [](ControlGraph& g) { g.statements[0].targets[0].label = 7; }},
      {"statement 0 has a last target with a condition", [](ControlGraph& g) { g.statements[0].targets.pop_back(); }},
      {"statement 0 lacks a term", [](ControlGraph& g) { g.statements[0].checks[0].condition = {}; }},
      {"statement 0 has a condition that is not a single bit",
       [](ControlGraph& g) { g.statements[0].checks[0].condition = g.inputs[0]; }},
      {"statement 0 checks a property that does not exist",
       [](ControlGraph& g) { g.statements[0].checks[0].property = 1; }},
      {"statement 0 assigns to what is no variable of the graph",
       [](ControlGraph& g) { g.statements[0].assignments[0].variable = g.inputs[0]; }},
      {"statement 0 assigns to 'x' twice",
       [](ControlGraph& g) { g.statements[0].assignments.push_back(g.statements[0].assignments[0]); }},
      {"statement 0 gives 'x' a value of another sort",
       [](ControlGraph& g) { g.statements[0].assignments[0].value = g.store().zero(4); }},
      {"input 'in' is read in two places",
       [](ControlGraph& g) { g.statements[1].assignments.push_back({g.variables[0].term, g.inputs[0]}); }},
      {"wire 'w' refers to 'y', which is neither variable nor input",
       [](ControlGraph& g) { g.wires.push_back({g.store().variable(1, "y"), "w"}); }},
  };
  for (const auto& [problem, change] : cases) {
    ControlGraph graph = small_graph();
    change(graph);
    EXPECT_EQ(graph.problems(), std::vector<std::string>{problem});
    EXPECT_THROW(encode(graph, {}), InternalError) << problem;
  }
}

}  // namespace
}  // namespace plumb::system
