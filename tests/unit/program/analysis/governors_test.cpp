#include "program/analysis/governors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <set>

#include "random_cfg.h"

namespace plumb::program {
namespace {

using Blocks = std::set<BlockId>;

/// Section 2.4.1 word by word, for small graphs.
struct Definition {
  const Cfg& cfg;
  const GovernorInput& input;
  std::vector<std::vector<bool>> dominates;
  std::vector<bool> ends_back_edge;

  Definition(const Cfg& graph, const GovernorInput& described)
      : cfg(graph), input(described), dominates(dominance_by_removal(graph)), ends_back_edge(graph.size(), false) {
    const DepthFirst search(graph);
    for (const BlockId b : search.preorder()) {
      for (const BlockId target : graph.successors(b)) {
        bool is_ancestor = false;
        for (BlockId a = b; a != kNone; a = search.parent(a)) is_ancestor |= a == target;
        if (is_ancestor) ends_back_edge[b] = ends_back_edge[target] = true;
      }
    }
  }

  bool is_wide() const { return input.rule == GovernorRule::Wide; }
  /// The innermost loop around m is one that k is not in. A natural loop is what reaches a latch without its header.
  bool leaves_loop(BlockId m, BlockId k) const {
    std::set<BlockId> innermost;
    for (BlockId header = 0; header < cfg.size(); ++header) {
      std::set<BlockId> loop;
      std::vector<bool> allowed(cfg.size(), true);
      allowed[header] = false;
      for (BlockId b = 0; b < cfg.size(); ++b) {
        if (!dominates[header][b]) continue;
        const std::vector<bool> reached = b == header ? std::vector<bool>(cfg.size()) : reach(cfg, b, allowed);
        for (BlockId latch = 0; latch < cfg.size(); ++latch)
          for (const BlockId target : cfg.successors(latch))
            if (target == header && dominates[header][latch] && (reached[latch] || b == header)) loop.insert(b);
      }
      if (loop.contains(m) && (innermost.empty() || loop.size() < innermost.size())) innermost = loop;
    }
    return !innermost.empty() && !innermost.contains(k);
  }

