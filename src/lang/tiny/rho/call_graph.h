#pragma once

#include <cstdint>
#include <vector>

#include "lang/tiny/rho/build.h"

namespace plumb::tiny {

/// Who calls whom among ordinary functions, from the entry on; calls in a predicate are calls of those who use it.
class CallGraph {
 public:
  explicit CallGraph(const Program& program);

  bool is_reachable(FunctionId function) const { return reachable_[function]; }
  /// Functions that call each other, in turn or at once, have the same number.
  std::uint32_t component(FunctionId function) const { return component_[function]; }
  /// The function may be called while it runs.
  bool is_recursive(FunctionId function) const { return recursive_[function]; }
  bool is_same_recursion(FunctionId a, FunctionId b) const {
    return recursive_[a] && recursive_[b] && component_[a] == component_[b];
  }
  /// Functions that may run while `function` runs, itself among them.
  std::vector<bool> reachable_from(FunctionId function) const;

 private:
  std::vector<std::vector<FunctionId>> callees_;
  std::vector<bool> reachable_;
  std::vector<bool> recursive_;
  std::vector<std::uint32_t> component_;
};

}  // namespace plumb::tiny
