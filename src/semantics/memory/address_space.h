#pragma once

#include <array>
#include <cstdint>
#include <new>

#include "program/program.h"
#include "semantics/memory/cow_vector.h"

namespace plumb::semantics {

using program::kNone;

/// An object of a Memory; kNone is none. Small and dense; reused once its object is long dead.
using ObjectId = std::uint32_t;

/// The address space of the program under test has no room for what it asked for.
class OutOfMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "the address space of the program is full"; }
};

/// Deals out addresses, and knows in two loads whose room an address is in. Addresses come in granules; the room of an
/// object is a run of them that begins with a guard below the object and ends with one above it, so that a step past
/// either end is still in the object's own room. Null, the lowest megabytes and the pattern of unwritten memory are in
/// nobody's room.
///
/// A dead object keeps its room and its id until kQuarantine others have died after it, or fewer if their rooms are
/// large (kQuarantineGranules) or the space is full: oldest first, and then an object whose room has the same size
/// takes both over. Copies are cheap and share until written.
class AddressSpace {
 public:
  /// 32 or 64.
  explicit AddressSpace(std::uint32_t pointer_width);

  struct Slot {
    ObjectId object = kNone;
    std::uint64_t base = 0;
  };
  /// Room for a new object; `alignment` a power of two. Throws OutOfMemory.
  Slot allocate(std::uint64_t size, std::uint32_t alignment);
  /// The object died.
  void release(ObjectId object);
  /// The object, dead or alive, whose room holds the address, or kNone.
  ObjectId at(std::uint64_t address) const noexcept {
    const std::uint64_t granule = (address - origin_) >> granule_bits_;
    if (granule >= granules_.size()) [[unlikely]]
      return kNone;
    return granules_[granule];
  }
  std::uint32_t pointer_width() const noexcept { return pointer_width_; }

  static constexpr std::uint64_t kQuarantine = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kQuarantineGranules = std::uint64_t{1} << 22;

 private:
  /// Rooms of up to 8 granules have their exact size, larger ones one of four sizes an octave, so that one list a size
  /// serves for reuse.
  static constexpr std::size_t kClasses = 128;
  struct SizeClass {
    std::size_t index;
    std::uint32_t granules;
  };
  static SizeClass size_class(std::uint64_t granules);

  /// The room of an ObjectId, for good. `next` links it to the next in the quarantine or in a list of free rooms.
  struct Room {
    std::uint32_t first = 0;
    std::uint32_t granules = 0;
    ObjectId next = kNone;
  };
  struct Queue {
    ObjectId head = kNone;
    ObjectId tail = kNone;
  };
  void append(Queue& queue, ObjectId object);
  ObjectId take(Queue& queue);
  /// The oldest object of the quarantine leaves it.
  ObjectId take_quarantined();
  bool fits(std::uint32_t granules) const noexcept { return granules <= max_granules_ - granules_.size(); }
  ObjectId extend(std::uint32_t granules);
  /// For a space that is full: a larger free room, or one from the quarantine.
  ObjectId reclaim(SizeClass wanted);

  std::uint32_t pointer_width_;
  unsigned granule_bits_;
  std::uint64_t origin_;
  std::uint64_t guard_;  ///< below an object, and at least as much above
  std::uint64_t max_granules_;
  CowVector<ObjectId, 10> granules_;
  CowVector<Room, 8> rooms_;  ///< by ObjectId
  Queue quarantine_;
  std::uint64_t quarantined_ = 0;
  std::uint64_t quarantined_granules_ = 0;
  std::array<Queue, kClasses> free_;
};

}  // namespace plumb::semantics
