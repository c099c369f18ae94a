#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "cli/shell/abc_console.h"
#include "cli/shell/commands.h"
#include "cli/shell/report.h"

namespace plumb::cli::shell {
namespace {

using prove::Verdict;

void prove_with_abc(Session& session, Proving& proving, const circuit::AbcStep& step) {
  const prove::Stopwatch watch;
  const prove::Result result = proving.prove(step, session.settings.abc, session.budget, session.settings.trust_abc);
  proving.conclude(result, std::nullopt);
  session.last_verdict = result.verdict;
  session.out << verdict_line(result, watch.seconds());
  if (result.verdict == Verdict::Violated) session.out << summary(*proving.design(), *proving.found());
  if (result.verdict == Verdict::Holds) check_vacuity(session, proving);
}

void pass_on(Session& session, Proving& proving, const std::string& command) {
  if (!run_on_copy(command, proving.circuit_file(), session.settings.abc, session.budget, session.out)) return;
  session.print("note: '{}' changed ABC's copy alone, the circuit of the session is as it was\n", command);
}

/// Commands of one script, separated by semicolons (which a quote brings here).
void run_command(Session& session, const std::string& command) {
  Proving& proving = session.needed_proving();
  const auto step = parse_abc_step(command);
  session.print("Calling ABC with the following command\n  {}\n", command);
  session.out.flush();
  if (command == "print_stats") {
    session.print("{}\n", proving.statistics());
  } else if (!step) {
    pass_on(session, proving, command);
  } else if (step->is_proof()) {
    prove_with_abc(session, proving, *step);
  } else {
    proving.reduce(*step, session.settings.abc, session.budget);
  }
}

std::vector<std::string> split_script(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::size_t first = text.find_first_not_of(' ', begin);
    const std::size_t last = text.find_last_not_of(' ', end == 0 ? 0 : end - 1);
    if (first < end && last != std::string::npos) parts.push_back(text.substr(first, last - first + 1));
    begin = end + 1;
  }
  return parts;
}

std::string footer() {
  std::string reductions;
  std::string proofs;
  for (const auto list : {circuit::abc_commands(), further_abc_commands()})
    for (const circuit::AbcCommand& command : list) {
      const bool is_proof = command.kind == circuit::AbcCommand::Kind::Proof;
      if (command.kind == circuit::AbcCommand::Kind::Report) continue;
      (is_proof ? proofs : reductions) += fmt::format("  {:<10} {}\n", command.name, command.purpose);
    }
  return fmt::format(
      "Usage: abc COMMAND [OPTIONS], or abc \"COMMAND; COMMAND\"\n"
      "Reductions, applied to the circuit of the session:\n{}Proofs of the circuit as it is:\n{}"
      "All other commands of ABC run on a copy of the circuit and print what they print.",
      reductions, proofs);
}

}  // namespace

Run add_abc(CLI::App& app) {
  app.prefix_command();
  app.footer(footer());
  return [&app](Session& session) {
    session.needed_proving();
    const std::vector<std::string> commands = split_script(fmt::format("{}", fmt::join(app.remaining(), " ")));
    if (commands.empty()) throw UserError("no command for ABC: `abc -h` lists them");
    for (const std::string& command : commands) run_command(session, command);
  };
}

}  // namespace plumb::cli::shell
