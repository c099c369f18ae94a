#pragma once

#include <thread>

#include "base/budget.h"

namespace plumb::cli {

/// While it lives, the first SIGINT or SIGTERM cancels the budget, so that work winds up by itself; a second one, or a
/// wind-up that takes longer than a moment, removes temporary directories and ends the process with kInterrupted. One
/// at a time.
class InterruptHandler {
 public:
  explicit InterruptHandler(Budget budget);
  ~InterruptHandler();
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

  /// Whether a signal came.
  static bool interrupted() noexcept;

 private:
  void watch() const;

  Budget budget_;
  std::thread watcher_;
};

}  // namespace plumb::cli
