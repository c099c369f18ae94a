#include "lang/caig/caig.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "system/simulator.h"
#include "unit/system/random_system.h"
#include "unit/term/small_stack.h"

namespace plumb::caig {
namespace {

using system::Replay;
using system::System;
using system::Trace;
using term::Value;

std::string message_of(const std::string& text) {
  try {
    read_caig(text, "f.caig", {.int_width = 4});
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Caig, ReadsAComponentOfTheGrammar) {
  const System system = read_caig(R"(
    // a counter that a free wire steps
    wire int step;
    wire bool full;
    int count;
    int [2] log;
    bool was_full;
    full = count == 15;
    @assert bound : !was_full;
    @assume step < 3;
    @do_together { count = 0; was_full = false; log[0] = 1; log[1] = 2; }
    while(true) {
      @do_together {
        count = full ? 0 : count + step;
        was_full = was_full || full; /* sticky */
        log[count % 2] = count;
      }
    })",
                                  "f", {.int_width = 4});
  ASSERT_EQ(system.states().size(), 3U);
  EXPECT_EQ(system.state_name(0), "count");
  EXPECT_EQ(system.input_name(0), "step");
  ASSERT_EQ(system.wires().size(), 1U);
  EXPECT_EQ(system.wires()[0].name, "full");
  EXPECT_EQ(system.bads()[0].name, "bound");
  Trace trace;
  for (int i = 0; i < 10; ++i) trace.steps.push_back({{BitVector(4, i == 0 ? 1 : 2)}, {}});
  const Replay replayed = replay(system, trace);
  EXPECT_FALSE(replayed.violation);
  ASSERT_TRUE(replayed.reaches(0));
  EXPECT_EQ(replayed.reached[0].step, 9U);
}

TEST(Caig, RegistersWithoutInitAreFreeAndWithoutNextKeepTheirValue) {
  const System system =
      read_caig("int x; int y; @do_together { y = x; } while (true) { @do_together { y = y + 1; } }", "f");
  EXPECT_FALSE(system.states()[0].init);
  EXPECT_EQ(system.states()[0].next, system.states()[0].variable);
  EXPECT_EQ(system.states()[1].init, system.states()[0].variable);
}

TEST(Caig, FreeWiresInInitialValuesBecomeStates) {
  const System system = read_caig(
      "wire int f; wire int g; int x; @do_together { x = f + 1; } while (true) { @do_together { x = g; } }", "f");
  ASSERT_EQ(system.states().size(), 2U);
  EXPECT_EQ(system.state_name(0), "f");
  EXPECT_FALSE(system.states()[0].init);
  EXPECT_FALSE(system.states()[0].next);
  ASSERT_EQ(system.inputs().size(), 1U);
  EXPECT_EQ(system.input_name(0), "g");
}

TEST(Caig, OrdersRegistersByTheirInitialValues) {
  const System system = read_caig(
      "int x; int y; int z; @do_together { x = y + z; y = z; z = 3; } while (true) { @do_together { } }", "f");
  EXPECT_TRUE(system.problems().empty());
  system::Simulator simulator(system);
  simulator.evaluate();
  std::map<std::string, std::uint64_t> values;
  for (std::size_t i = 0; i < 3; ++i)
    values[system.state_name(i)] = simulator.bits(system.states()[i].variable).to_uint64();
  EXPECT_EQ(values, (std::map<std::string, std::uint64_t>{{"x", 6}, {"y", 3}, {"z", 3}}));
}

/// The value of an expression over x = 181 and y = 3, of eight bits, b = true and an array a of {7, 8, 9}.
BitVector value_of(const std::string& type, const std::string& expression, bool is_signed = false) {
  const System system = read_caig("int x; int y; bool b; int [3] a; wire " + type + " r; r = " + expression +
                                      "; @do_together { x = 181; y = 3; b = true; a[0] = 7; a[1] = 8; a[2] = 9; }"
                                      " while (true) { @do_together { } }",
                                  "f", {.int_width = 8, .is_signed = is_signed});
  system::Simulator simulator(system);
  simulator.evaluate();
  return simulator.bits(system.wires()[0].term);
}

TEST(Caig, ExpressionsHaveTheirValues) {
  const auto as_int = [](const std::string& e, bool is_signed = false) {
    return value_of("int", e, is_signed).to_uint64();
  };
  const auto as_bool = [](const std::string& e, bool is_signed = false) {
    return value_of("bool", e, is_signed).is_one();
  };
  EXPECT_EQ(as_int("x + y * 2"), 187U);
  EXPECT_EQ(as_int("(x + y) * 2"), 112U);
  EXPECT_EQ(as_int("x - y - 1"), 177U);
  EXPECT_EQ(as_int("x / y"), 60U);
  EXPECT_EQ(as_int("x % y"), 1U);
  EXPECT_EQ(as_int("x / y", true), 231U);
  EXPECT_EQ(as_int("x >> y"), 22U);
  EXPECT_EQ(as_int("x >> y", true), 246U);
  EXPECT_EQ(as_int("x << y"), 168U);
  EXPECT_EQ(as_int("-y"), 253U);
  EXPECT_EQ(as_int("-1"), 255U);
  EXPECT_EQ(as_int("- -1"), 1U);
  EXPECT_EQ(as_int("~x"), 74U);
  EXPECT_EQ(as_int("x & y | 4 ^ 1"), 5U);
  EXPECT_EQ(as_int("0x1f"), 31U);
  EXPECT_EQ(as_int("b ? 1 : 2"), 1U);
  EXPECT_EQ(as_int("!b ? 1 : y == 4 ? 2 : y == 3 ? 5 : 6"), 5U);
  EXPECT_EQ(as_int("b ? y == 3 ? 4 : 5 : 6"), 4U);
  EXPECT_EQ(as_int("a[y - 2]"), 8U);
  EXPECT_EQ(as_int("a[a[0] - 7] + 1"), 8U);
  EXPECT_EQ(as_int("a[x]"), 9U);  // behind the last: the last
  EXPECT_EQ(as_int("store(a, 1, 77)[1]"), 77U);
  EXPECT_EQ(as_int("(b ? a : store(a, 0, 1))[0]"), 7U);
  EXPECT_EQ(as_int("array(4, y)[x]"), 3U);
  EXPECT_EQ(as_int("zext(extract(x, 5, 2), 8)"), 13U);
  EXPECT_EQ(as_int("sext(extract(x, 5, 2), 8)"), 253U);
  EXPECT_EQ(as_int("concat(4'd3, 4'hf)"), 63U);
  EXPECT_TRUE(as_bool("x > y"));
  EXPECT_FALSE(as_bool("x > y", true));
  EXPECT_TRUE(as_bool("x >= y && y <= 3"));
  EXPECT_TRUE(as_bool("x < y", true));
  EXPECT_TRUE(as_bool("false -> false -> false"));
  EXPECT_FALSE(as_bool("(false -> false) -> false"));
  EXPECT_FALSE(as_bool("b -> false"));
  EXPECT_TRUE(as_bool("!b || x != y"));
  EXPECT_TRUE(as_bool("a == a"));
  EXPECT_TRUE(as_bool("slt(x, y)"));
  EXPECT_FALSE(as_bool("ult(x, y)", true));
  EXPECT_TRUE(as_bool("b == 1"));
}

TEST(Caig, ArraysOfAnySizeReadTheirLastElementBehindTheEndAndAreNotWrittenThere) {
  for (std::uint64_t size = 1; size <= 9; ++size) {
    const std::string text = "int [" + std::to_string(size) +
                             "] a; wire int i; wire int j; wire int r; r = a[i];"
                             "@do_together { a = array(" +
                             std::to_string(size) + ", 1); } while (true) { @do_together { a[j] = 2; } }";
    const System system = read_caig(text, "f", {.int_width = 4});
    for (std::uint64_t i = 0; i < 16; ++i)
      for (std::uint64_t j = 0; j < 16; ++j) {
        Trace trace;
        trace.steps.resize(2);
        trace.steps[0].inputs = {std::nullopt, BitVector(4, j)};
        trace.steps[1].inputs = {BitVector(4, i), std::nullopt};
        const auto run = system::reference_run(system, trace);
        const std::uint64_t read = std::min(i, size - 1);
        ASSERT_EQ(std::get<BitVector>(run[1][1]).to_uint64(), j < size && read == j ? 2U : 1U)
            << size << " " << i << " " << j;
      }
  }
}

/// The same choices for a system with the same names in another order, as write_caig() makes it.
Trace by_name(const System& from, const Trace& trace, const System& to) {
  std::map<std::string, std::pair<bool, std::size_t>> places;
  for (std::size_t i = 0; i < to.states().size(); ++i) places[to.state_name(i)] = {true, i};
  for (std::size_t i = 0; i < to.inputs().size(); ++i) places[to.input_name(i)] = {false, i};
  Trace result;
  result.steps.resize(trace.steps.size());
  result.initial.resize(to.states().size());
  for (Trace::Step& step : result.steps) {
    step.inputs.resize(to.inputs().size());
    step.states.resize(to.states().size());
  }
  const auto put = [&](const std::string& name, std::size_t k, const std::optional<Value>& value) {
    const auto it = places.find(name);
    if (it == places.end() || !value) return;
    const auto [is_state, position] = it->second;
    (is_state ? k == 0 ? result.initial : result.steps[k].states : result.steps[k].inputs)[position] = value;
  };
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const auto& states = k == 0 ? trace.initial : trace.steps[k].states;
    for (std::size_t i = 0; i < states.size(); ++i) {
      put(from.state_name(i), k, states[i]);
      if (k > 0) put(from.state_name(i) + ".next", k - 1, states[i]);
    }
    for (std::size_t i = 0; i < trace.steps[k].inputs.size(); ++i) put(from.input_name(i), k, trace.steps[k].inputs[i]);
  }
  return result;
}

/// Wires, bads and constraints in each step.
std::vector<std::vector<Value>> signals(const System& system, const Trace& trace) {
  auto run = system::reference_run(system, trace);
  for (auto& values : run) values.erase(values.begin(), values.begin() + static_cast<long>(system.states().size()));
  return run;
}

TEST(Caig, RoundTripBehavesTheSame) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const System system = system::RandomSystem(seed).make();
    const std::string text = write_caig(system);
    for (const bool is_signed : {false, true}) {
      const System read = read_caig(text, "f", {.int_width = 3, .is_signed = is_signed});
      ASSERT_EQ(read.wires().size(), system.wires().size()) << text;
      const Trace trace = system::random_trace(system, seed, 6);
      ASSERT_EQ(signals(read, by_name(system, trace, read)), signals(system, trace)) << seed << "\n" << text;
      for (std::size_t i = 0; i < system.bads().size(); ++i) EXPECT_EQ(read.bads()[i].name, system.bads()[i].name);
    }
  }
}

