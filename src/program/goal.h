#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/fault.h"
#include "program/program.h"

namespace plumb::program {

/// What a place of a program must not do.
enum class GoalKind : std::uint8_t {
  Assertion,    ///< assert() fails: AssertFail is reached, or the condition of a Check is false
  Error,        ///< reach_error, __VERIFIER_error, or a label that stands for it, is reached
  Termination,  ///< more iterations than LoadOptions::termination_bound allows
  Access,       ///< a Load, Store, CopyMemory, FillMemory or Intrinsic on memory that is not there or not writable
  Index,        ///< a CheckIndex fails
  Free,         ///< Free, Realloc: of what is no live heap object
  Leak,         ///< an object that is lost at the end of the program; at its allocation
  Division,     ///< by zero
  Overflow,     ///< of signed arithmetic, quotients included
  Shift,        ///< out of range
  Call,         ///< through a pointer to no function, or to one that the call does not fit
  Deadlock,     ///< threads wait and none can go on; a goal of the whole program
  DataRace,     ///< unordered accesses of two threads, not both atomic, one a write; a goal of the whole program
  Vla,          ///< the size of an array of variable length is not positive
  PointerArithmetic,  ///< a CheckPointer fails
};
inline constexpr int kGoalKindCount = static_cast<int>(GoalKind::PointerArithmetic) + 1;
std::string_view name(GoalKind kind);  ///< "assertion", "error", "access"

/// A property: this does not happen at this instruction, in whatever call of its function; one of the whole program
/// stands at the first instruction of the entry. Engines stop a run at the
/// first fault of any kind, goal or not, as the Interpreter does; what stands behind it is not reached by that run.
struct Goal {
  GoalKind kind = GoalKind::Assertion;
  CodePoint at;
  /// Of an Access: what it must not do; the rest ends runs as well, but violates nothing.
  CheckSet checks = CheckSet::all();
  friend bool operator==(const Goal& a, const Goal& b) { return a.kind == b.kind && a.at == b.at; }
};

/// It is one of those that memory safety is made of, so what is not looked at of memory may hide a violation.
bool is_about_memory(const Goal& goal);
/// It is one of the whole program, about the order in which threads run.
bool is_about_threads(const Goal& goal);

/// The message (Program::messages) of a Check that LoadOptions::termination_bound made begins so; the bound follows.
inline constexpr std::string_view kTerminationCheck = "termination bound ";
/// The global variable that they count in.
inline constexpr std::string_view kTerminationCounter = "plumb.steps";
bool is_termination_check(const Program& program, const Instruction& instruction);
/// The message of a Check that Check::Vla made.
inline constexpr std::string_view kVlaCheck = "positive size of an array of variable length";
bool is_vla_check(const Program& program, const Instruction& instruction);
/// What a Check whose condition is false is.
FaultKind fault_of_check(const Program& program, const Instruction& instruction);

/// What a fault violates; nothing if it is never a goal. That of an assertion may be a Termination too.
std::optional<GoalKind> violated_kind(FaultKind fault);
/// The fault violates the goal, if it is at the goal's place; wherever it is, if the goal is of the whole program.
bool is_violation(const Goal& goal, FaultKind fault);
/// It may: for engines that do not tell the faults of one kind of goal apart.
bool may_violate(const Goal& goal, FaultKind fault);
/// For people: "assertion 'x < 10'", "error call", "division by zero".
std::string describe(const Program& program, const Goal& goal);

}  // namespace plumb::program
