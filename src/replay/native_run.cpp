// A shell opens the file that is standard input, since a pipe would be another thing to the program.
#include "replay/native_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/sandbox.h"
#include "replay/run_directory.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

/// The code, the libraries and the stack of a small process.
constexpr std::uint64_t kIdleMemory = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargestOutput = std::uint64_t{64} << 20;
constexpr std::string_view kErrorLine = "plumb-replay: error ";
constexpr std::string_view kSentLine = "plumb-replay: sent\n";
constexpr int kSkippedCode = 77;

/// The error record that the replay runtime told of; 0 if none.
int told_error(std::string_view text) {
  const std::size_t at = text.rfind(kErrorLine);
  if (at == std::string_view::npos || at + kErrorLine.size() == text.size()) return 0;
  const char digit = text[at + kErrorLine.size()];
  return digit >= '1' && digit <= '9' ? digit - '0' : 0;
}

std::vector<std::string> command_of(const fs::path& executable, const result::TestCase& test, const RunLimits& limits,
                                    const RunDirectory& directory,
                                    std::span<const std::pair<std::string, std::string>> more) {
  std::vector<std::string> command = {"prlimit",
                                      fmt::format("--fsize={}", limits.file_size),
                                      "--core=0",
                                      "sh",
                                      "-c",
                                      "umask 022; exec \"$@\" < \"$0\"",
                                      directory.standard_input().string(),
                                      "env",
                                      "-i"};
  std::ranges::move(directory.variables(), std::back_inserter(command));
  for (const auto& [name, value] : more) command.push_back(fmt::format("{}={}", name, value));
  command.push_back(fs::absolute(executable).string());
  std::ranges::copy(test.environment.arguments, std::back_inserter(command));
  return command;
}

bool limits_itself(std::span<const std::pair<std::string, std::string>> variables) {
  return std::ranges::any_of(variables, [](const auto& variable) { return variable.first == kMemoryVariable; });
}

}  // namespace

NativeRun run_natively(const fs::path& executable, const result::TestCase& test, const RunLimits& limits,
                       const fs::path& directory, const Budget& budget,
                       std::span<const std::pair<std::string, std::string>> variables) {
  const RunDirectory made(directory, test);
  ProcessLimits process;
  if (!limits_itself(variables)) process.memory = limits.memory + kIdleMemory;
  process.output = kLargestOutput;
  if (wants_sandbox(limits.sandbox)) {
    process.confined_to = {made.scratch()};
    for (const auto& [name, value] : variables)
      if (name == "LLVM_PROFILE_FILE" || name == "PLUMB_COUNTERS" || name == kReportVariable)
        process.confined_to->push_back(fs::absolute(value).parent_path());
  }
  // Without instrumentation the program is no slower, but this machine may be busier than it was.
  const Budget time = budget.with_timeout(4 * limits.time + std::chrono::seconds(1));
  ProcessResult end =
      run_process(command_of(executable, test, limits, made, variables), {}, time, process, made.scratch());
  budget.check();
  NativeRun run{end.end, end.code, told_error(end.error), false, false, std::move(end.output), std::move(end.error)};
  run.is_sent = run.end == ProcessResult::End::Signalled && run.error.find(kSentLine) != std::string::npos;
  run.is_skipped = run.end == ProcessResult::End::Exited && run.code == kSkippedCode;
  return run;
}

std::string describe(const NativeRun& run) {
  constexpr std::array<std::string_view, 8> kWords = {"",      "assertion",        "check",          "reach_error",
                                                      "abort", "division by zero", "stack overflow", "signal"};
  switch (run.end) {
    case ProcessResult::End::Exited:
      return fmt::format("exit code {}", run.code);
    case ProcessResult::End::Signalled: {
      const auto told = static_cast<std::size_t>(run.told_error);
      if (told != 0 && told < kWords.size()) return std::string(kWords[told]);
      const char* abbreviation = ::sigabbrev_np(run.code);
      return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation) : fmt::format("signal {}", run.code);
    }
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      return "out of time";
    case ProcessResult::End::OutputLimit:
      return "too much output";
  }
  return "?";
}

}  // namespace plumb::replay
