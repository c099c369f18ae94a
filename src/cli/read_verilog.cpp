// Yosys elaborates and flattens the design and writes BTOR2; what it does not write there (places of assertions, kinds
// of properties, clocks, sizes of memories) is read from a dump of cells and from its info file. The first run takes
// the design as one with a single clock and memories whose every address exists. Where the dump shows that this is not
// so, a second run has clocks as data (clk2fflogic), or gives what is read outside of a memory any value (memory_memx).
// Don't-care optimisations are kept out throughout: x is any value, and a register without initial value is free.

#include "cli/read_verilog.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/file.h"
#include "base/subprocess.h"
#include "system/btor2.h"

namespace plumb::cli {
namespace {

/// Names for assertions without a label begin so; with a number behind.
constexpr std::string_view kUnnamed = "plumb_unnamed_";

/// What a run of Yosys is to do beside the usual.
struct Flow {
  bool clocks_are_data = false;
  bool has_outside = false;  ///< addresses outside of a memory
};

struct YosysFiles {
  std::string btor2;
  std::string info;
  std::string cells;
  std::vector<std::string> warnings;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

/// As a word of a Yosys script.
std::string quoted(const std::string& word) {
  if (word.find_first_of("\"\n\r\\") != std::string::npos)
    throw Unsupported(fmt::format("'{}' has a character that cannot be handed to Yosys", word),
                      "rename it without quotes, backslashes and line breaks");
  return fmt::format("\"{}\"", word);
}

/// A macro as a word of a Yosys script, which has no quotes inside of options.
std::string definition_word(const std::string& definition) {
  if (definition.find_first_of(" \t\";#\n\r") != std::string::npos)
    throw Unsupported(fmt::format("-D '{}' has a character that cannot be handed to Yosys", definition),
                      "write the `define into the design");
  return "-D" + definition;
}

std::string module_word(const std::string& module) {
  const bool is_identifier = std::ranges::all_of(module, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  });
  if (!is_identifier) throw UserError(fmt::format("--top '{}' is not the name of a module", module));
  return module;
}

std::string include_name(std::size_t i) { return fmt::format("plumb-include-{}", i); }

std::string script(const std::string& file, const VerilogOptions& options, const Flow& flow) {
  std::string text = "read_verilog -formal -sv";
  for (std::size_t i = 0; i < options.include_directories.size(); ++i) text += " -I" + include_name(i);
  for (const std::string& definition : options.definitions) text += " " + definition_word(definition);
  text += fmt::format(" {}\n", quoted(file));
  text += options.top.empty() ? "hierarchy -check -auto-top\n"
                              : fmt::format("hierarchy -check -top {}\n", module_word(options.top));
  // Loops are looked for before anything is simplified, which may make one disappear.
  text += "proc -noopt\nflatten\ncheck\n";
  text += fmt::format("prep -flatten{}\n", flow.has_outside ? " -memx" : "");
  text += "memory_nordff\n";
  text += fmt::format("rename -enumerate -pattern {}% t:$assert\n", kUnnamed);
  text += "tee -q -o cells.txt dump t:$assert t:$assume t:$live t:$fair t:$cover t:$mem_v2 t:$dlatch t:$adlatch\n";
  text += flow.clocks_are_data ? "clk2fflogic\n" : "async2sync\nchformal -assert -assume -early\n";
  text +=
      "chformal -live -fair -cover -remove\n"
      "setundef -undriven -anyseq\n"
      "delete -output\n"
      "dffunmap\n"
      "opt_clean\n"
      "check -assert\n"
      "write_btor -i info.txt design.btor2\n";
  return text;
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "file.v:12: ERROR: text" or "ERROR: text", as Yosys prints it, or its last words.
[[noreturn]] void throw_error(const std::string& file, const std::string& printed) {
  constexpr std::string_view kMark = "ERROR: ";
  std::string last;
  for (const std::string& line : lines_of(printed)) {
    if (!line.empty()) last = line;
    const std::size_t at = line.find(kMark);
    if (at == std::string::npos) continue;
    const std::string message = line.substr(at + kMark.size());
    SourceLocation place{file};
    if (at > 2) {
      const std::string_view head = std::string_view(line).substr(0, at - 2);  // without ": "
      const std::size_t colon = head.rfind(':');
      if (const auto row = colon == std::string_view::npos ? std::nullopt : number(head.substr(colon + 1)))
        place = {std::string(head.substr(0, colon)), *row, 0};
    }
    throw UserError(place, fmt::format("Yosys: {}", message));
  }
  throw UserError(SourceLocation{file},
                  fmt::format("Yosys could not read the design{}{}", last.empty() ? "" : ": ", last));
}

class YosysRun {
 public:
  YosysRun(const std::string& file, const VerilogOptions& options, const Budget& budget)
      : file_(file), options_(options), budget_(budget) {}

  YosysFiles run(const Flow& flow) const {
    const TemporaryDirectory directory;
    // Yosys runs in the directory of its files, so ours must be known by their whole names.
    const std::string design = std::filesystem::absolute(file_).string();
    for (std::size_t i = 0; i < options_.include_directories.size(); ++i)
      std::filesystem::create_directory_symlink(std::filesystem::absolute(options_.include_directories[i]),
                                                directory.path() / include_name(i));
    write_file(directory.path() / "script.ys", script(design, options_, flow));
    ProcessLimits limits;
    limits.memory = budget_.memory_limit();
    const ProcessResult result =
        run_process({options_.yosys, "-q", "-s", "script.ys"}, {}, budget_, limits, directory.path());
    if (result.end == ProcessResult::End::TimedOut || result.end == ProcessResult::End::Cancelled) {
      budget_.check();
      throw OutOfBudget{Stop::Cancelled};
    }
    const std::string printed = with_own_names(result.error + result.output, design);
    if (result.end != ProcessResult::End::Exited)
      throw UserError(SourceLocation{file_}, fmt::format("Yosys was killed by signal {}", result.code),
                      limits.memory ? "more memory may help: --memory" : "");
    if (result.code != 0) throw_error(file_, printed);
    YosysFiles files;
    files.warnings = warnings(printed);
    files.btor2 = read_file(directory.path() / "design.btor2");
    files.info = read_file(directory.path() / "info.txt");
    files.cells = with_own_names(read_file(directory.path() / "cells.txt"), design);
    return files;
  }

 private:
  /// Messages name files as the user did.
  std::string with_own_names(std::string text, const std::string& design) const {
    replace_all(text, design, file_);
    for (std::size_t i = 0; i < options_.include_directories.size(); ++i)
      replace_all(text, include_name(i), options_.include_directories[i]);
    return text;
  }

  static void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }

  /// Each once, without the word; what is a mistake in any design is thrown.
  std::vector<std::string> warnings(const std::string& printed) const {
    constexpr std::string_view kMark = "Warning: ";
    std::vector<std::string> found;
    for (const std::string& line : lines_of(printed)) {
      const std::size_t at = line.find(kMark);
      if (at == std::string::npos) continue;
      if (line.find("found logic loop") != std::string::npos)
        throw UserError(SourceLocation{file_}, fmt::format("Yosys: {}", line.substr(at + kMark.size())),
                        "a wire depends on itself without a register between");
      std::string message = fmt::format("{}Yosys: {}", line.substr(0, at), line.substr(at + kMark.size()));
      if (std::ranges::count(found, message) == 0) found.push_back(std::move(message));
    }
    return found;
  }

  const std::string& file_;
  const VerilogOptions& options_;
  const Budget& budget_;
};

/// A cell of the dump.
struct Cell {
  std::string type;
  std::string name;
  std::string source;  ///< "file.v:3.5-3.20"
  std::map<std::string, std::string> parameters;
};

std::vector<Cell> cells_of(const std::string& dump) {
  std::vector<Cell> cells;
  std::string source;
  for (const std::string& line : lines_of(dump)) {
    std::istringstream words(line);
    std::string word;
    std::string first;
    std::string second;
    words >> word >> first >> second;
    if (word == "attribute" && first == "\\src") {
      const std::size_t quote = line.find('"');
      source = line.substr(quote + 1, line.rfind('"') - quote - 1);
    } else if (word == "cell") {
      cells.push_back({first, second, source, {}});
      source.clear();
    } else if (word == "parameter" && !cells.empty()) {
      cells.back().parameters[first] = second;
    }
  }
  return cells;
}

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
  std::map<std::string, std::string> inputs;  ///< by node: symbol

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
    if (op == "input") nodes.inputs[id] = argument;
  }
  return nodes;
}

