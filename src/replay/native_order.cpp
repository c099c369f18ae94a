#include "replay/native_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrument/build_subject.h"
#include "runtime/concolic/order.h"

namespace plumb::replay {

using program::Program;
using semantics::ThreadCall;

namespace {

using Kind = ThreadMoment::Kind;

constexpr std::string_view kLeftLine = "plumb-replay: left at ";
constexpr std::string_view kDeadlockLine = "plumb-replay: deadlock\n";

class Entries {
 public:
  Entries(const Program& program, const std::vector<ThreadMoment>& moments) : program_(program), moments_(moments) {}

  NativeOrder made(bool is_deadlock) {
    for (std::size_t i = 0; i < moments_.size() && order_.problem.empty(); ++i) take(i, is_deadlock);
    if (is_deadlock) put(0, PLUMB_ORDER_DEADLOCK, {});
    if (!order_.problem.empty()) order_.bytes.clear();
    return std::move(order_);
  }

 private:
  void take(std::size_t i, bool is_deadlock) {
    const ThreadMoment& moment = moments_[i];
    const auto thread = static_cast<std::uint32_t>(moment.thread);
    switch (moment.kind) {
      case Kind::Access:
        if (moment.is_own) put(thread, PLUMB_ORDER_ACCESS, moment.user);
        break;
      case Kind::Call:
        if (is_timed_wait(moment)) order_.problem = "a wait for a time cannot be made to end when it did";
        put(thread, PLUMB_ORDER_CALL, moment.user);
        break;
      case Kind::Wake:
        put(thread, PLUMB_ORDER_WAKE, {});
        break;
      case Kind::Blocked:
        if (!is_deadlock || goes_on(i)) break;
        if (!instrument::can_block_in_order(called(moment)))
          order_.problem = fmt::format("it cannot be told whether {}() blocks for good", called(moment));
        put(thread, PLUMB_ORDER_BLOCKED, moment.user);
        break;
      case Kind::Input:
        put(thread, PLUMB_ORDER_INPUT, {});
        break;
      case Kind::End:
        // The first thread returns from main, which is no call of the library.
        if (moment.thread != 0 || called_exit(i)) put(thread, PLUMB_ORDER_END, {});
        break;
    }
  }

  /// What has no place, such as a store that lowering made, is no point.
  void put(std::uint32_t thread, std::uint32_t kind, program::CodePoint at) {
    plumb_order_entry entry{thread, kind, 0, 0};
    if (at.function != program::kNone) {
      const program::Location& location = program_.functions[at.function].instructions[at.instruction].location;
      if (!location.is_known()) return;
      const SourceLocation place = program_.describe(location);
      entry.line = place.line;
      entry.column = place.column;
      if (entry.line == 0) return;
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&entry);
    order_.bytes.insert(order_.bytes.end(), bytes, bytes + sizeof entry);
  }

  bool goes_on(std::size_t i) const {
    return std::any_of(moments_.begin() + static_cast<std::ptrdiff_t>(i) + 1, moments_.end(),
                       [&](const ThreadMoment& later) { return later.thread == moments_[i].thread; });
  }
  bool called_exit(std::size_t i) const {
    return std::any_of(moments_.begin(), moments_.begin() + static_cast<std::ptrdiff_t>(i), [&](const ThreadMoment& m) {
      return m.thread == moments_[i].thread && m.call == ThreadCall::Exit;
    });
  }

  std::string_view called(const ThreadMoment& moment) const {
    const program::Instruction& i = program_.functions[moment.user.function].instructions[moment.user.instruction];
    if (i.kind == program::Kind::Call) return program_.functions[i.parameter].name;
    if (i.kind != program::Kind::Intrinsic) return {};
    if (i.intrinsic() == program::Intrinsic::MutexLock) return "pthread_mutex_lock";
    return i.intrinsic() == program::Intrinsic::ThreadJoin ? "pthread_join" : "";
  }
  bool is_timed_wait(const ThreadMoment& moment) const {
    const std::string_view name = called(moment);
    return moment.call == ThreadCall::Wait && (name.find("timed") != name.npos || name.find("clock") != name.npos);
  }

  const Program& program_;
  const std::vector<ThreadMoment>& moments_;
  NativeOrder order_;
};

}  // namespace

NativeOrder native_order(const Program& program, const ThreadMoments& moments, bool is_deadlock) {
  if (has_store_buffers(program)) return {{}, "a native run has the store buffers of the machine"};
  if (moments.is_too_long()) return {{}, "the run is too long to be made in order"};
  const std::vector<ThreadMoment> all = moments.moments();
  return Entries(program, all).made(is_deadlock);
}

std::string left_order(std::string_view error) {
  const std::size_t at = error.rfind(kLeftLine);
  if (at == std::string_view::npos) return {};
  const std::string_view line = error.substr(at + kLeftLine.size());
  return fmt::format("the native run leaves the order of the schedule at line {}", line.substr(0, line.find(':')));
}

bool told_deadlock(std::string_view error) { return error.ends_with(kDeadlockLine); }

}  // namespace plumb::replay
