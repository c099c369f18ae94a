#include "lang/verilog/verilog.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "system/simulator.h"

namespace plumb::verilog {
namespace {

const Budget kBudget;

Options with_top(std::string top) {
  Options options;
  options.top = std::move(top);
  return options;
}

/// A directory of sources.
class Sources {
 public:
  std::string add(const std::string& name, const std::string& text) {
    const std::filesystem::path path = directory_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, text);
    return path.string();
  }
  std::string folder(const std::string& name) const { return (directory_.path() / name).string(); }

 private:
  TemporaryDirectory directory_;
};

Design read_text(const std::string& text, const Options& options = {}) {
  Sources sources;
  const std::vector<std::string> files{sources.add("design.sv", text)};
  return read(files, options, kBudget);
}

template <typename Error>
std::string message_of(const std::vector<std::string>& files, const Options& options = {}) {
  try {
    read(files, options, kBudget);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

template <typename Error>
std::string message_of(const std::string& text, const Options& options = {}) {
  Sources sources;
  return message_of<Error>(std::vector<std::string>{sources.add("design.sv", text)}, options);
}

const std::string kCounter = R"(module counter (input clk, input on, output [3:0] twice);
  reg [3:0] n = 0;
  always @(posedge clk) if (on) n <= n + 1;
  assign twice = n << 1;
  always @(posedge clk) begin
    small: assert (n < 3);
    assume (n != 9);
  end
endmodule
)";

TEST(Verilog, OfOneClockStepsByItsCycles) {
  Sources sources;
  const std::vector<std::string> files{sources.add("counter.sv", kCounter)};
  const Design design = read(files, {}, kBudget);
  ASSERT_EQ(design.system.bads().size(), 1U);
  EXPECT_EQ(design.system.bads()[0].name, "small");
  EXPECT_EQ(design.system.constraints().size(), 1U);
  ASSERT_EQ(design.properties.size(), 1U);
  EXPECT_EQ(design.properties[0].to_string(), files[0] + ":6:5");
  EXPECT_TRUE(design.assumptions.empty());
  EXPECT_TRUE(design.warnings.empty());

  system::Simulator simulator(design.system);
  std::size_t on = 0;
  while (design.system.input_name(on) != "on") ++on;
  simulator.set_input(on, system::Value(BitVector(1, 1)));
  for (int cycle = 0; cycle < 5; ++cycle) {
    simulator.evaluate();
    EXPECT_EQ(simulator.is_bad(0), cycle >= 3) << cycle;
    simulator.step();
  }
}

TEST(Verilog, HasOutputsWithTheirValuesWhereNoAssertionNeedsThem) {
  const Design design = read_text(R"(module half (input [3:0] x, output [3:0] y);
  assign y = x / 2;
endmodule
module top (input [3:0] i, output [3:0] same, output [3:0] halved, output [3:0] also_halved);
  half h (i, halved);
  assign same = i;
  assign also_halved = halved;
  always @* assert (i != 7);
endmodule
)");
  system::Simulator simulator(design.system);
  simulator.set_input(0, system::Value(BitVector(4, 13)));
  simulator.evaluate();
  std::map<std::string, std::uint64_t> found;
  for (const system::NamedTerm& wire : design.system.wires()) found[wire.name] = simulator.bits(wire.term).word(0);
  EXPECT_EQ(found["same"], 13U);
  EXPECT_EQ(found["halved"], 6U);
  EXPECT_EQ(found["also_halved"], 6U);
}

TEST(Verilog, MayBeInSeveralFiles) {
  Sources sources;
  const std::string part =
      "module part (input clk, input [1:0] x);\n  always @(posedge clk) assert (x != 3);\nendmodule\n";
  const std::string top =
      "module top (input clk, input [1:0] x);\n  part one (clk, x);\n  part two (clk, x + 2'd1);\nendmodule\n";
  const std::vector<std::string> files{sources.add("top.v", top), sources.add("part.v", part)};
  const Design design = read(files, with_top("top"), kBudget);
  ASSERT_EQ(design.properties.size(), 2U);
  for (const SourceLocation& place : design.properties) EXPECT_EQ(place.to_string(), files[1] + ":2:25");
  std::vector<std::string> names;
  for (const system::NamedTerm& bad : design.system.bads()) names.push_back(bad.name);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"part.v:2", "part.v:2#2"}));
}

