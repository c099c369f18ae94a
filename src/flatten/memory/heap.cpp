// Objects that come and go. A heap object has a slot that no other has had before, so what is read there before it is
// written is as arbitrary as at the start of the run; what is on the stack is made arbitrary anew.

#include <algorithm>

#include "flatten/memory/access.h"
#include "program/analysis/dominators.h"
#include "semantics/intrinsics.h"

namespace plumb::flatten {

using program::Instruction;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using term::TermStore;
using ObjectKind = AbstractObject::Kind;

namespace {

/// Of a part, that realloc copies.
constexpr std::uint64_t kCopied = 256;
/// Likewise, that a counterexample says the values of.
constexpr std::uint64_t kShown = 256;

Term resized(TermStore& store, Term t, std::uint32_t width) {
  return store.width(t) > width ? store.extract(t, width - 1, 0) : store.zero_extend(t, width);
}

Term address_of_slot(const Memory::Plan& plan, const Group& group, Term slot) {
  if (!slot) return plan.address(group.base);
  TermStore& store = plan.store();
  const std::uint32_t bits = group.room_bits + group.slot_bits;
  const Term room = store.constant(plan.pointer_width - bits, group.base >> bits);
  return store.concat(room, store.concat(slot, store.zero(group.room_bits)));
}

/// Gives each element of the slot a value, all at once if they are one array.
void set_all(const Memory::Plan& plan, MemoryState& state, const Part& part, Term slot, Term guard,
             const std::function<Term(term::Sort sort)>& value) {
  TermStore& store = plan.store();
  if (!slot && part.variable != kNoVariable) {
    const Term variable = plan.made.graph.variables[part.variable].term;
    state.set(part.variable, store.ite(guard, value(store.sort(variable)), state.get(part.variable)));
    return;
  }
  for (std::uint64_t i = 0; i < part.count; ++i) {
    const Term index = part.index_bits == 0 ? Term{} : store.constant(part.index_bits, i);
    set_element(plan, state, part, slot, index, guard, value({static_cast<std::uint32_t>(part.element * 8), 0}));
  }
}

/// The bytes of an object of a stack group were never written.
void forget_content(const Memory::Plan& plan, MemoryState& state, const Group& group, const Memory::Place& at,
                    Term slot, Term guard) {
  for (const Part& part : group.parts)
    set_all(plan, state, part, slot, guard,
            [&](term::Sort sort) { return plan.fresh(sort, part.name, at.instance, at.instruction); });
}

Term slot_of_depth(const Memory::Plan& plan, const Group& group, const Memory::Place& at) {
  if (!group.is_by_depth || group.slot_bits == 0) return {};
  INVARIANT(at.depth, "a place in a recursive function should have a depth");
  return resized(plan.store(), at.depth, group.slot_bits);
}

/// Whether a size, of pointer width, is one that the object can have; and remembers it.
Term set_size(const Memory::Plan& plan, MemoryState& state, const Group& group, ObjectId object, Term slot, Term guard,
              Term size) {
  TermStore& store = plan.store();
  if (group.sizes != kNoVariable) {
    const std::uint32_t width = store.sort(plan.made.graph.variables[group.sizes].term).width;
    set_slot_value(plan, state, group.sizes, slot, guard, resized(store, size, width));
  }
  const Progression known = plan.pointers.allocated_size(object);
  const bool is_known = known.is_exact() && known.first() >= 0;
  return is_known ? store.boolean(true) : store.ule(size, plan.address(group.size));
}

/// What realloc makes of an element that begins at this offset: bytes of `old` up to the old object's end, `fresh` ones
/// behind it. Neighbouring bytes that no size in the group tells apart go together.
Term kept_part(const Memory::Plan& plan, const Group& group, std::uint64_t offset, Term old, Term fresh, Term there) {
  TermStore& store = plan.store();
  if (group.sizes == kNoVariable) return old;
  std::uint64_t unit = 8;
  for (const ObjectId o : group.members) unit = std::min(unit, unit_of(plan.pointers.allocated_size(o)));
  const std::uint64_t size = store.width(old) / 8;
  Term made;
  for (std::uint64_t from = 0; from < size;) {
    const std::uint64_t to = std::min(size, (offset + from) / unit * unit + unit - offset);
    const auto high = static_cast<std::uint32_t>(to * 8 - 1);
    const auto low = static_cast<std::uint32_t>(from * 8);
    const Term is_kept = store.ult(plan.address(offset + from), there);
    const Term bytes = store.ite(is_kept, store.extract(old, high, low), store.extract(fresh, high, low));
    made = made ? store.concat(bytes, made) : bytes;
    from = to;
  }
  return made;
}

}  // namespace

Memory::Allocated Memory::allocate_stack(MemoryState& state, const Place& at, Term guard, Term size) const {
  TermStore& store = plan_->store();
  const ObjectId object = plan_->pointers.allocated(at.instance, at.instruction);
  const Group& group = plan_->group_of(object);
  const Term slot = slot_of_depth(*plan_, group, at);
  Allocated made{address_of_slot(*plan_, group, slot), store.boolean(true), {}};
  if (group.dead != kNoVariable) made.fits_count = store.bit_not(slot_value(*plan_, state, group.dead, slot));
  if (group.open != kNoVariable) {
    const Term is_open = slot_value(*plan_, state, group.open, slot);
    made.fits_count = store.bit_and(made.fits_count, store.bit_not(is_open));
    set_slot_value(*plan_, state, group.open, slot, guard, store.boolean(true));
  }
  made.fits_size = set_size(*plan_, state, group, object, slot, guard, size);
  if (group.left != kNoVariable) set_slot_value(*plan_, state, group.left, slot, guard, store.boolean(false));
  if (plan_->is_repeated[object]) forget_content(*plan_, state, group, at, slot, guard);
  return made;
}

Memory::Allocated Memory::allocate_heap(MemoryState& state, const Place& at, Term guard, Term size,
                                        bool is_zeroed) const {
  TermStore& store = plan_->store();
  const ObjectId object = plan_->pointers.allocated(at.instance, at.instruction);
  const Group& group = plan_->group_of(object);
  Allocated made{{}, store.boolean(true), {}};
  Term slot;
  if (plan_->slot[object]) {
    if (group.slot_bits > 0) slot = store.constant(group.slot_bits, *plan_->slot[object]);
  } else {
    const Term next = state.get(group.next);
    const std::uint32_t width = store.width(next);
    if (group.slot_bits > 0) slot = resized(store, next, group.slot_bits);
    made.fits_count = store.ult(next, store.constant(width, group.slots));
    state.set(group.next, store.ite(guard, store.add(next, store.one(width)), next));
  }
  made.address = address_of_slot(*plan_, group, slot);
  made.fits_size = set_size(*plan_, state, group, object, slot, guard, size);
  if (group.dead != kNoVariable) set_slot_value(*plan_, state, group.dead, slot, guard, store.boolean(false));
  if (group.there != kNoVariable) set_slot_value(*plan_, state, group.there, slot, guard, store.boolean(true));
  if (group.sites != kNoVariable) {
    const std::uint32_t width = store.sort(plan_->made.graph.variables[group.sites].term).width;
    const auto member = std::find(group.members.begin(), group.members.end(), object) - group.members.begin();
    set_slot_value(*plan_, state, group.sites, slot, guard, store.constant(width, static_cast<std::uint64_t>(member)));
  }
  if (is_zeroed && !group.is_zeroed)
    for (const Part& part : group.parts)
      set_all(*plan_, state, part, slot, guard, [&](term::Sort sort) {
        const Term zero = store.zero(sort.width);
        return sort.is_array() ? store.constant_array(sort.index_width, zero) : zero;
      });
  return made;
}

Term Memory::free(MemoryState& state, const Place& at, Term guard, Term address) const {
  TermStore& store = plan_->store();
  std::vector<Term> ways = {store.eq(address, store.zero(plan_->pointer_width))};
  std::vector<std::uint32_t> seen;
  for (const Pointee& pointee : plan_->pointers.operand(at.instance, at.instruction, 0).pointees) {
    const std::uint32_t g = plan_->group[pointee.object];
    if (g == kNone || plan_->groups[g].kind != ObjectKind::Heap) continue;
    if (std::find(seen.begin(), seen.end(), g) != seen.end()) continue;
    seen.push_back(g);
    const Group& group = plan_->groups[g];
    const std::uint32_t bits = group.room_bits + group.slot_bits;
    Term slot;
    if (group.slot_bits > 0) slot = store.extract(address, bits - 1, group.room_bits);
    // The address of the slot's beginning, and of no slot behind the last, which is never alive.
    const Term is_here = store.eq(address, address_of_slot(*plan_, group, slot));
    const Term is_live = store.bit_not(slot_value(*plan_, state, group.dead, slot));
    ways.push_back(store.bit_and(is_here, is_live));
    set_slot_value(*plan_, state, group.dead, slot, store.bit_and(guard, is_here), store.boolean(true));
  }
  return store.any_of(ways);
}

Memory::Reallocated Memory::reallocate(MemoryState& state, const Place& at, Term guard, Term address, Term size) const {
  TermStore& store = plan_->store();
  const ObjectId object = plan_->pointers.allocated(at.instance, at.instruction);
  const Group& group = plan_->group_of(object);
  const auto request = semantics::realloc_request(store, address, size);
  const Term is_made = store.bit_and(guard, request.is_made);
  Reallocated made{allocate_heap(state, at, is_made, size, false), {}, store.boolean(true)};
  const Term is_copied = store.bit_and(is_made, request.has_old);
  if (group.slot_bits > 0) {
    const std::uint32_t bits = group.room_bits + group.slot_bits;
    const Term from = store.extract(address, bits - 1, group.room_bits);
    const Term to = store.extract(made.allocated.address, bits - 1, group.room_bits);
    const Term there = group.sizes == kNoVariable
                           ? plan_->address(group.size)
                           : store.zero_extend(slot_value(*plan_, state, group.sizes, from), plan_->pointer_width);
    for (const Part& part : group.parts) {
      for (std::uint64_t i = 0; i < std::min(part.count, kCopied); ++i) {
        const Term index = part.index_bits == 0 ? Term{} : store.constant(part.index_bits, i);
        const Term old = element(*plan_, state, part, from, index);
        const Term fresh = element(*plan_, state, part, to, index);
        const Term kept = kept_part(*plan_, group, part.start + i * part.element, old, fresh, there);
        set_element(*plan_, state, part, to, index, is_copied, kept);
      }
      if (part.count <= kCopied) continue;
      const Term is_small = store.ule(there, plan_->address(part.start + kCopied * part.element));
      made.fits = store.bit_and(made.fits, store.bit_or(store.bit_not(is_copied), is_small));
    }
  }
  made.is_valid = free(state, at, guard, address);
  made.allocated.give_null_unless(store, request.is_made);
  return made;
}

void Memory::leave(MemoryState& state, const Place& at, Term guard) const {
  for (const std::uint32_t g : plan_->stack_groups[at.instance]) {
    const Group& group = plan_->groups[g];
    const Term slot = slot_of_depth(*plan_, group, at);
    if (group.dead != kNoVariable) set_slot_value(*plan_, state, group.dead, slot, guard, plan_->store().boolean(true));
    if (group.open != kNoVariable)
      set_slot_value(*plan_, state, group.open, slot, guard, plan_->store().boolean(false));
  }
}

void Memory::enter_scope(MemoryState& state, const Place& at, Term guard) const {
  const Group& group = plan_->group_of(scoped_object(*plan_, at.instance, at.instruction));
  const Term slot = slot_of_depth(*plan_, group, at);
  if (group.left != kNoVariable) set_slot_value(*plan_, state, group.left, slot, guard, plan_->store().boolean(false));
  forget_content(*plan_, state, group, at, slot, guard);
}

void Memory::leave_scope(MemoryState& state, const Place& at, Term guard) const {
  const Group& group = plan_->group_of(scoped_object(*plan_, at.instance, at.instruction));
  set_slot_value(*plan_, state, group.left, slot_of_depth(*plan_, group, at), guard, plan_->store().boolean(true));
}

std::vector<Flattened::Creation::Bytes> Memory::unset(MemoryState& state, const Place& at, Term guard,
                                                      Term address) const {
  TermStore& store = plan_->store();
  const program::Function& function = plan_->function(at.instance);
  const program::Value& made = function.values[function.operands_of(function.instructions[at.instruction])[0]];
  const ObjectId object =
      made.kind == program::ValueKind::Result ? plan_->pointers.allocated(at.instance, made.index) : program::kNone;
  std::vector<Flattened::Creation::Bytes> bytes;
  if (object == kNone || plan_->group_of(object).gap) return bytes;
  const Group& group = plan_->group_of(object);
  Term slot;
  if (group.kind == ObjectKind::Stack) {
    slot = slot_of_depth(*plan_, group, at);
    if (!semantics::is_new_at(function, at.instruction)) forget_content(*plan_, state, group, at, slot, guard);
  } else if (group.slot_bits > 0) {
    slot = store.extract(address, group.room_bits + group.slot_bits - 1, group.room_bits);
  }
  for (const Part& part : group.parts) {
    if (part.variable == kNoVariable) continue;
    for (std::uint64_t i = 0; i < std::min(part.count, kShown); ++i) {
      const Term index = part.index_bits == 0 ? Term{} : store.constant(part.index_bits, i);
      bytes.push_back({part.start + i * part.element, element(*plan_, state, part, slot, index)});
    }
  }
  return bytes;
}

void Memory::restore_stack(MemoryState& state, const Place& at, Term guard) const {
  const program::Function& function = plan_->function(at.instance);
  const program::Value& saved = function.values[function.operands_of(function.instructions[at.instruction])[0]];
  const bool is_found = saved.kind == program::ValueKind::Result &&
                        function.instructions[saved.index].kind == Kind::Intrinsic &&
                        function.instructions[saved.index].intrinsic() == Intrinsic::StackSave;
  const program::DominatorTree dominators = program::DominatorTree::dominators(program::Cfg(function));
  for (const std::uint32_t g : plan_->stack_groups[at.instance]) {
    const Group& group = plan_->groups[g];
    if (group.open == kNoVariable) continue;
    const AbstractObject& object = plan_->pointers.objects()[group.members.front()];
    if (is_found && !dominators.dominates(saved.block, block_of(function, object.instruction))) continue;
    set_slot_value(*plan_, state, group.open, slot_of_depth(*plan_, group, at), guard, plan_->store().boolean(false));
  }
}

}  // namespace plumb::flatten
