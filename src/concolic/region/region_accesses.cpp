#include <limits>

#include "base/error.h"
#include "concolic/region/region_encoder.h"
#include "term/selection.h"

namespace plumb::concolic {

using instrument::find_slot;
using instrument::LinearPart;

using program::BlockId;
using semantics::TermBytes;
using term::Term;

TermBytes& RegionEncoder::written_slot(BlockId block, std::uint32_t slot) {
  if (is_sequential_[slot]) return shared_.slots[slot];
  Memory& memory = state(block).memory;
  memory.versions[slot] = ++last_version_;
  return memory.slots[slot];
}

const TermBytes& RegionEncoder::read_slot(BlockId block, std::uint32_t slot) const {
  return is_sequential_[slot] ? shared_.slots[slot] : state(block).memory.slots[slot];
}

Term RegionEncoder::offset_term(const RegionAccess& access, const SlotPosition& position) {
  const std::uint32_t width = program_.layout.pointer_width;
  Term sum = store_.constant(width, static_cast<std::uint64_t>(position.offset));
  for (const LinearPart& part : access.address.parts) {
    const bool is_global = function_.values[part.value].kind == program::ValueKind::GlobalAddress;
    const Term value = is_global ? object_start(part.value) : term_of(part.value);
    const Term factor = store_.constant(width, static_cast<std::uint64_t>(part.coefficient));
    sum = store_.add(sum, store_.mul(factor, value));
  }
  return sum;
}

/// Indices below their checked bounds lead to offsets inside: lowering checks the indices of an array, and a fault that
/// cannot happen would be asked for again and again.
bool RegionEncoder::is_proved_inside(BlockId block, const RegionAccess& access, const SlotPosition& position) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  if (position.offset < 0) return false;
  std::uint64_t largest = static_cast<std::uint64_t>(position.offset);
  const auto& bounds = state(block).bounds;
  for (const LinearPart& part : access.address.parts) {
    const auto bound = bounds.find(term_of(part.value));
    if (bound == bounds.end() || part.coefficient < 0 || bound->second == 0) return false;
    const auto coefficient = static_cast<std::uint64_t>(part.coefficient);
    if (coefficient > kLimit || bound->second > kLimit) return false;
    largest += coefficient * (bound->second - 1);
    if (largest > kLimit) return false;
  }
  return largest + access.bytes <= plan_.slots[position.slot].size;
}

Term RegionEncoder::checked_offset(BlockId block, const RegionAccess& access, const SlotPosition& position) {
  const Term offset = offset_term(access, position);
  const std::uint64_t last = plan_.slots[position.slot].size - access.bytes;
  // A constant index may be checked against a bound that it exceeds: nothing comes here then.
  const bool is_possible = term::known_low_bits(store_, offset).value <= last;
  if (!is_proved_inside(block, access, position)) {
    const Term limit = store_.constant(store_.width(offset), last);
    add_fault(block, access.instruction, program::FaultKind::ArrayPointerOutOfBounds,
              is_possible ? store_.ult(limit, offset) : store_.boolean(true));
  }
  return is_possible ? offset : Term{};
}

Term RegionEncoder::load(BlockId block, const RegionAccess& access) {
  const SlotPosition position = find_slot(resolver_, plan_.slots, access);
  const TermBytes& memory = read_slot(block, position.slot);
  if (access.address.is_constant())
    return memory.load(store_, static_cast<std::uint64_t>(position.offset), access.bytes);
  const Term offset = checked_offset(block, access, position);
  return offset ? memory.load(store_, offset, access.bytes) : store_.zero(access.bytes * 8);
}

void RegionEncoder::store(BlockId block, const RegionAccess& access, Term value) {
  const SlotPosition position = find_slot(resolver_, plan_.slots, access);
  Term offset = store_.constant(program_.layout.pointer_width, static_cast<std::uint64_t>(position.offset));
  if (!access.address.is_constant()) offset = checked_offset(block, access, position);
  if (!offset) return;
  const Term when = is_sequential_[position.slot] ? state(block).guard : store_.boolean(true);
  written_slot(block, position.slot).store(store_, offset, value, when);
}

void RegionEncoder::copy(BlockId block, const RegionAccess& to, const RegionAccess& from) {
  const SlotPosition source = find_slot(resolver_, plan_.slots, from);
  const SlotPosition target = find_slot(resolver_, plan_.slots, to);
  const auto source_offset = static_cast<std::uint64_t>(source.offset);
  const auto target_offset = static_cast<std::uint64_t>(target.offset);
  TermBytes& memory = written_slot(block, target.slot);
  const TermBytes& content = read_slot(block, source.slot);
  if (!is_sequential_[target.slot]) {
    memory.copy(store_, target_offset, content, source_offset, to.bytes);
    return;
  }
  const TermBytes before = content;  // the target may be the same slot
  for (std::uint32_t i = 0; i < to.bytes; ++i)
    memory.store(store_, store_.constant(program_.layout.pointer_width, target_offset + i),
                 before.load(store_, source_offset + i, 1), state(block).guard);
}

void RegionEncoder::fill(BlockId block, const RegionAccess& to, Term byte) {
  const SlotPosition target = find_slot(resolver_, plan_.slots, to);
  const auto offset = static_cast<std::uint64_t>(target.offset);
  TermBytes& memory = written_slot(block, target.slot);
  if (!is_sequential_[target.slot]) {
    memory.fill(store_, offset, to.bytes, byte);
    return;
  }
  for (std::uint32_t i = 0; i < to.bytes; ++i)
    memory.store(store_, store_.constant(program_.layout.pointer_width, offset + i), byte, state(block).guard);
}

}  // namespace plumb::concolic
