#include "solve/external/smtlib_process.h"

#include <fmt/format.h>

#include "base/error.h"
#include "solve/external/smtlib_answer.h"

namespace plumb::solve {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return result;
    const std::size_t end = std::min(text.find_first_of(" \t", start), text.size());
    result.emplace_back(text.substr(start, end - start));
    text.remove_prefix(end);
  }
}

/// The first line, cut to what fits a message.
std::string_view excerpt(std::string_view text) {
  constexpr std::size_t kMost = 100;
  return text.substr(0, std::min(text.find('\n'), kMost));
}

std::string describe(const ProcessResult& result) {
  std::string text;
  switch (result.end) {
    case ProcessResult::End::Exited:
      text = fmt::format("ended with code {} before it answered", result.code);
      break;
    case ProcessResult::End::Signalled:
      text = fmt::format("killed by signal {}", result.code);
      break;
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      text = "closed its output and did not end";
      break;
    case ProcessResult::End::OutputLimit:
      text = "printed too much";
      break;
  }
  if (!result.error.empty()) text += fmt::format(": {}", excerpt(result.error));
  return text;
}

Subprocess& start(std::optional<Subprocess>& process, const SolverCommand& command, const Budget& budget) {
  ProcessLimits limits;
  limits.memory = budget.memory_limit();
  try {
    return process.emplace(command.arguments, limits);
  } catch (const UserError& e) {
    throw ProcessFailure{fmt::format("{}: {}", command.name, e.message())};
  }
}

}  // namespace

SolverCommand SolverCommand::of(std::string_view command) {
  SolverCommand result{std::string(command), words(command), false, false};
  if (result.arguments.size() != 1) return result;
  if (result.arguments[0] == "z3") {
    result.arguments = {"z3", "-in", "-smt2"};
    result.is_z3 = true;
    result.has_unsat_assumptions = true;
  } else if (result.arguments[0] == "cvc5") {
    result.arguments = {"cvc5", "--incremental", "--produce-models", "--lang", "smt2", "-q"};
    result.has_unsat_assumptions = true;
  }
  return result;
}

std::string SolverCommand::prologue(bool arrays, bool incremental) const {
  std::string text = "(set-option :print-success false)\n(set-option :produce-models true)\n";
  if (incremental && has_unsat_assumptions) text += "(set-option :produce-unsat-assumptions true)\n";
  // Z3 does not know constant arrays in QF_ABV.
  const std::string_view array_logic = is_z3 ? "ALL" : "QF_ABV";
  return text + fmt::format("(set-logic {})\n", arrays ? array_logic : "QF_BV");
}

SmtlibProcess::SmtlibProcess(const SolverCommand& command, const Budget& budget) : name_(command.name) {
  start(process_, command, budget);
}

void SmtlibProcess::send(std::string_view text, const Budget& budget) {
  // A process that ended in the middle may have said why on its output.
  if (!process_->write(text, budget)) fail_ended(budget);
}

void SmtlibProcess::fail_ended(const Budget& budget) {
  if (const auto stop = budget.exceeded()) throw ProcessFailure{fmt::format("{}: {}", name_, to_string(*stop))};
  const ProcessResult result = process_->finish(budget.with_timeout(std::chrono::seconds(1)));
  throw ProcessFailure{fmt::format("{}: {}", name_, describe(result))};
}

void SmtlibProcess::fail_answer(std::string_view answer) const {
  throw ProcessFailure{fmt::format("{}: answered '{}'", name_, excerpt(answer))};
}

std::string SmtlibProcess::read_expression(const Budget& budget) {
  std::string text;
  AnswerEnd end;
  while (true) {
    const auto line = process_->read_line(budget);
    if (!line) fail_ended(budget);
    if (text.empty() && (line->find_first_not_of(" \t\r") == std::string::npos || *line == "success")) continue;
    text += *line;
    if (end.feed(*line)) break;
    text += '\n';
  }
  if (text.starts_with("(error")) fail_answer(text);
  return text;
}

Answer SmtlibProcess::read_answer(const Budget& budget) {
  std::string text = read_expression(budget);
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
  if (text == "sat") return Answer::Sat;
  if (text == "unsat") return Answer::Unsat;
  if (text != "unknown" && text != "timeout") fail_answer(text);
  return Answer::Unknown;
}

std::vector<term::Value> SmtlibProcess::read_values(std::span<const term::Sort> sorts, const Budget& budget) {
  const std::string text = read_expression(budget);
  auto values = parse_values(text, sorts);
  if (!values) fail_answer(text);
  return *std::move(values);
}

std::vector<std::string> SmtlibProcess::read_symbols(const Budget& budget) {
  const std::string text = read_expression(budget);
  auto symbols = parse_symbols(text);
  if (!symbols) fail_answer(text);
  return *std::move(symbols);
}

ScriptAnswer run_script(const SolverCommand& command, std::string_view script, std::string_view value_command,
                        std::span<const term::Sort> sorts, const Budget& budget) {
  try {
    SmtlibProcess process(command, budget);
    process.send(fmt::format("{}{}(exit)\n", script, value_command), budget);
    process.end_input();
    switch (process.read_answer(budget)) {
      case Answer::Sat:
        return {Result::sat(), value_command.empty() ? std::vector<term::Value>{} : process.read_values(sorts, budget)};
      case Answer::Unsat:
        return {Result::unsat(), {}};
      case Answer::Unknown:
        break;
    }
    return {Result::unknown(fmt::format("{}: unknown", command.name)), {}};
  } catch (const ProcessFailure& failure) {
    return {Result::unknown(failure.reason), {}};
  }
}

}  // namespace plumb::solve