TEST(Caig, KeepsNamesThatAreNoIdentifiers) {
  System system;
  const auto x = system.add_state({1, 0}, "top.x[3]");
  const auto w = system.add_state({1, 0}, "while");
  const auto p = system.add_input({1, 0}, "(");
  system.set_next(0, system.store().bit_and(w, p));
  system.set_next(1, x);
  system.add_wire(system.store().bit_and(x, w), "$w");
  system.add_bad(x, ":");
  system.add_bad(w, "a b");
  const System read = read_caig(write_caig(system), "f");
  EXPECT_EQ(read.state_name(0), "top.x[3]");
  EXPECT_EQ(read.state_name(1), "while");
  EXPECT_EQ(read.input_name(0), "(");
  EXPECT_EQ(read.wires()[0].name, "$w");
  EXPECT_EQ(read.bads()[0].name, ":");
  EXPECT_EQ(read.bads()[1].name, "a_b");
}

TEST(Caig, ReadsAndWritesAHundredThousandOperatorsOnASmallStack) {
  term::run_on_small_stack([] {
    std::string chain;
    std::string wires = "wire int w0;";
    std::string definitions;
    for (int i = 0; i < 100000; ++i) {
      chain += "x == " + std::to_string(i % 256) + " ? y + " + std::to_string(i % 7) + " : ";
      if (i >= 30000) continue;
      const std::string wire = std::to_string(i);
      const std::string next = std::to_string(i + 1);
      wires.append("wire int w").append(next).append(";");
      definitions.append("w").append(wire).append(" = w").append(next).append(" * y + x;");
    }
    const std::string nested =
        std::string(100000, '(') + "x" + std::string(100000, ')') + " + " + std::string(100000, '~') + "y";
    const System system =
        read_caig("int x; int y;" + wires + definitions +
                      "@do_together { } while (true) { @do_together { x = " + chain + " y; y = " + nested + "; } }",
                  "f");
    const System read = read_caig(write_caig(system), "f");
    const Trace trace = system::random_trace(system, 1, 2);
    EXPECT_EQ(system::reference_run(system, trace, false),
              system::reference_run(read, by_name(system, trace, read), false));
  });
}

