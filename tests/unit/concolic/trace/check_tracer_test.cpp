#include "concolic/trace/check_tracer.h"

#include <gtest/gtest.h>

#include "concolic/trace/trace_builder.h"
#include "concolic/trace/trace_check.h"
#include "runtime/checks/checks.h"
#include "sample_stream.h"
#include "term/evaluator.h"

namespace plumb::concolic {
namespace {

using term::Op;
using term::Term;

constexpr std::uint64_t kBase = 0x5000;

/// One input of a byte, and addresses that it makes.
class CheckTracerTest : public ::testing::Test {
 protected:
  Trace build() {
    Trace trace = builder_.build(w_.words);
    EXPECT_TRUE(trace.is_complete) << trace.problem;
    EXPECT_EQ(contradiction_of(subject_, store_, trace, {}), "");
    return trace;
  }
  std::string problem() { return builder_.build(w_.words).problem; }
  void start(std::uint8_t value) {
    w_ = {};
    x_ = w_.input("x", {value}, 1);
    wide_ = w_.operation(Op::ZeroExtend, 64, x_);
    address_ = w_.operation(Op::Add, 64, wide_, w_.constant(64, kBase));
  }
  bool holds(const Trace& trace, Term condition, std::uint64_t value) {
    const term::Assignment assignment{{trace.variables[0][0], BitVector(8, value)}};
    return term::Evaluator(store_, assignment).is_true(condition);
  }
  StreamWriter::Range access(std::uint8_t value, std::uint64_t limit) const {
    return {.defect = PLUMB_DEFECT_POINTER,
            .site = kCheckSite,
            .object = 3,
            .value_id = address_,
            .value = kBase + value,
            .base = kBase,
            .limit = limit};
  }

