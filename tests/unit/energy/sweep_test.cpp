#include "energy/sweep.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plumb::energy {
namespace {

using Texts = std::vector<std::string>;

TEST(Sweep, WritesTheValuesOfARangeAsDecimals) {
  EXPECT_EQ(parse_sweep("trust.beta=1:1:3").values, (Texts{"1", "2", "3"}));
  EXPECT_EQ(parse_sweep("loads.f=1:0.1:2").values,
            (Texts{"1", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "2"}));
  EXPECT_EQ(parse_sweep("x=0:0.4:1").values, (Texts{"0", "0.4", "0.8"}));
  EXPECT_EQ(parse_sweep("x=2:1:2").values, (Texts{"2"}));
  EXPECT_EQ(parse_sweep("x=-1:0.5:0").values, (Texts{"-1", "-0.5", "0"}));
}

TEST(Sweep, TakesListsOfWordsAndNumbers) {
  const Sweep sweep = parse_sweep("router.policy=nearest,lowest-cost,random");
  EXPECT_EQ(sweep.key, "router.policy");
  EXPECT_EQ(sweep.values, (Texts{"nearest", "lowest-cost", "random"}));
  EXPECT_EQ(parse_sweep("a=5").values, (Texts{"5"}));
}

TEST(Sweep, RefusesWhatHasNoValues) {
  for (const std::string bad : {"", "x", "=1", "x=", "x=1,,2", "x=1,1", "x=1:0:2", "x=1:-1:2", "x=3:1:2", "x=a:1:2",
                                "x=0:1e-9:1", "x=0:nan:1", "x=0:1:inf"})
    EXPECT_THROW(static_cast<void>(parse_sweep(bad)), UserError) << bad;
}

TEST(Combinations, GoThroughAllWithTheLastFastest) {
  const auto all = combinations({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
  ASSERT_EQ(all.size(), 6U);
  Texts seen;
  for (const auto& settings : all) seen.push_back(settings[0].value + settings[1].value);
  EXPECT_EQ(seen, (Texts{"1x", "1y", "1z", "2x", "2y", "2z"}));
  EXPECT_EQ(combinations({}).size(), 1U);
  EXPECT_TRUE(combinations({}).front().empty());
}

TEST(Combinations, RefuseAKeyThatIsSweptTwiceAndTooMany) {
  EXPECT_THROW(static_cast<void>(combinations({{"a", {"1"}}, {"a", {"2"}}})), UserError);
  const Sweep long_one{"a", Texts(1000, "1")};
  EXPECT_THROW(static_cast<void>(combinations({long_one, {"b", Texts(101, "1")}})), UserError);
}

TEST(Setting, IsAKeyAndAValue) {
  const Setting setting = parse_setting("name=a=b", "--set");
  EXPECT_EQ(setting.key, "name");
  EXPECT_EQ(setting.value, "a=b");
  EXPECT_THROW(static_cast<void>(parse_setting("name", "--set")), UserError);
  EXPECT_EQ(parse_settings("a=1,b=2", "--baseline").size(), 2U);
  EXPECT_THROW(static_cast<void>(parse_settings("a=1,b", "--baseline")), UserError);
}

}  // namespace
}  // namespace plumb::energy
