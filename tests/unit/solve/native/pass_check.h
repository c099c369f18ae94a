#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "solve/native/problem.h"
#include "term/smtlib_printer.h"
#include "unit/solve/random_problem.h"

namespace plumb::solve {

using Pass = std::function<bool(Problem&)>;

/// The invariant of every pass, by enumeration: the result is satisfiable exactly if `original` is, and each of its
/// models, completed, satisfies `original`. Returns whether the pass said that it changed something.
inline bool expect_sound(term::TermStore& store, const std::vector<term::Term>& original, const Pass& pass) {
  Problem problem(store);
  problem.assertions = original;
  const bool changed = pass(problem);
  EXPECT_TRUE(changed || problem.definitions.empty());
  bool has_model = false;
  const bool is_wrong = some_assignment(store, term::support(store, problem.assertions),
                                        [&](const term::Assignment& assignment, term::Evaluator& e) {
                                          if (!all_hold(e, problem.assertions)) return false;
                                          has_model = true;
                                          term::Assignment model = assignment;
                                          problem.complete(model);
                                          term::Evaluator completed(store, model);
                                          return !all_hold(completed, original);
                                        });
  const auto text = [&] {
    return term::to_smtlib_script(store, original) + "became\n" + term::to_smtlib_script(store, problem.assertions);
  };
  EXPECT_FALSE(is_wrong) << "a completed model is none of\n" << text();
  EXPECT_TRUE(has_model || !is_satisfiable(store, original)) << "the pass lost all models of\n" << text();
  return changed;
}

/// expect_sound on random problems; returns how many of them changed.
inline int expect_sound_on_random_problems(const Pass& pass, int count, std::span<const term::Sort> sorts,
                                           std::uint64_t seed) {
  int changed = 0;
  for (int i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
    term::TermStore store;
    RandomTerms terms(store, seed + static_cast<std::uint64_t>(i), sorts);
    const std::size_t assertions = 1 + terms.below(4);
    changed += expect_sound(store, terms.constraints(assertions, 1 + static_cast<unsigned>(terms.below(3))), pass);
  }
  return changed;
}

}  // namespace plumb::solve
