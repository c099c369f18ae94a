#include "program/printer.h"

#include <gtest/gtest.h>

#include <sstream>

#include "samples.h"

namespace plumb::program {
namespace {

TEST(Printer, ShowsBlocksWithTheirArgumentsAndEdges) {
  std::ostringstream out;
  print(out, program_of(gauss()), 0);
  EXPECT_EQ(out.str(), R"(function @gauss(%n.0: i32) -> i32 {
b0.entry:
  jump b1.head(1:32, 0:32)
b1.head(%i.1: i32, %sum.2: i32):
  %5:1 = sle %i.1, %n.0
  branch %5, b2.body, b3.end
b2.body:
  %6:32 = add.nsw %sum.2, %i.1
  %7:32 = add %i.1, 1:32
  jump b1.head(%7, %6)
b3.end:
  return %sum.2
}
)");
}

TEST(Printer, ShowsSourceLinesOnceALine) {
  Program program;
  program.files = {"a.c"};
  FunctionBuilder b("f");
  const ValueId x = b.add_parameter(8, false, "x");
  b.select(b.add_block());
  b.set_location({0, 3, 5});
  b.op(term::Op::Not, {x});
  b.op(term::Op::Neg, {x});
  b.set_location({0, 4, 1});
  b.halt(HaltReason::Unsupported, 0);
  program.messages = {"inline assembly"};
  program.functions.push_back(b.finish());
  std::ostringstream out;
  print(out, program, 0);
  const std::string text = out.str();
  EXPECT_EQ(text.find("a.c:3:5"), text.rfind("a.c:3:5"));
  EXPECT_NE(text.find("halt: unsupported: inline assembly"), std::string::npos);
  EXPECT_NE(text.find("a.c:4:1"), std::string::npos);
}

TEST(Printer, NamesAddressesAndConstants) {
  Program program;
  program.globals.emplace_back().name = "table";
  FunctionBuilder b("f");
  b.select(b.add_block());
  const ValueId address = b.global_address(0, 64, -8);
  const ValueId number = b.constant(32, 0xdeadbeef);
  const ValueId minus = b.constant(8, 255);
  const ValueId function = b.function_address(0, 64);
  const ValueId nothing = b.undefined(16);
  b.return_values({});
  program.functions.push_back(b.finish());
  EXPECT_EQ(to_text(program, 0, address), "@table-8");
  EXPECT_EQ(to_text(program, 0, number), "0xdeadbeef:32");
  EXPECT_EQ(to_text(program, 0, minus), "-1:8");
  EXPECT_EQ(to_text(program, 0, function), "@f");
  EXPECT_EQ(to_text(program, 0, nothing), "undefined:16");
}

}  // namespace
}  // namespace plumb::program
