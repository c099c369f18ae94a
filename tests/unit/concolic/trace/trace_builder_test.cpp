#include "concolic/trace/trace_builder.h"

#include <gtest/gtest.h>

#include <random>

#include "sample_stream.h"
#include "term/evaluator.h"

namespace plumb::concolic {
namespace {

using program::kNone;
using term::Op;
using term::Term;

class TraceBuilderTest : public ::testing::Test {
 protected:
  Trace build() {
    Trace trace = builder_.build(w_.words);
    EXPECT_TRUE(trace.is_complete) << trace.problem;
    EXPECT_EQ(builder_.first_false_node(trace), trace.nodes.size());
    EXPECT_EQ(TraceBuilder::first_false_node(store_, trace), trace.nodes.size());
    return trace;
  }
  std::string problem() { return builder_.build(w_.words).problem; }

  /// Of a condition, if the only input has this value.
  bool holds(const Trace& trace, Term condition, std::uint64_t value) {
    const Term variable = trace.variables[0][0];
    const term::Assignment assignment{{variable, BitVector(store_.width(variable), value)}};
    return term::Evaluator(store_, assignment).is_true(condition);
  }
  /// The conditions of the alternatives of a node, for an input: which of them hold?
  std::vector<std::uint32_t> open(const Trace& trace, std::size_t node, std::uint64_t value) {
    std::vector<std::uint32_t> result;
    for (const Alternative& a : trace.alternatives_of(trace.nodes[node]))
      if (holds(trace, a.condition, value)) result.push_back(a.index);
    return result;
  }
  /// Edges of the sample region.
  static bool takes(EdgeId edge, std::uint32_t x) {
    return edge == 0 ? x < 10 : edge == 1 ? x >= 10 : edge == 6 ? x >= 10 && x < 20 : x >= 20;
  }
  static std::vector<std::uint8_t> bytes(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
  }

  const Subject subject_ = sample_subject();
  term::TermStore store_;
  TraceBuilder builder_{subject_, store_};
  StreamWriter w_;
};

TEST_F(TraceBuilderTest, AStreamOfAllKindsIsTrueOfItsOwnInputs) {
  w_ = sample_stream();
  const Trace trace = build();
  EXPECT_EQ(trace.region_visits, 1U);
  EXPECT_EQ(trace.inputs.size(), 2U);
  EXPECT_EQ(trace.inputs[1].name, "text");
  EXPECT_EQ(trace.variables[1].size(), 9U);
  const std::map<LostPrecision, std::uint64_t> lost{{{PLUMB_PIN_CALL, 0}, 2}};
  EXPECT_EQ(trace.lost, lost);
}

TEST_F(TraceBuilderTest, ABranchHasItsOtherEdgeAsAlternative) {
  const std::uint32_t x = w_.input("int", bytes(3), 4);
  const std::uint32_t condition = w_.operation(Op::Ult, 1, x, w_.constant(32, 5));
  w_.branch(kBranchSite, 0, condition);
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Branch);
  EXPECT_EQ(trace.nodes[0].taken, 0U);
  ASSERT_EQ(trace.nodes[0].alternative_count, 1U);
  EXPECT_EQ(trace.alternatives[0].edge, 1U);
  for (const std::uint64_t value : {0U, 4U, 5U, 6U}) {
    EXPECT_EQ(holds(trace, trace.nodes[0].condition, value), value < 5);
    EXPECT_EQ(holds(trace, trace.alternatives[0].condition, value), value >= 5);
  }
}

TEST_F(TraceBuilderTest, ASwitchHasExactlyOneWayForEveryValue) {
  for (std::uint32_t taken = 0; taken < 4; ++taken) {
    const std::vector<std::uint32_t> values{0, 3, 5, 9};
    w_ = {};
    const std::uint32_t x = w_.input("int", bytes(values[taken]), 4);
    w_.switch_over(kSwitchSite, taken, x);
    const Trace trace = build();
    ASSERT_EQ(trace.nodes.size(), 1U);
    EXPECT_EQ(trace.nodes[0].alternative_count, 3U);
    for (const Alternative& a : trace.alternatives) EXPECT_EQ(a.edge, 2 + a.index);
    for (std::uint32_t value = 0; value < 12; ++value) {
      const std::uint32_t edge = value == 3 ? 1 : value == 5 ? 2 : value == 9 ? 3 : 0;
      EXPECT_EQ(holds(trace, trace.nodes[0].condition, value), edge == taken);
      EXPECT_EQ(open(trace, 0, value), edge == taken ? std::vector<std::uint32_t>{} : std::vector{edge});
    }
  }
}

TEST_F(TraceBuilderTest, AssumptionsAndChecksHaveAnAlternativeWhereTheRunCouldEndOrGoOn) {
  for (const bool held : {true, false}) {
    w_ = {};
    const std::uint32_t x = w_.input("int", bytes(held ? 1 : 9), 4);
    const std::uint32_t condition = w_.operation(Op::Ult, 1, x, w_.constant(32, 5));
    w_.assume(kAssumeSite, held, condition);
    w_.check(kCheckSite, held, condition);
    const Trace trace = build();
    ASSERT_EQ(trace.nodes.size(), 2U);
    EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Assume);
    EXPECT_EQ(trace.nodes[0].alternative_count, held ? 0U : 1U);
    ASSERT_EQ(trace.nodes[1].alternative_count, 1U);
    const Alternative& a = trace.alternatives_of(trace.nodes[1])[0];
    EXPECT_EQ(a.kind, held ? Alternative::Kind::Violation : Alternative::Kind::Assumption);
    for (const std::uint64_t value : {4U, 5U}) {
      EXPECT_EQ(holds(trace, trace.nodes[1].condition, value), (value < 5) == held);
      EXPECT_EQ(holds(trace, a.condition, value), (value < 5) != held);
    }
  }
}

