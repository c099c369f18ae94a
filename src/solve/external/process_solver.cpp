#include "solve/external/process_solver.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/error.h"
#include "solve/external/assertion_mirror.h"
#include "solve/external/smtlib_query.h"
#include "term/traverse.h"

namespace plumb::solve {

using term::Term;

/// A process that has our assertions, in scopes that match ours.
class ProcessSolver::Session {
 public:
  Session(const term::TermStore& store, const SolverCommand& command, const Budget& budget)
      : store_(store), process_(command, budget), has_unsat_assumptions_(command.has_unsat_assumptions) {
    // Whether arrays will come is not known yet.
    text_ = command.prologue(true, true);
  }

  Answer check(std::span<const Term> assertions, std::size_t permanent, std::span<const Term> assumptions,
               const Budget& budget);
  void popped(std::size_t kept) noexcept { mirror_.popped(kept); }

  term::Assignment model;    ///< of the last check
  std::vector<Term> failed;  ///< of the last check

  // What AssertionMirror asks for.
  void push() { text_ += "(push 1)\n"; }
  void pop(std::size_t n);
  void add(std::size_t first, std::size_t last) {
    append(print_batch(store_, assertions_.subspan(first, last - first), {}, ++batches_), mirror_.depth());
  }

 private:
  /// Adds a batch that stands in a scope of this depth to what is to be sent.
  void append(const SmtlibBatch& batch, std::size_t depth);
  void forget_declarations(std::size_t depth);
  void read_model(const Budget& budget);
  void read_failed(std::span<const Term> assumptions, std::span<const std::string> assumed, const Budget& budget);

