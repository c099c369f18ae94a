#include "interpret/observe.h"

#include <utility>

#include "interpret/code.h"
#include "interpret/machine.h"

namespace plumb::interpret {

Sight Machine::sight(const Decoded* at) {
  Sight made;
  made.steps_left = scheduler == nullptr ? 0 : scheduler->steps_left();
  made.inputs = result.inputs.size();
  for (const std::unique_ptr<Thread>& t : threads) {
    const Decoded* next = t.get() == thread && at != nullptr ? at : t->resume;
    if (t->frames.empty() || next == nullptr) continue;
    made.standing.push_back({t->frames.back().code->id, next->source});
  }
  made.holds = [this](program::FunctionId condition) { return holds(condition); };
  return made;
}

bool Machine::holds(program::FunctionId condition) {
  // By nobody: neither the order of threads nor anybody who is told of the run has to do with it.
  Thread reader;
  reader.index = thread->index;
  Thread* const current = std::exchange(thread, &reader);
  std::unique_ptr<Scheduler> its_scheduler = std::move(scheduler);
  std::unique_ptr<Races> its_races = std::move(races);
  const auto* its_observer = std::exchange(observer, nullptr);
  const std::uint64_t before = instructions;
  const bool result_of_it = call_and_run(condition, {}) != 0;
  instructions = before;
  observer = its_observer;
  races = std::move(its_races);
  scheduler = std::move(its_scheduler);
  thread = current;
  if (!thread->frames.empty()) activate();
  return result_of_it;
}

void Machine::show(const Decoded* at) {
  has_shown = true;
  if (thread_rules.is_atomic(thread->index)) return;
  if (!(*observer)(sight(at))) end(at, RunResult::End::OutOfBudget, "enough was seen");
}

RunResult observe(const Program& program, const InterpreterOptions& options, const Budget& budget,
                  const std::function<bool(const Sight& sight)>& see) {
  Code code(program);
  Machine machine(code, options, budget);
  machine.observer = &see;
  RunResult result = machine.run();
  if (result.end != RunResult::End::Exit && result.end != RunResult::End::Fault) return result;
  Sight last = machine.sight(nullptr);
  last.is_end = true;
  last.inputs = result.inputs.size();
  see(last);
  return result;
}

}  // namespace plumb::interpret
