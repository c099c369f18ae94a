#include "solve/linear/linear_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace plumb::solve {
namespace {

using Outcome = LinearSystem::Outcome;
using Domain = LinearSystem::Domain;
using Terms = std::vector<std::pair<unsigned, Wide>>;
const Budget kBudget;
constexpr int kHighest = 3;

struct Constraint {
  std::array<int, 3> coefficients;
  int relation;  ///< -1: at most, 1: at least, 0: equal
  int bound;

  bool holds(const std::array<int, 3>& point) const {
    int sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += coefficients[i] * point[i];
    return relation < 0 ? sum <= bound : relation > 0 ? sum >= bound : sum == bound;
  }
};

void add(LinearSystem& system, const Constraint& constraint, std::uint32_t reason) {
  Terms terms;
  for (unsigned i = 0; i < 3; ++i) terms.emplace_back(i, constraint.coefficients[i]);
  if (constraint.relation < 0) system.at_most(terms, constraint.bound, reason);
  if (constraint.relation > 0) system.at_least(terms, constraint.bound, reason);
  if (constraint.relation == 0) system.equals(terms, constraint.bound, reason);
}

/// Whether the constraints with these numbers have a point of integers in the box.
bool has_point(const std::vector<Constraint>& constraints, const std::vector<std::uint32_t>& numbers) {
  std::array<int, 3> p{};
  for (p[0] = 0; p[0] <= kHighest; ++p[0])
    for (p[1] = 0; p[1] <= kHighest; ++p[1])
      for (p[2] = 0; p[2] <= kHighest; ++p[2])
        if (std::ranges::all_of(numbers,
                                [&](std::uint32_t n) { return n >= constraints.size() || constraints[n].holds(p); }))
          return true;
  return false;
}

TEST(LinearSystems, OverIntegersHaveThePointsThatEnumerationFinds) {
  std::mt19937 random(3);
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  int infeasible = 0;
  int only_rational = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Constraint> constraints(static_cast<std::size_t>(pick(2, 5)));
    for (Constraint& c : constraints) c = {{pick(-4, 4), pick(-4, 4), pick(-4, 4)}, pick(-1, 1), pick(-9, 9)};
    LinearSystem system;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Terms variable{{system.add_variable(), 1}};
      system.at_least(variable, 0, 100);
      system.at_most(variable, kHighest, 101);
    }
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < constraints.size(); ++i) {
      add(system, constraints[i], i);
      all.push_back(i);
    }
    const LinearSystem::Solution answer = system.solve(Domain::Integers, {}, kBudget);
    const LinearSystem::Solution rational = system.solve(Domain::Rationals, {}, kBudget);
    ASSERT_EQ(answer.outcome, has_point(constraints, all) ? Outcome::Feasible : Outcome::Infeasible) << round;
    if (answer.outcome == Outcome::Feasible) {
      std::array<int, 3> point{};
      for (std::size_t i = 0; i < 3; ++i) {
        point[i] = static_cast<int>(answer.point[i].floor());
        ASSERT_EQ(answer.point[i], Rational(point[i]));
      }
      for (const Constraint& c : constraints) ASSERT_TRUE(c.holds(point)) << round;
      ASSERT_EQ(rational.outcome, Outcome::Feasible);
      continue;
    }
    ++infeasible;
    only_rational += rational.outcome == Outcome::Feasible ? 1 : 0;
    ASSERT_FALSE(has_point(constraints, answer.core)) << round;
    if (rational.outcome == Outcome::Infeasible) ASSERT_FALSE(has_point(constraints, rational.core)) << round;
  }
  EXPECT_GT(infeasible, 500);
  EXPECT_GT(only_rational, 100);
}

TEST(LinearSystems, WithoutIntegersMayHaveRationals) {
  LinearSystem system;
  const unsigned x = system.add_variable();
  const unsigned y = system.add_variable();
  system.equals(Terms{{x, 2}, {y, -4}}, 1, 7);
  system.at_least(Terms{{y, 1}}, 5, 8);
  const LinearSystem::Solution integers = system.solve(Domain::Integers, {}, kBudget);
  EXPECT_EQ(integers.outcome, Outcome::Infeasible);
  EXPECT_EQ(integers.core, std::vector<std::uint32_t>{7});
  const LinearSystem::Solution rationals = system.solve(Domain::Rationals, {}, kBudget);
  ASSERT_EQ(rationals.outcome, Outcome::Feasible);
  EXPECT_EQ(rationals.point[x] * Rational(2) - rationals.point[y] * Rational(4), Rational(1));
}

TEST(LinearSystems, ThatWouldBranchForEverAreUnknown) {
  // 3x - 3y lies between 1 and 2: between two constraints there is nothing to divide by, and no variable has a bound.
  LinearSystem system;
  const unsigned x = system.add_variable();
  const unsigned y = system.add_variable();
  const unsigned z = system.add_variable();
  system.equals(Terms{{x, 3}, {y, -3}, {z, -1}}, 0, 1);
  system.at_least(Terms{{z, 1}}, 1, 2);
  system.at_most(Terms{{z, 1}}, 2, 3);
  EXPECT_NE(system.solve(Domain::Integers, {.steps = 200'000, .branches = 20}, kBudget).outcome, Outcome::Feasible);
  EXPECT_EQ(system.solve(Domain::Rationals, {}, kBudget).outcome, Outcome::Feasible);
}

TEST(LinearSystems, EndWithTheBudgetAndTheLimits) {
  LinearSystem system;
  const unsigned x = system.add_variable();
  system.at_least(Terms{{x, 1}}, 1, 1);
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  EXPECT_EQ(system.solve(Domain::Integers, {}, ended).outcome, Outcome::Unknown);
}

}  // namespace
}  // namespace plumb::solve
