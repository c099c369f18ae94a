#include "instrument/regions/region_memory.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace plumb::instrument {

using program::ValueId;

namespace {

// Between accesses that share a slot: a slot costs more than to record so many bytes.
constexpr std::int64_t kMaxGap = 32;

/// Bytes from the object's start or the pointer.
struct Range {
  ValueId base = program::kNone;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool is_written = false;
};

Range range_of(const AddressResolver& resolver, const RegionAccess& access) {
  const RegionAddress& address = access.address;
  if (address.is_constant()) return {address.base, address.offset, address.offset + access.bytes, access.is_write};
  return {address.base, 0, static_cast<std::int64_t>(*resolver.object_size(address.base)), access.is_write};
}

/// Into `last` if they lie close together, or overlap, which slots of one base may not.
bool join(Range& last, const Range& next, std::uint32_t max_slot) {
  const std::int64_t end = std::max(last.end, next.end);
  const bool is_close = next.begin - last.end <= kMaxGap && end - last.begin <= std::int64_t{max_slot};
  if (last.base != next.base || (!is_close && next.begin >= last.end)) return false;
  last.end = end;
  last.is_written = last.is_written || next.is_written;
  return true;
}

/// How an access cuts its slot: at `offset`, and with a step also at every multiple of it from there on.
struct Claim {
  std::uint32_t slot = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t step = 0;
  bool is_write = false;
  bool is_block = false;
};

Claim claim_of(const AddressResolver& resolver, std::span<const MemorySlot> slots, const RegionAccess& access) {
  const SlotPosition position = find_slot(resolver, slots, access);
  Claim claim{position.slot, 0, access.bytes, 0, access.is_write, access.is_block};
  if (access.address.is_constant()) {
    claim.offset = static_cast<std::uint32_t>(position.offset);
    return claim;
  }
  // Without better knowledge elements lie one after the other.
  std::int64_t step = 0;
  for (const LinearPart& part : access.address.parts) step = std::gcd(step, part.coefficient);
  step = std::clamp<std::int64_t>(step, access.bytes, std::max(slots[position.slot].size, access.bytes));
  claim.step = static_cast<std::uint32_t>(step);
  claim.offset = static_cast<std::uint32_t>(((position.offset % step) + step) % step);
  return claim;
}

bool is_piece_size(std::uint32_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

/// The pieces of one slot while they are claimed.
class PieceMap {
 public:
  explicit PieceMap(std::uint32_t size) : accessed_(size, false), written_(size, false), owner_(size, 0) {}

  void mark(const Claim& claim) {
    const std::uint32_t begin = claim.step == 0 ? claim.offset : 0;
    const std::uint32_t end = claim.step == 0 ? claim.offset + claim.bytes : size();
    for (std::uint32_t i = begin; i < end; ++i) {
      accessed_[i] = true;
      written_[i] = written_[i] || claim.is_write;
    }
  }

  void claim(std::uint32_t offset, std::uint32_t bytes) {
    if (!is_piece_size(bytes) || offset + bytes > size()) return;
    for (std::uint32_t i = offset; i < offset + bytes; ++i)
      if (owner_[i] != 0 || !accessed_[i]) return;
    for (std::uint32_t i = offset; i < offset + bytes; ++i) owner_[i] = static_cast<std::uint8_t>(bytes);
    pieces_.push_back({offset, bytes, false});
  }

  std::vector<SlotPiece> finish() {
    // What is only copied or filled has no shape that is known; words are the likeliest.
    for (std::uint32_t i = 0; i < size(); i += 4) claim(i, 4);
    for (std::uint32_t i = 0; i < size(); ++i) claim(i, 1);
    for (SlotPiece& piece : pieces_)
      for (std::uint32_t i = 0; i < piece.size; ++i) piece.is_written = piece.is_written || written_[piece.offset + i];
    std::sort(pieces_.begin(), pieces_.end(),
              [](const SlotPiece& a, const SlotPiece& b) { return a.offset < b.offset; });
    return std::move(pieces_);
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(owner_.size()); }

  std::vector<bool> accessed_, written_;
  std::vector<std::uint8_t> owner_;
  std::vector<SlotPiece> pieces_;
};

}  // namespace

std::vector<MemorySlot> make_slots(const AddressResolver& resolver, std::span<const RegionAccess> accesses,
                                   std::span<const ValueId> named, std::uint32_t max_slot) {
  std::vector<Range> ranges;
  for (const RegionAccess& access : accesses) ranges.push_back(range_of(resolver, access));
  for (const ValueId base : named) {
    const bool has_slot =
        std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) { return range.base == base; });
    if (!has_slot) ranges.push_back({base, 0, 1, false});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::tuple(a.base, a.begin, a.end) < std::tuple(b.base, b.begin, b.end);
  });
  std::vector<Range> joined;
  for (const Range& range : ranges)
    if (joined.empty() || !join(joined.back(), range, max_slot)) joined.push_back(range);
  std::vector<MemorySlot> slots;
  for (const Range& range : joined) {
    slots.push_back({range.base, range.begin - resolver.base_offset(range.base),
                     static_cast<std::uint32_t>(range.end - range.begin), range.is_written,
                     resolver.object_size(range.base).has_value()});
  }
  return slots;
}

SlotPosition find_slot(const AddressResolver& resolver, std::span<const MemorySlot> slots, const RegionAccess& access) {
  const Range range = range_of(resolver, access);
  const std::int64_t base_offset = resolver.base_offset(range.base);
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    const std::int64_t begin = slots[i].offset + base_offset;
    if (slots[i].base == range.base && begin <= range.begin && range.end <= begin + std::int64_t{slots[i].size})
      return {i, access.address.offset - begin};
  }
  INVARIANT(false, "an access of a region should have a slot");
}

std::vector<std::vector<SlotPiece>> make_pieces(const AddressResolver& resolver, std::span<const MemorySlot> slots,
                                                std::span<const RegionAccess> accesses) {
  std::vector<Claim> claims;
  for (const RegionAccess& access : accesses) claims.push_back(claim_of(resolver, slots, access));
  std::stable_sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.bytes > b.bytes; });
  std::vector<PieceMap> maps;
  for (const MemorySlot& slot : slots) maps.emplace_back(slot.size);
  for (const Claim& claim : claims) maps[claim.slot].mark(claim);
  for (const Claim& claim : claims) {
    if (claim.is_block) continue;
    const std::uint32_t end = claim.step == 0 ? claim.offset + 1 : slots[claim.slot].size;
    for (std::uint32_t i = claim.offset; i < end; i += std::max(claim.step, 1U)) maps[claim.slot].claim(i, claim.bytes);
  }
  std::vector<std::vector<SlotPiece>> pieces;
  for (PieceMap& map : maps) pieces.push_back(map.finish());
  return pieces;
}

}  // namespace plumb::instrument