  Blocks polluted_in_dom(BlockId m) const {
    Blocks polluted;
    for (BlockId k = 0; k < cfg.size(); ++k) {
      if (!dominates[m][k]) continue;
      const bool is_behind = is_wide() && leaves_loop(m, k);
      if (!is_behind && !input.has_call[k] && !cfg.successors(k).empty() && !ends_back_edge[k]) continue;
      const std::vector<bool> reached = reach(cfg, k, dominates[m]);
      for (BlockId n = 0; n < cfg.size(); ++n)
        if (reached[n]) polluted.insert(n);
    }
    return polluted;
  }
  Blocks edom(BlockId m) const {
    Blocks result;
    const Blocks polluted = polluted_in_dom(m);
    for (BlockId n = 0; n < cfg.size(); ++n)
      if (dominates[m][n] && !polluted.contains(n)) result.insert(n);
    return result;
  }
  bool begins_part(BlockId m, BlockId bb) const {
    return dominates[m][bb] && !edom(bb).empty() && !(is_wide() && leaves_loop(m, bb));
  }
  bool is_candidate(BlockId m) const {
    if (!input.ends_in_branch[m]) return false;
    const auto successors = cfg.successors(m);
    const Blocks different(successors.begin(), successors.end());
    const auto parts =
        std::count_if(successors.begin(), successors.end(), [&](BlockId bb) { return begins_part(m, bb); });
    if (is_wide()) return different.size() > 1 && !different.contains(m) && parts > 0;
    return parts == std::ssize(successors);
  }
  Blocks region(BlockId m) const {
    Blocks result;
    for (const BlockId bb : cfg.successors(m))
      if (begins_part(m, bb)) result.merge(edom(bb));
    return result;
  }
  Blocks destinations(BlockId m) const {
    const Blocks blocks = region(m);
    Blocks result;
    Blocks sources = blocks;
    sources.insert(m);
    for (const BlockId k : sources)
      for (const BlockId n : cfg.successors(k))
        if (!blocks.contains(n)) result.insert(n);
    return result;
  }
  Blocks governors() const {
    Blocks candidates, governed;
    // Dominators first: of two blocks the one that dominates the other dominates more.
    std::vector<BlockId> order(cfg.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](BlockId a, BlockId b) {
      return std::count(dominates[a].begin(), dominates[a].end(), true) >
             std::count(dominates[b].begin(), dominates[b].end(), true);
    });
    for (const BlockId m : order) {
      if (!is_candidate(m)) continue;
      candidates.insert(m);
      if (!is_wide() || !governed.contains(m)) governed.merge(region(m));
    }
    for (const BlockId b : governed) candidates.erase(b);
    return candidates;
  }
};

Blocks as_set(const std::vector<BlockId>& blocks) { return {blocks.begin(), blocks.end()}; }

/// A random graph with its governors, `rounds` times.
template <typename Check>
void on_random_graphs(unsigned seed, int rounds, std::uint32_t max_blocks, Check check,
                      GovernorRule rule = GovernorRule::Llsplat) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    const Cfg cfg = random_cfg(random, max_blocks);
    GovernorInput input = random_governor_input(random, cfg);
    input.rule = rule;
    for (BlockId b = 0; rule == GovernorRule::Wide && b < cfg.size(); ++b)
      input.ends_in_branch[b] = input.ends_in_branch[b] || cfg.successors(b).size() > 2;
    SCOPED_TRACE(round);
    check(cfg, input, Governors(cfg, input));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// The program of Fig. 2.2; its edges follow from Table 2.1. What comes after BB3 and BB7 is not in the figure.
Cfg figure_2_2() {
  const Cfg::EdgeList edges{{0, 1}, {0, 2}, {1, 3}, {2, 4}, {2, 5}, {4, 6}, {5, 6}, {5, 7}, {6, 3}, {6, 7}};
  return Cfg(8, edges);
}

TEST(Governors, ExampleOfFigure22IsAsInThePaper) {
  const Cfg cfg = figure_2_2();
  GovernorInput input;
  for (BlockId b = 0; b < cfg.size(); ++b) {
    input.has_call.push_back(false);
    input.ends_in_branch.push_back(cfg.successors(b).size() == 2);
  }
  const Governors governors(cfg, input);
  ASSERT_EQ(governors.all().size(), 1u);
  const Governor& governor = governors.all().front();
  EXPECT_EQ(governor.block, 0u);
  EXPECT_EQ(as_set(governor.region), (Blocks{1, 2, 4, 5, 6}));
  EXPECT_EQ(governor.destinations, (std::vector<BlockId>{3, 7}));
  EXPECT_TRUE(governor.side_entries.empty());
  EXPECT_TRUE(governors.is_candidate(0));
  EXPECT_TRUE(governors.is_candidate(2));
  EXPECT_EQ(governors.find(2), nullptr);
  EXPECT_EQ(governors.find(0), &governor);
  EXPECT_EQ(governors.governor_of(2), 0u);
}

/// What was compared, so that a test can say that it was not nothing.
struct Compared {
  std::size_t governors = 0, nested_candidates = 0, side_entries = 0, direct_destinations = 0;
};

void compare_with_definition(const Cfg& cfg, const GovernorInput& input, const Governors& governors,
                             Compared& compared) {
  const Definition definition(cfg, input);
  Blocks found;
  std::vector<BlockId> governor_of(cfg.size(), kNone);
  for (const Governor& governor : governors.all()) {
    found.insert(governor.block);
    ASSERT_EQ(as_set(governor.region), definition.region(governor.block));
    ASSERT_EQ(governor.region.size(), as_set(governor.region).size());
    ASSERT_EQ(as_set(governor.destinations), definition.destinations(governor.block));
    ASSERT_TRUE(std::is_sorted(governor.destinations.begin(), governor.destinations.end()));
    for (const BlockId b : governor.region) {
      ASSERT_EQ(governor_of[b], kNone) << "regions should be disjoint";
      governor_of[b] = governor.block;
    }
    compared.side_entries += governor.side_entries.size();
    for (const BlockId b : cfg.successors(governor.block))
      compared.direct_destinations += !as_set(governor.region).contains(b);
  }
  ASSERT_EQ(found, definition.governors());
  for (BlockId b = 0; b < cfg.size(); ++b) {
    ASSERT_EQ(governors.is_candidate(b), definition.is_candidate(b)) << b;
    ASSERT_EQ(governors.governor_of(b), governor_of[b]);
    compared.nested_candidates += governors.is_candidate(b) && !found.contains(b);
  }
  compared.governors += found.size();
}

TEST(Governors, AreThoseOfTheDefinitionOnRandomGraphs) {
  Compared compared;
  on_random_graphs(11, 12'000, 12, [&](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
    compare_with_definition(cfg, input, governors, compared);
  });
  EXPECT_GT(compared.governors, 2'000u);
  EXPECT_GT(compared.nested_candidates, 300u);
  EXPECT_GT(compared.side_entries, 30u);
  EXPECT_EQ(compared.direct_destinations, 0u);
}

TEST(Governors, OfTheWideRuleAreThoseOfItsDefinitionOnRandomGraphs) {
  Compared compared;
  on_random_graphs(
      21, 6'000, 10,
      [&](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
        compare_with_definition(cfg, input, governors, compared);
      },
      GovernorRule::Wide);
  EXPECT_GT(compared.governors, 2'000u);
  EXPECT_GT(compared.nested_candidates, 300u);
  EXPECT_GT(compared.side_entries, 30u);
  EXPECT_GT(compared.direct_destinations, 1'000u);
}

TEST(Governors, EffectiveDominanceIsThatOfTheDefinitionForEveryPair) {
  on_random_graphs(12, 6'000, 10, [](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
    const Definition definition(cfg, input);
    for (BlockId m = 0; m < cfg.size(); ++m) {
      const Blocks edom = definition.edom(m);
      for (BlockId n = 0; n < cfg.size(); ++n) ASSERT_EQ(governors.effectively_dominates(m, n), edom.contains(n));
    }
  });
}

TEST(Governors, LemmaA1NoBlockOnAPathInsideDomToAnEffectivelyDominatedBlockIsPolluted) {
  on_random_graphs(13, 4'000, 10, [](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
    const Definition definition(cfg, input);
    for (BlockId m = 0; m < cfg.size(); ++m) {
      for (BlockId k = 0; k < cfg.size(); ++k) {
        if (!definition.dominates[m][k] || governors.effectively_dominates(m, k)) continue;
        // k, polluted in Dom(m), lies on no path inside Dom(m) from m to a block of Edom(m).
        const std::vector<bool> reached = reach(cfg, k, definition.dominates[m]);
        for (BlockId n = 0; n < cfg.size(); ++n) ASSERT_FALSE(reached[n] && governors.effectively_dominates(m, n));
      }
    }
  });
}

/// No block of the set lies on a cycle within the set.
void expect_acyclic(const Cfg& cfg, const std::vector<bool>& set) {
  for (BlockId b = 0; b < cfg.size(); ++b) {
    if (!set[b]) continue;
    for (const BlockId target : cfg.successors(b)) ASSERT_FALSE(reach(cfg, target, set)[b]);
  }
}

TEST(Governors, PathsThatLeaveDomWouldPolluteAllOrNothingAndOnlyInsideALoop) {
  on_random_graphs(18, 4'000, 10, [](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
    const Definition definition(cfg, input);
    for (BlockId m = 0; m < cfg.size(); ++m) {
      Blocks edom, polluted;
      bool is_on_cycle = false;
      for (const BlockId target : cfg.successors(m)) is_on_cycle |= reach(cfg, target)[m];
      for (BlockId n = 0; n < cfg.size(); ++n) {
        if (!definition.dominates[m][n]) continue;
        if (governors.effectively_dominates(m, n)) {
          edom.insert(n);
          continue;
        }
        const std::vector<bool> reached = reach(cfg, n);
        for (BlockId k = 0; k < cfg.size(); ++k)
          if (reached[k] && definition.dominates[m][k]) polluted.insert(k);
      }
      std::size_t lost = 0;
      for (const BlockId n : edom) lost += polluted.contains(n);
      ASSERT_TRUE(lost == 0 || (lost == edom.size() && is_on_cycle));
    }
  });
}

