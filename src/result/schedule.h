#pragma once

#include <cstdint>
#include <vector>

namespace plumb::result {

/// Nobody in particular.
inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// A thread runs until it has made so many visible operations (semantics/visible.h) and stands before its next one, or
/// until it blocks or ends. Threads are numbered from 0, the first one, in the order of their creation.
///
/// A call of what only writes to the outside (semantics::is_output()) makes none, so nobody comes between.
///
/// What is executed before the first visible operation of a step, and after its last one up to the next, belongs to it.
/// An attempt that blocks without an effect (a mutex that is held, a join, a section that comes to a ThreadWait) is no
/// operation. A wait for a condition is two: one gives the mutex back, the other takes it again. A step of a thread
/// that waits for a condition and was not woken is a spurious wake-up, or the time-out of a timed wait.
struct ScheduleStep {
  std::uint32_t thread = 0;
  std::uint64_t operations = 0;
  /// If the last operation is the signal of a condition: who is woken. Without it, who has waited longest.
  std::uint32_t woken = kNobody;
  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

/// The order in which the threads of a run go on; after its end, and where it is empty, they take turns as they do
/// without one.
using Schedule = std::vector<ScheduleStep>;

}  // namespace plumb::result
