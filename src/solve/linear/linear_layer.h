#pragma once

#include <memory>

#include "solve/linear/linear_relaxation.h"
#include "solve/solver.h"

namespace plumb::solve {

/// Answers what linear arithmetic is enough for (linear_relaxation.h) and asks the inner solver otherwise, which gets
/// all constraints as assumptions and never holds an assertion.
class LinearLayer : public Solver {
 public:
  explicit LinearLayer(std::unique_ptr<Solver> inner)
      : Solver(inner->store()), inner_(std::move(inner)), relaxation_(store()), evaluator_(store(), model_) {}

  std::string_view name() const override { return inner_->name(); }
  std::vector<std::pair<std::string, double>> statistics() const override;

 protected:
  Result decide(std::span<const term::Term> assumptions, const Budget& budget) override;

 private:
  std::unique_ptr<Solver> inner_;
  LinearRelaxation relaxation_;
  term::Evaluator evaluator_;  ///< of model_
  std::uint64_t refuted_ = 0;
  std::uint64_t satisfied_ = 0;
};

}  // namespace plumb::solve
