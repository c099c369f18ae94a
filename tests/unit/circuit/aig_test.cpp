#include "circuit/aig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "base/error.h"
#include "random_circuit.h"

namespace plumb::circuit {
namespace {

constexpr std::array<std::uint16_t, 4> kInputTables = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};

/// A graph over four inputs that knows the truth table of each node, computed from its fanins.
struct FourInputs {
  Aig aig;
  std::vector<std::uint16_t> tables;

  FourInputs() {
    for (int i = 0; i < 4; ++i) aig.add_input();
    refresh();
  }
  void refresh() {
    for (auto node = static_cast<std::uint32_t>(tables.size()); node < aig.size(); ++node) {
      if (aig.is_and(node)) {
        tables.push_back(table_known(aig.fanin0(node)) & table_known(aig.fanin1(node)));
      } else {
        tables.push_back(node == 0 ? std::uint16_t{0} : kInputTables[aig.ordinal(node)]);
      }
    }
  }
  std::uint16_t table_known(Lit lit) const {
    return static_cast<std::uint16_t>(tables[lit.node()] ^ (lit.complemented() ? 0xffff : 0));
  }
  std::uint16_t table(Lit lit) {
    refresh();
    return table_known(lit);
  }
  std::vector<Lit> literals() const {
    std::vector<Lit> all;
    for (std::uint32_t code = 0; code < aig.size() * 2; ++code) all.push_back(Lit{code});
    return all;
  }
  /// Adds the ands of all pairs of literals.
  void close_under_and() {
    const std::vector<Lit> all = literals();
    for (const Lit a : all)
      for (const Lit b : all) aig.and_(a, b);
    refresh();
  }
};

void expect_invariants(const Aig& aig) {
  std::set<std::pair<Lit, Lit>> pairs;
  for (std::uint32_t node = 0; node < aig.size(); ++node) {
    ASSERT_LE(aig.is_and(node) + aig.is_input(node) + aig.is_latch(node), 1);
    if (!aig.is_and(node)) continue;
    ASSERT_LT(aig.fanin0(node), aig.fanin1(node));
    ASSERT_LT(aig.fanin1(node).node(), node);
    ASSERT_NE(aig.fanin0(node).node(), aig.fanin1(node).node());
    ASSERT_GE(aig.fanin0(node).node(), 1U);
    ASSERT_TRUE(pairs.emplace(aig.fanin0(node), aig.fanin1(node)).second);
  }
}

TEST(Aig, AndPreservesTheFunctionOnAllPairsOfTwoLevelGraphs) {
  FourInputs graph;
  graph.close_under_and();
  graph.close_under_and();
  const std::vector<Lit> all = graph.literals();
  ASSERT_GT(all.size(), 1000U);
  for (const Lit a : all)
    for (const Lit b : all) {
      const auto expected = static_cast<std::uint16_t>(graph.table(a) & graph.table(b));
      ASSERT_EQ(graph.table(graph.aig.and_(a, b)), expected) << a.code << " & " << b.code;
    }
  expect_invariants(graph.aig);
}

TEST(Aig, XorPreservesTheFunctionOnAllPairsOfTwoLevelGraphs) {
  FourInputs graph;
  graph.close_under_and();
  graph.close_under_and();
  const std::vector<Lit> all = graph.literals();
  for (const Lit a : all)
    for (const Lit b : all) {
      const auto expected = static_cast<std::uint16_t>(graph.table(a) ^ graph.table(b));
      ASSERT_EQ(graph.table(graph.aig.xor_(a, b)), expected) << a.code << " ^ " << b.code;
    }
}

TEST(Aig, IteAndOrPreserveTheFunctionOnAllOneLevelGraphs) {
  FourInputs graph;
  graph.close_under_and();
  const std::vector<Lit> all = graph.literals();
  for (const Lit c : all)
    for (const Lit t : all) {
      ASSERT_EQ(graph.table(graph.aig.or_(c, t)), graph.table(c) | graph.table(t));
      for (const Lit e : all) {
        const int expected = (graph.table(c) & graph.table(t)) | (~graph.table(c) & graph.table(e) & 0xffff);
        ASSERT_EQ(graph.table(graph.aig.ite(c, t, e)), expected) << c.code << " ? " << t.code << " : " << e.code;
      }
    }
  expect_invariants(graph.aig);
}

TEST(Aig, ShannonExpansionWithIteBuildsAllFunctionsOfFourInputs) {
  FourInputs graph;
  for (unsigned function = 0; function < 0x10000; ++function) {
    std::vector<Lit> rows;
    for (unsigned row = 0; row < 16; ++row) rows.push_back((function >> row & 1) != 0 ? kTrue : kFalse);
    for (std::uint32_t input = 0; input < 4; ++input) {
      for (std::size_t i = 0; i < rows.size() / 2; ++i)
        rows[i] = graph.aig.ite(Lit::of(input + 1), rows[2 * i + 1], rows[2 * i]);
      rows.resize(rows.size() / 2);
    }
    ASSERT_EQ(graph.table(rows[0]), function);
  }
}

TEST(Aig, OperationsOnRandomLargeGraphsAgreeWithWordsComputedBesideThem) {
  std::mt19937_64 random(1);
  Aig aig;
  std::vector<std::pair<Lit, std::uint64_t>> pool;  // a literal and the word that it should have
  std::vector<std::uint64_t> input_words;
  for (int i = 0; i < 40; ++i) {
    input_words.push_back(random());
    pool.emplace_back(aig.add_input(), input_words.back());
  }
  for (int i = 0; i < 300'000; ++i) {
    // Mostly recent operands: the graph gets deep, and operands share fanins.
    const auto pick = [&] {
      const std::size_t reach = random() % 4 == 0 ? pool.size() : std::min<std::size_t>(pool.size(), 50);
      const auto [lit, word] = pool[pool.size() - 1 - random() % reach];
      return random() % 2 == 0 ? std::pair(lit, word) : std::pair(~lit, ~word);
    };
    const auto a = pick();
    const auto b = pick();
    const auto c = pick();
    switch (random() % 3) {
      case 0:
        pool.emplace_back(aig.and_(a.first, b.first), a.second & b.second);
        break;
      case 1:
        pool.emplace_back(aig.xor_(a.first, b.first), a.second ^ b.second);
        break;
      default:
        pool.emplace_back(aig.ite(a.first, b.first, c.first), (a.second & b.second) | (~a.second & c.second));
        break;
    }
    if (aig.is_and(pool.back().first.node()) || pool.size() < 100) continue;
    pool.pop_back();  // constants and inputs would soon be all that is left
  }
  ASSERT_GT(aig.and_count(), 50'000U);
  expect_invariants(aig);

  std::vector<std::uint64_t> words(aig.size(), 0);
  const auto word = [&](Lit lit) { return lit.complemented() ? ~words[lit.node()] : words[lit.node()]; };
  for (std::uint32_t node = 1; node < aig.size(); ++node)
    words[node] = aig.is_and(node) ? word(aig.fanin0(node)) & word(aig.fanin1(node)) : input_words[aig.ordinal(node)];
  for (const auto& [lit, expected] : pool) ASSERT_EQ(word(lit), expected);
}

TEST(Aig, EachTwoLevelRuleGivesTheSmallerFormWithoutANewNode) {
  Aig aig;
  const Lit x = aig.add_input();
  const Lit y = aig.add_input();
  const Lit z = aig.add_input();
  const Lit xy = aig.and_(x, y);
  const Lit x_not_y = aig.and_(x, ~y);
  const Lit not_x_z = aig.and_(~x, z);
  const Lit xz = aig.and_(x, z);
  const Lit xyz = aig.and_(xy, z);
  const Lit x_not_yz = aig.and_(x, ~aig.and_(y, z));
  const std::uint32_t size = aig.size();

  EXPECT_EQ(aig.and_(xy, ~x), kFalse) << "asymmetric contradiction";
  EXPECT_EQ(aig.and_(xy, not_x_z), kFalse) << "symmetric contradiction";
  EXPECT_EQ(aig.and_(~xy, ~y), ~y) << "asymmetric subsumption";
  EXPECT_EQ(aig.and_(~xy, not_x_z), not_x_z) << "symmetric subsumption";
  EXPECT_EQ(aig.and_(xy, y), xy) << "asymmetric idempotence";
  EXPECT_EQ(aig.and_(xy, xz), xyz) << "symmetric idempotence";
  EXPECT_EQ(aig.and_(~xy, ~x_not_y), ~x) << "resolution";
  EXPECT_EQ(aig.and_(~xy, x), x_not_y) << "asymmetric substitution";
  EXPECT_EQ(aig.and_(~xy, xz), aig.and_(~y, xz)) << "symmetric substitution";
  EXPECT_EQ(aig.size(), size + 1) << "only ~y & xz is new";
  EXPECT_EQ(aig.and_(~x_not_yz, x_not_y), kFalse) << "a replaced operand is looked at again";
}

TEST(Aig, XorOfTwoNodesIsOneGateForAllSignsAndOrders) {
  Aig aig;
  const Lit a = aig.add_input();
  const Lit b = aig.add_input();
  const Lit gate = aig.xor_(a, b);
  EXPECT_EQ(aig.and_count(), 3U);
  for (const bool sa : {false, true})
    for (const bool sb : {false, true}) {
      EXPECT_EQ(aig.xor_(a ^ sa, b ^ sb), gate ^ (sa != sb));
      EXPECT_EQ(aig.xor_(b ^ sb, a ^ sa), gate ^ (sa != sb));
      EXPECT_EQ(aig.ite(a ^ sa, ~b ^ sb, b ^ sb), gate ^ (sa != sb));
    }
  EXPECT_EQ(aig.and_count(), 3U);
}

TEST(Aig, IteOfThreeNodesIsOneGateForEachPairOfEqualOrComplementFunctions) {
  Aig aig;
  const Lit c = aig.add_input();
  const Lit t = aig.add_input();
  const Lit e = aig.add_input();
  const Lit gate = aig.ite(c, t, e);
  EXPECT_EQ(gate, ~aig.and_(~aig.and_(c, t), ~aig.and_(~c, e)));
  EXPECT_EQ(aig.ite(~c, e, t), gate);
  EXPECT_EQ(aig.ite(c, ~t, ~e), ~gate);
  EXPECT_EQ(aig.ite(~c, ~e, ~t), ~gate);
  EXPECT_EQ(aig.and_count(), 3U);
}

TEST(Aig, TrivialOperandsMakeNoNodes) {
  Aig aig;
  const Lit a = aig.add_input();
  const Lit b = aig.add_input();
  const Lit ab = aig.and_(a, b);
  const Lit a_or_b = aig.or_(a, b);
  const std::uint32_t size = aig.size();
  EXPECT_EQ(aig.and_(a, kTrue), a);
  EXPECT_EQ(aig.and_(kFalse, a), kFalse);
  EXPECT_EQ(aig.and_(a, a), a);
  EXPECT_EQ(aig.and_(~a, a), kFalse);
  EXPECT_EQ(aig.and_(kTrue, kTrue), kTrue);
  EXPECT_EQ(aig.xor_(a, a), kFalse);
  EXPECT_EQ(aig.xor_(a, ~a), kTrue);
  EXPECT_EQ(aig.xor_(kTrue, a), ~a);
  EXPECT_EQ(aig.xor_(a, kFalse), a);
  EXPECT_EQ(aig.ite(kTrue, a, b), a);
  EXPECT_EQ(aig.ite(kFalse, a, b), b);
  EXPECT_EQ(aig.ite(a, b, b), b);
  EXPECT_EQ(aig.ite(a, b, kFalse), ab);
  EXPECT_EQ(aig.ite(a, kTrue, b), a_or_b);
  EXPECT_EQ(aig.ite(a, b, a), ab);
  EXPECT_EQ(aig.ite(a, a, b), a_or_b);
  EXPECT_EQ(aig.ite(a, kFalse, kTrue), ~a);
  EXPECT_EQ(aig.ite(a, ~a, a), kFalse);
  EXPECT_EQ(aig.size(), size);
}

TEST(Aig, EqualCallsGiveEqualGraphs) {
  const Aig first = random_circuit(7, 10, 10, 20'000);
  const Aig second = random_circuit(7, 10, 10, 20'000);
  ASSERT_EQ(first.size(), second.size());
  for (std::uint32_t node = 0; node < first.size(); ++node) {
    ASSERT_EQ(first.fanin0(node), second.fanin0(node));
    ASSERT_EQ(first.fanin1(node), second.fanin1(node));
  }
}

TEST(Aig, ChainOfAMillionAndsIsBuiltAndTraversed) {
  constexpr std::uint32_t kLength = 1'000'000;
  Aig aig;
  Lit chain = aig.add_input();
  // Complemented links, so that the chain is no conjunction that the rules could shorten.
  for (std::uint32_t i = 0; i < kLength; ++i) chain = ~aig.and_(chain, aig.add_input());
  EXPECT_EQ(aig.and_count(), kLength);
  EXPECT_EQ(aig.levels(), kLength);
  const auto cone = aig.cone(std::array{chain});
  EXPECT_EQ(cone.size(), 2 * kLength + 1);
  EXPECT_TRUE(std::is_sorted(cone.begin(), cone.end()));
}

TEST(Aig, ConeStopsAtLatchesUnlessAskedToGoThroughThem) {
  Aig aig;
  const Lit a = aig.add_input();
  const Lit b = aig.add_input();
  const Lit unused = aig.add_input();
  const Lit latch = aig.add_latch();
  const Lit gate = aig.and_(a, ~latch);
  const Lit next = aig.and_(~gate, b);
  aig.set_next(latch, next);
  aig.and_(next, unused);
  const std::vector<std::uint32_t> near = {a.node(), latch.node(), gate.node()};
  const std::vector<std::uint32_t> far = {a.node(), b.node(), latch.node(), gate.node(), next.node()};
  EXPECT_EQ(aig.cone(std::array{~gate, gate}), near);
  EXPECT_EQ(aig.cone(std::array{gate}, true), far);
  EXPECT_EQ(aig.cone(std::array{kTrue}), std::vector<std::uint32_t>{0});
  EXPECT_TRUE(aig.cone({}).empty());
}

TEST(Aig, LeavesAreKnownByKindOrdinalAndName) {
  Aig aig;
  EXPECT_FALSE(aig.is_and(0) || aig.is_input(0) || aig.is_latch(0));
  const Lit a = aig.add_input("a");
  const Lit s = aig.add_latch(LatchInit::One, "s");
  const Lit b = aig.add_input();
  const Lit gate = aig.and_(a, s);
  const Lit r = aig.add_latch(LatchInit::Free);
  EXPECT_TRUE(aig.is_input(a.node()) && aig.is_input(b.node()) && aig.is_latch(s.node()) && aig.is_latch(r.node()));
  EXPECT_TRUE(aig.is_and(gate.node()));
  EXPECT_EQ(aig.ordinal(b.node()), 1U);
  EXPECT_EQ(aig.ordinal(r.node()), 1U);
  EXPECT_EQ(aig.inputs()[0].name, "a");
  EXPECT_EQ(aig.latches()[0].name, "s");
  EXPECT_EQ(aig.latches()[0].init, LatchInit::One);
  EXPECT_EQ(aig.latches()[1].node, r.node());
  EXPECT_EQ(aig.and_count(), 1U);
}

TEST(Aig, CopyIsIndependent) {
  Aig aig;
  const Lit a = aig.add_input();
  const Lit b = aig.add_input();
  Aig copy = aig;
  const Lit in_copy = copy.and_(a, b);
  EXPECT_EQ(aig.and_count(), 0U);
  EXPECT_EQ(aig.and_(a, b), in_copy);
  EXPECT_EQ(copy.and_(b, a), in_copy);
  EXPECT_EQ(copy.and_count(), 1U);
}

TEST(Aig, NextFunctionOfAnythingButALatchIsAnInternalError) {
  Aig aig;
  const Lit a = aig.add_input();
  const Lit s = aig.add_latch();
  EXPECT_THROW(aig.set_next(a, s), InternalError);
  EXPECT_THROW(aig.set_next(~s, a), InternalError);
  EXPECT_THROW(aig.set_next(kFalse, a), InternalError);
  EXPECT_THROW(aig.set_next(s, Lit::of(aig.size())), InternalError);
}

}  // namespace
}  // namespace plumb::circuit
