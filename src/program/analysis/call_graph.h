#pragma once

#include <map>
#include <span>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// Which function can call which. A call through a pointer can reach every function whose address the program takes
/// (in code or in the initial bytes of a global) and that has no more parameters than there are arguments: machines
/// ignore the others. ThreadCreate is a call
/// through a pointer with one argument, AtExit one with none. Near-linear: targets of pointers are kept once a number
/// of arguments, not once a call.
class CallGraph {
 public:
  explicit CallGraph(const Program& program);

  /// Each once, by rising index.
  std::span<const FunctionId> direct_callees(FunctionId f) const { return direct_[f]; }
  /// The numbers of arguments of f's calls through pointers; each once, rising.
  std::span<const std::uint32_t> indirect_calls(FunctionId f) const { return indirect_[f]; }
  /// What a call through a pointer with this many arguments can reach, by rising index. Empty if there is no such call.
  std::span<const FunctionId> indirect_targets(std::uint32_t argument_count) const;
  /// Direct and indirect, each once, by rising index.
  std::vector<FunctionId> callees(FunctionId f) const;
  bool is_address_taken(FunctionId f) const { return address_taken_[f]; }

  /// Sets of functions that call each other in a circle, callees before callers.
  std::span<const std::vector<FunctionId>> components() const noexcept { return components_; }
  std::uint32_t component_of(FunctionId f) const { return component_of_[f]; }
  /// f can be active twice at a time, as far as the graph knows.
  bool is_recursive(FunctionId f) const { return recursive_[f]; }
  /// By function: called, directly or not, from one of the roots, or a root itself.
  std::vector<bool> reachable_from(std::span<const FunctionId> roots) const;

 private:
  void collect_calls(const Program& program, FunctionId f);
  void collect_addresses(const Program& program);
  void find_targets(const Program& program);
  void find_components();

  std::vector<std::vector<FunctionId>> direct_;
  std::vector<std::vector<std::uint32_t>> indirect_;
  std::map<std::uint32_t, std::vector<FunctionId>> targets_;  ///< by number of arguments
  std::vector<bool> address_taken_;
  std::vector<std::vector<FunctionId>> components_;
  std::vector<std::uint32_t> component_of_;
  std::vector<bool> recursive_;
};

}  // namespace plumb::program