TEST(Verilog, ReportsMistakesInTheFileThatHasThem) {
  Sources sources;
  const std::vector<std::string> files{sources.add("good.v", "module good (input a);\nendmodule\n"),
                                       sources.add("bad.v", "module bad (input a);\n  wire = 3;\nendmodule\n")};
  const std::string message = message_of<UserError>(files);
  EXPECT_TRUE(message.starts_with(files[1] + ":2: error: Yosys: ")) << message;
}

TEST(Verilog, TakesMacrosAndIncludeDirectories) {
  Sources sources;
  sources.add("headers/limit.vh", "`define LIMIT `BASE + 1\n");
  const std::vector<std::string> files{sources.add(
      "design.sv", "`include \"limit.vh\"\nmodule m (input [3:0] x);\n  always @* assert (x != `LIMIT);\nendmodule\n")};
  Options options;
  options.include_directories = {sources.folder("headers")};
  options.definitions = {"BASE=4"};
  const Design design = read(files, options, kBudget);
  system::Simulator simulator(design.system);
  simulator.set_input(0, system::Value(BitVector(4, 5)));
  simulator.evaluate();
  EXPECT_TRUE(simulator.is_bad(0));
}

TEST(Verilog, WarnsInData) {
  const Design design =
      read_text("module m (input a);\n  assign typo = a;\n  always @* assert (typo == a);\nendmodule\n");
  ASSERT_EQ(design.warnings.size(), 1U);
  EXPECT_NE(design.warnings[0].find("typo"), std::string::npos);
}

TEST(Verilog, OfSeveralTopsTakesTheOneWithPropertiesAndSaysSo) {
  const std::string idle = "module idle (input x, output y);\n  assign y = x;\nendmodule\n";
  const std::string one = "module one (input x);\n  always @* assert (x);\nendmodule\n";
  const std::string two = "module two (input x);\n  always @* assert (!x);\nendmodule\n";
  const Design design = read_text(one + idle);
  EXPECT_EQ(design.properties.size(), 1U);
  ASSERT_EQ(design.assumptions.size(), 1U);
  EXPECT_NE(design.assumptions[0].find("one is checked"), std::string::npos);
  EXPECT_NE(design.assumptions[0].find("idle"), std::string::npos);
  for (const std::string& text : {one + two, two + one, idle + one + two, one + idle + two}) {
    const std::string message = message_of<UserError>(text);
    EXPECT_NE(message.find("are instantiated by no other: "), std::string::npos) << message;
    EXPECT_NE(message.find("one"), std::string::npos) << message;
    EXPECT_NE(message.find("two"), std::string::npos) << message;
    EXPECT_NE(message.find("--top"), std::string::npos) << message;
  }
  EXPECT_EQ(read_text(one + two, with_top("two")).properties.size(), 1U);
  // An instance in a branch that is not generated is one too (IEEE 1800, 23.3.1).
  const std::string user = "module user (input x);\n  if (0) two t (x);\n  always @* assert (x);\nendmodule\n";
  EXPECT_TRUE(read_text(two + user).assumptions.empty());
}

