#include "chain/lump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "chain/analysis.h"
#include "chain/lump_parts.h"
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
      const auto lumped = lump(chain, keep, chain.states, LumpEffort::Thorough, 1, kBudget);
      ASSERT_TRUE(lumped);
      EXPECT_EQ(lumped->chain.states, coarsest(chain, keep)) << to_string(kind) << " seed " << seed;
      EXPECT_LE(lumped->chain.states, small.states);
      EXPECT_EQ(blocks_by_splitting(chain, keep, chain.states, kBudget)->of_state, lumped->block_of);
      EXPECT_EQ(lump(chain, keep, chain.states, LumpEffort::Quick, 1, kBudget)->block_of, lumped->block_of);
      if (lumped->chain.states > 1) {
        EXPECT_FALSE(lump(chain, keep, lumped->chain.states - 1, LumpEffort::Thorough, 1, kBudget));
        EXPECT_FALSE(blocks_by_splitting(chain, keep, lumped->chain.states - 1, kBudget));
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
      const auto lumped =
          lump(chain, {{&goal}, {}, {0}, seed % 2 == 0}, chain.states, LumpEffort::Thorough, 1, kBudget);
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
  const auto size = [&](const LumpKeep& keep) {
    return lump(chain, keep, 8, LumpEffort::Thorough, 1, kBudget)->chain.states;
  };
  EXPECT_EQ(size({}), 1U);
  StateSet one(8);
  one.insert(5);
  EXPECT_EQ(size({{&one}, {}, {}}), 8U);
  const std::vector<double> parity{0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_EQ(size({{}, {&parity}, {}}), 2U);
  EXPECT_FALSE(lump(chain, {{&one}, {}, {}}, 3, LumpEffort::Quick, 1, kBudget));
}

/// A line of states with rates that grow, and one that is left at the same rate from anywhere.
Chain growing_line(std::uint32_t length) {
  Chain chain;
  chain.kind = Kind::Ctmc;
  chain.states = length + 1;
  for (StateId s = 0; s < length; ++s) {
    std::vector<Rows::Entry> row{{(s + 1) % length, s + 1.0}, {length, 0.5}};
    chain.rows.add_row(row);
  }
  std::vector<Rows::Entry> last{{0, 2.0}};
  chain.rows.add_row(last);
  chain.rows.finish();
  chain.deadlocks = StateSet(chain.states);
  chain.initial.push_back(0);
  return chain;
}

TEST(Lump, OfACtmcLeavesOutMovesThatCannotBeSeen) {
  const Chain chain = growing_line(20);
  StateSet end(21);
  end.insert(20);
  const auto lumped = lump(chain, {{&end}, {}, {}, false}, 21, LumpEffort::Thorough, 1, kBudget);
  ASSERT_EQ(lumped->chain.states, 2U);
  EXPECT_EQ(lumped->chain.rows.transitions(), 2U);
  EXPECT_EQ(lumped->chain.rows.weight(0), 0.5);
  EXPECT_EQ(lump(chain, {{&end}, {}, {}, true}, 21, LumpEffort::Thorough, 1, kBudget)->chain.states, 21U);
  // A block that nothing leaves.
  const auto all = lump(chain, {{}, {}, {}, false}, 21, LumpEffort::Thorough, 1, kBudget);
  ASSERT_EQ(all->chain.states, 1U);
  EXPECT_EQ(all->chain.rows.count(0), 1U);
}

TEST(Lump, OfALongChainNeedsTheThoroughWay) {
  // From the marked end on, one state more is told apart in each round.
  Chain chain;
  chain.states = 500;
  for (StateId s = 0; s < 500; ++s) {
    std::vector<Rows::Entry> row{{s == 499 ? s : s + 1, 1.0}};
    chain.rows.add_row(row);
  }
  chain.rows.finish();
  chain.deadlocks = StateSet(500);
  chain.initial.push_back(0);
  StateSet end(500);
  end.insert(499);
  EXPECT_FALSE(lump(chain, {{&end}, {}, {}}, 500, LumpEffort::Quick, 1, kBudget));
  EXPECT_EQ(lump(chain, {{&end}, {}, {}}, 500, LumpEffort::Thorough, 1, kBudget)->chain.states, 500U);
}

}  // namespace
}  // namespace plumb::chain
