#pragma once

#include <vector>

#include "program/program.h"

namespace plumb::explore {

/// Global variables of up to eight bytes that the whole program loads and stores as a whole, and by their names alone.
class NamedVariables {
 public:
  explicit NamedVariables(const program::Program& program);

  bool has(program::GlobalId g) const { return is_one_[g]; }
  bool has_any() const;
  /// The one that a Load or Store accesses; kNone for others.
  program::GlobalId of(const program::Function& f, const program::Instruction& i) const;

 private:
  std::vector<bool> is_one_;  ///< by global
};

}  // namespace plumb::explore
