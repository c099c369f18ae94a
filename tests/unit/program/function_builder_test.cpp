#include "program/function_builder.h"

#include <gtest/gtest.h>

#include "program/verify.h"
#include "samples.h"

namespace plumb::program {
namespace {

using term::Op;

TEST(FunctionBuilder, MakesWellFormedFunctions) {
  const Program program = program_of(gauss());
  EXPECT_EQ(verify(program), std::vector<std::string>{});
  const Function& f = program.functions[0];
  ASSERT_EQ(f.blocks.size(), 4U);
  EXPECT_EQ(f.successors(1).size(), 2U);
  EXPECT_EQ(f.successors(1)[0].target, 2U);
  EXPECT_EQ(f.arguments_of(f.successors(2)[0]).size(), 2U);
}

TEST(FunctionBuilder, ResultsKnowTheirInstructionHoweverBlocksWereFilled) {
  FunctionBuilder b("f");
  const ValueId x = b.add_parameter(8);
  const BlockId first = b.add_block();
  const BlockId second = b.add_block();
  b.select(second);
  const ValueId late = b.op(Op::Neg, {x});
  b.return_values({});
  b.select(first);
  const ValueId early = b.op(Op::Not, {x});
  b.jump({second, {}});
  const Function f = b.finish();
  EXPECT_EQ(f.instructions[f.values[early].index].op(), Op::Not);
  EXPECT_EQ(f.instructions[f.values[late].index].op(), Op::Neg);
  EXPECT_EQ(f.values[late].block, second);
}

TEST(FunctionBuilder, FoldsConstantsButNotDivisions) {
  FunctionBuilder b("f");
  b.select(b.add_block());
  const ValueId six = b.constant(8, 6);
  EXPECT_EQ(b.op(Op::Add, {six, six}), b.constant(8, 12));
  EXPECT_EQ(b.op(Op::Ult, {six, b.constant(8, 7)}), b.constant(1, 1));
  EXPECT_EQ(b.op(Op::ZeroExtend, {six}, 16), b.constant(16, 6));
  const ValueId quotient = b.op(Op::Udiv, {six, b.constant(8, 0)});
  EXPECT_EQ(b.function().values[quotient].kind, ValueKind::Result);
}

TEST(FunctionBuilder, SharesConstantsOfOneWidthAlone) {
  FunctionBuilder b("f");
  EXPECT_EQ(b.constant(32, 5), b.constant(32, 5));
  EXPECT_NE(b.constant(32, 5), b.constant(64, 5));
  EXPECT_NE(b.constant(128, 5), b.constant(64, 5));
  EXPECT_EQ(b.global_address(1, 64, 4), b.global_address(1, 64, 4));
  EXPECT_NE(b.global_address(1, 64, 4), b.global_address(1, 64, 8));
  EXPECT_NE(b.undefined(8), b.undefined(8));
}

TEST(FunctionBuilder, RefusesWhatFollowsATerminator) {
  FunctionBuilder b("f");
  b.select(b.add_block());
  b.halt(HaltReason::Trap);
  EXPECT_THROW(b.return_values({}), InternalError);
  b.add_block();
  EXPECT_THROW(b.finish(), InternalError);
}

}  // namespace
}  // namespace plumb::program
