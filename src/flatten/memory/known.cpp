#include <algorithm>

#include "flatten/memory/pointers.h"

namespace plumb::flatten {

bool join_pointees(std::vector<Pointee>& to, std::span<const Pointee> from) {
  bool has_changed = false;
  for (const Pointee& pointee : from) {
    const auto at = std::lower_bound(to.begin(), to.end(), pointee.object,
                                     [](const Pointee& p, ObjectId object) { return p.object < object; });
    if (at == to.end() || at->object != pointee.object) {
      to.insert(at, pointee);
      has_changed = true;
      continue;
    }
    const Progression joined = at->offset.joined(pointee.offset);
    if (joined == at->offset) continue;
    at->offset = joined;
    has_changed = true;
  }
  return has_changed;
}

bool Known::join(const Known& other) {
  bool has_changed = join_pointees(pointees, other.pointees);
  const Progression joined = number.joined(other.number);
  has_changed = has_changed || joined != number || (other.has_other && !has_other);
  number = joined;
  has_other = has_other || other.has_other;
  return has_changed;
}

void Known::add(const Pointee& pointee) { join_pointees(pointees, {&pointee, 1}); }

void Known::loosen() {
  number = number.loosened();
  for (Pointee& pointee : pointees) pointee.offset = pointee.offset.loosened();
}

Known Known::anything() { return {Progression::any(), true, {}}; }

Known Known::somewhere() const {
  Known made = anything();
  for (const Pointee& pointee : pointees) made.pointees.push_back({pointee.object, Progression::any()});
  return made;
}

namespace {

std::int64_t divided_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

void HeldPointers::read(const Progression& offset, std::uint32_t bytes, std::uint32_t word,
                        std::vector<Pointee>& found) const {
  join_pointees(found, anywhere);
  for (const Word& w : words) {
    const bool is_read =
        !offset.is_bounded() || (w.index * word < offset.last() + bytes && offset.first() < (w.index + 1) * word);
    if (is_read) join_pointees(found, w.pointees);
  }
}

bool HeldPointers::write(const Progression& offset, std::uint32_t bytes, std::uint32_t word,
                         std::span<const Pointee> stored) {
  const std::int64_t first = divided_down(offset.first(), word);
  const std::int64_t last = offset.is_bounded() ? divided_down(offset.last() + bytes - 1, word) : first + kWords;
  if (last - first >= kWords) return join_pointees(anywhere, stored);
  bool has_changed = false;
  for (std::int64_t index = first; index <= last; ++index) {
    auto at =
        std::lower_bound(words.begin(), words.end(), index, [](const Word& w, std::int64_t i) { return w.index < i; });
    if (at == words.end() || at->index != index) at = words.insert(at, {index, {}});
    has_changed = join_pointees(at->pointees, stored) || has_changed;
  }
  return has_changed;
}

ObjectId Pointers::allocated(InstanceId instance, program::InstructionId instruction) const {
  const auto found = allocated_.find({instance, instruction});
  return found == allocated_.end() ? program::kNone : found->second;
}

Known Pointers::operand(InstanceId instance, program::InstructionId instruction, std::size_t position) const {
  const program::FunctionId f = instances_[instance].function;
  const program::Function& function = program_.functions[f];
  Known known = value(instance, function.operands_of(function.instructions[instruction])[position]);
  const std::optional<std::uint64_t> count = checked_[f]->count(instruction, position);
  if (count && known.pointees.empty()) known.number = known.number.below(*count);
  return known;
}

std::vector<ObjectId> Pointers::held_by(ObjectId object) const {
  std::vector<Pointee> all = contents_[object].anywhere;
  for (const HeldPointers::Word& word : contents_[object].words) join_pointees(all, word.pointees);
  std::vector<ObjectId> held;
  for (const Pointee& pointee : all) held.push_back(pointee.object);
  return held;
}

Progression Pointers::allocated_size(ObjectId object) const {
  const AbstractObject& o = objects_[object];
  const program::Function& function = program_.functions[instances_[o.instance].function];
  const program::Instruction& instruction = function.instructions[o.instruction];
  const auto size = [&](std::size_t position) { return operand(o.instance, o.instruction, position).number; };
  if (instruction.kind == program::Kind::Allocate) return size(0);
  switch (instruction.intrinsic()) {
    case program::Intrinsic::Calloc:
      if (size(0).is_exact()) return size(1).scaled(size(0).first());
      return size(1).is_exact() ? size(0).scaled(size(1).first()) : Progression::any();
    case program::Intrinsic::Realloc:
    case program::Intrinsic::AlignedAlloc:
      return size(1);
    default:
      return size(0);
  }
}

program::BlockId block_of(const program::Function& function, program::InstructionId instruction) {
  const auto after =
      std::upper_bound(function.blocks.begin(), function.blocks.end(), instruction,
                       [](program::InstructionId i, const program::Block& b) { return i < b.first_instruction; });
  return static_cast<program::BlockId>(after - function.blocks.begin() - 1);
}

}  // namespace plumb::flatten
