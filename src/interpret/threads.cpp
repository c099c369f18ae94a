// Threads take turns: one runs until it blocks, ends, yields or makes way for an atomic section, then the next one in
// the order of creation that may run. An instruction that blocks is executed again when its thread's turn comes, so it
// needs no state but what it waits for. What may run, and what the calls do, are the rules of semantics/threads.h.

#include "interpret/threads.h"

#include <fmt/format.h>

#include "interpret/machine.h"
#include "semantics/intrinsics.h"

namespace plumb::interpret {

using semantics::Effect;
using semantics::ThreadError;

Thread& Machine::add_thread() {
  threads.push_back(std::make_unique<Thread>());
  threads.back()->index = thread_rules.create();
  return *threads.back();
}

Decoded* Machine::yield(Decoded* resume) {
  thread->resume = resume;
  if (!thread->is_retrying) thread_rules.changed();
  return next_thread(resume);
}

Decoded* Machine::go_on_with(std::size_t t) {
  const ThreadRules::Wait::Kind waits_for = thread_rules.wait_of(t).kind;
  thread = threads[t].get();
  // Blocking has ended its step, even if nobody else ran since.
  if (scheduler != nullptr && waits_for != ThreadRules::Wait::Kind::Nothing)
    result.schedule.push_back({static_cast<std::uint32_t>(t), 0});
  if (scheduler != nullptr) current_step();
  if (waits_for == ThreadRules::Wait::Kind::Condition) {
    thread_rules.wake_unasked(t);
  } else if (!thread_rules.can_run(t)) {
    thread->is_over_time = true;
  }
  thread_rules.resumed(t);
  activate();
  return thread->resume;
}

Decoded* Machine::next_thread(const Decoded* at) {
  if (thread_rules.have_all_ended()) throw ExitCalled{0};
  if (thread_rules.is_deadlock() && !(is_ordered() && scheduler->wakes_next(thread_rules))) deadlock(at);
  if (is_ordered())
    return go_on_with(asked(at, [&](Scheduler& s) { return s.after_stop(thread_rules, thread->index); }));
  for (std::size_t i = 1; i <= threads.size(); ++i) {
    const std::size_t t = (thread->index + i) % threads.size();
    if (thread_rules.may_run(t)) return go_on_with(t);
  }
  std::size_t late = 0;
  while (!thread_rules.can_time_out(late)) ++late;
  return go_on_with(late);
}

Decoded* Machine::end_thread(const Decoded* at, std::uint64_t value) {
  Thread& t = *thread;
  const CodePoint site = here(at);
  tell_of(OperationEvent::Kind::End, at);
  kill_stack_objects(t, 0, site);
  for (const ObjectId object : t.local_objects) kill(object, Life::Returned, site);
  t.local_objects.clear();
  settle_thread(t, 0, at, true);
  t.frames.clear();
  thread_rules.end(t.index, value);
  thread_rules.changed();
  return next_thread(at);
}

namespace {

/// The library call, or the user's function, that waits for a change.
std::string waiting_call(const Thread& t) {
  const auto user = std::find_if(t.frames.rbegin(), t.frames.rend(),
                                 [](const Frame& frame) { return !frame.code->function->is_model; });
  const auto called = user == t.frames.rbegin() ? user : std::prev(user);
  return fmt::format("{}()", called->code->function->name);
}

}  // namespace

void Machine::deadlock(const Decoded* at) {
  using Kind = ThreadRules::Wait::Kind;
  std::string text;
  for (const std::unique_ptr<Thread>& t : threads) {
    if (thread_rules.has_ended(t->index)) continue;
    text += fmt::format("{}thread {} waits for ", text.empty() ? "" : ", ", t->index + 1);
    const ThreadRules::Wait& wait = thread_rules.wait_of(t->index);
    if (wait.kind == Kind::Thread)
      text += fmt::format("thread {} to end", wait.thread + 1);
    else if (wait.kind == Kind::Mutex)
      text +=
          fmt::format("mutex {}, held by thread {}", describe_address(wait.what), *thread_rules.owner(wait.what) + 1);
    else if (wait.kind == Kind::Change)
      text += "others in " + waiting_call(*t);
    else
      text += fmt::format("condition {}", describe_address(wait.what));
  }
  // The one that blocked last is the current one, unless it ended: then the first that waits has the stack to show.
  if (thread_rules.has_ended(thread->index)) {
    for (const std::unique_ptr<Thread>& t : threads) {
      if (thread_rules.has_ended(t->index)) continue;
      thread = t.get();
      activate();
      at = t->resume;
      break;
    }
  }
  fault(at, FaultKind::Deadlock, "no thread can go on: " + text);
}

namespace {

/// The call gives what the rules say, or is made again when its thread can run. It may have let one go on that blocked
/// inside an atomic section.
Decoded* finish(Decoded* at, Machine& m, ThreadRules::Outcome outcome) {
  if (!outcome) {
    // A wait for a condition has given the mutex back; all else that blocks has done nothing.
    if (m.thread_rules.wait_of(m.thread->index).kind != ThreadRules::Wait::Kind::Condition) m.take_back(1);
    return m.yield(at);
  }
  m.give(at, static_cast<std::uint64_t>(*outcome));
  return m.thread_rules.may_run(m.thread->index) ? at + 1 : m.yield(at + 1);
}

}  // namespace

Decoded* thread_create(Decoded* at, std::uint64_t*, Machine& m) {
  const FunctionId id = m.function_at(at, m.argument(at, 2));
  const Function& function = m.program.functions[id];
  if (!function.has_body())
    m.unsupported(at, fmt::format("a thread that runs '{}', which has no body and no model", function.name));
  FunctionCode& callee = m.code.function(id);
  if (callee.parameter_words > 1)
    m.fault(at, FaultKind::InvalidCall,
            fmt::format("a thread runs '{}', which has more than one parameter", function.name));
  const std::uint64_t argument = m.argument(at, 3);
  Thread& creator = *m.thread;
  Thread& t = m.add_thread();
  m.store_word(at, m.argument(at, 0), t.index + 1, m.pointer_bytes());
  m.give(at, 0);
  m.make_thread_locals(t);
  m.thread = &t;
  std::uint64_t* slots = m.push_frame(callee, nullptr);
  if (callee.parameter_words == 1) slots[0] = argument;
  m.frame().bottom = Bottom::Thread;
  if (m.definedness != nullptr) m.definedness->enter_frame();
  t.resume = m.enter_function(callee);
  m.thread = &creator;
  if (m.races != nullptr) m.races->created(creator.index, t.index);
  return at + 1;
}

Decoded* thread_join(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t joined = m.argument(at, 0) - 1;
  const ThreadRules::Outcome outcome = m.thread_rules.join(m.thread->index, joined);
  if (outcome == ThreadError::None) {
    if (m.races != nullptr) m.races->joined(m.thread->index, joined);
    if (const std::uint64_t to = m.argument(at, 1); to != 0)
      m.store_word(at, to, m.thread_rules.result(joined), m.pointer_bytes());
  }
  return finish(at, m, outcome);
}

Decoded* thread_exit(Decoded* at, std::uint64_t*, Machine& m) { return m.end_thread(at, m.argument(at, 0)); }

Decoded* thread_self(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, m.thread->index + 1);
  return at + 1;
}

