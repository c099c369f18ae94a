#include "chain/lump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "chain/analysis.h"
#include "unit/chain/random_chain.h"

namespace plumb::chain {
namespace {

const Budget kBudget;

/// The number of blocks of the coarsest bisimulation, by splitting all states by all blocks until nothing changes.
std::size_t coarsest(const Chain& chain, const LumpKeep& keep) {
  std::vector<std::size_t> block(chain.states);
  std::size_t count = 0;
  while (true) {
    std::map<std::vector<double>, std::size_t> numbers;
    std::vector<std::size_t> next(chain.states);
    for (StateId s = 0; s < chain.states; ++s) {
      std::vector<double> key{static_cast<double>(block[s])};
      for (const StateSet* set : keep.sets) key.push_back(set->contains(s) ? 1 : 0);
      for (const std::size_t r : keep.rewards) key.push_back(chain.rewards[r].states[s]);
      std::multiset<std::vector<double>> choices;
      const std::uint64_t first = chain.first_row(s);
      for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
        std::map<std::size_t, double> into;
        chain.rows.for_each(row, [&](StateId target, double weight) { into[block[target]] += weight; });
        std::vector<double> choice;
        for (const std::size_t r : keep.rewards) choice.push_back(chain.rewards[r].rows[row]);
        for (const auto& [to, weight] : into) {
          choice.push_back(static_cast<double>(to));
          choice.push_back(weight);
        }
        choices.insert(choice);
      }
      for (const auto& choice : choices) {
        key.push_back(-1);
        key.insert(key.end(), choice.begin(), choice.end());
      }
      next[s] = numbers.try_emplace(key, numbers.size()).first->second;
    }
    if (numbers.size() == count) return count;
    count = numbers.size();
    block = next;
  }
}

TEST(Lump, FindsTheCoarsestBisimulation) {
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      ChainGenerator generator(seed);
      const Chain small = generator.chain(kind, 3 + seed % 6);
      const StateSet small_goal = generator.set(small.states, 3);
      const Chain chain = blown_up(small, 1 + seed % 4);
      const StateSet goal = blown_up(small_goal, 1 + seed % 4);
      LumpKeep keep{{&goal}, {}, {}};
      if (seed % 2 == 0) keep.rewards.push_back(0);
      const auto lumped = lump(chain, keep, chain.states, kBudget);
      ASSERT_TRUE(lumped);
      EXPECT_EQ(lumped->chain.states, coarsest(chain, keep)) << to_string(kind) << " seed " << seed;
      EXPECT_LE(lumped->chain.states, small.states);
      EXPECT_TRUE(may_lump_to(chain, keep, lumped->chain.states, kBudget));
      if (lumped->chain.states > 1) {
        EXPECT_FALSE(lump(chain, keep, lumped->chain.states - 1, kBudget));
      }
    }
}

TEST(Lump, KeepsProbabilitiesAndRewardsOfEveryState) {
  for (const Kind kind : {Kind::Dtmc, Kind::Ctmc, Kind::Mdp})
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      ChainGenerator generator(seed);
      const Chain small = generator.chain(kind, 3 + seed % 5);
      const Chain chain = blown_up(small, 3);
      const StateSet goal = blown_up(generator.set(small.states, 3), 3);
      const auto lumped = lump(chain, {{&goal}, {}, {0}}, chain.states, kBudget);
      ASSERT_TRUE(lumped);
      StateSet block_goal(lumped->chain.states);
      goal.for_each([&](StateId s) { block_goal.insert(lumped->block_of[s]); });
      AnalysisOptions options;
      options.epsilon = 1e-10;
      options.threads = 1;
      const auto expect_same = [&](const Solution& a, const Solution& b) {
        for (StateId s = 0; s < chain.states; ++s) {
          const double x = a.value(s);
          const double y = b.value(lumped->block_of[s]);
          if (std::isinf(x) || std::isinf(y))
            EXPECT_EQ(x, y);
          else
            EXPECT_NEAR(x, y, 1e-8 * std::max(1.0, std::abs(x)))
                << to_string(kind) << " seed " << seed << " state " << s;
        }
      };
      for (const Direction direction : {Direction::Min, Direction::Max}) {
        expect_same(
            until(chain, StateSet(chain.states, true), goal, direction, options, kBudget),
            until(lumped->chain, StateSet(lumped->chain.states, true), block_goal, direction, options, kBudget));
        expect_same(reach_reward(chain, 0, goal, direction, options, kBudget),
                    reach_reward(lumped->chain, 0, block_goal, direction, options, kBudget));
        expect_same(cumulative_reward(chain, 0, 3, direction, options, kBudget),
                    cumulative_reward(lumped->chain, 0, 3, direction, options, kBudget));
      }
    }
}

TEST(Lump, TellsApartWhatIsKept) {
  // A cycle of eight states, all alike but for one.
  Chain chain;
  chain.states = 8;
  for (StateId s = 0; s < 8; ++s) {
    std::vector<Rows::Entry> row{{(s + 1) % 8, 1.0}};
    chain.rows.add_row(row);
  }
  chain.rows.finish();
  chain.deadlocks = StateSet(8);
  chain.initial.push_back(0);
  EXPECT_EQ(lump(chain, {}, 8, kBudget)->chain.states, 1U);
  StateSet one(8);
  one.insert(5);
  EXPECT_EQ(lump(chain, {{&one}, {}, {}}, 8, kBudget)->chain.states, 8U);
  const std::vector<double> parity{0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_EQ(lump(chain, {{}, {&parity}, {}}, 8, kBudget)->chain.states, 2U);
  EXPECT_FALSE(may_lump_to(chain, {{&one}, {}, {}}, 3, kBudget));
}

}  // namespace
}  // namespace plumb::chain
