#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/budget.h"
#include "replay/interpreter_replayer.h"
#include "result/defect/defect.h"
#include "result/test_case.h"

namespace plumb::replay {

/// Follows runs in the interpreter for what native checks do not see: reads of memory never written above all, and
/// accesses beyond objects, to freed memory and the like once more. All inputs that take the same path make the same
/// accesses but for those whose address depends on input, so one run of each path is enough for the rest. Loads the
/// program when it is first asked. Not thread-safe.
class MemoryCheck {
 public:
  /// `builds` must outlive it.
  explicit MemoryCheck(Builds& builds);

  /// What the run does wrong, of the kinds that the options ask for, each kind and place the first time; complete but
  /// for the file and the command to see it again. Nothing of a run that could not be followed to its end (which is
  /// counted) but what it did wrong before. Throws OutOfBudget.
  std::vector<result::Defect> check(const result::TestCase& test, const Budget& budget);

  /// Why a run that was out of time did not end, if its threads all wait for each other; it counts as no run that was
  /// followed. Throws OutOfBudget.
  std::optional<result::Defect> find_deadlock(const result::TestCase& test, const Budget& budget);

  std::uint64_t checked() const noexcept { return checked_; }
  /// Runs that were not followed to their end, and why the first was not.
  std::uint64_t unchecked() const noexcept { return unchecked_; }
  const std::string& why_unchecked() const noexcept { return why_unchecked_; }

 private:
  InterpreterReplayer replayer_;
  std::set<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t>> known_;  ///< kind, file, line, column
  std::uint64_t checked_ = 0;
  std::uint64_t unchecked_ = 0;
  std::string why_unchecked_;
};

}  // namespace plumb::replay
