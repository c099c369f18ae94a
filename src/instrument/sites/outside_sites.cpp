#include "instrument/sites/outside_sites.h"

#include <vector>

#include "program/analysis/cfg.h"
#include "program/analysis/input_dependence.h"
#include "program/analysis/value_flow.h"
#include "semantics/intrinsics.h"

namespace plumb::instrument {
namespace {

using program::FunctionId;
using program::Instruction;
using program::Kind;
using program::ValueId;

/// Values that are the result of an allocation, through whatever copies. What is loaded from there is not meant: it
/// does not say whether the allocation succeeded.
class Allocations {
 public:
  Allocations(const program::Program& program, const program::CallGraph& calls)
      : program_(program), flow_(program, calls), successors_(flow_.size(), flow_.copies()), reached_(flow_.size()) {
    std::vector<program::ValueFlow::Node> work;
    for (FunctionId f = 0; f < program.functions.size(); ++f)
      for (const Instruction& instruction : program.functions[f].instructions)
        if (semantics::is_allocation(instruction)) work.push_back(flow_.value(f, instruction.first_result));
    while (!work.empty()) {
      const auto node = work.back();
      work.pop_back();
      if (reached_[node]) continue;
      reached_[node] = true;
      for (const auto next : successors_.successors(node)) work.push_back(next);
    }
  }

  /// The value is one, or computed from one without memory in between.
  bool decide(FunctionId f, ValueId value) const {
    const program::Function& function = program_.functions[f];
    std::vector<bool> seen(function.values.size());
    std::vector<ValueId> work{value};
    while (!work.empty()) {
      const ValueId v = work.back();
      work.pop_back();
      if (seen[v]) continue;
      seen[v] = true;
      if (reached_[flow_.value(f, v)]) return true;
      if (function.values[v].kind != program::ValueKind::Result) continue;
      const Instruction& instruction = function.instructions[function.values[v].index];
      if (instruction.kind != Kind::Operator) continue;
      for (const ValueId operand : function.operands_of(instruction)) work.push_back(operand);
    }
    return false;
  }

 private:
  const program::Program& program_;
  program::ValueFlow flow_;
  program::Cfg successors_;
  std::vector<bool> reached_;
};

}  // namespace

void mark_outside_sites(Subject& subject) {
  const program::Program& program = subject.program;
  const program::CallGraph calls(program);
  const program::InputDependence outside(program, calls, {}, program::InputDependence::Sources::Outside);
  const Allocations allocations(program, calls);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    const program::Function& function = program.functions[f];
    for (program::BlockId b = 0; b < function.blocks.size(); ++b) {
      Site& site = subject.sites[subject.terminator_sites[f][b]];
      const Instruction& terminator = function.terminator(b);
      if (terminator.kind != Kind::Branch && terminator.kind != Kind::Switch) continue;
      const ValueId condition = function.operands_of(terminator)[0];
      site.depends_on_outside |= outside.depends(f, condition) || allocations.decide(f, condition);
    }
  }
}

}  // namespace plumb::instrument
