// Yosys elaborates and flattens the design and writes BTOR2; what it does not write there (places of assertions, kinds
// of properties, clocks, sizes of memories) is read from a dump of cells and from its info file. Before that, the
// syntax is searched for what Yosys is known to misread, and for modules that nothing instantiates. The first run that
// makes a system takes the design as one with a single clock and memories whose every address exists. Where the dump
// shows that this is not so, another has clocks as data (clk2fflogic), or gives what is read outside of a memory any
// value (memory_memx). Don't-care optimisations are kept out throughout: x is any value, and a register without initial
// value is free.

#include "lang/verilog/verilog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/subprocess.h"
#include "lang/verilog/cells.h"
#include "lang/verilog/drivers.h"
#include "lang/verilog/lines.h"
#include "lang/verilog/misread.h"
#include "lang/verilog/syntax.h"
#include "lang/verilog/yosys.h"
#include "system/btor2.h"
#include "system/copy.h"

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

/// The module to check. Where several are tops, it is the only one with properties.
std::string top_of(const Syntax& syntax, const std::string& file, std::vector<std::string>& assumptions) {
  constexpr std::array<std::string_view, 2> kClaims = {"ASSERT", "LIVE"};
  std::vector<std::string> tops = syntax.tops();
  if (tops.size() < 2) return tops.empty() ? "" : tops.front();
  std::vector<std::string> claiming;
  for (const std::string& top : tops)
    if (std::ranges::any_of(syntax.reachable(top),
                            [&](std::size_t module) { return !syntax.find(module, kClaims).empty(); }))
      claiming.push_back(top);
  if (claiming.size() != 1)
    throw UserError(SourceLocation{file},
                    fmt::format("{} modules are instantiated by no other: {}", tops.size(), fmt::join(tops, ", ")),
                    "choose the one to check with --top");
  std::erase(tops, claiming.front());
  assumptions.push_back(fmt::format("{} is checked; without properties and instantiated by no other: {}",
                                    claiming.front(), fmt::join(tops, ", ")));
  return claiming.front();
}

/// Of a full or parallel case no branch but the first that matches is taken, as in simulation; Yosys would take another
/// where several match.
std::string without_parallel_cases(const std::string& rtlil) {
  std::string text;
  for (const std::string& line : lines_of(rtlil))
    if (!line.ends_with("attribute \\parallel_case 1")) text += line + "\n";
  return text;
}

/// Quoted in a warning of Yosys between these two.
std::optional<std::string> between(const std::string& warning, std::string_view before, std::string_view behind) {
  const std::size_t begin = warning.find(before);
  const std::size_t end = warning.rfind(behind);
  if (begin == std::string::npos || end == std::string::npos || end < begin + before.size()) return std::nullopt;
  return warning.substr(begin + before.size(), end - begin - before.size());
}

/// Names of other scopes that Yosys took for new wires.
std::vector<std::string> foreign_names(std::span<const std::string> warnings) {
  std::vector<std::string> names;
  for (const std::string& warning : warnings)
    if (const auto name = between(warning, "Identifier `\\", "' is implicitly declared"))
      if (name->find('.') != std::string::npos) names.push_back(*name);
  return names;
}

/// "top.\\u1.wire [3] is used but has no driver".
std::set<std::string> undriven_names(std::span<const std::string> warnings) {
  std::set<std::string> names;
  for (const std::string& warning : warnings) {
    const auto wire = between(warning, "Yosys: Wire ", " is used but has no driver");
    if (!wire) continue;
    const std::size_t dot = wire->find(".\\");
    if (dot == std::string::npos) continue;
    std::string name = wire->substr(dot + 2);
    names.insert(name.substr(0, name.find(' ')));
  }
  return names;
}

/// A constant with z has no value in two states.
void refuse_high_impedance(const Syntax& syntax, std::span<const std::size_t> modules, const std::string& btor2,
                           const std::string& file) {
  for (const std::string& line : lines_of(btor2)) {
    std::istringstream words(line);
    std::string id;
    std::string op;
    std::string sort;
    std::string digits;
    words >> id >> op >> sort >> digits;
    if (op != "const" || digits.find_first_of("xz") == std::string::npos) continue;
    SourceLocation place{file};
    for (const std::size_t module : modules)
      for (const std::size_t i : syntax.find(module, std::array<std::string_view, 1>{"CONSTANT"}))
        if (place.line == 0 && syntax[i].bits().find('z') != std::string_view::npos) place = syntax.place(i);
    throw Unsupported(place, "z as the operand of an operator", "signals are 0 or 1 here");
  }
}

/// The comment of the line of BTOR2 that gives this name.
std::string source_of(const std::string& btor2, const std::string& name) {
  const std::string mark = fmt::format(" {} ; ", name);
  const std::size_t at = btor2.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + mark.size();
  return btor2.substr(begin, btor2.find('\n', begin) - begin);
}

