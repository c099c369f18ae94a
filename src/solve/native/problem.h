#pragma once

#include <vector>

#include "base/budget.h"
#include "term/term_store.h"
#include "term/value.h"

namespace plumb::solve {

/// A single satisfiability problem under preprocessing: what is left to satisfy, and how the variables that were
/// eliminated follow from those that remain. The invariant of every pass: the assertions are satisfiable exactly if the
/// original ones are, and a model of them, extended by complete(), is a model of the original ones.
struct Problem {
  explicit Problem(term::TermStore& s) : store(s) {}

  struct Definition {
    term::Term variable;
    term::Term term;  ///< over variables that remain, are new, or are defined later
  };

  term::TermStore& store;
  std::vector<term::Term> assertions;
  std::vector<Definition> definitions;

  bool is_false() const { return assertions.size() == 1 && store.is_false(assertions[0]); }
  /// Gives the eliminated variables their values.
  void complete(term::Assignment& model) const;
};

// The passes, each linear in the size of the DAG; they return whether anything changed and may throw OutOfBudget.

/// Splits conjunctions, drops what is true or stands twice, reduces to `false` what is contradictory.
bool flatten(Problem& problem);
/// Substitutes variables that an assertion equates with a term without them: x = t, x + s = t, x ^ s = t, odd * x = t,
/// b, ~b.
bool solve_equations(Problem& problem, const Budget& budget);
/// Replaces assertions by true where they stand inside other assertions.
bool propagate_facts(Problem& problem, const Budget& budget);
/// Replaces t by a new variable where t can take every value because a variable that occurs nowhere else makes it so
/// (Bruttomesso et al., "A Lazy and Layered SMT(BV) Solver for Hard Industrial Verification Problems", 2007).
bool eliminate_unconstrained(Problem& problem, const Budget& budget);

}  // namespace plumb::solve
