#include "cli/shell/abc_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::cli::shell {
namespace {

using circuit::AbcCommand;
using circuit::AbcStep;
using Kind = AbcCommand::Kind;

constexpr std::string_view kBegin = "plumb.begin";
constexpr std::string_view kEnd = "plumb.end";
constexpr double kHelpSeconds = 5;

constexpr auto kFurther = std::to_array<AbcCommand>({
    {"strash", "strash", "", "", Kind::Combinational, "structural hashing"},
    {"resub", "resub", "lz", "KNF", Kind::Combinational, "nodes as functions of others"},
    {"fraig", "fraig", "", "RDC", Kind::Combinational, "equal signals, by SAT"},
    {"ifraig", "ifraig", "p", "PC", Kind::Combinational, "equal signals, by SAT"},
    {"dfraig", "dfraig", "sp", "CP", Kind::Combinational, "equal signals, by SAT"},
    {"drw", "drw", "lfz", "CNMW", Kind::Combinational, "rewriting of several cuts"},
    {"drf", "drf", "lez", "MKCW", Kind::Combinational, "refactoring of several cuts"},
    {"irw", "irw", "lz", "", Kind::Combinational, "rewriting"},
    {"csweep", "csweep", "", "CK", Kind::Combinational, "sweeping over cuts"},
    {"bmc", "bmc", "r", "FNC", Kind::Proof, "bounded model checking", "-F 100"},
    {"bmc2", "bmc2", "r", "SFTCGHJIPQR", Kind::Proof, "bounded model checking, incremental", "-F 100"},
    {"bmc3", "bmc3", "dueguracs", "SFTHGCDJIPQRW", Kind::Proof, "bounded model checking, incremental", "-F 100"},
    {"sim3", "sim3", "", "FWBRNGT", Kind::Proof, "random simulation, guided", "-T 10"},
    {"reach", "reach", "pro", "TBF", Kind::Proof, "all reachable states, with BDDs"},
});

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Checked as circuit::parse_abc_script() does for the commands of its own.
AbcStep further_step(const AbcCommand& command, const std::vector<std::string>& parts) {
  AbcStep step{&command, {parts.begin() + 1, parts.end()}};
  const auto fail = [&](const std::string& argument) {
    throw UserError(fmt::format("abc {} has no option '{}' here", command.name, argument),
                    fmt::format("switches: {}; with a number: {}", command.options.empty() ? "none" : command.options,
                                command.numbers.empty() ? "none" : command.numbers));
  };
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const std::string& argument = step.arguments[i];
    if (argument.size() < 2 || argument.front() != '-') fail(argument);
    if (argument.size() == 2 && command.numbers.find(argument[1]) != std::string_view::npos) {
      const std::string number = i + 1 < step.arguments.size() ? step.arguments[++i] : "";
      if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string::npos)
        throw UserError(fmt::format("expected a number behind abc {} {}, found '{}'", command.name, argument, number));
    } else if (argument.find_first_not_of(command.options, 1) != std::string::npos) {
      fail(argument);
    }
  }
  return step;
}

bool ends_with_mark(const std::string& line, std::string_view mark) { return line.find(mark) != std::string::npos; }

/// Prints what stands between the marks.
struct Dialogue {
  bool has_begun = false;
  bool has_ended = false;
  std::string last;  ///< line before the end

  void take(const std::string& line, std::ostream& out) {
    if (ends_with_mark(line, kEnd)) {
      has_ended = true;
    } else if (ends_with_mark(line, kBegin)) {
      has_begun = true;
    } else if (has_begun && !has_ended) {
      if (!line.empty() || !last.empty()) out << line << '\n' << std::flush;
      last = line;
    } else if (!line.empty()) {
      last = line;
    }
  }
};

/// Without the escape sequences that ABC prints even where there is no terminal.
std::string plain(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    if (line.starts_with("\x1b[")) {
      const std::size_t end = line.find_first_of("ABCDHJKfhlmsu", 2);
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    } else {
      text += line.front();
      line.remove_prefix(1);
    }
  }
  return text;
}

std::string quoted(const std::filesystem::path& path) { return fmt::format("\"{}\"", path.string()); }

}  // namespace

std::span<const AbcCommand> further_abc_commands() { return kFurther; }

std::optional<AbcStep> parse_abc_step(const std::string& command) {
  const std::vector<std::string> parts = words(command);
  if (parts.empty() || std::ranges::find(parts, "-h") != parts.end()) return std::nullopt;
  const auto further = std::ranges::find(kFurther, parts.front(), &AbcCommand::name);
  if (further != kFurther.end()) return further_step(*further, parts);
  const auto known = std::ranges::find(circuit::abc_commands(), parts.front(), &AbcCommand::name);
  if (known == circuit::abc_commands().end() || known->kind == Kind::Report) return std::nullopt;
  return circuit::parse_abc_script(command).front();
}

std::vector<std::string> abc_command_names(const std::string& program) {
  std::vector<std::string> names;
  try {
    const Budget budget = Budget().with_timeout(std::chrono::duration<double>(kHelpSeconds));
    std::istringstream lines(run_process({program, "-s", "-c", "help"}, "", budget).output);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(' ') && line.find("Welcome") == std::string::npos)
        for (std::string& name : words(line)) names.push_back(std::move(name));
  } catch (const UserError&) {
    names.clear();
  }
  return names;
}

bool run_on_copy(const std::string& command, const std::filesystem::path& circuit, const circuit::AbcOptions& options,
                 const Budget& budget, std::ostream& out) {
  const TemporaryDirectory directory;
  const auto before = directory.path() / "before.aig";
  const auto after = directory.path() / "after.aig";
  // ABC writes both files, so that they differ only where the circuits do.
  write_file(directory.path() / "console.abc",
             fmt::format("read_aiger {}\nwrite_aiger {}\necho {}\n{}\necho {}\nwrite_aiger {}\n", quoted(circuit),
                         quoted(before), kBegin, command, kEnd, quoted(after)));
  ProcessLimits limits;
  limits.memory = options.memory ? options.memory : budget.memory_limit();
  Subprocess abc({options.program, "-s", "-f", (directory.path() / "console.abc").string()}, limits);
  abc.close_input();
  Dialogue dialogue;
  while (const auto line = abc.read_line(budget)) dialogue.take(plain(*line), out);
  const ProcessResult result = abc.finish(budget);
  budget.check();
  if (result.end == ProcessResult::End::Signalled)
    throw UserError(fmt::format("{}: killed by signal {} at '{}'", options.program, result.code, command));
  if (!dialogue.has_begun) throw UserError(fmt::format("{}: stopped at '{}'", options.program, dialogue.last));
  // Behind a usage text ABC takes the command for a failed one.
  const std::vector<std::string> parts = words(command);
  const bool asks_for_help = std::ranges::find(parts, "-h") != parts.end();
  if (!dialogue.has_ended && !asks_for_help)
    throw UserError(fmt::format("{}: '{}' did not end well", options.program, command));
  return std::filesystem::exists(after) && read_file(before) != read_file(after);
}

}  // namespace plumb::cli::shell
