#include "result/coverage/uncovered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

using State = StoredBranch::State;
using Reasons = std::vector<UncoveredReason>;

/// Conditions of all statements. The places of their branches are in kPlaces.
constexpr std::string_view kProgram = R"(int ext(int);
int g(int x, int y, int *p) {
  if (x > 3) y++;
  if (!x) y++;
  if (x && (y || p)) y++;
  if (!(x && !y)) y++;
  while (x < y) x++;
  for (int i = 0; i < x; i++) y += i;
  for (int i = 0; i < x && y; i++) y += i;
  do { x--; } while (x > 0);
  y = x > 2 ? ext(3) : ext(4);
  int z = x && y;
  switch (x) { case 1: return 1; case 2: case 3: return 2; }
  if (ext(x) == 3 ||
      ext(y) < 2)
    return z;
  return 0;
}
)";

/// By range of the condition: the place of the branch that clang makes of it. (12, 16) is only a value, and (9, 28)
/// shares the branch of the loop.
const std::map<TextPosition, TextPosition> kPlaces = {
    {{3, 7}, {3, 7}},   {{4, 7}, {4, 7}},     {{5, 7}, {5, 9}},    {{5, 13}, {5, 15}},
    {{5, 18}, {5, 7}},  {{6, 9}, {6, 11}},    {{6, 14}, {6, 7}},   {{7, 10}, {7, 3}},
    {{8, 19}, {8, 3}},  {{9, 19}, {9, 25}},   {{9, 28}, {9, 3}},   {{10, 22}, {10, 13}},
    {{11, 7}, {11, 7}}, {{12, 11}, {12, 13}}, {{14, 7}, {14, 19}}, {{15, 7}, {14, 7}}};

/// A file with kProgram, and regions and branches in it.
class Uncovered : public ::testing::Test {
 protected:
  Uncovered() { write_file(file(), kProgram); }

  std::string file() const { return (directory_.path() / "p.c").string(); }

  void add_region(TextPosition begin, TextPosition end, std::uint64_t times_true, std::uint64_t times_false) {
    coverage_.branches.push_back({file(), "g", begin, end, begin, file(), false, times_true, times_false});
  }
  void add_branch(TextPosition place, std::string side, State state) {
    const auto edge = static_cast<std::uint32_t>(known_.size());
    known_.push_back({edge, "p.c", place.line, place.column, "g", std::move(side), state});
  }
  /// A condition whose sides have these states.
  void add_condition(TextPosition place, State when_true, State when_false) {
    add_branch(place, "true", when_true);
    add_branch(place, "false", when_false);
  }
  std::vector<UncoveredSide> join() const { return uncovered_sides(coverage_, known_, directory_.path()); }

  TemporaryDirectory directory_;
  Coverage coverage_;
  std::vector<StoredBranch> known_;
};

/// Ends of the ranges, as llvm-cov has them.
const std::map<TextPosition, TextPosition> kRegions = {
    {{3, 7}, {3, 12}},   {{4, 7}, {4, 9}},     {{5, 7}, {5, 8}},    {{5, 13}, {5, 14}},   {{5, 18}, {5, 19}},
    {{6, 9}, {6, 10}},   {{6, 14}, {6, 16}},   {{7, 10}, {7, 15}},  {{8, 19}, {8, 24}},   {{9, 19}, {9, 24}},
    {{9, 28}, {9, 29}},  {{10, 22}, {10, 27}}, {{11, 7}, {11, 12}}, {{12, 11}, {12, 12}}, {{12, 16}, {12, 17}},
    {{14, 7}, {14, 18}}, {{15, 7}, {15, 17}}};

TEST_F(Uncovered, ClangPutsBranchesWhereTheRuleSays) {
  const ProcessResult made = run_process({"clang-19", "-O0", "-g", "-S", "-emit-llvm", "-o", "-", file()}, {}, {});
  ASSERT_EQ(made.code, 0) << made.error;
  std::map<std::string, TextPosition> locations;
  const std::regex location("(![0-9]+) = !DILocation\\(line: ([0-9]+), column: ([0-9]+)");
  for (std::sregex_iterator at(made.output.begin(), made.output.end(), location), end; at != end; ++at)
    locations[(*at)[1]] = {static_cast<std::uint32_t>(std::stoul((*at)[2])),
                           static_cast<std::uint32_t>(std::stoul((*at)[3]))};
  std::set<TextPosition> found;
  const std::regex branch("\n  br i1 [^\n]*!dbg (![0-9]+)");
  for (std::sregex_iterator at(made.output.begin(), made.output.end(), branch), end; at != end; ++at)
    found.insert(locations.at((*at)[1]));
  std::set<TextPosition> expected;
  for (const auto& [region, place] : kPlaces) expected.insert(place);
  EXPECT_EQ(found, expected);
}

TEST_F(Uncovered, EachConditionFindsItsBranch) {
  for (const auto& [begin, end] : kRegions) add_region(begin, end, 1, 0);
  for (const auto& [begin, place] : kPlaces) {
    known_.clear();
    for (const auto& [other, at] : kPlaces)
      if (other != TextPosition{9, 28})
        add_condition(at, State::Covered, at == place ? State::TimedOut : State::Refuted);
    for (const UncoveredSide& side : join()) {
      if (side.place != begin || begin == TextPosition{9, 28}) continue;
      EXPECT_EQ(side.reasons, Reasons{UncoveredReason::TimedOut}) << begin.line << ":" << begin.column;
      EXPECT_EQ(side.side, "false");
    }
  }
}

