// A backward slice from the conditions of a region, over values and the bytes of its slots. Which store a load sees is
// not asked: every store to its bytes counts, before it or after. So a mark may be there in vain, but none is missing.
#include "instrument/regions/region_marks.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "instrument/regions/region_memory.h"
#include "semantics/operators.h"

namespace plumb::instrument {

using program::BlockId;
using program::Instruction;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;

namespace {

class Slice {
 public:
  Slice(const program::Function& function, program::CheckSet checks, const program::Uses& uses,
        const AddressResolver& resolver, const RegionPlan& plan, std::span<const RegionAccess> accesses)
      : function_(function),
        checks_(checks),
        uses_(uses),
        resolver_(resolver),
        plan_(plan),
        accesses_(accesses),
        inside_(plan.blocks.begin(), plan.blocks.end()) {
    for (const MemorySlot& slot : plan.slots) bytes_.emplace_back(slot.size, false);
  }

  std::vector<RegionMark> run() {
    add_conditions();
    for (is_changed_ = true; is_changed_;) {
      is_changed_ = false;
      follow_values();
      std::ranges::for_each(accesses_, [&](const RegionAccess& access) { follow_write(access); });
    }
    return marks();
  }

 private:
  struct Range {
    std::uint32_t slot, begin, end;
  };

  Range range_of(const RegionAccess& access) const {
    const SlotPosition position = find_slot(resolver_, plan_.slots, access);
    if (!access.address.is_constant()) return {position.slot, 0, plan_.slots[position.slot].size};
    const auto begin = static_cast<std::uint32_t>(position.offset);
    return {position.slot, begin, begin + access.bytes};
  }

  void add_value(ValueId v) {
    if (!program::is_variable(function_.values[v]) || !values_.insert(v).second) return;
    is_changed_ = true;
    if (inside_.contains(uses_.definition(v))) pending_.push_back(v);
  }

  void add_bytes(const Range& range) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      is_changed_ = is_changed_ || !bytes_[range.slot][i];
      bytes_[range.slot][i] = true;
    }
  }

  void add_conditions() {
    add_condition(function_.terminator(plan_.governor));
    for (const BlockId b : plan_.blocks)
      for (const Instruction& instruction : function_.instructions_of(b)) add_condition(instruction);
    for (const RegionAccess& access : accesses_)
      for (const LinearPart& part : access.address.parts) add_value(part.value);
  }

  void add_condition(const Instruction& instruction) {
    const auto operands = function_.operands_of(instruction);
    if (instruction.kind == Kind::Branch || instruction.kind == Kind::Switch) add_value(operands[0]);
    const bool can_fault = instruction.kind == Kind::CheckIndex ||
                           !semantics::operator_faults(function_, instruction, {}, checks_).is_empty();
    if (can_fault) std::ranges::for_each(operands, [&](ValueId v) { add_value(v); });
  }

  void follow_values() {
    while (!pending_.empty()) {
      const ValueId v = pending_.back();
      pending_.pop_back();
      const Value& value = function_.values[v];
      if (value.kind == ValueKind::BlockArgument) {
        follow_argument(v);
        continue;
      }
      const Instruction& made = function_.instructions[value.index];
      if (made.kind != Kind::Load) {
        for (const ValueId operand : function_.operands_of(made)) add_value(operand);
        continue;
      }
      for (const RegionAccess& access : accesses_)
        if (access.instruction == value.index) add_bytes(range_of(access));
    }
  }

  void follow_argument(ValueId v) {
    const BlockId block = uses_.definition(v);
    const auto& arguments = function_.blocks[block].arguments;
    const auto index = static_cast<std::size_t>(std::ranges::find(arguments, v) - arguments.begin());
    for (const RegionEdge& edge : plan_.edges)
      if (edge.to == block) add_value(function_.arguments_of(function_.successors(edge.from)[edge.index])[index]);
  }

  /// What is written to marked bytes.
  void follow_write(const RegionAccess& access) {
    if (!access.is_write) return;
    const Range range = range_of(access);
    const auto first = bytes_[range.slot].begin();
    if (std::none_of(first + range.begin, first + range.end, [](bool is_marked) { return is_marked; })) return;
    const Instruction& instruction = function_.instructions[access.instruction];
    if (instruction.kind != Kind::CopyMemory) return add_value(function_.operands_of(instruction)[1]);
    for (const RegionAccess& source : accesses_)
      if (source.instruction == access.instruction && !source.is_write) add_bytes(range_of(source));
  }

  std::vector<RegionMark> marks() const {
    std::vector<RegionMark> found;
    for (std::uint32_t i = 0; i < plan_.ins.size(); ++i)
      if (values_.contains(plan_.ins[i])) found.push_back({kNone, i, 1});
    for (std::uint32_t slot = 0; slot < bytes_.size(); ++slot) {
      const auto begin = bytes_[slot].begin();
      for (auto first = begin; (first = std::find(first, bytes_[slot].end(), true)) != bytes_[slot].end();) {
        const auto last = std::find(first, bytes_[slot].end(), false);
        found.push_back({slot, static_cast<std::uint32_t>(first - begin), static_cast<std::uint32_t>(last - first)});
        first = last;
      }
    }
    return found;
  }

  const program::Function& function_;
  program::CheckSet checks_;
  const program::Uses& uses_;
  const AddressResolver& resolver_;
  const RegionPlan& plan_;
  std::span<const RegionAccess> accesses_;
  absl::flat_hash_set<BlockId> inside_;
  absl::flat_hash_set<ValueId> values_;
  std::vector<ValueId> pending_;
  std::vector<std::vector<bool>> bytes_;  ///< by slot
  bool is_changed_ = false;
};

}  // namespace

std::vector<RegionMark> find_marks(const program::Function& function, program::CheckSet checks,
                                   const program::Uses& uses, const AddressResolver& resolver, const RegionPlan& plan,
                                   std::span<const RegionAccess> accesses) {
  return Slice(function, checks, uses, resolver, plan, accesses).run();
}

}  // namespace plumb::instrument
