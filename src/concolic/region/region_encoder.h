#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "concolic/region/region_template.h"
#include "instrument/regions/region_address.h"
#include "instrument/regions/region_memory.h"
#include "instrument/regions/region_plan.h"
#include "program/analysis/liveness.h"
#include "program/platform.h"
#include "semantics/memory/term_bytes.h"
#include "term/term_store.h"

namespace plumb::concolic {

using instrument::AddressResolver;
using instrument::IsInside;
using instrument::RegionAccess;
using instrument::SlotPiece;
using instrument::SlotPosition;

/// The formula of a region over variables of its own.
struct RegionFormula {
  struct Piece {
    std::uint32_t slot = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    term::Term variable;
  };
  std::vector<term::Term> ins;             ///< variables, by RegionPlan::ins
  std::vector<Piece> pieces;               ///< variables of the slots' content on entry
  std::vector<term::Term> slot_addresses;  ///< variables, by RegionPlan::slots
  std::vector<RegionFault> faults;
  RegionInstance guards;
  std::vector<RegionTemplate::Outs> outs;  ///< by RegionPlan::destinations
};

/// Makes the formula of one region; used once.
class RegionEncoder {
 public:
  RegionEncoder(const program::Program& program, const RegionPlan& plan, term::TermStore& store);
  RegionFormula run();

 private:
  /// A version of memory, and of each slot a number that changes when it is written.
  struct Memory {
    std::vector<semantics::TermBytes> slots;
    std::vector<std::uint32_t> versions;
  };
  struct BlockState {
    term::Term guard;  ///< of what was encoded so far
    bool has_fault = false;
    program::BlockId dominator = program::kNone;
    std::vector<std::uint32_t> in_edges;  ///< in RegionPlan::edges
    Memory memory;                        ///< at the end
    /// Unsigned bounds of index terms that were checked on every way to the end of the block.
    absl::flat_hash_map<term::Term, std::uint64_t> bounds;
  };

  // Entry
  void make_variables();
  void make_content(std::uint32_t slot, std::span<const SlotPiece> pieces);
  void find_in_edges();

  // Joins (region_joins.cpp)
  void enter_block(program::BlockId block);
  /// All that leaves `dominator` comes to `block`, and nothing on the way can go wrong.
  bool always_follows(program::BlockId block, program::BlockId dominator) const;
  program::BlockId common_dominator(program::BlockId a, program::BlockId b) const;
  term::Term select(std::span<const term::Term> guards, std::span<const term::Term> values);
  Memory join_memory(std::span<const std::uint32_t> edges);
  semantics::TermBytes join_slot(std::span<const std::uint32_t> edges, std::uint32_t slot);
  std::vector<std::uint32_t> live_edges(std::span<const std::uint32_t> edges) const;
  std::vector<term::Term> guards_of(std::span<const std::uint32_t> edges) const;
  std::vector<term::Term> arguments_of(std::span<const std::uint32_t> edges, std::size_t argument);
  void leave_block(program::BlockId block);
  std::vector<std::uint32_t> edges_to(program::BlockId block) const;
  RegionTemplate::Outs make_outs(std::uint32_t destination);

  // Instructions
  void encode(program::BlockId block, program::InstructionId instruction);
  term::Term encode_operator(program::BlockId block, program::InstructionId id);
  void encode_access(program::BlockId block, program::InstructionId instruction);
  void add_fault(program::BlockId block, program::InstructionId instruction, program::FaultKind kind,
                 term::Term condition);

  // Memory (region_accesses.cpp)
  term::Term load(program::BlockId block, const RegionAccess& access);
  void store(program::BlockId block, const RegionAccess& access, term::Term value);
  void copy(program::BlockId block, const RegionAccess& to, const RegionAccess& from);
  void fill(program::BlockId block, const RegionAccess& to, term::Term byte);
  semantics::TermBytes& written_slot(program::BlockId block, std::uint32_t slot);
  const semantics::TermBytes& read_slot(program::BlockId block, std::uint32_t slot) const;
  term::Term offset_term(const RegionAccess& access, const SlotPosition& position);
  /// Faults if the offset is out of the slot; null if it always is.
  term::Term checked_offset(program::BlockId block, const RegionAccess& access, const SlotPosition& position);
  bool is_proved_inside(program::BlockId block, const RegionAccess& access, const SlotPosition& position);

  term::Term term_of(program::ValueId value);
  term::Term object_start(program::ValueId base);
  BlockState& state(program::BlockId block) { return states_[position_.at(block)]; }
  const BlockState& state(program::BlockId block) const { return states_[position_.at(block)]; }

  const program::Program& program_;
  const program::Platform platform_;
  const program::Function& function_;
  const RegionPlan& plan_;
  term::TermStore& store_;
  program::Uses uses_;
  AddressResolver resolver_;
  IsInside is_inside_;
  std::vector<std::vector<SlotPiece>> pieces_;
  absl::flat_hash_map<program::ValueId, term::Term> values_;
  absl::flat_hash_map<program::BlockId, std::uint32_t> position_;  ///< the governor's is 0, then the region's order
  std::vector<BlockState> states_;                                 ///< by position
  /// Slots with large objects written at variable offsets have one version that stores change under their guard, as in
  /// LLSPLAT: to join two arrays costs each of their bytes.
  std::vector<bool> is_sequential_;
  Memory shared_;  ///< sequential slots, and slots that are not written
  std::uint32_t last_version_ = 0;
  RegionFormula formula_;
};

}  // namespace plumb::concolic
