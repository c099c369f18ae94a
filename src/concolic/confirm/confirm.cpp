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
#include "concolic/build_subject.h"
#include "concolic/confirm/interpreted_run.h"
#include "concolic/confirm/native_run.h"
#include "program/interpret/interpreter.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

using program::FaultKind;

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

/// A replay that fails in another way than the traced run is the same defect as long as both are of one class: the
/// properties that the program states, or what the machine refuses (where layout and libc decide about the signal).
bool is_same_class(const FoundError& error, int told, int signal) {
  if (error.end == RunEnd::Signal || error.code == PLUMB_ERROR_STACK || error.code == PLUMB_ERROR_SIGNAL)
    return is_crash(signal) && told == 0;
  if (error.code == PLUMB_ERROR_DIVISION) return told == PLUMB_ERROR_DIVISION || signal == SIGFPE;
  if (told != 0) return told == error.code;
  return error.code == PLUMB_ERROR_ABORT && signal == SIGABRT;
}

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
  const NativeRun end = run_natively(executable_, error.test, limits_, directory_, budget);
  switch (end.end) {
    case ProcessResult::End::Signalled:
      if (end.is_sent) return {false, false, fmt::format("{} was sent, by the program itself", describe(end))};
      if (is_same_class(error, end.told_error, end.code)) return {true, true, describe(end)};
      [[fallthrough]];
    case ProcessResult::End::Exited:
      return {false, true, fmt::format("the replay without instrumentation ended with {}", describe(end))};
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      return {false, false, "the replay without instrumentation ran out of time"};
    case ProcessResult::End::OutputLimit:
      return {false, false, "the replay without instrumentation wrote too much"};
  }
  INVARIANT(false, "every end of a process should be known");
}

void Confirmer::explain(const FoundError& error, Confirmation& confirmation, const Budget& budget) {
  // Without what the run rests on it might fail elsewhere, which would explain nothing.
  if (!is_interpretable(error.test)) {
    confirmation.note = "the interpreter has no environment variables and no calls that fail";
    return;
  }
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
  program::Interpreter interpreter(*program_);
  const program::RunResult run = run_interpreted(interpreter, options_.files.front(), error.test, directory_, budget);
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
