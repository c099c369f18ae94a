#include "replay/run_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "result/export/suite.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {
namespace {

/// Of the replay runtime, where an assumption does not hold.
constexpr int kSkippedCode = 77;

/// The machine or a library refused; the program itself did not say what is wrong.
bool is_refusal(const Ending& ending) {
  return ending.end == RunEnd::Signal ? is_crash(ending.code)
                                      : ending.code == PLUMB_ERROR_STACK || ending.code == PLUMB_ERROR_SIGNAL;
}

bool is_same_failure(const Ending& traced, const Ending& plain) {
  if (is_refusal(traced)) return plain.end == RunEnd::Signal && is_crash(plain.code);
  if (plain.end == traced.end) return plain.code == traced.code;
  if (traced.end != RunEnd::Error || plain.end != RunEnd::Signal) return false;
  return (traced.code == PLUMB_ERROR_DIVISION && plain.code == SIGFPE) ||
         (traced.code == PLUMB_ERROR_ABORT && plain.code == SIGABRT);
}

}  // namespace

std::string_view name(RunEnd end) {
  switch (end) {
    case RunEnd::Exit:
      return "exit";
    case RunEnd::AssumeFailed:
      return "assume-failed";
    case RunEnd::InputLimit:
      return "input-limit";
    case RunEnd::DepthLimit:
      return "depth-limit";
    case RunEnd::StreamLimit:
      return "stream-limit";
    case RunEnd::MissingCode:
      return "missing-code";
    case RunEnd::Error:
      return "error";
    case RunEnd::Signal:
      return "signal";
    case RunEnd::Defect:
      return "defect";
    case RunEnd::Timeout:
      return "timeout";
    case RunEnd::Killed:
      return "killed";
    case RunEnd::FileLimit:
      return "file-limit";
    case RunEnd::Corrupted:
      return "corrupted";
  }
  return "?";
}

std::optional<RunEnd> run_end(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(RunEnd::Corrupted); ++i)
    if (const auto end = static_cast<RunEnd>(i); replay::name(end) == name) return end;
  return std::nullopt;
}

bool is_cut(RunEnd end) {
  using enum RunEnd;
  return end != Exit && end != AssumeFailed && end != Error && end != Signal && end != Defect;
}

std::string describe(const Ending& ending) {
  switch (ending.end) {
    case RunEnd::Exit:
      return fmt::format("exit code {}", ending.code);
    case RunEnd::Signal:
      return signal_name(ending.code);
    case RunEnd::Error:
      return std::string(result::error_name(ending.code));
    case RunEnd::Timeout:
      return "out of time";
    default:
      return std::string(name(ending.end));
  }
}

bool is_cut(const Ending& ending) {
  return is_cut(ending.end) || (ending.end == RunEnd::Signal && ending.code == SIGKILL);
}

bool is_failure(const Ending& ending) {
  const bool is_crashed = ending.end == RunEnd::Signal && is_crash(ending.code);
  return !ending.is_sent && (is_crashed || ending.end == RunEnd::Error || ending.end == RunEnd::Defect);
}

bool is_same_end(const Ending& traced, const Ending& plain) {
  switch (traced.end) {
    case RunEnd::Exit:
      return plain.end == RunEnd::Exit && plain.code == traced.code;
    case RunEnd::AssumeFailed:
      return plain.end == RunEnd::Exit && plain.code == kSkippedCode;
    case RunEnd::Error:
    case RunEnd::Signal:
      return is_same_failure(traced, plain);
    case RunEnd::Timeout:
      return is_cut(plain);
    default:
      return true;
  }
}

bool is_crash(int signal) {
  constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  return std::ranges::find(kCrashes, signal) != kCrashes.end();
}

std::string signal_name(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation) : fmt::format("signal {}", signal);
}

}  // namespace plumb::replay
