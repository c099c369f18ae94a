// Yosys elaborates and flattens the design and writes BTOR2; what it does not write there (places of assertions, kinds
// of properties, clocks, sizes of memories) is read from a dump of cells and from its info file. The first run takes
// the design as one with a single clock and memories whose every address exists. Where the dump shows that this is not
// so, a second run has clocks as data (clk2fflogic), or gives what is read outside of a memory any value (memory_memx).
// Don't-care optimisations are kept out throughout: x is any value, and a register without initial value is free.

#include "lang/verilog/verilog.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/subprocess.h"
#include "lang/verilog/cells.h"
#include "lang/verilog/lines.h"
#include "lang/verilog/yosys.h"
#include "system/btor2.h"

namespace plumb::verilog {
namespace {

bool has_outside(const Cell& memory) {
  const auto value = [&](const char* name) {
    const auto found = memory.parameters.find(name);
    return found == memory.parameters.end() ? std::nullopt : number(found->second);
  };
  const auto size = value("\\SIZE");
  const auto bits = value("\\ABITS");
  return !size || !bits || *bits >= 32 || *size != std::uint32_t{1} << *bits || value("\\OFFSET") != 0;
}

/// Nodes of BTOR2 that are another one under a new name, and those that are inputs.
struct Nodes {
  std::map<std::string, std::string> alias;
  std::set<std::string> inputs;

  std::string origin(std::string node) const {
    for (auto found = alias.find(node); found != alias.end(); found = alias.find(node)) node = found->second;
    return node;
  }
};

Nodes nodes_of(const std::string& btor2) {
  Nodes nodes;
  for (const std::string& line : lines_of(btor2)) {
    std::istringstream words(line);
    std::string id;
    std::string op;
    std::string sort;
    std::string argument;
    std::string extra;
    words >> id >> op >> sort >> argument >> extra;
    if (op == "uext" && extra == "0") nodes.alias[id] = argument;
    if (op == "input") nodes.inputs.insert(id);
  }
  return nodes;
}

/// All registers have the same clock, which is an input, or there are none.
bool has_one_clock(const YosysFiles& files) {
  const Nodes nodes = nodes_of(files.btor2);
  std::set<std::pair<std::string, std::string>> clocks;
  for (const std::string& line : lines_of(files.info)) {
    std::istringstream words(line);
    std::string edge;
    std::string node;
    words >> edge >> node;
    if (edge == "posedge" || edge == "negedge" || edge == "event") clocks.emplace(edge, nodes.origin(node));
  }
  if (clocks.empty()) return true;
  return clocks.size() == 1 && clocks.begin()->first != "event" && nodes.inputs.contains(clocks.begin()->second);
}

void refuse_liveness(const std::vector<Cell>& cells, const Texts& texts) {
  for (const Cell& cell : cells)
    if (cell.type == "$live" || cell.type == "$fair")
      throw Unsupported(place_of(cell.source, texts), "a liveness property (s_eventually)",
                        "only safety properties are checked: assert and assume");
}

/// The text with its bads named as in the source, and their places in the order of the text.
std::string with_names(const std::string& btor2, const std::map<std::string, Assertion>& assertions,
                       const std::string& file, std::vector<SourceLocation>& places) {
  std::string text;
  for (const std::string& line : lines_of(btor2)) {
    std::istringstream words(line);
    std::string id;
    std::string op;
    std::string node;
    std::string symbol;
    words >> id >> op >> node >> symbol;
    const auto found = assertions.find(symbol);
    if (op == "bad" && found != assertions.end()) {
      text += fmt::format("{} bad {} {}\n", id, node, found->second.name);
      places.push_back(found->second.place);
    } else {
      text += line + "\n";
      if (op == "bad") places.push_back({file});
    }
  }
  return text;
}

Flow flow_for(const YosysFiles& files, const std::vector<Cell>& cells) {
  const auto is_latch = [](const Cell& cell) { return cell.type == "$dlatch" || cell.type == "$adlatch"; };
  const auto is_partial = [](const Cell& cell) { return cell.type == "$mem_v2" && has_outside(cell); };
  return {!has_one_clock(files) || std::ranges::any_of(cells, is_latch), std::ranges::any_of(cells, is_partial)};
}

std::vector<std::string> assumptions_of(const std::vector<Cell>& cells, const Flow& flow) {
  std::vector<std::string> assumptions;
  if (const auto covers = std::ranges::count(cells, "$cover", &Cell::type); covers > 0)
    assumptions.push_back(
        fmt::format("cover statements are not checked; there {} {}", covers == 1 ? "is" : "are", covers));
  if (flow.clocks_are_data)
    assumptions.emplace_back(
        "the design has latches, several clocks or edges, or a clock of its own: a step is a moment between changes, "
        "and clocks change as they like");
  return assumptions;
}

}  // namespace

Design read(std::span<const std::string> files, const Options& options, const Budget& budget) {
  INVARIANT(!files.empty(), "a design should have a file");
  Texts texts;
  for (const std::string& file : files) texts.emplace(file, read_file(file));
  if (!find_program(options.yosys))
    throw UserError(SourceLocation{files.front()},
                    fmt::format("Verilog is read by Yosys, and there is no program '{}'", options.yosys),
                    "install it: apt-get install yosys");
  Flow flow;
  YosysFiles made = run_yosys(files, options, flow, budget);
  std::vector<Cell> cells = cells_of(made.cells);
  refuse_liveness(cells, texts);
  flow = flow_for(made, cells);
  if (flow.clocks_are_data || flow.has_outside) {
    std::vector<std::string> warnings = std::move(made.warnings);
    made = run_yosys(files, options, flow, budget);
    made.warnings = std::move(warnings);
    cells = cells_of(made.cells);
  }
  Design design;
  design.system =
      system::read_btor2(with_names(made.btor2, assertions_of(cells, texts), files.front(), design.properties),
                         fmt::format("{} (as BTOR2)", files.front()));
  design.warnings = std::move(made.warnings);
  design.assumptions = assumptions_of(cells, flow);
  return design;
}

}  // namespace plumb::verilog
