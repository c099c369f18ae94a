#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "solve/linear/simplex.h"

namespace plumb::solve {

/// A conjunction of linear constraints, and whether there is a point of integers or of rationals that satisfies them.
/// Exact: numbers are fractions of 128 bits, and what does not fit ends in Unknown. Constraints have reasons, numbers
/// that mean something to the caller; a system without a point names those of constraints that have none already.
/// Comparisons of bit-vector terms are made into such a system by linear_relaxation.h. Not thread-safe.
class LinearSystem {
 public:
  using Variable = unsigned;
  using Terms = std::span<const std::pair<Variable, Wide>>;  ///< coefficients; a variable may occur again
  using Outcome = Simplex::Outcome;
  enum class Domain : std::uint8_t { Integers, Rationals };

  /// Numbered from 0; without bounds.
  Variable add_variable() { return variables_++; }
  /// The sum of the terms is at most, at least, or just the bound.
  void at_most(Terms terms, Wide bound, std::uint32_t reason) { add(terms, Relation::AtMost, bound, reason); }
  void at_least(Terms terms, Wide bound, std::uint32_t reason) { add(terms, Relation::AtLeast, bound, reason); }
  void equals(Terms terms, Wide bound, std::uint32_t reason) { add(terms, Relation::Equals, bound, reason); }

  struct Limits {
    std::uint64_t steps = 200'000;  ///< numbers computed by one run of the simplex method
    std::uint32_t branches = 1000;  ///< of the search for integers
  };
  struct Solution {
    Outcome outcome = Outcome::Unknown;
    std::vector<Rational> point;      ///< of Feasible: a value for each variable
    std::vector<std::uint32_t> core;  ///< of Infeasible: reasons, ascending, each once; not always the fewest
  };
  /// Needs memory of the order of variables times constraints. Over the integers, each branch is one run of the simplex
  /// method; a system of bounded variables has few of them if it is small, and one of unbounded variables may have no
  /// end, which the limit gives it. Unknown also if the budget ends.
  Solution solve(Domain domain, const Limits& limits, const Budget& budget) const;

 private:
  enum class Relation : std::uint8_t { AtMost, AtLeast, Equals };
  struct Constraint {
    std::vector<std::pair<Variable, Wide>> terms;
    Relation relation;
    Wide bound;
    std::uint32_t reason;
  };
  /// What the search for integers adds: a bound on one variable.
  struct Branch {
    Variable variable;
    bool is_upper;
    Wide bound;
  };

  void add(Terms terms, Relation relation, Wide bound, std::uint32_t reason);
  Solution relaxed(Domain domain, std::span<const Branch> branches, std::uint64_t max_steps) const;

  unsigned variables_ = 0;
  std::vector<Constraint> constraints_;
};

}  // namespace plumb::solve
