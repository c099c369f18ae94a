#include "program/analysis/dot.h"

#include <gtest/gtest.h>

#include <sstream>

#include "program/function_builder.h"

namespace plumb::program {
namespace {

/// The program of the paper's Fig. 2.2, with what follows it: BB3 returns, BB7 loops and ends.
Program figure_2_2() {
  Program program;
  program.layout.triple = "x86_64";
  program.files = {"figure.c"};
  FunctionBuilder builder("figure");
  const ValueId x = builder.add_parameter(32, false, "x");
  const ValueId y = builder.add_parameter(32, false, "y");
  const char* names[] = {"entry", "", "if.else", "done", "", "", "", "wait \"<&\\>\"", "end"};
  for (const char* name : names) builder.add_block(name);
  const ValueId z = builder.add_block_argument(6, 32, false, "z");
  const auto branch = [&](BlockId at, ValueId a, ValueId b, FunctionBuilder::Target yes, FunctionBuilder::Target no) {
    builder.select(at);
    builder.set_location({0, 10 + at, 3});
    builder.branch(builder.op(term::Op::Ult, {a, b}), std::move(yes), std::move(no));
  };
  branch(0, y, x, {1, {}}, {2, {}});
  builder.select(1);
  builder.op(term::Op::Sub, {x, y});
  builder.jump({3, {}});
  branch(2, x, y, {4, {}}, {5, {}});
  builder.select(4);
  builder.jump({6, {builder.op(term::Op::Sub, {y, x})}});
  branch(5, x, builder.constant(32, 0), {6, {x}}, {7, {}});
  branch(6, z, builder.constant(32, 9), {3, {}}, {7, {}});
  builder.select(3);
  builder.return_values({});
  branch(7, x, y, {7, {}}, {8, {}});
  builder.select(8);
  builder.return_values({});
  program.functions.push_back(builder.finish());
  return program;
}

std::string dot_of(const Program& program) {
  std::ostringstream text;
  write_dot(text, program, 0);
  return text.str();
}

/// The line that declares block b.
std::string block_line(const std::string& text, BlockId b) {
  const std::string start = "\n  b" + std::to_string(b) + " [";
  const std::size_t begin = text.find(start);
  if (begin == std::string::npos) return "";
  return text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

TEST(Dot, TellsGovernorRegionAndDestinationsInWordsAndColours) {
  const std::string text = dot_of(figure_2_2());
  EXPECT_NE(block_line(text, 0).find("[governor]"), std::string::npos);
  EXPECT_NE(block_line(text, 0).find("penwidth=4, color=\"#0072B2\""), std::string::npos);
  for (const BlockId b : {1u, 2u, 4u, 5u, 6u}) {
    EXPECT_NE(block_line(text, b).find("governed by b0"), std::string::npos) << b;
    EXPECT_NE(block_line(text, b).find("fillcolor=\"#CCE3F0\""), std::string::npos) << b;
  }
  EXPECT_NE(block_line(text, 2).find("candidate"), std::string::npos);
  for (const BlockId b : {3u, 7u}) {
    EXPECT_NE(block_line(text, b).find("destination of b0"), std::string::npos) << b;
    EXPECT_NE(block_line(text, b).find("peripheries=2"), std::string::npos) << b;
  }
  EXPECT_NE(text.find(">b1, b2, b4, b5, b6<"), std::string::npos);
  EXPECT_NE(text.find(">b3, b7<"), std::string::npos);
}

TEST(Dot, NamesEdgesAndDashesBackEdges) {
  const std::string text = dot_of(figure_2_2());
  EXPECT_NE(text.find("b0 -> b1 [label=\" true\"];"), std::string::npos);
  EXPECT_NE(text.find("b0 -> b2 [label=\" false\"];"), std::string::npos);
  EXPECT_NE(text.find("b1 -> b3;"), std::string::npos);
  EXPECT_NE(text.find("b7 -> b7 [label=\" true\", style=dashed];"), std::string::npos);
}

TEST(Dot, ShowsSourceLinesOnceWhereTheyBegin) {
  const std::string line = block_line(dot_of(figure_2_2()), 2);
  const std::size_t first = line.find("   12 | ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(line.find("   12 | ", first + 1), std::string::npos);
}

TEST(Dot, EscapesQuotesBackslashesControlAndBrokenCharacters) {
  Program program = figure_2_2();
  program.functions[0].name = "a\"b\\c\nd\xff\xc3\xa4";
  const std::string text = dot_of(program);
  EXPECT_EQ(text.rfind("digraph \"a\\\"b\\\\c?d?\xc3\xa4\" {", 0), 0u) << text.substr(0, 60);
  EXPECT_NE(text.find("wait \\\"<&\\\\>\\\""), std::string::npos);
}

TEST(Dot, AFunctionWithoutGovernorsHasNoLegend) {
  Program program;
  FunctionBuilder builder("f");
  builder.select(builder.add_block());
  builder.return_values({});
  program.functions.push_back(builder.finish());
  EXPECT_EQ(dot_of(program).find("legend"), std::string::npos);
}

}  // namespace
}  // namespace plumb::program
