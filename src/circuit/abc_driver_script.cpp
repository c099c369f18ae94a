#include "circuit/abc_driver_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace plumb::circuit {
namespace {

using Kind = AbcCommand::Kind;

// Switches that write files, go interactive or change what the answer means are left out, among them dprove -u and
// int -k; the driver itself asks for invariants and counterexamples. Without a bound `ind` does not end where a
// property is not inductive. The paper's `scl -l` asks for what later versions of ABC do anyway and call otherwise.
constexpr auto kCommands = std::to_array<AbcCommand>({
    {"balance", "balance", "ldsx", "", Kind::Combinational, "fewer levels by associativity"},
    {"rewrite", "rewrite", "lz", "", Kind::Combinational, "precomputed subgraphs"},
    {"refactor", "refactor", "lz", "N", Kind::Combinational, "factored forms of large cuts"},
    {"dc2", "dc2", "blf", "", Kind::Combinational, "rewriting and balancing together"},
    {"scl", "scleanup", "lcem", "FS", Kind::Sequential, "constant, equal and useless registers"},
    {"scleanup", "scleanup", "cem", "FS", Kind::Sequential, "as scl"},
    {"lcorr", "lcorr", "n", "PCSX", Kind::Sequential, "equal registers, by induction"},
    {"ssweep", "ssweep", "lrft", "PQNFL", Kind::Sequential, "equal signals, by induction"},
    {"scorr", "scorr", "plkods", "PQFCLSVMX", Kind::Sequential, "equal signals, by induction"},
    {"retime", "retime", "fbso", "MD", Kind::Retiming, "registers moved over gates"},
    {"ind", "ind", "ua", "FCT", Kind::Proof, "temporal induction, the inductive case", "-u -F 50"},
    {"int", "int", "rpogbqtc", "CFTK", Kind::Proof, "interpolation"},
    {"pdr", "pdr", "rmuyfqipegjonctk", "MFCDQTGS", Kind::Proof, "property directed reachability"},
    {"dprove", "dprove", "cbarmfijop", "AEFCGDVBRT", Kind::Proof, "reductions and provers in turns"},
    {"print_stats", "print_stats", "", "", Kind::Report, "sizes"},
});

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<AbcStep> parse() {
    std::vector<AbcStep> steps;
    while (skip_to_step()) steps.push_back(step());
    return steps;
  }

 private:
  static bool ends_step(char c) { return c == ';' || c == '\n'; }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  bool skip_to_step() {
    while (cursor_ < text_.size() && (is_blank(text_[cursor_]) || ends_step(text_[cursor_]))) ++cursor_;
    return cursor_ < text_.size();
  }

  /// The next word of the step, empty at its end; `word_` is where it starts.
  std::string_view word() {
    while (cursor_ < text_.size() && is_blank(text_[cursor_])) ++cursor_;
    word_ = cursor_;
    while (cursor_ < text_.size() && !is_blank(text_[cursor_]) && !ends_step(text_[cursor_])) ++cursor_;
    return text_.substr(word_, cursor_ - word_);
  }

  AbcStep step() {
    const std::string_view name = word();
    const auto command = std::ranges::find(kCommands, name, &AbcCommand::name);
    if (command == kCommands.end()) {
      std::vector<std::string_view> names;
      for (const AbcCommand& known : kCommands) names.push_back(known.name);
      fail(fmt::format("'{}' is not a step of an ABC script", name.substr(0, 40)),
           fmt::format("steps are {}", fmt::join(names, ", ")));
    }
    AbcStep result{command, {}};
    for (std::string_view argument = word(); !argument.empty(); argument = word()) option(result, argument);
    return result;
  }

  void option(AbcStep& step, std::string_view argument) {
    const AbcCommand& command = *step.command;
    if (argument.size() < 2 || argument.front() != '-')
      fail(fmt::format("expected an option of {}, found '{}'", command.name, argument.substr(0, 40)));
    step.arguments.emplace_back(argument);
    if (argument.size() == 2 && command.numbers.find(argument[1]) != std::string_view::npos) {
      const std::string_view number = word();
      if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string_view::npos)
        fail(fmt::format("expected a number behind {} {}, found '{}'", command.name, argument, number.substr(0, 40)));
      step.arguments.emplace_back(number);
      return;
    }
    for (const char letter : argument.substr(1))
      if (command.options.find(letter) == std::string_view::npos)
        fail(fmt::format("{} has no option '{}' here", command.name, argument.substr(0, 40)),
             fmt::format("switches: {}; with a number: {}", command.options.empty() ? "none" : command.options,
                         command.numbers.empty() ? "none" : command.numbers));
  }

  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    SourceLocation location{file_, 1, 1};
    for (std::size_t i = 0; i < word_; ++i) {
      ++location.column;
      if (text_[i] == '\n') {
        ++location.line;
        location.column = 1;
      }
    }
    throw UserError(std::move(location), std::move(message), std::move(hint));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t cursor_ = 0;
  std::size_t word_ = 0;
};

}  // namespace

std::span<const AbcCommand> abc_commands() { return kCommands; }

std::string AbcStep::text() const {
  std::string result(command->name);
  for (const std::string& argument : arguments) result += " " + argument;
  return result;
}

std::vector<AbcStep> parse_abc_script(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

}  // namespace plumb::circuit
