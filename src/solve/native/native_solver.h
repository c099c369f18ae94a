#pragma once

#include <memory>

#include "solve/solver.h"

namespace plumb::solve {

/// The native backend: blast_solver.h, behind preprocessing for a single query (preprocessing_solver.h) or, for many,
/// behind the query layer (query_layer.h) and linear arithmetic (linear_layer.h).
std::unique_ptr<Solver> make_native_solver(term::TermStore& store, const SolverOptions& options);

}  // namespace plumb::solve
