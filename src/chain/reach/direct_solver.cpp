#include "chain/reach/direct_solver.h"

#include <cmath>

#include "chain/reach/sweep.h"

namespace plumb::chain {

void DirectSolver::number(std::span<const StateId> component) {
  if (local_.empty()) local_.assign(chain_.states, kNotLocal);
  for (std::uint32_t i = 0; i < component.size(); ++i) local_[component[i]] = i;
}

void DirectSolver::forget(std::span<const StateId> component) {
  for (const StateId s : component) local_[s] = kNotLocal;
}

double DirectSolver::gap_below(std::span<const StateId> component) {
  double greatest = 0;
  number(component);
  for (const StateId s : component) {
    const std::uint64_t first = chain_.first_row(s);
    const std::uint64_t end = chain_.rows.begin(first + chain_.row_count(s));
    for (std::uint64_t t = chain_.rows.begin(first); t < end; ++t) {
      const StateId target = chain_.rows.target(t);
      if (local_[target] == kNotLocal) greatest = std::max(greatest, passage_.gap(target));
    }
  }
  forget(component);
  return greatest;
}

bool DirectSolver::eliminate(std::span<const StateId> component, std::uint64_t work_limit) {
  number(component);
  Elimination<double> system(static_cast<std::uint32_t>(component.size()), 2);
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const double earned = passage_.earned(s, s);
    system.constant(i, 0) = earned;
    system.constant(i, 1) = earned;
    chain_.rows.for_each(s, [&](StateId target, double weight) {
      if (target == s) return;
      if (local_[target] != kNotLocal) return system.add(i, local_[target], weight);
      system.exit(i) += weight;
      system.constant(i, 0) += weight * passage_.low[target];
      system.constant(i, 1) += weight * passage_.high[target];
    });
  }
  forget(component);
  if (!system.eliminate(work_limit, budget_)) return false;
  system.substitute();
  if (system.has_underflow()) return false;
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    passage_.low[component[i]] = system.constant(i, 0);
    passage_.high[component[i]] = std::max(system.constant(i, 0), system.constant(i, 1));
  }
  perturbation_ += system.perturbation();
  return true;
}

double DirectSolver::outside(StateId target, Aim aim) const {
  const double value = passage_.direction == Direction::Max ? passage_.low[target] : passage_.high[target];
  return aim.is_time && std::isfinite(value) ? 0 : value;
}

bool DirectSolver::evaluate(std::span<const StateId> component, std::span<const std::uint32_t> policy, Aim aim,
                            std::vector<double>& value, double& error) {
  Elimination<double> system(static_cast<std::uint32_t>(component.size()), 1);
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const std::uint64_t row = chain_.first_row(s) + policy[i];
    system.constant(i, 0) = earned(s, row, aim);
    chain_.rows.for_each(row, [&](StateId target, double weight) {
      if (target == s) return;
      if (local_[target] != kNotLocal) return system.add(i, local_[target], weight);
      system.exit(i) += weight;
      system.constant(i, 0) += weight * outside(target, aim);
    });
  }
  if (!system.eliminate(10'000'000 + 1000 * component.size(), budget_)) return false;
  system.substitute();
  if (system.has_underflow()) return false;
  value.resize(component.size());
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    value[i] = system.constant(i, 0);
    if (!std::isfinite(value[i])) return false;
  }
  error = system.perturbation();
  return true;
}

bool DirectSolver::improve(std::span<const StateId> component, Aim aim, std::span<const double> value,
                           std::vector<std::uint32_t>& policy) const {
  bool has_changed = false;
  for (std::size_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    // Differences that rounding makes would let policies alternate for ever.
    double best = value[i] * (aim.is_max ? 1 + 1e-12 : 1 - 1e-12);
    const std::uint64_t first = chain_.first_row(s);
    for (std::uint32_t choice = 0; choice < chain_.row_count(s); ++choice) {
      double sum = earned(s, first + choice, aim);
      double total = 0;
      chain_.rows.for_each(first + choice, [&](StateId target, double weight) {
        if (target == s) return;
        total += weight;
        sum += weight * (local_[target] != kNotLocal ? value[local_[target]] : outside(target, aim));
      });
      if (total == 0 || !std::isfinite(sum) || !(aim.is_max ? sum / total > best : sum / total < best)) continue;
      best = sum / total;
      has_changed |= policy[i] != choice;
      policy[i] = choice;
    }
  }
  return has_changed;
}

bool DirectSolver::optimise(std::span<const StateId> component, Aim aim, std::vector<std::uint32_t>& policy,
                            std::vector<double>& value, double& error) {
  do {
    budget_.check();
    if (!evaluate(component, policy, aim, value, error)) return false;
  } while (improve(component, aim, value, policy));
  return true;
}

std::optional<DirectSolver::PolicyValue> DirectSolver::best_policy_value(std::span<const StateId> component) {
  std::vector<std::uint32_t> policy(component.size());
  with_sweeper(passage_, [&](auto& sweeper) {
    const std::array<const double*, 1> x{passage_.low.data()};
    for (std::size_t i = 0; i < component.size(); ++i)
      sweeper.template best<1>(component[i], x, {Rounding::Down}, &policy[i]);
  });
  PolicyValue result;
  double error = 0;
  double unused = 0;
  number(component);
  const bool is_solved =
      optimise(component, {passage_.direction == Direction::Max, false}, policy, result.value, error);
  if (is_solved) {
    const std::vector<std::uint32_t> best = policy;
    if (!optimise(component, {true, true}, policy, result.time, unused) &&
        !evaluate(component, best, {true, true}, result.time, unused))
      result.time.clear();
  }
  forget(component);
  if (!is_solved) return std::nullopt;
  perturbation_ += error;
  return result;
}

}  // namespace plumb::chain
