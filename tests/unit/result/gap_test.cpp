#include "result/gap.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumb::result {
namespace {

Gap gap(Weakens weakens, std::string text = "inline assembly") {
  return {.kind = GapKind::Unsupported,
          .place = {"a.c", 3, 5},
          .function = "main",
          .text = std::move(text),
          .weakens = weakens};
}

TEST(Gap, NothingIsClaimedAbsentBehindOneThatWeakensAbsence) {
  for (const Verdict found : {Verdict::Holds, Verdict::Vacuous, Verdict::HoldsUpTo, Verdict::Unknown})
    for (const Weakens weakens : {Weakens::Absence, Weakens::Both}) {
      const Absence said = claim_absence(found, "bound 4", std::vector{gap(weakens)}, false);
      EXPECT_EQ(said.verdict, Verdict::Unknown);
      EXPECT_FALSE(said.except_gaps);
      if (found != Verdict::Unknown)
        EXPECT_EQ(said.reason, "not followed: unsupported at a.c:3:5 in main: inline assembly");
    }
}

TEST(Gap, AnAcceptedOneIsNamedInTheReason) {
  const Absence said = claim_absence(Verdict::HoldsUpTo, "bound 4", std::vector{gap(Weakens::Absence)}, true);
  EXPECT_EQ(said.verdict, Verdict::HoldsUpTo);
  EXPECT_TRUE(said.except_gaps);
  EXPECT_EQ(said.reason, "bound 4; except behind: unsupported at a.c:3:5 in main: inline assembly");
}

TEST(Gap, OneThatOnlyMakesViolationsDoubtfulLeavesAbsence) {
  const Absence said = claim_absence(Verdict::Holds, "", std::vector{gap(Weakens::Violation)}, false);
  EXPECT_EQ(said.verdict, Verdict::Holds);
  EXPECT_FALSE(said.except_gaps);
}

TEST(Gap, OfManyAReasonNamesThreeAndCountsTheOthers) {
  std::vector<Gap> gaps;
  for (const char* text : {"a", "b", "c", "d", "e"}) gaps.push_back(gap(Weakens::Both, text));
  EXPECT_TRUE(claim_absence(Verdict::Holds, "", gaps, false).reason.ends_with("in main: c; and 2 more"));
}

TEST(Gap, TheSameIsAddedOnce) {
  std::vector<Gap> all{gap(Weakens::Both)};
  add_gaps(all, std::vector{gap(Weakens::Both), gap(Weakens::Absence), gap(Weakens::Both, "asm goto")});
  EXPECT_EQ(all.size(), 3U);
}

TEST(Gap, OfManyTheSameIsAddedOnceAndTheOrderKept) {
  std::vector<Gap> many;
  for (int i = 0; i < 1000; ++i) many.push_back(gap(Weakens::Both, std::to_string(i % 500)));
  std::vector<Gap> all{gap(Weakens::Both, "499")};
  add_gaps(all, many);
  add_gaps(all, many);
  ASSERT_EQ(all.size(), 500U);
  for (std::size_t i = 1; i < 500; ++i) EXPECT_EQ(all[i].text, std::to_string(i - 1));
}

}  // namespace
}  // namespace plumb::result