TEST(Governors, LemmaA2EdomIsAcyclic) {
  on_random_graphs(14, 4'000, 12, [](const Cfg& cfg, const GovernorInput&, const Governors& governors) {
    for (BlockId m = 0; m < cfg.size(); ++m) {
      std::vector<bool> edom(cfg.size());
      for (BlockId n = 0; n < cfg.size(); ++n) edom[n] = governors.effectively_dominates(m, n);
      expect_acyclic(cfg, edom);
    }
  });
}

TEST(Governors, LemmasA3ToA5RegionsAreAcyclicWithoutCallsAndDominatedByBothRules) {
  const auto check = [](const Cfg& cfg, const GovernorInput& input, const Governors& governors) {
    const auto dominates = dominance_by_removal(cfg);
    for (const Governor& governor : governors.all()) {
      std::vector<bool> region(cfg.size());
      for (const BlockId b : governor.region) region[b] = true;
      expect_acyclic(cfg, region);
      for (const BlockId b : governor.region) {
        ASSERT_FALSE(input.has_call[b]);
        ASSERT_TRUE(dominates[governor.block][b]);
        ASSERT_NE(governor.block, b);
      }
    }
  };
  for (const GovernorRule rule : {GovernorRule::Llsplat, GovernorRule::Wide})
    on_random_graphs(15, 6'000, 24, check, rule);
}

TEST(Governors, RegionsAreInTopologicalOrder) {
  const auto check = [](const Cfg& cfg, const GovernorInput&, const Governors& governors) {
    for (const Governor& governor : governors.all()) {
      std::vector<std::size_t> position(cfg.size(), 0);
      for (std::size_t i = 0; i < governor.region.size(); ++i) position[governor.region[i]] = i + 1;
      for (const BlockId b : governor.region)
        for (const BlockId target : cfg.successors(b))
          ASSERT_TRUE(position[target] == 0 || position[b] < position[target]);
    }
  };
  for (const GovernorRule rule : {GovernorRule::Llsplat, GovernorRule::Wide})
    on_random_graphs(16, 6'000, 24, check, rule);
}

TEST(Governors, RegionsAreEnteredElsewhereOnlyAtTheSuccessorsOfTheGovernorThatAreTold) {
  const auto check = [](const Cfg& cfg, const GovernorInput&, const Governors& governors) {
    const std::vector<bool> reachable = reach(cfg, 0);
    for (const Governor& governor : governors.all()) {
      Blocks entered;
      for (BlockId b = 0; b < cfg.size(); ++b) {
        if (!reachable[b] || b == governor.block || governors.governor_of(b) == governor.block) continue;
        for (const BlockId target : cfg.successors(b))
          if (governors.governor_of(target) == governor.block) entered.insert(target);
      }
      ASSERT_EQ(as_set(governor.side_entries), entered);
      for (const BlockId b : entered) {
        const std::span<const BlockId> successors = cfg.successors(governor.block);
        ASSERT_NE(std::find(successors.begin(), successors.end(), b), successors.end());
      }
    }
  };
  for (const GovernorRule rule : {GovernorRule::Llsplat, GovernorRule::Wide})
    on_random_graphs(17, 6'000, 16, check, rule);
}

TEST(Governors, ACallAfterAnInnerIfMakesTheJoinASideEntry) {
  // if (a) { if (b) x; f(); } c; return: blocks 0 (a), 1 (b), 2 (x), 3 (f), 4 (c), 5.
  const Cfg::EdgeList edges{{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}};
  const Governors governors(Cfg(6, edges),
                            {{false, false, false, true, false, false}, {true, true, false, false, false, false}});
  ASSERT_EQ(governors.all().size(), 1u);
  EXPECT_EQ(as_set(governors.all()[0].region), (Blocks{1, 2, 4}));
  EXPECT_EQ(governors.all()[0].destinations, (std::vector<BlockId>{3, 5}));
  EXPECT_EQ(governors.all()[0].side_entries, (std::vector<BlockId>{4}));
}

TEST(Governors, ASwitchGovernsNothingButMayBeInARegion) {
  const Cfg::EdgeList edges{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 6}, {3, 6}, {4, 6}, {5, 6}};
  const Governors governors(Cfg(7, edges),
                            {std::vector<bool>(7, false), {true, false, false, false, false, false, false}});
  ASSERT_EQ(governors.all().size(), 1u);
  EXPECT_EQ(as_set(governors.all()[0].region), (Blocks{1, 2, 3, 4, 5}));
  const Governors none(Cfg(7, edges), {std::vector<bool>(7, false), std::vector<bool>(7, false)});
  EXPECT_TRUE(none.all().empty());
}

TEST(Governors, ByTheWideRuleASwitchGovernsAndACaseWithACallIsADestination) {
  // switch: 1, 2 (a call), 3, default 4; all come to 4; 5 returns.
  const Cfg::EdgeList edges{{0, 4}, {0, 1}, {0, 2}, {0, 3}, {0, 1}, {1, 4}, {2, 4}, {3, 4}, {4, 5}};
  const GovernorInput input{
      {false, false, true, false, false, false}, {true, false, false, false, false, false}, GovernorRule::Wide};
  const Governors governors(Cfg(6, edges), input);
  ASSERT_EQ(governors.all().size(), 1u);
  EXPECT_EQ(as_set(governors.all()[0].region), (Blocks{1, 3, 4}));
  EXPECT_EQ(governors.all()[0].destinations, (std::vector<BlockId>{2, 5}));
  EXPECT_EQ(governors.all()[0].side_entries, (std::vector<BlockId>{4}));
}

TEST(Governors, ByTheWideRuleARegionEndsWithTheLoopAroundItsGovernor) {
  // 0; loop 1 { if (..) 2; 3 } and behind it if (4) 5; 6; 7.
  const Cfg::EdgeList edges{{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 8}, {8, 3}, {3, 1}, {4, 5}, {4, 6}, {5, 6}, {6, 7}};
  GovernorInput input{std::vector<bool>(9, false), std::vector<bool>(9, false)};
  for (const BlockId b : {1u, 2u, 4u}) input.ends_in_branch[b] = true;
  const Governors narrow(Cfg(9, edges), input);
  ASSERT_NE(narrow.find(1), nullptr);
  EXPECT_EQ(as_set(narrow.find(1)->region), (Blocks{2, 4, 5, 6, 8}));
  input.rule = GovernorRule::Wide;
  const Governors wide(Cfg(9, edges), input);
  ASSERT_NE(wide.find(1), nullptr);
  EXPECT_EQ(as_set(wide.find(1)->region), (Blocks{2, 8}));
  EXPECT_EQ(wide.find(1)->destinations, (std::vector<BlockId>{3, 4}));
  ASSERT_NE(wide.find(4), nullptr);
  EXPECT_EQ(as_set(wide.find(4)->region), (Blocks{5, 6}));
}

TEST(Governors, AreLinearOnDeepGraphs) {
  const auto count = [](const Cfg& cfg, std::uint32_t call_every, GovernorRule rule = GovernorRule::Llsplat) {
    GovernorInput input;
    input.rule = rule;
    for (BlockId b = 0; b < cfg.size(); ++b) {
      input.has_call.push_back(call_every != 0 && b % call_every == call_every - 1);
      input.ends_in_branch.push_back(cfg.successors(b).size() == 2);
    }
    return Governors(cfg, input).all().size();
  };
  const auto start = std::chrono::steady_clock::now();
  constexpr std::uint32_t kBlocks = 100'000;
  EXPECT_EQ(count(chain(kBlocks), 0), 0u);
  EXPECT_EQ(count(ladder(kBlocks), 0), 1u);
  EXPECT_EQ(count(nest(kBlocks / 2), 0), 0u);
  EXPECT_EQ(count(nested_ifs(kBlocks / 3), 0), 1u);
  EXPECT_GT(count(nested_ifs(kBlocks / 3), 7), 1'000u);
  EXPECT_EQ(count(ladder(kBlocks), 0, GovernorRule::Wide), 1u);
  EXPECT_GT(count(nested_ifs(kBlocks / 3), 7, GovernorRule::Wide), 1'000u);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 5.0);
}

}  // namespace
}  // namespace plumb::program
