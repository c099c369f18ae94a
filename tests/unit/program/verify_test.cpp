#include "program/verify.h"

#include <gtest/gtest.h>

#include <functional>

#include "samples.h"

namespace plumb::program {
namespace {

using term::Op;

/// The complaint about gauss() after a change, as one text.
std::string complaints_after(const std::function<void(Function&)>& change) {
  Program program = program_of(gauss());
  change(program.functions[0]);
  std::string text;
  for (const std::string& sentence : verify(program)) text += sentence + '\n';
  return text;
}

bool mentions(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(Verify, NamesEachKindOfDamage) {
  EXPECT_EQ(complaints_after([](Function&) {}), "");
  const auto complaint = [](const std::function<void(Function&)>& change) { return complaints_after(change); };
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.edges[0].target = 9; }), "a block that does not exist"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.edges[0].target = 0; }), "should have no predecessor"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.edges[0].argument_count = 1; }), "each block argument"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.operands[0] = 99; }), "does not exist"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.blocks[2].instruction_count = 2; }), "terminator should be last"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.values[f.parameters[0]].width = 16; }), "do not fit"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.result_widths[0] = 8; }), "returned value of another width"));
  EXPECT_TRUE(mentions(complaint([](Function& f) { f.result_widths.clear(); }), "wrong number of operands"));
}

TEST(Verify, FindsUsesBeforeTheirDefinition) {
  FunctionBuilder b("f");
  const ValueId x = b.add_parameter(8);
  const BlockId entry = b.add_block();
  const BlockId left = b.add_block();
  const BlockId right = b.add_block();
  b.select(left);
  const ValueId in_left = b.op(Op::Not, {x});
  b.jump({right, {}});
  b.select(entry);
  b.branch(b.op(Op::Ult, {x, b.constant(8, 3)}), {left, {}}, {right, {}});
  b.select(right);
  b.op(Op::Neg, {in_left});
  b.return_values({});
  const auto complaints = verify(program_of(b.finish()));
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_TRUE(mentions(complaints[0], "not defined on all paths"));
}

TEST(Verify, ChecksCallsAgainstTheCallee) {
  Program program = program_of(gauss());
  FunctionBuilder b("main");
  b.select(b.add_block());
  const std::uint32_t width = 32;
  b.emit(Kind::Call, 0, std::array{b.constant(64, 3)}, std::span(&width, 1), 0);
  b.emit(Kind::Call, 0, {}, std::span(&width, 1), 0);
  b.emit(Kind::Call, 0, std::array{b.constant(32, 3)}, {}, 0);
  b.return_values({});
  program.functions.push_back(b.finish());
  const auto complaints = verify(program);
  ASSERT_EQ(complaints.size(), 3U);
  EXPECT_TRUE(mentions(complaints[0], "an argument of another width"));
  EXPECT_TRUE(mentions(complaints[1], "a wrong number of arguments"));
  EXPECT_TRUE(mentions(complaints[2], "a wrong number of results"));
}

}  // namespace
}  // namespace plumb::program
