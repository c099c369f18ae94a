#include "program/goal.h"

#include <fmt/format.h>

#include <array>

#include "program/analysis/call_graph.h"
#include "program/operator_check.h"

namespace plumb::program {

using term::Op;

namespace {

constexpr std::array<std::string_view, kGoalKindCount> kNames = {
    "assertion", "error", "termination", "access", "index", "free", "leak", "division", "overflow", "shift"};

bool is_allocation(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::Malloc || intrinsic == Intrinsic::Calloc || intrinsic == Intrinsic::Realloc ||
         intrinsic == Intrinsic::AlignedAlloc;
}

bool is_division(Op op) { return op == Op::Udiv || op == Op::Urem || op == Op::Sdiv || op == Op::Srem; }

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
        if (wants_access() && !is_certain(function, instruction)) goals_.push_back({GoalKind::Access, at});
        return;
      case Kind::CheckIndex:
        if (options_.checks.has(Check::Bounds)) goals_.push_back({GoalKind::Index, at});
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

  void visit_operator(const Function& function, const Instruction& instruction, CodePoint at) {
    if (function.is_model) return;
    const std::span<const ValueId> operands = function.operands_of(instruction);
    const BitVector* second = nullptr;
    if (operands.size() > 1 && function.values[operands[1]].kind == ValueKind::Constant)
      second = &function.constant(operands[1]);
    if (is_division(instruction.op())) {
      if (options_.checks.has(Check::Division) && (second == nullptr || second->is_zero()))
        goals_.push_back({GoalKind::Division, at});
      const bool is_signed = instruction.op() == Op::Sdiv || instruction.op() == Op::Srem;
      if (is_signed && options_.checks.has(Check::Overflow) && (second == nullptr || second->is_ones()))
        goals_.push_back({GoalKind::Overflow, at});
      return;
    }
    const std::optional<FaultKind> fault = operator_check(function, instruction, options_.checks);
    if (fault == FaultKind::SignedOverflow) goals_.push_back({GoalKind::Overflow, at});
    const bool is_in_range = second != nullptr && second->ult(BitVector(second->width(), second->width()));
    if (fault == FaultKind::ShiftOutOfRange && !is_in_range) goals_.push_back({GoalKind::Shift, at});
  }

  void visit_intrinsic(const Instruction& instruction, CodePoint at) {
    const Intrinsic intrinsic = instruction.intrinsic();
    if (intrinsic == Intrinsic::Check) {
      const bool is_termination = is_termination_check(program_, instruction);
      if (is_termination ? options_.has_termination : options_.has_assertions)
        goals_.push_back({is_termination ? GoalKind::Termination : GoalKind::Assertion, at});
    } else if (intrinsic == Intrinsic::AssertFail) {
      if (options_.has_assertions) goals_.push_back({GoalKind::Assertion, at});
    } else if (intrinsic == Intrinsic::Error) {
      if (options_.has_assertions) goals_.push_back({GoalKind::Error, at});
    }
    if (intrinsic == Intrinsic::MakeSymbolic && wants_access()) goals_.push_back({GoalKind::Access, at});
    if ((intrinsic == Intrinsic::Free || intrinsic == Intrinsic::Realloc) && options_.checks.has(Check::Free))
      goals_.push_back({GoalKind::Free, at});
    if (is_allocation(intrinsic) && options_.checks.has(Check::Leak)) goals_.push_back({GoalKind::Leak, at});
  }

  const Program& program_;
  const GoalOptions& options_;
  std::vector<Goal> goals_;
};

/// The C string that an operand points to in a constant of the program; "" if there is none.
std::string constant_text(const Program& program, const Function& function, ValueId operand) {
  const Value& value = function.values[operand];
  if (value.kind != ValueKind::GlobalAddress || value.offset < 0) return {};
  const std::vector<std::uint8_t>& bytes = program.globals[value.index].bytes;
  std::string text;
  for (auto i = static_cast<std::size_t>(value.offset); i < bytes.size() && bytes[i] != 0; ++i)
    text.push_back(static_cast<char>(bytes[i]));
  return text;
}

std::string quoted(std::string_view what, const std::string& text) {
  return text.empty() ? std::string(what) : fmt::format("{} '{}'", what, text);
}

std::string describe_assertion(const Program& program, const Function& function, const Instruction& instruction) {
  if (instruction.intrinsic() == Intrinsic::Check)
    return quoted("assertion", instruction.parameter == kNone ? "" : program.messages[instruction.parameter]);
  return quoted("assertion", constant_text(program, function, function.operands_of(instruction)[0]));
}

std::string describe_access(const Function& function, const Instruction& instruction) {
  const auto bytes = [&](ValueId value) {
    const std::uint32_t count = (function.values[value].width + 7) / 8;
    return count == 1 ? std::string("1 byte") : fmt::format("{} bytes", count);
  };
  switch (instruction.kind) {
    case Kind::Load:
      return "read of " + bytes(instruction.first_result);
    case Kind::Store:
      return "write of " + bytes(function.operands_of(instruction)[1]);
    case Kind::CopyMemory:
      return "copy of memory";
    case Kind::Intrinsic:
      return "write of an input";
    default:
      return "fill of memory";
  }
}

}  // namespace

