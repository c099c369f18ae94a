#include "replay/found_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "replay/describe_defect.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {

using instrument::SiteKind;
namespace {

using program::FaultKind;

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

bool is_in_model(const Subject& subject, const Site& site) {
  return site.function < subject.program.functions.size() && subject.program.functions[site.function].is_model;
}

}  // namespace

std::vector<FoundError> errors_of(const Replay& replay, const result::TestCase& test) {
  std::vector<FoundError> errors;
  const auto add = [&](RunEnd end, int code, SiteId site, EdgeId place) {
    errors.push_back({end, code, site, place, !errors.empty(), test});
  };
  for (const SeenDefect& seen : replay.seen)
    add(RunEnd::Defect, static_cast<int>(seen.kind), seen.site, std::min(seen.hash, program::kNone - 1));
  if (replay.ending.end == RunEnd::Error || replay.ending.end == RunEnd::Signal)
    add(replay.ending.end, replay.ending.code, replay.error_site, program::kNone);
  return errors;
}

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

SiteId site_of_model_call(const Subject& subject, const FoundError& error) {
  const SiteId call = error.last_edge;  // as the runtime tells places apart
  if (error.end != RunEnd::Defect || error.site >= subject.sites.size() || call == 0 || call >= subject.sites.size())
    return 0;
  const Site& site = subject.sites[call];
  const bool is_call = site.kind == SiteKind::Call || site.kind == SiteKind::CallTarget;
  return is_call && is_in_model(subject, subject.sites[error.site]) && !is_in_model(subject, site) ? call : 0;
}

const Site& site_of(const Subject& subject, const FoundError& error) {
  if (const SiteId call = site_of_model_call(subject, error); call != 0) return subject.sites[call];
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

}  // namespace plumb::replay
