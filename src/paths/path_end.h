#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <memory>
#include <optional>
#include <vector>

#include "paths/domains.h"
#include "paths/options.h"
#include "paths/statistics.h"
#include "solve/linear/linear_relaxation.h"
#include "solve/solver.h"

namespace plumb::paths {

/// Solves what is left at the end of a path: cells whose domains do not follow from those of their operands, with
/// nothing left to choose below them. Their terms are taken along the path (the branches that were chosen, constants
/// for what is known), so the bit-vector solver sees small formulas. It keeps what it learns.
class PathEnd {
 public:
  PathEnd(TermStore& terms, const Domains& domains, const Options& options, Statistics& statistics);

  /// Is there a value for each variable such that the cells have values in their domains? Needs that nothing is left to
  /// choose below them.
  Answer solve(std::span<const Cell> left, const Budget& budget);
  /// After Unsat: changes that cannot be together.
  const std::vector<Domains::Mark>& core() const noexcept { return core_; }
  /// After Sat: values of all variables that have cells, within their domains.
  term::Assignment model() const;

 private:
  struct Constraint {
    Term term;
    std::vector<Domains::Mark> from;
  };
  Constraint constraint_of(Cell c);
  Term within(Term t, const Range& range);
  /// The cell's term along the path; what is known of it is used unless it is the cell that is asked for.
  Term along_path(Cell asked, std::vector<Domains::Mark>& from);
  void constrain_variables(std::vector<Constraint>& constraints);
  Answer decide(std::span<const Term> assumed, std::vector<Term>& failed, const Budget& budget);
  std::optional<Answer> decide_linear(std::span<const Term> assumed, std::vector<Term>& failed);

  TermStore& terms_;
  const Domains& domains_;
  std::unique_ptr<solve::Solver> solver_;
  std::optional<solve::LinearRelaxation> linear_;
  Statistics& statistics_;
  absl::flat_hash_map<Cell, Term> made_;  ///< for one constraint
  std::vector<Domains::Mark> core_;
  term::Assignment model_;  ///< of the constraints
};

}  // namespace plumb::paths
