// Copies and fills. Of a known size they are assignments of elements; of another they go by units of a fixed size, each
// under the condition that it is inside of the size, up to a limit.

#include <algorithm>

#include "flatten/memory/access.h"

namespace plumb::flatten {

using term::TermStore;

namespace {

/// Units of a copy whose size is not known: with both places known, and with one that is not, where each unit costs as
/// much as an array has elements.
constexpr std::uint64_t kUnits = 256;
constexpr std::uint64_t kMovingUnits = 32;

bool is_known(const Accessor& accessor) {
  return std::all_of(accessor.spots().begin(), accessor.spots().end(),
                     [](const Spot& spot) { return spot.range.is_exact(); });
}

/// The largest of the objects.
std::uint64_t largest(const Accessor& accessor) {
  std::uint64_t size = 0;
  for (const Spot& spot : accessor.spots()) size = std::max(size, spot.group->size);
  return size;
}

/// How many units at most are inside of an object that holds the spot.
std::uint64_t units_at(const Spot& spot, std::uint64_t unit) {
  const auto first = static_cast<std::uint64_t>(spot.range.first());
  return spot.group->size < first ? 0 : (spot.group->size - first) / unit;
}

}  // namespace

std::uint64_t unit_of(const Progression& size) {
  std::uint64_t unit = 8;
  while (unit > 1 && (size.stride() % unit != 0 || size.first() % static_cast<std::int64_t>(unit) != 0)) unit /= 2;
  return unit;
}

Memory::Moved Memory::fill(MemoryState& state, const Place& at, Term guard, Term to, Term byte, Term size) const {
  TermStore& store = plan_->store();
  const Content content = [&](std::uint64_t, std::uint64_t count) {
    return store.repeat(byte, static_cast<std::uint32_t>(count));
  };
  const Progression range = plan_->pointers.operand(at.instance, at.instruction, 2).number;
  if (range.is_exact()) {
    if (range.first() == 0) return {store.boolean(true), store.boolean(true)};
    const auto bytes = static_cast<std::uint64_t>(range.first());
    const Accessor target(*plan_, at, 0, to, bytes, true);
    const Term valid = target.is_valid(state, bytes);
    for (const Spot& spot : target.spots())
      target.write(state, spot, store.bit_and(guard, target.guard_of(spot)), 0, bytes, content);
    return {valid, store.boolean(true)};
  }
  const Accessor target(*plan_, at, 0, to, 1, true);
  const Term valid = target.is_valid_up_to(state, size);
  const std::uint64_t unit = unit_of(range);
  const std::uint64_t limit = is_known(target) ? kUnits : kMovingUnits;
  for (const Spot& spot : target.spots())
    for (std::uint64_t i = 0; i < std::min(limit, units_at(spot, unit)); ++i) {
      const Term is_in = store.ult(plan_->address(i * unit), size);
      const Term here = store.all_of(std::vector{guard, target.guard_of(spot), is_in});
      target.write(state, spot, here, i * unit, unit, content);
    }
  const bool fits = largest(target) <= limit * unit;
  return {valid, fits ? store.boolean(true) : store.ule(size, plan_->address(limit * unit))};
}

Memory::Moved Memory::copy(MemoryState& state, const Place& at, Term guard, Term to, Term from, Term size) const {
  TermStore& store = plan_->store();
  const Progression range = plan_->pointers.operand(at.instance, at.instruction, 2).number;
  const Term yes = store.boolean(true);
  const bool is_exact = range.is_exact();
  if (is_exact && range.first() == 0) return {yes, yes};
  const std::uint64_t unit = is_exact ? static_cast<std::uint64_t>(range.first()) : unit_of(range);
  const std::uint64_t smallest = is_exact ? unit : 1;
  const Accessor target(*plan_, at, 0, to, smallest, true);
  const Accessor source(*plan_, at, 1, from, smallest, false);
  const Term valid = is_exact ? store.bit_and(source.is_valid(state, unit), target.is_valid(state, unit))
                              : store.bit_and(source.is_valid_up_to(state, size), target.is_valid_up_to(state, size));
  if (source.spots().empty() || target.spots().empty()) return {valid, yes};
  const std::uint64_t limit = is_exact ? 1 : is_known(target) && is_known(source) ? kUnits : kMovingUnits;
  // All is read before anything is written: the ranges may overlap.
  std::vector<std::vector<Pieces>> read;  // by source spot, then unit
  for (const Spot& spot : source.spots()) {
    std::vector<Pieces>& units = read.emplace_back();
    for (std::uint64_t i = 0; i < std::min(limit, units_at(spot, unit)); ++i)
      units.push_back(source.read(state, spot, i * unit, unit));
  }
  for (const Spot& spot : target.spots())
    for (std::uint64_t i = 0; i < std::min(limit, units_at(spot, unit)); ++i) {
      const Content content = [&](std::uint64_t begin, std::uint64_t count) {
        Term chosen;
        for (std::size_t s = 0; s < read.size(); ++s) {
          if (i >= read[s].size()) continue;
          const Term value = read[s][i].slice(begin, count);
          chosen = chosen ? store.ite(source.spots()[s].is_here, value, chosen) : value;
        }
        return chosen ? chosen : store.zero(static_cast<std::uint32_t>(count * 8));
      };
      const Term is_in = is_exact ? yes : store.ult(plan_->address(i * unit), size);
      const Term here = store.all_of(std::vector{guard, target.guard_of(spot), is_in});
      target.write(state, spot, here, i * unit, unit, content);
    }
  const bool fits = is_exact || std::min(largest(source), largest(target)) <= limit * unit;
  return {valid, fits ? yes : store.ule(size, plan_->address(limit * unit))};
}

}  // namespace plumb::flatten
