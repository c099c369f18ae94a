#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/budget.h"
#include "base/file_descriptor.h"
#include "base/signal_guard.h"
#include "concolic/execute/executor.h"

namespace plumb::concolic {

/// The process of an instrumented program that forks a child a run (protocol.h), in a session of its own, without
/// terminal, with nothing open but /dev/null and the protocol's descriptors, and at fixed addresses. It dies with the
/// thread that started it. Not thread-safe.
class ForkServer {
 public:
  /// Throws UserError if the program cannot be started. What it does then shows at the first run.
  ForkServer(const std::filesystem::path& executable, int segment, const std::filesystem::path& working_directory,
             const RunLimits& limits);
  /// Kills it and all that its runs left behind.
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  struct Ending {
    enum class Kind : std::uint8_t {
      Ended,     ///< by itself; status: its wait status
      TimedOut,  ///< killed by us, for its time or the budget's end
      Lost,      ///< the server is gone or answers no more: it must be replaced
    };
    Kind kind = Kind::Ended;
    int status = 0;
  };
  /// One run, to the end of all processes that it started.
  Ending run(const Budget& budget);

  /// It has answered at least once.
  bool has_started() const noexcept { return has_started_; }
  /// Of a server that was lost: "exited with code 1", "was killed by signal 9", or that it does not answer.
  std::string describe_end();

 private:
  enum class Read : std::uint8_t { Word, Late, Closed };
  Read read_word(std::uint32_t& word, Budget::Clock::time_point deadline, const Budget& budget);
  void limit(pid_t child);
  /// Kills what the run has left; false if there is no end to it.
  bool kill_stragglers();

  RunLimits limits_;
  pid_t pid_ = -1;
  int wait_status_ = 0;
  bool is_reaped_ = false;
  bool has_started_ = false;
  bool is_limited_ = false;  ///< the server's own limits are set
  FileDescriptor commands_;
  FileDescriptor answers_;
  SignalGuard guard_;
  FileDescriptor children_;  ///< the kernel's list of the server's children; absent where the kernel has none
};

}  // namespace plumb::concolic
