#include "replay/replayer.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/fault.h"
#include "replay/find_defect.h"

namespace plumb::replay {

using program::FaultKind;
using result::Defect;

namespace {

bool is_same_place(const SourceLocation& a, const SourceLocation& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// An access that went wrong before, in the same calls: what it is called now is what it has come to since, as a loop
/// does that runs on over the memory behind its array.
bool is_consequence(const Defect& defect, const Defect& known) {
  return is_wrong_address(defect.kind) && is_wrong_address(known.kind) && !defect.stack.empty() &&
         std::ranges::equal(defect.stack, known.stack, [](const auto& a, const auto& b) {
           return a.function == b.function && is_same_place(a.place, b.place);
         });
}

}  // namespace

void Replay::add(Defect defect) {
  for (const Defect& known : defects) {
    if ((known.kind == defect.kind && is_same_place(known.place, defect.place)) || is_consequence(defect, known))
      return;
    // Leaks are all found at the end: none of them comes before another.
    if (known.kind != name(FaultKind::Leak)) defect.is_after_another = true;
  }
  defects.push_back(std::move(defect));
}

void Replay::take(const Ending& how, std::string_view who) {
  ending = how;
  end = describe(how);
  if (is_cut(how)) problem = fmt::format("{} was cut off: {}", who, end);
}

std::string_view problem_of(const Evidence& evidence) {
  if (evidence.test() == nullptr) return "the run of a system is no run of a program";
  return evidence.test()->schedule.empty() ? "" : "threads cannot be made to run in a given order";
}

}  // namespace plumb::replay