  const term::TermStore& store_;
  SmtlibProcess process_;
  bool has_unsat_assumptions_;
  std::string text_;  ///< to be sent with the next check
  AssertionMirror mirror_;
  std::span<const Term> assertions_;                    ///< of the current check
  std::vector<std::pair<Term, std::size_t>> declared_;  ///< variables and the depth of their scope, ascending in it
  term::TermSet is_declared_;
  std::size_t batches_ = 0;
};

void ProcessSolver::Session::append(const SmtlibBatch& batch, std::size_t depth) {
  for (const SmtlibBatch::Declaration& declaration : batch.declarations) {
    if (is_declared_.contains(declaration.variable)) continue;
    is_declared_[declaration.variable] = {};
    declared_.emplace_back(declaration.variable, depth);
    text_ += declaration.command;
  }
  text_ += batch.body;
}

void ProcessSolver::Session::forget_declarations(std::size_t depth) {
  while (!declared_.empty() && declared_.back().second > depth) {
    is_declared_.erase(declared_.back().first);
    declared_.pop_back();
  }
}

void ProcessSolver::Session::pop(std::size_t n) {
  text_ += fmt::format("(pop {})\n", n);
  forget_declarations(mirror_.depth());
}

Answer ProcessSolver::Session::check(std::span<const Term> assertions, std::size_t permanent,
                                     std::span<const Term> assumptions, const Budget& budget) {
  assertions_ = assertions;
  model.clear();
  failed.clear();
  mirror_.synchronise(*this, permanent, assertions.size());
  // Assumptions live in a scope of their own, so that thousands of checks leave nothing behind.
  std::vector<std::string> assumed;
  if (!assumptions.empty()) {
    push();
    const SmtlibBatch batch = print_batch(store_, {}, assumptions, ++batches_);
    append(batch, mirror_.depth() + 1);
    assumed = batch.assumed;
  }
  text_ += check_command(assumed);
  process_.send(text_, budget);
  text_.clear();
  const Answer answer = process_.read_answer(budget);
  if (answer == Answer::Sat) read_model(budget);
  if (answer == Answer::Unsat) read_failed(assumptions, assumed, budget);
  if (!assumptions.empty()) {
    text_ += "(pop 1)\n";
    forget_declarations(mirror_.depth());
  }
  return answer;
}

void ProcessSolver::Session::read_model(const Budget& budget) {
  if (declared_.empty()) return;
  std::vector<std::string> symbols;
  std::vector<term::Sort> sorts;
  for (const auto& [variable, depth] : declared_) {
    symbols.push_back(smtlib_symbol(variable));
    sorts.push_back(store_.sort(variable));
  }
  process_.send(value_command(symbols), budget);
  std::vector<term::Value> values = process_.read_values(sorts, budget);
  for (std::size_t i = 0; i < values.size(); ++i) model.emplace(declared_[i].first, std::move(values[i]));
}

void ProcessSolver::Session::read_failed(std::span<const Term> assumptions, std::span<const std::string> assumed,
                                         const Budget& budget) {
  if (assumptions.empty()) return;
  if (!has_unsat_assumptions_) {
    failed.assign(assumptions.begin(), assumptions.end());
    return;
  }
  process_.send("(get-unsat-assumptions)\n", budget);
  const std::vector<std::string> core = process_.read_symbols(budget);
  const absl::flat_hash_set<std::string> in_core(core.begin(), core.end());
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    if (in_core.contains(assumed[i])) failed.push_back(assumptions[i]);
}

ProcessSolver::ProcessSolver(term::TermStore& store, SolverCommand command, ProcessMode mode)
    : Solver(store), command_(std::move(command)), mode_(mode) {
  INVARIANT(!command_.arguments.empty(), "a solver's command should name a program");
}
ProcessSolver::~ProcessSolver() = default;

void ProcessSolver::popped(std::size_t kept) {
  if (session_) session_->popped(kept);
}

Result ProcessSolver::decide(std::span<const Term> assumptions, const Budget& budget) {
  ++checks_;
  if (mode_ == ProcessMode::OneProcessPerCheck) return decide_in_new_process(assumptions, budget);
  return decide_in_session(assumptions, budget);
}

Result ProcessSolver::decide_in_new_process(std::span<const Term> assumptions, const Budget& budget) {
  ++processes_;
  const PrintedQuery query = print_query(store(), assertions(), assumptions);
  ScriptAnswer answer = run_script(command_, command_.prologue(query.has_arrays, false) + query.body,
                                   query.value_command, query.sorts, budget);
  for (std::size_t i = 0; i < answer.values.size(); ++i)
    model_.emplace(query.variables[i], std::move(answer.values[i]));
  if (answer.result.answer == Answer::Unsat) failed_.assign(assumptions.begin(), assumptions.end());
  return answer.result;
}

Result ProcessSolver::decide_in_session(std::span<const Term> assumptions, const Budget& budget) {
  // Whatever ends a check early leaves answers unread, so only a session that is put back is used again.
  std::unique_ptr<Session> session = std::move(session_);
  try {
    if (!session) {
      ++processes_;
      session = std::make_unique<Session>(store(), command_, budget);
    }
    const Answer answer = session->check(assertions(), permanent(), assumptions, budget);
    model_ = std::move(session->model);
    failed_ = std::move(session->failed);
    session_ = std::move(session);
    if (answer == Answer::Unknown) return Result::unknown(fmt::format("{}: unknown", command_.name));
    return {answer, {}};
  } catch (const ProcessFailure& failure) {
    return Result::unknown(failure.reason);
  }
}

std::vector<std::pair<std::string, double>> ProcessSolver::statistics() const {
  return {{"process checks", static_cast<double>(checks_)}, {"processes started", static_cast<double>(processes_)}};
}

PrintedQuery print_query(const term::TermStore& store, std::span<const Term> assertions,
                         std::span<const Term> assumptions) {
  const SmtlibBatch batch = print_batch(store, assertions, assumptions, 0);
  PrintedQuery query;
  query.has_arrays = batch.has_arrays;
  std::vector<std::string> symbols;
  for (const SmtlibBatch::Declaration& declaration : batch.declarations) {
    query.body += declaration.command;
    query.variables.push_back(declaration.variable);
    query.sorts.push_back(store.sort(declaration.variable));
    symbols.push_back(smtlib_symbol(declaration.variable));
  }
  query.body += batch.body;
  query.body += check_command(batch.assumed);
  if (!symbols.empty()) query.value_command = value_command(symbols);
  return query;
}

}  // namespace plumb::solve
