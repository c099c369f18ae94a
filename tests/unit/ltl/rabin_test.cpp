#include "ltl/rabin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/ltl/lasso.h"

namespace plumb::ltl {
namespace {

bool accepts(Rabin& automaton, const Lasso& word) {
  Rabin::State state = automaton.initial();
  std::size_t at = 0;
  std::vector<std::pair<Rabin::State, std::size_t>> trace;
  while (true) {
    state = automaton.next(state, automaton.letter(letter_of(word.letters[at])));
    const auto here = std::make_pair(state, at);
    const auto before = std::ranges::find(trace, here);
    if (before == trace.end()) {
      trace.push_back(here);
      at = word.after(at);
      continue;
    }
    std::vector<std::size_t> present(automaton.pairs());
    std::vector<bool> good(automaton.pairs());
    for (auto it = before; it != trace.end(); ++it)
      for (const Rabin::Mark& mark : automaton.marks(it->first)) {
        ++present[mark.pair];
        if (mark.is_good) good[mark.pair] = true;
      }
    for (std::uint32_t pair = 0; pair < automaton.pairs(); ++pair)
      if (good[pair] && present[pair] == static_cast<std::size_t>(trace.end() - before)) return true;
    return false;
  }
}

TEST(Rabin, AcceptsExactlyTheLassoWordsThatSatisfyTheFormula) {
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint32_t seed = 0; seed < 800; ++seed) {
    Formulas formulas;
    Generator generator(formulas, seed);
    const Id formula = generator.formula(seed % 2 == 0 ? 3 : 4);
    Rabin automaton(formulas, formula, kBudget);
    for (int i = 0; i < 30; ++i) {
      const Lasso word = generator.word();
      const bool expected = holds(formulas, formula, word)[0];
      ASSERT_EQ(accepts(automaton, word), expected) << "seed " << seed << " word " << i;
      ++(expected ? accepted : rejected);
    }
  }
  EXPECT_GT(accepted, 3000U);
  EXPECT_GT(rejected, 3000U);
}

TEST(Rabin, OfFairnessConditionsIsRight) {
  // Conjunctions and disjunctions of "for ever again" and "from some point on": several pairs are needed.
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Formulas formulas;
    Generator generator(formulas, seed);
    const auto fair = [&] { return formulas.globally(formulas.finally(generator.formula(1))); };
    const auto settled = [&] { return formulas.finally(formulas.globally(generator.formula(1))); };
    const Id formula =
        seed % 2 == 0
            ? formulas.disjunction(formulas.conjunction(fair(), settled()), formulas.conjunction(fair(), settled()))
            : formulas.conjunction(formulas.disjunction(fair(), settled()), formulas.disjunction(settled(), fair()));
    Rabin automaton(formulas, formula, kBudget);
    for (int i = 0; i < 60; ++i) {
      const Lasso word = generator.word();
      ASSERT_EQ(accepts(automaton, word), holds(formulas, formula, word)[0]) << "seed " << seed << " word " << i;
    }
  }
}

TEST(Rabin, OfASimpleFormulaIsSmall) {
  Formulas formulas;
  const Id a = formulas.literal(0);
  const auto size = [&](Id formula) {
    Rabin automaton(formulas, formula, kBudget);
    std::set<Rabin::State> seen{automaton.initial()};
    std::vector<Rabin::State> work{automaton.initial()};
    while (!work.empty()) {
      const Rabin::State state = work.back();
      work.pop_back();
      for (std::uint32_t atoms = 0; atoms < (1U << kAtoms); ++atoms)
        if (const auto next = automaton.next(state, automaton.letter(letter_of(atoms))); seen.insert(next).second)
          work.push_back(next);
    }
    return seen.size();
  };
  EXPECT_LE(size(formulas.finally(a)), 3U);
  EXPECT_LE(size(formulas.globally(a)), 3U);
  EXPECT_LE(size(formulas.globally(formulas.finally(a))), 3U);
  EXPECT_LE(size(formulas.finally(formulas.globally(a))), 6U);
}

}  // namespace
}  // namespace plumb::ltl
