// Threads take turns: one runs until it blocks, ends or yields, then the next one in the order of creation that can
// run. An instruction that blocks is executed again when its thread's turn comes, so it needs no state but what it
// waits for. One that would block inside an atomic section lets others run, for nobody could go on else. The state of
// mutexes is kept here, by address; the program's bytes of a mutex are never looked at.

#include "interpret/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "interpret/machine.h"

namespace plumb::interpret {

Thread& Machine::add_thread() {
  threads.push_back(std::make_unique<Thread>());
  threads.back()->index = threads.size() - 1;
  return *threads.back();
}

bool Machine::can_run(const Thread& t) const {
  if (t.has_ended) return false;
  switch (t.wait.kind) {
    case Wait::Kind::Nothing:
      return true;
    case Wait::Kind::Thread:
      return threads[t.wait.what]->has_ended;
    case Wait::Kind::Mutex:
      return !mutex_owner.contains(t.wait.what);
    case Wait::Kind::Condition:
      break;
  }
  return false;
}

Decoded* Machine::yield(Decoded* resume) {
  thread->resume = resume;
  return next_thread(resume);
}

Decoded* Machine::next_thread(const Decoded* at) {
  for (std::size_t i = 1; i <= threads.size(); ++i) {
    Thread& t = *threads[(thread->index + i) % threads.size()];
    if (!can_run(t)) continue;
    t.wait = {};
    thread = &t;
    activate();
    return t.resume;
  }
  const bool all_ended = std::all_of(threads.begin(), threads.end(), [](const auto& t) { return t->has_ended; });
  if (all_ended) throw ExitCalled{0};
  deadlock(at);
}

Decoded* Machine::end_thread(const Decoded* at, std::uint64_t value) {
  Thread& t = *thread;
  const CodePoint site = here(at);
  kill_stack_objects(t, 0, site);
  for (const ObjectId object : t.local_objects) kill(object, Life::Returned, site);
  t.local_objects.clear();
  settle_thread(t, 0, at, true);
  t.frames.clear();
  t.result = value;
  t.has_ended = true;
  return next_thread(at);
}

void Machine::deadlock(const Decoded* at) {
  std::string text;
  for (const std::unique_ptr<Thread>& t : threads) {
    if (t->has_ended) continue;
    text += fmt::format("{}thread {} waits for ", text.empty() ? "" : ", ", t->index + 1);
    switch (t->wait.kind) {
      case Wait::Kind::Thread:
        text += fmt::format("thread {} to end", t->wait.what + 1);
        break;
      case Wait::Kind::Mutex:
        text += fmt::format("mutex {}, held by thread {}", describe_address(t->wait.what),
                            mutex_owner.at(t->wait.what) + 1);
        break;
      default:
        text += fmt::format("condition {}", describe_address(t->wait.what));
    }
  }
  // The one that blocked last is the current one, unless it ended: then the first that waits has the stack to show.
  if (thread->has_ended) {
    for (const std::unique_ptr<Thread>& t : threads) {
      if (t->has_ended) continue;
      thread = t.get();
      activate();
      at = t->resume;
      break;
    }
  }
  fault(at, FaultKind::Deadlock, "no thread can go on: " + text);
}

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
  return at + 1;
}

Decoded* thread_join(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t index = m.argument(at, 0) - 1;
  if (index >= m.threads.size()) {
    m.give(at, ESRCH);
    return at + 1;
  }
  Thread& t = *m.threads[index];
  if (t.was_joined || &t == m.thread) {
    m.give(at, t.was_joined ? EINVAL : EDEADLK);
    return at + 1;
  }
  if (!t.has_ended) {
    m.thread->wait = {Wait::Kind::Thread, index};
    return m.yield(at);
  }
  t.was_joined = true;
  if (const std::uint64_t to = m.argument(at, 1); to != 0) m.store_word(at, to, t.result, m.pointer_bytes());
  m.give(at, 0);
  return at + 1;
}

Decoded* thread_exit(Decoded* at, std::uint64_t*, Machine& m) { return m.end_thread(at, m.argument(at, 0)); }

Decoded* thread_self(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, m.thread->index + 1);
  return at + 1;
}

Decoded* thread_yield(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, 0);
  return m.thread->atomic_depth > 0 ? at + 1 : m.yield(at + 1);
}

Decoded* atomic_begin(Decoded* at, std::uint64_t*, Machine& m) {
  ++m.thread->atomic_depth;
  return at + 1;
}

Decoded* atomic_end(Decoded* at, std::uint64_t*, Machine& m) {
  if (m.thread->atomic_depth > 0) --m.thread->atomic_depth;
  return at + 1;
}

Decoded* mutex_lock(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t mutex = m.argument(at, 0);
  m.access(at, mutex, 1, AccessKind::Write);
  if (!m.mutex_owner.try_emplace(mutex, m.thread->index).second) {
    m.thread->wait = {Wait::Kind::Mutex, mutex};
    return m.yield(at);
  }
  m.give(at, 0);
  return at + 1;
}

Decoded* mutex_try_lock(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t mutex = m.argument(at, 0);
  m.access(at, mutex, 1, AccessKind::Write);
  m.give(at, m.mutex_owner.try_emplace(mutex, m.thread->index).second ? 0 : EBUSY);
  return at + 1;
}

Decoded* mutex_unlock(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t mutex = m.argument(at, 0);
  m.access(at, mutex, 1, AccessKind::Write);
  const auto it = m.mutex_owner.find(mutex);
  const bool is_owner = it != m.mutex_owner.end() && it->second == m.thread->index;
  if (is_owner) m.mutex_owner.erase(it);
  m.give(at, is_owner ? 0 : EPERM);
  return at + 1;
}

Decoded* cond_wait(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t mutex = m.argument(at, 1);
  Thread& t = *m.thread;
  if (t.was_woken) {
    if (!m.mutex_owner.try_emplace(mutex, t.index).second) {
      t.wait = {Wait::Kind::Mutex, mutex};
      return m.yield(at);
    }
    t.was_woken = false;
    m.give(at, 0);
    return at + 1;
  }
  const auto it = m.mutex_owner.find(mutex);
  if (it == m.mutex_owner.end() || it->second != t.index) {
    m.give(at, EPERM);
    return at + 1;
  }
  m.mutex_owner.erase(it);
  t.wait = {Wait::Kind::Condition, m.argument(at, 0), m.next_ticket++};
  return m.yield(at);
}

namespace {

/// Wakes the one that has waited longest; false if there is none.
bool wake_one(Machine& m, std::uint64_t condition) {
  Thread* first = nullptr;
  for (const std::unique_ptr<Thread>& t : m.threads) {
    if (t->wait.kind != Wait::Kind::Condition || t->wait.what != condition) continue;
    if (first == nullptr || t->wait.ticket < first->wait.ticket) first = t.get();
  }
  if (first == nullptr) return false;
  first->wait = {};
  first->was_woken = true;
  return true;
}

}  // namespace

Decoded* cond_signal(Decoded* at, std::uint64_t*, Machine& m) {
  wake_one(m, m.argument(at, 0));
  m.give(at, 0);
  return at + 1;
}

Decoded* cond_broadcast(Decoded* at, std::uint64_t*, Machine& m) {
  while (wake_one(m, m.argument(at, 0))) {
  }
  m.give(at, 0);
  return at + 1;
}

}  // namespace plumb::interpret
