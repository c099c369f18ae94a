// Threads by turns, a bounded number of contexts of each (Lal and Reps, "Reducing Concurrent Analysis Under a Context
// Bound to Sequential Analysis", 2008; lazily, as Inverso, Tomasco, Fischer, La Torre and Parlato, "Bounded Model
// Checking of Multi-threaded C Programs via Lazy Sequentialization", 2014). In a context the thread goes on from
// wherever it may have been left standing, all those places at once, and may stop before each operation that others can
// see or be seen by: whether it does is a variable. What differs from the papers: nothing is rewritten. A place is that
// of an unwound block in an unwound call, so a loop that counts stays one that counts wherever it is interrupted. What
// is kept of a thread that stands is its values, with the condition under which it stands there; memory is one for all.

#include <algorithm>

#include "semantics/calls.h"
#include "semantics/visible.h"
#include "unroll/executor.h"

namespace plumb::unroll {

using program::Function;
using program::Intrinsic;
using program::Kind;
using program::ValueId;
using OperationKind = Record::Operation::Kind;

namespace {

/// Parts of events that say in which context, apart from those that instructions have.
constexpr std::uint32_t kSwitchPart = 1U << 30;

/// Places in a block, in their order: its start, then two before and in each instruction.
std::uint32_t before_instruction(const program::Block& block, InstructionId i, bool is_second_half) {
  return 1 + 2 * (i - block.first_instruction) + (is_second_half ? 1 : 0);
}
std::uint32_t in_instruction(const program::Block& block, InstructionId i) {
  return 2 + 2 * (i - block.first_instruction);
}

}  // namespace

ThreadPlan& Executor::thread_plan(FunctionId function) {
  std::unique_ptr<ThreadPlan>& plan = thread_plans_[function];
  if (!plan) plan = std::make_unique<ThreadPlan>(world_.program, world_.plan(function));
  return *plan;
}

Executor::Activation& Executor::make_call(Thread& thread, FunctionId function, std::uint32_t context) {
  Activation& made = thread.calls.emplace_back();
  made.function = function;
  made.plan = &world_.plan(function);
  made.context = context;
  made.values.resize(made.plan->function().values.size());
  return made;
}

void Executor::note(const Activation& a, std::size_t thread, OperationKind kind) {
  record_.add_operation(world_.paths.condition(a.now.path), thread, kind);
}

void Executor::count_operation(const Activation& a, const Instruction& i) {
  const Function& function = a.plan->function();
  const bool has_variables = i.kind == Kind::Return && semantics::has_variables_in_memory(function);
  if (a.is_in_output || !semantics::is_visible(function, i, has_variables)) return;
  if (current_ == nullptr) return note(a, 0, OperationKind::Visible);
  OperationKind kind = OperationKind::Visible;
  if (i.kind == Kind::Intrinsic) {
    if (i.intrinsic() == Intrinsic::AtomicBegin && a.now.sections == 0) kind = OperationKind::Begin;
    if (i.intrinsic() == Intrinsic::CondWait && !is_second_half_) kind = OperationKind::Wait;
  }
  note(a, current_->number, kind);
}

Executor::Key Executor::full_key(const Position& position) const {
  Key key = position.call->prefix;
  key.insert(key.end(), position.key.begin(), position.key.end());
  const program::Block& block = position.call->plan->function().blocks[position.block];
  key.push_back(position.before ? before_instruction(block, *position.before, position.is_second_half) : 0);
  return key;
}

void Executor::run_threads(State& state, std::vector<Term> arguments) {
  thread_plans_.resize(world_.program.functions.size());
  Thread& main = threads_.emplace_back();
  Activation& root = make_call(main, world_.program.entry, world_.place({world_.program.entry}));
  State shared = std::move(state);
  shared.threads.emplace(terms_).create(0, world_.pointer_width());
  State start;
  start.values = std::move(arguments);
  start.values.resize(root.plan->function().parameters.size());
  const Position position{&root, {root.plan->order().rank(0)}, 0};
  main.stands.emplace_back(full_key(position), Stand{position, std::move(start), terms_.boolean(true)});
  const auto is_over = [&] { return world_.paths.is_impossible(shared.path); };
  for (context_ = 0; context_ < contexts_ && !is_over(); ++context_)
    for (std::size_t t = 0; t < threads_.size() && !is_over(); ++t) run_context(threads_[t], shared);
  if (!is_over()) cut_contexts(shared);
  current_ = nullptr;
  context_ = 0;
  state = State{};
  state.path = world_.paths.child(Paths::kRoot, terms_.boolean(false));
}

void Executor::run_context(Thread& thread, State& shared) {
  const Term is_alive = shared.rules().is_alive(thread.number);
  if (terms_.is_false(is_alive)) thread.stands.clear();  // who created it has ended the program
  if (thread.stands.empty()) return;
  current_ = &thread;
  exclude_idle_turns(thread, shared);
  shared.rules().has_moved = terms_.boolean(false);
  auto stands = std::exchange(thread.stands, {});
  // A run that goes on stands at one of these places, or the thread is not there or has ended.
  for (auto& [key, from] : stands) {
    const PathId path = world_.paths.child(shared.path, from.when);
    if (world_.paths.is_impossible(path)) continue;
    from.state.path = path;
    from.state.memory = shared.memory;
    from.state.threads = shared.threads;
    arrive(std::move(from.position), std::move(from.state));
  }
  const PathId idle = world_.paths.child(shared.path, terms_.bit_not(is_alive));
  if (!world_.paths.is_impossible(idle)) stop(shared, idle);
  while (!arrived_.empty()) {
    auto first = arrived_.extract(arrived_.begin());
    run_from(std::move(first.mapped()));
  }
  // All runs that go on are here again, so what was decided in between is no part of their path, but for those that
  // have left without an end.
  PathId path = world_.paths.child(shared.path, terms_.bit_not(std::exchange(has_left_, terms_.boolean(false))));
  if (stops_.empty()) path = world_.paths.child(Paths::kRoot, terms_.boolean(false));
  if (!stops_.empty()) shared = joined(std::exchange(stops_, {}));
  shared.path = path;
  turns_.push_back({thread.number, shared.threads ? shared.rules().has_moved : terms_.boolean(false)});
}

// Many turns make the same run. Of those this is kept: nobody stops only to go on before anybody else does, and turns
// without a step are not more than they need to be. So after a turn with a step of one thread there is one of another
// before its next turn. A run in which nobody else can go on is not one that a thread has to stop in.
void Executor::exclude_idle_turns(const Thread& thread, const State& shared) {
  Term others = terms_.boolean(false);
  for (auto turn = turns_.rbegin(); turn != turns_.rend(); ++turn) {
    if (turn->thread != thread.number) {
      others = terms_.bit_or(others, turn->has_moved);
      continue;
    }
    const Term is_idle = terms_.bit_and(turn->has_moved, terms_.bit_not(others));
    record_.add(Record::Kind::Excluded, terms_.bit_and(world_.paths.condition(shared.path), is_idle));
    return;
  }
}

void Executor::arrive(Position position, State state) {
  Arrived& arrived = arrived_[full_key(position)];
  arrived.position = std::move(position);
  arrived.states.push_back(std::move(state));
}

void Executor::stop(const State& state, PathId path) {
  State& stopped = stops_.emplace_back();
  stopped.path = path;
  stopped.memory = state.memory;
  stopped.threads = state.threads;
}

State Executor::without_memory(const State& state) {
  State kept;
  kept.values = state.values;
  kept.rounds = state.rounds;
  kept.callers = state.callers;
  kept.sections = state.sections;
  kept.attempt = state.attempt;
  return kept;
}

void Executor::stand(Activation& a, const Position& position, PathId path) {
  current_->stands.emplace_back(full_key(position),
                                Stand{position, without_memory(a.now), world_.paths.condition(path)});
}

std::vector<Term> Executor::kept(Activation& a, InstructionId before) {
  std::vector<Term> values;
  for (const ValueId v : thread_plan(a.function).live_before(before)) values.push_back(a.values[v]);
  return values;
}

void Executor::restore(Activation& a, const Position& position) {
  const Function& function = a.plan->function();
  a.key = position.key;
  a.block = position.block;
  a.place = 0;
  a.next = position.before.value_or(function.blocks[a.block].first_instruction);
  std::size_t at = 0;
  const auto set = [&](std::span<const ValueId> ids) {
    for (const ValueId v : ids) a.values[v] = a.now.values[at++];
  };
  if (position.before) return set(thread_plan(a.function).live_before(*position.before));
  if (a.block == 0) return set(function.parameters);
  set(function.blocks[a.block].arguments);
  set(a.plan->live_ins(a.block));
}

bool Executor::is_blocking(const Instruction& i) const {
  if (i.kind != Kind::Intrinsic) return false;
  return i.intrinsic() == Intrinsic::MutexLock || i.intrinsic() == Intrinsic::ThreadJoin ||
         i.intrinsic() == Intrinsic::CondWait;
}

bool Executor::is_switch(Activation& a, InstructionId id) {
  const Instruction& i = a.plan->function().instructions[id];
  if (is_blocking(i)) return true;
  if (a.now.sections > 0 || a.is_in_output) return false;
  if (i.kind == Kind::Intrinsic && i.intrinsic() == Intrinsic::AtomicBegin) return true;
  // Others may run before the program ends.
  const bool is_end = i.kind == Kind::Return && a.caller == nullptr && current_->number == 0;
  if (is_end) return !terms_.is_false(a.now.rules().has_others(current_->number));
  if (!thread_plan(a.function).is_switch(id)) return false;
  return !terms_.is_false(a.now.rules().has_others(current_->number)) && is_shared_access(a, i);
}

std::optional<std::vector<SharedAccesses::Range>> Executor::accesses(Activation& a, const Instruction& i) {
  std::vector<SharedAccesses::Range> found;
  const auto add = [&](ValueId operand, std::optional<std::uint64_t> size, bool is_write) {
    const Pointed& pointed = world_.resolver.resolve(value(a, operand));
    for (const Pointed::Target& target : pointed.targets) {
      const bool is_known = size && terms_.is_constant(target.offset);
      const std::uint64_t first = is_known ? terms_.value(target.offset).to_uint64() : 0;
      found.push_back(
          {target.object, first, is_known ? first + std::max<std::uint64_t>(*size, 1) - 1 : ~0ULL, is_write});
    }
    return !pointed.is_unclear;
  };
  const Function& function = a.plan->function();
  const std::span<const ValueId> list = function.operands_of(i);
  const auto bytes = [&](ValueId v) { return std::optional<std::uint64_t>((function.values[v].width + 7) / 8); };
  const auto number = [&](ValueId v) {
    const Term size = value(a, v);
    return terms_.is_constant(size) ? std::optional(terms_.value(size).to_uint64()) : std::nullopt;
  };
  bool is_clear = true;
  switch (i.kind) {
    case Kind::Load:
      is_clear = add(list[0], bytes(i.first_result), false);
      break;
    case Kind::Store:
      is_clear = add(list[0], bytes(list[1]), true);
      break;
    case Kind::CopyMemory:
      is_clear = add(list[0], number(list[2]), true) && add(list[1], number(list[2]), false);
      break;
    case Kind::FillMemory:
      is_clear = add(list[0], number(list[2]), true);
      break;
    case Kind::Return:
      // Others see that the objects of the call end.
      for (const ObjectId object : a.stack_objects)
        if (a.now.memory.find(object) != nullptr) found.push_back({object, 0, ~0ULL, true});
      break;
    default:
      for (const ValueId v : list)
        if (function.values[v].width == world_.pointer_width()) is_clear = add(v, std::nullopt, true) && is_clear;
  }
  if (!is_clear) return std::nullopt;
  return found;
}

bool Executor::is_shared_access(Activation& a, const Instruction& i) {
  if (i.kind == Kind::Intrinsic && i.intrinsic() != Intrinsic::EnterScope && i.intrinsic() != Intrinsic::LeaveScope)
    return true;
  const auto touched = accesses(a, i);
  if (!touched) return true;
  return std::ranges::any_of(*touched, [&](const SharedAccesses::Range& range) {
    return world_.shared_accesses.is_shared(current_->number, range);
  });
}

void Executor::note_accesses(Activation& a, const Instruction& i) {
  if (!semantics::is_visible(a.plan->function(), i, true)) return;
  if (i.kind == Kind::Intrinsic) {
    const Intrinsic what = i.intrinsic();
    if (what >= Intrinsic::MutexLock && what <= Intrinsic::Fence) return;
    if (what == Intrinsic::Nondet || what == Intrinsic::ThreadSelf || what == Intrinsic::UnsetMemory) return;
  }
  if (terms_.is_false(a.now.rules().has_others(current_->number))) return;
  const auto touched = accesses(a, i);
  if (i.kind == Kind::CopyMemory || i.kind == Kind::FillMemory)
    assumptions_.insert("a copy or fill of memory that threads share is one step");
  if (!touched) return world_.shared_accesses.add_unclear(current_->number);
  for (const SharedAccesses::Range& range : *touched) world_.shared_accesses.add(current_->number, range);
}

Term Executor::blocks(Activation& a, const Position& position) {
  const Instruction& i = a.plan->function().instructions[position.instruction()];
  const bool is_second_half = position.is_second_half;
  if (!is_blocking(i) || (i.intrinsic() == Intrinsic::CondWait && !is_second_half)) return terms_.boolean(false);
  const std::vector<Term> arguments = operands(a, i);
  if (i.intrinsic() == Intrinsic::ThreadJoin) return a.now.rules().joining_blocks(current_->number, arguments[0]);
  const auto mutexes = mutexes_at(arguments[is_second_half ? 1 : 0]);
  return mutexes ? a.now.rules().blocks(current_->number, *mutexes) : terms_.boolean(false);
}

bool Executor::goes_on(Activation& a, const Position& position) {
  const Term blocked = blocks(a, position);
  const Instruction& i = a.plan->function().instructions[position.instruction()];
  if (a.now.sections > 0) {
    ++a.next;
    const bool is_lost = gap(a, blocked, "waiting for another thread inside an atomic section");
    --a.next;
    return !is_lost;
  }
  Term stays = blocked;
  if (const Term others = a.now.rules().has_others(current_->number); !terms_.is_false(others)) {
    const auto part = static_cast<std::uint32_t>(kSwitchPart + 2 * context_ + (position.is_second_half ? 1 : 0));
    const Term chosen = world_.variable({place(a), position.instruction(), part}, 1, "switch");
    stays = terms_.bit_or(blocked, terms_.bit_and(others, chosen));
  }
  if (!terms_.is_false(stays)) {
    const PathId path = a.now.path;
    const PathId left = world_.paths.child(path, stays);
    stand(a, position, left);
    stop(a.now, left);
    a.now.path = world_.paths.child(path, terms_.bit_not(stays));
    if (world_.paths.is_impossible(a.now.path)) return false;
  }
  const Term had_moved = std::exchange(a.now.rules().has_moved, terms_.boolean(true));
  if (i.kind == Kind::Intrinsic && i.intrinsic() == Intrinsic::AtomicBegin)
    a.now.attempt = std::make_shared<Attempt>(Attempt{position, without_memory(a.now), had_moved});
  return true;
}

void Executor::run_from(Arrived arrived) {
  budget_.check();
  const Position& position = arrived.position;
  Activation& a = *position.call;
  has_section_conflict_ = false;
  a.now = joined(std::move(arrived.states));
  restore(a, position);
  if (has_section_conflict_) {
    ++a.next;
    gap(a, "an atomic section that only some of the paths to here are in");
    return;
  }
  if (!position.before && a.caller == nullptr && a.block == 0) {
    note(a, current_->number, OperationKind::Start);
    a.now.rules().has_moved = terms_.boolean(true);
  }
  if (!position.before && !go_round(a)) return;
  bool is_decided = position.before && is_switch(a, a.next);
  if (is_decided && !goes_on(a, position)) return;
  is_second_half_ = position.is_second_half;
  const Function& function = a.plan->function();
  for (;; is_decided = false) {
    const InstructionId id = a.next;
    if (!is_decided && is_switch(a, id)) {
      a.now.values = kept(a, id);
      return arrive({&a, a.key, a.block, id}, std::move(a.now));
    }
    ++a.next;
    if (++steps_ % 256 == 0) budget_.check();
    could_stop_ = is_decided || a.now.sections > 0;
    note_accesses(a, function.instructions[id]);
    const Step step = execute(a, id, function.instructions[id]);
    is_second_half_ = false;
    if (step != Step::Next) return;
  }
}

Executor::Activation& Executor::call_from(Activation& a, FunctionId function) {
  const InstructionId at = a.next - 1;
  Key prefix = a.prefix;
  prefix.insert(prefix.end(), a.key.begin(), a.key.end());
  prefix.push_back(in_instruction(a.plan->function().blocks[a.block], at));
  prefix.push_back(function);
  Activation*& known = current_->call_at[prefix];
  if (known != nullptr) return *known;
  known = &make_call(*current_, function, world_.place({place(a), at, function}));
  known->caller = &a;
  known->is_in_output = a.is_in_output || semantics::is_output(known->plan->function());
  known->prefix = std::move(prefix);
  known->called_in = a.key;
  known->called_at = at;
  const Activation* outer = &a;
  while (outer != nullptr && outer->function != function) outer = outer->caller;
  known->counted = outer == nullptr ? 0 : outer->counted + 1;
  return *known;
}

void Executor::enter_in_thread(Activation& a, const Callee& callee, std::span<const Term> arguments) {
  Activation& called = call_from(a, callee.function);
  if (called.counted > 0) {
    const Term condition = world_.paths.condition(callee.path);
    const bool is_possible = is_possible_(terms_.bit_and(condition, record_.going_on()));
    const bool is_too_deep = called.counted > bound_;
    if (is_possible && is_too_deep) record_.add(Record::Kind::Cut, condition, kUnwindingCut);
    if (!is_possible || is_too_deep) return world_.paths.mark_ended(callee.path);
  }
  State start = without_memory(a.now);
  start.path = callee.path;
  start.memory = a.now.memory;
  start.threads = a.now.threads;
  std::vector<Term> behind;
  const Instruction& call = a.plan->function().instructions[called.called_at];
  for (const ValueId v : thread_plan(a.function).live_before(called.called_at + 1))
    behind.push_back(v - call.first_result < call.result_count ? Term{} : a.values[v]);
  start.callers.push_back({std::move(behind), std::exchange(start.rounds, {})});
  start.values.clear();
  const Function& function = world_.program.functions[callee.function];
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const ValueId parameter = function.parameters[p];
    start.values.push_back(p < arguments.size()
                               ? arguments[p]
                               : world_.variable({called.context, program::kNone, static_cast<std::uint32_t>(p) + 1},
                                                 function.values[parameter].width, function.value_names[parameter]));
  }
  called.now = std::move(start);
  if (function.is_variadic) pass_variadic(called, function, arguments);
  arrive({&called, {called.plan->order().rank(0)}, 0}, std::move(called.now));
}

