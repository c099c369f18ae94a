#include "concolic/confirm/found_error.h"

#include <fmt/format.h>

#include <csignal>

#include "concolic/confirm/describe_defect.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

using program::FaultKind;

std::string signal_name(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation) : fmt::format("signal {}", signal);
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

}  // namespace

NamedError named(const FoundError& error) {
  if (error.end == RunEnd::Defect) {
    const FaultKind kind = kind_of_defect(static_cast<std::uint32_t>(error.code));
    return {kind, std::string(summary_of(kind))};
  }
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

const Site& site_of(const Subject& subject, const FoundError& error) {
  if (error.site != 0 && error.site < subject.sites.size()) return subject.sites[error.site];
  // Of a defect, the edge is what tells stacks apart.
  if (error.end != RunEnd::Defect && error.last_edge != program::kNone) return subject.site_of_edge(error.last_edge);
  return subject.sites.front();
}

result::Defect describe_found(const Subject& subject, const FoundError& error) {
  NamedError called = named(error);
  const Site& site = site_of(subject, error);
  result::Defect defect;
  defect.kind = name(called.kind);
  defect.message = std::move(called.message);
  defect.place = subject.program.describe(site.location);
  if (site.function != program::kNone) defect.function = subject.program.functions[site.function].name;
  return defect;
}

}  // namespace plumb::concolic