/// The registers' only clock, by name, and "" for a design without registers. Nothing if there are several or if it is
/// made by the design itself.
std::optional<std::string> only_clock(const YosysFiles& files) {
  const Nodes nodes = nodes_of(files.btor2);
  std::set<std::pair<std::string, std::string>> clocks;
  for (const std::string& line : lines_of(files.info)) {
    std::istringstream words(line);
    std::string edge;
    std::string node;
    words >> edge >> node;
    if (edge == "posedge" || edge == "negedge" || edge == "event") clocks.emplace(edge, nodes.origin(node));
  }
  if (clocks.empty()) return "";
  const auto input = nodes.inputs.find(clocks.begin()->second);
  if (clocks.size() != 1 || clocks.begin()->first == "event" || input == nodes.inputs.end()) return std::nullopt;
  return input->second;
}

/// The last place of "top.v:3.5-3.20|part.v:…", which is the cell's own; those before are of instances. A place begins
/// behind the token before, so blanks and comments of the text are skipped.
SourceLocation place_of(const std::string& source, const std::string& file, const std::string& text) {
  const std::string own = source.substr(source.rfind('|') + 1);
  const std::size_t colon = own.rfind(':');
  if (colon == std::string::npos) return {file};
  const std::string begin = own.substr(colon + 1, own.find('-', colon) - colon - 1);
  const std::size_t dot = begin.find('.');
  const auto line = number(std::string_view(begin).substr(0, dot));
  const auto column = dot == std::string::npos ? std::nullopt : number(std::string_view(begin).substr(dot + 1));
  SourceLocation place{own.substr(0, colon), line.value_or(0), column.value_or(0)};
  if (place.file != file || place.line == 0 || place.column == 0) return place;
  std::size_t at = 0;
  for (std::uint32_t row = 1; row < place.line && at < text.size(); ++at)
    if (text[at] == '\n') ++row;
  at = std::min(at + place.column - 1, text.size());
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      break;
    }
  }
  if (at == text.size()) return place;
  const std::string_view before = std::string_view(text).substr(0, at);
  place.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  place.column = static_cast<std::uint32_t>(at - (before.rfind('\n') + 1)) + 1;
  return place;
}

