#include "flatten/memory.h"

#include <algorithm>

#include "flatten/memory/access.h"

namespace plumb::flatten {

using program::Instruction;
using program::Kind;
using program::kNone;
using ObjectKind = AbstractObject::Kind;

Term MemoryState::get(std::size_t variable) const {
  const auto at = std::lower_bound(set_.begin(), set_.end(), variable,
                                   [](const auto& entry, std::size_t v) { return entry.first < v; });
  return at != set_.end() && at->first == variable ? at->second : graph_->variables[variable].term;
}

void MemoryState::set(std::size_t variable, Term value) {
  const auto at = std::lower_bound(set_.begin(), set_.end(), variable,
                                   [](const auto& entry, std::size_t v) { return entry.first < v; });
  if (at != set_.end() && at->first == variable)
    at->second = value;
  else
    set_.insert(at, {variable, value});
}

std::vector<ControlGraph::Assignment> MemoryState::assignments() const {
  std::vector<ControlGraph::Assignment> made;
  for (const auto& [variable, value] : set_)
    if (graph_->variables[variable].term != value) made.push_back({graph_->variables[variable].term, value});
  return made;
}

Memory::Memory(const Program& program, const program::CallGraph& calls, const Instances& instances,
               const Options& options, Flattened& made, const Budget& budget)
    : plan_(std::make_unique<Plan>(program, calls, instances, options, made, budget)) {}
Memory::~Memory() = default;

Term Memory::address_of_global(program::GlobalId global) const {
  return plan_->address(plan_->address_of(plan_->pointers.global(global)));
}

Term Memory::address_of_function(program::FunctionId function) const {
  return plan_->address(plan_->address_of(plan_->pointers.function(function)));
}

Term Memory::address_of_arguments() const { return plan_->address(plan_->address_of(plan_->pointers.arguments())); }

Term Memory::address_of_environment() const { return plan_->address(plan_->address_of(plan_->pointers.environment())); }

std::optional<std::string> Memory::gap(const Place& at) const {
  for (const AddressUse& use : address_uses(*plan_, at.instance, at.instruction))
    for (const Pointee& pointee : plan_->pointers.operand(at.instance, at.instruction, use.position).pointees) {
      const std::uint32_t g = plan_->group[pointee.object];
      if (g != kNone && plan_->groups[g].gap) return plan_->groups[g].gap;
    }
  const Instruction& instruction = plan_->function(at.instance).instructions[at.instruction];
  if (instruction.kind == Kind::Intrinsic && instruction.intrinsic() == program::Intrinsic::CheckPointer)
    for (const Pointee& pointee : plan_->pointers.operand(at.instance, at.instruction, 0).pointees)
      if (const std::uint32_t g = plan_->group[pointee.object]; g != kNone && plan_->groups[g].gap)
        return plan_->groups[g].gap;
  const ObjectId made = plan_->pointers.allocated(at.instance, at.instruction);
  return made == kNone ? std::nullopt : plan_->group_of(made).gap;
}

std::optional<std::string> Memory::name_at(const Place& at, std::size_t operand) const {
  const Known known = plan_->pointers.operand(at.instance, at.instruction, operand);
  if (known.has_other && known.number != Progression::exactly(0)) return std::nullopt;
  std::string name;
  for (const Pointee& pointee : known.pointees) {
    const AbstractObject& object = plan_->pointers.objects()[pointee.object];
    if (object.kind != ObjectKind::Global || !pointee.offset.is_exact()) return std::nullopt;
    std::optional<std::string> text = plan_->program.constant_text(object.index, pointee.offset.first());
    if (!text) return std::nullopt;
    name = std::move(*text);
  }
  return known.has_other || known.pointees.size() != 1 ? "" : name;
}

bool Memory::may_call(const Place& at, program::FunctionId function) const {
  const Known known = plan_->pointers.operand(at.instance, at.instruction, 0);
  return std::any_of(known.pointees.begin(), known.pointees.end(),
                     [&](const Pointee& p) { return p.object == plan_->pointers.function(function); });
}

Memory::Loaded Memory::load(const MemoryState& state, const Place& at, Term address, std::uint32_t width) const {
  const std::uint32_t bytes = (width + 7) / 8;
  const Accessor accessor(*plan_, at, 0, address, bytes, false);
  if (accessor.spots().empty()) return {plan_->store().zero(width), plan_->store().boolean(false)};
  const Term value = accessor.choose([&](const Spot& spot) {
    return plan_->store().extract(accessor.read(state, spot, 0, bytes).slice(0, bytes), width - 1, 0);
  });
  return {value, accessor.is_valid(state, bytes)};
}

Term Memory::store(MemoryState& state, const Place& at, Term guard, Term address, Term value) const {
  term::TermStore& store = plan_->store();
  const std::uint32_t bytes = (store.width(value) + 7) / 8;
  const Accessor accessor(*plan_, at, 0, address, bytes, true);
  const Term valid = accessor.is_valid(state, bytes);
  const Term whole = store.zero_extend(value, bytes * 8);
  const Content content = [&](std::uint64_t from, std::uint64_t size) {
    return store.extract(whole, static_cast<std::uint32_t>((from + size) * 8 - 1),
                         static_cast<std::uint32_t>(from * 8));
  };
  for (const Spot& spot : accessor.spots())
    accessor.write(state, spot, store.bit_and(guard, accessor.guard_of(spot)), 0, bytes, content);
  return valid;
}

Term Memory::can_use(const MemoryState& state, const Place& at, std::size_t operand, Term address, Term size,
                     program::AccessKind kind) const {
  const bool is_write = kind == program::AccessKind::Write;
  if (!plan_->store().is_constant(size) || plan_->store().value(size).is_zero())
    return Accessor(*plan_, at, operand, address, 1, is_write).is_valid_up_to(state, size);
  const std::uint64_t bytes = plan_->store().value(size).to_uint64();
  return Accessor(*plan_, at, operand, address, bytes, is_write).is_valid(state, bytes);
}

Term Memory::stays_inside(const MemoryState& state, const Place& at, Term from, Term to) const {
  term::TermStore& store = plan_->store();
  const std::uint32_t width = plan_->pointer_width;
  std::vector<Term> ways = {store.eq(from, to)};
  std::vector<std::uint32_t> seen;
  for (const Pointee& pointee : plan_->pointers.operand(at.instance, at.instruction, 0).pointees) {
    const std::uint32_t g = plan_->group[pointee.object];
    if (g == kNone || std::find(seen.begin(), seen.end(), g) != seen.end()) continue;
    seen.push_back(g);
    const Group& group = plan_->groups[g];
    const std::uint32_t bits = group.room_bits + group.slot_bits;
    const Term slot = group.slot_bits > 0 ? store.extract(from, bits - 1, group.room_bits) : Term{};
    const Term size = group.sizes == kNoVariable
                          ? store.constant(group.room_bits, group.size)
                          : store.zero_extend(slot_value(*plan_, state, group.sizes, slot), group.room_bits);
    const auto offset = [&](Term address) { return store.extract(address, group.room_bits - 1, 0); };
    const auto room = [&](Term address, std::uint32_t low) { return store.extract(address, width - 1, low); };
    ways.push_back(
        store.all_of(std::vector{store.eq(room(from, bits), store.constant(width - bits, group.base >> bits)),
                                 store.eq(room(from, group.room_bits), room(to, group.room_bits)),
                                 store.ule(offset(from), size), store.ule(offset(to), size)}));
  }
  return store.any_of(ways);
}

std::vector<std::string> Memory::assumptions() const {
  const bool has_open = std::any_of(plan_->groups.begin(), plan_->groups.end(),
                                    [](const Group& group) { return group.open != kNoVariable; });
  if (!has_open) return {};
  return {"a pointer to a variable-length array is not used in a later iteration"};
}

}  // namespace plumb::flatten
