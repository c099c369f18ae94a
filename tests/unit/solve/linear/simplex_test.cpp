#include "solve/linear/simplex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

namespace plumb::solve {
namespace {

using Outcome = Simplex::Outcome;
using Terms = std::vector<std::pair<unsigned, Wide>>;
constexpr std::uint64_t kPlenty = 1'000'000;

TEST(Rationals, AreKeptInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(Rational(6, -4), Rational(-3, 2));
  EXPECT_EQ(Rational(1, 2) + Rational(1, 3), Rational(5, 6));
  EXPECT_EQ(Rational(2, 3) * Rational(3, 4), Rational(1, 2));
  EXPECT_EQ(Rational(-2, 3).inverse(), Rational(-3, 2));
  EXPECT_TRUE(Rational(-1, 2) < Rational(-1, 3));
  EXPECT_FALSE(Rational(2, 4) < Rational(1, 2));
}

TEST(Rationals, FloorRoundsDown) {
  EXPECT_TRUE(Rational(7, 2).floor() == 3);
  EXPECT_TRUE(Rational(-7, 2).floor() == -4);
  EXPECT_TRUE(Rational(-4).floor() == -4);
}

TEST(Rationals, WhatDoesNotFitThrows) {
  const Rational large(Wide{1} << 100);
  EXPECT_THROW(large * large, Rational::Overflow);
  EXPECT_THROW(Rational(1, Wide{1} << 100) + Rational(1, (Wide{1} << 100) - 1), Rational::Overflow);
}

TEST(Simplexes, ACycleOfStrictInequalitiesIsInfeasibleForItsReasons) {
  Simplex simplex;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned v = simplex.add_variable();
    simplex.bound_below(v, 0, 100 + i);
    simplex.bound_above(v, 255, 200 + i);
  }
  for (unsigned i = 0; i < 3; ++i) simplex.bound_above(simplex.add_form(Terms{{i, 1}, {(i + 1) % 3, -1}}), -1, 10 + i);
  simplex.bound_above(simplex.add_form(Terms{{3, 1}, {0, 1}}), 300, 20);
  ASSERT_EQ(simplex.check(kPlenty), Outcome::Infeasible);
  std::vector<std::uint32_t> reasons = simplex.conflict();
  std::sort(reasons.begin(), reasons.end());
  EXPECT_EQ(reasons, (std::vector<std::uint32_t>{10, 11, 12}));
}

TEST(Simplexes, BoundsThatCrossAreInfeasible) {
  Simplex simplex;
  const unsigned v = simplex.add_variable();
  simplex.bound_below(v, 3, 1);
  simplex.bound_below(v, 5, 2);
  simplex.bound_above(v, 4, 3);
  simplex.bound_above(v, 9, 4);
  ASSERT_EQ(simplex.check(kPlenty), Outcome::Infeasible);
  EXPECT_EQ(simplex.conflict(), (std::vector<std::uint32_t>{2, 3}));
}

TEST(Simplexes, TooFewStepsAndTooLargeNumbersAreUnknown) {
  Simplex few;
  for (int i = 0; i < 3; ++i) few.bound_below(few.add_variable(), 0, 1);
  few.bound_below(few.add_form(Terms{{0, 1}, {1, -2}}), 1, 2);
  few.bound_below(few.add_form(Terms{{1, 1}, {2, -2}}), 1, 3);
  EXPECT_EQ(few.check(1), Outcome::Unknown);

  Simplex large;
  large.bound_below(large.add_variable(), Wide{1} << 100, 1);
  large.bound_above(large.add_form(Terms{{0, Wide{1} << 40}}), 0, 2);
  EXPECT_EQ(large.check(kPlenty), Outcome::Unknown);
}

/// A random system over three variables from 0 to 3, and whether those of its forms that have one of the given reasons
/// have an integer point in the box.
struct RandomSystem {
  struct Form {
    std::array<int, 3> coefficients;
    int bound;
    bool below;
  };
  std::vector<Form> forms;

  explicit RandomSystem(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    for (int n = 2 + below(5); n > 0; --n)
      forms.push_back({{below(5) - 2, below(5) - 2, below(5) - 2}, below(9) - 4, below(2) == 0});
  }

  bool has_point(const std::function<bool(std::uint32_t)>& counts) const {
    for (int code = 0; code < 64; ++code) {
      bool holds = true;
      for (std::uint32_t i = 0; i < forms.size(); ++i) {
        const auto& [a, bound, below] = forms[i];
        const int sum = a[0] * (code & 3) + a[1] * (code >> 2 & 3) + a[2] * (code >> 4);
        if (counts(i + 1) && (below ? sum < bound : sum > bound)) holds = false;
      }
      if (holds) return true;
    }
    return false;
  }
};

TEST(Simplexes, RandomSystemsAgreeWithEnumeration) {
  std::mt19937 random(1);
  int feasible = 0;
  int infeasible = 0;
  for (int round = 0; round < 20'000; ++round) {
    const RandomSystem system(random);
    Simplex simplex;
    for (int i = 0; i < 3; ++i) {
      const unsigned v = simplex.add_variable();
      simplex.bound_below(v, 0, 0);
      simplex.bound_above(v, 3, 0);
    }
    std::vector<unsigned> places;
    for (std::uint32_t i = 0; i < system.forms.size(); ++i) {
      const auto& [a, bound, below] = system.forms[i];
      places.push_back(simplex.add_form(Terms{{0, a[0]}, {1, a[1]}, {2, a[2]}}));
      below ? simplex.bound_below(places[i], bound, i + 1) : simplex.bound_above(places[i], bound, i + 1);
    }
    const Outcome outcome = simplex.check(kPlenty);
    ASSERT_NE(outcome, Outcome::Unknown);
    if (outcome == Outcome::Infeasible) {
      ++infeasible;
      const auto& reasons = simplex.conflict();
      ASSERT_FALSE(system.has_point(
          [&](std::uint32_t i) { return std::find(reasons.begin(), reasons.end(), i) != reasons.end(); }));
      continue;
    }
    ++feasible;
    for (unsigned v = 0; v < 3; ++v) ASSERT_FALSE(simplex.value(v) < Rational(0) || Rational(3) < simplex.value(v));
    for (std::uint32_t i = 0; i < system.forms.size(); ++i) {
      const auto& [a, bound, below] = system.forms[i];
      Rational sum;
      for (unsigned v = 0; v < 3; ++v) sum = sum + Rational(a[v]) * simplex.value(v);
      ASSERT_EQ(sum, simplex.value(places[i]));
      ASSERT_FALSE(below ? sum < Rational(bound) : Rational(bound) < sum);
    }
  }
  EXPECT_GT(feasible, 4000);
  EXPECT_GT(infeasible, 4000);
}

}  // namespace
}  // namespace plumb::solve
