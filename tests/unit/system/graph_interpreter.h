#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "system/control_graph.h"
#include "system/trace.h"
#include "term/evaluator.h"

namespace plumb::system {

/// Executes a control graph statement by statement, on values.
class GraphInterpreter {
 public:
  using Label = ControlGraph::Label;
  using Site = std::pair<Label, std::size_t>;  ///< a check of a statement

  explicit GraphInterpreter(const ControlGraph& graph) : graph_(graph), label_(graph.entry) {}

  term::Assignment& values() { return values_; }
  /// The values that an input takes, one for each time that its statement is executed.
  std::vector<std::deque<Value>>& choices() { return choices_; }
  bool has_ended() const { return has_ended_; }
  /// An input was read more often than it has values.
  bool is_starved() const { return is_starved_; }
  Label label() const { return label_; }
  const std::set<Site>& failures() const { return failures_; }

  void forget_failures() { failures_.clear(); }

  /// Executes the statement at hand.
  void execute() {
    const ControlGraph::Statement& statement = graph_.statements[label_];
    choose(statement);
    term::Evaluator evaluator(graph_.store(), values_);
    for (std::size_t i = 0; i < statement.checks.size(); ++i)
      if (!evaluator.is_true(statement.checks[i].condition)) failures_.insert({label_, i});
    std::vector<Value> assigned;
    for (const ControlGraph::Assignment& assignment : statement.assignments)
      assigned.push_back(evaluator.value(assignment.value));
    has_ended_ = statement.targets.empty();
    for (const ControlGraph::Target& target : statement.targets) {
      if (!evaluator.is_true(target.condition)) continue;
      label_ = target.label;
      break;
    }
    for (std::size_t i = 0; i < assigned.size(); ++i) values_[statement.assignments[i].variable] = assigned[i];
  }

 private:
  void choose(const ControlGraph::Statement& statement) {
    std::vector<Term> terms;
    for (const ControlGraph::Check& check : statement.checks) terms.push_back(check.condition);
    for (const ControlGraph::Assignment& assignment : statement.assignments) terms.push_back(assignment.value);
    for (const ControlGraph::Target& target : statement.targets) terms.push_back(target.condition);
    const std::vector<Term> read = term::support(graph_.store(), terms);
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (std::find(read.begin(), read.end(), graph_.inputs[i]) == read.end()) continue;
      is_starved_ = is_starved_ || choices_[i].empty();
      if (is_starved_) return;
      values_[graph_.inputs[i]] = choices_[i].front();
      choices_[i].pop_front();
    }
  }

  const ControlGraph& graph_;
  Label label_;
  bool has_ended_ = false;
  bool is_starved_ = false;
  term::Assignment values_;
  std::vector<std::deque<Value>> choices_;
  std::set<Site> failures_;
};

}  // namespace plumb::system
