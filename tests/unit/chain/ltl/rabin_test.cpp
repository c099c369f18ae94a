#include "chain/ltl/rabin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace plumb::chain::ltl {
namespace {

constexpr std::uint32_t kAtoms = 2;
const Budget kBudget;

/// A word that goes round: letters, and the position that follows the last.
struct Lasso {
  std::vector<std::uint32_t> letters;
  std::size_t back = 0;

  std::size_t after(std::size_t i) const { return i + 1 < letters.size() ? i + 1 : back; }
};

Letter letter_of(std::uint32_t atoms) {
  Letter letter;
  for (std::uint32_t i = 0; i < kAtoms; ++i) {
    letter.push_back(((atoms >> i) & 1) != 0);
    letter.push_back(((atoms >> i) & 1) == 0);
  }
  return letter;
}

/// Where a formula holds on a lasso, by the definition: least and greatest fixed points.
std::vector<bool> holds(const Formulas& formulas, Id id, const Lasso& word) {
  using Kind = Formulas::Kind;
  const Formulas::Node& node = formulas[id];
  const std::size_t n = word.letters.size();
  std::vector<bool> result(n, node.kind == Kind::True || node.kind == Kind::Release);
  if (node.kind == Kind::Literal)
    for (std::size_t i = 0; i < n; ++i) result[i] = letter_of(word.letters[i])[node.literal];
  if (node.kind <= Kind::Literal) return result;
  const std::vector<bool> a = holds(formulas, node.a, word);
  if (node.kind == Kind::Next) {
    for (std::size_t i = 0; i < n; ++i) result[i] = a[word.after(i)];
    return result;
  }
  const std::vector<bool> b = holds(formulas, node.b, word);
  for (std::size_t round = 0; round <= n; ++round)
    for (std::size_t i = 0; i < n; ++i) {
      if (node.kind == Kind::And) result[i] = a[i] && b[i];
      if (node.kind == Kind::Or) result[i] = a[i] || b[i];
      if (node.kind == Kind::Until) result[i] = b[i] || (a[i] && result[word.after(i)]);
      if (node.kind == Kind::Release) result[i] = b[i] && (a[i] || result[word.after(i)]);
    }
  return result;
}

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

class Generator {
 public:
  Generator(Formulas& formulas, std::uint32_t seed) : formulas_(formulas), random_(seed) {}

  Id formula(int depth) {
    if (depth == 0 || pick(6) == 0) return formulas_.literal(pick(2 * kAtoms));
    switch (pick(7)) {
      case 0:
        return formulas_.conjunction(formula(depth - 1), formula(depth - 1));
      case 1:
        return formulas_.disjunction(formula(depth - 1), formula(depth - 1));
      case 2:
        return formulas_.next(formula(depth - 1));
      case 3:
        return formulas_.until(formula(depth - 1), formula(depth - 1));
      case 4:
        return formulas_.release(formula(depth - 1), formula(depth - 1));
      case 5:
        return formulas_.finally(formula(depth - 1));
      default:
        return formulas_.globally(formula(depth - 1));
    }
  }
  Lasso word() {
    Lasso result;
    const std::size_t length = 1 + pick(7);
    for (std::size_t i = 0; i < length; ++i) result.letters.push_back(pick(1U << kAtoms));
    result.back = pick(static_cast<std::uint32_t>(length));
    return result;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

  Formulas& formulas_;
  std::mt19937 random_;
};

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

TEST(Formulas, AreCoSafeWithoutRelease) {
  Formulas formulas;
  const Id a = formulas.literal(0);
  const Id b = formulas.literal(2);
  EXPECT_TRUE(formulas.is_co_safe(formulas.until(a, formulas.next(formulas.finally(b)))));
  EXPECT_FALSE(formulas.is_co_safe(formulas.finally(formulas.globally(b))));
}

}  // namespace
}  // namespace plumb::chain::ltl
