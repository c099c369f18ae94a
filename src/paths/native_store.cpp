#include "paths/native_store.h"

#include "solve/native/blast_solver.h"

namespace plumb::paths {

NativeStore::NativeStore(TermStore& terms, const solve::SolverOptions& options)
    : solver_(std::make_unique<solve::BlastSolver>(terms, options)) {}

Answer NativeStore::solve(const Budget& budget) {
  const Answer answer = solver_->check(stack_.constraints(), budget).answer;
  if (answer == Answer::Unsat) core_ = stack_.choices_of(solver_->failed_assumptions());
  return answer;
}

}  // namespace plumb::paths
