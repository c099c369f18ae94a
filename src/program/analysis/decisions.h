#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <vector>

#include "program/analysis/call_graph.h"
#include "program/analysis/dominators.h"
#include "program/goal.h"

namespace plumb::program {

/// Where it is decided whether a goal is violated: a goal that holds although control comes to none of these places is
/// vacuous.
class Decisions {
 public:
  /// The arguments must outlive it. Linear. Not thread-safe.
  Decisions(const Program& program, const CallGraph& calls);

  /// Instructions; of a terminator, when the block before it was executed to its end.
  std::vector<CodePoint> of(const Goal& goal) const;

 private:
  bool is_filter(const Instruction& instruction) const;
  bool has_filter(const Function& function, BlockId b) const;
  bool leads_to_end(const Function& function, BlockId b) const;
  void of_assertion(CodePoint at, std::vector<CodePoint>& found) const;
  void of_error(CodePoint at, std::vector<CodePoint>& found) const;
  /// The callers of the function, or its first instruction if nobody is known who calls it.
  void go_to_callers(FunctionId f, std::vector<CodePoint>& places, std::vector<CodePoint>& found) const;

  const DominatorTree& dominators(FunctionId f) const;

  const Program& program_;
  const CallGraph& calls_;
  mutable absl::flat_hash_map<FunctionId, std::unique_ptr<DominatorTree>> trees_;
  std::vector<bool> may_filter_;                 ///< by function: an assumption or an end of the run is in it
  std::vector<std::vector<CodePoint>> callers_;  ///< by function: direct calls
};

}  // namespace plumb::program