TEST_F(TraceBuilderTest, ADivisorIsNotZeroUnlessTheDivisionIsTheError) {
  for (const std::uint32_t value : {0U, 4U}) {
    for (const bool has_error : {false, true}) {
      if (value == 0 && !has_error) continue;
      w_ = {};
      w_.divisor(kDivisionSite, w_.input("int", bytes(value), 4));
      if (has_error) w_.error(PLUMB_ERROR_DIVISION, kDivisionSite);
      const Trace trace = build();
      ASSERT_EQ(trace.nodes.size(), 1U);
      EXPECT_EQ(trace.nodes[0].taken, value == 0 ? 0U : 1U);
      ASSERT_EQ(trace.alternatives.size(), 1U);
      EXPECT_EQ(trace.alternatives[0].kind, value == 0 ? Alternative::Kind::Assumption : Alternative::Kind::Violation);
      EXPECT_EQ(holds(trace, trace.alternatives[0].condition, 0), value != 0);
    }
  }
}

TEST_F(TraceBuilderTest, CallTargetsAndPinsHoldTheValueOfTheRun) {
  const std::uint32_t x = w_.input("pointer", {0x10, 0x20, 0, 0, 0, 0, 0, 0}, 8);
  w_.call_target(kCallSite, x, 0x2010);
  w_.pin(PLUMB_PIN_ADDRESS, 64, kBranchSite, x, 0x2010);
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 2U);
  EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::CallTarget);
  EXPECT_EQ(trace.nodes[0].taken, 0x2010U);
  EXPECT_EQ(open(trace, 0, 0x2011), std::vector{0U});
  EXPECT_EQ(trace.nodes[1].kind, PathNode::Kind::Constraint);
  EXPECT_EQ(trace.nodes[1].site, kBranchSite);
  EXPECT_EQ(trace.nodes[1].alternative_count, 0U);
  for (const PathNode& node : trace.nodes) {
    EXPECT_TRUE(holds(trace, node.condition, 0x2010));
    EXPECT_FALSE(holds(trace, node.condition, 0x2011));
  }
}

