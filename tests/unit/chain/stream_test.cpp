#include "chain/stream/stream.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "chain/build.h"
#include "unit/chain/random_model.h"

namespace plumb::chain {

/// Where the test framework looks for it.
inline void PrintTo(Kind kind, std::ostream* out) { *out << to_string(kind); }

namespace {

Chain built(const Model& model, KeepRows keep) {
  BuildOptions options;
  options.threads = 2;
  options.keep_rows = keep;
  BuildReport report;
  return build(model, Budget(), options, report);
}

StateSet random_set(std::uint64_t states, std::uint32_t seed, std::uint32_t part) {
  std::mt19937 random(seed);
  StateSet result(states);
  for (StateId s = 0; s < states; ++s)
    if (random() % part == 0) result.insert(s);
  return result;
}

/// Two intervals that both contain the true value have a number in common; both are as narrow as was asked for.
void expect_agreement(const Solution& kept, const Solution& streamed, double epsilon, const std::string& what) {
  ASSERT_TRUE(streamed.is_guaranteed) << what;
  for (StateId s = 0; s < kept.low.size(); ++s) {
    const auto high = [&](const Solution& of) { return of.high.empty() ? of.low[s] : of.high[s]; };
    ASSERT_LE(kept.low[s], high(streamed)) << what << " state " << s;
    ASSERT_LE(streamed.low[s], high(kept)) << what << " state " << s;
    if (std::isinf(streamed.low[s])) continue;
    ASSERT_LE(high(streamed) - streamed.low[s], epsilon * std::max(1.0, 1 + streamed.low[s])) << what;
  }
}

class StreamedRandom : public ::testing::TestWithParam<Kind> {
 protected:
  static constexpr std::uint32_t kSeeds = 60;
  template <typename F>
  void for_each_model(F f) {
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const Model model = ModelGenerator(seed).model(GetParam());
      const Chain kept = built(model, KeepRows::Always);
      const Chain dropped = built(model, KeepRows::Never);
      states += kept.states;
      f(seed, kept, dropped);
    }
    EXPECT_GT(states, 500U);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, StreamedRandom, ::testing::Values(Kind::Dtmc, Kind::Ctmc, Kind::Mdp),
                         ::testing::PrintToStringParamName());

TEST_P(StreamedRandom, UntilIsThatOfRowsThatAreKept) {
  for_each_model([](std::uint32_t seed, const Chain& kept, const Chain& dropped) {
    AnalysisOptions options;
    options.epsilon = 1e-8;
    const StateSet target = random_set(kept.states, seed, 6);
    StateSet allowed = random_set(kept.states, seed + 1000, 5).complement();
    for (const Direction direction : {Direction::Min, Direction::Max})
      expect_agreement(until(kept, allowed, target, direction, options, Budget()),
                       stream::until(dropped, allowed, target, direction, options, Budget()), options.epsilon,
                       "seed " + std::to_string(seed));
  });
}

TEST_P(StreamedRandom, ReachRewardIsThatOfRowsThatAreKept) {
  std::size_t refused = 0;
  for_each_model([&](std::uint32_t seed, const Chain& kept, const Chain& dropped) {
    AnalysisOptions options;
    options.epsilon = 1e-8;
    const StateSet target = random_set(kept.states, seed, 4);
    for (std::size_t r = 0; r < kept.rewards.size(); ++r)
      for (const Direction direction : {Direction::Min, Direction::Max}) {
        try {
          expect_agreement(reach_reward(kept, r, target, direction, options, Budget()),
                           stream::reach_reward(dropped, r, target, direction, options, Budget()), options.epsilon,
                           "seed " + std::to_string(seed));
        } catch (const UserError& error) {
          // Only where something goes round for free.
          EXPECT_EQ(GetParam(), Kind::Mdp);
          EXPECT_EQ(direction, Direction::Min);
          ++refused;
        }
      }
  });
  EXPECT_LT(refused, kSeeds);
}

TEST_P(StreamedRandom, TotalRewardIsThatOfRowsThatAreKept) {
  for_each_model([&](std::uint32_t seed, const Chain& kept, const Chain& dropped) {
    AnalysisOptions options;
    options.epsilon = 1e-8;
    const auto streamed = [&] { return stream::total_reward(dropped, 0, Direction::Max, options, Budget()); };
    if (GetParam() == Kind::Mdp)
      EXPECT_THROW(streamed(), UserError);
    else
      expect_agreement(total_reward(kept, 0, Direction::Max, options, Budget()), streamed(), options.epsilon,
                       "seed " + std::to_string(seed));
  });
}

TEST_P(StreamedRandom, BoundedQuestionsHaveTheSameNumbers) {
  for_each_model([](std::uint32_t seed, const Chain& kept, const Chain& dropped) {
    const AnalysisOptions options;
    const StateSet target = random_set(kept.states, seed, 6);
    const StateSet all(kept.states, true);
    TimeBound time;
    time.high = 5;
    for (const Direction direction : {Direction::Min, Direction::Max}) {
      const auto expect_same = [&](const Solution& a, const Solution& b) {
        EXPECT_EQ(a.low, b.low) << "seed " << seed;
        EXPECT_EQ(a.high, b.high) << "seed " << seed;
      };
      expect_same(bounded_until(kept, all, target, time, direction, options, Budget()),
                  bounded_until(dropped, all, target, time, direction, options, Budget()));
      expect_same(next(kept, target, direction, options, Budget()),
                  next(dropped, target, direction, options, Budget()));
      expect_same(cumulative_reward(kept, 0, 5, direction, options, Budget()),
                  cumulative_reward(dropped, 0, 5, direction, options, Budget()));
      expect_same(instantaneous_reward(kept, 1, 5, direction, options, Budget()),
                  instantaneous_reward(dropped, 1, 5, direction, options, Budget()));
    }
  });
}

TEST(Streamed, WhatNeedsTheRowsSaysSo) {
  const Model model = ModelGenerator(1).model(Kind::Mdp);
  const Chain dropped = built(model, KeepRows::Never);
  const StateSet all(dropped.states, true);
  AnalysisOptions options;
  options.want_strategy = true;
  EXPECT_THROW(stream::until(dropped, all, all, Direction::Max, options, Budget()), UserError);
  options.want_strategy = false;
  options.method = AnalysisOptions::Method::Exact;
  EXPECT_THROW(stream::until(dropped, all, all, Direction::Max, options, Budget()), UserError);
}

}  // namespace
}  // namespace plumb::chain
