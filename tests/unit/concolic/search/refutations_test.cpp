#include "concolic/search/refutations.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::concolic {

namespace {

using term::Term;
using Terms = std::vector<Term>;

TEST(Refutations, RefuteQueriesThatHaveAllOfASet) {
  Refutations refutations;
  const Term a{11}, b{12}, c{13}, asked{14};
  refutations.add(Terms{a, b, asked}, asked);
  EXPECT_TRUE(refutations.refute(Terms{c, b, a, asked}, asked));
  EXPECT_FALSE(refutations.refute(Terms{c, a, asked}, asked)) << "b is missing";
  EXPECT_FALSE(refutations.refute(Terms{a, b, c}, c)) << "something else is asked for";
  refutations.clear();
  EXPECT_FALSE(refutations.refute(Terms{a, b, asked}, asked));
}

TEST(Refutations, KeepNoSetWithoutWhatWasAskedFor) {
  Refutations refutations;
  const Term a{11}, b{12}, asked{14};
  refutations.add(Terms{a, b}, asked);
  EXPECT_FALSE(refutations.refute(Terms{a, b, asked}, asked));
}

TEST(Refutations, WhatIsUsedOutlivesWhatIsNot) {
  Refutations refutations;
  const Term asked{1000};
  const Terms used = {Term{1}, asked};
  refutations.add(used, asked);
  for (std::uint32_t i = 2; i < 200; ++i) {
    EXPECT_TRUE(refutations.refute(used, asked));
    refutations.add(Terms{Term{i}, asked}, asked);
  }
  EXPECT_FALSE(refutations.refute(Terms{Term{2}, asked}, asked)) << "the oldest make room";
}

}  // namespace

}  // namespace plumb::concolic