TEST_F(TraceBuilderTest, AnAddressIsBoundToItsObject) {
  const std::uint32_t x = w_.input("pointer", {0x05, 0x10, 0, 0, 0, 0, 0, 0}, 8);
  StreamWriter::Object object{0x1004, std::vector<std::uint8_t>(8), {}, 0};
  w_.read(32, x, 0x1005, object);
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Constraint);
  for (std::uint64_t address = 0xff0; address < 0x1020; ++address)
    EXPECT_EQ(holds(trace, trace.nodes[0].condition, address), address >= 0x1004 && address <= 0x1008);
  EXPECT_FALSE(holds(trace, trace.nodes[0].condition, ~std::uint64_t{0}));
}

TEST_F(TraceBuilderTest, AnAddressInAnotherObjectIsAnotherPath) {
  const auto prefix = [&](std::uint8_t page) {
    w_ = {};
    const std::uint32_t x = w_.input("pointer", {0x05, page, 0, 0, 0, 0, 0, 0}, 8);
    const std::uint64_t base = std::uint64_t{page} << 8;
    w_.read(32, x, base + 5, {base + 4, std::vector<std::uint8_t>(8), {}, 0});
    w_.branch(kBranchSite, 1, w_.operation(Op::Eq, 1, x, w_.constant(64, 7)));
    return build().nodes.back().prefix;
  };
  EXPECT_EQ(prefix(0x10), prefix(0x10));
  EXPECT_NE(prefix(0x10), prefix(0x20)) << "what is refuted in one object need not be so in the other";
}

TEST_F(TraceBuilderTest, ReadsOfKnownConstantsGiveTheirBytes) {
  const std::uint32_t x = w_.input("byte", {9}, 1);
  const std::uint32_t address = w_.operation(Op::Add, 64, w_.operation(Op::ZeroExtend, 64, x), w_.constant(64, 0x5000));
  StreamWriter::Object known{0x5000, {}, {}, 1};
  const std::uint32_t value = w_.read(8, address, 0x5009, known);
  w_.branch(kBranchSite, 0, w_.operation(Op::Eq, 1, value, w_.constant(8, 246)));
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U) << "an index of a byte cannot leave 256 bytes";
  for (std::uint64_t i = 0; i < 256; ++i) EXPECT_EQ(holds(trace, trace.nodes[0].condition, i), i == 9);
}

TEST_F(TraceBuilderTest, NodesThatAreAlwaysSoAreLeftOut) {
  const std::uint32_t x = w_.input("int", bytes(3), 4);
  w_.branch(kBranchSite, 0, w_.operation(Op::Eq, 1, x, x));
  w_.assume(kAssumeSite, true, w_.operation(Op::Ule, 1, x, w_.constant(32, 0xffffffffU)));
  const Trace trace = build();
  EXPECT_TRUE(trace.nodes.empty());
  EXPECT_TRUE(trace.alternatives.empty());
}

TEST_F(TraceBuilderTest, TheSameInputOfAnotherRunIsTheSameVariable) {
  w_.input("int", bytes(3), 4);
  const Trace first = build();
  w_ = {};
  w_.input("int", bytes(4), 4);
  EXPECT_EQ(build().variables, first.variables);
  w_ = {};
  w_.input("int", bytes(4), 1);
  EXPECT_NE(build().variables, first.variables);
}

TEST_F(TraceBuilderTest, PrefixesAreEqualAsFarAsTheDecisionsAre) {
  const auto run = [&](const std::vector<std::uint32_t>& edges) {
    w_ = {};
    const std::uint32_t x = w_.input("bits", {0}, 1);
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      const std::uint32_t bit = w_.operation(Op::Extract, 1, x, 0, 0, i);
      w_.branch(kBranchSite, edges[i], bit);
    }
    return builder_.build(w_.words);
  };
  const Trace a = run({0, 1, 0});
  const Trace b = run({0, 1, 1});
  const Trace c = run({1, 1, 0});
  EXPECT_EQ(a.nodes[1].prefix, b.nodes[1].prefix);
  EXPECT_NE(a.nodes[2].prefix, b.nodes[2].prefix);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NE(a.nodes[i].prefix, c.nodes[i].prefix);
}

