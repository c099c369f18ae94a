#include "lang/smtlib/process_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/subprocess.h"
#include "solve/external/smtlib_process.h"

namespace plumb::smtlib {
namespace {

/// The first `(error "…")` of the output.
std::string first_error(std::string_view output) {
  constexpr std::string_view kStart = "(error \"";
  const std::size_t start = output.find(kStart);
  if (start == std::string_view::npos) return {};
  const std::string_view rest = output.substr(start + kStart.size());
  return std::string(rest.substr(0, rest.find("\")")));
}

/// Lines that answer checks, by line of the output.
void count_answers(std::string_view output, RunResult& result) {
  std::size_t start = 0;
  while (start < output.size()) {
    const std::size_t end = std::min(output.find('\n', start), output.size());
    std::string_view line = output.substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    start = end + 1;
    if (line == "sat" || line == "unsat" || line == "unknown") {
      Response response;
      response.command = "check-sat";
      response.text = line;
      if (line == "unknown") response.reason = "the solver gave up";
      result.add_check(std::move(response));
    }
  }
}

}  // namespace

std::optional<std::vector<std::string>> process_command(const std::string& backend) {
  if (backend == "native") return std::nullopt;
  std::vector<std::string> command = solve::SolverCommand::of(backend == "portfolio" ? "z3" : backend).arguments;
  if (command.empty()) return std::nullopt;
  return command;
}

RunResult run_on_process(const std::vector<std::string>& command, std::string_view text, const std::string& file,
                         const Budget& budget, std::ostream& out) {
  ProcessLimits limits;
  limits.memory = budget.memory_limit();
  const ProcessResult process = run_process(command, text, budget, limits);
  RunResult result;
  count_answers(process.output, result);
  out << process.output;
  if (!process.output.empty() && !process.output.ends_with('\n')) out << '\n';
  const auto give_up = [&](std::string reason) {
    Response response;
    response.command = "check-sat";
    response.text = "unknown";
    response.reason = std::move(reason);
    out << "unknown\n";
    result.add_check(std::move(response));
  };
  switch (process.end) {
    case ProcessResult::End::Exited:
      break;
    case ProcessResult::End::TimedOut:
      give_up(fmt::format("{}: out of time", command[0]));
      break;
    case ProcessResult::End::Cancelled:
      result.stopped = "cancelled";
      break;
    case ProcessResult::End::OutputLimit:
      give_up(fmt::format("{}: its output is too large", command[0]));
      break;
    case ProcessResult::End::Signalled:
      give_up(fmt::format("{}: ended by signal {}", command[0], process.code));
      break;
  }
  out.flush();
  if (const std::string error = first_error(process.output);
      process.end == ProcessResult::End::Exited && !error.empty()) {
    if (error.find("out of memory") != std::string::npos) {
      give_up(fmt::format("{}: out of memory", command[0]));
      return result;
    }
    throw UserError(SourceLocation{file}, fmt::format("{}: {}", command[0], error));
  }
  if (process.end == ProcessResult::End::Exited && process.code != 0 && result.sat + result.unsat + result.unknown == 0)
    throw UserError(SourceLocation{file}, fmt::format("{} ended with exit code {}", command[0], process.code),
                    process.error);
  return result;
}

}  // namespace plumb::smtlib
