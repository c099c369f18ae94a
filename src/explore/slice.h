#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/goal.h"
#include "program/platform.h"
#include "program/program.h"

namespace plumb::explore {

/// Instructions from which nothing follows that is asked about: they compute, keep and compare values that never decide
/// where control goes to anything else, what memory is accessed, what threads do, whether something goes wrong. States
/// need not know what they compute, and nobody need be told apart by when they are made. They cannot fault and ask for
/// no inputs.
class Slice {
 public:
  Slice(const program::Program& program, const program::Platform& platform);

  bool has_any() const noexcept { return has_any_; }
  /// Where this instruction is left out, what comes next is the same.
  bool leaves_out(program::CodePoint at) const { return left_out_[at.function][at.instruction] != 0; }
  /// Of a Branch that is left out: both of its ways meet in this block, without a loop, and do nothing else before.
  program::BlockId meeting(program::CodePoint branch) const {
    return left_out_[branch.function][branch.instruction] - kMeets;
  }

 private:
  class Finder;
  static constexpr std::uint32_t kMeets = 2;

  std::vector<std::vector<std::uint32_t>> left_out_;  ///< 0: no; 1: yes; of a Branch kMeets and the block
  bool has_any_ = false;
};

}  // namespace plumb::explore