TEST_F(TraceBuilderTest, ModelsBecomeInputsAndWhatTheyDoNotMentionStays) {
  w_.input("int", bytes(0x01020304), 4);
  w_.input("text", {1, 2, 3, 4}, 2);
  const Trace trace = build();
  const term::Assignment model{{trace.variables[0][0], BitVector(32, 0xa1b2c3d4)},
                               {trace.variables[1][1], BitVector(16, 0xeeff)}};
  const std::vector<result::TestInput> inputs = TraceBuilder::inputs_of(store_, trace, model);
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].bytes, bytes(0xa1b2c3d4));
  EXPECT_EQ(inputs[1].bytes, (std::vector<std::uint8_t>{1, 2, 0xff, 0xee}));
  EXPECT_EQ(inputs[1].name, "text");
}

TEST_F(TraceBuilderTest, TheFirstFalseNodeIsFound) {
  const std::uint32_t x = w_.input("int", bytes(3), 4);
  w_.branch(kBranchSite, 0, w_.operation(Op::Ult, 1, x, w_.constant(32, 5)));
  w_.branch(kBranchSite, 1, w_.operation(Op::Ult, 1, x, w_.constant(32, 4)));
  const Trace trace = builder_.build(w_.words);
  EXPECT_EQ(builder_.first_false_node(trace), 1U);
  EXPECT_EQ(TraceBuilder::first_false_node(store_, trace), 1U);
}

TEST_F(TraceBuilderTest, RegionsHaveTheirOtherWaysAsAlternatives) {
  for (const std::uint32_t value : {4U, 15U, 30U}) {
    w_ = {};
    const std::uint32_t x = w_.input("int", bytes(value), 4);
    enter_sample_region(w_, subject_, x, value);
    const std::uint32_t destination = value < 20 ? 0 : 1;
    const std::uint32_t outs = w_.region_exit(0, destination, 2);
    const std::uint32_t cell = w_.operation(Op::Eq, 1, outs + 1, w_.constant(32, value < 10 ? value + 1 : 0x04030201));
    w_.check(kCheckSite, true, cell);
    if (destination == 0) {
      w_.check(kCheckSite, true, w_.operation(Op::Eq, 1, outs, w_.constant(32, value < 10 ? value : 5)));
    }
    const Trace trace = build();
    ASSERT_FALSE(trace.nodes.empty());
    EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Region);
    EXPECT_EQ(trace.nodes[0].taken, destination);
    std::vector<std::uint32_t> destinations;
    std::vector<EdgeId> edges;
    for (const Alternative& a : trace.alternatives_of(trace.nodes[0])) {
      const bool is_edge = a.kind == Alternative::Kind::InnerEdge;
      (is_edge ? edges : destinations).push_back(is_edge ? a.edge : a.index);
      for (const std::uint32_t other : {9U, 10U, 19U, 20U})
        EXPECT_EQ(holds(trace, a.condition, other), is_edge ? takes(a.edge, other) : (other < 20) == (a.index == 0));
    }
    EXPECT_EQ(destinations, std::vector{1 - destination});
    EXPECT_EQ(edges, (std::vector<EdgeId>{0, 1, 6, 7}));
  }
  EXPECT_EQ(builder_.region_costs()[0].visits, 3U);
}

TEST_F(TraceBuilderTest, CoveredEdgesInsideARegionAreNoAlternatives) {
  const std::uint32_t x = w_.input("int", bytes(4), 4);
  enter_sample_region(w_, subject_, x, 4);
  w_.region_exit(0, 0, 2);
  const std::vector<std::uint8_t> covered{1, 1, 0, 0, 0, 0, 0, 1};
  const Trace trace = builder_.build(w_.words, covered);
  std::vector<EdgeId> edges;
  for (const Alternative& a : trace.alternatives)
    if (a.kind == Alternative::Kind::InnerEdge) edges.push_back(a.edge);
  EXPECT_EQ(edges, std::vector<EdgeId>{6});
}

