#include "semantics/goals.h"

#include <array>

#include "program/analysis/call_graph.h"
#include "program/platform.h"
#include "semantics/calls.h"
#include "semantics/intrinsics.h"
#include "semantics/operators.h"

namespace plumb::semantics {

using program::CallGraph;
using program::Check;
using program::CheckSet;
using program::CodePoint;
using program::FaultKind;
using program::Function;
using program::FunctionId;
using program::GlobalObject;
using program::Goal;
using program::GoalKind;
using program::Instruction;
using program::InstructionId;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using program::Program;
using program::Value;
using program::ValueId;
using program::ValueKind;

namespace {

/// With this second operand, and some first one.
bool can_happen(const OperatorFault& fault, const BitVector& second) {
  if (fault.about == OperatorFault::About::Operands)
    return fault.predicate != term::Op::SdivOverflow || second.is_ones();
  return happens(fault, std::array{&second, &second});
}

/// Collects the goals of one function after the other.
class Finder {
 public:
  Finder(const Program& program, const GoalOptions& options) : program_(program), options_(options) {}

  void visit(FunctionId f) {
    const Function& function = program_.functions[f];
    for (InstructionId i = 0; i < function.instructions.size(); ++i) visit(function, {f, i});
  }
  std::vector<Goal> take() { return std::move(goals_); }

 private:
  void visit(const Function& function, CodePoint at) {
    const Instruction& instruction = function.instructions[at.instruction];
    switch (instruction.kind) {
      case Kind::Operator:
        return visit_operator(function, instruction, at);
      case Kind::Load:
      case Kind::Store:
      case Kind::CopyMemory:
      case Kind::FillMemory:
        if (wants_access() && !is_certain(function, instruction)) add_access(at);
        return;
      case Kind::CheckIndex:
        if (options_.checks.has(Check::Bounds)) goals_.push_back({GoalKind::Index, at});
        return;
      case Kind::Call:
        if (options_.checks.has(Check::Call) && does_not_fit(function, instruction))
          goals_.push_back({GoalKind::Call, at});
        return;
      case Kind::CallIndirect:
        if (options_.checks.has(Check::Call)) goals_.push_back({GoalKind::Call, at});
        return;
      case Kind::Intrinsic:
        return visit_intrinsic(instruction, at);
      default:
        return;
    }
  }

  bool wants_access() const {
    const CheckSet checks = options_.checks;
    return checks.has(Check::Bounds) || checks.has(Check::Null) || checks.has(Check::UseAfterFree) ||
           checks.has(Check::UseAfterReturn);
  }

  void add_access(CodePoint at) { goals_.push_back({GoalKind::Access, at, options_.checks}); }

  /// An access inside of a global variable by its name: no run can do it wrong.
  bool is_certain(const Function& function, const Instruction& instruction) const {
    if (instruction.kind != Kind::Load && instruction.kind != Kind::Store) return false;
    const std::span<const ValueId> operands = function.operands_of(instruction);
    const Value& address = function.values[operands[0]];
    if (address.kind != ValueKind::GlobalAddress || address.offset < 0) return false;
    const GlobalObject& global = program_.globals[address.index];
    if (global.is_external || (global.is_constant && instruction.kind == Kind::Store)) return false;
    const ValueId value = instruction.kind == Kind::Load ? instruction.first_result : operands[1];
    const std::uint64_t size = (function.values[value].width + 7) / 8;
    const auto offset = static_cast<std::uint64_t>(address.offset);
    return offset <= global.size && global.size - offset >= size;
  }

  bool does_not_fit(const Function& caller, const Instruction& call) const {
    const Function& callee = program_.functions[call.parameter];
    return callee.has_body() && call_fit(caller, call, callee) == CallFit::Wrong;
  }

  void visit_operator(const Function& function, const Instruction& instruction, CodePoint at) {
    if (function.is_model) return;
    const std::span<const ValueId> operands = function.operands_of(instruction);
    const BitVector* second = nullptr;
    if (operands.size() > 1 && function.values[operands[1]].kind == ValueKind::Constant)
      second = &function.constant(operands[1]);
    for (const OperatorFault& fault : operator_faults(function, instruction, platform_, options_.checks)) {
      if (is_checked(fault.kind, options_.checks) && (second == nullptr || can_happen(fault, *second)))
        goals_.push_back({*program::violated_kind(fault.kind), at});
    }
  }

  void visit_intrinsic(const Instruction& instruction, CodePoint at) {
    const Intrinsic intrinsic = instruction.intrinsic();
    if (intrinsic == Intrinsic::Check) {
      const bool is_termination = is_termination_check(program_, instruction);
      if (is_vla_check(program_, instruction)) {
        if (options_.checks.has(Check::Vla)) goals_.push_back({GoalKind::Vla, at});
      } else if (is_termination ? options_.has_termination : options_.has_assertions)
        goals_.push_back({is_termination ? GoalKind::Termination : GoalKind::Assertion, at});
    } else if (intrinsic == Intrinsic::AssertFail) {
      if (options_.has_assertions) goals_.push_back({GoalKind::Assertion, at});
    } else if (intrinsic == Intrinsic::Error) {
      if (options_.has_assertions) goals_.push_back({GoalKind::Error, at});
    }
    if (intrinsic == Intrinsic::CheckPointer && options_.checks.has(Check::PointerArithmetic))
      goals_.push_back({GoalKind::PointerArithmetic, at});
    if (rule_of(intrinsic).use && wants_access()) add_access(at);
    if ((intrinsic == Intrinsic::Free || intrinsic == Intrinsic::Realloc) && options_.checks.has(Check::Free))
      goals_.push_back({GoalKind::Free, at});
    if (is_allocation(instruction) && options_.checks.has(Check::Leak)) goals_.push_back({GoalKind::Leak, at});
  }

  const Program& program_;
  const GoalOptions& options_;
  const program::Platform platform_ = program::platform_of(program_.layout);
  std::vector<Goal> goals_;
};

}  // namespace

std::vector<bool> reachable_functions(const Program& program) {
  std::vector<FunctionId> roots = program.constructors;
  roots.insert(roots.end(), program.destructors.begin(), program.destructors.end());
  if (program.entry != kNone) roots.push_back(program.entry);
  const CallGraph calls(program);
  std::vector<bool> reachable = calls.reachable_from(roots);
  // A call through a pointer may have fewer arguments than the function has parameters.
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!reachable[f] || calls.indirect_calls(f).empty()) continue;
    for (FunctionId target = 0; target < program.functions.size(); ++target)
      if (calls.is_address_taken(target)) roots.push_back(target);
    return calls.reachable_from(roots);
  }
  return reachable;
}

std::vector<Goal> find_goals(const Program& program, const GoalOptions& options) {
  const std::vector<bool> reachable = reachable_functions(program);
  Finder finder(program, options);
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    if (reachable[f]) finder.visit(f);
  return finder.take();
}

}  // namespace plumb::semantics
