#include "solve/native/native_solver.h"

#include "solve/linear/linear_layer.h"
#include "solve/native/blast_solver.h"
#include "solve/native/preprocessing_solver.h"
#include "solve/query_layer.h"

namespace plumb::solve {

std::unique_ptr<Solver> make_native_solver(term::TermStore& store, const SolverOptions& options) {
  const auto core = [&store, options] { return std::make_unique<BlastSolver>(store, options); };
  if (options.one_shot) return std::make_unique<PreprocessingSolver>(store, core);
  return std::make_unique<QueryLayer>(std::make_unique<LinearLayer>(core()));
}

}  // namespace plumb::solve
