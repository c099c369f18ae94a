#include "program/analysis/unwinding_plan.h"

#include <gtest/gtest.h>

#include "program/function_builder.h"

namespace plumb::program {
namespace {

/// A loop at block 1 that leaves to a block that halts (3) or to one that calls before it halts (4).
Function made() {
  FunctionBuilder builder("f");
  const ValueId limit = builder.add_parameter(32);
  for (int i = 0; i < 5; ++i) builder.add_block();
  const ValueId n = builder.add_block_argument(1, 32);
  builder.select(0);
  builder.jump({1, {builder.constant(32, 0)}});
  builder.select(1);
  const ValueId more = builder.op(term::Op::Ult, {n, limit});
  builder.branch(more, {2, {}}, {4, {}});
  builder.select(2);
  const ValueId next = builder.op(term::Op::Add, {n, builder.constant(32, 1)});
  builder.branch(builder.op(term::Op::Eq, {next, limit}), {3, {}}, {1, {next}});
  builder.select(3);
  builder.halt(HaltReason::Trap);
  builder.select(4);
  builder.emit(Kind::Call, 0, {}, {}, 0);
  builder.halt(HaltReason::Trap);
  return builder.finish();
}

TEST(UnwindingPlan, SaysWhatAStateBetweenTwoBlocksIs) {
  const Function function = made();
  const UnwindingPlan plan(function);
  const ValueId limit = function.parameters[0];
  const ValueId n = function.blocks[1].arguments[0];
  const auto live = [&](BlockId b) { return std::vector<ValueId>(plan.live_ins(b).begin(), plan.live_ins(b).end()); };
  EXPECT_EQ(live(1), std::vector<ValueId>{limit});
  EXPECT_EQ(live(2), (std::vector<ValueId>{std::min(limit, n), std::max(limit, n)}));
  EXPECT_TRUE(live(3).empty());
  EXPECT_EQ(plan.order().cycle_of(2), plan.order().cycle_of(1));
  EXPECT_EQ(plan.order().cycle_of(3), kNone);
}

TEST(UnwindingPlan, KnowsBlocksThatEndTheRunWithoutACall) {
  const Function function = made();
  const UnwindingPlan plan(function);
  std::vector<BlockId> ends;
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    if (plan.is_end(b)) ends.push_back(b);
  EXPECT_EQ(ends, std::vector<BlockId>{3});
}

}  // namespace
}  // namespace plumb::program
