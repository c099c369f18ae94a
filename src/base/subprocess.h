#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"

namespace plumb {

/// Limits on a child process; what is absent is not limited.
struct ProcessLimits {
  std::optional<std::uint64_t> memory;  ///< address space, in bytes
  std::uint64_t output =
      std::uint64_t{1} << 30;  ///< bytes of standard output kept, and not yet read as lines, before the child is killed
  /// Runs it in a Sandbox that may change these directories only (base/sandbox.h).
  std::optional<std::vector<std::filesystem::path>> confined_to = std::nullopt;
};

struct ProcessResult {
  /// Cancelled is also the end when the memory cap of the budget was reached; the budget tells which.
  enum class End { Exited, Signalled, TimedOut, Cancelled, OutputLimit };
  End end = End::Exited;
  int code = 0;        ///< exit code or signal number
  std::string output;  ///< without the lines that read_line() took
  std::string error;   ///< standard error, at most its first 64 KiB
};

/// A child process in a process group of its own; the whole group is killed when the child exits, when it is stopped,
/// when its budget ends or when this object dies. Standard input and output are pipes for a dialogue line by line. Not
/// thread-safe.
class Subprocess {
 public:
  /// Starts `arguments[0]`, looked up on PATH. Throws UserError if it cannot be started.
  Subprocess(const std::vector<std::string>& arguments, const ProcessLimits& limits,
             const std::filesystem::path& working_directory = {});
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  /// Writes all of `text`, reading what the child prints meanwhile so that neither blocks the other.
  /// False if the child has gone or the budget ended.
  bool write(std::string_view text, const Budget& budget);
  void close_input();
  /// The next line without its newline; nothing at the end of the output or of the budget.
  std::optional<std::string> read_line(const Budget& budget);
  /// Closes the input, reads to the end and waits; kills the group if the budget ends first.
  ProcessResult finish(const Budget& budget);
  /// finish() then tells of the signal.
  void kill() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a command to its end with `input` on its standard input.
ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input, const Budget& budget,
                          const ProcessLimits& limits = {}, const std::filesystem::path& working_directory = {});

/// Kills the groups of all children that live, in all threads. For the end of main's signal handling; may be called
/// from any thread, not from a signal handler.
void kill_all_subprocesses() noexcept;

/// The full path of a command on PATH; a name with a slash is taken as a path.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace plumb
