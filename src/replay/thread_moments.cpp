#include "replay/thread_moments.h"

#include <algorithm>

namespace plumb::replay {

using interpret::OperationEvent;
using program::Instruction;
using program::Intrinsic;
using program::Kind;
using semantics::ThreadCall;

namespace {

constexpr std::size_t kMost = 1'000'000;

bool is_intrinsic(const Instruction& i, Intrinsic which) { return i.kind == Kind::Intrinsic && i.intrinsic() == which; }

bool waits_for_condition(const Instruction& i) {
  return is_intrinsic(i, Intrinsic::CondWait) || is_intrinsic(i, Intrinsic::CondTimedWait);
}

ThreadMoment moment_of(ThreadMoment::Kind kind, const OperationEvent& event, std::optional<ThreadCall> call = {}) {
  ThreadMoment moment;
  moment.kind = kind;
  moment.thread = event.thread;
  moment.user = event.user;
  if (!call) return moment;
  moment.call = call;
  moment.argument = event.argument;
  moment.memory = event.subject;
  return moment;
}

}  // namespace

bool has_store_buffers(const program::Program& program) {
  return std::ranges::find(program.functions, "plumb_tso_store", &program::Function::name) != program.functions.end();
}

ThreadMoments::Thread& ThreadMoments::thread(std::size_t t) {
  if (t >= threads_.size()) threads_.resize(t + 1);
  return threads_[t];
}

std::size_t ThreadMoments::add(ThreadMoment moment) {
  moments_.emplace_back(std::move(moment));
  return moments_.size() - 1;
}

std::optional<ThreadCall> ThreadMoments::call_of(const OperationEvent& event) const {
  const Instruction& i = instruction(event.user);
  if (i.kind == Kind::Intrinsic) return semantics::thread_call(i.intrinsic());
  if (i.kind == Kind::Call && program_.functions[i.parameter].is_model)
    return semantics::thread_call(program_.functions[i.parameter].name);
  return std::nullopt;
}

std::size_t ThreadMoments::take_call(const OperationEvent& event, ThreadCall call) {
  Thread& t = thread(event.thread);
  std::erase_if(t.calls, [&](const OpenCall& open) { return open.depth > event.depth; });
  const bool is_same = !t.calls.empty() && t.calls.back().depth == event.depth && t.calls.back().user == event.user;
  // A call that is one instruction is made anew each time, unless it waits.
  const bool is_direct = event.at == event.user;
  if (!is_same || (is_direct && !t.calls.back().has_waited)) {
    if (!t.calls.empty() && t.calls.back().depth == event.depth) t.calls.pop_back();
    t.calls.push_back({event.depth, event.user});
  }
  OpenCall& open = t.calls.back();
  ThreadMoment moment = moment_of(ThreadMoment::Kind::Call, event, call);
  if (open.moment == kNone) {
    open.moment = add(std::move(moment));
    open.has_waited = waits_for_condition(instruction(event.at));
    return open.moment;
  }
  if (!open.has_waited || open.wake != kNone) return kNone;
  moment.kind = ThreadMoment::Kind::Wake;
  open.wake = add(std::move(moment));
  if (is_direct) t.calls.pop_back();
  return moments_.size() - 1;
}

std::size_t ThreadMoments::take_access(const OperationEvent& event) {
  Thread& t = thread(event.thread);
  const Instruction& i = instruction(event.at);
  const bool is_access =
      i.kind == Kind::Load || i.kind == Kind::Store || i.kind == Kind::CopyMemory || i.kind == Kind::FillMemory;
  const bool begins = is_intrinsic(i, Intrinsic::AtomicBegin) && (i.flags & program::kSynthetic) != 0;
  ThreadMoment moment = moment_of(ThreadMoment::Kind::Access, event);
  moment.is_own = event.at == event.user && (begins || (is_access && (i.flags & program::kSynthetic) == 0));
  if (begins) return t.update = add(std::move(moment));
  ThreadMoment* into = &moment;
  if (event.is_in_section && t.update != kNone && moments_[t.update]) into = &*moments_[t.update];
  bool has_any = false;
  for (const std::optional<interpret::TouchedMemory>& touched : event.memory) {
    if (!touched) continue;
    if (touched->global != program::kNone && program_.globals[touched->global].is_model) continue;
    has_any = true;
    (touched->is_write ? into->writes : into->reads) = true;
    // Of a copy, what it writes; what it reads is a moment of its own.
    if (into == &moment && moment.memory) {
      ThreadMoment other = moment;
      other.writes = other.is_own = false;
      moment.reads = false;
      add(std::move(other));
    }
    into->memory = *touched;
  }
  if (is_intrinsic(i, Intrinsic::AtomicEnd) && event.is_in_section) t.update = kNone;
  if (into != &moment || (!has_any && !is_access)) return kNone;
  return add(std::move(moment));
}

void ThreadMoments::take_back(const OperationEvent& event) {
  Thread& t = thread(event.thread);
  for (std::uint64_t n = 1; n < event.taken_back && !t.made.empty(); ++n) {
    const std::size_t moment = t.made.back();
    t.made.pop_back();
    if (moment == kNone) continue;
    moments_[moment].reset();
    for (OpenCall& open : t.calls) {
      if (open.moment == moment) open.moment = kNone;
      if (open.wake == moment) open.wake = kNone;
    }
  }
  std::erase_if(t.calls, [&](const OpenCall& open) { return open.depth > event.depth; });
  if (!t.calls.empty() && t.calls.back().user == event.user && t.calls.back().moment != kNone)
    t.calls.back().has_waited = true;
  const std::optional<ThreadCall> call = call_of(event);
  if (!call || *call == ThreadCall::Wait || t.blocked != kNone) return;
  t.blocked = add(moment_of(ThreadMoment::Kind::Blocked, event, call));
}

void ThreadMoments::take(const OperationEvent& event) {
  if (moments_.size() >= kMost) is_too_long_ = true;
  if (is_too_long_) return;
  last_thread_ = event.thread;
  Thread& t = thread(event.thread);
  if (event.kind == OperationEvent::Kind::Input || event.kind == OperationEvent::Kind::End) {
    const bool is_end = event.kind == OperationEvent::Kind::End;
    add(moment_of(is_end ? ThreadMoment::Kind::End : ThreadMoment::Kind::Input, event));
    return;
  }
  if (event.taken_back > 0) return take_back(event);
  const std::optional<ThreadCall> call = call_of(event);
  const std::size_t moment = call ? take_call(event, *call) : take_access(event);
  if (moment != kNone) t.blocked = kNone;
  t.made.push_back(moment);
}

std::vector<ThreadMoment> ThreadMoments::moments() const {
  std::vector<ThreadMoment> all;
  if (is_too_long_) return all;
  for (const std::optional<ThreadMoment>& moment : moments_)
    if (moment) all.push_back(*moment);
  return all;
}

}  // namespace plumb::replay
