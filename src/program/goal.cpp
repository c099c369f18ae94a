#include "program/goal.h"

#include <fmt/format.h>

#include <array>

namespace plumb::program {
namespace {

constexpr std::array<std::string_view, kGoalKindCount> kNames = {
    "assertion", "error",    "termination", "access",   "index",
    "free",      "leak",     "division",    "overflow", "shift",
    "call",      "deadlock", "data-race",   "vla",      "pointer-arithmetic"};

std::string quoted(std::string_view what, const std::string& text) {
  return text.empty() ? std::string(what) : fmt::format("{} '{}'", what, text);
}

std::string describe_assertion(const Program& program, const Function& function, const Instruction& instruction) {
  if (instruction.intrinsic() == Intrinsic::Check) return quoted("assertion", program.message_of(instruction));
  const Value& text = function.values[function.operands_of(instruction)[0]];
  const bool is_global = text.kind == ValueKind::GlobalAddress;
  return quoted("assertion", is_global ? program.constant_text(text.index, text.offset).value_or("") : "");
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
      if (instruction.intrinsic() == Intrinsic::MakeSymbolic) return "write of an input";
      if (instruction.intrinsic() == Intrinsic::HostRead) return "read from a file";
      return instruction.intrinsic() == Intrinsic::HostWrite ? "write to a file" : "use of a mutex";
    default:
      return "fill of memory";
  }
}

}  // namespace

std::string_view name(GoalKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

bool is_about_memory(const Goal& goal) {
  return goal.kind == GoalKind::Access || goal.kind == GoalKind::Index || goal.kind == GoalKind::Free ||
         goal.kind == GoalKind::Leak || goal.kind == GoalKind::Call;
}

bool is_about_threads(const Goal& goal) { return goal.kind == GoalKind::Deadlock || goal.kind == GoalKind::DataRace; }

bool is_termination_check(const Program& program, const Instruction& instruction) {
  return instruction.kind == Kind::Intrinsic && instruction.intrinsic() == Intrinsic::Check &&
         program.message_of(instruction).starts_with(kTerminationCheck);
}

bool is_vla_check(const Program& program, const Instruction& instruction) {
  return instruction.kind == Kind::Intrinsic && instruction.intrinsic() == Intrinsic::Check &&
         program.message_of(instruction) == kVlaCheck;
}

FaultKind fault_of_check(const Program& program, const Instruction& instruction) {
  return is_vla_check(program, instruction) ? FaultKind::VlaSize : FaultKind::Assertion;
}

std::optional<GoalKind> violated_kind(FaultKind fault) {
  switch (fault) {
    case FaultKind::Assertion:
      return GoalKind::Assertion;
    case FaultKind::ErrorReached:
      return GoalKind::Error;
    case FaultKind::ArrayOutOfBounds:
      return GoalKind::Index;
    case FaultKind::PointerOutOfBounds:
    case FaultKind::ArrayPointerOutOfBounds:
    case FaultKind::UseAfterFree:
    case FaultKind::UseAfterReturn:
    case FaultKind::UseAfterScope:
    case FaultKind::NullDereference:
    case FaultKind::UninitialisedPointer:
    case FaultKind::InvalidPointer:
    case FaultKind::WriteToConstant:
      return GoalKind::Access;
    case FaultKind::DoubleFree:
    case FaultKind::InvalidFree:
      return GoalKind::Free;
    case FaultKind::Leak:
      return GoalKind::Leak;
    case FaultKind::DivisionByZero:
      return GoalKind::Division;
    case FaultKind::SignedOverflow:
      return GoalKind::Overflow;
    case FaultKind::ShiftOutOfRange:
      return GoalKind::Shift;
    case FaultKind::InvalidCall:
      return GoalKind::Call;
    case FaultKind::Deadlock:
      return GoalKind::Deadlock;
    case FaultKind::DataRace:
      return GoalKind::DataRace;
    case FaultKind::VlaSize:
      return GoalKind::Vla;
    case FaultKind::PointerArithmetic:
      return GoalKind::PointerArithmetic;
    case FaultKind::Misaligned:
    case FaultKind::UninitialisedRead:
    case FaultKind::Abort:
    case FaultKind::Trap:
    case FaultKind::Unreachable:
    case FaultKind::StackOverflow:
      return std::nullopt;
  }
  INVARIANT(false, "a fault kind should be one of those declared");
}

bool is_violation(const Goal& goal, FaultKind fault) {
  return may_violate(goal, fault) && (goal.kind != GoalKind::Access || is_checked(fault, goal.checks));
}

bool may_violate(const Goal& goal, FaultKind fault) {
  if (goal.kind == GoalKind::Termination) return fault == FaultKind::Assertion;
  return violated_kind(fault) == goal.kind;
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
    case GoalKind::Call:
      return instruction.kind == Kind::Call ? quoted("call of", program.functions[instruction.parameter].name)
                                            : "call through a pointer";
    case GoalKind::Deadlock:
      return "deadlock";
    case GoalKind::DataRace:
      return "data race";
    case GoalKind::Vla:
      return "size of an array";
    case GoalKind::PointerArithmetic:
      return "pointer arithmetic";
  }
  INVARIANT(false, "a goal kind should be one of those declared");
}

}  // namespace plumb::program
