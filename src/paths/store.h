#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "solve/solver.h"
#include "term/value.h"

namespace plumb::paths {

using solve::Answer;
using term::Term;
using term::TermStore;

/// A choice of the search, by its number; constraints that no choice made have kNoChoice.
using Choice = std::uint32_t;
inline constexpr Choice kNoChoice = ~Choice{0};

/// The constraint store S of a path: a conjunction that grows with the path and shrinks with backtracking. Constraints
/// are terms of width 1. Sound: what is Unsat has no solution. Not thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  virtual std::string_view name() const = 0;
  /// SAVE and RESTORE: what was added since the last save that is not restored is gone.
  virtual void save() = 0;
  virtual void restore() = 0;
  virtual void add(Term constraint, Choice choice) = 0;

  /// A partial test, which finds some inconsistencies: Unsat, or Unknown. Cheap.
  virtual Answer is_feasible(const Budget& budget) = 0;
  /// As far as the store goes: only a complete one knows Sat.
  virtual Answer solve(const Budget& budget) = 0;

  /// After Sat, until the next call.
  virtual const term::Assignment& model() const = 0;
  /// After Unsat: choices that have no solution together, ascending, without kNoChoice.
  virtual std::vector<Choice> core() const = 0;
};

}  // namespace plumb::paths
