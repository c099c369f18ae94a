#include "lang/verilog/verilog.h"

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
