#include "solve/portfolio_solver.h"

#include <fmt/format.h>

#include <chrono>

#include "base/parallel/race.h"
#include "base/subprocess.h"
#include "solve/external/process_solver.h"
#include "solve/native/native_solver.h"

namespace plumb::solve {
namespace {

using term::Term;

constexpr std::chrono::duration<double> kHeadStart{0.2};

bool is_definite(const Result& result) { return result.answer != Answer::Unknown; }

}  // namespace

PortfolioSolver::PortfolioSolver(term::TermStore& store, const SolverOptions& options)
    : Solver(store), native_(make_native_solver(store, options)), one_shot_(options.one_shot) {
  for (const std::string_view program : {"z3", "cvc5"})
    if (find_program(program)) commands_.push_back(SolverCommand::of(program));
}
PortfolioSolver::~PortfolioSolver() = default;

void PortfolioSolver::synchronise() {
  struct {
    Solver& native;
    std::span<const Term> assertions;
    void push() { native.push(); }
    void pop(std::size_t n) { native.pop(n); }
    void add(std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) native.assert_true(assertions[i]);
    }
  } target{*native_, assertions()};
  mirror_.synchronise(target, permanent(), assertions().size());
}

Result PortfolioSolver::ask_native(std::span<const Term> assumptions, const Budget& budget) {
  Result result = native_->check(assumptions, budget);
  if (!is_definite(result)) return result;
  last_engine_ = native_->name();
  model_ = native_->model();
  failed_ = native_->failed_assumptions();
  return result;
}

Result PortfolioSolver::decide(std::span<const Term> assumptions, const Budget& budget) {
  last_engine_.clear();
  synchronise();
  if (commands_.empty()) return ask_native(assumptions, budget);
  if (!one_shot_) {
    Result result = ask_native(assumptions, budget.with_timeout(kHeadStart));
    if (is_definite(result)) return result;
    budget.check();
  }
  return race(assumptions, budget);
}

Result PortfolioSolver::race(std::span<const Term> assumptions, const Budget& budget) {
  ++races_;
  const PrintedQuery query = print_query(store(), assertions(), assumptions);
  std::vector<ScriptAnswer> answers(commands_.size());
  std::vector<parallel::Race::Runner> runners;
  for (std::size_t i = 0; i < commands_.size(); ++i)
    runners.push_back({[&, i](const Budget& shared) {
      const std::string script = commands_[i].prologue(query.has_arrays, false) + query.body;
      answers[i] = run_script(commands_[i], script, query.value_command, query.sorts, shared);
      return is_definite(answers[i].result);
    }});
  parallel::Race race(budget);
  race.start(std::move(runners));
  const Result native = ask_native(assumptions, race.budget());
  if (is_definite(native)) return native;
  race.wait();
  const auto first = race.winner();
  if (!first) {
    budget.check();
    std::string reasons = fmt::format("{}: {}", native_->name(), native.reason);
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      const std::string& failure = race.outcome(i).reason;
      reasons +=
          failure.empty() ? "; " + answers[i].result.reason : fmt::format("; {}: {}", commands_[i].name, failure);
    }
    return Result::unknown(std::move(reasons));
  }
  ++process_answers_;
  last_engine_ = commands_[*first].name;
  ScriptAnswer& answer = answers[*first];
  for (std::size_t i = 0; i < answer.values.size(); ++i)
    model_.emplace(query.variables[i], std::move(answer.values[i]));
  if (answer.result.answer == Answer::Unsat) failed_.assign(assumptions.begin(), assumptions.end());
  return answer.result;
}

std::vector<std::pair<std::string, double>> PortfolioSolver::statistics() const {
  auto result = native_->statistics();
  result.emplace_back("races", static_cast<double>(races_));
  result.emplace_back("races won by a process", static_cast<double>(process_answers_));
  return result;
}

}  // namespace plumb::solve
