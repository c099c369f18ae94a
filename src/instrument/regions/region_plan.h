#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/analysis/governors.h"
#include "program/program.h"

namespace plumb::instrument {

/// A stretch of memory that a region accesses: `size` bytes from `base + offset`. The base is the address of a global,
/// an Allocate of the function's entry block, or a pointer defined outside the region, whose value and object are known
/// when the region is entered.
struct MemorySlot {
  program::ValueId base = program::kNone;
  std::int64_t offset = 0;
  std::uint32_t size = 0;
  bool is_written = false;
  bool is_known = false;  ///< the base is a global or an Allocate, and the slot lies in it: it is safe on every path
};

/// A piece of a written slot that gets one expression when the region is left.
struct MemoryCell {
  std::uint32_t slot = 0;
  std::uint32_t offset = 0;  ///< in the slot
  std::uint32_t size = 0;    ///< 1, 2, 4 or 8 bytes
};

/// Something that a condition of the region can depend on: bytes of a slot, or a live-in (then there is no slot, the
/// offset is its index, and the size is 1). Where no mark is symbolic every path through the region is the run's own.
struct RegionMark {
  std::uint32_t slot = program::kNone;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

/// What is known after the region: a value defined in it, or the argument of a destination (in place of phi) for which
/// the region's edges give different values or one defined in the region.
struct LiveOut {
  program::ValueId value = program::kNone;
  std::uint32_t destination = program::kNone;  ///< of an argument: index in RegionPlan::destinations; else kNone
};

/// An edge out of the governor or a block of the region.
struct RegionEdge {
  program::BlockId from = program::kNone;
  std::uint32_t index = 0;  ///< among the successors of `from`
  program::BlockId to = program::kNone;
};

/// A governed region that will be summarised: fixed before instrumentation, the same for the template (which is made of
/// the Program) and for the code (which is cloned from the same blocks).
///
/// The plain version of the region is entered from the governor alone. Its blocks have no calls; each access is to a
/// slot, at an offset that is constant or, in a slot that is a whole known object, variable: an access outside is a
/// fault of the region's formula, as are a divisor of zero, a failed CheckIndex, and what Program::checks ask for of
/// operators.
struct RegionPlan {
  program::FunctionId function = program::kNone;
  program::BlockId governor = program::kNone;
  std::vector<program::BlockId> blocks;  ///< GR(governor), in a topological order; the governor may also have edges
                                         ///< straight to destinations
  std::vector<program::BlockId> destinations;  ///< Dests(governor), by rising index
  std::vector<RegionEdge> edges;               ///< of the governor, then of the blocks in their order
  /// Variables defined outside, used by the governor's branch or inside, but for bases of slots, which the slots'
  /// addresses say; <= 64 bits.
  std::vector<program::ValueId> ins;
  std::vector<LiveOut> outs;  ///< <= 64 bits each
  std::vector<MemorySlot> slots;
  std::vector<MemoryCell> cells;  ///< cover every byte that can be written
  std::uint32_t max_slot = 0;     ///< RegionLimits::max_slot that it was planned with
  std::vector<RegionMark> marks;  ///< ins first, then slots
};

struct RegionLimits {
  std::uint32_t max_blocks = 400;
  std::uint32_t max_instructions = 4000;
  std::uint32_t max_slot = 1024;  ///< bytes of an object accessed at a variable offset
  std::uint32_t max_ins = 256;
  std::uint32_t max_outs = 256;
};

/// The regions of a function that a formula can stand for. Blocks that cannot be encoded (an unsafe or unknown access,
/// floating point arithmetic, values of more than 64 bits, Undefined, atomics, volatile) count as polluted, like calls;
/// so do those of `excluded` (by block). Governors are those of GovernorRule::Wide, branches and switches. Regions too
/// large for the limits are cut, or left out; so are those in which no two paths meet, inside or at a destination,
/// which a formula would say nothing about that the paths do not. By rising governor.
std::vector<RegionPlan> plan_regions(const program::Program& program, program::FunctionId function,
                                     const std::vector<bool>& excluded, const RegionLimits& limits = {});

}  // namespace plumb::instrument
