#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "system/control_graph.h"
#include "term/value.h"

namespace plumb::system {

/// A run of a control graph on concrete values, statement by statement: no encoding, no steps. Deterministic for the
/// values that its inputs get.
class GraphRun {
 public:
  using Label = ControlGraph::Label;
  /// Asked when a statement that reads the input (by position) is executed.
  using InputSource = std::function<term::Value(std::size_t input)>;

  /// Free variables start with zero unless `initial` (by position in ControlGraph::variables) has a value.
  GraphRun(const ControlGraph& graph, InputSource inputs, const std::vector<std::optional<term::Value>>& initial = {});
  ~GraphRun();

  /// Executes the statement that control is at. False, and nothing happens, if the run has ended.
  bool step();
  /// Steps until a check of one of the properties fails (`wanted` by property; empty: any), which is given, or the run
  /// ends. Other failing checks do not stop a run. Throws OutOfBudget.
  std::optional<std::size_t> run(const std::vector<bool>& wanted, const Budget& budget);

  Label at() const noexcept { return at_; }
  bool has_ended() const noexcept { return has_ended_; }
  /// Properties whose checks failed in the last step.
  const std::vector<std::size_t>& failed() const noexcept { return failed_; }
  const term::Value& value(std::size_t variable) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  Label at_ = 0;
  bool has_ended_ = false;
  std::vector<std::size_t> failed_;
};

}  // namespace plumb::system