void Executor::return_in_thread(Activation& a, std::vector<Term> results) {
  // Another thread may have a pointer to what is gone.
  for (const ObjectId object : a.stack_objects)
    if (a.now.memory.find(object) != nullptr) a.now.memory.writable(object) = {{}, terms_.boolean(false)};
  if (a.caller == nullptr) {
    if (current_->number == 0) return end_program(a);
    return end_thread(a, results.empty() ? world_.pointer_constant(0) : results[0]);
  }
  Activation& caller = *a.caller;
  const Instruction& call = caller.plan->function().instructions[a.called_at];
  State state = std::move(a.now);
  Caller top = std::move(state.callers.back());
  state.callers.pop_back();
  state.rounds = std::move(top.rounds);
  state.values = std::move(top.values);
  const std::span<const ValueId> live = thread_plan(caller.function).live_before(a.called_at + 1);
  for (std::size_t k = 0; k < live.size(); ++k)
    if (live[k] - call.first_result < call.result_count) state.values[k] = results[live[k] - call.first_result];
  arrive({&caller, a.called_in, thread_plan(caller.function).block_of(a.called_at), a.called_at + 1}, std::move(state));
}

void Executor::end_thread(Activation& a, Term result) {
  for (const Activation* call = &a; call != nullptr; call = call->caller)
    for (const ObjectId object : call->stack_objects)
      if (a.now.memory.find(object) != nullptr) a.now.memory.writable(object) = {{}, terms_.boolean(false)};
  a.now.rules().end(current_->number, result);
  stop(a.now, a.now.path);
}

void Executor::cut_contexts(const State& shared) {
  Term goes_on = terms_.boolean(false);
  for (Thread& thread : threads_) {
    current_ = &thread;
    for (auto& [key, at] : thread.stands) {
      Activation& a = *at.position.call;
      a.now = at.state;
      a.now.path = shared.path;
      a.now.memory = shared.memory;
      a.now.threads = shared.threads;
      restore(a, at.position);
      const Term blocked = at.position.before ? blocks(a, at.position) : terms_.boolean(false);
      goes_on = terms_.bit_or(goes_on, terms_.bit_and(at.when, terms_.bit_not(blocked)));
    }
  }
  record_.add(Record::Kind::Cut, terms_.bit_and(world_.paths.condition(shared.path), goes_on), kContextsCut);
}

}  // namespace plumb::unroll
