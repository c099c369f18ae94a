#pragma once

#include <sys/types.h>

#include <deque>
#include <exception>
#include <functional>
#include <stop_token>
#include <thread>

namespace plumb::parallel {

/// How many threads a number of an option or a setting stands for: 0 means one per core that this process may use.
/// Never less than one.
unsigned thread_count(unsigned wanted);

/// Gives a thread of this process, by the system's id of it, this nice level, and with it the threads and processes
/// that it starts from now on. One that is nicer already stays as it is. A hint: nothing happens where the system
/// refuses.
void lower_priority(pid_t thread, int level) noexcept;

/// Threads beside the one that owns them. An exception ends its thread alone and is kept for join(). The owner declares
/// it behind all that the threads use. Not for use by several threads at once.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  /// Asks all of them to stop and waits. What they threw since the last join() is lost.
  ~Threads();

  bool is_empty() const noexcept { return members_.empty(); }
  void start(std::function<void(const std::stop_token& stop)> work);
  void request_stop() noexcept;
  /// Waits for all to end by themselves, then throws what the first of them threw, in the order of start().
  void join();

 private:
  struct Member {
    std::exception_ptr failure;
    std::jthread thread;
  };
  std::deque<Member> members_;
};

}  // namespace plumb::parallel