Decoded* thread_yield(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, 0);
  return m.yield(at + 1);
}

Decoded* thread_wait(Decoded* at, std::uint64_t*, Machine& m) {
  if (!m.thread_rules.is_atomic(m.thread->index)) return m.yield(at + 1);
  return m.retract_section(at, false);
}

Decoded* thread_timed_wait(Decoded* at, std::uint64_t*, Machine& m) {
  const bool is_over = std::exchange(m.thread->is_over_time, false) || (m.is_ordered() && m.scheduler->is_over_time());
  if (!is_over && m.thread_rules.is_atomic(m.thread->index)) return m.retract_section(at, true);
  m.give(at, 1);
  return at + 1;
}

Decoded* atomic_begin(Decoded* at, std::uint64_t*, Machine& m) {
  m.begin_section(at);
  m.thread_rules.begin_atomic(m.thread->index);
  return at + 1;
}

Decoded* atomic_end(Decoded* at, std::uint64_t*, Machine& m) {
  m.end_section();
  m.thread_rules.end_atomic(m.thread->index);
  return at + 1;
}

namespace {

/// Of a call that is through: what it says of the order of threads.
void order(Machine& m, Effect effect, std::uint64_t mutex) {
  if (m.races == nullptr) return;
  if (effect == Effect::Unlock) {
    m.races->unlocked(m.thread->index, mutex);
  } else {
    m.races->locked(m.thread->index, mutex);
  }
}

}  // namespace

Decoded* mutex_call(Decoded* at, std::uint64_t*, Machine& m) {
  const semantics::IntrinsicRule& rule = semantics::rule_of(m.intrinsic_at(at));
  const std::uint64_t mutex = m.argument(at, 0);
  if (rule.use) m.access(at, mutex, 1, rule.use->kind);
  const std::size_t self = m.thread->index;
  ThreadRules::Outcome outcome;
  if (rule.effect == Effect::Lock) {
    outcome = m.thread_rules.lock(self, mutex);
  } else if (rule.effect == Effect::TryLock) {
    outcome = m.thread_rules.try_lock(self, mutex);
  } else {
    outcome = m.thread_rules.unlock(self, mutex);
  }
  if (outcome == ThreadError::None) order(m, rule.effect, mutex);
  return finish(at, m, outcome);
}

Decoded* mutex_kind(Decoded* at, std::uint64_t*, Machine& m) {
  m.thread_rules.set_kind(m.argument(at, 0), static_cast<semantics::MutexKind>(m.argument(at, 1)));
  return at + 1;
}

Decoded* cond_wait(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t mutex = m.argument(at, 1);
  const bool is_timed = m.intrinsic_at(at) == Intrinsic::CondTimedWait;
  const ThreadRules::Outcome outcome = m.thread_rules.wait(m.thread->index, m.argument(at, 0), mutex, is_timed);
  if (outcome == ThreadError::None || outcome == ThreadError::TimedOut) {
    order(m, Effect::Lock, mutex);
  } else if (m.thread_rules.wait_of(m.thread->index).kind == ThreadRules::Wait::Kind::Condition) {
    order(m, Effect::Unlock, mutex);
  }
  return finish(at, m, outcome);
}

Decoded* cond_signal(Decoded* at, std::uint64_t*, Machine& m) {
  const std::vector<std::size_t> waiting = m.thread_rules.waiting(m.argument(at, 0));
  if (!waiting.empty()) {
    std::size_t woken = waiting.front();
    if (m.is_ordered()) {
      woken = m.asked(at, [&](Scheduler& s) { return s.woken(waiting); });
      m.current_step().woken = static_cast<std::uint32_t>(woken);
    }
    m.thread_rules.wake(woken);
  }
  return finish(at, m, ThreadError::None);
}

Decoded* cond_broadcast(Decoded* at, std::uint64_t*, Machine& m) {
  m.thread_rules.broadcast(m.argument(at, 0));
  return finish(at, m, ThreadError::None);
}

}  // namespace plumb::interpret
