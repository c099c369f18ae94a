// An address is a room, a slot and an offset, one above the other, so which object it is in is told by its high bits,
// and an index is some of its low ones. Where the analysis knows the offset, the beginning of the object is taken apart
// in its place: that is where the pointer came from, without an adder.

#include "flatten/memory/access.h"

#include <algorithm>
#include <bit>

namespace plumb::flatten {

using term::Op;
using term::TermStore;

void Pieces::add(std::uint64_t size, Term value) { pieces_.push_back({this->size(), this->size() + size, value}); }

Term Pieces::slice(std::uint64_t from, std::uint64_t size) const {
  const auto first =
      std::partition_point(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.end <= from; });
  Term value;
  for (auto piece = first; piece != pieces_.end() && piece->start < from + size; ++piece) {
    const std::uint64_t low = std::max(piece->start, from) - piece->start;
    const std::uint64_t high = std::min(piece->end, from + size) - piece->start;
    const Term part =
        store_->extract(piece->value, static_cast<std::uint32_t>(high * 8 - 1), static_cast<std::uint32_t>(low * 8));
    value = value ? store_->concat(part, value) : part;
  }
  return value;
}

Accessor::Accessor(const Memory::Plan& plan, const Memory::Place& at, std::size_t operand, Term address,
                   std::uint64_t size, bool is_write)
    : plan_(plan), store_(plan.store()), address_(address), size_(size) {
  const PlannedSpots planned = planned_spots(plan, at.instance, at.instruction, operand, size, is_write);
  is_trusted_ = planned.is_trusted;
  for (const auto& [g, range] : planned.spots) add_spot(plan.groups[g], range);
}

void Accessor::add_spot(const Group& group, const Progression& range) {
  Spot spot{&group, range, address_, {}, {}};
  // The beginning of the object is where the pointer came from, and mostly a simpler term.
  const Term from =
      range.is_exact() ? store_.sub(address_, plan_.address(static_cast<std::uint64_t>(range.first()))) : address_;
  const std::uint32_t bits = group.room_bits + group.slot_bits;
  if (group.slot_bits > 0) spot.slot = store_.extract(from, bits - 1, group.room_bits);
  const Term room = store_.extract(from, plan_.pointer_width - 1, bits);
  spot.is_here = store_.eq(room, store_.constant(plan_.pointer_width - bits, group.base >> bits));
  spots_.push_back(spot);
}

Term Accessor::is_live(const MemoryState& state, const Spot& spot) const {
  const Group& group = *spot.group;
  Term live = store_.boolean(true);
  if (group.dead != kNoVariable) live = store_.bit_not(slot_value(plan_, state, group.dead, spot.slot));
  if (group.open != kNoVariable) live = store_.bit_and(live, slot_value(plan_, state, group.open, spot.slot));
  if (group.left != kNoVariable)
    live = store_.bit_and(live, store_.bit_not(slot_value(plan_, state, group.left, spot.slot)));
  return live;
}

/// Without a look at whether it lives.
Term Accessor::is_inside(const MemoryState& state, const Spot& spot, std::uint64_t size) const {
  const Group& group = *spot.group;
  const auto first = static_cast<std::uint64_t>(spot.range.first());
  Term inside;
  if (group.slots == 1 && spot.range.is_exact()) {
    inside = store_.eq(address_, plan_.address(group.base + first));
  } else if (group.slots == 1) {
    const Term offset = store_.sub(address_, plan_.address(group.base));
    inside = store_.ule(offset, plan_.address(group.size - size));
  } else {
    inside = spot.is_here;
    if (!std::has_single_bit(group.slots))
      inside = store_.bit_and(inside, store_.ult(spot.slot, store_.constant(group.slot_bits, group.slots)));
    const Term from = spot.range.is_exact() ? store_.sub(address_, plan_.address(first)) : address_;
    const Term low = store_.extract(from, group.room_bits - 1, 0);
    const Term bound = store_.constant(group.room_bits, group.size - size);
    inside = store_.bit_and(
        inside, spot.range.is_exact() ? store_.eq(low, store_.zero(group.room_bits)) : store_.ule(low, bound));
  }
  if (group.sizes == kNoVariable) return inside;
  const Term there = slot_value(plan_, state, group.sizes, spot.slot);
  const Term offset = store_.extract(address_, group.room_bits - 1, 0);
  const Term end = store_.add(offset, store_.constant(group.room_bits, size));
  return store_.bit_and(inside, store_.ule(end, store_.zero_extend(there, group.room_bits)));
}

