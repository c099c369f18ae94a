#include "flatten/memory/plan.h"

#include <algorithm>

#include "flatten/memory/fields.h"
#include "flatten/memory/objects.h"

namespace plumb::flatten {

using ObjectKind = AbstractObject::Kind;

Memory::Plan::Plan(const Program& of, const program::CallGraph& with_calls, const Instances& with_instances,
                   const Options& with_options, Flattened& into, const Budget& budget)
    : program(of),
      calls(with_calls),
      instances(with_instances),
      options(with_options),
      made(into),
      pointer_width(of.layout.pointer_width),
      pointers(of, with_calls, with_instances, budget) {
  ObjectMaker(*this);
  PartMaker(*this, budget);
}

std::uint64_t Memory::Plan::address_of(ObjectId object) const {
  const AbstractObject& o = pointers.objects()[object];
  return o.kind == ObjectKind::Function ? functions_base + o.index * kFunctionDistance : group_of(object).base;
}

std::uint64_t Memory::Plan::size_of(ObjectId object) const {
  const AbstractObject& o = pointers.objects()[object];
  const std::uint64_t word = pointer_width / 8;
  switch (o.kind) {
    case ObjectKind::Global:
      return program.globals[o.index].size;
    case ObjectKind::ProgramName:
      return kProgramName.size() + 1;
    case ObjectKind::Arguments:
      return 2 * word;
    case ObjectKind::Environment:
      return word;
    case ObjectKind::Function:
      return 0;
    default:
      break;
  }
  const Progression size = pointers.allocated_size(object);
  if (size.is_exact() && size.first() >= 0) return static_cast<std::uint64_t>(size.first());
  const bool is_small = size.is_bounded() && size.last() >= 0;
  return is_small ? std::min(options.heap_object_size, static_cast<std::uint64_t>(size.last()))
                  : options.heap_object_size;
}

std::size_t Memory::Plan::add_variable(term::Sort sort, std::string name, Term init, std::uint64_t elements,
                                       Flattened::Source source) {
  made.sources.resize(made.graph.variables.size());
  ControlGraph::Variable& variable = made.graph.variables.emplace_back();
  variable.term = store().variable(sort, std::move(name));
  variable.init = init;
  variable.elements = elements;
  variable.is_hidden = source.name.empty();
  made.sources.push_back(std::move(source));
  return made.graph.variables.size() - 1;
}

Term Memory::Plan::fresh(term::Sort sort, std::string name, InstanceId instance, program::InstructionId at) const {
  const Term made_input = store().variable(sort, name);
  made.inputs.resize(made.graph.inputs.size());
  made.graph.inputs.push_back(made_input);
  made.inputs.push_back({{instances[instance].function, at}, std::move(name), false});
  return made_input;
}

PlannedSpots planned_spots(const Memory::Plan& plan, InstanceId instance, program::InstructionId at,
                           std::size_t operand, std::uint64_t size, bool is_write) {
  const Known known = plan.pointers.operand(instance, at, operand);
  PlannedSpots made;
  made.is_trusted = !known.has_other;
  for (const Pointee& pointee : known.pointees) {
    const std::uint32_t g = plan.group[pointee.object];
    const bool is_possible =
        g != program::kNone && !(is_write && plan.groups[g].is_constant) && size <= plan.groups[g].size;
    const Progression inside = is_possible ? pointee.offset.below(plan.groups[g].size - size + 1) : Progression();
    made.is_trusted = made.is_trusted && is_possible && inside == pointee.offset;
    if (inside.is_empty()) continue;
    const auto same = std::find_if(made.spots.begin(), made.spots.end(), [&](const auto& s) { return s.first == g; });
    if (same == made.spots.end())
      made.spots.emplace_back(g, inside);
    else
      same->second = same->second.joined(inside);
  }
  return made;
}

}  // namespace plumb::flatten
