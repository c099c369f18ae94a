#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/budget.h"
#include "circuit/cnf.h"
#include "solve/solver.h"

namespace plumb::solve {

/// CaDiCaL behind our interfaces: clauses in, assumptions, a budget that is kept. Literals are non-zero integers as in
/// DIMACS.
class SatSolver : public circuit::ClauseSink {
 public:
  /// With one_shot, time goes into simplification too, as pays for a single hard problem but not for thousands of small
  /// ones.
  explicit SatSolver(const SolverOptions& options);
  ~SatSolver() override;

  void add_clause(std::span<const int> literals) override;
  /// Unknown when the budget ends or, with `max_conflicts` > 0, after about so many conflicts.
  Answer solve(std::span<const int> assumptions, const Budget& budget, int max_conflicts = 0);
  /// After Sat. A variable that is in no clause has some value too.
  bool value(int literal) const;
  /// After Unsat: the assumption was used.
  bool failed(int literal) const;

  std::uint64_t clauses() const noexcept { return clauses_; }

 private:
  struct Internals;
  std::unique_ptr<Internals> internals_;
  std::uint64_t clauses_ = 0;
  int largest_ = 0;  ///< variable in any clause
};

}  // namespace plumb::solve
