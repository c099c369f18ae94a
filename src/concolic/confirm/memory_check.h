#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/fault.h"
#include "program/interpret/interpreter.h"
#include "program/lower/load.h"
#include "result/test_case.h"

namespace plumb::concolic {

/// An access that C does not allow, found on a test. The native run need not show it.
struct MemoryDefect {
  program::Fault fault;
  std::vector<program::CodePoint> stack;  ///< points of MemoryCheck::program(), innermost first
  result::TestCase test;
};

/// Follows runs in the interpreter for accesses beyond their object, to freed memory and the like. All inputs that take
/// the same path make the same accesses but for those whose address depends on input, so one run of each path is enough
/// for the rest. Loads the program when it is first asked. Not thread-safe.
class MemoryCheck {
 public:
  /// `directory` is for files of its own and must exist.
  MemoryCheck(program::LoadOptions options, std::filesystem::path directory);

  /// What the run does wrong with memory, the first time that this instruction does it; nothing if it does nothing
  /// wrong, if it is known, or if it could not be followed to its end (which is counted). Throws OutOfBudget.
  std::optional<MemoryDefect> check(const result::TestCase& test, const Budget& budget);

  /// What stacks refer to. Needs a check before.
  const program::Program& program() const;

  std::uint64_t checked() const noexcept { return checked_; }
  /// Runs that were not followed to their end, and why the first was not.
  std::uint64_t unchecked() const noexcept { return unchecked_; }
  const std::string& why_unchecked() const noexcept { return why_unchecked_; }

 private:
  bool load(const Budget& budget);
  void give_up(std::string why);

  program::LoadOptions options_;
  std::filesystem::path directory_;
  std::unique_ptr<program::Program> program_;
  std::unique_ptr<program::Interpreter> interpreter_;
  std::string load_problem_;
  std::set<std::pair<program::FunctionId, program::InstructionId>> known_;
  std::uint64_t checked_ = 0;
  std::uint64_t unchecked_ = 0;
  std::string why_unchecked_;
};

}  // namespace plumb::concolic
