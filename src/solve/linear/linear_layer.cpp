#include "solve/linear/linear_layer.h"

#include <algorithm>

namespace plumb::solve {

using term::Term;

Result LinearLayer::decide(std::span<const Term> assumptions, const Budget& budget) {
  std::vector<Term> all(assertions().begin(), assertions().end());
  all.insert(all.end(), assumptions.begin(), assumptions.end());
  auto [core, point] = relaxation_.examine(all);
  if (!point.empty()) {
    model_ = std::move(point);
    evaluator_.clear();
    if (std::all_of(all.begin(), all.end(), [&](Term t) { return evaluator_.is_true(t); })) {
      ++satisfied_;
      return Result::sat();
    }
    model_.clear();
  }
  if (!core.empty()) {
    ++refuted_;
  } else {
    const Result result = inner_->check(all, budget);
    if (result.answer == Answer::Sat) model_ = inner_->model();
    if (result.answer != Answer::Unsat) return result;
    core = inner_->failed_assumptions();
  }
  std::sort(core.begin(), core.end());
  for (const Term t : assumptions)
    if (std::binary_search(core.begin(), core.end(), t)) failed_.push_back(t);
  return Result::unsat();
}

std::vector<std::pair<std::string, double>> LinearLayer::statistics() const {
  std::vector<std::pair<std::string, double>> all = {
      {"refuted-by-linear-arithmetic", static_cast<double>(refuted_)},
      {"satisfied-by-linear-arithmetic", static_cast<double>(satisfied_)}};
  const auto inner = inner_->statistics();
  all.insert(all.end(), inner.begin(), inner.end());
  return all;
}

}  // namespace plumb::solve
