#pragma once

#include <memory>

#include "solve/solver.h"

namespace plumb::solve {

/// Z3 as a library, incremental. Terms are translated once. Problems without arrays go to Z3's incremental bit-vector
/// solver; the first array moves all assertions to its general one. Failed assumptions are Z3's unsat core.
class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(term::TermStore& store);
  ~Z3Solver() override;

  std::string_view name() const override { return "z3"; }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;
  void popped(std::size_t kept) override;

 private:
  class Session;
  std::unique_ptr<Session> session_;  ///< made at the first check, and again after one that had to be broken off
  std::size_t checks_ = 0;
};

}  // namespace plumb::solve
