#include "check/ltl_formula.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "base/error.h"
#include "ltl/buchi.h"

namespace plumb::check {
namespace {

using Word = std::vector<LtlFormula::Valuation>;

std::vector<std::string> atoms_of(const std::string& text) {
  std::vector<std::string> texts;
  const LtlFormula formula(text);
  for (const LtlFormula::Atom& atom : formula.atoms()) texts.push_back(atom.text);
  return texts;
}

std::uint32_t column_of_error(const std::string& text) {
  try {
    const LtlFormula formula(text);
  } catch (const UserError& error) {
    EXPECT_EQ(error.location().file, "--ltl");
    EXPECT_FALSE(error.hint().empty());
    return error.location().column;
  }
  return 0;
}

TEST(LtlFormula, WhatHasNoTemporalOperatorIsOneConditionInC) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(atoms_of("G (request == 1 -> F (served == 1))"), (Texts{"request == 1", "(served == 1)"}));
  EXPECT_EQ(atoms_of("[] <> x && !y"), (Texts{"x", "!y"}));
  EXPECT_EQ(atoms_of("G (a && b[i + 1].c <= 3)"), (Texts{"(a && b[i + 1].c <= 3)"}));
  EXPECT_EQ(atoms_of("F (x + 1) * 2 > y"), (Texts{"(x + 1) * 2 > y"}));
  EXPECT_EQ(atoms_of("G (p->x -> F p->x == 'a')"), (Texts{"p->x", "p->x == 'a'"}));
  EXPECT_EQ(atoms_of("(x == 1) U (y == 2)"), (Texts{"(x == 1)", "(y == 2)"}));
  EXPECT_EQ(atoms_of("G !(at(f:cs) && at(g:cs))"), (Texts{"at(f:cs)", "at(g:cs)"}));
  EXPECT_EQ(atoms_of("F x || F x"), (Texts{"x"}));
  EXPECT_EQ(atoms_of("G (int) x"), (Texts{"(int) x"}));
}

TEST(LtlFormula, WhatIsWrongIsSaidWithItsColumn) {
  EXPECT_EQ(column_of_error("G (x == 1"), 3U);
  EXPECT_EQ(column_of_error("G"), 2U);
  EXPECT_EQ(column_of_error(""), 1U);
  EXPECT_EQ(column_of_error("x U"), 4U);
  EXPECT_EQ(column_of_error("G x)"), 4U);
  EXPECT_EQ(column_of_error("G X x"), 3U);
  EXPECT_EQ(column_of_error("x && && y"), 6U);
  EXPECT_EQ(column_of_error("F at(f)"), 7U);
  EXPECT_EQ(column_of_error("x + F y"), 5U);
}

/// Whether the automaton accepts the word: a cycle of the product that takes an accepting edge.
bool is_accepted(const LtlFormula& formula, const Word& stem, const Word& cycle) {
  ltl::Formulas formulas;
  const Budget budget;
  ltl::Buchi automaton(formulas, formula.build(formulas), budget);
  const auto letter = [&](const LtlFormula::Valuation& valuation) {
    ltl::Letter made;
    for (const bool holds : valuation) {
      made.push_back(holds);
      made.push_back(!holds);
    }
    return automaton.letter(made);
  };
  std::set<std::uint32_t> here{0};
  const auto step = [&](const std::set<std::uint32_t>& from, const LtlFormula::Valuation& valuation) {
    std::set<std::uint32_t> to;
    for (const std::uint32_t state : from)
      for (const auto& edge : automaton.edges(state, letter(valuation))) to.insert(edge.target);
    return to;
  };
  for (const auto& valuation : stem) here = step(here, valuation);
  for (bool grows = true; grows;) {
    std::set<std::uint32_t> next = here;
    for (const auto& valuation : cycle) next = step(next, valuation);
    next.insert(here.begin(), here.end());
    grows = next != here;
    here = next;
  }
  // From a state around the cycle, some rounds, back to it, with an accepting edge.
  for (const std::uint32_t start : here) {
    std::set<std::pair<std::uint32_t, bool>> seen{{start, false}};
    for (std::size_t rounds = 0; rounds < 2 * automaton.size() + 2; ++rounds) {
      for (const auto& valuation : cycle) {
        std::set<std::pair<std::uint32_t, bool>> next;
        for (const auto& [state, was_accepted] : seen)
          for (const auto& edge : automaton.edges(state, letter(valuation)))
            next.insert({edge.target, was_accepted || edge.is_accepting});
        seen = std::move(next);
      }
      if (seen.contains({start, true})) return true;
    }
  }
  return false;
}

TEST(LtlFormula, JudgesWordsAsItsAutomatonDoes) {
  std::mt19937 random(1);
  const auto choose = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
  const std::function<std::string(int)> make = [&](int depth) -> std::string {
    if (depth == 0) return std::vector<std::string>{"at(f:a)", "at(f:b)", "true", "false"}[choose(choose(8) ? 2 : 4)];
    switch (choose(9)) {
      case 0:
        return "!(" + make(depth - 1) + ")";
      case 1:
        return "G (" + make(depth - 1) + ")";
      case 2:
        return "F (" + make(depth - 1) + ")";
      default: {
        const char* ops[] = {" U ", " R ", " W ", " && ", " || ", " -> ", " <-> "};
        return "(" + make(depth - 1) + ")" + ops[choose(7)] + "(" + make(depth - 1) + ")";
      }
    }
  };
  for (int round = 0; round < 400; ++round) {
    const LtlFormula formula(make(1 + round % 3));
    const auto word = [&](std::size_t size) {
      Word made(size);
      for (auto& valuation : made)
        for (std::size_t a = 0; a < formula.atoms().size(); ++a) valuation.push_back(choose(2) == 1);
      return made;
    };
    const Word stem = word(choose(4));
    const Word cycle = word(1 + choose(4));
    EXPECT_EQ(formula.holds(stem, cycle), is_accepted(formula, stem, cycle)) << formula.text();
  }
}

}  // namespace
}  // namespace plumb::check
