#pragma once

#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/budget.h"

namespace plumb::cli::shell {

/// While it lives, SIGINT does not end the process: it cancels the budget of the command that runs, or, between
/// commands, makes prompt_descriptor() readable. A command that does not stop after the third one takes the process
/// with it. One at a time.
class CommandInterrupt {
 public:
  CommandInterrupt();
  ~CommandInterrupt();
  CommandInterrupt(const CommandInterrupt&) = delete;
  CommandInterrupt& operator=(const CommandInterrupt&) = delete;

  /// The budget that is cancelled as long as the result lives.
  std::shared_ptr<void> guard(const Budget& budget);
  /// Becomes readable when Ctrl-C is pressed at the prompt, one byte each time.
  int prompt_descriptor() const noexcept { return prompt_[0]; }

 private:
  void watch();
  void handle();

  std::mutex mutex_;
  std::optional<Budget> current_;
  int presses_ = 0;
  int prompt_[2] = {-1, -1};
  struct sigaction former_{};
  std::thread watcher_;
};

}  // namespace plumb::cli::shell
