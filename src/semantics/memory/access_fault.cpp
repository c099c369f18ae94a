#include "semantics/memory/access_fault.h"

#include "semantics/memory/concrete_bytes.h"

namespace plumb::semantics {

using program::describe;
using program::FaultKind;
using program::Function;

namespace {

constexpr std::uint64_t kNullPage = 4096;

std::int64_t signed_address(std::uint64_t address, std::uint32_t pointer_width) noexcept {
  return pointer_width == 64 ? static_cast<std::int64_t>(address)
                             : static_cast<std::int64_t>(static_cast<std::int32_t>(address));
}

Fault about(FaultKind kind, const ObjectInfo* object, std::uint64_t address) {
  Fault fault;
  fault.kind = kind;
  fault.address = address;
  if (object == nullptr) return fault;
  fault.object_kind = object->kind;
  fault.object_global = object->global;
  fault.object_size = object->size;
  fault.offset = static_cast<std::int64_t>(address - object->base);
  fault.allocated = object->allocated;
  fault.freed = object->freed;
  return fault;
}

Fault finish(Fault fault) {
  fault.message = describe(fault);
  return fault;
}

Fault of_access(Fault fault, const Access& access) {
  fault.access = access.kind;
  fault.size = access.size;
  fault.required_alignment = access.alignment;
  return finish(std::move(fault));
}

/// What is wrong with a pointer that leads to no object.
Fault pointer_fault(FaultKind otherwise, std::uint64_t address, std::uint32_t pointer_width) {
  if (is_null_like(address, pointer_width)) {
    Fault fault = about(FaultKind::NullDereference, nullptr, address);
    fault.offset = signed_address(address, pointer_width);
    return fault;
  }
  return about(is_uninitialised(address, pointer_width) ? FaultKind::UninitialisedPointer : otherwise, nullptr,
               address);
}

FaultKind beyond(const ObjectInfo& object) {
  return object.kind == ObjectKind::Heap ? FaultKind::PointerOutOfBounds : FaultKind::ArrayPointerOutOfBounds;
}

std::optional<FaultKind> object_fault(const ObjectInfo& object, const Access& access) {
  if (object.life == Life::Freed) return FaultKind::UseAfterFree;
  if (object.life == Life::Returned) return FaultKind::UseAfterReturn;
  if (object.life == Life::OutOfScope) return FaultKind::UseAfterScope;
  const std::uint64_t offset = access.address - object.base;
  if (object.kind == ObjectKind::Function && (offset != 0 || access.size != 0)) return FaultKind::InvalidPointer;
  if (offset > object.size || access.size > object.size - offset) return beyond(object);
  if (object.is_constant && access.kind == AccessKind::Write && access.size > 0) return FaultKind::WriteToConstant;
  if (access.alignment > 1 && access.address % access.alignment != 0) return FaultKind::Misaligned;
  return std::nullopt;
}

}  // namespace

bool is_null_like(std::uint64_t address, std::uint32_t pointer_width) noexcept {
  const std::int64_t offset = signed_address(address, pointer_width);
  return offset > -static_cast<std::int64_t>(kNullPage) && offset < static_cast<std::int64_t>(kNullPage);
}

bool is_uninitialised(std::uint64_t address, std::uint32_t pointer_width) noexcept {
  const std::uint64_t pattern = (~std::uint64_t{0} / 0xFF * kUninitialised) >> (64 - pointer_width);
  const std::uint64_t reach = pointer_width == 64 ? std::uint64_t{1} << 31 : std::uint64_t{1} << 20;
  return address - (pattern - reach) <= 2 * reach;
}

std::optional<Fault> access_fault(const ObjectInfo* object, const Access& access, std::uint32_t pointer_width) {
  Fault fault;
  if (object == nullptr) {
    fault = pointer_fault(FaultKind::InvalidPointer, access.address, pointer_width);
  } else {
    const std::optional<FaultKind> kind = object_fault(*object, access);
    if (!kind) return std::nullopt;
    fault = about(*kind, object, access.address);
  }
  return of_access(std::move(fault), access);
}

Fault distant_fault(const ObjectInfo& object, const Access& access) {
  return of_access(about(beyond(object), &object, access.address), access);
}

std::optional<Fault> free_fault(const ObjectInfo* object, std::uint64_t address, std::uint32_t pointer_width) {
  if (address == 0) return std::nullopt;
  if (object == nullptr) {
    // A null pointer with an offset is no dereference here; that it is not from the heap is what matters.
    if (is_null_like(address, pointer_width)) return finish(about(FaultKind::InvalidFree, nullptr, address));
    return finish(pointer_fault(FaultKind::InvalidFree, address, pointer_width));
  }
  if (object->kind != ObjectKind::Heap || address != object->base)
    return finish(about(FaultKind::InvalidFree, object, address));
  if (object->life != Life::Live) return finish(about(FaultKind::DoubleFree, object, address));
  return std::nullopt;
}

Fault leak_fault(const ObjectInfo& object) { return finish(about(FaultKind::Leak, &object, object.base)); }

}  // namespace plumb::semantics
