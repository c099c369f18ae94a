#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "semantics/memory/access_fault.h"
#include "semantics/memory/address_space.h"
#include "semantics/memory/cow_vector.h"

namespace plumb::semantics {

using program::kNone;

/// Objects with identity and addresses, checked at every access: the one memory semantics of all engines. `Bytes` is
/// the content of an object, over concrete values (concrete_bytes.h) or over terms (term_bytes.h); made without
/// arguments it is empty and costs nothing. Copying a Memory is cheap: tables and contents are shared until one side
/// writes. Addresses are concrete here; an engine with symbolic pointers decides first which object is meant. Addresses
/// depend on the order of calls alone, so equal runs have equal addresses. Not thread-safe: all copies belong to one
/// thread.
///
/// Between objects there is room that belongs to none, so that a step too far is seen; a dead object keeps its address
/// and its ObjectId until many others have died after it (address_space.h), so that a late use is seen too.
template <typename Bytes>
class Memory {
 public:
  /// 32 or 64.
  explicit Memory(std::uint32_t pointer_width) : space_(pointer_width) {}

  /// A new live object; `alignment` a power of two, the content of `size` bytes. Throws OutOfMemory (address_space.h)
  /// if the address space is full.
  ObjectId allocate(ObjectKind kind, std::uint64_t size, std::uint32_t alignment, CodePoint site, Bytes content);
  /// Needs an object that is live or out of scope. Its bytes are dropped.
  void kill(ObjectId object, Life life, CodePoint site);
  /// The object keeps its room and its bytes are dropped: it is out of scope until enter_scope(). Needs one that is
  /// live or out of scope already.
  void leave_scope(ObjectId object, CodePoint site);
  /// The object lives, with this content. Needs one that is live or out of scope.
  void enter_scope(ObjectId object, Bytes content);
  /// free(): a fault unless the address is null or the base of a live heap object, which is killed.
  std::optional<Fault> free(std::uint64_t address, CodePoint site);

  struct Place {
    ObjectId object;
    std::uint64_t offset;
  };
  /// The live object that holds all of [address, address + size), or why there is none. A size of 0 always succeeds
  /// for a pointer into or just past a live object, even a constant one, and fails for null. `alignment` 0 or 1: any.
  std::variant<Place, Fault> resolve(std::uint64_t address, std::uint64_t size, AccessKind kind,
                                     std::uint32_t alignment = 1) const;
  /// As resolve() without alignment and without a word on what is wrong: nothing if it is not allowed. A few
  /// nanoseconds.
  std::optional<Place> find(std::uint64_t address, std::uint64_t size, AccessKind kind) const noexcept {
    const ObjectId object = space_.at(address);
    if (object == kNone) [[unlikely]]
      return std::nullopt;
    const ObjectInfo& i = info(object);
    const std::uint64_t offset = address - i.base;
    if (offset > i.size || size > i.size - offset || i.life != Life::Live) [[unlikely]]
      return std::nullopt;
    if (kind == AccessKind::Write && i.is_constant && size > 0) [[unlikely]]
      return std::nullopt;
    return Place{object, offset};
  }
  /// The object, dead or alive, whose room holds the address.
  std::optional<ObjectId> object_at(std::uint64_t address) const noexcept {
    const ObjectId object = space_.at(address);
    return object == kNone ? std::nullopt : std::optional(object);
  }

  /// References to an object's parts are good until the next allocate(), kill(), free() or writable() of any object.
  const ObjectInfo& info(ObjectId object) const noexcept { return objects_[object].info; }
  const Bytes& bytes(ObjectId object) const noexcept { return objects_[object].bytes; }
  /// Unshared first: good for writing until this Memory is copied.
  Bytes& writable(ObjectId object) { return objects_.writable(object).bytes; }

  /// Which global (or function) of the program the object is.
  void set_global(ObjectId object, std::uint32_t global) { objects_.writable(object).info.global = global; }
  /// Likewise, and writes to it are faults from now on.
  void set_constant(ObjectId object, std::uint32_t global) {
    set_global(object, global);
    objects_.writable(object).info.is_constant = true;
  }

