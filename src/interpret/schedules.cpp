// Where threads go on in an order that somebody gives, each visible operation may be the last of a turn: the scheduler
// is asked before it. An operation counts as made when its turn comes, and is taken back if it blocks without an
// effect. So the steps that are written down are those that a schedule means (result/schedule.h), and following them
// makes the same run. An atomic section that waits is taken back as a whole: its thread stands where it began it, with
// the values of then, and begins it again later.

#include <algorithm>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "semantics/visible.h"

namespace plumb::interpret {

using program::Block;
using program::kSynthetic;

Decoded* Machine::step_in_order(Decoded* at) {
  // Before an access to a thread-local variable its address is computed, in a Decoded of the same source.
  const bool is_visible =
      at->run != &plumb::interpret::thread_local_address &&
      semantics::is_visible(*frame().code->function, source(at), frame().code->has_variables_in_memory);
  const bool is_operation = is_visible && !frame().is_in_output;
  if (observer != nullptr && (is_operation || !has_shown)) show(at);
  if (is_operation) {
    tell_operation();
    if (is_ordered()) {
      const std::size_t self = thread->index;
      const std::size_t next = asked(at, [&](Scheduler& s) { return s.before_operation(thread_rules, self); });
      if (next != self) {
        thread->resume = at;
        if (!thread->is_retrying) thread_rules.changed();
        return go_on_with(next);
      }
    }
    if (scheduler != nullptr) ++current_step().operations;
    ++result.operations;
    if (options.on_operation) begin_operation(at);
  }
  if (is_visible && races != nullptr) find_races(at);
  return options.on_store ? step_and_tell(at) : step(at);
}

result::ScheduleStep& Machine::current_step() {
  const auto self = static_cast<std::uint32_t>(thread->index);
  std::vector<result::ScheduleStep>& steps = result.schedule;
  if (steps.empty() || steps.back().thread != self || steps.back().woken != result::kNobody) steps.push_back({self, 0});
  return steps.back();
}

void Machine::take_back(std::uint64_t operations) {
  if (scheduler == nullptr && races == nullptr) return;
  result.operations -= std::min(result.operations, operations);
  if (scheduler == nullptr) return;
  result::ScheduleStep& step = current_step();
  step.operations -= std::min(step.operations, operations);
  if (is_ordered()) scheduler->taken_back(operations);
}

void Machine::begin_section(Decoded* at) {
  if (races != nullptr) {
    const bool is_model = frame().code->function->is_model;
    const bool is_operation = (source(at).flags & kSynthetic) != 0;
    races->begin_section(thread->index, is_operation ? Races::Section::Operation
                                        : is_model   ? Races::Section::Model
                                                     : Races::Section::User);
  }
  if (!code.has_section_waits) return;
  SectionStart& start = thread->sections.emplace_back();
  start.begin = at;
  start.frame = thread->frames.size() - 1;
  start.stack_objects = thread->stack_objects.size();
  start.operations = result.operations - 1;
  const auto first = static_cast<std::ptrdiff_t>(frame().base);
  const auto last = first + frame().code->slot_count;
  start.slots.assign(thread->slots.begin() + first, thread->slots.begin() + last);
  if (definedness == nullptr) return;
  start.undefined.assign(thread->undefined.begin() + first, thread->undefined.begin() + last);
  start.origins.assign(thread->origins.begin() + first, thread->origins.begin() + last);
}

void Machine::end_section() {
  if (races != nullptr) races->end_section(thread->index);
  if (!thread->sections.empty()) thread->sections.pop_back();
  if (thread->sections.empty()) thread->is_retrying = false;
}

Decoded* Machine::retract_section(Decoded* at, bool is_timed) {
  Thread& t = *thread;
  if (t.sections.empty() || t.sections.back().frame >= t.frames.size())
    unsupported(at, "a wait in an atomic section that another function has begun");
  const SectionStart start = std::move(t.sections.back());
  t.sections.pop_back();
  if (races != nullptr) races->end_section(t.index);
  take_back(result.operations - start.operations);
  if (!std::exchange(t.is_retrying, true)) thread_rules.changed();
  thread_rules.retract_section(t.index, is_timed);

  // As for a jump: what is left of the blocks is not executed, and that of the section's will be once more.
  settle_thread(t, start.frame, at, true);
  kill_stack_objects(t, start.stack_objects, here(at));
  t.frames.resize(start.frame + 1);
  activate();
  std::ranges::copy(start.slots, slots);
  if (definedness != nullptr) {
    const auto first = static_cast<std::ptrdiff_t>(frame().base);
    std::ranges::copy(start.undefined, t.undefined.begin() + first);
    std::ranges::copy(start.origins, t.origins.begin() + first);
  }
  const FunctionCode& in = *frame().code;
  const Block& block = in.function->blocks[in.block_of[start.begin->source]];
  instructions += block.first_instruction + block.instruction_count - start.begin->source;
  return yield(start.begin);
}

}  // namespace plumb::interpret
