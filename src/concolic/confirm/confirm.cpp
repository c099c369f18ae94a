// An error counts only if the program without instrumentation shows it on the same inputs: the runtime, its shadow
// memory and the other layout of the stack can make a wild access crash that would not, or hide one that would. The
// native replay decides; the interpreter, which checks every access, then tells the kind, the place and the call stack,
// which for a wild write often lie far before the crash.
#include "concolic/confirm/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/build_subject.h"
#include "program/interpret/interpreter.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

using program::FaultKind;

/// The interpreter is some tens of times slower than the program.
constexpr double kInterpreterSeconds = 5;
constexpr std::uint64_t kInterpreterInstructions = 400'000'000;
/// The code, the libraries and the stack of a small process.
constexpr std::uint64_t kIdleMemory = std::uint64_t{256} << 20;

constexpr std::string_view kErrorLine = "plumb-replay: error ";

/// The error record that the replay runtime told of; 0 if none.
int told_error(std::string_view text) {
  const std::size_t at = text.rfind(kErrorLine);
  if (at == std::string_view::npos || at + kErrorLine.size() == text.size()) return 0;
  const char digit = text[at + kErrorLine.size()];
  return digit >= '1' && digit <= '9' ? digit - '0' : 0;
}

std::string signal_name(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation) : fmt::format("signal {}", signal);
}

bool is_crash(int signal) {
  constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  return std::ranges::find(kCrashes, signal) != kCrashes.end();
}

FaultKind kind_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return FaultKind::InvalidPointer;
    case SIGFPE:
      return FaultKind::DivisionByZero;
    case SIGILL:
    case SIGTRAP:
      return FaultKind::Trap;
    default:
      return FaultKind::Abort;
  }
}

/// What the error would be called if nothing but the traced run was known about it.
std::pair<FaultKind, std::string> named(const FoundError& error) {
  if (error.end == RunEnd::Signal)
    return {kind_of_signal(error.code), fmt::format("the program is ended by {}", signal_name(error.code))};
  switch (error.code) {
    case PLUMB_ERROR_ASSERT:
      return {FaultKind::Assertion, "assertion failed"};
    case PLUMB_ERROR_CHECK:
      return {FaultKind::Assertion, "check failed"};
    case PLUMB_ERROR_REACHED:
      return {FaultKind::ErrorReached, "the error function is called"};
    case PLUMB_ERROR_DIVISION:
      return {FaultKind::DivisionByZero, "division by zero"};
    case PLUMB_ERROR_STACK:
      return {FaultKind::StackOverflow, "the stack overflows"};
    case PLUMB_ERROR_SIGNAL:
      return {FaultKind::InvalidPointer, "the program is ended by a signal"};
    default:
      return {FaultKind::Abort, "abort() is called"};
  }
}

std::string_view word_of(int error) {
  constexpr std::array<std::string_view, 8> kWords = {"",      "assertion",        "check",          "reach_error",
                                                      "abort", "division by zero", "stack overflow", "signal"};
  return error >= 0 && static_cast<std::size_t>(error) < kWords.size() ? kWords[static_cast<std::size_t>(error)] : "";
}

/// A replay that fails in another way than the traced run is the same defect as long as both are of one class: the
/// properties that the program states, or what the machine refuses (where layout and libc decide about the signal).
bool is_same_class(const FoundError& error, int told, int signal) {
  if (error.end == RunEnd::Signal || error.code == PLUMB_ERROR_STACK || error.code == PLUMB_ERROR_SIGNAL)
    return is_crash(signal) && told == 0;
  if (error.code == PLUMB_ERROR_DIVISION) return told == PLUMB_ERROR_DIVISION || signal == SIGFPE;
  if (told != 0) return told == error.code;
  return error.code == PLUMB_ERROR_ABORT && signal == SIGABRT;
}

program::InputSource source_of(const result::TestCase& test) {
  return [&test, next = std::size_t{0}](std::string_view,
                                        std::size_t size) mutable -> std::optional<std::vector<std::uint8_t>> {
    if (next == test.inputs.size()) return std::nullopt;
    std::vector<std::uint8_t> bytes = test.inputs[next++].bytes;
    bytes.resize(size);
    return bytes;
  };
}

