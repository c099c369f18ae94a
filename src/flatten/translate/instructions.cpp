// Instructions inside a stretch. Operators are those of terms; what can go wrong is required first, so that a term
// behind it may take it for granted.

#include <fmt/format.h>

#include "flatten/translate/translator.h"
#include "semantics/float_terms.h"
#include "semantics/operators.h"

namespace plumb::flatten {

using program::GoalKind;

Term Translator::read(Draft& draft, ValuePlace place) {
  const ValuePlace origin = values_.origin(place);
  if (origin.instance == draft.instance)
    if (const auto found = draft.local.find(origin.value); found != draft.local.end()) return found->second;
  if (const Term constant = values_.constant(origin)) return constant;
  const Value& value = values_.value(origin);
  if (value.kind != ValueKind::Undefined) return graph_.variables[values_.variable(origin)].term;
  Term& any = draft.undefined[origin];
  if (!any) any = input(value.width, {instances_[origin.instance].function, 0}, "undefined", false);
  return any;
}

void Translator::define(Draft& draft, ValueId value, Term term) {
  draft.local[value] = term;
  definitions_[draft.label].push_back({{draft.instance, value}, term});
}

void Translator::define_input(Draft& draft, ValueId value, Term input) {
  define(draft, value, input);
  values_.variable({draft.instance, value});
}

Term Translator::input(std::uint32_t width, CodePoint at, std::string name, bool is_asked) {
  const Term made = store().variable(width, fmt::format("input {}: {}", graph_.inputs.size(), name));
  graph_.inputs.push_back(made);
  result_.inputs.push_back({at, std::move(name), is_asked});
  return made;
}

Memory::Place Translator::place(const Draft& draft, InstructionId id) {
  const Instance& instance = instances_[draft.instance];
  const Term depth = instance.is_recursive ? graph_.variables[this->depth(instance.component)].term : Term{};
  return {draft.instance, id, depth};
}

void Translator::add_check(Draft& draft, Term condition, std::size_t property, InstructionId id) {
  if (store().is_true(condition)) return;
  const Instruction& instruction = function(draft.instance).instructions[id];
  draft.checks.push_back({condition, property, program_.describe(instruction.location)});
}

void Translator::require(Draft& draft, Term ok, InstructionId id, GoalKind kind) {
  if (const auto goal = properties_.goal(point(draft, id), kind))
    add_check(draft, store().implies(draft.alive, ok), Properties::of_goal(*goal), id);
  draft.alive = store().bit_and(draft.alive, ok);
}

void Translator::require_limit(Draft& draft, Term ok, InstructionId id, Limit::Kind kind, std::string text) {
  const Term condition = store().implies(draft.alive, ok);
  if (!store().is_true(condition))
    add_check(draft, condition, properties_.of_limit(kind, point(draft, id), std::move(text)), id);
  draft.alive = store().bit_and(draft.alive, ok);
}

void Translator::unsupported(Draft& draft, InstructionId id, std::string text) {
  require_limit(draft, store().boolean(false), id, Limit::Kind::Unsupported, std::move(text));
}

CodePoint Translator::user_point(const Draft& draft, InstructionId id) const {
  InstanceId instance = draft.instance;
  while (function(instance).is_model && instances_[instance].caller != kNone) {
    id = instances_[instance].call;
    instance = instances_[instance].caller;
  }
  return {instances_[instance].function, id};
}

void Translator::pass_limit(Draft& draft, InstructionId id, Limit::Kind kind, std::string text) {
  add_check(draft, store().bit_not(draft.alive), properties_.of_limit(kind, user_point(draft, id), std::move(text)),
            id);
}

void Translator::cover(Draft& draft, InstructionId id) {
  for (const std::size_t goal : properties_.covers_at(point(draft, id)))
    add_check(draft, store().bit_not(draft.alive), properties_.of_cover(goal), id);
}

void Translator::execute(Draft& draft, const Instruction& instruction, InstructionId id) {
  switch (instruction.kind) {
    case Kind::Operator:
      execute_operator(draft, instruction, id);
      return;
    case Kind::Float:
      execute_float(draft, instruction, id);
      return;
    case Kind::CheckIndex: {
      const Term index = operand(draft, instruction, 0);
      require(draft, store().ult(index, operand(draft, instruction, 1)), id, GoalKind::Index);
      return;
    }
    case Kind::Intrinsic:
      execute_intrinsic(draft, instruction, id);
      return;
    default:
      execute_access(draft, instruction, id);
  }
}

std::vector<Term> Translator::operands(Draft& draft, const Instruction& instruction) {
  std::vector<Term> terms;
  for (const ValueId v : function(draft.instance).operands_of(instruction)) terms.push_back(read(draft, v));
  return terms;
}

void Translator::execute_operator(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  const std::vector<Term> operands = this->operands(draft, instruction);
  for (const auto& fault : semantics::operator_faults(function, instruction, platform_, program_.checks))
    require(draft, store().bit_not(semantics::condition(store(), fault, operands)), id,
            *program::violated_kind(fault.kind));
  const std::uint32_t width = function.values[instruction.first_result].width;
  define(draft, instruction.first_result, store().make(instruction.op(), operands, width, instruction.parameter));
}

void Translator::execute_float(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  const std::vector<Term> operands = this->operands(draft, instruction);
  const std::uint32_t width = function.values[instruction.first_result].width;
  const std::optional<Term> result = semantics::float_result(store(), instruction.float_op(), operands, width);
  if (!result)
    return unsupported(draft, id, fmt::format("floating point arithmetic ({})", program::name(instruction.float_op())));
  define(draft, instruction.first_result, *result);
}

void Translator::execute_access(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Memory::Place at = place(draft, id);
  const Term always = store().boolean(true);
  if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
  switch (instruction.kind) {
    case Kind::Load: {
      const std::uint32_t width = function(draft.instance).values[instruction.first_result].width;
      const Memory::Loaded loaded = memory_.load(draft.memory, at, operand(draft, instruction, 0), width);
      require(draft, loaded.is_valid, id, GoalKind::Access);
      define(draft, instruction.first_result, loaded.value);
      return;
    }
    case Kind::Store: {
      const Term address = operand(draft, instruction, 0);
      const Term value = operand(draft, instruction, 1);
      require(draft, memory_.store(draft.memory, at, always, address, value), id, GoalKind::Access);
      return;
    }
    case Kind::Allocate: {
      const Term size = operand(draft, instruction, 0);
      allocated(draft, id, memory_.allocate_stack(draft.memory, at, always, size), Limit::Kind::Stack);
      return;
    }
    case Kind::CopyMemory:
    case Kind::FillMemory: {
      const Term to = operand(draft, instruction, 0);
      const Term from = operand(draft, instruction, 1);
      const Term size = operand(draft, instruction, 2);
      const bool is_copy = instruction.kind == Kind::CopyMemory;
      const Memory::Moved moved = is_copy ? memory_.copy(draft.memory, at, always, to, from, size)
                                          : memory_.fill(draft.memory, at, always, to, from, size);
      require_limit(draft, moved.fits, id, Limit::Kind::Unsupported,
                    is_copy ? "a copy of so many bytes" : "filling so many bytes");
      require(draft, moved.is_valid, id, GoalKind::Access);
      return;
    }
    default:
      INVARIANT(false, "an instruction in a stretch should be no call and no terminator");
  }
}

void Translator::allocated(Draft& draft, InstructionId id, const Memory::Allocated& made, Limit::Kind full) {
  require_limit(draft, made.fits_count, id, full,
                full == Limit::Kind::Heap
                    ? fmt::format("more than {} heap objects (--heap)", options_.heap_objects)
                    : fmt::format("more than {} stack objects of one place (--stack)", options_.stack_depth));
  require_limit(draft, made.fits_size, id, Limit::Kind::ObjectSize,
                fmt::format("an object of more than {} bytes (--heap-object)", options_.heap_object_size));
  define(draft, function(draft.instance).instructions[id].first_result, made.address);
}

}  // namespace plumb::flatten
