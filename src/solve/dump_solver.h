#pragma once

#include <filesystem>
#include <memory>

#include "solve/external/assertion_mirror.h"
#include "solve/solver.h"

namespace plumb::solve {

/// Writes each query to `directory` as query-000001.smt2, …, before passing it on; every file stands alone. A file ends
/// with the time and the answer in comments once there is one, so that a query on which the process died is found by
/// its missing answer.
class DumpSolver final : public Solver {
 public:
  /// Makes the directory. Throws UserError if that or a later write fails.
  DumpSolver(std::unique_ptr<Solver> inner, std::filesystem::path directory);

  std::string_view name() const override { return inner_->name(); }
  std::vector<std::pair<std::string, double>> statistics() const override { return inner_->statistics(); }

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;
  void popped(std::size_t kept) override { mirror_.popped(kept); }

 private:
  std::unique_ptr<Solver> inner_;
  std::filesystem::path directory_;
  AssertionMirror mirror_;  ///< of inner_
  std::size_t count_ = 0;
};

}  // namespace plumb::solve
