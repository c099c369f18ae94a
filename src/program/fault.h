#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// What a run can do wrong.
enum class FaultKind : std::uint8_t {
  ArrayOutOfBounds,         ///< an index of an array of the source
  PointerOutOfBounds,       ///< an access beyond a heap object
  ArrayPointerOutOfBounds,  ///< an access through a pointer beyond a stack object or a global
  UseAfterFree,
  UseAfterReturn,
  UseAfterScope,
  DoubleFree,
  InvalidFree,
  NullDereference,
  UninitialisedPointer,  ///< the pointer has the pattern of memory never written
  InvalidPointer,        ///< points to no object that is known, or to a function
  InvalidCall,           ///< through a pointer to no function, or to one with other parameters
  WriteToConstant,
  Misaligned,
  Leak,
  DivisionByZero,
  SignedOverflow,
  ShiftOutOfRange,    ///< by less than 0, or by the width or more
  UninitialisedRead,  ///< a value that was never written decides, is an address or goes to the outside
  Assertion,
  ErrorReached,  ///< reach_error, __VERIFIER_error
  Abort,
  Trap,
  Unreachable,
  StackOverflow,
  Deadlock,
  DataRace,           ///< accesses of two threads that nothing orders, one of them a write, not both atomic
  VlaSize,            ///< of an array of variable length: not positive
  PointerArithmetic,  ///< leads out of the object that the pointer points into
};
inline constexpr int kFaultKindCount = static_cast<int>(FaultKind::PointerArithmetic) + 1;
std::string_view name(FaultKind kind);  ///< "array-out-of-bounds", "use-after-free": the kinds of the JSON shape

enum class ObjectKind : std::uint8_t { Global, Stack, Heap, Function };
std::string_view name(ObjectKind kind);  ///< "global", "stack"

enum class AccessKind : std::uint8_t { Read, Write };

/// An instruction of the program; what a call stack is made of.
struct CodePoint {
  FunctionId function = kNone;
  InstructionId instruction = kNone;
  friend bool operator==(const CodePoint&, const CodePoint&) = default;
};

/// Something that went wrong, in words that need no other context: "write of 4 bytes at offset 40: past the end of a
/// heap object of 40 bytes". Engines add where.
///
/// Memory does not know what objects are called, so its messages do without: an engine that finds a name (of the
/// global `object_global`, of the value that `allocated` defines) sets `object_name` and then `message =
/// describe(fault)`.
struct Fault {
  FaultKind kind = FaultKind::Abort;
  std::string message;
  // Of memory faults, where known
  std::optional<AccessKind> access;  ///< nothing: free() or the end of the program
  std::uint64_t address = 0;
  std::uint64_t size = 0;                ///< of the access, in bytes
  std::uint32_t required_alignment = 1;  ///< of the access
  std::optional<ObjectKind> object_kind;
  std::string object_name;              ///< of a global, a stack object or a function
  std::uint32_t object_global = kNone;  ///< of a Global its GlobalId, of a Function its FunctionId
  std::uint64_t object_size = 0;
  std::int64_t offset = 0;       ///< of the access in the object; from address 0 if the pointer is null
  std::uint32_t object = kNone;  ///< of a leak: the first one's number among all heap objects of the run
  CodePoint allocated;
  CodePoint freed;
  CodePoint lost;  ///< of a leak, with InterpreterOptions::find_losses: where the last pointer was lost
  /// With InterpreterOptions::keep_stacks: the calls around `allocated` and `freed`, innermost first.
  std::vector<CodePoint> allocation_stack;
  std::vector<CodePoint> free_stack;
};

/// The sentence for a memory fault, made of all but its message; the message as it is for other kinds.
std::string describe(const Fault& fault);

}  // namespace plumb::program
