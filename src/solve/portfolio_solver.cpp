#include "solve/portfolio_solver.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "base/subprocess.h"
#include "solve/external/process_solver.h"
#include "solve/native/native_solver.h"

namespace plumb::solve {
namespace {

using term::Term;

constexpr std::chrono::duration<double> kHeadStart{0.2};

bool is_definite(const Result& result) { return result.answer != Answer::Unknown; }

/// The processes of one race. The first definite answer cancels the race's budget, which stops all others.
class Runners {
 public:
  Runners(const std::vector<SolverCommand>& commands, const PrintedQuery& query, const Budget& budget)
      : query_(query), budget_(budget), answers_(commands.size()) {
    for (std::size_t i = 0; i < commands.size(); ++i)
      threads_.emplace_back([this, &command = commands[i], i] { run(command, i); });
  }
  ~Runners() { budget_.cancel(); }
  Runners(const Runners&) = delete;
  Runners& operator=(const Runners&) = delete;

  /// After this all answers are there.
  void wait() { threads_.clear(); }
  /// The number of the first definite answer.
  std::optional<std::size_t> first() const { return first_; }
  ScriptAnswer& answer(std::size_t i) { return answers_[i]; }

 private:
  void run(const SolverCommand& command, std::size_t i) {
    try {
      answers_[i] = run_script(command, command.prologue(query_.has_arrays, false) + query_.body, query_.value_command,
                               query_.sorts, budget_);
    } catch (const std::exception& e) {
      answers_[i] = {Result::unknown(fmt::format("{}: {}", command.name, e.what())), {}};
    }
    if (!is_definite(answers_[i].result)) return;
    const std::scoped_lock lock(mutex_);
    if (!first_) first_ = i;
    budget_.cancel();
  }

  const PrintedQuery& query_;
  Budget budget_;
  std::vector<ScriptAnswer> answers_;
  std::mutex mutex_;
  std::optional<std::size_t> first_;
  std::vector<std::jthread> threads_;  // last: ends before what it uses
};

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
  const Budget shared = budget.with_own_cancellation();
  Runners runners(commands_, query, shared);
  const Result native = ask_native(assumptions, shared);
  if (is_definite(native)) return native;
  runners.wait();
  const auto first = runners.first();
  if (!first) {
    budget.check();
    std::string reasons = fmt::format("{}: {}", native_->name(), native.reason);
    for (std::size_t i = 0; i < commands_.size(); ++i) reasons += "; " + runners.answer(i).result.reason;
    return Result::unknown(std::move(reasons));
  }
  ++process_answers_;
  last_engine_ = commands_[*first].name;
  ScriptAnswer& answer = runners.answer(*first);
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
