#include "semantics/memory/address_space.h"

#include <bit>

namespace plumb::semantics {

namespace {

// Wide guards cost nothing where addresses abound. 4 TB are more than a host has; they keep addresses below 2^47.
constexpr unsigned kGranuleBits64 = 12;
constexpr std::uint64_t kOrigin64 = std::uint64_t{1} << 40;
constexpr std::uint64_t kGuard64 = 1024;
constexpr std::uint64_t kMaxGranules64 = std::uint64_t{1} << 30;
constexpr unsigned kGranuleBits32 = 5;
constexpr std::uint64_t kOrigin32 = 0x1000'0000;
constexpr std::uint64_t kGuard32 = 16;
constexpr std::uint64_t kEnd32 = 0xBE00'0000;

}  // namespace

AddressSpace::AddressSpace(std::uint32_t pointer_width)
    : pointer_width_(pointer_width),
      granule_bits_(pointer_width == 64 ? kGranuleBits64 : kGranuleBits32),
      origin_(pointer_width == 64 ? kOrigin64 : kOrigin32),
      guard_(pointer_width == 64 ? kGuard64 : kGuard32),
      max_granules_(pointer_width == 64 ? kMaxGranules64 : (kEnd32 - kOrigin32) >> kGranuleBits32) {
  INVARIANT(pointer_width == 32 || pointer_width == 64, "a pointer should have 32 or 64 bits");
}

AddressSpace::SizeClass AddressSpace::size_class(std::uint64_t granules) {
  if (granules <= 8) return {static_cast<std::size_t>(granules) - 1, static_cast<std::uint32_t>(granules)};
  const unsigned octave = static_cast<unsigned>(std::bit_width(granules - 1)) - 1;  // 2^octave < granules
  const std::uint64_t step = std::uint64_t{1} << (octave - 2);
  const std::uint64_t quarter = (granules - 1 - (std::uint64_t{1} << octave)) / step;
  return {static_cast<std::size_t>(8 + (octave - 3) * 4 + quarter),
          static_cast<std::uint32_t>((std::uint64_t{1} << octave) + (quarter + 1) * step)};
}

AddressSpace::Slot AddressSpace::allocate(std::uint64_t size, std::uint32_t alignment) {
  INVARIANT(std::has_single_bit(alignment), "an alignment should be a power of two");
  // Rooms begin at granules, so the guard itself is aligned up to its own size.
  const std::uint64_t slack = alignment > guard_ ? alignment : 0;
  const std::uint64_t overhead = guard_ + slack + guard_;
  if (size > (max_granules_ << granule_bits_) - overhead) throw OutOfMemory();
  const std::uint64_t granule = std::uint64_t{1} << granule_bits_;
  const SizeClass room_class = size_class((size + overhead + granule - 1) >> granule_bits_);

  ObjectId object = take(free_[room_class.index]);
  if (object == kNone) object = fits(room_class.granules) ? extend(room_class.granules) : reclaim(room_class);
  const std::uint64_t start = origin_ + (std::uint64_t{rooms_[object].first} << granule_bits_);
  const std::uint64_t mask = std::uint64_t{alignment} - 1;
  return {object, (start + guard_ + mask) & ~mask};
}

void AddressSpace::release(ObjectId object) {
  append(quarantine_, object);
  ++quarantined_;
  quarantined_granules_ += rooms_[object].granules;
  // The newest stays whatever its size: an object is never reused right after its death.
  while (quarantined_ > kQuarantine || (quarantined_granules_ > kQuarantineGranules && quarantined_ > 1)) {
    const ObjectId oldest = take_quarantined();
    append(free_[size_class(rooms_[oldest].granules).index], oldest);
  }
}

void AddressSpace::append(Queue& queue, ObjectId object) {
  rooms_.writable(object).next = kNone;
  if (queue.tail == kNone) {
    queue.head = object;
  } else {
    rooms_.writable(queue.tail).next = object;
  }
  queue.tail = object;
}

ObjectId AddressSpace::take(Queue& queue) {
  const ObjectId object = queue.head;
  if (object == kNone) return kNone;
  queue.head = rooms_[object].next;
  if (queue.head == kNone) queue.tail = kNone;
  return object;
}

ObjectId AddressSpace::take_quarantined() {
  const ObjectId object = take(quarantine_);
  if (object == kNone) return kNone;
  --quarantined_;
  quarantined_granules_ -= rooms_[object].granules;
  return object;
}

ObjectId AddressSpace::extend(std::uint32_t granules) {
  const auto object = static_cast<ObjectId>(rooms_.size());
  rooms_.push_back({static_cast<std::uint32_t>(granules_.size()), granules, kNone});
  granules_.append(granules, object);
  return object;
}

ObjectId AddressSpace::reclaim(SizeClass wanted) {
  for (std::size_t i = wanted.index + 1; i < kClasses; ++i) {
    if (const ObjectId object = take(free_[i]); object != kNone) return object;
  }
  for (;;) {
    const ObjectId oldest = take_quarantined();
    if (oldest == kNone) throw OutOfMemory();
    if (rooms_[oldest].granules >= wanted.granules) return oldest;
    append(free_[size_class(rooms_[oldest].granules).index], oldest);
  }
}

}  // namespace plumb::semantics
