#include "semantics/intrinsics.h"

#include <fmt/format.h>

#include "semantics/ends.h"
#include "semantics/gaps.h"
#include "semantics/one_thread.h"
#include "semantics/output.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::Intrinsic;
using semantics::Effect;

namespace {

/// Of one object that becomes an input.
constexpr std::uint64_t kMaxSymbolic = 1U << 16;

}  // namespace

Term Executor::fresh(Activation& a, std::uint32_t width, const std::string& name, std::uint32_t part) {
  return world_.variable(event(a, part), width, name);
}

Executor::Step Executor::nondet(Activation& a, const Instruction& i) {
  if (i.result_count == 0) return Step::Next;
  const std::uint32_t width = a.plan->function().values[i.first_result].width;
  const std::string name = semantics::input_name(world_.program.message_of(i), width);
  const Term input = fresh(a, width, name);
  record_.add_input(world_.paths.condition(a.now.path), name, input);
  give(a, i, input);
  return Step::Next;
}

Executor::Step Executor::run_intrinsic(Activation& a, const Instruction& i, Intrinsic what,
                                       std::vector<Term> arguments) {
  if (current_ != nullptr)
    if (const std::optional<Step> made = run_thread_intrinsic(a, i, what, arguments)) return *made;
  const Term here = world_.paths.condition(a.now.path);
  const semantics::IntrinsicRule& rule = semantics::rule_of(what);
  switch (rule.effect) {
    case Effect::Input:
      return nondet(a, i);
    case Effect::InputBytes:
      return make_symbolic(a, arguments);
    case Effect::Assume: {
      const Term is_false = terms_.eq(arguments[0], terms_.zero(terms_.width(arguments[0])));
      record_.add(Record::Kind::Excluded, terms_.bit_and(here, is_false));
      if (!terms_.is_true(is_false)) return Step::Next;
      end_path(a);
      return Step::Ended;
    }
    case Effect::Require:
      return fault(a, fault_of_check(world_.program, i),
                   terms_.eq(arguments[0], terms_.zero(terms_.width(arguments[0]))))
                 ? Step::Ended
                 : Step::Next;
    case Effect::RequirePointer:
      return require_pointer(a, *rule.fault, arguments[0], arguments[1]);
    case Effect::Fault:
      fault(a, *rule.fault, terms_.boolean(true));
      return Step::Ended;
    case Effect::Exit:
      if (is_ending_) return gap(a, "exit() in what is called at the end");
      if (is_looked_at_after_) {
        end_program(a);
        return Step::Ended;
      }
      [[fallthrough]];
    case Effect::Quit:
      record_.add(Record::Kind::End, here);
      end_path(a);
      return Step::Ended;
    case Effect::Allocate:
    case Effect::Reallocate:
    case Effect::Free:
      return run_heap(a, i, what, arguments);
    case Effect::StackSave:
    case Effect::StackRestore:
    case Effect::EnterScope:
    case Effect::LeaveScope:
    case Effect::VaStart:
      return run_stack(a, i, what, arguments);
    case Effect::UnsetValue:
    case Effect::UnsetMemory:
      return create(a, i, arguments);
    case Effect::Nothing:
      if (what == Intrinsic::AtExit && !semantics::is_followed_at_end(world_.program, a.plan->function(), i)) break;
      give_number(a, i, 0);
      return Step::Next;
    case Effect::Self: {
      const std::uint32_t width = a.plan->function().values[i.first_result].width;
      const Term any = world_.variable({world_.place({}), kNone, 0}, width, std::string(program::name(what)));
      give(a, i, semantics::thread_self(terms_, any));
      return Step::Next;
    }
    case Effect::Lock:
    case Effect::TryLock:
    case Effect::Unlock:
    case Effect::Wait:
      return run_mutex(a, i, rule, arguments);
    case Effect::Anything:
      if (!can_use(a, rule, arguments)) return Step::Ended;
      if (i.result_count == 0) return Step::Next;
      if (what == Intrinsic::HostWrite)
        if (const auto size = semantics::written_size(terms_, arguments[0], arguments[2]))
          return give_output(a, i, *size);
      give(a, i, fresh(a, a.plan->function().values[i.first_result].width, std::string(program::name(what))));
      return Step::Next;
    case Effect::Outside:
      pass_gap(a, terms_.boolean(true), result::GapKind::Pinned,
               semantics::outside_text(world_.program, a.plan->function(), i));
      return Step::Next;
    case Effect::Gap:
      break;
  }
  return gap(a, fmt::format("'{}'", program::name(what)));
}