/// Expects the message of a component with these wire definitions and this next block.
void expect_error(const std::string& definitions, const std::string& next, const std::string& expected) {
  const std::string text = "int x; bool b; int [3] a; wire int w; wire int v;\n" + definitions +
                           "\n@do_together { x = 0; }\nwhile (true) { @do_together {\n" + next + "\n} }\n";
  const std::string message = message_of(text);
  EXPECT_NE(message.find(expected), std::string::npos) << definitions << next << "\n" << message;
}

TEST(Caig, ErrorsNamePlaceAndExpectation) {
  EXPECT_EQ(message_of(""), "f.caig:1:1: error: expected a declaration, found the end of the file");
  EXPECT_EQ(message_of("int x\n"), "f.caig:2:1: error: expected ';', found the end of the file");
  EXPECT_EQ(message_of("int<0> x;"), "f.caig:1:5: error: expected a width from 1 to 65536, found 0");
  EXPECT_EQ(message_of("int [0] x;"),
            "f.caig:1:6: error: expected a number of elements from 1 to 4611686018427387904, found 0");
  EXPECT_EQ(message_of("wire x;"), "f.caig:1:6: error: expected 'bool' or 'int', found 'x'");
  EXPECT_EQ(message_of("int x;\nbool x;"), "f.caig:2:6: error: 'x' is declared already, in line 1");
  EXPECT_EQ(message_of("int while;"), "f.caig:1:5: error: 'while' is a keyword");
  EXPECT_EQ(message_of("int [2] x[3];"), "f.caig:1:10: error: arrays of arrays are not supported");
  EXPECT_EQ(message_of("int x; /* no end"), "f.caig:1:8: error: this comment does not end");
  EXPECT_EQ(message_of("int x; #"), "f.caig:1:8: error: '#' starts no word of CAIG");
  EXPECT_EQ(message_of("int x; @do_together { } while (false)"), "f.caig:1:32: error: expected 'true', found 'false'");
  EXPECT_EQ(message_of("int x; @do_together { } while (true) { @do_together { } } x"),
            "f.caig:1:59: error: expected the end of the file, found 'x'");
  EXPECT_EQ(message_of("int x; @together { }"),
            "f.caig:1:8: error: expected '@do_together', '@assert', '@assume' or an assignment, found '@together'");
  expect_error("x = 1;", "", "f.caig:2:1: error: 'x' is a register, and only wires are defined here");
  expect_error("", "w = 1;", "f.caig:5:1: error: 'w' is a wire, and only registers are assigned here");
  expect_error("", "x = 1; x = 2;", "'x' is assigned already, in line 5");
  expect_error("", "a[1] = 1; a[1] = 2;", "this element of 'a' is assigned already");
  expect_error("", "a[1] = 1; a = a;", "'a' is assigned already");
  expect_error("", "a[3] = 1;", "index 3 is outside of the 3 elements");
  expect_error("", "x[1] = 1;", "'x' is no array");
  expect_error("", "q = 1;", "'q' is not declared");
  expect_error("", "x = q;", "f.caig:5:5: error: 'q' is not declared");
  expect_error("", "x = 16;", "'16' is no number of 4 bits");
  expect_error("", "x = -9;", "'-9' is no number of 4 bits");
  expect_error("", "x = 5'd3;", "expected int<4>, found int<5>");
  expect_error("", "x = 5'd32;", "'5'd32' is no number of 5 bits");
  expect_error("", "x = b;", "f.caig:5:5: error: expected int<4>, found bool");
  expect_error("", "x = a;", "expected int<4>, found an array of int<4>");
  expect_error("", "x = a + 1;", "an array and a number do not go together");
  expect_error("", "x = a + a;", "'+' takes no arrays");
  expect_error("", "x = -a;", "an array is used as a scalar");
  expect_error("", "x = x[1];", "expected an array before '['");
  expect_error("", "x = x + b;", "'+' has int<4> on its left and bool on its right");
  expect_error("", "b = x && b;", "expected bool, found int<4>");
  expect_error("", "x = x ? 1 : 2;", "expected bool, found int<4>");
  expect_error("", "x = b ? 1;", "f.caig:5:10: error: expected ':', found ';'");
  expect_error("", "x = 1 : 2;", "':' without '?' before it");
  expect_error("", "x = (1;", "expected ')', found ';'");
  expect_error("", "x = a[1;", "expected ']', found ';'");
  expect_error("", "a[(1] = 2;", "expected ')', found ']'");
  expect_error("", "x = 1);", "')' closes nothing");
  expect_error("", "x = (a[1);", "expected ']', found ')'");
  expect_error("", "x = ;", "expected an expression, found ';'");
  expect_error("", "x = 1 +;", "expected an expression, found ';'");
  expect_error("", "x = 1 2;", "expected an operator, found '2'");
  expect_error("", "x = f(1);", "there is no function 'f'");
  expect_error("", "x = udiv(x);", "'udiv' takes 2 arguments, found 1");
  expect_error("", "x = extract(x, 4, 0);", "bits 4 to 0 are not within 4 bits");
  expect_error("", "a[] = 1;", "expected an index, found ']'");
  expect_error("w = w + 1;", "", "f.caig:2:1: error: wire 'w' depends on itself");
  expect_error("w = v; v = x + w;", "", "depends on itself");
  expect_error("@assert x;", "", "expected bool, found int<4>");
  EXPECT_NE(message_of("int x; int y; @do_together { x = y; y = x; } while (true) { @do_together { } }")
                .find("the initial value of 'x' depends on itself"),
            std::string::npos);
}

TEST(Caig, SurvivesAnyCut) {
  const std::string text = write_caig(system::RandomSystem(7).make());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (message_of(text.substr(0, i) + text.substr(i + 1)) != "accepted") ++refused;
    message_of(text.substr(0, i));
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace plumb::caig
