#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "program/analysis/liveness.h"
#include "program/program.h"

namespace plumb::instrument {

/// coefficient * value; the address of a global stands for the start of its object here.
struct LinearPart {
  program::ValueId value = program::kNone;
  std::int64_t coefficient = 0;
};

/// Where an access of a region goes: `offset` plus the parts, in bytes from the start of the object that is known or
/// from the pointer that is not. Parts are there for known objects alone; their values are used or defined in the
/// region.
struct RegionAddress {
  program::ValueId base = program::kNone;
  std::int64_t offset = 0;
  std::vector<LinearPart> parts;
  bool is_constant() const noexcept { return parts.empty(); }
};

constexpr bool is_access(program::Kind kind) noexcept {
  using program::Kind;
  return kind == Kind::Load || kind == Kind::Store || kind == Kind::CopyMemory || kind == Kind::FillMemory;
}

struct RegionAccess {
  program::InstructionId instruction = program::kNone;
  RegionAddress address;
  std::uint32_t bytes = 0;
  bool is_write = false;
  bool is_block = false;  ///< of CopyMemory or FillMemory: its bytes need not belong together
};

/// Answers if a block belongs to the region in question.
using IsInside = std::function<bool(program::BlockId)>;

/// Finds out what the accesses of a function's regions refer to. References must outlive it.
class AddressResolver {
 public:
  AddressResolver(const program::Program& program, const program::Function& function, const program::Uses& uses,
                  std::uint32_t max_slot);

  /// The accesses of a Load, Store, CopyMemory (to, from) or FillMemory; none if it has no effect, nothing if a region
  /// cannot have it: the pointer is made in the region, the object is too large for a variable offset, constant or not
  /// of this program, or the access is outside of it for certain.
  std::optional<std::vector<RegionAccess>> accesses(program::InstructionId instruction,
                                                    const IsInside& is_inside) const;

  /// The size of the object that is at a base: a global of this program or an Allocate of the entry block of constant
  /// size.
  std::optional<std::uint64_t> object_size(program::ValueId base) const;
  /// Of a base, from the start of its object.
  std::int64_t base_offset(program::ValueId base) const;
  /// All addresses of a global have one base.
  program::ValueId global_base(program::GlobalId global) const { return global_bases_[global]; }
  /// The number that an address of the global is can be known: through a slot.
  bool has_address(program::GlobalId global) const;

 private:
  using Sum = RegionAddress;  ///< base: none yet
  bool add(Sum& sum, program::ValueId value, const IsInside& is_inside) const;
  bool is_object(program::ValueId value) const;
  std::optional<RegionAddress> resolve(program::ValueId address, const IsInside& is_inside) const;
  std::optional<RegionAddress> resolve_pointer(Sum sum, const IsInside& is_inside) const;
  bool is_defined_inside(program::ValueId value, const IsInside& is_inside) const;
  void number_values();
  void name_pointers();
  /// root + offset
  struct Place {
    program::ValueId root = program::kNone;
    std::int64_t offset = 0;
  };
  Place place_of(program::ValueId pointer) const;
  std::optional<RegionAccess> access(program::InstructionId instruction, program::ValueId address, std::uint64_t bytes,
                                     bool is_write, const IsInside& is_inside) const;

  const program::Program& program_;
  const program::Function& function_;
  const program::Uses& uses_;
  std::uint32_t max_slot_;
  std::vector<program::ValueId> global_bases_;  ///< by GlobalId
  std::vector<program::ValueId> numbers_;       ///< by ValueId: the first of its block that is computed in the same way
  /// Of a root that is itself the result of an operator: a pointer of the function that is accessed, and where it is.
  absl::flat_hash_map<std::pair<program::ValueId, program::BlockId>, Place> named_;
};

}  // namespace plumb::instrument
