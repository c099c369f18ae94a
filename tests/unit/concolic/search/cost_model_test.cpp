#include "concolic/search/cost_model.h"

#include <gtest/gtest.h>

namespace plumb::concolic {

namespace {

const std::vector<RegionCount> kBoth = {{0, 1}, {1, 1}};
const std::vector<RegionCount> kFirst = {{0, 1}};

std::vector<std::uint8_t> modes(const CostModel& model) { return model.modes()->bytes; }

TEST(CostModel, LeavesOnAndOffAsTheyAre) {
  for (const RegionUse use : {RegionUse::On, RegionUse::Off}) {
    CostModel model(2, use);
    const auto before = modes(model);
    for (int i = 0; i < 1000; ++i) model.asked(kBoth, true);
    model.instantiated(0, 1, 1'000'000'000);
    EXPECT_EQ(modes(model), before);
    EXPECT_EQ(model.modes()->epoch, 0U);
    EXPECT_EQ(model.switched(), 0U);
  }
}

TEST(CostModel, BlamesTheRegionWithMostTermsInTheQuery) {
  CostModel model(2, RegionUse::Auto);
  model.instantiated(0, 2, 20);
  model.instantiated(1, 2, 200);
  for (int i = 0; i < 3; ++i) model.asked(kBoth, true);
  EXPECT_EQ(modes(model), (std::vector<std::uint8_t>{1, 0}));
  CostModel other(2, RegionUse::Auto);
  other.instantiated(0, 2, 20);
  other.instantiated(1, 2, 200);
  for (int i = 0; i < 3; ++i) other.asked(std::vector<RegionCount>{{0, 11}, {1, 1}}, true);
  EXPECT_EQ(modes(other), (std::vector<std::uint8_t>{0, 1}));
}

TEST(CostModel, TriesASwitchedRegionAgainAfterPausesThatGrow) {
  CostModel model(1, RegionUse::Auto);
  for (int i = 0; i < 3; ++i) model.asked(kFirst, true);
  std::uint64_t last = 0;
  for (int round = 0; round < 3; ++round) {
    std::uint64_t pause = 0;
    while (modes(model)[0] == 0) {
      model.asked({}, false);
      ++pause;
    }
    EXPECT_GT(pause, last);
    last = pause;
    // On probation: one is enough.
    model.asked(kFirst, true);
    EXPECT_EQ(modes(model)[0], 0);
  }
  EXPECT_EQ(model.switched(), 4U);
}

TEST(CostModel, ForgivesSlowQueriesAmongManyInTime) {
  CostModel model(1, RegionUse::Auto);
  for (int i = 0; i < 20; ++i) {
    model.asked(kFirst, true);
    for (int k = 0; k < 64; ++k) model.asked(kFirst, false);
  }
  EXPECT_EQ(model.switched(), 0U);
}

TEST(CostModel, SwitchesARegionThatOutgrowsTheLimitAndGivesANewEpoch) {
  CostModel model(2, RegionUse::Auto);
  model.instantiated(1, 10, 10 * 20'000);
  EXPECT_EQ(model.switched(), 0U);
  const auto before = model.modes();
  model.instantiated(1, 10, 10 * 20'001);
  EXPECT_EQ(modes(model), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(before->bytes, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_NE(model.modes()->epoch, before->epoch);
}

TEST(CostModel, ChangesNothingOnceFrozen) {
  CostModel model(1, RegionUse::Auto);
  for (int i = 0; i < 3; ++i) model.asked(kFirst, true);
  model.freeze();
  for (int i = 0; i < 10'000; ++i) model.asked({}, false);
  EXPECT_EQ(modes(model)[0], 0);
}

TEST(CostModel, ARegionThatWasRuledOutStaysSoWhateverTheUse) {
  for (const RegionUse use : {RegionUse::On, RegionUse::Auto}) {
    CostModel model(2, use);
    // The other one is switched for a time, if it may be.
    for (int i = 0; i < 3; ++i) model.asked(kFirst, true);
    const std::uint64_t before = model.switched();
    EXPECT_TRUE(model.rule_out(1));
    EXPECT_FALSE(model.rule_out(1));
    EXPECT_FALSE(model.rule_out(7));
    EXPECT_EQ(model.switched(), before + 1);
    for (int i = 0; i < 10'000; ++i) model.asked({}, false);
    EXPECT_EQ(model.modes()->bytes, (std::vector<std::uint8_t>{1, 0}));
  }
}

}  // namespace

}  // namespace plumb::concolic
