#pragma once

#include <span>
#include <vector>

#include "program/goal.h"
#include "program/program.h"

namespace plumb::explore {

/// Values on which no way of the program depends, but where it is bound to violate a goal: they are computed, kept and
/// asserted about, and never decide a branch, an address or what threads do. States that differ in these alone can be
/// one state with a choice in it.
class Payload {
 public:
  Payload(const program::Program& program, std::span<const program::Goal> goals);

  bool has_any(program::FunctionId f) const { return !values_[f].empty(); }
  bool has(program::FunctionId f, program::ValueId v) const { return has_any(f) && values_[f][v]; }
  bool has(program::GlobalId g) const { return g < globals_.size() && globals_[g]; }

 private:
  class Finder;

  std::vector<std::vector<bool>> values_;  ///< by function; empty where there are none
  std::vector<bool> globals_;
};

}  // namespace plumb::explore
