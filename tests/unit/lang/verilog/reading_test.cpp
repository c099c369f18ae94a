// What Yosys makes of a construct against what a simulator, Icarus Verilog, makes of it: where the two differ, or would
// need a closer look, the design is refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "base/file.h"
#include "base/subprocess.h"
#include "lang/verilog/verilog.h"
#include "reading_cases.h"
#include "system/simulator.h"

namespace plumb::verilog {
namespace {

const Budget kBudget;
constexpr unsigned kFailing = 77;  ///< not among input_pairs()

/// The case as a module, with names of its own for what it needs, and an assertion behind it that kFailing violates.
std::string module_of(const ReadingCase& c, std::size_t number) {
  std::string text = fmt::format(
      "{}\nmodule case{}(input [7:0] a, input [7:0] b, output [31:0] y);\n  wire signed [7:0] sa = a;\n"
      "  wire signed [7:0] sb = b;\n  {}\n  always @* assert (a != {});\nendmodule\n",
      c.parts, number, c.body, kFailing);
  const auto is_word = [](char ch) { return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '_'; };
  for (const std::string shared : {"sub", "p::", "package p", "myudp"}) {
    for (std::size_t at = 0; (at = text.find(shared, at)) != std::string::npos; at += shared.size()) {
      const std::size_t end = at + shared.size();
      if ((at > 0 && is_word(text[at - 1])) || (shared != "p::" && end < text.size() && is_word(text[end]))) continue;
      text.insert(shared == "p::" ? end - 2 : end, std::to_string(number));
    }
  }
  return text;
}

using Outputs = std::vector<std::string>;  ///< of one pair of inputs: bits of each case, most significant first

std::vector<std::pair<unsigned, unsigned>> input_pairs() {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (const unsigned a : {0U, 1U, 2U, 3U, 7U, 8U, 90U, 127U, 128U, 200U, 254U, 255U})
    for (const unsigned b : {0U, 1U, 2U, 3U, 7U, 8U, 31U, 128U, 255U}) pairs.emplace_back(a, b);
  return pairs;
}

/// What the bench prints behind "=", `cases` lines for each of its moments.
std::vector<Outputs> run_bench(const std::string& directory, const std::string& design, const std::string& bench,
                               std::size_t cases) {
  write_file(directory + "/bench.sv", bench);
  const ProcessResult built = run_process(
      {"iverilog", "-g2012", "-s", "bench", "-o", directory + "/run", design, directory + "/bench.sv"}, {}, kBudget);
  EXPECT_EQ(built.code, 0) << built.error << built.output;
  const ProcessResult printed = run_process({"vvp", directory + "/run"}, {}, kBudget);
  std::vector<Outputs> outputs(1);
  std::istringstream lines(printed.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('=')) continue;
    if (outputs.back().size() == cases) outputs.emplace_back();
    outputs.back().push_back(line.substr(1));
  }
  return outputs;
}

std::vector<Outputs> simulated(const std::string& directory, const std::string& design, std::size_t cases) {
  std::string bench = "module bench;\n  reg [7:0] a, b;\n";
  for (std::size_t i = 0; i < cases; ++i) bench += fmt::format("  wire [31:0] y{0};\n  case{0} c{0}(a, b, y{0});\n", i);
  bench += "  initial begin\n";
  for (const auto& [a, b] : input_pairs()) {
    bench += fmt::format("    a = {}; b = {}; #1;\n", a, b);
    for (std::size_t i = 0; i < cases; ++i) bench += fmt::format("    $display(\"=%b\", y{});\n", i);
  }
  return run_bench(directory, design, bench + "    $finish;\n  end\nendmodule\n", cases);
}

std::map<std::string, term::Term> wires_of(const system::System& system) {
  std::map<std::string, term::Term> wires;
  for (const system::NamedTerm& wire : system.wires()) wires[wire.name] = wire.term;
  return wires;
}

bool agree(const BitVector& value, const std::string& bits) {
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    const char bit = bits[bits.size() - 1 - i];
    if ((bit == '0' || bit == '1') && value.bit(i) != (bit == '1')) return false;
  }
  return true;
}

