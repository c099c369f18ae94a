#include "result/verdict.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::result {
namespace {

constexpr Verdict kAll[] = {Verdict::Holds, Verdict::Vacuous, Verdict::HoldsUpTo, Verdict::Unknown, Verdict::Violated};

TEST(Verdict, AWorseVerdictOfOnePropertyIsThatOfAll) {
  for (const Verdict a : kAll)
    for (const Verdict b : kAll) {
      const Verdict both = worst(std::vector{a, b});
      EXPECT_EQ(both, worst(std::vector{b, a}));
      EXPECT_TRUE(both == a || both == b);
      for (const Verdict known : {a, b}) {
        if (known == Verdict::Violated) EXPECT_EQ(both, Verdict::Violated);
        if (known == Verdict::Unknown) EXPECT_FALSE(is_proof(both));
        if (known == Verdict::HoldsUpTo) EXPECT_FALSE(is_proof(both));
        if (known == Verdict::Vacuous) EXPECT_NE(both, Verdict::Holds);
      }
    }
}

TEST(Verdict, OfNothingNothingIsKnown) {
  EXPECT_EQ(worst({}), Verdict::Unknown);
  EXPECT_EQ(of_goals({}), Verdict::Unknown);
}

TEST(Verdict, APropertyIsVacuousOnlyIfAllOfItsGoalsAre) {
  EXPECT_EQ(of_goals(std::vector{Verdict::Vacuous, Verdict::Vacuous}), Verdict::Vacuous);
  EXPECT_EQ(of_goals(std::vector{Verdict::Vacuous, Verdict::Holds}), Verdict::Holds);
  EXPECT_EQ(of_goals(std::vector{Verdict::Vacuous, Verdict::HoldsUpTo, Verdict::Holds}), Verdict::HoldsUpTo);
  EXPECT_EQ(of_goals(std::vector{Verdict::Vacuous, Verdict::Violated}), Verdict::Violated);
}

TEST(Verdict, OnlyProofsAndViolationsAreFinal) {
  for (const Verdict verdict : kAll) {
    const std::string_view word = to_string(verdict);
    EXPECT_EQ(is_proof(verdict), word == "holds" || word == "vacuous") << word;
    EXPECT_EQ(is_final(verdict), word != "unknown" && word != "holds up to") << word;
  }
}

}  // namespace
}  // namespace plumb::result
