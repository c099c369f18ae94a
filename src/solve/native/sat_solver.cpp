#include "solve/native/sat_solver.h"

#include <algorithm>
#include <cadical.hpp>
#include <cstdlib>

namespace plumb::solve {

namespace {

class BudgetTerminator : public CaDiCaL::Terminator {
 public:
  explicit BudgetTerminator(const Budget& budget) : budget_(budget) {}
  bool terminate() override { return budget_.exceeded().has_value(); }

 private:
  const Budget& budget_;
};

}  // namespace

struct SatSolver::Internals {
  CaDiCaL::Solver solver;
};

SatSolver::SatSolver(const SolverOptions& options) : internals_(std::make_unique<Internals>()) {
  CaDiCaL::Solver& solver = internals_->solver;
  solver.set("quiet", 1);
  // Of a large formula ten conflicts take seconds.
  solver.set("terminateint", 0);
  solver.set("seed", static_cast<int>((options.seed - 1) % INT32_MAX));
  if (!options.one_shot) {
    // Simplification between searches and the look for a lucky assignment pass over all clauses: too much for a query
    // of microseconds.
    solver.set("inprocessing", 0);
    solver.set("lucky", 0);
  }
}

SatSolver::~SatSolver() = default;

void SatSolver::add_clause(std::span<const int> literals) {
  for (const int literal : literals) {
    internals_->solver.add(literal);
    largest_ = std::max(largest_, std::abs(literal));
  }
  internals_->solver.add(0);
  ++clauses_;
}

Answer SatSolver::solve(std::span<const int> assumptions, const Budget& budget, int max_conflicts) {
  BudgetTerminator terminator(budget);
  internals_->solver.connect_terminator(&terminator);
  for (const int literal : assumptions) {
    internals_->solver.assume(literal);
    largest_ = std::max(largest_, std::abs(literal));
  }
  if (max_conflicts > 0) internals_->solver.limit("conflicts", max_conflicts);
  const int status = internals_->solver.solve();
  internals_->solver.disconnect_terminator();
  if (status == 10) return Answer::Sat;
  if (status == 20) return Answer::Unsat;
  return Answer::Unknown;
}

bool SatSolver::value(int literal) const {
  if (std::abs(literal) > largest_) return literal < 0;
  return (internals_->solver.val(std::abs(literal)) > 0) == (literal > 0);
}

bool SatSolver::failed(int literal) const { return internals_->solver.failed(literal); }

}  // namespace plumb::solve
