#include "concolic/search/search_gaps.h"

#include <fmt/format.h>

#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

using result::Gap;
using result::GapKind;

Gap gap_of(const Subject& subject, const LostPrecision& lost, std::uint64_t times) {
  Gap gap{.kind = lost.reason == PLUMB_PIN_UNSUPPORTED ? GapKind::Unsupported : GapKind::Pinned};
  const std::string times_text = times == 1 ? "once" : fmt::format("{} times", times);
  if (is_at_call(lost)) {
    gap.text = fmt::format("inputs went on as numbers {}: {} ({}())", times_text, reason_text(lost),
                           subject_text(subject, lost));
    return gap;
  }
  gap.text = fmt::format("inputs went on as numbers {}: {}", times_text, reason_text(lost));
  if (lost.subject != 0 && lost.subject < subject.sites.size()) {
    const instrument::Site& site = subject.sites[lost.subject];
    gap.place = subject.program.describe(site.location);
    if (site.function != program::kNone) gap.function = subject.program.functions[site.function].name;
  }
  return gap;
}

/// Runs that reach the limit of depth are made again with a deeper one; the search knows when it is not.
bool is_ended(RunEnd end) { return is_cut(end) && end != RunEnd::DepthLimit; }

}  // namespace

std::string_view reason_text(const LostPrecision& lost) {
  switch (lost.reason) {
    case PLUMB_PIN_CALL:
      return "argument of a call that leaves the program";
    case PLUMB_PIN_MEMORY:
      return "memory passed to a call that leaves the program";
    case PLUMB_PIN_ADDRESS:
      return "address into an object that is unknown or too large";
    case PLUMB_PIN_SIZE:
      return "size of an allocation or of a block of memory";
    case PLUMB_PIN_FLOAT:
      return "floating point operation";
    case PLUMB_PIN_WIDE:
      return "value of more than 64 bits";
    case PLUMB_PIN_FULL:
      return "no room for more expressions";
    case PLUMB_PIN_FILE:
      return "read from a file that the program may have written to";
    default:
      return "unsupported instruction";
  }
}

bool is_at_call(const LostPrecision& lost) { return lost.reason == PLUMB_PIN_CALL || lost.reason == PLUMB_PIN_MEMORY; }

std::string subject_text(const Subject& subject, const LostPrecision& lost) {
  if (is_at_call(lost)) return lost.subject < subject.externals.size() ? subject.externals[lost.subject] : "?";
  if (lost.subject == 0 || lost.subject >= subject.sites.size()) return {};
  return subject.program.describe(subject.sites[lost.subject].location).to_string();
}

std::vector<Gap> search_gaps(const Subject& subject, const SearchReport& report) {
  std::vector<Gap> gaps;
  for (const Gap& gap : subject.gaps)
    if (gap.kind != GapKind::Unsupported || report.inputs_read > 0) gaps.push_back(gap);
  for (const auto& [lost, times] : report.lost) gaps.push_back(gap_of(subject, lost, times));
  for (const auto& [end, count] : report.ends)
    if (is_ended(end))
      gaps.push_back(
          {.kind = GapKind::EndedRun,
           .text = fmt::format("{} cut off: {}", count == 1 ? "1 run was" : fmt::format("{} runs were", count),
                               replay::name(end))});
  return gaps;
}

}  // namespace plumb::concolic
