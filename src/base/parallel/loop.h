#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "base/budget.h"
#include "base/parallel/threads.h"

namespace plumb::parallel {

/// Calls f(worker) for workers 0 (the calling thread) to thread_count(threads) - 1, and waits for all. Throws what the
/// first worker that failed threw. For work that is given out many times a second there is Crew.
/// A template, so that the compiler sees what a hot loop works on.
template <typename F>
void run_on(unsigned threads, F&& f) {
  const unsigned count = thread_count(threads);
  if (count == 1) {
    f(0U);
    return;
  }
  Threads helpers;
  for (unsigned worker = 1; worker < count; ++worker)
    helpers.start([&f, worker](const std::stop_token&) { f(worker); });
  f(0U);  // what it throws is the first worker's; the others are waited for on the way out
  helpers.join();
}

/// Numbers from 0 to count - 1, given out in this order to whoever asks. After a failure there are no more. All below
/// the one that failed were given out before, so the least one that fails is the same for any number of threads.
class IndexQueue {
 public:
  explicit IndexQueue(std::size_t count) : count_(count), failed_(count) {}

  /// Calls f(i) until there are no more. From several threads at once.
  template <typename F>
  void work(F&& f) noexcept {
    for (std::size_t i = next_++; i < count_; i = next_++) {
      try {
        f(i);
      } catch (...) {
        fail(i, std::current_exception());
      }
    }
  }
  /// When all work() has returned: throws what f threw for the least number.
  void finish() const;

 private:
  void fail(std::size_t index, std::exception_ptr failure);

  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  ///< of what follows
  std::size_t failed_;
  std::exception_ptr failure_;
};

/// Calls f(i, worker) for i from 0 to count - 1 on thread_count(threads) threads at most, with the calling one; whoever
/// is free takes the next one. Two calls for the same worker are never at the same time. Throws what f threw for the
/// least i for which it threw, after which no more are begun, and OutOfBudget if the budget ends before all are begun.
template <typename F>
void for_each_index(std::size_t count, unsigned threads, const Budget& budget, F&& f) {
  if (count == 0) return;
  IndexQueue queue(count);
  run_on(static_cast<unsigned>(std::min<std::size_t>(thread_count(threads), count)), [&](unsigned worker) {
    queue.work([&](std::size_t i) {
      budget.check();
      f(i, worker);
    });
  });
  queue.finish();
}

}  // namespace plumb::parallel
