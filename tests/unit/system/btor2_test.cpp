#include "system/btor2.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "random_system.h"
#include "system/simulator.h"
#include "unit/term/small_stack.h"

namespace plumb::system {
namespace {

std::string message_of(const std::string& text) {
  try {
    read_btor2(text, "f.btor2");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

/// Expects the message of a file whose lines after these two sorts are `rest`.
void expect_error(const std::string& rest, const std::string& expected) {
  const std::string message = message_of("1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 1 2\n" + rest);
  EXPECT_NE(message.find(expected), std::string::npos) << rest << "\n" << message;
}

TEST(Btor2, ReadsACounter) {
  const System system = read_btor2(
      "; a comment\n1 sort bitvec 4\n2 zero 1\n3 state 1 count\n4 init 1 3 2\n5 one 1\n6 input 1 in ; more\n"
      "7 add 1 3 6\n8 next 1 3 7\n9 ones 1\n10 sort bitvec 1\n11 eq 10 3 9 full\n12 bad 11 is_full\n"
      "\n13 ult 10 6 -9\n14 constraint -13 any\n15 output 7 sum\n",
      "f");
  ASSERT_EQ(system.states().size(), 1U);
  EXPECT_EQ(system.state_name(0), "count");
  EXPECT_EQ(system.input_name(0), "in");
  ASSERT_EQ(system.wires().size(), 2U);
  EXPECT_EQ(system.wires()[0].name, "full");
  EXPECT_EQ(system.wires()[1].name, "sum");
  EXPECT_EQ(system.bads()[0].name, "is_full");
  Trace trace;
  for (const std::uint64_t in : {5, 10, 0}) trace.steps.push_back({{BitVector(4, in)}, {}});
  const Replay replayed = replay(system, trace);
  ASSERT_TRUE(replayed.reaches(0));
  EXPECT_EQ(replayed.reached[0].step, 2U);
}

TEST(Btor2, HasEveryOperator) {
  struct Case {
    std::string line;
    BitVector expected;
  };
  // Operands: 4 is 0b10110101, 5 is 0b00000011.
  const std::vector<Case> cases = {
      {"not 2 4", {8, 0x4a}},      {"inc 2 4", {8, 0xb6}},         {"dec 2 4", {8, 0xb4}},
      {"neg 2 4", {8, 0x4b}},      {"redand 1 4", {1, 0}},         {"redor 1 4", {1, 1}},
      {"redxor 1 4", {1, 1}},      {"eq 1 4 5", {1, 0}},           {"neq 1 4 5", {1, 1}},
      {"ugt 1 4 5", {1, 1}},       {"ugte 1 4 5", {1, 1}},         {"ult 1 4 5", {1, 0}},
      {"ulte 1 4 5", {1, 0}},      {"sgt 1 4 5", {1, 0}},          {"sgte 1 4 5", {1, 0}},
      {"slt 1 4 5", {1, 1}},       {"slte 1 4 5", {1, 1}},         {"and 2 4 5", {8, 0x01}},
      {"nand 2 4 5", {8, 0xfe}},   {"or 2 4 5", {8, 0xb7}},        {"nor 2 4 5", {8, 0x48}},
      {"xor 2 4 5", {8, 0xb6}},    {"xnor 2 4 5", {8, 0x49}},      {"sll 2 4 5", {8, 0xa8}},
      {"srl 2 4 5", {8, 0x16}},    {"sra 2 4 5", {8, 0xf6}},       {"rol 2 4 5", {8, 0xad}},
      {"ror 2 4 5", {8, 0xb6}},    {"add 2 4 5", {8, 0xb8}},       {"sub 2 4 5", {8, 0xb2}},
      {"mul 2 4 5", {8, 0x1f}},    {"udiv 2 4 5", {8, 60}},        {"urem 2 4 5", {8, 1}},
      {"sdiv 2 4 5", {8, 0xe7}},   {"srem 2 4 5", {8, 0}},         {"smod 2 4 5", {8, 0}},
      {"uaddo 1 4 5", {1, 0}},     {"saddo 1 4 5", {1, 0}},        {"usubo 1 4 5", {1, 0}},
      {"ssubo 1 4 5", {1, 0}},     {"umulo 1 4 5", {1, 1}},        {"smulo 1 4 5", {1, 1}},
      {"sdivo 1 4 5", {1, 0}},     {"sext 6 4 4", {12, 0xfb5}},    {"uext 6 4 4", {12, 0x0b5}},
      {"slice 7 4 5 2", {4, 0xd}}, {"concat 8 4 5", {16, 0xb503}}, {"ite 2 9 4 5", {8, 0xb5}},
      {"ite 2 -9 4 5", {8, 0x03}}, {"iff 1 9 9", {1, 1}},          {"implies 1 9 -9", {1, 0}},
      {"read 2 11 4", {8, 3}},     {"read 2 11 5", {8, 9}},        {"const 2 0101", {8, 5}},
      {"constd 2 -3", {8, 0xfd}},  {"constd 2 255", {8, 255}},     {"consth 2 aF", {8, 0xaf}},
      {"add 2 -4 -5", {8, 0x46}},
  };
  for (const Case& c : cases) {
    const System system = read_btor2(
        "1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 2 2\n4 constd 2 181\n5 constd 2 3\n6 sort bitvec 12\n"
        "7 sort bitvec 4\n8 sort bitvec 16\n9 one 1\n10 state 3 a\n11 write 3 10 4 5\n12 consth 2 9\n13 init 3 10 "
        "12\n20 " +
            c.line + " result\n21 next 3 10 10\n",
        "f");
    Simulator simulator(system);
    simulator.evaluate();
    ASSERT_EQ(system.wires().size(), 1U) << c.line;
    EXPECT_EQ(simulator.bits(system.wires()[0].term), c.expected) << c.line;
  }
}

TEST(Btor2, RoundTripBehavesTheSame) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const System system = RandomSystem(seed).make();
    const std::string text = write_btor2(system);
    const System read = read_btor2(text, "f");
    ASSERT_EQ(read.states().size(), system.states().size()) << text;
    ASSERT_EQ(read.inputs().size(), system.inputs().size());
    for (std::size_t i = 0; i < system.states().size(); ++i) ASSERT_EQ(read.state_name(i), system.state_name(i));
    for (std::size_t i = 0; i < system.bads().size(); ++i) ASSERT_EQ(read.bads()[i].name, system.bads()[i].name);
    const Trace trace = random_trace(system, seed, 6);
    const bool with_wires = read.wires().size() == system.wires().size();
    ASSERT_EQ(reference_run(read, trace, with_wires), reference_run(system, trace, with_wires)) << seed << "\n" << text;
    // What was read is written as it was, but for what the store simplified.
    const System again = read_btor2(write_btor2(read), "f");
    ASSERT_EQ(reference_run(again, trace, false), reference_run(system, trace, false)) << seed;
  }
}

TEST(Btor2, KeepsAwkwardNamesToOneWord) {
  System system;
  const Term x = system.add_state({1, 0}, "a name; with\tblanks");
  system.add_bad(x, "x > 3");
  const System read = read_btor2(write_btor2(system), "f");
  EXPECT_EQ(read.state_name(0), "a_name__with_blanks");
  EXPECT_EQ(read.bads()[0].name, "x_>_3");
}

TEST(Btor2, RefusesToWriteHugeArraysOfAVaryingElement) {
  System system;
  const Term x = system.add_input({8, 0}, "x");
  system.add_wire(system.store().constant_array(32, x), "huge");
  EXPECT_THROW(write_btor2(system), Unsupported);
}

TEST(Btor2, ReadsAndWritesAHundredThousandOperatorsOnASmallStack) {
  term::run_on_small_stack([] {
    System system;
    TermStore& s = system.store();
    const Term x = system.add_state({16, 0}, "x");
    Term t = x;
    for (std::uint32_t i = 0; i < 100000; ++i) t = s.mul(s.bit_not(t), s.add(x, s.constant(16, 2 * i + 1)));
    system.set_next(0, t);
    const System read = read_btor2(write_btor2(system), "f");
    const Trace trace = random_trace(system, 1, 3);
    EXPECT_EQ(reference_run(read, trace), reference_run(system, trace));
  });
}

TEST(Btor2, InitMayReferToEarlierStates) {
  const std::string start = "1 sort bitvec 4\n2 state 1 a\n3 not 1 2\n4 state 1 b\n5 init 1 4 3\n";
  const System system = read_btor2(start, "f");
  Simulator simulator(system);
  const std::vector<std::optional<Value>> initial = {BitVector(4, 5)};
  simulator.reset(initial);
  EXPECT_EQ(simulator.bits(system.states()[1].variable), BitVector(4, 10));
}

TEST(Btor2, ErrorsNamePlaceAndExpectation) {
  EXPECT_EQ(message_of("1 sort bitvec 0\n"), "f.btor2:1:15: error: a width should be at least 1");
  EXPECT_EQ(message_of("1 sort bitvec 4\n3 state 1\n2 input 1\n"),
            "f.btor2:3:1: error: expected a number above 3, found 2");
  EXPECT_EQ(message_of("1 sort bitvec 4\n2 input 7\n"), "f.btor2:2:9: error: sort 7 is not defined");
  expect_error("x input 1\n", "f.btor2:4:1: error: expected the number of a node, found 'x'");
  expect_error("0 input 1\n", "node numbers start at 1");
  expect_error("4\n", "f.btor2:4:2: error: expected a keyword, found the end of the line");
  expect_error("4 frob 1\n", "'frob' is no keyword of BTOR2");
  expect_error("4 sort integer\n", "expected 'bitvec' or 'array', found 'integer'");
  expect_error("4 sort bitvec 99999999\n", "more than the 65536 that are supported");
  expect_error("4 sort array 1 3\n", "arrays of arrays are not supported");
  expect_error("4 not 1 9\n", "f.btor2:4:9: error: node 9 is not defined");
  expect_error("4 not 1 2\n", "'sort' has no value, so node 2 is no operand");
  expect_error("4 input 1\n5 input 4\n", "expected a sort, but node 4 is 'input'");
  expect_error("4 input 1\n5 input 2\n6 and 1 4 5\n", "f.btor2:6:11: error: expected bitvec 1, but node 5 is bitvec 8");
  expect_error("4 input 1\n5 not 2 4\n", "'not' gives bitvec 1 here, but sort 2 is bitvec 8");
  expect_error("4 input 1\n5 and 1 4\n", "expected the number of a node, found the end of the line");
  expect_error("4 input 3\n5 not 2 4\n", "expected a bit-vector, but node 4 is an array");
  expect_error("4 input 3\n5 input 3\n6 eq 1 4 -5\n", "node 5 is an array and cannot be negated");
  expect_error("4 input 1\n5 read 2 4 4\n", "expected an array, but node 4 is a bit-vector");
  expect_error("4 input 2\n5 slice 1 4 8 8\n", "bit 8 is outside of the 8 bits of node 4");
  expect_error("4 input 2\n5 slice 1 4 3 4\n", "the lower bit, 4, is above the upper one, 3");
  expect_error("4 input 2\n5 uext 2 4 70000\n", "more than the 65536");
  expect_error("4 const 1 2\n", "expected a number of base 2 that fits 1 bits, found '2'");
  expect_error("4 constd 2 256\n", "fits 8 bits, found '256'");
  expect_error("4 constd 2 -129\n", "fits 8 bits, found '-129'");
  expect_error("4 zero 3\n", "expected a bit-vector sort");
  expect_error("4 state 1\n5 input 1\n6 init 1 4 5\n", "an initial value should not depend on an input");
  expect_error("4 state 1\n5 state 1\n6 init 1 4 -5\n", "depend on no state but those before");
  expect_error("4 state 1\n5 zero 1\n6 init 1 4 5\n7 init 1 4 5\n", "state 4 has an init already");
  expect_error("4 input 1\n5 next 1 4 4\n", "expected a state, but node 4 is 'input'");
  expect_error("4 state 2\n5 next 1 4 4\n", "expected the sort of the state, bitvec 8, found bitvec 1");
  expect_error("4 next 1 9 9\n", "state 9 is not defined");
  expect_error("4 input 2\n5 bad 4\n", "expected bitvec 1, but node 4 is bitvec 8");
  expect_error("4 input 1 a b\n", "f.btor2:4:13: error: expected the end of the line, found 'b'");
  expect_error("4 input 1\n5 justice 1 4\n", "'justice' properties are not supported");
  expect_error("4 input 1\n5 fair 4\n", "'fair' properties are not supported");
}

TEST(Btor2, SurvivesAnyCut) {
  const std::string text = write_btor2(RandomSystem(7).make());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string message = message_of(text.substr(0, i) + text.substr(i + 1));
    if (message != "accepted") ++refused;
    message_of(text.substr(0, i));
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace plumb::system