TEST_F(Uncovered, AConditionThatIsOnlyAValueIsNotKnownToTheSearch) {
  for (const auto& [begin, end] : kRegions) add_region(begin, end, 1, begin == TextPosition{12, 16} ? 0 : 1);
  for (const auto& [begin, place] : kPlaces) add_condition(place, State::Covered, State::Refuted);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Unknown});
}

TEST_F(Uncovered, ALoopOverTwoConditionsSaysLittleOfTheSecond) {
  for (const auto& [begin, end] : kRegions) add_region(begin, end, 1, begin == TextPosition{9, 28} ? 0 : 1);
  add_condition({9, 25}, State::Covered, State::Covered);
  add_condition({9, 3}, State::Covered, State::Covered);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Unknown});
}

TEST_F(Uncovered, TheSideThatRanInBothViewsFixesTheOther) {
  // The compiled condition of if (!x) is x: what the source calls true is false there.
  add_region({4, 7}, {4, 9}, 0, 3);
  add_condition({4, 7}, State::Covered, State::Infeasible);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].side, "true");
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Infeasible});
}

TEST_F(Uncovered, SidesThatCannotBeToldApartHaveBothReasons) {
  add_region({4, 7}, {4, 9}, 0, 3);
  add_condition({4, 7}, State::Refuted, State::Open);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, (Reasons{UncoveredReason::Refuted, UncoveredReason::Open}));
  EXPECT_EQ(describe(join()[0]), "one of: refuted on the paths of the runs; reached, not tried before the end");
}

TEST_F(Uncovered, WhatTheCampaignCoveredIsSaidSo) {
  add_region({4, 7}, {4, 9}, 0, 3);
  add_condition({4, 7}, State::Covered, State::Covered);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::InCampaign});
}

TEST_F(Uncovered, WithoutACampaignOnlyWhatWasNotReachedHasAReason) {
  add_region({3, 7}, {3, 12}, 0, 0);
  add_region({4, 7}, {4, 9}, 2, 0);
  const std::vector<UncoveredSide> sides = join();
  ASSERT_EQ(sides.size(), 3U);
  EXPECT_EQ(sides[0].reasons, Reasons{UncoveredReason::NotReached});
  EXPECT_EQ(sides[1].reasons, Reasons{UncoveredReason::NotReached});
  EXPECT_EQ(sides[2].reasons, Reasons{UncoveredReason::Unknown});
}

TEST_F(Uncovered, LabelsOfASwitchAreItsCasesInTheirOrder) {
  add_region({13, 11}, {13, 12}, 0, 2);
  add_region({13, 16}, {13, 22}, 2, 0);
  add_region({13, 34}, {13, 40}, 0, 2);
  add_region({13, 42}, {13, 48}, 0, 2);
  add_branch({13, 3}, "default", State::TimedOut);
  add_branch({13, 3}, "case 1", State::Covered);
  add_branch({13, 3}, "case 2", State::Refuted);
  add_branch({13, 3}, "case 3", State::Infeasible);
  const std::vector<UncoveredSide> sides = join();
  ASSERT_EQ(sides.size(), 4U);
  EXPECT_EQ(sides[0].side, "default");
  EXPECT_EQ(sides[0].reasons, Reasons{UncoveredReason::TimedOut});
  EXPECT_EQ(sides[1].side, "not case 1");
  EXPECT_EQ(sides[1].reasons,
            (Reasons{UncoveredReason::Infeasible, UncoveredReason::Refuted, UncoveredReason::TimedOut}));
  EXPECT_EQ(sides[2].side, "case 2");
  EXPECT_EQ(sides[2].reasons, Reasons{UncoveredReason::Refuted});
  EXPECT_EQ(sides[3].reasons, Reasons{UncoveredReason::Infeasible});
}

TEST_F(Uncovered, ConditionsOfAMacroShareWhatIsKnownOfItsUse) {
  BranchRegion region{file(), "g", {1, 1}, {1, 2}, {8, 3}, file(), true, 0, 1};
  coverage_.branches = {region, region};
  add_condition({8, 3}, State::Covered, State::Refuted);
  for (const UncoveredSide& side : join())
    EXPECT_EQ(side.reasons, (Reasons{UncoveredReason::Refuted, UncoveredReason::Unknown}));
  coverage_.branches.pop_back();
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Refuted});
}

TEST_F(Uncovered, ACopyOfAConditionThatIsNeverEvaluatedIsNotGuessedAt) {
  // As glibc's assert has it, whose text is at the place of its use since it comes from a system header.
  add_region({4, 7}, {4, 9}, 0, 3);
  add_region({4, 7}, {4, 9}, 2, 1);
  add_condition({4, 7}, State::Covered, State::Covered);
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Unknown});
}

TEST_F(Uncovered, WhatIsNotEvaluatedAndNotSurelyMatchedIsNotReached) {
  for (const auto& [begin, end] : kRegions)
    add_region(begin, end, begin == TextPosition{9, 28} ? 0 : 1, begin == TextPosition{9, 28} ? 0 : 1);
  add_condition({9, 25}, State::Open, State::Covered);
  add_condition({9, 3}, State::Open, State::Covered);
  ASSERT_EQ(join().size(), 2U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::NotReached});
  EXPECT_EQ(join()[1].reasons, Reasons{UncoveredReason::NotReached});
}

TEST_F(Uncovered, ASourceThatIsGoneLeavesTheReasonOpen) {
  add_region({4, 7}, {4, 9}, 0, 3);
  add_condition({4, 7}, State::Covered, State::Refuted);
  std::filesystem::remove(file());
  ASSERT_EQ(join().size(), 1U);
  EXPECT_EQ(join()[0].reasons, Reasons{UncoveredReason::Unknown});
}

}  // namespace
}  // namespace plumb::result