/// Empties itself after the replay: what the program wrote is not for the next one.
class Scratch {
 public:
  explicit Scratch(std::filesystem::path path) : path_(std::move(path)) { std::filesystem::create_directories(path_); }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

struct Confirmer::NativeEnd {
  bool is_same = false;
  bool is_end = true;  ///< of its own
  std::string text;
};

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

Confirmer::Confirmer(const Subject& subject, program::LoadOptions options, RunLimits limits,
                     std::filesystem::path directory)
    : subject_(subject), options_(std::move(options)), limits_(limits), directory_(std::move(directory)) {}

Confirmer::~Confirmer() = default;

const program::Program& Confirmer::program() const {
  INVARIANT(program_.has_value(), "a stack should come from a program that was loaded");
  return *program_;
}

Confirmation Confirmer::confirm(const FoundError& error, const Budget& budget) {
  Confirmation confirmation;
  std::tie(confirmation.fault.kind, confirmation.fault.message) = named(error);
  const Site& site = error.site != 0                     ? subject_.sites[error.site]
                     : error.last_edge != program::kNone ? subject_.site_of_edge(error.last_edge)
                                                         : subject_.sites.front();
  confirmation.place = subject_.program.describe(site.location);
  if (site.function != program::kNone) confirmation.function = subject_.program.functions[site.function].name;
  try {
    const NativeEnd native = replay(error, budget);
    confirmation.is_confirmed = native.is_same;
    (native.is_same ? confirmation.native : confirmation.reason) = native.text;
    if (native.is_end) explain(error, confirmation, budget);
  } catch (const OutOfBudget& end) {
    if (!confirmation.is_confirmed) confirmation.reason = std::string(to_string(end.stop));
    confirmation.note = std::string(to_string(end.stop));
  }
  return confirmation;
}

Confirmer::NativeEnd Confirmer::replay(const FoundError& error, const Budget& budget) {
  budget.check();
  if (executable_.empty()) executable_ = build_replay(options_, directory_, budget);
  const std::filesystem::path inputs = directory_ / "replay-inputs";
  const std::vector<std::uint8_t> bytes = given_inputs(error.test.inputs);
  write_file(inputs, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const Scratch scratch(directory_ / "replay-scratch");
  ProcessLimits limits;
  limits.memory = limits_.memory + kIdleMemory;
  limits.output = std::uint64_t{64} << 20;
  // Without instrumentation the program is no slower, but this machine may be busier than it was.
  const Budget time = budget.with_timeout(4 * limits_.time + std::chrono::seconds(1));
  const ProcessResult end = run_process(
      {"prlimit", fmt::format("--fsize={}", limits_.file_size), "--core=0", "env",
       "PLUMB_TEST=" + std::filesystem::absolute(inputs).string(), std::filesystem::absolute(executable_).string()},
      {}, time, limits, scratch.path());
  budget.check();
  switch (end.end) {
    case ProcessResult::End::Exited:
      return {false, true, fmt::format("the replay without instrumentation ended with exit code {}", end.code)};
    case ProcessResult::End::Signalled: {
      const int told = told_error(end.error);
      const std::string word = told != 0 ? std::string(word_of(told)) : signal_name(end.code);
      if (is_same_class(error, told, end.code)) return {true, true, word};
      return {false, true, fmt::format("the replay without instrumentation ended with {}", word)};
    }
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      return {false, false, "the replay without instrumentation ran out of time"};
    case ProcessResult::End::OutputLimit:
      return {false, false, "the replay without instrumentation wrote too much"};
  }
  INVARIANT(false, "every end of a process should be known");
}

void Confirmer::explain(const FoundError& error, Confirmation& confirmation, const Budget& budget) {
  if (!program_ && load_problem_.empty()) {
    try {
      program_ = program::load_program(options_, budget);
    } catch (const UserError& problem) {
      load_problem_ = problem.message();
    }
  }
  if (!program_) {
    confirmation.note = load_problem_;
    return;
  }
  program::InterpreterOptions options;
  options.arguments = {options_.files.front()};
  options.inputs = source_of(error.test);
  options.check_leaks = false;
  options.max_instructions = kInterpreterInstructions;
  program::Interpreter interpreter(*program_);
  const program::RunResult run =
      interpreter.run(options, budget.with_timeout(std::chrono::duration<double>(kInterpreterSeconds)));
  if (run.end == program::RunResult::End::Fault && !run.faults.empty()) {
    confirmation.fault = run.faults.front();
    confirmation.stack = run.stack;
    return;
  }
  confirmation.note = run.end == program::RunResult::End::Exit
                          ? fmt::format("the interpreter ends with exit code {}", run.exit_code)
                      : run.reason.empty() ? "the interpreter does not get that far"
                                           : fmt::format("the interpreter stops: {}", run.reason);
}

}  // namespace plumb::concolic
