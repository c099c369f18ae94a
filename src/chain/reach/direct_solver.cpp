#include "chain/reach/direct_solver.h"

#include <cmath>
#include <limits>

#include "chain/reach/row_list.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

double DirectSolver::gap_below(std::span<const StateId> component) const {
  double greatest = 0;
  const LocalNumbers local(component);
  for (const StateId s : component) {
    const std::uint64_t first = chain_.first_row(s);
    const std::uint64_t end = chain_.rows.begin(first + chain_.row_count(s));
    for (std::uint64_t t = chain_.rows.begin(first); t < end; ++t) {
      const StateId target = chain_.rows.target(t);
      if (local[target] == kNotLocal) greatest = std::max(greatest, passage_.gap(target));
    }
  }
  return greatest;
}

bool DirectSolver::eliminate(std::span<const StateId> component, std::uint64_t work_limit) {
  const LocalNumbers local(component);
  Elimination<double> system(static_cast<std::uint32_t>(component.size()), 2);
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const double earned = passage_.earned(s, s);
    system.constant(i, 0) = earned;
    system.constant(i, 1) = earned;
    chain_.rows.for_each(s, [&](StateId target, double weight) {
      if (target == s) return;
      if (const std::uint32_t place = local[target]; place != kNotLocal) return system.add(i, place, weight);
      system.exit(i) += weight;
      system.constant(i, 0) += weight * passage_.low[target];
      system.constant(i, 1) += weight * passage_.high[target];
    });
  }
  if (!system.eliminate(work_limit, budget_)) return false;
  system.substitute(budget_);
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

bool DirectSolver::evaluate(const Part& part, std::span<const std::uint32_t> policy, Aim aim,
                            std::vector<double>& value, double& error) {
  const std::span<const StateId> component = part.states;
  Elimination<double> system(static_cast<std::uint32_t>(component.size()), 1);
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const std::uint64_t row = chain_.first_row(s) + policy[i];
    system.constant(i, 0) = earned(s, row, aim);
    chain_.rows.for_each(row, [&](StateId target, double weight) {
      if (target == s) return;
      if (const std::uint32_t place = part.numbers[target]; place != kNotLocal) return system.add(i, place, weight);
      system.exit(i) += weight;
      system.constant(i, 0) += weight * outside(target, aim);
    });
  }
  if (!system.eliminate(10'000'000 + 200 * component.size(), budget_)) return false;
  system.substitute(budget_);
  if (system.has_underflow()) return false;
  value.resize(component.size());
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    value[i] = system.constant(i, 0);
    if (!std::isfinite(value[i])) return false;
  }
  error = system.perturbation();
  return true;
}

bool DirectSolver::improve(const Part& part, Aim aim, std::span<const double> value,
                           std::vector<std::uint32_t>& policy) const {
  const std::span<const StateId> component = part.states;
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
        const std::uint32_t place = part.numbers[target];
        sum += weight * (place != kNotLocal ? value[place] : outside(target, aim));
      });
      if (total == 0 || !std::isfinite(sum) || !(aim.is_max ? sum / total > best : sum / total < best)) continue;
      best = sum / total;
      has_changed |= policy[i] != choice;
      policy[i] = choice;
    }
  }
  return has_changed;
}

bool DirectSolver::optimise(const Part& part, Aim aim, std::vector<std::uint32_t>& policy, std::vector<double>& value,
                            double& error) {
  do {
    budget_.check();
    if (!evaluate(part, policy, aim, value, error)) return false;
  } while (improve(part, aim, value, policy));
  return true;
}

std::vector<std::uint32_t> DirectSolver::greedy_policy(std::span<const StateId> component) const {
  std::vector<std::uint32_t> policy(component.size());
  if (chain_.kind != Kind::Mdp) return policy;
  with_sweeper(passage_, [&](auto& sweeper) {
    const Vectors<1> x{{passage_.low.data()}};
    RowList list;
    for (std::size_t i = 0; i < component.size(); ++i) {
      list.load(chain_, component.subspan(i, 1));
      sweeper.template best<1>(component[i], list.rows(0), x, {Rounding::Down}, &policy[i]);
    }
  });
  return policy;
}

std::optional<DirectSolver::PolicyValue> DirectSolver::best_policy_value(std::span<const StateId> component) {
  std::vector<std::uint32_t> policy = greedy_policy(component);
  PolicyValue result;
  double error = 0;
  double unused = 0;
  const Part part{component, LocalNumbers(component)};
  const bool is_solved = optimise(part, {passage_.direction == Direction::Max, false}, policy, result.value, error);
  if (is_solved) {
    const std::vector<std::uint32_t> best = policy;
    if (!optimise(part, {true, true}, policy, result.time, unused) &&
        !evaluate(part, best, {true, true}, result.time, unused))
      result.time.clear();
  }
  if (!is_solved) return std::nullopt;
  perturbation_ += error;
  return result;
}

bool DirectSolver::approximate(const Part& part, std::span<const std::uint32_t> policy, Aim aim, double tolerance,
                               std::vector<double>& value) {
  const std::span<const StateId> component = part.states;
  PolicySystem system(chain_, component, policy, component.size() >= kLargeComponent ? crew_ : nullptr, budget_);
  std::vector<double> constants(system.size());
  std::vector<double> x(system.size());
  std::uint64_t transitions = 0;
  for (std::size_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const std::uint64_t row = chain_.first_row(s) + policy[i];
    double sum = aim.is_time ? 0 : passage_.earned(s, row);
    double total = 0;
    chain_.rows.for_each(row, [&](StateId target, double weight) {
      ++transitions;
      if (target == s) return;
      total += weight;
      if (part.numbers[target] == kNotLocal) sum += weight * outside(target, aim);
    });
    constants[system.place(s)] = aim.is_time ? 1 : sum / total;
    if (!value.empty()) x[system.place(s)] = value[i];
    if (total == 0 || !std::isfinite(sum)) return false;
  }
  const bool is_solved = system.solve(constants, x, tolerance);
  transitions_ += system.passes() * transitions;
  value.resize(component.size());
  for (std::size_t i = 0; i < component.size(); ++i) value[i] = x[system.place(component[i])];
  return is_solved;
}

std::optional<DirectSolver::PolicyValue> DirectSolver::approximate_value(std::span<const StateId> component,
                                                                         double tolerance) {
  constexpr int kRounds = 30;
  constexpr double kTimeTolerance = 0.25;
  const Part part{component, LocalNumbers(component)};
  const Aim aim{passage_.direction == Direction::Max, false};
  const Aim time{true, true};
  std::vector<std::uint32_t> policy = greedy_policy(component);
  PolicyValue result;
  result.value.resize(component.size());
  for (std::size_t i = 0; i < component.size(); ++i) result.value[i] = passage_.low[component[i]];
  for (int round = 0;; ++round) {
    if (round == kRounds || !approximate(part, policy, time, kTimeTolerance, result.time)) return std::nullopt;
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < component.size(); ++i)
      room = std::min(room, tolerance * passage_.scale(result.value[i]) / result.time[i]);
    if (!approximate(part, policy, aim, 0.1 * room, result.value)) return std::nullopt;
    if (chain_.kind != Kind::Mdp || !improve(part, aim, result.value, policy)) break;
  }
  if (chain_.kind != Kind::Mdp) return result;
  // Other policies may take longer.
  std::vector<double> longer = result.time;
  for (int round = 0; round < kRounds && improve(part, time, longer, policy); ++round)
    if (!approximate(part, policy, time, kTimeTolerance, longer)) return result;
  result.time = std::move(longer);
  return result;
}

}  // namespace plumb::chain
