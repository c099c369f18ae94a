#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "flatten/flatten.h"
#include "program/analysis/call_graph.h"

namespace plumb::flatten {

using InstanceId = std::uint32_t;

/// A copy of a function in the graph. One that cannot be open twice has a copy for each chain of calls that leads to it
/// (it is inlined), unless all copies together have more than Options::max_copied instructions: then a single one,
/// which calls jump to and which returns by a label. Functions that can be open more than once always have a single
/// one, with their values on a stack.
struct Instance {
  program::FunctionId function = program::kNone;
  InstanceId caller = program::kNone;            ///< of an inlined one
  program::InstructionId call = program::kNone;  ///< likewise, the call in the caller
  bool is_recursive = false;
  std::uint32_t component = program::kNone;  ///< of recursive ones: those that share a depth have the same number
  bool is_single = false;                    ///< calls from several places come here; it returns by a label
};

/// All instances that the entry needs: constructors, the entry, destructors (the roots, in the order in which they run)
/// first. A function without a body has none, nor has one whose only effect is output.
class Instances {
 public:
  Instances(const Program& program, const program::CallGraph& calls, const Options& options);

  std::span<const Instance> all() const noexcept { return instances_; }
  const Instance& operator[](InstanceId i) const { return instances_[i]; }
  std::uint32_t root_count() const noexcept { return root_count_; }
  /// Of recursive instances: their components are numbered from 0.
  std::uint32_t component_count() const noexcept { return component_count_; }
  /// How many calls lead to the instance, the one before the first instruction of a root included.
  std::uint32_t call_count(InstanceId i) const { return call_counts_[i]; }
  /// The instance that this call of `callee` in `caller` goes to; kNone if the callee has none or does not fit.
  InstanceId target(InstanceId caller, program::InstructionId call, program::FunctionId callee) const;

 private:
  friend class InstanceMaker;
  std::vector<Instance> instances_;
  std::vector<std::uint32_t> call_counts_;
  std::uint32_t root_count_ = 0;
  std::uint32_t component_count_ = 0;
  absl::flat_hash_map<std::tuple<InstanceId, program::InstructionId, program::FunctionId>, InstanceId> targets_;
};

/// The call enters the function (semantics::CallFit::Exact).
bool fits(const program::Function& caller, const program::Instruction& call, const program::Function& callee);
/// What a Call or CallIndirect can enter, by rising index, bodies or not; of an indirect one, functions whose address
/// the program takes and that fit.
std::vector<program::FunctionId> possible_callees(const Program& program, const program::CallGraph& calls,
                                                  const program::Function& caller,
                                                  const program::Instruction& instruction);

}  // namespace plumb::flatten
