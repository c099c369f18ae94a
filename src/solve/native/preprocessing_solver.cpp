#include "solve/native/preprocessing_solver.h"

#include "solve/linear/linear_relaxation.h"

namespace plumb::solve {

namespace {

/// Passes enable each other; after this many rounds what is still to gain is not worth a pass over the whole problem.
constexpr int kMaxRounds = 12;

}  // namespace

PreprocessingSolver::PreprocessingSolver(term::TermStore& store, Factory factory)
    : Solver(store), factory_(std::move(factory)) {}

void PreprocessingSolver::simplify(Problem& problem, const Budget& budget) {
  for (int round = 0; round < kMaxRounds && !problem.is_false(); ++round) {
    bool changed = solve_equations(problem, budget);
    changed = flatten(problem) || changed;
    changed = propagate_facts(problem, budget) || changed;
    changed = flatten(problem) || changed;
    changed = eliminate_unconstrained(problem, budget) || changed;
    changed = flatten(problem) || changed;
    if (!changed) return;
  }
}

Result PreprocessingSolver::decide(std::span<const term::Term> assumptions, const Budget& budget) {
  Problem problem(store());
  problem.assertions.assign(assertions().begin(), assertions().end());
  if (assumptions.empty()) {
    flatten(problem);
    // Before the passes, which may hide a sum behind a new variable.
    if (!LinearRelaxation(store()).examine(problem.assertions).core.empty()) return Result::unsat();
    simplify(problem, budget);
  }
  eliminated_ = problem.definitions.size();
  if (problem.is_false()) return Result::unsat();
  inner_ = factory_();
  for (const term::Term t : problem.assertions) inner_->assert_true(t);
  Result result = inner_->check(assumptions, budget);
  if (result.answer == Answer::Unsat) failed_ = inner_->failed_assumptions();
  if (result.answer == Answer::Sat) {
    model_ = inner_->model();
    problem.complete(model_);
  }
  return result;
}

std::vector<std::pair<std::string, double>> PreprocessingSolver::statistics() const {
  std::vector<std::pair<std::string, double>> all = {{"eliminated-variables", static_cast<double>(eliminated_)}};
  if (inner_) {
    const auto inner = inner_->statistics();
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

}  // namespace plumb::solve
