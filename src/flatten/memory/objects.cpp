// Which objects there are, how many slots each kind of them has, where they lie and whether they can be dead.

#include "flatten/memory/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "program/analysis/cfg.h"
#include "program/analysis/components.h"
#include "semantics/intrinsics.h"

namespace plumb::flatten {

using program::Instruction;
using program::InstructionId;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using ObjectKind = AbstractObject::Kind;

namespace {

std::uint32_t bits_for(std::uint64_t values) { return static_cast<std::uint32_t>(std::bit_width(values - 1)); }

}  // namespace

ObjectMaker::ObjectMaker(Memory::Plan& plan) : plan_(plan), in_cycle_(plan.program.functions.size()) {
  const std::size_t count = plan_.pointers.objects().size();
  plan_.group.assign(count, kNone);
  plan_.slot.resize(count);
  plan_.is_repeated.assign(count, false);
  plan_.is_in_loop.assign(count, false);
  find_repetition();
  join_heap_objects();
  for (ObjectId o = 0; o < count; ++o) place(o);
  for (Group& group : plan_.groups) finish(group);
  find_deaths();
  lay_out();
}

bool ObjectMaker::is_in_cycle(program::FunctionId f, InstructionId instruction) {
  const program::Function& function = plan_.program.functions[f];
  std::vector<bool>& blocks = in_cycle_[f];
  if (blocks.empty()) {
    const program::Cfg cfg(function);
    const program::Components components(cfg);
    for (program::BlockId b = 0; b < cfg.size(); ++b) {
      const auto successors = cfg.successors(b);
      const bool is_own = std::find(successors.begin(), successors.end(), b) != successors.end();
      blocks.push_back(is_own || components.members(components.component_of(b)).size() > 1);
    }
  }
  return blocks[block_of(function, instruction)];
}

void ObjectMaker::find_repetition() {
  // Callers stand before the instances that are inlined into them.
  for (InstanceId i = 0; i < plan_.instances.all().size(); ++i) {
    const Instance& instance = plan_.instances[i];
    bool is_repeated = instance.is_recursive || instance.is_single;
    if (instance.caller != kNone)
      is_repeated =
          instance_repeated_[instance.caller] || is_in_cycle(plan_.instances[instance.caller].function, instance.call);
    instance_repeated_.push_back(is_repeated);
  }
  for (ObjectId o = 0; o < plan_.group.size(); ++o) {
    const AbstractObject& object = plan_.pointers.objects()[o];
    if (object.kind != ObjectKind::Stack && object.kind != ObjectKind::Heap) continue;
    const bool in_loop = is_in_cycle(plan_.instances[object.instance].function, object.instruction);
    plan_.is_repeated[o] = in_loop || instance_repeated_[object.instance];
    plan_.is_in_loop[o] = in_loop && object.kind == ObjectKind::Stack;
  }
}

ObjectId ObjectMaker::leader(ObjectId o) {
  while (leader_[o] != o) o = leader_[o] = leader_[leader_[o]];
  return o;
}

void ObjectMaker::join_heap_objects() {
  leader_.resize(plan_.group.size());
  std::iota(leader_.begin(), leader_.end(), ObjectId{0});
  for (InstanceId i = 0; i < plan_.instances.all().size(); ++i)
    for (InstructionId at = 0; at < plan_.function(i).instructions.size(); ++at)
      for (const AddressUse& use : address_uses(plan_, i, at)) {
        ObjectId first = kNone;
        for (const Pointee& pointee : plan_.pointers.operand(i, at, use.position).pointees) {
          if (plan_.pointers.objects()[pointee.object].kind != ObjectKind::Heap) continue;
          if (first == kNone) first = leader(pointee.object);
          leader_[leader(pointee.object)] = first;
        }
        if (use.is_release && first != kNone) leader_[leader(plan_.pointers.allocated(i, at))] = first;
      }
}

void ObjectMaker::place(ObjectId o) {
  const AbstractObject& object = plan_.pointers.objects()[o];
  if (object.kind == ObjectKind::Function) return;
  const ObjectId first = leader(o);
  if (plan_.group[first] == kNone) {
    plan_.group[first] = static_cast<std::uint32_t>(plan_.groups.size());
    plan_.groups.emplace_back().kind = object.kind;
  }
  plan_.group[o] = plan_.group[first];
  Group& group = plan_.groups[plan_.group[o]];
  group.members.push_back(o);
  group.size = std::max(group.size, plan_.size_of(o));
  if (object.kind == ObjectKind::Global) {
    const program::GlobalObject& global = plan_.program.globals[object.index];
    group.is_constant = global.is_constant;
    if (global.is_external) group.gap = fmt::format("global '{}' has no definition", global.name);
  }
}

bool ObjectMaker::has_known_size(ObjectId o) const {
  const ObjectKind kind = plan_.pointers.objects()[o].kind;
  if (kind != ObjectKind::Stack && kind != ObjectKind::Heap) return true;
  const Progression size = plan_.pointers.allocated_size(o);
  return size.is_exact() && size.first() >= 0;
}

void ObjectMaker::finish(Group& group) {
  const ObjectId first = group.members.front();
  const AbstractObject& object = plan_.pointers.objects()[first];
  if (group.kind == ObjectKind::Stack && plan_.instances[object.instance].is_recursive) {
    group.is_by_depth = true;
    group.slots = std::max(plan_.options.stack_depth, 1U);
  }
  if (group.kind == ObjectKind::Heap) {
    bool has_repeated = false;
    for (const ObjectId o : group.members) {
      has_repeated = has_repeated || plan_.is_repeated[o];
      if (!plan_.is_repeated[o]) plan_.slot[o] = group.first_free++;
    }
    group.slots = has_repeated ? std::max(plan_.options.heap_objects, group.first_free + 1) : group.first_free;
    if (has_repeated)
      group.next = plan_.add_variable({bits_for(group.slots + 1)}, "heap.next",
                                      plan_.store().constant(bits_for(group.slots + 1), group.first_free), 0, {});
  }
  group.slot_bits = group.slots == 1 ? 0 : bits_for(group.slots);
  const bool is_known = std::all_of(group.members.begin(), group.members.end(),
                                    [&](ObjectId o) { return has_known_size(o) && plan_.size_of(o) == group.size; });
  if (!is_known) {
    const std::uint32_t width = std::max(bits_for(group.size + 1), 1U);
    group.sizes = add_slots(group, width, "size", plan_.store().zero(width));
  }
  if (plan_.is_in_loop[first]) group.open = add_slots(group, 1, "open", plan_.store().boolean(false));
}

std::size_t ObjectMaker::add_slots(const Group& group, std::uint32_t width, const char* what, Term init) {
  const std::string name = fmt::format("{}.{}", what, plan_.variable_count());
  if (group.slots == 1) return plan_.add_variable({width}, name, init, 0, {});
  return plan_.add_variable({width, group.slot_bits}, name, plan_.store().constant_array(group.slot_bits, init),
                            group.slots, {});
}

void ObjectMaker::find_deaths() {
  plan_.stack_groups.resize(plan_.instances.all().size());
  std::vector<bool> dies(plan_.group.size(), false);
  for (ObjectId holder = 0; holder < plan_.group.size(); ++holder)
    for (const ObjectId held : plan_.pointers.held_by(holder))
      if (outlives(holder, held)) dies[held] = true;
  for (InstanceId i = 0; i < plan_.instances.all().size(); ++i) {
    for (const Known& result : plan_.pointers.results(i))
      for (const Pointee& pointee : result.pointees)
        if (plan_.pointers.objects()[pointee.object].instance == i) dies[pointee.object] = true;
    for (InstructionId at = 0; at < plan_.function(i).instructions.size(); ++at) {
      const Instruction& instruction = plan_.function(i).instructions[at];
      if (instruction.kind != Kind::Intrinsic) continue;
      if (instruction.intrinsic() == Intrinsic::LeaveScope) {
        Group& group = plan_.groups[plan_.group[scoped_object(plan_, i, at)]];
        if (group.left == kNoVariable) group.left = add_slots(group, 1, "left", plan_.store().boolean(false));
      }
      if (instruction.intrinsic() != Intrinsic::Free && instruction.intrinsic() != Intrinsic::Realloc) continue;
      for (const Pointee& pointee : plan_.pointers.operand(i, at, 0).pointees)
        if (plan_.pointers.objects()[pointee.object].kind == ObjectKind::Heap) is_freed_[pointee.object] = true;
    }
  }
  for (Group& group : plan_.groups) {
    if (group.kind == ObjectKind::Stack)
      plan_.stack_groups[plan_.pointers.objects()[group.members.front()].instance].push_back(
          static_cast<std::uint32_t>(&group - plan_.groups.data()));
    const bool is_dying = std::any_of(group.members.begin(), group.members.end(), [&](ObjectId o) {
      return group.kind == ObjectKind::Heap ? is_freed_.contains(o) : group.kind == ObjectKind::Stack && dies[o];
    });
    const bool is_heap = group.kind == ObjectKind::Heap;
    if (is_dying) group.dead = add_slots(group, 1, "dead", plan_.store().boolean(is_heap));
    if (is_heap && !is_dying) group.there = add_slots(group, 1, "there", plan_.store().boolean(false));
    const auto sharing = std::count_if(group.members.begin(), group.members.end(),
                                       [&](ObjectId o) { return is_heap && plan_.is_repeated[o]; });
    const std::uint32_t width = std::max(bits_for(group.members.size()), 1U);
    if (sharing > 1) group.sites = add_slots(group, width, "site", plan_.store().zero(width));
  }
}

bool ObjectMaker::outlives(ObjectId holder, ObjectId held) {
  const AbstractObject& of = plan_.pointers.objects()[held];
  if (of.kind != ObjectKind::Stack) return false;
  const bool is_entry = of.instance == plan_.program.constructors.size() && plan_.program.destructors.empty();
  if (is_entry && !plan_.instances[of.instance].is_recursive) return false;
  const AbstractObject& by = plan_.pointers.objects()[holder];
  // A call that cannot lead to that of the object's owner began behind it, so it ends before.
  if (by.kind != ObjectKind::Stack) return true;
  if (by.instance == of.instance) return plan_.instances[of.instance].is_recursive;
  return callees_of(by.instance)[of.instance];
}

const std::vector<bool>& ObjectMaker::callees_of(InstanceId caller) {
  std::vector<bool>& reached = reached_[caller];
  if (!reached.empty()) return reached;
  reached.resize(plan_.instances.all().size(), false);
  std::vector<InstanceId> pending = {caller};
  while (!pending.empty()) {
    const InstanceId i = pending.back();
    pending.pop_back();
    const program::Function& function = plan_.function(i);
    for (InstructionId at = 0; at < function.instructions.size(); ++at)
      for (const program::FunctionId f :
           possible_callees(plan_.program, plan_.calls, function, function.instructions[at])) {
        const InstanceId target = plan_.instances.target(i, at, f);
        if (target == kNone || reached[target]) continue;
        reached[target] = true;
        pending.push_back(target);
      }
  }
  return reached;
}

void ObjectMaker::lay_out() {
  const std::uint32_t usual = plan_.pointer_width == 64 ? 32 : 16;
  const std::uint64_t functions = plan_.program.functions.size() * kFunctionDistance;
  std::uint64_t next = std::uint64_t{1} << std::max(usual, bits_for(functions + 2));
  plan_.functions_base = next;
  next *= 2;
  for (Group& group : plan_.groups) {
    // One more, so that a pointer past the end is not the address of another object.
    group.room_bits = std::max(usual, bits_for(group.size + 2));
    const std::uint32_t bits = group.room_bits + group.slot_bits;
    const std::uint64_t step = bits < 63 ? std::uint64_t{1} << bits : 0;
    const std::uint64_t base = step == 0 ? 0 : (next + step - 1) / step * step;
    const std::uint64_t last = plan_.pointer_width == 64 ? std::uint64_t{1} << 47 : std::uint64_t{1} << 32;
    if (step == 0 || base + step > last)
      throw Unsupported("the objects of the program do not fit into its address space", "use --m64 or smaller objects");
    group.base = base;
    // Room behind it, so that the address of another object, less the offset of a field here, is not in this one.
    next = base + step + (std::uint64_t{1} << group.room_bits);
  }
}

ObjectId scoped_object(const Memory::Plan& plan, InstanceId instance, InstructionId at) {
  const program::Function& function = plan.function(instance);
  const program::Value& address = function.values[function.operands_of(function.instructions[at]).front()];
  INVARIANT(address.kind == program::ValueKind::Result, "a scope should be that of an Allocate");
  return plan.pointers.allocated(instance, address.index);
}

std::vector<AddressUse> address_uses(const Memory::Plan& plan, InstanceId instance, InstructionId at) {
  const program::Function& function = plan.function(instance);
  const Instruction& instruction = function.instructions[at];
  const std::span<const program::ValueId> operands = function.operands_of(instruction);
  const auto bytes = [&](program::ValueId v) { return Progression::exactly((function.values[v].width + 7) / 8); };
  const auto size = [&](std::size_t position) { return plan.pointers.operand(instance, at, position).number; };
  switch (instruction.kind) {
    case Kind::Load:
      return {{0, bytes(instruction.first_result), false, false, false}};
    case Kind::Store:
      return {{0, bytes(operands[1]), true, false, false}};
    case Kind::CopyMemory:
      return {{0, size(2), true, true, false}, {1, size(2), false, true, false}};
    case Kind::FillMemory:
      return {{0, size(2), true, true, false}};
    case Kind::Intrinsic:
      if (instruction.intrinsic() == Intrinsic::Realloc) return {{0, Progression::any(), false, true, true}};
      if (const semantics::IntrinsicRule& rule = semantics::rule_of(instruction.intrinsic()); rule.use) {
        const bool is_input = rule.effect == semantics::Effect::InputBytes;
        const Progression count = rule.use->count ? size(*rule.use->count) : Progression::exactly(1);
        return {{rule.use->address, count, rule.use->kind == program::AccessKind::Write, is_input, false, !is_input}};
      }
      return {};
    default:
      return {};
  }
}

}  // namespace plumb::flatten
