#include "replay/describe_defect.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/checks/checks.h"

namespace plumb::replay {
namespace {

using program::CodePoint;
using program::FaultKind;
using program::Program;

bool is_known(CodePoint point) { return point.function != program::kNone; }

result::StackFrame frame_of(const Program& program, CodePoint point) {
  const program::Function& function = program.functions[point.function];
  return {function.name, place_of(program, point), function.is_model};
}

std::vector<result::StackFrame> frames_of(const Program& program, std::span<const CodePoint> stack) {
  std::vector<result::StackFrame> frames;
  for (const CodePoint point : stack)
    if (is_known(point)) frames.push_back(frame_of(program, point));
  return frames;
}

/// A point without the calls around it is the innermost of them.
std::vector<result::StackFrame> frames_of(const Program& program, std::span<const CodePoint> stack, CodePoint point) {
  return stack.empty() ? frames_of(program, std::span(&point, 1)) : frames_of(program, stack);
}

result::DefectObject object_of(const Program& program, const program::Fault& fault) {
  result::DefectObject object;
  object.kind = name(*fault.object_kind);
  object.name = fault.object_name;
  object.size = fault.object_size;
  object.allocated = frames_of(program, fault.allocation_stack, fault.allocated);
  object.freed = frames_of(program, fault.free_stack, fault.freed);
  return object;
}

std::optional<program::ObjectKind> object_kind(std::uint32_t kind) {
  switch (kind) {
    case PLUMB_OBJECT_GLOBAL:
      return program::ObjectKind::Global;
    case PLUMB_OBJECT_STACK:
      return program::ObjectKind::Stack;
    case PLUMB_OBJECT_HEAP:
      return program::ObjectKind::Heap;
    default:
      return std::nullopt;
  }
}

/// In bytes; 0 if there is none, or if the machine refused it and did not say how large it was.
std::uint32_t access_size(const SeenDefect& seen) { return seen.access & ~PLUMB_ACCESS_WRITE; }

/// Nothing can be said of an object: it is about a number, or the machine refused.
bool needs_no_object(const SeenDefect& seen) {
  switch (seen.kind) {
    case PLUMB_DEFECT_INDEX:
    case PLUMB_DEFECT_DIVISION:
    case PLUMB_DEFECT_OVERFLOW:
    case PLUMB_DEFECT_SHIFT:
    case PLUMB_DEFECT_ALIGNMENT:
      return true;
    case PLUMB_DEFECT_DOUBLE_FREE:
    case PLUMB_DEFECT_BAD_FREE:
    case PLUMB_DEFECT_LEAK:
      return false;
    default:
      return access_size(seen) == 0;
  }
}

}  // namespace

SourceLocation place_of(const Program& program, CodePoint point) {
  if (!is_known(point)) return {};
  const program::Function& function = program.functions[point.function];
  if (point.instruction < function.instructions.size()) {
    const program::Location& location = function.instructions[point.instruction].location;
    if (location.is_known()) return program.describe(location);
  }
  return program.describe(function.location);
}

result::Defect describe_defect(const Program& program, const program::Fault& fault, std::span<const CodePoint> stack) {
  result::Defect defect;
  defect.kind = name(fault.kind);
  defect.message = fault.message;
  defect.stack = frames_of(program, stack);
  if (fault.access)
    defect.access = result::DefectAccess{*fault.access == program::AccessKind::Write, fault.offset, fault.size};
  if (fault.object_kind) defect.object = object_of(program, fault);
  defect.lost_at = place_of(program, fault.lost);
  blame_user_code(defect);
  return defect;
}

result::Defect describe_seen(const SeenDefect& seen, std::uint32_t pointer_width, std::string object_name) {
  program::Fault fault;
  fault.kind = kind_of_defect(seen.kind);
  fault.address = seen.address;
  fault.object_kind = object_kind(seen.object_kind);
  fault.object_name = std::move(object_name);
  fault.object_size = seen.object_size;
  const std::uint64_t offset = seen.address - seen.object_base;
  fault.offset = pointer_width == 32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(offset))
                                     : static_cast<std::int64_t>(offset);
  fault.size = access_size(seen);
  if (fault.size != 0)
    fault.access = (seen.access & PLUMB_ACCESS_WRITE) != 0 ? program::AccessKind::Write : program::AccessKind::Read;
  result::Defect defect;
  defect.kind = name(fault.kind);
  defect.message = needs_no_object(seen) ? std::string(summary_of(fault.kind)) : program::describe(fault);
  if (fault.access)
    defect.access = result::DefectAccess{*fault.access == program::AccessKind::Write, fault.offset, fault.size};
  if (fault.object_kind)
    defect.object =
        result::DefectObject{std::string(name(*fault.object_kind)), fault.object_name, fault.object_size, {}, {}};
  return defect;
}