  /// All live objects of a kind, by rising ObjectId. Walks all objects.
  std::vector<ObjectId> live(ObjectKind kind) const;
  std::uint32_t pointer_width() const noexcept { return space_.pointer_width(); }

  static constexpr std::size_t kQuarantine = AddressSpace::kQuarantine;

 private:
  /// As large as a cache line, so that find() and the access that follows it touch one.
  struct alignas(64) Object {
    ObjectInfo info;
    Bytes bytes;
  };
  /// Nobody else gets its room.
  static bool is_kept(Life life) noexcept { return life == Life::Live || life == Life::OutOfScope; }
  const ObjectInfo* info_at(std::uint64_t address) const noexcept {
    const ObjectId object = space_.at(address);
    return object == kNone ? nullptr : &info(object);
  }

  AddressSpace space_;
  CowVector<Object> objects_;
};

template <typename Bytes>
ObjectId Memory<Bytes>::allocate(ObjectKind kind, std::uint64_t size, std::uint32_t alignment, CodePoint site,
                                 Bytes content) {
  INVARIANT(content.size() == size, "the content should have the size of its object");
  const AddressSpace::Slot slot = space_.allocate(size, alignment);
  if (slot.object == objects_.size()) objects_.push_back({});
  Object& object = objects_.writable(slot.object);
  object.info = ObjectInfo{};
  object.info.base = slot.base;
  object.info.size = size;
  object.info.alignment = alignment;
  object.info.kind = kind;
  object.info.allocated = site;
  object.bytes = std::move(content);
  return slot.object;
}

template <typename Bytes>
void Memory<Bytes>::kill(ObjectId object, Life life, CodePoint site) {
  Object& killed = objects_.writable(object);
  INVARIANT(is_kept(killed.info.life) && !is_kept(life), "an object should die once");
  killed.info.life = life;
  killed.info.freed = site;
  killed.bytes = Bytes{};
  space_.release(object);
}

template <typename Bytes>
void Memory<Bytes>::leave_scope(ObjectId object, CodePoint site) {
  Object& left = objects_.writable(object);
  INVARIANT(is_kept(left.info.life), "an object that leaves its scope should have its room");
  left.info.life = Life::OutOfScope;
  left.info.freed = site;
  left.bytes = Bytes{};
}

template <typename Bytes>
void Memory<Bytes>::enter_scope(ObjectId object, Bytes content) {
  Object& entered = objects_.writable(object);
  INVARIANT(is_kept(entered.info.life), "an object that enters its scope should have its room");
  INVARIANT(content.size() == entered.info.size, "the content should have the size of its object");
  entered.info.life = Life::Live;
  entered.info.freed = {};
  entered.bytes = std::move(content);
}

template <typename Bytes>
std::optional<Fault> Memory<Bytes>::free(std::uint64_t address, CodePoint site) {
  std::optional<Fault> fault = free_fault(info_at(address), address, pointer_width());
  if (!fault && address != 0) kill(space_.at(address), Life::Freed, site);
  return fault;
}

template <typename Bytes>
std::variant<typename Memory<Bytes>::Place, Fault> Memory<Bytes>::resolve(std::uint64_t address, std::uint64_t size,
                                                                          AccessKind kind,
                                                                          std::uint32_t alignment) const {
  const ObjectInfo* object = info_at(address);
  if (std::optional<Fault> fault = access_fault(object, {address, size, kind, alignment}, pointer_width()))
    return std::move(*fault);
  return Place{space_.at(address), address - object->base};
}

template <typename Bytes>
std::vector<ObjectId> Memory<Bytes>::live(ObjectKind kind) const {
  std::vector<ObjectId> found;
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    if (info(object).kind == kind && info(object).life == Life::Live) found.push_back(object);
  }
  return found;
}

}  // namespace plumb::semantics
