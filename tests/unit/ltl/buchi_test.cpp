#include "ltl/buchi.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/ltl/lasso.h"

namespace plumb::ltl {
namespace {

using Place = std::pair<std::uint32_t, std::size_t>;  ///< a state, a position of the word

std::set<Place> reachable(Buchi& automaton, const Lasso& word, Place from) {
  std::set<Place> seen{from};
  std::vector<Place> work{from};
  while (!work.empty()) {
    const auto [state, at] = work.back();
    work.pop_back();
    for (const Buchi::Edge& edge : automaton.edges(state, automaton.letter(letter_of(word.letters[at]))))
      if (const Place to{edge.target, word.after(at)}; seen.insert(to).second) work.push_back(to);
  }
  return seen;
}

/// By the definition: a cycle with an accepting edge can be reached.
bool accepts(Buchi& automaton, const Lasso& word) {
  for (const auto& [state, at] : reachable(automaton, word, {0, 0})) {
    const std::vector<Buchi::Edge> edges = automaton.edges(state, automaton.letter(letter_of(word.letters[at])));
    for (const Buchi::Edge& edge : edges)
      if (edge.is_accepting && reachable(automaton, word, {edge.target, word.after(at)}).contains({state, at}))
        return true;
  }
  return false;
}

TEST(Buchi, AcceptsExactlyTheLassoWordsThatSatisfyTheFormula) {
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    Formulas formulas;
    Generator generator(formulas, seed);
    const Id formula = generator.formula(3);
    Buchi automaton(formulas, formula, kBudget);
    for (int i = 0; i < 20; ++i) {
      const Lasso word = generator.word();
      const bool expected = holds(formulas, formula, word)[0];
      ASSERT_EQ(accepts(automaton, word), expected) << "seed " << seed << " word " << i;
      ++(expected ? accepted : rejected);
    }
  }
  EXPECT_GT(accepted, 1000U);
  EXPECT_GT(rejected, 1000U);
}

}  // namespace
}  // namespace plumb::ltl
