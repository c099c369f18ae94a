#include "unroll/paths.h"

#include <gtest/gtest.h>

#include <array>

namespace plumb::unroll {
namespace {

class PathsTest : public testing::Test {
 protected:
  TermStore terms;
  Paths paths{terms};
  Term a = terms.variable(1, "a"), b = terms.variable(1, "b");
};

TEST_F(PathsTest, BothOutcomesOfADecisionMeetInItsParent) {
  const PathId yes = paths.child(Paths::kRoot, a);
  const PathId no = paths.child(Paths::kRoot, terms.bit_not(a));
  const PathId deep = paths.child(yes, b), other = paths.child(yes, terms.bit_not(b));
  int joins = 0;
  const auto join = [&](std::size_t, std::size_t, Term) { ++joins; };
  EXPECT_EQ(paths.meet(std::array{deep, no, other}, join).second, Paths::kRoot);
  EXPECT_EQ(joins, 2);
}

TEST_F(PathsTest, WhatTellsTwoPathsApartIsBelowTheirCommonAncestor) {
  const PathId common = paths.child(Paths::kRoot, a);
  const PathId yes = paths.child(common, b), no = paths.child(common, terms.bit_not(b));
  std::vector<Term> conditions;
  const auto [left, path] =
      paths.meet(std::array{yes, no}, [&](std::size_t, std::size_t, Term c) { conditions.push_back(c); });
  EXPECT_EQ(path, common);
  ASSERT_EQ(conditions.size(), 1U);
  EXPECT_EQ(conditions[0], left == 0 ? b : terms.bit_not(b));
}

TEST_F(PathsTest, ADecisionIsGoneWhenItsOtherOutcomeHasEnded) {
  const PathId yes = paths.child(Paths::kRoot, a), no = paths.child(Paths::kRoot, terms.bit_not(a));
  EXPECT_EQ(paths.reduced(yes), yes);
  paths.mark_ended(no);
  EXPECT_EQ(paths.reduced(yes), Paths::kRoot);
  EXPECT_EQ(paths.reduced(paths.child(yes, b)), paths.child(yes, b));
  paths.mark_ended(paths.child(yes, b));
  EXPECT_EQ(paths.reduced(paths.child(yes, terms.bit_not(b))), Paths::kRoot);
  paths.forget_ended();
  EXPECT_EQ(paths.reduced(yes), yes);
}

}  // namespace
}  // namespace plumb::unroll
