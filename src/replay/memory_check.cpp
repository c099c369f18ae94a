#include "replay/memory_check.h"

#include <algorithm>
#include <array>

#include "replay/run_limits.h"

namespace plumb::replay {
namespace {

/// The rest the traced runs find by themselves.
bool is_of_memory(std::string_view kind) {
  using enum program::FaultKind;
  return std::ranges::none_of(
      std::array{DivisionByZero, Assertion, ErrorReached, Abort, Trap, Unreachable, StackOverflow, Deadlock},
      [kind](program::FaultKind each) { return name(each) == kind; });
}

}  // namespace

MemoryCheck::MemoryCheck(Builds& builds) : replayer_(builds, RunLimits{}.memory) {}

std::vector<result::Defect> MemoryCheck::check(const result::TestCase& test, const Budget& budget) {
  Replay replay = replayer_.run({test}, budget);
  if (replay.problem.empty()) {
    ++checked_;
  } else if (unchecked_++ == 0) {
    why_unchecked_ = replay.problem;
  }
  std::vector<result::Defect> found;
  for (result::Defect& defect : replay.defects) {
    if (!is_of_memory(defect.kind) ||
        !known_.emplace(defect.kind, defect.place.file, defect.place.line, defect.place.column).second)
      continue;
    defect.test = test;
    found.push_back(std::move(defect));
  }
  return found;
}

std::optional<result::Defect> MemoryCheck::find_deadlock(const result::TestCase& test, const Budget& budget) {
  Replay replay = replayer_.run({test}, budget);
  for (result::Defect& defect : replay.defects)
    if (defect.kind == name(program::FaultKind::Deadlock) &&
        known_.emplace(defect.kind, defect.place.file, defect.place.line, defect.place.column).second) {
      defect.test = test;
      return std::move(defect);
    }
  return std::nullopt;
}

}  // namespace plumb::replay
