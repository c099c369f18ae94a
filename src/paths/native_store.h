#pragma once

#include <memory>
#include <vector>

#include "paths/constraint_stack.h"
#include "paths/store.h"

namespace plumb::paths {

/// Bit-vectors, exactly: the native solver, which keeps what it learnt. Constraints are its assumptions, so the failed
/// ones name the choices. Complete, so its partial test is exact, too.
class NativeStore : public Store {
 public:
  NativeStore(TermStore& terms, const solve::SolverOptions& options);

  std::string_view name() const override { return "bits"; }
  void save() override { stack_.save(); }
  void restore() override { stack_.restore(); }
  void add(Term constraint, Choice choice) override { stack_.add(constraint, choice); }
  Answer is_feasible(const Budget& budget) override {
    return solve(budget) == Answer::Unsat ? Answer::Unsat : Answer::Unknown;
  }
  Answer solve(const Budget& budget) override;
  const term::Assignment& model() const override { return solver_->model(); }
  std::vector<Choice> core() const override { return core_; }

 private:
  ConstraintStack stack_;
  std::unique_ptr<solve::Solver> solver_;
  std::vector<Choice> core_;
};

}  // namespace plumb::paths