/// A wire that nothing drives has any value. If a property or an assumption depends on it, that is more likely a
/// mistake or a reference that Yosys did not follow.
void refuse_undriven(const system::System& system, const Yosys& yosys, const std::string& btor2, const Texts& texts) {
  const std::set<std::string> names = undriven_names(yosys.warnings());
  if (names.empty()) return;
  const term::TermStore& store = system.store();
  const std::vector<std::size_t> needed = system::cone_of_influence(system).states;
  std::set<term::Term> free;
  for (const std::size_t position : needed) {
    const system::State& state = system.states()[position];
    if (!state.init && !state.next && store.name(state.variable).empty()) free.insert(state.variable);
  }
  for (const system::NamedTerm& wire : system.wires()) {
    if (!names.contains(wire.name)) continue;
    // The wire is its undriven bits beside each other, and constants or other wires for the rest.
    std::vector<term::Term> parts{wire.term};
    while (!parts.empty()) {
      const term::Term part = parts.back();
      parts.pop_back();
      if (store.op(part) == term::Op::Concat) {
        for (unsigned i = 0; i < store.arity(part); ++i) parts.push_back(store.child(part, i));
      } else if (free.contains(part)) {
        throw UserError(place_of(yosys.with_own_names(source_of(btor2, wire.name)), texts),
                        fmt::format("nothing drives '{}', and a property or an assumption depends on it", wire.name),
                        wire.name.find('.') == std::string::npos
                            ? "assign it, or make it an input if it is to have any value"
                            : "assign it; names of other instances and of interfaces are not followed, connect them "
                              "through ports");
      }
    }
  }
}

void refuse_shared_wires(const std::string& flat, const Texts& texts) {
  if (const auto wire = find_shared_wire(flat))
    throw UserError(place_of(wire->source, texts), fmt::format("several drivers for '{}'", wire->name),
                    "where they differ it has no value; wand and wor wires have one");
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

/// A note on the registers and memories that properties depend on and that start with any value.
std::optional<std::string> uninitialised(const system::System& system) {
  constexpr std::size_t kMaxShown = 5;
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const std::size_t position : system::cone_of_influence(system).states) {
    const system::State& state = system.states()[position];
    if (state.init || !state.next) continue;
    ++count;
    // A register that Yosys made anew may have its name on a wire, or be a part of what the source calls one.
    std::string name = system.store().name(state.variable);
    const auto wire = std::ranges::find(system.wires(), state.variable, &system::NamedTerm::term);
    if (name.empty() && wire != system.wires().end()) name = wire->name;
    if (!name.empty() && names.size() < kMaxShown) names.push_back(std::move(name));
  }
  if (count == 0) return std::nullopt;
  const std::size_t others = count - names.size();
  return fmt::format("registers without an initial value start with any: {}{}", fmt::join(names, ", "),
                     others == 0     ? ""
                     : names.empty() ? fmt::format("there {} {}", others == 1 ? "is" : "are", others)
                                     : fmt::format(" and {} more", others));
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
  Yosys yosys(files, options, budget);
  Design design;
  const std::string dump = yosys.parse();
  const Syntax syntax(dump, texts);
  const std::string top = options.top.empty() ? top_of(syntax, files.front(), design.assumptions) : options.top;
  const std::vector<std::size_t> modules = syntax.reachable(top);
  refuse_misread(syntax, modules);
  const std::vector<SourceToken> tokens = tokens_of(dump);
  refuse_dropped(tokens);
  for (const SourceLocation& place : untranslated(tokens))
    design.assumptions.push_back(
        fmt::format("{}: what stands between translate_off and translate_on is left out", place.to_string()));
  const std::string rtlil = without_parallel_cases(yosys.elaborate(top));
  refuse_shifts(yosys.with_own_names(rtlil), texts);
  refuse_foreign_writes(syntax, modules, foreign_names(yosys.warnings()));

  Flow flow;
  YosysFiles made = yosys.make_system(rtlil, flow);
  refuse_shared_wires(made.flat, texts);
  std::vector<Cell> cells = cells_of(made.cells);
  refuse_liveness(cells, texts);
  flow = flow_for(made, cells);
  if (flow.clocks_are_data || flow.has_outside) {
    made = yosys.make_system(rtlil, flow);
    cells = cells_of(made.cells);
  }
  refuse_high_impedance(syntax, modules, made.btor2, files.front());
  design.system =
      system::read_btor2(with_names(made.btor2, assertions_of(cells, texts), files.front(), design.properties),
                         fmt::format("{} (as BTOR2)", files.front()));
  refuse_undriven(design.system, yosys, made.btor2, texts);
  design.warnings = yosys.warnings();
  if (const auto note = uninitialised(design.system)) design.assumptions.push_back(*note);
  const std::vector<std::string> notes = assumptions_of(cells, flow);
  design.assumptions.insert(design.assumptions.end(), notes.begin(), notes.end());
  return design;
}

}  // namespace plumb::verilog
