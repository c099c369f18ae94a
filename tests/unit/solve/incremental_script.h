#pragma once

#include <gtest/gtest.h>

#include "random_problem.h"
#include "solve/solver.h"
#include "term/smtlib_printer.h"

namespace plumb::solve {

/// Random asserts, pushes, pops and checks with assumptions, each answer, model and set of failed assumptions compared
/// with enumeration. Returns the number of satisfiable checks and of all.
struct ScriptCounts {
  int satisfiable = 0;
  int checks = 0;
};

inline ScriptCounts run_random_script(Solver& solver, RandomTerms& terms, int steps) {
  term::TermStore& store = solver.store();
  ScriptCounts counts;
  // Constraints come again, as they do on the paths of a program, so that caches have something to answer.
  std::vector<term::Term> pool = terms.constraints(6, 2);
  const auto pick = [&] {
    if (terms.below(4) == 0) pool.push_back(terms.constraint(2));
    const term::Term t = pool[terms.below(pool.size())];
    return terms.below(3) == 0 ? store.bit_not(t) : t;
  };
  const auto has_model_with = [&](std::span<const term::Term> assumptions) {
    std::vector<term::Term> all(solver.assertions().begin(), solver.assertions().end());
    all.insert(all.end(), assumptions.begin(), assumptions.end());
    return is_satisfiable(store, all);
  };
  for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
    const std::uint64_t choice = terms.below(8);
    if (choice == 0) solver.push();
    if (choice == 1 && solver.scopes() > 0) solver.pop(1 + terms.below(solver.scopes()));
    if (choice == 2 && (solver.scopes() > 0 || terms.below(4) == 0)) solver.assert_true(pick());
    if (choice < 3) continue;
    std::vector<term::Term> assumptions;
    for (std::uint64_t n = terms.below(4); n > 0; --n) assumptions.push_back(pick());
    const bool expected = has_model_with(assumptions);
    const Result result = solver.check(assumptions, Budget());
    EXPECT_EQ(result.answer, expected ? Answer::Sat : Answer::Unsat)
        << term::to_smtlib_script(store, solver.assertions(), assumptions);
    EXPECT_TRUE(expected || !has_model_with(solver.failed_assumptions()));
    counts.satisfiable += expected;
    ++counts.checks;
  }
  return counts;
}

}  // namespace plumb::solve