TEST(Verilog, RefusesAWireWithoutDriverThatAPropertyDependsOn) {
  const std::string wire = "module m (input a);\n  wire [3:0] w;\n  assign w[0] = a;\n";
  EXPECT_NE(message_of<UserError>(wire + "  always @* assert (w == 0);\nendmodule\n")
                .find(":2:14: error: nothing drives 'w'"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(wire + "  always @* begin\n    assert (a);\n    assume (w == 0);\n  end\nendmodule\n")
                .find("nothing drives 'w'"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(
                wire + "  reg r = 0;\n  always @(posedge a) r <= w[2];\n  always @* assert (!r);\nendmodule\n")
                .find("nothing drives 'w'"),
            std::string::npos);
  EXPECT_EQ(message_of<UserError>(wire + "  always @* assert (w[0] == a);\nendmodule\n"), "accepted");
  EXPECT_EQ(message_of<UserError>(wire + "  wire [3:0] v = w;\n  always @* assert (a);\nendmodule\n"), "accepted");
  // What is meant to have any value.
  EXPECT_EQ(message_of<UserError>("module m (input a);\n  (* anyseq *) reg w;\n  wire v = $anyseq;\n"
                                  "  always @* assert (w == v);\nendmodule\n"),
            "accepted");
}

TEST(Verilog, RefusesAWireThatSeveralDrive) {
  const std::string begin = "module m (input clk, input [3:0] a);\n  wire [3:0] w;\n  reg [3:0] r;\n";
  const std::string end = "  always @* assert (a != 7);\nendmodule\n";
  const std::string part =
      "module part (input [3:0] i, output [3:0] o);\n  assign i = 4'd2;\n  assign o = i;\nendmodule\n";
  for (const char* drivers :
       {"assign w = 3; assign w = 5;", "assign w = a; assign w = 3;", "assign w[2:0] = 3; assign w[2] = a[0];",
        "always @(posedge clk) r <= a; always @* r = 3;", "not (w[0], a[0]); assign w[0] = 0;"})
    EXPECT_NE(message_of<UserError>(begin + "  " + drivers + "\n" + end).find("error: several drivers for '"),
              std::string::npos)
        << drivers;
  EXPECT_NE(message_of<UserError>(begin + "  assign a = 3;\n" + end).find(":1:34: error: several drivers for 'a'"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(part + begin + "  part p(a, w);\n" + end).find("error: several drivers for 'p.i'"),
            std::string::npos);
  for (const char* apart : {"assign w[1:0] = 3; assign w[3:2] = a;", "wand v; assign v = a[0]; assign v = 0;",
                            "assign {w[0], w[2]} = a; assign {w[1], w[3]} = 1;"})
    EXPECT_EQ(message_of<UserError>(begin + "  " + apart + "\n" + end), "accepted") << apart;
}

TEST(Verilog, RefusesNamesOfOtherScopesThatYosysTakesForNewWires) {
  const std::string sub =
      "module sub (input a, output b);\n  wire w;\n  assign w = a;\n  assign b = ~w;\nendmodule\n"
      "module top (input a, output q);\n  sub s (a, q);\n";
  EXPECT_NE(message_of<UserError>(sub + "  always @* assert (s.w == a);\nendmodule\n")
                .find(":8:21: error: nothing drives 's.w'"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(sub + "  assign s.w = 0;\n  always @* assert (q);\nendmodule\n")
                .find(":8:10: error: 's.w', a name of another instance"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(sub + "  sub t (a, s.w);\n  always @* assert (q);\nendmodule\n").find("'s.w'"),
            std::string::npos);
  const std::string interface =
      "interface bus;\n  logic [7:0] v;\nendinterface\nmodule sub (bus i);\n  assign i.v = 7;\nendmodule\n"
      "module top (output [7:0] y);\n  bus i ();\n  sub s (.i(i));\n  assign y = i.v;\n"
      "  always @* assert (y == 7);\nendmodule\n";
  EXPECT_NE(message_of<UserError>(interface).find(":5:10: error: 'i.v'"), std::string::npos);
  // Names of generated blocks are followed.
  EXPECT_EQ(message_of<UserError>("module top (input a);\n  if (1) begin : g\n    wire w = a;\n  end\n"
                                  "  always @* assert (g.w == a);\nendmodule\n"),
            "accepted");
}

TEST(Verilog, DropsNoPropertyInSilence) {
  const std::string chk =
      "module chk (input a);\n  always @* assert (a);\nendmodule\nmodule sub (input a);\nendmodule\n"
      "module top (input a);\n  sub s (a);\n  always @* assert (1);\n";
  EXPECT_NE(
      message_of<Unsupported>(chk + "  bind sub chk c (.*);\nendmodule\n", with_top("top")).find(":9: error: a bind"),
      std::string::npos);
  EXPECT_NE(
      message_of<Unsupported>(chk + "endmodule\nbind sub chk c (.*);\n", with_top("top")).find(":10: error: a bind"),
      std::string::npos);
  EXPECT_NE(message_of<Unsupported>(
                "module top (input a);\n  checker c;\n    assert property (a);\n  endchecker\nendmodule\n")
                .find(":2: error: a checker"),
            std::string::npos);
  for (const char* tool : {"synopsys", "synthesis"}) {
    const std::string off =
        fmt::format("module top (input a);\n  reg r = 0;\n  always @* assert (1);\n  // {} translate_off\n", tool);
    const std::string on = fmt::format("  // {} translate_on\nendmodule\n", tool);
    EXPECT_NE(
        message_of<Unsupported>(off + "  always @* assert (a);\n" + on).find(":5: error: 'assert' where translation"),
        std::string::npos);
    const Design design = read_text(off + "  initial #5 $display(\"x\");\n" + on);
    ASSERT_EQ(design.assumptions.size(), 1U);
    EXPECT_NE(design.assumptions[0].find(":4: what stands between translate_off"), std::string::npos);
  }
}

TEST(Verilog, KeepsNameAndPlaceOfEachPropertyWithAConstantValue) {
  Sources sources;
  const std::vector<std::string> files{
      sources.add("m.sv",
                  "module m (input a);\n  initial one: assert (1'b1 == 1'b0);\n"
                  "  initial two: assert (2'd1 == 2'd0);\n  initial assert (0);\n"
                  "  always @* three: assert (1);\n  always @* four: assert (1);\n"
                  "  always @* five: assert (a);\n  always @* six: assert (a);\nendmodule\n")};
  const Design design = read(files, {}, kBudget);
  std::map<std::string, std::uint32_t> lines;
  for (std::size_t i = 0; i < design.system.bads().size(); ++i)
    lines[design.system.bads()[i].name] = design.properties[i].line;
  const std::map<std::string, std::uint32_t> expected = {{"one", 2},  {"two", 3},  {"m.sv:4", 4}, {"three", 5},
                                                         {"four", 6}, {"five", 7}, {"six", 8}};
  EXPECT_EQ(lines, expected);
}

/// Whether the first bad can be reached with these inputs, and whether it can be missed, by what is any value.
std::pair<bool, bool> outcomes(const std::string& condition, std::uint64_t a, std::uint64_t b) {
  const Design design = read_text(
      "module m (input [7:0] a, input [7:0] b);\n  wire signed [7:0] s = a, t = b;\n"
      "  always @* assert (" +
      condition + ");\nendmodule\n");
  std::pair<bool, bool> found{false, false};
  for (const bool ones : {false, true}) {
    system::Simulator simulator(design.system);
    for (std::size_t i = 0; i < design.system.inputs().size(); ++i)
      simulator.set_input(i, system::Value(BitVector(8, design.system.input_name(i) == "a" ? a : b)));
    for (std::size_t i = 0; i < design.system.states().size(); ++i) {
      const std::uint32_t width = design.system.store().width(design.system.states()[i].variable);
      simulator.set_state(i, system::Value(ones ? ~BitVector(width, 0) : BitVector(width, 0)));
    }
    simulator.evaluate();
    (simulator.is_bad(0) ? found.first : found.second) = true;
  }
  return found;
}

TEST(Verilog, HasAnyValueWhereASimulatorHasX) {
  const std::pair<bool, bool> either{true, true};
  const std::pair<bool, bool> never{false, true};
  for (const char* division : {"a / b == 8'hff", "a % b == 0", "s / t == -8'sd1", "s % t == 0"}) {
    EXPECT_EQ(outcomes(division, 9, 0), either) << division;
    EXPECT_EQ(outcomes(std::string("b == 0 || ") + division, 9, 0), never) << division;
  }
  EXPECT_EQ(outcomes("a[b] == 0", 255, 8), either);
  EXPECT_EQ(outcomes("a[b] == 1", 255, 7), never);
  EXPECT_EQ(outcomes("a[b +: 2] == 1", 255, 7), either);
  EXPECT_EQ(outcomes("a[b +: 2] == 3", 255, 6), never);
  EXPECT_EQ(outcomes("a[t] == 0", 255, 255), either);
  EXPECT_EQ(outcomes("(b[0] ? 8'bx : a) == 0", 0, 1), either);
  EXPECT_EQ(outcomes("(b[0] ? 8'bx : a) == 0", 0, 0), never);
}

TEST(Verilog, SaysWhichRegistersStartWithAnyValue) {
  const Design design = read_text(
      "module m (input clk, input [3:0] a);\n  reg [3:0] p, q, r = 0, s;\n  always @(posedge clk) begin\n    p <= a;\n"
      "    q <= p;\n    r <= a;\n    s <= a;\n  end\n  always @* assert (q != r);\nendmodule\n");
  ASSERT_EQ(design.assumptions.size(), 1U);
  EXPECT_NE(design.assumptions[0].find("start with any: "), std::string::npos);
  for (const char* name : {"p", "q"}) EXPECT_NE(design.assumptions[0].substr(40).find(name), std::string::npos);
  EXPECT_EQ(design.assumptions[0].substr(40).find_first_of("rs", 10), std::string::npos) << design.assumptions[0];
}

TEST(Verilog, TakesTheFirstBranchThatMatchesOfAParallelCase) {
  for (const char* kind : {"unique", "unique0", "(* parallel_case *)"}) {
    const Design design =
        read_text(fmt::format("module m (input [1:0] a);\n  reg [1:0] r;\n"
                              "  always @* {} case (1'b1) a[0]: r = 1; a[1]: r = 2; default: r = 0; endcase\n"
                              "  always @* assert (r == 1);\nendmodule\n",
                              kind));
    system::Simulator simulator(design.system);
    simulator.set_input(0, system::Value(BitVector(2, 3)));
    simulator.evaluate();
    EXPECT_FALSE(simulator.is_bad(0)) << kind;
  }
}

TEST(Verilog, OfSeveralClocksHasThemAsInputs) {
  const Design design = read_text(
      "module m (input c, input d, input x);\n  reg a = 0, b = 0;\n  always @(posedge c) a <= x;\n"
      "  always @(posedge d) b <= a;\n  always @* assert (!b);\n  always @* cover (a);\nendmodule\n");
  ASSERT_EQ(design.assumptions.size(), 2U);
  EXPECT_NE(design.assumptions[0].find("cover statements"), std::string::npos);
  EXPECT_NE(design.assumptions[1].find("clocks change as they like"), std::string::npos);
}

TEST(Verilog, RefusesWhatCannotBeChecked) {
  const std::string liveness = "module m (input clk, input a);\n  assert property (s_eventually a);\nendmodule\n";
  EXPECT_NE(message_of<Unsupported>(liveness).find("liveness"), std::string::npos);
  const std::string loop =
      "module m (input a, output b);\n  wire c;\n  assign b = c & a;\n  assign c = b | a;\nendmodule\n";
  EXPECT_NE(message_of<UserError>(loop).find("without a register between"), std::string::npos);
  EXPECT_NE(message_of<UserError>(kCounter, with_top("counter; shell")).find("not the name of a module"),
            std::string::npos);
  EXPECT_NE(message_of<UserError>(kCounter, with_top("other")).find("other"), std::string::npos);
  Options options;
  options.definitions = {"A=\"b\""};
  EXPECT_NE(message_of<Unsupported>(kCounter, options).find("cannot be handed to Yosys"), std::string::npos);
  options.yosys = "/nonexistent/yosys";
  EXPECT_NE(message_of<UserError>(kCounter, options).find("apt-get install yosys"), std::string::npos);
}

TEST(Verilog, EndsWithTheBudget) {
  Sources sources;
  const std::vector<std::string> files{sources.add("counter.sv", kCounter)};
  EXPECT_THROW(read(files, {}, kBudget.with_timeout(std::chrono::milliseconds(1))), OutOfBudget);
}

}  // namespace
}  // namespace plumb::verilog
