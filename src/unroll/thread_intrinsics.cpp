// What threads ask of each other, by the rules of semantics::Threads. Who comes here does not block: a thread that
// would is left standing before (contexts.cpp).

#include <fmt/format.h>

#include "unroll/executor.h"

namespace plumb::unroll {

using program::Function;
using program::Intrinsic;
using OperationKind = Record::Operation::Kind;

namespace {

constexpr std::size_t kMaxThreads = 16;
/// In the description of a place: the function of a thread, not a call.
constexpr std::uint32_t kThread = program::kNone - 1;
constexpr std::uint32_t kThreadLocal = program::kNone - 2;

}  // namespace

std::optional<Executor::Step> Executor::run_thread_intrinsic(Activation& a, const Instruction& i, Intrinsic what,
                                                             std::span<const Term> arguments) {
  switch (what) {
    case Intrinsic::ThreadCreate:
      return create_thread(a, i, arguments);
    case Intrinsic::ThreadJoin:
      return join_thread(a, i, arguments);
    case Intrinsic::ThreadExit:
      end_thread(a, arguments[0]);
      return Step::Ended;
    case Intrinsic::ThreadSelf:
      give_number(a, i, current_->number + 1);
      return Step::Next;
    case Intrinsic::ThreadYield:
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
      // Who waits for a condition may wake up at any time.
      if (!can_use(a, semantics::rule_of(what), arguments)) return Step::Ended;
      give_number(a, i, 0);
      return Step::Next;
    case Intrinsic::ThreadWait:
      return wait_in_section(a, i);
    case Intrinsic::ThreadTimedWait:
      // That its time is not over yet is a step that is made later.
      give_number(a, i, 1);
      return Step::Next;
    case Intrinsic::MutexLock:
    case Intrinsic::MutexTryLock:
    case Intrinsic::MutexUnlock:
    case Intrinsic::MutexKind:
      return call_mutex(a, i, what, arguments);
    case Intrinsic::CondWait:
      return wait_for_condition(a, i, arguments);
    case Intrinsic::AtomicBegin:
      ++a.now.sections;
      return Step::Next;
    case Intrinsic::AtomicEnd:
      if (a.now.sections > 0) --a.now.sections;
      if (a.now.sections == 0) a.now.attempt = nullptr;
      return Step::Next;
    default:
      return std::nullopt;
  }
}

std::optional<FunctionId> Executor::start_of_thread(Activation& a, Term address) {
  const Pointed& pointed = world_.resolver.resolve(address);
  if (pointed.is_unclear || pointed.targets.size() != 1) {
    gap(a, "a thread of which it is not known what function it runs");
    return std::nullopt;
  }
  const Pointed::Target start = pointed.targets[0];
  const bool is_function = world_.objects[start.object].kind == ObjectKind::Function;
  const Term is_valid = terms_.bit_and(start.when, terms_.eq(start.offset, world_.pointer_constant(0)));
  if (fault(a, FaultKind::InvalidCall, is_function ? terms_.bit_not(is_valid) : terms_.boolean(true)))
    return std::nullopt;
  const FunctionId id = world_.function_of(start.object);
  const Function& function = world_.program.functions[id];
  if (!function.has_body()) {
    gap(a, fmt::format("a thread that runs '{}', which has no body", function.name));
    return std::nullopt;
  }
  if (fault(a, FaultKind::InvalidCall, terms_.boolean(function.parameters.size() > 1))) return std::nullopt;
  return id;
}

Executor::Step Executor::create_thread(Activation& a, const Instruction& i, std::span<const Term> arguments) {
  const std::optional<FunctionId> start = start_of_thread(a, arguments[2]);
  if (!start) return Step::Ended;
  const std::uint32_t created = world_.place({kThread, place(a), a.next - 1, *start});
  const auto [known, is_new] = thread_at_.try_emplace(created, threads_.size());
  if (is_new && threads_.size() >= kMaxThreads) {
    thread_at_.erase(known);
    return gap(a, fmt::format("more than {} threads", kMaxThreads));
  }
  const std::size_t number = known->second;
  if (is_new) {
    Thread& made = threads_.emplace_back();
    made.number = number;
    make_call(made, *start, created);
  }
  if (!store(a, arguments[0], world_.pointer_constant(number + 1))) return Step::Ended;
  a.now.rules().create(number, world_.pointer_width());
  note(a, number, OperationKind::Create);
  Thread& thread = threads_[number];
  make_locals(a, thread, created);
  const Position position{&thread.calls.front(), {thread.calls.front().plan->order().rank(0)}, 0};
  State state;
  if (!world_.program.functions[*start].parameters.empty()) state.values = {arguments[3]};
  thread.stands.emplace_back(full_key(position), Stand{position, std::move(state), world_.paths.condition(a.now.path)});
  give_number(a, i, 0);
  return Step::Next;
}

void Executor::make_locals(Activation& a, Thread& thread, std::uint32_t created) {
  for (GlobalId g = 0; g < world_.program.globals.size(); ++g) {
    const program::GlobalObject& global = world_.program.globals[g];
    if (!global.is_thread_local) continue;
    const EventId event{world_.place({kThreadLocal, created}), program::kNone, g};
    const auto object = world_.object(event, ObjectKind::Global, global.size, global.alignment);
    if (!object) throw OutOfBudget{Stop::Memory};
    world_.objects[*object].is_constant = global.is_constant;
    world_.objects[*object].index = g;
    thread.locals[g] = *object;
    a.now.memory.writable(*object) = *world_.initial.find(world_.object_of(g));
  }
}

Executor::Step Executor::join_thread(Activation& a, const Instruction& i, std::span<const Term> arguments) {
  const ThreadTerms::Joined joined = a.now.rules().join(current_->number, arguments[0]);
  const Term null = world_.pointer_constant(0);
  if (!terms_.is_true(terms_.eq(arguments[1], null))) {
    const Term is_asked = terms_.bit_not(terms_.eq(arguments[1], null));
    if (!terms_.is_true(is_asked)) return gap(a, "a join of which it is not known whether its result is asked for");
    if (!terms_.is_false(joined.outcome.fails))
      if (gap(a, joined.outcome.fails, "a join that fails, with a place for its result")) return Step::Ended;
    if (!store(a, arguments[1], joined.result)) return Step::Ended;
  }
  give_outcome(a, i, joined.outcome);
  return Step::Next;
}

void Executor::give_outcome(Activation& a, const Instruction& i, const ThreadTerms::Outcome& outcome) {
  if (i.result_count == 0) return;
  const std::uint32_t width = a.plan->function().values[i.first_result].width;
  const Term error = terms_.extract(terms_.zero_extend(outcome.error, std::max(width, 32U)), width - 1, 0);
  give(a, i, terms_.ite(outcome.fails, error, terms_.zero(width)));
}

std::optional<std::vector<ThreadTerms::Target>> Executor::mutexes_at(Term address) {
  if (terms_.is_constant(address))
    return std::vector<ThreadTerms::Target>{{terms_.value(address).to_uint64(), terms_.boolean(true)}};
  const Pointed& pointed = world_.resolver.resolve(address);
  if (pointed.is_unclear) return std::nullopt;
  std::vector<ThreadTerms::Target> found;
  for (const Pointed::Target& target : pointed.targets) {
    if (!terms_.is_constant(target.offset)) return std::nullopt;
    found.push_back({world_.objects[target.object].base + terms_.value(target.offset).to_uint64(), target.when});
  }
  return found;
}

Executor::Step Executor::call_mutex(Activation& a, const Instruction& i, Intrinsic what,
                                    std::span<const Term> arguments) {
  if (!can_use(a, semantics::rule_of(what), arguments)) return Step::Ended;
  const auto mutexes = mutexes_at(arguments[0]);
  if (!mutexes) return gap(a, "a mutex that is not known");
  if (what == Intrinsic::MutexKind) {
    a.now.rules().set_kind(*mutexes, arguments[1]);
    give_number(a, i, 0);
    return Step::Next;
  }
  give_outcome(a, i, a.now.rules().call(what, current_->number, *mutexes));
  return Step::Next;
}

Executor::Step Executor::wait_for_condition(Activation& a, const Instruction& i, std::span<const Term> arguments) {
  if (!can_use(a, semantics::rule_of(Intrinsic::CondWait), arguments)) return Step::Ended;
  const auto mutexes = mutexes_at(arguments[1]);
  if (!mutexes) return gap(a, "a mutex that is not known");
  if (is_second_half_) {
    give_outcome(a, i, a.now.rules().call(Intrinsic::MutexLock, current_->number, *mutexes));
    return Step::Next;
  }
  if (a.now.sections > 0) return gap(a, "waiting for another thread inside an atomic section");
  const ThreadTerms::Outcome given = a.now.rules().call(Intrinsic::MutexUnlock, current_->number, *mutexes);
  if (gap(a, given.fails, "a wait for a condition without its mutex")) return Step::Ended;
  a.now.values = kept(a, a.next - 1);
  arrive({&a, a.key, a.block, a.next - 1, true}, std::move(a.now));
  return Step::Called;
}

Executor::Step Executor::wait_in_section(Activation& a, const Instruction& i) {
  if (a.now.sections == 0) {
    give_number(a, i, 0);
    return Step::Next;
  }
  if (!a.now.attempt) return gap(a, "a wait in an atomic section that began in several places");
  note(a, current_->number, OperationKind::Retract);
  const Attempt& attempt = *a.now.attempt;
  current_->stands.emplace_back(full_key(attempt.position),
                                Stand{attempt.position, attempt.state, world_.paths.condition(a.now.path)});
  a.now.rules().has_moved = attempt.had_moved;
  stop(a.now, a.now.path);
  return Step::Called;
}

}  // namespace plumb::unroll
