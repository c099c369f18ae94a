#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "concolic/region/region_encoder.h"

namespace plumb::concolic {

using instrument::find_slot;
using instrument::LinearPart;

using program::BlockId;
using semantics::TermBytes;
using term::Term;

namespace {

/// Low bits of the offset that are constant say if it can be at most `last` at all.
bool can_be_at_most(term::TermStore& store, Term offset, std::uint64_t last) {
  for (std::uint32_t bits = 1; bits <= store.width(offset); ++bits) {
    const Term low = store.extract(offset, bits - 1, 0);
    if (!store.is_constant(low)) return true;
    if (store.value(low).to_uint64() > last) return false;
  }
  return true;
}

}  // namespace

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
  const bool is_possible = can_be_at_most(store_, offset, last);
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
  TermBytes& memory = written_slot(block, position.slot);
  if (is_sequential_[position.slot])
    value = store_.ite(state(block).guard, value, memory.load(store_, offset, access.bytes));
  memory.store(store_, offset, value);
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
  std::vector<Term> bytes;
  for (std::uint32_t i = 0; i < to.bytes; ++i) bytes.push_back(content.load(store_, source_offset + i, 1));
  for (std::uint32_t i = 0; i < to.bytes; ++i) {
    const Term old = memory.load(store_, target_offset + i, 1);
    memory.store(store_, target_offset + i, store_.ite(state(block).guard, bytes[i], old));
  }
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
    memory.store(store_, offset + i, store_.ite(state(block).guard, byte, memory.load(store_, offset + i, 1)));
}

}  // namespace plumb::concolic
