#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "interpret/interpreter.h"
#include "result/schedule.h"
#include "semantics/threads.h"

namespace plumb::interpret {

using ThreadRules = semantics::Threads<std::uint64_t, std::uint64_t>;  ///< mutexes are known by their addresses

/// Thrown by a scheduler that cannot go on: its schedule is of another program.
struct Misfit {
  std::string reason;
};

/// Decides which thread goes on, where more than one may. Threads are numbered as in the rules. A thread that is chosen
/// can run, or it waits for a condition or in a section whose time may be over: then it is woken unasked.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// The current thread is about to make a visible operation, which counts as made once it is chosen here; but
  /// operations of an attempt that blocks are taken back.
  virtual std::size_t before_operation(const ThreadRules& rules, std::size_t current) = 0;
  virtual void taken_back(std::uint64_t operations) = 0;
  /// The current thread blocks, ends or yields. Some thread can run or be woken.
  virtual std::size_t after_stop(const ThreadRules& rules, std::size_t current) = 0;
  /// Which of those that wait for a condition is woken by the operation: at least one, that has waited longest first.
  virtual std::size_t woken(std::span<const std::size_t> waiting) = 0;
  /// The time of the section that waits is over.
  virtual bool is_over_time() = 0;
  /// It decides nothing any more: threads take turns from now on.
  virtual bool is_done() const = 0;
  /// Where no thread can run: one that waits for a condition wakes up unasked next.
  virtual bool wakes_next(const ThreadRules&) const { return false; }
  /// Steps of a schedule that were not made.
  virtual std::size_t steps_left() const { return 0; }
};

/// Follows a schedule exactly; it must outlive the scheduler.
std::unique_ptr<Scheduler> follow(const result::Schedule& schedule);
/// Chooses at random.
std::unique_ptr<Scheduler> choose_at_random(const RandomOrder& order);

}  // namespace plumb::interpret
