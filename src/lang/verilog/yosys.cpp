#include "lang/verilog/yosys.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/subprocess.h"
#include "lang/verilog/lines.h"

namespace plumb::verilog {
namespace {

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
    throw Unsupported(fmt::format("the macro '{}' has a character that cannot be handed to Yosys", definition),
                      "write the `define into the design");
  return "-D" + definition;
}

std::string module_word(const std::string& module) {
  const bool is_identifier = std::ranges::all_of(module, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  });
  if (!is_identifier) throw UserError(fmt::format("the top module '{}' is not the name of a module", module));
  return module;
}

std::string include_name(std::size_t i) { return fmt::format("plumb-include-{}", i); }

std::string script(const std::vector<std::string>& files, const Options& options, const Flow& flow) {
  std::string text = "read_verilog -formal -sv";
  for (std::size_t i = 0; i < options.include_directories.size(); ++i) text += " -I" + include_name(i);
  for (const std::string& definition : options.definitions) text += " " + definition_word(definition);
  for (const std::string& file : files) text += " " + quoted(file);
  text += "\n";
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
      "dffunmap\n"
      "opt_clean\n"
      "check -assert\n"
      "write_btor -i info.txt design.btor2\n";
  return text;
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
  YosysRun(std::span<const std::string> files, const Options& options, const Budget& budget)
      : files_(files), options_(options), budget_(budget) {
    // Yosys runs in the directory of its files, so ours must be known by their whole names.
    for (const std::string& file : files) designs_.push_back(std::filesystem::absolute(file).string());
  }

  YosysFiles run(const Flow& flow) const {
    const TemporaryDirectory directory;
    for (std::size_t i = 0; i < options_.include_directories.size(); ++i)
      std::filesystem::create_directory_symlink(std::filesystem::absolute(options_.include_directories[i]),
                                                directory.path() / include_name(i));
    write_file(directory.path() / "script.ys", script(designs_, options_, flow));
    ProcessLimits limits;
    limits.memory = budget_.memory_limit();
    const ProcessResult result =
        run_process({options_.yosys, "-q", "-s", "script.ys"}, {}, budget_, limits, directory.path());
    if (result.end == ProcessResult::End::TimedOut || result.end == ProcessResult::End::Cancelled) {
      budget_.check();
      throw OutOfBudget{Stop::Cancelled};
    }
    const std::string printed = with_own_names(result.error + result.output);
    if (result.end != ProcessResult::End::Exited)
      throw UserError(SourceLocation{files_.front()}, fmt::format("Yosys was killed by signal {}", result.code),
                      limits.memory ? "more memory may help" : "");
    YosysFiles files;
    // Before errors: of a loop, what Yosys warns of says more than what it fails with.
    files.warnings = warnings(printed);
    if (result.code != 0) throw_error(files_.front(), printed);
    files.btor2 = read_file(directory.path() / "design.btor2");
    files.info = read_file(directory.path() / "info.txt");
    files.cells = with_own_names(read_file(directory.path() / "cells.txt"));
    return files;
  }

 private:
  /// Messages name files as the user did.
  std::string with_own_names(std::string text) const {
    for (std::size_t i = 0; i < designs_.size(); ++i) replace_all(text, designs_[i], files_[i]);
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
        throw UserError(SourceLocation{files_.front()}, fmt::format("Yosys: {}", line.substr(at + kMark.size())),
                        "a wire depends on itself without a register between");
      std::string message = fmt::format("{}Yosys: {}", line.substr(0, at), line.substr(at + kMark.size()));
      if (std::ranges::count(found, message) == 0) found.push_back(std::move(message));
    }
    return found;
  }

  std::span<const std::string> files_;
  std::vector<std::string> designs_;  ///< the same by their whole names
  const Options& options_;
  const Budget& budget_;
};

}  // namespace

YosysFiles run_yosys(std::span<const std::string> files, const Options& options, const Flow& flow,
                     const Budget& budget) {
  return YosysRun(files, options, budget).run(flow);
}

}  // namespace plumb::verilog
