#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "instrument/regions/region_address.h"
#include "instrument/regions/region_plan.h"

namespace plumb::instrument {

/// Which slot an access goes to, and its constant offset there.
struct SlotPosition {
  std::uint32_t slot = 0;
  std::int64_t offset = 0;
};

/// The slots of a region: accesses of one base that lie close together share one; an object that is accessed at a
/// variable offset is one slot. `named`: globals whose addresses are used as numbers, which get a slot of one byte if
/// they have none. By rising base, then offset.
std::vector<MemorySlot> make_slots(const AddressResolver& resolver, std::span<const RegionAccess> accesses,
                                   std::span<const program::ValueId> named, std::uint32_t max_slot);
/// Needs an access that the slots were made of.
SlotPosition find_slot(const AddressResolver& resolver, std::span<const MemorySlot> slots, const RegionAccess& access);

/// The bytes of a slot that are accessed, in pieces of 1, 2, 4 or 8 that accesses take as a whole where this is
/// possible; by rising offset.
struct SlotPiece {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  bool is_written = false;
};
std::vector<std::vector<SlotPiece>> make_pieces(const AddressResolver& resolver, std::span<const MemorySlot> slots,
                                                std::span<const RegionAccess> accesses);

}  // namespace plumb::instrument
