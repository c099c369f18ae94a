// A shell opens the file that is standard input, since a pipe would be another thing to the program.
#include "replay/native_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/sandbox.h"
#include "base/subprocess.h"
#include "replay/run_directory.h"
#include "replay/source_build.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

/// The code, the libraries and the stack of a small process.
constexpr std::uint64_t kIdleMemory = std::uint64_t{256} << 20;
constexpr std::uint64_t kLargestOutput = std::uint64_t{64} << 20;
constexpr std::string_view kErrorLine = "plumb-replay: error ";
constexpr std::string_view kSentLine = "plumb-replay: sent\n";

/// The error record that the replay runtime told of; 0 if none.
int told_error(std::string_view text) {
  const std::size_t at = text.rfind(kErrorLine);
  if (at == std::string_view::npos || at + kErrorLine.size() == text.size()) return 0;
  const char digit = text[at + kErrorLine.size()];
  return digit >= '1' && digit <= '9' ? digit - '0' : 0;
}

Ending ending_of(const ProcessResult& run) {
  switch (run.end) {
    case ProcessResult::End::Exited:
      return {RunEnd::Exit, run.code};
    case ProcessResult::End::Signalled: {
      const bool is_sent = run.error.find(kSentLine) != std::string::npos;
      if (const int told = told_error(run.error); told != 0) return {RunEnd::Error, told, is_sent};
      if (run.code == SIGXFSZ) return {RunEnd::FileLimit};
      return {RunEnd::Signal, run.code, is_sent};
    }
    case ProcessResult::End::OutputLimit:
      return {RunEnd::FileLimit};
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      break;
  }
  return {RunEnd::Timeout};
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
      if (name == kCountersVariable || name == kReportVariable)
        process.confined_to->push_back(fs::absolute(value).parent_path());
  }
  // Without instrumentation the program is no slower, but this machine may be busier than it was.
  const Budget time = budget.with_timeout(4 * limits.time + std::chrono::seconds(1));
  ProcessResult end =
      run_process(command_of(executable, test, limits, made, variables), {}, time, process, made.scratch());
  budget.check();
  return {ending_of(end), std::move(end.output), std::move(end.error)};
}

}  // namespace plumb::replay
