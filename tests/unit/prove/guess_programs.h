#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/control_graph.h"

namespace plumb::prove {

/// Programs with loops as control graphs, in few words: variables of 32 bits, a statement a label.
class GraphProgram {
 public:
  using Term = term::Term;
  using Label = system::ControlGraph::Label;

  explicit GraphProgram(std::uint32_t width = 32) : width_(width) { graph_.properties = {"assertion"}; }

  term::TermStore& store() { return graph_.store(); }
  /// Starts with any value.
  Term parameter(std::string name) { return add_variable({width_, 0}, std::move(name), {}); }
  Term variable(std::string name, std::uint64_t init) {
    return add_variable({width_, 0}, std::move(name), number(init));
  }
  Term flag(std::string name, bool init) { return add_variable({1, 0}, std::move(name), store().boolean(init)); }
  Term array(std::string name, std::uint32_t index_width, std::uint64_t elements) {
    const Term t = add_variable({width_, index_width}, std::move(name), {});
    graph_.variables.back().elements = elements;
    return t;
  }
  /// A choice that the next statement reads, and no other.
  Term coin() { return input({1, 0}); }
  Term any() { return input({width_, 0}); }
  Term number(std::uint64_t value) { return store().constant(width_, value); }

  struct Step {
    std::vector<std::pair<Term, Term>> assignments = {};
    /// Where to go on: conditions with labels, the last one without a condition (a null term).
    std::vector<std::pair<Term, Label>> targets = {};
    Term check = {};  ///< must be true here
  };
  /// At the next label. Without targets it goes on behind, or ends if it is the last.
  Label add(Step step) {
    system::ControlGraph::Statement statement;
    for (const auto& [variable, value] : step.assignments) statement.assignments.push_back({variable, value});
    for (const auto& [condition, label] : step.targets)
      statement.targets.push_back({condition ? condition : store().boolean(true), label});
    if (step.check) statement.checks.push_back({step.check, 0, {}});
    graph_.statements.push_back(std::move(statement));
    return static_cast<Label>(graph_.statements.size() - 1);
  }
  system::System make() {
    for (std::size_t i = 0; i + 1 < graph_.statements.size(); ++i)
      if (auto& targets = graph_.statements[i].targets; targets.empty())
        targets.push_back({store().boolean(true), static_cast<Label>(i + 1)});
    return std::move(system::encode(graph_, {}).system);
  }

 private:
  Term add_variable(system::Sort sort, std::string name, Term init) {
    const Term t = store().variable(sort, std::move(name));
    graph_.variables.push_back({.term = t, .init = init});
    return t;
  }
  Term input(system::Sort sort) {
    graph_.inputs.push_back(store().variable(sort, "choice"));
    return graph_.inputs.back();
  }

  std::uint32_t width_;
  system::ControlGraph graph_;
};

}  // namespace plumb::prove
