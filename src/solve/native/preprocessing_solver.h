#pragma once

#include <functional>
#include <memory>

#include "solve/native/problem.h"
#include "solve/solver.h"

namespace plumb::solve {

/// Simplifies the whole problem before each check (problem.h) and asks a new inner solver: for one hard query, not for
/// many small ones. With assumptions the problem goes to the inner solver as it is, so that failed assumptions can be
/// told.
class PreprocessingSolver : public Solver {
 public:
  using Factory = std::function<std::unique_ptr<Solver>()>;
  PreprocessingSolver(term::TermStore& store, Factory factory);

  std::string_view name() const override { return "native"; }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;

 private:
  static void simplify(Problem& problem, const Budget& budget);

  Factory factory_;
  std::unique_ptr<Solver> inner_;  ///< of the last check
  std::size_t eliminated_ = 0;
};

}  // namespace plumb::solve