  const Subject subject_ = sample_subject();
  term::TermStore store_;
  TraceBuilder builder_{subject_, store_};
  StreamWriter w_;
  std::uint32_t x_ = 0, wide_ = 0, address_ = 0;
};

TEST_F(CheckTracerTest, ARangeIsACheckWhoseOtherWayIsExactlyWhatIsOutside) {
  for (const std::uint8_t value : std::vector<std::uint8_t>{3, 16, 17, 200}) {
    start(value);
    const bool held = value <= 16;
    w_.range(held, access(value, 16));
    const Trace trace = build();
    ASSERT_EQ(trace.nodes.size(), 1U);
    const PathNode& node = trace.nodes[0];
    EXPECT_EQ(node.kind, PathNode::Kind::Check);
    EXPECT_EQ(node.site, kCheckSite);
    EXPECT_EQ(node.taken, held ? 1U : 0U);
    EXPECT_EQ(node.checked.defect, PLUMB_DEFECT_POINTER);
    EXPECT_EQ(node.checked.object, 3U);
    ASSERT_EQ(node.alternative_count, 1U);
    EXPECT_EQ(trace.alternatives[0].kind, held ? Alternative::Kind::Violation : Alternative::Kind::Assumption);
    EXPECT_EQ(trace.alternatives[0].index, PLUMB_DEFECT_POINTER);
    for (std::uint64_t v = 0; v < 256; ++v) {
      EXPECT_EQ(holds(trace, node.condition, v), (v <= 16) == held);
      EXPECT_EQ(holds(trace, trace.alternatives[0].condition, v), (v <= 16) != held);
    }
  }
}

TEST_F(CheckTracerTest, WhatIsNearIsJustBeforeOrBehind) {
  start(120);
  const std::uint32_t index = w_.operation(Op::Sub, 64, wide_, w_.constant(64, 100));
  w_.range(true, {.defect = PLUMB_DEFECT_INDEX, .value_id = index, .value = 20, .limit = 50});
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  const Term near = trace.alternatives[0].near;
  ASSERT_TRUE(near);
  for (std::uint64_t v = 0; v < 256; ++v)
    EXPECT_EQ(holds(trace, near, v), (v >= 84 && v < 100) || (v > 150 && v <= 166)) << v;
}

TEST_F(CheckTracerTest, WhatSurelyHoldsOrWasCheckedBeforeLeavesNoNode) {
  start(3);
  w_.range(true, access(3, 255));
  w_.range(true, access(3, 100));
  w_.range(true, access(3, 100));
  StreamWriter::Range other = access(3, 100);
  other.site = kBranchSite;
  w_.range(true, other);
  EXPECT_EQ(build().nodes.size(), 1U);
}

TEST_F(CheckTracerTest, TheBoundsOfAnAccessAreImpliedByItsCheck) {
  for (const bool is_checked : {true, false}) {
    start(3);
    if (is_checked) w_.range(true, access(3, 19));
    w_.read(8, address_, kBase + 3, {kBase, std::vector<std::uint8_t>(20, 1), {}, 0});
    const Trace trace = build();
    ASSERT_EQ(trace.nodes.size(), 1U);
    EXPECT_EQ(trace.nodes[0].kind, is_checked ? PathNode::Kind::Check : PathNode::Kind::Constraint);
  }
}

TEST_F(CheckTracerTest, ARangeOfNoDefectIsAConstraintOfThePath) {
  start(3);
  StreamWriter::Range range = access(3, 16);
  range.defect = 0;
  w_.range(true, range);
  w_.range(true, range);
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Constraint);
  EXPECT_EQ(trace.nodes[0].taken, 3U);
  EXPECT_EQ(trace.nodes[0].alternative_count, 0U);
  for (std::uint64_t v = 0; v < 256; ++v) EXPECT_EQ(holds(trace, trace.nodes[0].condition, v), v <= 16);
  start(30);
  range.value = kBase + 30;
  w_.range(false, range);
  EXPECT_NE(problem(), "");
}

TEST_F(CheckTracerTest, ALimitMayBeAnExpressionAndTheValueConcrete) {
  start(20);
  w_.range(true, {.defect = PLUMB_DEFECT_POINTER,
                  .site = kCheckSite,
                  .value = kBase + 12,
                  .base = kBase,
                  .limit_id = wide_,
                  .limit = 20});
  const Trace trace = build();
  ASSERT_EQ(trace.nodes.size(), 1U);
  for (std::uint64_t v = 0; v < 256; ++v) {
    EXPECT_EQ(holds(trace, trace.nodes[0].condition, v), v >= 12);
    EXPECT_EQ(holds(trace, trace.alternatives[0].condition, v), v < 12);
  }
}

TEST_F(CheckTracerTest, PathsTellObjectsAndKindsApartButNotHeapAddresses) {
  const auto prefix = [&](std::uint32_t defect, std::uint32_t object, std::uint64_t base, bool is_pinned) {
    start(3);
    const std::uint32_t address = w_.operation(Op::Add, 64, wide_, w_.constant(64, base));
    w_.range(true, {.defect = defect,
                    .site = kCheckSite,
                    .object = object,
                    .value_id = address,
                    .value = base + 3,
                    .base = base,
                    .limit = 16});
    if (is_pinned) w_.pin(PLUMB_PIN_ADDRESS, 64, kCheckSite, address, base + 3);
    return build().nodes.back().prefix;
  };
  for (const bool is_pinned : {false, true}) {
    const std::uint64_t one = prefix(PLUMB_DEFECT_POINTER, 3, kBase, is_pinned);
    EXPECT_EQ(prefix(PLUMB_DEFECT_POINTER, 3, 0x7000, is_pinned), one);
    EXPECT_NE(prefix(PLUMB_DEFECT_POINTER, 4, kBase, is_pinned), one);
    EXPECT_NE(prefix(PLUMB_DEFECT_ARRAY, 3, kBase, is_pinned), one);
  }
}

TEST_F(CheckTracerTest, AnOverflowIsWhatDoesNotFitForEveryValue) {
  struct Case {
    Op op;
    int other;
    bool is_left;  ///< the input is the left operand
  };
  for (const Case c : {Case{Op::Add, 100, true}, Case{Op::Sub, 100, false}, Case{Op::Sub, 100, true},
                       Case{Op::Mul, 3, true}, Case{Op::Sdiv, -1, true}, Case{Op::Srem, -1, true}})
    for (const int value : {1, -128, 127}) {
      const auto fits = [&](int v) {
        const int a = c.is_left ? v : c.other, b = c.is_left ? c.other : v;
        const int result = c.op == Op::Add ? a + b : c.op == Op::Sub ? a - b : c.op == Op::Mul ? a * b : -a;
        return result >= -128 && result <= 127;
      };
      start(static_cast<std::uint8_t>(value));
      const StreamWriter::Operand input{x_, static_cast<std::uint8_t>(value)};
      const StreamWriter::Operand other{0, static_cast<std::uint8_t>(c.other)};
      w_.overflow(fits(value), kCheckSite, c.op, 8, c.is_left ? input : other, c.is_left ? other : input);
      const Trace trace = build();
      ASSERT_EQ(trace.nodes.size(), 1U);
      EXPECT_EQ(trace.nodes[0].checked.defect, PLUMB_DEFECT_OVERFLOW);
      for (int v = -128; v < 128; ++v)
        EXPECT_EQ(holds(trace, trace.nodes[0].condition, static_cast<std::uint8_t>(v)), fits(v) == fits(value)) << v;
    }
}

TEST(CheckTracer, OverflowsCountWhereTheyAreCheckedAndQuotientsWhereTheyTrap) {
  for (const bool is_checked : {false, true})
    for (const char* triple : {"x86_64-linux-gnu", "aarch64-linux-gnu", "s390x-linux-gnu"})
      for (const Op op : {Op::Add, Op::Sdiv, Op::Srem, Op::Udiv, Op::NegOverflow, Op::Neg}) {
        Subject subject = sample_subject();
        subject.program.layout.triple = triple;
        if (!is_checked) subject.program.checks.remove(program::Check::Overflow);
        const bool is_quotient = op == Op::Sdiv || op == Op::Srem;
        const bool traps = is_quotient && triple != std::string_view("aarch64-linux-gnu");
        term::TermStore store;
        TraceBuilder builder(subject, store);
        StreamWriter w;
        const std::uint32_t x = w.input("x", {1}, 1);
        w.overflow(true, kCheckSite, op, 8, {x, 1}, {0, 0xff});
        const bool is_known = traps || (is_checked && (is_quotient || op == Op::Add));
        EXPECT_EQ(builder.build(w.words).is_complete, is_known) << triple << ' ' << name(op) << ' ' << is_checked;
      }
}

TEST_F(CheckTracerTest, DefectsAreCollectedInTheirOrderAlsoBehindTheEndOfTheTrace) {
  start(3);
  w_.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kCheckSite, 77);
  w_.words.push_back(PLUMB_CUT);
  w_.defect(PLUMB_DEFECT_LEAK, PLUMB_OBJECT_HEAP, 0, 78);
  const Trace trace = build();
  ASSERT_EQ(trace.defects.size(), 2U);
  EXPECT_EQ(trace.defects[0].kind, PLUMB_DEFECT_POINTER);
  EXPECT_EQ(trace.defects[0].site, kCheckSite);
  EXPECT_EQ(trace.defects[0].hash, 77U);
  EXPECT_EQ(trace.defects[0].object_kind, PLUMB_OBJECT_HEAP);
  EXPECT_EQ(trace.defects[0].address, 0x5014U);
  EXPECT_EQ(trace.defects[0].object_size, 20U);
  EXPECT_EQ(trace.defects[1].kind, PLUMB_DEFECT_LEAK);
}