TEST_F(TraceBuilderTest, NodesAndPrefixesDoNotDependOnWhatIsCovered) {
  w_ = sample_stream();
  const Trace all = build();
  const std::vector<std::uint8_t> covered(subject_.edge_count, 1);
  const Trace few = builder_.build(w_.words, covered);
  ASSERT_EQ(few.nodes.size(), all.nodes.size());
  for (std::size_t i = 0; i < all.nodes.size(); ++i) EXPECT_EQ(few.nodes[i].prefix, all.nodes[i].prefix);
  EXPECT_LT(few.alternatives.size(), all.alternatives.size());
}

TEST_F(TraceBuilderTest, PinsToDifferentValuesAreDifferentPrefixes) {
  std::vector<std::uint64_t> prefixes;
  for (const std::uint32_t value : {3U, 4U, 3U}) {
    w_ = {};
    w_.pin(PLUMB_PIN_CALL, 32, 0, w_.input("int", bytes(value), 4), value);
    prefixes.push_back(build().nodes.at(0).prefix);
  }
  EXPECT_NE(prefixes[0], prefixes[1]);
  EXPECT_EQ(prefixes[0], prefixes[2]);
}

TEST_F(TraceBuilderTest, ARegionThatWasNotLeftHasAllDestinationsAsAlternatives) {
  const std::uint32_t x = w_.input("int", bytes(4), 4);
  enter_sample_region(w_, subject_, x, 4);
  w_.error(PLUMB_ERROR_SIGNAL, 0);
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  EXPECT_EQ(trace.nodes[0].taken, kNone);
  EXPECT_TRUE(holds(trace, trace.nodes[0].condition, 4));
  EXPECT_EQ(trace.alternatives[0].kind, Alternative::Kind::Destination);
  EXPECT_EQ(trace.alternatives[1].kind, Alternative::Kind::Destination);
}

TEST_F(TraceBuilderTest, RecordsThatDoNotFitAreNamedAndEndTheTrace) {
  const std::uint32_t x = w_.input("int", bytes(3), 4);
  w_.branch(kBranchSite, 0, w_.operation(Op::Ult, 1, x, w_.constant(32, 5)));
  const StreamWriter good = w_;
  const auto fails = [&](auto&& add) {
    w_ = good;
    add();
    const Trace trace = builder_.build(w_.words);
    EXPECT_EQ(trace.nodes.size(), 1U);
    EXPECT_EQ(trace.is_complete, trace.problem.empty());
    return !trace.is_complete;
  };
  EXPECT_TRUE(fails([&] { w_.branch(kBranchSite, 0, 99); }));
  EXPECT_TRUE(fails([&] { w_.branch(kBranchSite, 0, 0); }));
  EXPECT_TRUE(fails([&] { w_.branch(kBranchSite, 0, x); }));
  EXPECT_TRUE(fails([&] { w_.branch(kBranchSite, 2, 3); }));
  EXPECT_TRUE(fails([&] { w_.branch(kSwitchSite, 0, 3); }));
  EXPECT_TRUE(fails([&] { w_.branch(1000, 0, 3); }));
  EXPECT_TRUE(fails([&] { w_.switch_over(kSwitchSite, 4, x); }));
  EXPECT_TRUE(fails([&] { w_.switch_over(kSwitchSite, 0, 3); }));
  EXPECT_TRUE(fails([&] { w_.constant(0, 1); }));
  EXPECT_TRUE(fails([&] { w_.constant(65, 1); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Add, 32, x, 3); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Add, 16, x, x); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Variable, 16, 0); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Select, 16, x, x); }));
  EXPECT_TRUE(fails([&] { w_.operation(static_cast<Op>(200), 16, x, x); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Extract, 8, x, 0, 0, 25); }));
  EXPECT_TRUE(fails([&] { w_.operation(Op::Extract, 8, x, 0, 0, 0xffffffffU); }));
  EXPECT_TRUE(fails([&] { w_.float_comparison(program::FloatOp::Add, 32, x, x); }));
  EXPECT_TRUE(fails([&] { w_.float_comparison(program::FloatOp::Less, 64, x, x); }));
  EXPECT_TRUE(fails([&] { w_.input("int", {1, 2, 3}, 2); }));
  EXPECT_TRUE(fails([&] { w_.input("int", {1, 2, 3}, 3); }));
  EXPECT_TRUE(fails([&] { w_.pin(PLUMB_PIN_CALL, 64, 0, x, 3); }));
  EXPECT_TRUE(fails([&] { w_.region_enter(1, {}); }));
  EXPECT_TRUE(fails([&] { w_.region_exit(0, 0, 2); }));
  EXPECT_TRUE(fails([&] { w_.region_enter(0, {{x, 3}, {x, 3}}, {{0, {1, 2, 3, 4}, {}, 0}}); })) << "other widths";
  EXPECT_TRUE(fails([&] { w_.region_enter(0, {{0, 3}, {0, 1}}, {{0, {1, 2, 3}, {}, 0}}); })) << "a slot too small";
  EXPECT_FALSE(fails([&] { w_.lost(PLUMB_PIN_CALL, 0); }));
}

