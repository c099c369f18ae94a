#include "program/fault.h"

#include <fmt/format.h>

namespace plumb::program {

std::string_view name(FaultKind kind) {
  switch (kind) {
    case FaultKind::ArrayOutOfBounds:
      return "array-out-of-bounds";
    case FaultKind::PointerOutOfBounds:
      return "pointer-out-of-bounds";
    case FaultKind::ArrayPointerOutOfBounds:
      return "array-pointer-out-of-bounds";
    case FaultKind::UseAfterFree:
      return "use-after-free";
    case FaultKind::UseAfterReturn:
      return "use-after-return";
    case FaultKind::UseAfterScope:
      return "use-after-scope";
    case FaultKind::DoubleFree:
      return "double-free";
    case FaultKind::InvalidFree:
      return "invalid-free";
    case FaultKind::NullDereference:
      return "null-dereference";
    case FaultKind::UninitialisedPointer:
      return "uninitialised-pointer";
    case FaultKind::InvalidPointer:
      return "invalid-pointer";
    case FaultKind::InvalidCall:
      return "invalid-call";
    case FaultKind::WriteToConstant:
      return "write-to-constant";
    case FaultKind::Misaligned:
      return "misaligned";
    case FaultKind::Leak:
      return "leak";
    case FaultKind::DivisionByZero:
      return "division-by-zero";
    case FaultKind::SignedOverflow:
      return "signed-overflow";
    case FaultKind::ShiftOutOfRange:
      return "shift-out-of-range";
    case FaultKind::UninitialisedRead:
      return "uninitialised-read";
    case FaultKind::Assertion:
      return "assertion";
    case FaultKind::ErrorReached:
      return "error-reached";
    case FaultKind::Abort:
      return "abort";
    case FaultKind::Trap:
      return "trap";
    case FaultKind::Unreachable:
      return "unreachable";
    case FaultKind::StackOverflow:
      return "stack-overflow";
    case FaultKind::Deadlock:
      return "deadlock";
    case FaultKind::DataRace:
      return "data-race";
    case FaultKind::VlaSize:
      return "vla-size";
    case FaultKind::PointerArithmetic:
      return "pointer-arithmetic";
  }
  INVARIANT(false, "a fault kind should be one of those declared");
}

std::string_view name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::Global:
      return "global";
    case ObjectKind::Stack:
      return "stack";
    case ObjectKind::Heap:
      return "heap";
    case ObjectKind::Function:
      return "function";
  }
  INVARIANT(false, "an object kind should be one of those declared");
}

namespace {

std::string byte_count(std::uint64_t n) { return n == 1 ? "1 byte" : fmt::format("{} bytes", n); }

/// "heap object of 40 bytes", "global object 'table' of 16 bytes", "function 'f'".
std::string object(const Fault& fault) {
  const std::string quoted = fault.object_name.empty() ? "" : fmt::format(" '{}'", fault.object_name);
  if (fault.object_kind == ObjectKind::Function) return "function" + quoted;
  return fmt::format("{} object{} of {}", name(fault.object_kind.value_or(ObjectKind::Heap)), quoted,
                     byte_count(fault.object_size));
}

/// "write of 4 bytes" or "free".
std::string access(const Fault& fault) {
  if (!fault.access) return "free";
  return fmt::format("{} of {}", *fault.access == AccessKind::Read ? "read" : "write", byte_count(fault.size));
}

std::string at_offset(const Fault& fault) { return fmt::format("{} at offset {}", access(fault), fault.offset); }

std::string describe_null(const Fault& fault) {
  if (fault.offset == 0) return access(fault) + " through a null pointer";
  return fmt::format("{} at offset {} from a null pointer", access(fault), fault.offset);
}

std::string describe_invalid_free(const Fault& fault) {
  if (!fault.object_kind) return fmt::format("free of address {:#x}: no object is there", fault.address);
  if (*fault.object_kind != ObjectKind::Heap) return fmt::format("free of a {}: not from the heap", object(fault));
  return fmt::format("free of a pointer at offset {}: not the start of a {}", fault.offset, object(fault));
}

std::string describe_invalid_pointer(const Fault& fault) {
  if (fault.object_kind == ObjectKind::Function)
    return fmt::format("{} at the address of {}, which is not data", access(fault),
                       fault.object_name.empty() ? "a function" : object(fault));
  return fmt::format("{} at address {:#x}: no object is there", access(fault), fault.address);
}

std::string describe_arithmetic(const Fault& fault) {
  if (!fault.object_kind) return fmt::format("a distance is added to address {:#x}: no object is there", fault.address);
  return fmt::format("a pointer to offset {} is computed: {} a {}", fault.offset,
                     fault.offset < 0 ? "before" : "past the end of", object(fault));
}

}  // namespace

std::string describe(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::PointerOutOfBounds:
    case FaultKind::ArrayPointerOutOfBounds:
      return fmt::format("{}: {} a {}", at_offset(fault), fault.offset < 0 ? "before" : "past the end of",
                         object(fault));
    case FaultKind::UseAfterFree:
      return fmt::format("{} of a {} after it was freed", at_offset(fault), object(fault));
    case FaultKind::UseAfterReturn:
    case FaultKind::UseAfterScope:
      return fmt::format("{} of a {} after its scope was left", at_offset(fault), object(fault));
    case FaultKind::DoubleFree:
      return fmt::format("second free of a {}", object(fault));
    case FaultKind::InvalidFree:
      return describe_invalid_free(fault);
    case FaultKind::NullDereference:
      return describe_null(fault);
    case FaultKind::UninitialisedPointer:
      return access(fault) + " through a pointer that was never written";
    case FaultKind::InvalidPointer:
      return describe_invalid_pointer(fault);
    case FaultKind::WriteToConstant:
      return fmt::format("{} of a constant {}", at_offset(fault), object(fault));
    case FaultKind::Misaligned:
      return fmt::format("{} of a {}: address {:#x} is not a multiple of {}", at_offset(fault), object(fault),
                         fault.address, fault.required_alignment);
    case FaultKind::PointerArithmetic:
      return describe_arithmetic(fault);
    case FaultKind::Leak:
      return fmt::format("a {} is never freed", object(fault));
    default:
      return fault.message;
  }
}

}  // namespace plumb::program