void Executor::end_program(Activation& a) {
  State end;
  end.path = a.now.path;
  end.memory = std::move(a.now.memory);
  if (is_among_others() && !at_end_.empty())
    pass_gap(a, a.now.rules().has_others(current_->number), result::GapKind::Schedule,
             "what other threads do while the program ends");
  if (current_ != nullptr && !is_looked_at_after_) {
    record_.add(Record::Kind::End, world_.paths.condition(end.path));
    return end_path(a);
  }
  has_left_ = terms_.bit_or(has_left_, world_.paths.condition(end.path));
  exits_.push_back(std::move(end));
}

Executor::Step Executor::require_pointer(Activation& a, FaultKind kind, Term from, Term to) {
  Term outside;
  const std::vector<Pointed::Target> found = targets(a, from, outside);
  const Term distance = terms_.sub(to, from);
  for (const Pointed::Target& target : found) {
    const Term size = world_.objects[target.object].size;
    const Term is_beyond =
        terms_.bit_or(terms_.ult(size, target.offset), terms_.ult(size, terms_.add(target.offset, distance)));
    outside = terms_.bit_or(outside, terms_.bit_and(target.when, is_beyond));
  }
  const Term is_moved = terms_.bit_not(terms_.eq(distance, world_.pointer_constant(0)));
  return fault(a, kind, terms_.bit_and(outside, is_moved)) ? Step::Ended : Step::Next;
}

void Executor::give_number(Activation& a, const Instruction& i, std::uint64_t number) {
  if (i.result_count > 0) give(a, i, terms_.constant(a.plan->function().values[i.first_result].width, number));
}

Executor::Step Executor::run_mutex(Activation& a, const Instruction& i, const semantics::IntrinsicRule& rule,
                                   std::span<const Term> arguments) {
  if (!can_use(a, rule, arguments)) return Step::Ended;
  semantics::HeldMutexes held(terms_, a.now.memory.held_mutexes(world_.pointer_width(), terms_));
  const semantics::HeldMutexes::Outcome outcome = held.call(rule.effect, arguments);
  if (gap(a, outcome.is_full, "so many mutexes held at once")) return Step::Ended;
  if (fault(a, FaultKind::Deadlock, outcome.blocks)) return Step::Ended;
  if (i.result_count == 0) return Step::Next;
  const std::uint32_t width = a.plan->function().values[i.first_result].width;
  const Term error = terms_.constant(width, static_cast<std::uint64_t>(outcome.error));
  give(a, i, terms_.ite(outcome.fails, error, terms_.zero(width)));
  return Step::Next;
}

Executor::Step Executor::make_symbolic(Activation& a, std::span<const Term> arguments) {
  if (!terms_.is_constant(arguments[1])) return gap(a, "an input of a size that is not known");
  const std::uint64_t size = terms_.value(arguments[1]).to_uint64();
  if (size == 0) return Step::Next;
  if (size > kMaxSymbolic) return gap(a, fmt::format("an input of {} bytes", size));
  std::string name = semantics::kUnnamedBytes;
  const bool has_name =
      arguments.size() > 2 && !(terms_.is_constant(arguments[2]) && terms_.value(arguments[2]).is_zero());
  if (has_name) {
    std::optional<std::string> text = text_at(a, arguments[2]);
    if (!text) return gap(a, "an input whose name is not known");
    name = std::move(*text);
  }
  const Term input = fresh(a, static_cast<std::uint32_t>(size * 8), name);
  record_.add_input(world_.paths.condition(a.now.path), name, input);
  return store(a, arguments[0], input) ? Step::Next : Step::Ended;
}