TEST_F(TraceBuilderTest, AccessesThatDoNotFitTheirObjectAreRefused) {
  const std::uint32_t x = w_.input("byte", {1}, 1);
  const std::uint32_t scaled = w_.operation(Op::Mul, 64, w_.operation(Op::ZeroExtend, 64, x), w_.constant(64, 4));
  const std::uint32_t address = w_.operation(Op::Add, 64, scaled, w_.constant(64, 0x1000));
  const StreamWriter good = w_;
  const auto fails = [&](auto&& add) {
    w_ = good;
    add();
    return !problem().empty();
  };
  const StreamWriter::Object object{0x1000, std::vector<std::uint8_t>(12), {}, 0};
  EXPECT_FALSE(fails([&] { w_.read(32, address, 0x1004, object); }));
  EXPECT_TRUE(fails([&] { w_.read(32, address, 0x100c, object); }));
  EXPECT_TRUE(fails([&] { w_.read(32, address, 0xffc, object); }));
  EXPECT_TRUE(fails([&] { w_.read(32, address, 0x1002, object); })) << "no value of the expression";
  EXPECT_TRUE(fails([&] { w_.read(31, address, 0x1004, object); }));
  EXPECT_TRUE(fails([&] { w_.read(128, address, 0x1004, object); }));
  EXPECT_TRUE(fails([&] { w_.read(32, x, 0x1004, object); })) << "not of a pointer's width";
  EXPECT_TRUE(fails([&] { w_.read(8, address, 0x1004, {0x1000, {}, {}, 2}); })) << "not constant";
  EXPECT_TRUE(fails([&] { w_.read(8, address, 0x1004, {0x1000, {}, {}, 77}); }));
  EXPECT_TRUE(fails([&] { w_.write(8, address, 0x1004, 0, 0, {0x1000, {}, {}, 1}); }));
  EXPECT_TRUE(
      fails([&] { w_.read(8, address, 0x1004, {0x1000, std::vector<std::uint8_t>(12), {{0, 1, 0, 4, 4}}, 0}); }));
}

TEST_F(TraceBuilderTest, SurvivesMutatedStreams) {
  const std::vector<std::uint32_t> good = sample_stream().words;
  std::mt19937 random(3);
  std::size_t incomplete = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::uint32_t> words = good;
    for (auto n = 1 + random() % 3; n > 0 && !words.empty(); --n) {
      const std::size_t at = random() % words.size();
      switch (random() % 5) {
        case 0:
          words[at] = static_cast<std::uint32_t>(random());
          break;
        case 1:
          words[at] = static_cast<std::uint32_t>(random() % 64);
          break;
        case 2:
          words[at] ^= 1U << random() % 32;
          break;
        case 3:
          words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        default:
          words.resize(at + 1);
      }
    }
    const Trace trace = builder_.build(words);
    EXPECT_EQ(trace.is_complete, trace.problem.empty());
    incomplete += trace.is_complete ? 0 : 1;
    EXPECT_LE(builder_.first_false_node(trace), trace.nodes.size());
  }
  EXPECT_GT(incomplete, 1000U);
}

}  // namespace
}  // namespace plumb::concolic
