#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "paths/graph.h"
#include "paths/options.h"
#include "paths/store.h"

namespace plumb::paths {

/// What became of a definition that the search tried.
struct DpvsStep {
  enum class Outcome : std::uint8_t {
    Cut,         ///< an earlier choice excludes the way to it
    Infeasible,  ///< the partial test found the path inconsistent
    Feasible,    ///< the search goes on with the next variable
    NoSolution,  ///< the end of a path, without a solution
    Solution,    ///< the end of a path: the store has the model
    Unsolved,    ///< the end of a path, of which the store does not know
  };
  VariableId variable = 0;
  NodeId node = 0;
  Outcome outcome = Outcome::Cut;
  friend bool operator==(const DpvsStep&, const DpvsStep&) = default;
};

/// Algorithm 1 of Collavizza et al., "Constraint-Based BMC: A Backjumping Strategy" (2012), as printed. The recursion
/// is a stack of frames here, and SAVE and RESTORE are logs of what was done since. Choices of the store are nodes of
/// the graph. The graph and the store must outlive it; the store should be empty.
class Dpvs {
 public:
  using OnStep = std::function<void(const DpvsStep& step)>;
  Dpvs(const Graph& graph, Store& store, QueueOrder order, OnStep on_step = {});

  /// Sat: the store's model violates the property. Unsat: nothing does. Unknown: nothing was found, and the store did
  /// not know of some path. Throws OutOfBudget.
  Answer run(const Budget& budget);

 private:
  enum class Side : std::uint8_t { None, Left, Right };
  using Key = std::pair<std::uint64_t, VariableId>;  ///< in the order in which POP takes them

  /// A call of the algorithm: its variable, and the definitions that it has tried.
  struct Frame {
    VariableId variable = 0;
    std::size_t next = 0;
  };
  struct Saved {
    std::size_t queue_log = 0;
    std::size_t choice_log = 0;
  };

  void call();
  void save();
  void restore();
  void push_new(Term t);
  bool take(NodeId node);
  bool pass(NodeId node, const Graph::Ancestor& ancestor);
  std::uint64_t priority(VariableId v);
  DpvsStep::Outcome go_on(bool is_cut, const Budget& budget);

  const Graph& graph_;
  Store& store_;
  QueueOrder order_;
  OnStep on_step_;
  std::set<Key> queue_;       ///< Q
  std::vector<bool> marked_;  ///< M
  std::vector<Side> choice_;
  std::uint64_t pushed_ = 0;
  std::vector<Frame> frames_;
  // What RESTORE undoes
  std::vector<Saved> saved_;
  std::vector<std::pair<Key, bool>> queue_log_;  ///< and whether it was pushed
  std::vector<ConditionId> choice_log_;
};

}  // namespace plumb::paths