std::string_view name(GoalKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

bool is_termination_check(const Program& program, const Instruction& instruction) {
  return instruction.kind == Kind::Intrinsic && instruction.intrinsic() == Intrinsic::Check &&
         instruction.parameter != kNone && program.messages[instruction.parameter].starts_with(kTerminationCheck);
}

std::vector<Goal> find_goals(const Program& program, const GoalOptions& options) {
  std::vector<FunctionId> roots = program.constructors;
  roots.insert(roots.end(), program.destructors.begin(), program.destructors.end());
  if (program.entry != kNone) roots.push_back(program.entry);
  const std::vector<bool> reachable = CallGraph(program).reachable_from(roots);
  Finder finder(program, options);
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    if (reachable[f]) finder.visit(f);
  return finder.take();
}

bool is_violation(const Goal& goal, FaultKind fault) {
  switch (fault) {
    case FaultKind::Assertion:
      return goal.kind == GoalKind::Assertion || goal.kind == GoalKind::Termination;
    case FaultKind::ErrorReached:
      return goal.kind == GoalKind::Error;
    case FaultKind::ArrayOutOfBounds:
      return goal.kind == GoalKind::Index;
    case FaultKind::PointerOutOfBounds:
    case FaultKind::ArrayPointerOutOfBounds:
    case FaultKind::UseAfterFree:
    case FaultKind::UseAfterReturn:
    case FaultKind::NullDereference:
    case FaultKind::UninitialisedPointer:
    case FaultKind::InvalidPointer:
    case FaultKind::WriteToConstant:
      return goal.kind == GoalKind::Access;
    case FaultKind::DoubleFree:
    case FaultKind::InvalidFree:
      return goal.kind == GoalKind::Free;
    case FaultKind::Leak:
      return goal.kind == GoalKind::Leak;
    case FaultKind::DivisionByZero:
      return goal.kind == GoalKind::Division;
    case FaultKind::SignedOverflow:
      return goal.kind == GoalKind::Overflow;
    case FaultKind::ShiftOutOfRange:
      return goal.kind == GoalKind::Shift;
    case FaultKind::InvalidCall:
    case FaultKind::Misaligned:
    case FaultKind::UninitialisedRead:
    case FaultKind::Abort:
    case FaultKind::Trap:
    case FaultKind::Unreachable:
    case FaultKind::StackOverflow:
    case FaultKind::Deadlock:
      return false;
  }
  INVARIANT(false, "a fault kind should be one of those declared");
}

std::string describe(const Program& program, const Goal& goal) {
  const Function& function = program.functions[goal.at.function];
  const Instruction& instruction = function.instructions[goal.at.instruction];
  switch (goal.kind) {
    case GoalKind::Assertion:
      return describe_assertion(program, function, instruction);
    case GoalKind::Error:
      return "error call";
    case GoalKind::Termination:
      return program.messages[instruction.parameter];
    case GoalKind::Access:
      return describe_access(function, instruction);
    case GoalKind::Index:
      return "array index";
    case GoalKind::Free:
      return instruction.intrinsic() == Intrinsic::Realloc ? "realloc" : "free";
    case GoalKind::Leak:
      return "leak";
    case GoalKind::Division:
      return "division by zero";
    case GoalKind::Overflow:
      return "signed overflow";
    case GoalKind::Shift:
      return "shift out of range";
  }
  INVARIANT(false, "a goal kind should be one of those declared");
}

}  // namespace plumb::program
