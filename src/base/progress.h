#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace plumb {

/// One line on standard error that is redrawn in place while long work runs: only on a terminal, only after a second,
/// at most ten times a second, cut to the terminal's width, and erased by the destructor. Elsewhere it does nothing.
/// Not thread-safe.
class Progress {
 public:
  /// `quiet` turns it off wherever it would show.
  Progress(std::string task, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows "task: status (12 s)" if it is time to. Costs a clock reading otherwise.
  void update(std::string_view status);
  /// Takes the line away, so that other output can be written; the next update shows it again.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  std::string task_;
  bool shown_ = false;
  bool active_;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace plumb