TEST_F(CheckTracerTest, WhatIsNotLookedForIsNoDefect) {
  Subject subject = sample_subject();
  subject.program.checks = program::parse_checks("default,-leak,-null");
  TraceBuilder builder(subject, store_);
  for (std::uint32_t kind = PLUMB_DEFECT_INDEX; kind <= PLUMB_DEFECT_SCOPE; ++kind)
    w_.defect(kind, PLUMB_OBJECT_NONE, kCheckSite, 1);
  const Trace trace = builder.build(w_.words);
  EXPECT_TRUE(trace.is_complete) << trace.problem;
  std::vector<std::uint32_t> kinds;
  for (const SeenDefect& defect : trace.defects) kinds.push_back(defect.kind);
  EXPECT_EQ(kinds, (std::vector<std::uint32_t>{PLUMB_DEFECT_INDEX, PLUMB_DEFECT_POINTER, PLUMB_DEFECT_ARRAY,
                                               PLUMB_DEFECT_FREED, PLUMB_DEFECT_RETURNED, PLUMB_DEFECT_DOUBLE_FREE,
                                               PLUMB_DEFECT_BAD_FREE, PLUMB_DEFECT_DIVISION, PLUMB_DEFECT_SCOPE}));
}

TEST_F(CheckTracerTest, ADefectEndsARunInsideOfARegion) {
  w_ = {};
  const std::uint32_t x = w_.input("x", {7, 0, 0, 0}, 4);
  enter_sample_region(w_, subject_, x, 7);
  w_.defect(PLUMB_DEFECT_INDEX, PLUMB_OBJECT_STACK, kCheckSite, 1);
  w_.error(PLUMB_ERROR_DEFECT, kCheckSite);
  const Trace trace = builder_.build(w_.words);
  EXPECT_TRUE(trace.is_complete) << trace.problem;
  EXPECT_EQ(trace.defects.size(), 1U);
  ASSERT_EQ(trace.nodes.size(), 1U);
  EXPECT_EQ(trace.nodes[0].kind, PathNode::Kind::Region);
  EXPECT_EQ(trace.nodes[0].taken, program::kNone);
}

