#pragma once

#include <memory>

#include "solve/external/assertion_mirror.h"
#include "solve/external/smtlib_process.h"
#include "solve/solver.h"

namespace plumb::solve {

/// The native solver and every known SMT-LIB solver on PATH (z3, cvc5) on the same query; the first answer counts and
/// stops the others. The native solver runs in the calling thread, the processes are looked after by helper threads
/// that see text only. Unless the check is the only one, the native solver has a head start, so that easy queries start
/// no process.
class PortfolioSolver final : public Solver {
 public:
  PortfolioSolver(term::TermStore& store, const SolverOptions& options);
  ~PortfolioSolver() override;

  std::string_view name() const override { return "portfolio"; }
  /// Who gave the last answer: "native", "z3", "cvc5"; empty after Unknown and before the first check.
  std::string_view last_engine() const noexcept { return last_engine_; }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;
  void popped(std::size_t kept) override { mirror_.popped(kept); }

 private:
  void synchronise();
  Result ask_native(std::span<const term::Term> assumptions, const Budget& budget);
  Result race(std::span<const term::Term> assumptions, const Budget& budget);

  std::unique_ptr<Solver> native_;
  std::vector<SolverCommand> commands_;
  AssertionMirror mirror_;  ///< of native_
  bool one_shot_;
  std::string last_engine_;
  std::size_t races_ = 0;
  std::size_t process_answers_ = 0;
};

}  // namespace plumb::solve