void refuse_liveness(const std::vector<Cell>& cells, const std::string& file, const std::string& text) {
  for (const Cell& cell : cells)
    if (cell.type == "$live" || cell.type == "$fair")
      throw Unsupported(place_of(cell.source, file, text), "a liveness property (s_eventually)",
                        "only safety properties are checked: assert and assume");
}

struct Assertion {
  std::string name;  ///< the label, or file and line
  SourceLocation place;
};

/// By the symbol in BTOR2. Names differ.
std::map<std::string, Assertion> assertions_of(const std::vector<Cell>& cells, const std::string& file,
                                               const std::string& text) {
  std::map<std::string, Assertion> assertions;
  std::set<std::string> taken;
  for (const Cell& cell : cells) {
    if (cell.type != "$assert") continue;
    const std::string symbol = cell.name.substr(cell.name.starts_with('\\') ? 1 : 0);
    const SourceLocation place = place_of(cell.source, file, text);
    std::string name = symbol;
    if (symbol.starts_with(kUnnamed)) {
      name = fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
      std::ranges::replace(name, ' ', '_');
    }
    const std::string stem = name;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}#{}", stem, i);
    assertions[symbol] = {name, place};
  }
  return assertions;
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

}  // namespace

VerilogDesign read_verilog(const std::string& file, const VerilogOptions& options, const Budget& budget) {
  const std::string text = read_file(file);
  if (!find_program(options.yosys))
    throw UserError(SourceLocation{file},
                    fmt::format("Verilog is read by Yosys, and there is no program '{}'", options.yosys),
                    "install it: apt-get install yosys");
  const YosysRun yosys(file, options, budget);
  Flow flow;
  YosysFiles files = yosys.run(flow);
  std::vector<Cell> cells = cells_of(files.cells);
  refuse_liveness(cells, file, text);
  const auto is_latch = [](const Cell& cell) { return cell.type == "$dlatch" || cell.type == "$adlatch"; };
  const std::optional<std::string> clock = only_clock(files);
  flow.clocks_are_data = !clock || std::ranges::any_of(cells, is_latch);
  flow.has_outside =
      std::ranges::any_of(cells, [](const Cell& cell) { return cell.type == "$mem_v2" && has_outside(cell); });
  if (flow.clocks_are_data || flow.has_outside) {
    std::vector<std::string> warnings = std::move(files.warnings);
    files = yosys.run(flow);
    files.warnings = std::move(warnings);
    cells = cells_of(files.cells);
  }
  VerilogDesign design;
  design.system = system::read_btor2(with_names(files.btor2, assertions_of(cells, file, text), file, design.properties),
                                     fmt::format("{} (as BTOR2)", file));
  design.warnings = std::move(files.warnings);
  const auto covers = std::ranges::count(cells, "$cover", &Cell::type);
  if (covers > 0)
    design.notes.push_back(
        fmt::format("cover statements are not checked; there {} {}", covers == 1 ? "is" : "are", covers));
  if (flow.clocks_are_data)
    design.notes.emplace_back(
        "the design has latches, several clocks or edges, or a clock of its own: a step is a moment between changes, "
        "and clocks "
        "change as they like");
  return design;
}

}  // namespace plumb::cli