Term Accessor::is_valid(const MemoryState& state, std::uint64_t size) const {
  bool is_certain = is_trusted_ && !spots_.empty();
  std::vector<Term> ways;
  for (const Spot& spot : spots_) {
    const Term live = is_live(state, spot);
    const bool is_surely_inside = is_trusted_ && spot.group->sizes == kNoVariable && size == size_;
    is_certain = is_certain && is_surely_inside && store_.is_true(live);
    const Term inside = !is_surely_inside ? is_inside(state, spot, size) : guard_of(spot);
    ways.push_back(store_.bit_and(live, inside));
  }
  return is_certain ? store_.boolean(true) : store_.any_of(ways);
}

Term Accessor::is_valid_up_to(const MemoryState& state, Term size) const {
  std::vector<Term> ways;
  for (const Spot& spot : spots_) {
    const Group& group = *spot.group;
    const Term offset = store_.zero_extend(store_.extract(address_, group.room_bits - 1, 0), plan_.pointer_width);
    const Term there = group.sizes == kNoVariable
                           ? plan_.address(group.size)
                           : store_.zero_extend(slot_value(plan_, state, group.sizes, spot.slot), plan_.pointer_width);
    const Term fits = store_.bit_and(store_.ule(offset, there), store_.ule(size, store_.sub(there, offset)));
    ways.push_back(store_.all_of(std::vector{is_live(state, spot), is_inside(state, spot, 1), fits}));
  }
  return store_.bit_or(store_.eq(size, store_.zero(plan_.pointer_width)), store_.any_of(ways));
}

const Part& Accessor::part_at(const Group& group, std::uint64_t offset) const {
  const auto part =
      std::partition_point(group.parts.begin(), group.parts.end(), [&](const Part& p) { return p.end() <= offset; });
  INVARIANT(part != group.parts.end() && part->start <= offset, "an access should be where one was planned");
  return *part;
}

/// Of the element that has the spot's offset, and `distance` bytes more, in it.
Term Accessor::index_at(const Spot& spot, const Part& part, std::uint64_t distance) const {
  if (part.index_bits == 0) return {};
  const std::uint64_t start = spot.group->base + part.start - distance;
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(part.element));
  return shifted_down(store_, store_.sub(spot.address, plan_.address(start)), shift, part.index_bits);
}

void Accessor::visit(const Spot& spot, std::uint64_t distance, std::uint64_t size, const Visitor& visitor) const {
  const std::uint64_t first = static_cast<std::uint64_t>(spot.range.first()) + distance;
  for (std::uint64_t done = 0; done < size;) {
    const Part& part = part_at(*spot.group, first + done);
    const std::uint64_t inside = (first + done - part.start) % part.element;
    const std::uint64_t count = std::min(part.element - inside, size - done);
    Term index;
    if (part.index_bits > 0)
      index = spot.range.is_exact() ? store_.constant(part.index_bits, (first + done - part.start) / part.element)
                                    : index_at(spot, part, distance + done);
    visitor(part, index, {inside, count, done});
    done += count;
  }
}

Pieces Accessor::read(const MemoryState& state, const Spot& spot, std::uint64_t distance, std::uint64_t size) const {
  Pieces pieces(store_);
  visit(spot, distance, size, [&](const Part& part, Term index, Stretch bytes) {
    const Term whole = element(plan_, state, part, spot.slot, index);
    pieces.add(bytes.count, store_.extract(whole, static_cast<std::uint32_t>((bytes.inside + bytes.count) * 8 - 1),
                                           static_cast<std::uint32_t>(bytes.inside * 8)));
  });
  return pieces;
}

void Accessor::write(MemoryState& state, const Spot& spot, Term guard, std::uint64_t distance, std::uint64_t size,
                     const Content& content) const {
  visit(spot, distance, size, [&](const Part& part, Term index, Stretch bytes) {
    Term value = content(bytes.done, bytes.count);
    if (bytes.count < part.element) {
      const Term old = element(plan_, state, part, spot.slot, index);
      const auto low = static_cast<std::uint32_t>(bytes.inside * 8);
      const auto high = static_cast<std::uint32_t>((bytes.inside + bytes.count) * 8);
      if (low > 0) value = store_.concat(value, store_.extract(old, low - 1, 0));
      if (high < store_.width(old)) value = store_.concat(store_.extract(old, store_.width(old) - 1, high), value);
    }
    set_element(plan_, state, part, spot.slot, index, guard, value);
  });
}

Term Accessor::choose(const std::function<Term(const Spot& spot)>& value) const {
  Term chosen;
  for (const Spot& spot : spots_) chosen = chosen ? store_.ite(spot.is_here, value(spot), chosen) : value(spot);
  return chosen;
}

Term Accessor::guard_of(const Spot& spot) const { return spots_.size() == 1 ? store_.boolean(true) : spot.is_here; }

}  // namespace plumb::flatten