TEST(Reading, IsThatOfASimulatorWhereADesignIsTaken) {
  const std::size_t cases = std::size(kFollowed);
  const TemporaryDirectory directory;
  const std::string design = (directory.path() / "design.sv").string();
  std::string text;
  std::string top = "module top(input [7:0] a, input [7:0] b";
  for (std::size_t i = 0; i < cases; ++i) top += fmt::format(", output [31:0] y{}", i);
  top += ");\n";
  for (std::size_t i = 0; i < cases; ++i) {
    text += module_of(kFollowed[i], i);
    top += fmt::format("  case{0} c{0}(a, b, y{0});\n", i);
  }
  write_file(design, text + top + "endmodule\n");

  Options options;
  options.top = "top";
  const Design read_design = read(std::vector<std::string>{design}, options, kBudget);
  system::Simulator simulator(read_design.system);
  const std::map<std::string, term::Term> wires = wires_of(read_design.system);
  const std::vector<Outputs> expected = simulated(directory.path().string(), design, cases);
  const auto pairs = input_pairs();
  ASSERT_EQ(expected.size(), pairs.size());
  std::map<std::string, int> failures;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    for (std::size_t i = 0; i < read_design.system.inputs().size(); ++i) {
      const std::string name = read_design.system.input_name(i);
      if (name == "a" || name == "b")
        simulator.set_input(i, system::Value(BitVector(8, name == "a" ? pairs[k].first : pairs[k].second)));
    }
    simulator.evaluate();
    for (std::size_t i = 0; i < cases; ++i) {
      const BitVector value = simulator.bits(wires.at(fmt::format("y{}", i)));
      if (!agree(value, expected[k][i]) && ++failures[kFollowed[i].name] == 1)
        ADD_FAILURE() << kFollowed[i].name << ": " << kFollowed[i].body << "\na = " << pairs[k].first
                      << ", b = " << pairs[k].second << ": " << value.to_binary() << ", simulated " << expected[k][i];
    }
  }
  // No construct takes the assertion behind it along.
  EXPECT_EQ(read_design.system.bads().size(), cases);
  for (std::size_t i = 0; i < read_design.system.inputs().size(); ++i)
    if (read_design.system.input_name(i) == "a") simulator.set_input(i, system::Value(BitVector(8, kFailing)));
  simulator.evaluate();
  for (std::size_t i = 0; i < read_design.system.bads().size(); ++i) EXPECT_TRUE(simulator.is_bad(i)) << i;
}

TEST(Reading, OfRegistersIsThatOfASimulatorInEveryCycle) {
  constexpr int kCycles = 60;
  const std::size_t cases = std::size(kSteps);
  const TemporaryDirectory directory;
  const std::string design = (directory.path() / "design.sv").string();
  std::string text = fmt::format("{}\n", kParts);
  std::string top = "module top(input clk, input rst, input [7:0] a, input [7:0] b";
  std::string instances;
  std::string bench = "module bench;\n  reg clk = 0, rst = 0;\n  reg [7:0] a = 0, b = 0;\n";
  std::string shown;
  for (std::size_t i = 0; i < cases; ++i) {
    text += fmt::format(
        "module case{}(input clk, input rst, input [7:0] a, input [7:0] b, output [31:0] y);\n  {}\nendmodule\n", i,
        kSteps[i].body);
    top += fmt::format(", output [31:0] y{}", i);
    const std::string instance = fmt::format("  case{0} c{0}(clk, rst, a, b, y{0});\n", i);
    instances += instance;
    bench += fmt::format("  wire [31:0] y{};\n{}", i, instance);
    shown += fmt::format("    $display(\"=%b\", y{});\n", i);
  }
  write_file(design, text + top + ");\n" + instances + "endmodule\n");
  std::mt19937 random(1);
  struct Inputs {
    std::uint64_t rst, a, b;
  };
  std::vector<Inputs> inputs;
  bench += "  initial begin\n    #10;\n";
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    inputs.push_back({std::uint64_t{random() % 8 == 0}, random() % 256, random() % 256});
    bench += fmt::format("    rst = {}; a = {}; b = {}; #10;\n{}    clk = 1; #10; clk = 0; #10;\n", inputs.back().rst,
                         inputs.back().a, inputs.back().b, shown);
  }
  const std::vector<Outputs> expected =
      run_bench(directory.path().string(), design, bench + "    $finish;\n  end\nendmodule\n", cases);
  ASSERT_EQ(expected.size(), inputs.size());

  Options options;
  options.top = "top";
  const Design read_design = read(std::vector<std::string>{design}, options, kBudget);
  EXPECT_TRUE(read_design.assumptions.empty()) << read_design.assumptions.front();
  system::Simulator simulator(read_design.system);
  const std::map<std::string, term::Term> wires = wires_of(read_design.system);
  std::map<std::string, int> failures;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    for (std::size_t i = 0; i < read_design.system.inputs().size(); ++i) {
      const std::string name = read_design.system.input_name(i);
      if (name == "rst") simulator.set_input(i, system::Value(BitVector(1, inputs[k].rst)));
      if (name == "a" || name == "b")
        simulator.set_input(i, system::Value(BitVector(8, name == "a" ? inputs[k].a : inputs[k].b)));
    }
    simulator.evaluate();
    for (std::size_t i = 0; i < cases; ++i) {
      const BitVector value = simulator.bits(wires.at(fmt::format("y{}", i)));
      if (!agree(value, expected[k][i]) && ++failures[kSteps[i].name] == 1)
        ADD_FAILURE() << kSteps[i].name << ": " << kSteps[i].body << "\ncycle " << k << ": " << value.to_binary()
                      << ", simulated " << expected[k][i];
    }
    simulator.step();
  }
}

TEST(Reading, IsRefusedWhereASimulatorHasAnother) {
  const TemporaryDirectory directory;
  const std::string design = (directory.path() / "design.sv").string();
  for (const ReadingCase& c : kMisread) {
    write_file(design, module_of(c, 0));
    try {
      Options options;
      options.top = "case0";
      read(std::vector<std::string>{design}, options, kBudget);
      ADD_FAILURE() << c.name << " is taken: " << c.body;
    } catch (const Unsupported& error) {
      EXPECT_NE(error.message().find("misreads"), std::string::npos) << c.name << ": " << error.what();
      EXPECT_NE(error.location().line, 0U) << c.name;
      EXPECT_FALSE(error.hint().empty()) << c.name;
    }
  }
}

}  // namespace
}  // namespace plumb::verilog
