#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"

namespace plumb::cli {

/// A progress line that a thread of its own keeps moving, for work that gives no sign of life for long. Members may be
/// called from any thread.
class LiveProgress {
 public:
  LiveProgress(std::string task, bool quiet);

  void set_status(std::string status);
  /// Runs `write` with the line taken away, so that its output is not mixed with it.
  template <typename Write>
  void around(Write&& write) {
    const std::lock_guard lock(mutex_);
    progress_.erase();
    write();
  }

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  Progress progress_;
  std::string status_ = "working";
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace plumb::cli