TEST_F(CheckTracerTest, RecordsThatMakeNoSenseAreRefused) {
  const auto refuses = [&](bool held, const StreamWriter::Range& range) {
    w_.range(held, range);
    return !problem().empty();
  };
  const auto with = [&](auto change) {
    start(3);
    StreamWriter::Range range = access(3, 16);
    change(range);
    return range;
  };
  EXPECT_FALSE(refuses(true, with([](auto&) {})));
  EXPECT_TRUE(refuses(false, with([](auto&) {})));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.value += 100; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.defect = PLUMB_DEFECT_SCOPE + 1; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.width = 65; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.width = 0; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.width = 32; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.site = 1000; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.value_id = 0; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.value_id = 1000; })));
  EXPECT_TRUE(refuses(true, with([](auto& r) { r.limit_id = 1000; })));
  // The input is 3, whatever the record says.
  EXPECT_TRUE(refuses(false, with([](auto& r) {
                        r.value = r.base + 300;
                        r.limit = 255;
                      })));
  start(3);
  w_.overflow(true, kCheckSite, Op::Xor, 8, {x_, 3}, {0, 1});
  EXPECT_NE(problem(), "");
  start(3);
  w_.overflow(true, kCheckSite, Op::Add, 8, {0, 3}, {0, 1});
  EXPECT_NE(problem(), "");
  start(3);
  w_.defect(0, PLUMB_OBJECT_HEAP, kCheckSite, 77);
  EXPECT_NE(problem(), "");
  start(3);
  w_.defect(PLUMB_DEFECT_LEAK, PLUMB_OBJECT_HEAP + 1, kCheckSite, 77);
  EXPECT_NE(problem(), "");
  start(3);
  w_.defect(PLUMB_DEFECT_LEAK, PLUMB_OBJECT_HEAP, 1000, 77);
  EXPECT_NE(problem(), "");
}

}  // namespace
}  // namespace plumb::concolic