Executor::Step Executor::run_scope(Activation& a, bool is_entered, Term address) {
  if (!terms_.is_constant(address)) return gap(a, "the scope of an object that is not known");
  const ObjectId object = world_.objects.at(terms_.value(address).to_uint64());
  if (!is_entered) {
    a.now.memory.writable(object) = {{}, terms_.boolean(false)};
    return Step::Next;
  }
  begin_life(a, object);
  return Step::Next;
}

void Executor::begin_life(Activation& a, ObjectId object) {
  const ObjectId life = world_.life(event(a));
  lives_[object] = life;
  a.now.memory.writable(object) = {TermBytes::unwritten(world_.unwritten, life, world_.objects[object].capacity),
                                   terms_.boolean(true)};
}

Executor::Step Executor::create(Activation& a, const Instruction& i, std::span<const Term> arguments) {
  const Term here = world_.paths.condition(a.now.path);
  const std::string site = world_.program.message_of(i);
  if (i.result_count > 0) {
    const Term any = fresh(a, a.plan->function().values[i.first_result].width, site);
    record_.add_creation(here, site, 0, any);
    give(a, i, any);
    return Step::Next;
  }
  for (const Pointed::Target& target : world_.resolver.resolve(arguments[0]).targets) {
    const ObjectKind kind = world_.objects[target.object].kind;
    if (kind == ObjectKind::Stack && !semantics::is_new_at(a.plan->function(), a.next - 1))
      begin_life(a, target.object);
    const auto life = lives_.find(target.object);
    record_.add_creation(terms_.bit_and(here, target.when), site, life == lives_.end() ? target.object : life->second);
  }
  return Step::Next;
}

Executor::Step Executor::run_stack(Activation& a, const Instruction& i, Intrinsic what,
                                   std::span<const Term> arguments) {
  if (is_among_others() && (what == Intrinsic::StackSave || what == Intrinsic::StackRestore))
    return gap(a, "arrays of variable length beside other threads");
  if (what == Intrinsic::StackSave) {
    // The token is the number of objects that there are: programs only hand it back.
    give(a, i, world_.pointer_constant(a.stack_objects.size()));
    return Step::Next;
  }
  if (what == Intrinsic::StackRestore) {
    if (!terms_.is_constant(arguments[0])) return gap(a, "a stack that is restored to a place that is not known");
    for (std::uint64_t k = terms_.value(arguments[0]).to_uint64(); k < a.stack_objects.size(); ++k) {
      if (a.now.memory.find(a.stack_objects[k]) == nullptr) continue;
      a.now.memory.writable(a.stack_objects[k]) = {{}, terms_.boolean(false)};
    }
    return Step::Next;
  }
  if (const auto lost = semantics::lost_scope(world_.program, i)) {
    if (is_memory_asked_) pass_gap(a, terms_.boolean(true), result::GapKind::Skipped, *lost);
    return Step::Next;
  }
  if (what == Intrinsic::EnterScope || what == Intrinsic::LeaveScope)
    return run_scope(a, what == Intrinsic::EnterScope, arguments[0]);
  if (!a.variadic) return gap(a, "va_start in a function without variable arguments");
  for (const program::VariadicWord& word : world_.platform.variadic_list) {
    const Term at = terms_.add(arguments[0], world_.pointer_constant(word.offset));
    if (!store(a, at, word.is_area ? a.variadic : world_.pointer_constant(word.value))) return Step::Ended;
  }
  if (world_.platform.variadic_list.empty()) return gap(a, "va_start on this machine");
  return Step::Next;
}

}  // namespace plumb::unroll
