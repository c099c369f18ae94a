#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/fault.h"
#include "program/program.h"

namespace plumb::interpret {

/// Memory that an operation reads or writes, or that a call of the library is about, and what it belongs to.
struct TouchedMemory {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< 0 of what a call is about
  bool is_write = false;
  /// Of the live object there.
  program::ObjectKind object_kind = program::ObjectKind::Global;
  program::GlobalId global = program::kNone;
  program::CodePoint allocated;  ///< of a stack or heap object
  std::uint64_t offset = 0;
  /// What is there after the operation, at most 16 of them; none if it was not done.
  std::vector<std::uint8_t> bytes;
};

/// What a thread did that others may see, as InterpreterOptions::on_operation is told.
struct OperationEvent {
  enum class Kind : std::uint8_t {
    Operation,  ///< a visible one (semantics/visible.h), that has been made, or begun by the end of the run
    Input,      ///< the thread was given an input
    End,        ///< the thread has ended
  };
  Kind kind = Kind::Operation;
  std::size_t thread = 0;      ///< numbered as in schedules
  program::CodePoint at;       ///< its instruction
  program::CodePoint user;     ///< where the user's code stands; the same, or a call of the library
  std::size_t depth = 0;       ///< the user's function among the open calls of the thread
  bool is_in_section = false;  ///< inside an atomic operation of the source, which is more than one operation here
  /// So many operations, this one first and then those before it, have had no effect: the thread waits.
  std::uint64_t taken_back = 0;
  std::array<std::optional<TouchedMemory>, 2> memory;
  /// Of a call where the user's code stands: the first argument, and the live object that it points to.
  std::uint64_t argument = 0;
  std::optional<TouchedMemory> subject;
};

}  // namespace plumb::interpret
