// What a traced run finds when it starts is made here for a process of its own: the same files with the same times, the
// same variables in the same order, standard input as a file that can be read and sought. A shell opens that file,
// since a pipe would be another thing to the program.
#include "replay/native_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <csignal>
#include <cstring>

#include "base/file.h"
#include "base/sandbox.h"
#include "replay/fixed_environment.h"
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
/// As runtime/concolic/host_environment.c sets them.
constexpr timespec kFileTime{1'000'000'000, 0};

/// The error record that the replay runtime told of; 0 if none.
int told_error(std::string_view text) {
  const std::size_t at = text.rfind(kErrorLine);
  if (at == std::string_view::npos || at + kErrorLine.size() == text.size()) return 0;
  const char digit = text[at + kErrorLine.size()];
  return digit >= '1' && digit <= '9' ? digit - '0' : 0;
}

/// Removes itself: what a program wrote is not for the next one.
class RunDirectory {
 public:
  explicit RunDirectory(const fs::path& parent) : path_(fs::absolute(parent) / "native-run") {
    std::error_code ignored;
    remove();
    fs::create_directories(scratch(), ignored);
    fs::permissions(scratch(), fs::perms::owner_all, ignored);
  }
  ~RunDirectory() { remove(); }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  fs::path scratch() const { return path_ / "run"; }
  fs::path inputs() const { return path_ / "inputs"; }
  fs::path standard_input() const { return path_ / "stdin"; }

 private:
  /// A program can take the permissions away that are needed to remove what it left.
  void remove() const {
    std::error_code error;
    fs::remove_all(path_, error);
    if (!error) return;
    std::error_code ignored;
    for (auto at = fs::recursive_directory_iterator(path_, fs::directory_options::skip_permission_denied, ignored);
         !ignored && at != fs::recursive_directory_iterator(); at.increment(ignored))
      if (at->is_directory(ignored)) fs::permissions(at->path(), fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
};

void put_file(const fs::path& file, std::span<const std::uint8_t> bytes) {
  write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  ::chmod(file.c_str(), 0644);
  const std::array times = {kFileTime, kFileTime};
  ::utimensat(AT_FDCWD, file.c_str(), times.data(), 0);
}

std::vector<std::string> variables_of(const result::TestCase& test, const RunDirectory& directory,
                                      std::span<const std::pair<std::string, std::string>> more) {
  std::vector<std::string> words;
  // As arguments.c puts them: the last one first.
  for (auto at = test.environment.variables.rbegin(); at != test.environment.variables.rend(); ++at)
    words.push_back(at->first + "=" + at->second);
  for (const std::string& variable : fixed_environment()) {
    const std::string start = variable.substr(0, variable.find('=') + 1);
    const bool is_set =
        std::ranges::any_of(test.environment.variables, [&](const auto& own) { return own.first + "=" == start; });
    if (!is_set) words.push_back(variable);
  }
  words.push_back("PLUMB_TEST=" + directory.inputs().string());
  if (!test.environment.failing_calls.empty())
    words.push_back(fmt::format("PLUMB_FAILING_CALLS={}", fmt::join(test.environment.failing_calls, " ")));
  for (const auto& [name, value] : more) words.push_back(fmt::format("{}={}", name, value));
  return words;
}

std::vector<std::string> command_of(const fs::path& executable, const result::TestCase& test, const RunLimits& limits,
                                    const RunDirectory& directory,
                                    std::span<const std::pair<std::string, std::string>> more) {
  const bool has_input = test.environment.standard_input.has_value();
  std::vector<std::string> command = {"prlimit",
                                      fmt::format("--fsize={}", limits.file_size),
                                      "--core=0",
                                      "sh",
                                      "-c",
                                      "umask 022; exec \"$@\" < \"$0\"",
                                      has_input ? directory.standard_input().string() : "/dev/null",
                                      "env",
                                      "-i"};
  std::ranges::move(variables_of(test, directory, more), std::back_inserter(command));
  command.push_back(fs::absolute(executable).string());
  std::ranges::copy(test.environment.arguments, std::back_inserter(command));
  return command;
}

bool limits_itself(std::span<const std::pair<std::string, std::string>> variables) {
  return std::ranges::any_of(variables, [](const auto& variable) { return variable.first == kMemoryVariable; });
}

}  // namespace

std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs) {
  std::vector<std::uint8_t> bytes;
  for (const result::TestInput& input : inputs) {
    const auto size = static_cast<std::uint32_t>(input.bytes.size());
    std::array<std::uint8_t, sizeof size> word{};
    std::memcpy(word.data(), &size, sizeof size);
    bytes.insert(bytes.end(), word.begin(), word.end());
    bytes.insert(bytes.end(), input.bytes.begin(), input.bytes.end());
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

NativeRun run_natively(const fs::path& executable, const result::TestCase& test, const RunLimits& limits,
                       const fs::path& directory, const Budget& budget,
                       std::span<const std::pair<std::string, std::string>> variables) {
  const RunDirectory made(directory);
  put_file(made.inputs(), given_inputs(test.inputs));
  if (test.environment.standard_input) put_file(made.standard_input(), *test.environment.standard_input);
  for (const result::Environment::File& file : test.environment.files) put_file(made.scratch() / file.name, file.bytes);
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
