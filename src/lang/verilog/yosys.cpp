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

/// What is x in Verilog and has a value in BTOR2: any value, new in every step.
constexpr std::string_view kUnknowns = R"((* techmap_celltype = "$div $mod $divfloor $modfloor" *)
module plumb_division (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] value;
  wire [Y_WIDTH-1:0] any = $anyseq;
  generate
    if (_TECHMAP_CELLTYPE_ == "$div")
      \$div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        cell_ (.A(A), .B(B), .Y(value));
    else if (_TECHMAP_CELLTYPE_ == "$mod")
      \$mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
        cell_ (.A(A), .B(B), .Y(value));
    else
      wire _TECHMAP_FAIL_ = 1;
  endgenerate
  assign Y = B == 0 ? any : value;
endmodule

(* techmap_celltype = "$shiftx" *)
module plumb_index (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  localparam INSIDE = !B_SIGNED && B_WIDTH < 31 && (1 << (B_WIDTH < 31 ? B_WIDTH : 0)) - 1 + Y_WIDTH <= A_WIDTH;
  localparam integer LAST = A_WIDTH - 1;
  wire [Y_WIDTH-1:0] value;
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    cell_ (.A(A), .B(B), .Y(value));
  genvar i;
  generate
    if (INSIDE) begin
      assign Y = value;
    end else begin
      wire [Y_WIDTH-1:0] any = $anyseq;
      for (i = 0; i < Y_WIDTH; i = i + 1) begin
        if (B_SIGNED)
          assign Y[i] = $signed(B) >= -i && $signed(B) <= LAST - i ? value[i] : any[i];
        else if (i < A_WIDTH)
          assign Y[i] = B <= $unsigned(LAST - i) ? value[i] : any[i];
        else
          assign Y[i] = any[i];
      end
    end
  endgenerate
endmodule
)";

/// Of RTLIL in, BTOR2 out.
std::string system_script(const Flow& flow) {
  // Loops are looked for before anything is simplified, which may make one disappear. Properties of one value are not
  // merged: each has its name.
  std::string text =
      "read_rtlil elaborated.il\n"
      "proc -noopt\nflatten\nwrite_rtlil flat.il\ncheck\n"
      "techmap -max_iter 1 -map unknowns.v\n"
      "setattr -set keep 1 t:$assert t:$assume\n";
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

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

Yosys::Yosys(std::span<const std::string> files, const Options& options, const Budget& budget)
    : files_(files), options_(options), budget_(budget) {
  // Yosys runs in the directory of its files, so ours must be known by their whole names.
  for (const std::string& file : files) designs_.push_back(std::filesystem::absolute(file).string());
}

std::string Yosys::reading(const std::string& flags) const {
  std::string text = "read_verilog -formal -sv" + flags;
  for (std::size_t i = 0; i < options_.include_directories.size(); ++i) text += " -I" + include_name(i);
  for (const std::string& definition : options_.definitions) text += " " + definition_word(definition);
  for (const std::string& file : designs_) text += " " + quoted(file);
  return text + "\n";
}

void Yosys::link_includes(const std::filesystem::path& directory) const {
  for (std::size_t i = 0; i < options_.include_directories.size(); ++i)
    std::filesystem::create_directory_symlink(std::filesystem::absolute(options_.include_directories[i]),
                                              directory / include_name(i));
}

std::string Yosys::parse() {
  const TemporaryDirectory directory;
  link_includes(directory.path());
  run(directory.path(), "tee -q -o syntax.txt " + reading(" -defer -ppdump -dump_ast1 -no_dump_ptr"));
  return with_own_names(read_file(directory.path() / "syntax.txt"));
}

std::string Yosys::elaborate(const std::string& top) {
  const TemporaryDirectory directory;
  link_includes(directory.path());
  run(directory.path(),
      reading("") +
          (top.empty() ? "hierarchy -check -auto-top\n" : fmt::format("hierarchy -check -top {}\n", module_word(top))) +
          "write_rtlil elaborated.il\n");
  return read_file(directory.path() / "elaborated.il");
}

YosysFiles Yosys::make_system(const std::string& rtlil, const Flow& flow) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "elaborated.il", rtlil);
  write_file(directory.path() / "unknowns.v", kUnknowns);
  run(directory.path(), system_script(flow));
  return {read_file(directory.path() / "design.btor2"), read_file(directory.path() / "info.txt"),
          with_own_names(read_file(directory.path() / "cells.txt")),
          with_own_names(read_file(directory.path() / "flat.il"))};
}

void Yosys::run(const std::filesystem::path& directory, const std::string& script) {
  write_file(directory / "script.ys", script);
  ProcessLimits limits;
  limits.memory = budget_.memory_limit();
  const ProcessResult result = run_process({options_.yosys, "-q", "-s", "script.ys"}, {}, budget_, limits, directory);
  if (result.end == ProcessResult::End::TimedOut || result.end == ProcessResult::End::Cancelled) {
    budget_.check();
    throw OutOfBudget{Stop::Cancelled};
  }
  const std::string printed = with_own_names(result.error + result.output);
  if (result.end != ProcessResult::End::Exited)
    throw UserError(SourceLocation{files_.front()}, fmt::format("Yosys was killed by signal {}", result.code),
                    limits.memory ? "more memory may help" : "");
  // Before errors: of a loop, what Yosys warns of says more than what it fails with.
  add_warnings(printed);
  if (result.code != 0) throw_error(files_.front(), printed);
}

std::string Yosys::with_own_names(std::string text) const {
  for (std::size_t i = 0; i < designs_.size(); ++i) replace_all(text, designs_[i], files_[i]);
  for (std::size_t i = 0; i < options_.include_directories.size(); ++i)
    replace_all(text, include_name(i), options_.include_directories[i]);
  return text;
}

/// What is a mistake in any design is thrown.
void Yosys::add_warnings(const std::string& printed) {
  constexpr std::string_view kMark = "Warning: ";
  for (const std::string& line : lines_of(printed)) {
    const std::size_t at = line.find(kMark);
    if (at == std::string::npos) continue;
    if (line.find("found logic loop") != std::string::npos)
      throw UserError(SourceLocation{files_.front()}, fmt::format("Yosys: {}", line.substr(at + kMark.size())),
                      "a wire depends on itself without a register between");
    std::string message = fmt::format("{}Yosys: {}", line.substr(0, at), line.substr(at + kMark.size()));
    // One line per bit of a wire says no more than one for the wire.
    if (const std::size_t bit = message.find(" ["); message.ends_with("] is used but has no driver."))
      message.replace(bit, message.find(']', bit) + 1 - bit, "");
    if (std::ranges::count(warnings_, message) == 0) warnings_.push_back(std::move(message));
  }
}

}  // namespace plumb::verilog