void blame_user_code(result::Defect& defect) {
  const bool is_leak = defect.kind == name(FaultKind::Leak);
  const std::vector<result::StackFrame>* stack = &defect.stack;
  if (is_leak || stack->empty()) {
    if (!defect.object) return;
    stack = &defect.object->allocated;
  }
  if (stack->empty()) return;
  const auto users =
      std::ranges::find_if(*stack, [](const auto& frame) { return !frame.is_model && !frame.place.file.empty(); });
  const result::StackFrame& blamed = users == stack->end() ? stack->front() : *users;
  defect.place = blamed.place;
  defect.function = blamed.function;
}

std::string_view summary_of(FaultKind kind) {
  using enum FaultKind;
  switch (kind) {
    case ArrayOutOfBounds:
      return "an index is outside of its array";
    case PointerOutOfBounds:
      return "access beyond a heap object";
    case ArrayPointerOutOfBounds:
      return "access beyond a variable, through a pointer";
    case UseAfterFree:
      return "access to a heap object after it was freed";
    case UseAfterReturn:
    case UseAfterScope:
      return "access to a variable after its scope was left";
    case DoubleFree:
      return "second free of a heap object";
    case InvalidFree:
      return "free of what is not from the heap";
    case NullDereference:
      return "access through a null pointer";
    case Leak:
      return "a heap object is never freed";
    case WriteToConstant:
      return "write of a constant";
    case DivisionByZero:
      return "division by zero";
    case SignedOverflow:
      return "the result of signed arithmetic does not fit";
    case ShiftOutOfRange:
      return "shift by less than 0, or by the width or more";
    case VlaSize:
      return "the size of an array of variable length is not positive";
    case Misaligned:
      return "access at an address that is not aligned";
    default:
      return "access at an address where nothing can be";
  }
}

FaultKind kind_of_defect(std::uint32_t defect) {
  switch (defect) {
    case PLUMB_DEFECT_INDEX:
      return FaultKind::ArrayOutOfBounds;
    case PLUMB_DEFECT_POINTER:
      return FaultKind::PointerOutOfBounds;
    case PLUMB_DEFECT_ARRAY:
      return FaultKind::ArrayPointerOutOfBounds;
    case PLUMB_DEFECT_NULL:
      return FaultKind::NullDereference;
    case PLUMB_DEFECT_FREED:
      return FaultKind::UseAfterFree;
    case PLUMB_DEFECT_RETURNED:
      return FaultKind::UseAfterReturn;
    case PLUMB_DEFECT_SCOPE:
      return FaultKind::UseAfterScope;
    case PLUMB_DEFECT_DOUBLE_FREE:
      return FaultKind::DoubleFree;
    case PLUMB_DEFECT_BAD_FREE:
      return FaultKind::InvalidFree;
    case PLUMB_DEFECT_LEAK:
      return FaultKind::Leak;
    case PLUMB_DEFECT_CONSTANT:
      return FaultKind::WriteToConstant;
    case PLUMB_DEFECT_DIVISION:
      return FaultKind::DivisionByZero;
    case PLUMB_DEFECT_OVERFLOW:
      return FaultKind::SignedOverflow;
    case PLUMB_DEFECT_SHIFT:
      return FaultKind::ShiftOutOfRange;
    case PLUMB_DEFECT_ALIGNMENT:
      return FaultKind::Misaligned;
    default:
      return FaultKind::InvalidPointer;
  }
}

}  // namespace plumb::replay
