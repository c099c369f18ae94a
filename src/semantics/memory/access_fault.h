#pragma once

#include <cstdint>
#include <optional>

#include "program/fault.h"

namespace plumb::semantics {

using program::AccessKind;
using program::CodePoint;
using program::Fault;
using program::kNone;
using program::ObjectKind;

/// Where an object stands in its life.
enum class Life : std::uint8_t { Live, Freed, Returned, OutOfScope };

/// A memory object but for its bytes.
struct ObjectInfo {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::uint32_t alignment = 1;
  ObjectKind kind = ObjectKind::Heap;
  Life life = Life::Live;
  bool is_constant = false;
  std::uint32_t global = kNone;  ///< of a Global its GlobalId, of a Function its FunctionId
  CodePoint allocated;
  CodePoint freed;
};

/// An access of the program under test.
struct Access {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  AccessKind kind = AccessKind::Read;
  std::uint32_t alignment = 1;  ///< that the address needs; 0 or 1: any
};

/// Why an access is not allowed, if it is not. `object` is the one in whose room the address is, dead or alive, or null
/// if there is none. What is wrong with the pointer comes before what is wrong with the object's life, that before
/// bounds, then constness, then alignment.
std::optional<Fault> access_fault(const ObjectInfo* object, const Access& access, std::uint32_t pointer_width);

/// An access where no object is, through a pointer that was computed from the address of this one.
Fault distant_fault(const ObjectInfo& object, const Access& access);

/// Why the address cannot be given to free(), if it cannot; null can.
std::optional<Fault> free_fault(const ObjectInfo* object, std::uint64_t address, std::uint32_t pointer_width);

/// A live heap object at the end of the program.
Fault leak_fault(const ObjectInfo& object);

/// Null, or so near that an offset was added to null or taken from it.
bool is_null_like(std::uint64_t address, std::uint32_t pointer_width) noexcept;
/// Read from memory that was never written, perhaps with an offset added.
bool is_uninitialised(std::uint64_t address, std::uint32_t pointer_width) noexcept;

}  // namespace plumb::semantics
