#include <fmt/format.h>

#include "unroll/executor.h"

namespace plumb::unroll {

using program::Intrinsic;

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
  const bool has_type = i.kind == program::Kind::Intrinsic && i.parameter != kNone;
  std::string type = has_type ? world_.program.messages[i.parameter] : "";
  if (type.empty()) type = fmt::format("i{}", width);
  const Term input = fresh(a, width, type);
  record_.add_input(world_.paths.condition(a.now.path), type, input);
  give(a, i, input);
  return Step::Next;
}

Executor::Step Executor::run_intrinsic(Activation& a, const Instruction& i, Intrinsic what,
                                       std::vector<Term> arguments) {
  const Term here = world_.paths.condition(a.now.path);
  const auto is_zero = [&](Term t) { return terms_.eq(t, terms_.zero(terms_.width(t))); };
  switch (what) {
    case Intrinsic::Nondet:
      return nondet(a, i);
    case Intrinsic::MakeSymbolic:
      return make_symbolic(a, arguments);
    case Intrinsic::Assume: {
      const Term is_false = is_zero(arguments[0]);
      record_.add(Record::Kind::Excluded, terms_.bit_and(here, is_false));
      if (!terms_.is_true(is_false)) return Step::Next;
      end_path(a);
      return Step::Ended;
    }
    case Intrinsic::Check:
      return fault(a, FaultKind::Assertion, is_zero(arguments[0])) ? Step::Ended : Step::Next;
    case Intrinsic::AssertFail:
      fault(a, FaultKind::Assertion, terms_.boolean(true));
      return Step::Ended;
    case Intrinsic::Error:
      fault(a, FaultKind::ErrorReached, terms_.boolean(true));
      return Step::Ended;
    case Intrinsic::Abort:
    case Intrinsic::QuickExit:
      record_.add(Record::Kind::End, here);
      end_path(a);
      return Step::Ended;
    case Intrinsic::Exit:
      if (!is_looked_at_after_) {
        record_.add(Record::Kind::End, here);
        end_path(a);
        return Step::Ended;
      }
      a.now.values.clear();
      a.now.rounds.clear();
      exits_.push_back(std::move(a.now));
      return Step::Ended;
    case Intrinsic::Malloc:
    case Intrinsic::Calloc:
    case Intrinsic::Realloc:
    case Intrinsic::AlignedAlloc:
    case Intrinsic::Free:
      return run_heap(a, i, what, arguments);
    case Intrinsic::StackSave:
    case Intrinsic::StackRestore:
    case Intrinsic::VaStart:
      return run_stack(a, i, what, arguments);
    case Intrinsic::Fence:
    case Intrinsic::AtomicBegin:
    case Intrinsic::AtomicEnd:
    case Intrinsic::ThreadYield:
    case Intrinsic::MutexLock:  // there is one thread
    case Intrinsic::MutexUnlock:
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
      if (i.result_count > 0) give(a, i, terms_.zero(a.plan->function().values[i.first_result].width));
      return Step::Next;
    case Intrinsic::HostWrite:
    case Intrinsic::HostClock:
    case Intrinsic::ThreadSelf:
    case Intrinsic::MutexTryLock:
      if (i.result_count > 0)
        give(a, i, fresh(a, a.plan->function().values[i.first_result].width, std::string(program::name(what))));
      return Step::Next;
    default:
      return gap(a, fmt::format("'{}'", program::name(what)));
  }
}

Executor::Step Executor::make_symbolic(Activation& a, std::span<const Term> arguments) {
  if (!terms_.is_constant(arguments[1])) return gap(a, "an input of a size that is not known");
  const std::uint64_t size = terms_.value(arguments[1]).to_uint64();
  if (size > kMaxSymbolic) return gap(a, fmt::format("an input of {} bytes", size));
  std::string name = "symbolic";
  const bool has_name =
      arguments.size() > 2 && !(terms_.is_constant(arguments[2]) && terms_.value(arguments[2]).is_zero());
  if (has_name) {
    std::optional<std::string> text = text_at(a, arguments[2]);
    if (!text) return gap(a, "an input whose name is not known");
    name = std::move(*text);
  }
  if (size == 0) return Step::Next;
  const Term input = fresh(a, static_cast<std::uint32_t>(size * 8), name);
  record_.add_input(world_.paths.condition(a.now.path), name, input);
  return store(a, arguments[0], input) ? Step::Next : Step::Ended;
}

Executor::Step Executor::run_stack(Activation& a, const Instruction& i, Intrinsic what,
                                   std::span<const Term> arguments) {
  if (what == Intrinsic::StackSave) {
    // The token is the number of objects that there are: programs only hand it back.
    give(a, i, world_.pointer_constant(a.stack_objects.size()));
    return Step::Next;
  }
  if (what == Intrinsic::StackRestore) {
    if (!terms_.is_constant(arguments[0])) return gap(a, "a stack that is restored to a place that is not known");
    for (std::uint64_t k = terms_.value(arguments[0]).to_uint64(); k < a.stack_objects.size(); ++k) {
      if (a.now.memory.find(a.stack_objects[k]) == nullptr) continue;
      a.now.memory.writable(a.stack_objects[k]) = {Content{}, terms_.boolean(false)};
    }
    return Step::Next;
  }
  if (!a.variadic) return gap(a, "va_start in a function without variable arguments");
  if (world_.pointer_width() == 32) return store(a, arguments[0], a.variadic) ? Step::Next : Step::Ended;
  // As if both register areas were used up, so that va_arg takes everything from the overflow area.
  constexpr std::uint64_t kUsed = 48 | std::uint64_t{304} << 32;
  const auto at = [&](std::uint64_t offset) { return terms_.add(arguments[0], world_.pointer_constant(offset)); };
  const bool is_stored = store(a, at(0), world_.pointer_constant(kUsed)) && store(a, at(8), a.variadic) &&
                         store(a, at(16), world_.pointer_constant(0));
  return is_stored ? Step::Next : Step::Ended;
}

}  // namespace plumb::unroll
