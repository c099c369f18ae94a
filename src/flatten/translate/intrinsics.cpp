#include <fmt/format.h>

#include <algorithm>

#include "flatten/translate/translator.h"
#include "semantics/ends.h"
#include "semantics/gaps.h"
#include "semantics/one_thread.h"
#include "semantics/output.h"

namespace plumb::flatten {

using program::GoalKind;
using program::Intrinsic;
using semantics::Effect;

void Translator::execute_intrinsic(Draft& draft, const Instruction& instruction, InstructionId id) {
  const semantics::IntrinsicRule& rule = semantics::rule_of(instruction.intrinsic());
  switch (rule.effect) {
    case Effect::Input: {
      if (instruction.result_count == 0) return;
      const std::uint32_t width = function(draft.instance).values[instruction.first_result].width;
      std::string name = semantics::input_name(program_.message_of(instruction), width);
      define_input(draft, instruction.first_result, input(width, point(draft, id), std::move(name), true));
      return;
    }
    case Effect::InputBytes:
      return make_symbolic(draft, instruction, id);
    case Effect::Assume:
      draft.alive = store().bit_and(draft.alive, operand(draft, instruction, 0));
      return;
    case Effect::Require: {
      const bool is_termination = properties_.goal(point(draft, id), GoalKind::Termination).has_value();
      return require(
          draft, operand(draft, instruction, 0), id,
          is_termination ? GoalKind::Termination : *program::violated_kind(fault_of_check(program_, instruction)));
    }
    case Effect::RequirePointer: {
      const Memory::Place at = place(draft, id);
      if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
      const Term from = operand(draft, instruction, 0);
      return require(draft, memory_.stays_inside(draft.memory, at, from, operand(draft, instruction, 1)), id,
                     *program::violated_kind(*rule.fault));
    }
    case Effect::Fault:
      return require(draft, store().boolean(false), id, *program::violated_kind(*rule.fault));
    case Effect::Quit:
      draft.alive = store().boolean(false);
      return;
    case Effect::Exit:
      return exit_program(draft, id);
    case Effect::Allocate:
    case Effect::Reallocate:
    case Effect::Free:
      return execute_heap(draft, instruction, id);
    case Effect::StackRestore:
      if (const auto gap = memory_.gap(place(draft, id))) return unsupported(draft, id, *gap);
      return memory_.restore_stack(draft.memory, place(draft, id), store().boolean(true));
    case Effect::EnterScope:
      if (const auto lost = semantics::lost_scope(program_, instruction)) {
        if (is_memory_asked_) pass_limit(draft, id, Limit::Kind::Skipped, *lost);
        return;
      }
      return memory_.enter_scope(draft.memory, place(draft, id), store().boolean(true));
    case Effect::LeaveScope:
      return memory_.leave_scope(draft.memory, place(draft, id), store().boolean(true));
    case Effect::UnsetValue:
    case Effect::UnsetMemory:
      return create(draft, instruction, id);
    case Effect::Nothing:
      if (instruction.intrinsic() == Intrinsic::AtExit &&
          !semantics::is_followed_at_end(program_, function(draft.instance), instruction))
        break;
      return define_number(draft, instruction, 0);
    case Effect::StackSave:
      return define_number(draft, instruction, 0);
    case Effect::Self:
    case Effect::Lock:
    case Effect::TryLock:
    case Effect::Unlock:
    case Effect::Wait:
      return execute_thread(draft, instruction, id, rule);
    case Effect::Anything: {
      if (!require_use(draft, instruction, id, rule)) return;
      if (instruction.result_count == 0) return;
      const ValueId result = instruction.first_result;
      if (instruction.intrinsic() == Intrinsic::HostWrite)
        if (const auto size =
                semantics::written_size(store(), operand(draft, instruction, 0), operand(draft, instruction, 2))) {
          assume(semantics::kOutputSucceeds);
          return define(draft, result, *size);
        }
      const std::string name(program::name(instruction.intrinsic()));
      return define(draft, result, input(function(draft.instance).values[result].width, point(draft, id), name, false));
    }
    case Effect::Outside:
      return pass_limit(draft, id, Limit::Kind::Pinned,
                        semantics::outside_text(program_, function(draft.instance), instruction));
    case Effect::VaStart:
    case Effect::Gap:
      break;
  }
  unsupported(draft, id, fmt::format("'{}'", program::name(instruction.intrinsic())));
}

/// What is called at the end is called while the calls that led to exit() are open: it must not share variables with
/// them, as single instances do.
void Translator::exit_program(Draft& draft, InstructionId id) {
  const std::size_t first = program_.constructors.size() + 1;
  InstanceId outermost = draft.instance;
  while (instances_[outermost].caller != kNone) outermost = instances_[outermost].caller;
  const bool is_apart = outermost < first && !instances_[outermost].is_single;
  if (first < instances_.root_count() && !is_apart)
    return unsupported(draft, id, "exit() where what is called at the end may be open");
  draft.targets.push_back({store().boolean(true), root(first)});
}

void Translator::create(Draft& draft, const Instruction& instruction, InstructionId id) {
  Flattened::Creation made{program_.message_of(instruction), draft.alive, {}};
  if (instruction.result_count > 0) {
    const std::uint32_t width = function(draft.instance).values[instruction.first_result].width;
    const Term any = input(width, point(draft, id), made.site, false);
    define(draft, instruction.first_result, any);
    made.unset.push_back({0, any});
  } else {
    made.unset = memory_.unset(draft.memory, place(draft, id), store().boolean(true), operand(draft, instruction, 0));
  }
  result_.creations[draft.label].push_back(std::move(made));
}

void Translator::define_number(Draft& draft, const Instruction& instruction, std::uint64_t number) {
  if (instruction.result_count == 0) return;
  const ValueId result = instruction.first_result;
  define(draft, result, store().constant(function(draft.instance).values[result].width, number));
}

bool Translator::require_use(Draft& draft, const Instruction& instruction, InstructionId id,
                             const semantics::IntrinsicRule& rule) {
  if (!rule.use) return true;
  const Memory::Place at = place(draft, id);
  if (const auto gap = memory_.gap(at)) {
    unsupported(draft, id, *gap);
    return false;
  }
  const Term address = operand(draft, instruction, rule.use->address);
  const Term size =
      rule.use->count ? operand(draft, instruction, *rule.use->count) : store().one(program_.layout.pointer_width);
  require(draft, memory_.can_use(draft.memory, at, rule.use->address, address, size, rule.use->kind), id,
          GoalKind::Access);
  return true;
}

/// What the only thread does with itself and its mutexes.
void Translator::execute_thread(Draft& draft, const Instruction& instruction, InstructionId id,
                                const semantics::IntrinsicRule& rule) {
  const Function& function = this->function(draft.instance);
  if (rule.effect == Effect::Self) {
    const std::uint32_t width = function.values[instruction.first_result].width;
    if (!self_) self_ = values_.add_hidden({width, 0}, "thread-self");
    return define(draft, instruction.first_result, semantics::thread_self(store(), graph_.variables[*self_].term));
  }
  if (!require_use(draft, instruction, id, rule)) return;
  const Term none = store().zero(program_.layout.pointer_width);
  if (mutexes_.empty())
    for (std::size_t i = 0; i < semantics::HeldMutexes::kSlots; ++i) {
      mutexes_.push_back(values_.add_hidden({store().width(none), 0}, fmt::format("mutex {}", i)));
      graph_.variables[mutexes_.back()].init = none;
    }
  std::vector<Term> slots;
  for (const std::size_t variable : mutexes_) slots.push_back(draft.memory.get(variable));
  const auto outcome = semantics::HeldMutexes(store(), slots).call(rule.effect, operands(draft, instruction));
  require_limit(draft, store().bit_not(outcome.is_full), id, Limit::Kind::Unsupported, "so many mutexes held at once");
  draft.alive = store().bit_and(draft.alive, store().bit_not(outcome.blocks));
  for (std::size_t i = 0; i < slots.size(); ++i) draft.memory.set(mutexes_[i], slots[i]);
  if (instruction.result_count == 0) return;
  const std::uint32_t width = function.values[instruction.first_result].width;
  const Term error = store().constant(width, static_cast<std::uint64_t>(outcome.error));
  define(draft, instruction.first_result, store().ite(outcome.fails, error, store().zero(width)));
}

void Translator::make_symbolic(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Function& function = this->function(draft.instance);
  const auto operands = function.operands_of(instruction);
  const Memory::Place at = place(draft, id);
  if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
  const Term size = read(draft, operands[1]);
  const Term address = read(draft, operands[0]);
  if (!store().is_constant(size)) return unsupported(draft, id, "symbolic memory whose size is not a constant");
  const std::uint64_t bytes = store().value(size).to_uint64();
  if (bytes > options_.max_bytes) return unsupported(draft, id, fmt::format("symbolic memory of {} bytes", bytes));
  if (bytes == 0) return;
  std::string name = semantics::kUnnamedBytes;
  if (operands.size() > 2) {
    std::optional<std::string> text = memory_.name_at(at, 2);
    if (!text) return unsupported(draft, id, "an input whose name is not known");
    if (!text->empty()) name = std::move(*text);
  }
  const Term given = input(static_cast<std::uint32_t>(bytes * 8), point(draft, id), name, true);
  const std::size_t kept = values_.add_hidden({store().width(given), 0}, name);
  draft.assignments.push_back({graph_.variables[kept].term, given});
  require(draft, memory_.store_bytes(draft.memory, at, store().boolean(true), address, given), id, GoalKind::Access);
}

void Translator::execute_heap(Draft& draft, const Instruction& instruction, InstructionId id) {
  const Memory::Place at = place(draft, id);
  const Term always = store().boolean(true);
  if (const auto gap = memory_.gap(at)) return unsupported(draft, id, *gap);
  if (instruction.intrinsic() != Intrinsic::Free) assume("allocation never fails");
  switch (instruction.intrinsic()) {
    case Intrinsic::Realloc: {
      const Term address = operand(draft, instruction, 0);
      const Memory::Reallocated made =
          memory_.reallocate(draft.memory, at, always, address, operand(draft, instruction, 1));
      require(draft, made.is_valid, id, GoalKind::Free);
      require_limit(draft, made.fits, id, Limit::Kind::Unsupported, "a copy of so many bytes");
      allocated(draft, id, made.allocated, Limit::Kind::Heap);
      return;
    }
    case Intrinsic::Free:
      require(draft, memory_.free(draft.memory, at, always, operand(draft, instruction, 0)), id, GoalKind::Free);
      return;
    default:
      allocate(draft, instruction, id);
  }
}

void Translator::allocate(Draft& draft, const Instruction& instruction, InstructionId id) {
  const std::vector<Term> operands = this->operands(draft, instruction);
  if (instruction.intrinsic() == Intrinsic::AlignedAlloc) {
    if (!store().is_constant(operands[0])) return unsupported(draft, id, "an alignment that is not known");
    if (!semantics::heap_alignment(store().value(operands[0]).to_uint64())) return define_number(draft, instruction, 0);
  }
  const auto request = semantics::heap_request(store(), instruction.intrinsic(), std::span<const Term>(operands));
  const Term is_made = store().bit_not(request.is_refused);
  Memory::Allocated made =
      memory_.allocate_heap(draft.memory, place(draft, id), is_made, request.size, request.is_zeroed);
  made.give_null_unless(store(), is_made);
  allocated(draft, id, made, Limit::Kind::Heap);
}

}  // namespace plumb::flatten
