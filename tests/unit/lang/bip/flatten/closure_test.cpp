#include "lang/bip/flatten/closure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace plumb::bip::flat {
namespace {

constexpr std::size_t kLimit = 1'000'000;

bool any_guards(const GuardSet&) { return true; }

Bits bits(std::size_t size, std::initializer_list<std::uint32_t> members) {
  Bits result(size);
  for (const std::uint32_t member : members) result.set(member);
  return result;
}

using Matrix = std::vector<std::vector<bool>>;

/// Warshall's algorithm for one truth value of each guard.
Matrix closed(std::size_t size, const std::vector<Bits>& progress, const std::vector<PriorityRule>& rules,
              std::uint32_t truth) {
  Matrix matrix(size, std::vector<bool>(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      matrix[i][j] = progress[i].test(j);
      for (const PriorityRule& rule : rules)
        if (rule.guard == kNone || (truth >> rule.guard & 1) != 0)
          matrix[i][j] = matrix[i][j] || (rule.low.test(i) && rule.high.test(j));
    }
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) matrix[i][j] = matrix[i][j] || (matrix[i][k] && matrix[k][j]);
  return matrix;
}

bool hold(const GuardSet& guards, std::uint32_t truth) {
  return std::ranges::all_of(guards, [&](std::uint32_t guard) { return (truth >> guard & 1) != 0; });
}

struct Random {
  std::size_t size = 0;
  std::uint32_t guards = 0;
  std::vector<Bits> progress;
  std::vector<PriorityRule> rules;
};

Random random_rules(std::mt19937& random) {
  Random result;
  result.size = 2 + random() % 6;
  result.guards = static_cast<std::uint32_t>(random() % 5);
  result.progress.assign(result.size, Bits(result.size));
  for (std::uint32_t i = 0; i + 1 < result.size; ++i)
    if (random() % 4 == 0) result.progress[i].set(i + 1);
  const std::size_t count = 1 + random() % 5;
  for (std::size_t i = 0; i < count; ++i) {
    PriorityRule rule{Bits(result.size), Bits(result.size), kNone, {static_cast<std::uint32_t>(i + 1), 1}};
    if (result.guards > 0 && random() % 4 != 0) rule.guard = static_cast<std::uint32_t>(random() % result.guards);
    rule.low.set(random() % result.size);
    rule.high.set(random() % result.size);
    if (random() % 3 == 0) rule.high.set(random() % result.size);
    result.rules.push_back(std::move(rule));
  }
  return result;
}

TEST(Closure, AgreesWithWarshallForEveryTruthOfTheGuards) {
  std::mt19937 random(7);
  int cyclic = 0;
  int conditional = 0;
  for (int round = 0; round < 3000; ++round) {
    const Random input = random_rules(random);
    const PriorityClosure closure = close_priorities(input.progress, input.rules, any_guards, kLimit);
    const Matrix unconditional = closed(input.size, input.progress, input.rules, 0);
    bool has_cycle = false;
    for (std::size_t i = 0; i < input.size; ++i) has_cycle = has_cycle || unconditional[i][i];
    ASSERT_EQ(closure.unconditional_cycle.has_value(), has_cycle);
    cyclic += has_cycle ? 1 : 0;
    if (has_cycle) continue;
    conditional += closure.conditional_cycles.empty() ? 0 : 1;
    for (std::uint32_t truth = 0; truth < 1u << input.guards; ++truth) {
      const Matrix expected = closed(input.size, input.progress, input.rules, truth);
      Matrix found(input.size, std::vector<bool>(input.size));
      for (const PriorityClosure::Pair& pair : closure.pairs)
        if (hold(pair.guards, truth)) found[pair.low][pair.high] = true;
      bool found_cycle = false;
      for (const PriorityClosure::Cycle& cycle : closure.conditional_cycles)
        found_cycle = found_cycle || hold(cycle.guards, truth);
      bool expected_cycle = false;
      for (std::size_t i = 0; i < input.size; ++i)
        for (std::size_t j = 0; j < input.size; ++j) {
          if (i == j)
            expected_cycle = expected_cycle || expected[i][i];
          else
            ASSERT_EQ(found[i][j], expected[i][j]) << "round " << round << ": " << i << " < " << j;
        }
      ASSERT_EQ(found_cycle, expected_cycle) << "round " << round;
    }
  }
  EXPECT_GT(cyclic, 100);
  EXPECT_GT(conditional, 100);
}

TEST(Closure, NamesTheNodesOfACycleInOrderAtARuleOfIt) {
  const std::vector<Bits> progress = {bits(4, {1}), Bits(4), Bits(4), Bits(4)};
  const std::vector<PriorityRule> rules = {{bits(4, {3}), bits(4, {0}), kNone, {9, 1}},
                                           {bits(4, {1}), bits(4, {2}), kNone, {5, 1}},
                                           {bits(4, {2}), bits(4, {0}), kNone, {6, 1}}};
  const PriorityClosure closure = close_priorities(progress, rules, any_guards, kLimit);
  ASSERT_TRUE(closure.unconditional_cycle);
  EXPECT_EQ(closure.unconditional_cycle->nodes, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(closure.unconditional_cycle->place, (Place{5, 1}));
}

TEST(Closure, LeavesOutGuardsThatCannotHoldTogether) {
  const std::vector<PriorityRule> rules = {{bits(3, {0}), bits(3, {1}), 0, {1, 1}},
                                           {bits(3, {1}), bits(3, {0}), 1, {2, 1}},
                                           {bits(3, {1}), bits(3, {2}), 1, {3, 1}}};
  const auto can_hold = [](const GuardSet& guards) { return guards.size() < 2; };
  const PriorityClosure closure = close_priorities(std::vector<Bits>(3, Bits(3)), rules, can_hold, kLimit);
  EXPECT_TRUE(closure.conditional_cycles.empty());
  EXPECT_EQ(closure.pairs.size(), 3u);
}

/// A ladder: two guarded ways from each node to the next are two to the power of its length ways in all.
TEST(Closure, SaysThatItIsTooLargeInsteadOfTakingForEver) {
  constexpr std::uint32_t kLength = 40;
  std::vector<PriorityRule> rules;
  for (std::uint32_t i = 0; i + 1 < kLength; ++i)
    for (std::uint32_t way = 0; way < 2; ++way)
      rules.push_back({bits(kLength, {i}), bits(kLength, {i + 1}), 2 * i + way, {1, 1}});
  const PriorityClosure closure =
      close_priorities(std::vector<Bits>(kLength, Bits(kLength)), rules, any_guards, 10'000);
  EXPECT_TRUE(closure.is_too_large);
}

}  // namespace
}  // namespace plumb::bip::flat
