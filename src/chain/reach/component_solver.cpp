#include "chain/reach/component_solver.h"

#include <limits>

namespace plumb::chain {

namespace {

using Method = AnalysisOptions::Method;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Elimination comes at once for components of so few states, and after so many sweeps for others up to a size.
constexpr std::size_t kFewStates = 64;
constexpr std::uint64_t kPatience = 40;
constexpr std::array<Rounding, 2> kDownAndUp{Rounding::Down, Rounding::Up};
constexpr std::size_t kMostEliminated = 2'000'000;

}  // namespace

template <typename Index>
ComponentSolver<Index>::ComponentSolver(Passage& passage, const AnalysisOptions& options, const Budget& budget,
                                        Sweeper<Index>& sweeper, PassageOutcome& outcome)
    : passage_(passage),
      chain_(*passage.chain),
      options_(options),
      budget_(budget),
      sweeper_(sweeper),
      outcome_(outcome),
      is_few_(passage.open.count() <= kFewForFractions),
      direct_(passage, budget) {}

template <typename Index>
void ComponentSolver<Index>::solve(std::span<const StateId> component, double tolerance) {
  if (component.size() == 1) return solve_single(component[0]);
  start(component);
  if (options_.method == Method::Value) {
    ++outcome_.iterated;
    return iterate_without_bound(component);
  }
  if (may_eliminate() && chain_.kind != Kind::Mdp &&
      (component.size() <= kFewStates || options_.method == Method::Policy) && eliminate(component, ~std::uint64_t{0}))
    return;
  tolerance = std::max(tolerance, 1.25 * direct_.gap_below(component));
  if (options_.method == Method::Policy && chain_.kind == Kind::Mdp && improve_policy(component, tolerance)) return;
  ++outcome_.iterated;
  iterate(component, tolerance);
}

template <typename Index>
void ComponentSolver<Index>::solve_single(StateId s) {
  const auto value = sweeper_.template best<2>(s, Pair{passage_.low.data(), passage_.high.data()}, kDownAndUp);
  passage_.low[s] = std::max(0.0, value[0]);
  passage_.high[s] = std::max(passage_.low[s], value[1]);
}

template <typename Index>
void ComponentSolver<Index>::start(std::span<const StateId> component) {
  has_high_ = passage_.is_probability;
  for (const StateId s : component) {
    passage_.low[s] = 0;
    passage_.high[s] = has_high_ ? 1 : kInfinity;
  }
}

template <typename Index>
template <std::size_t N>
void ComponentSolver<Index>::update(StateId s, const std::array<double, N>& value, Progress& progress) {
  double& low = passage_.low[s];
  if (value[0] > low) {
    progress.change = std::max(progress.change, (value[0] - low) / scale(value[0]));
    low = value[0];
    progress.has_moved = true;
  }
  if constexpr (N == 2) {
    double& high = passage_.high[s];
    if (value[1] < high) {
      // Rounding may carry the bounds past each other by some ulps.
      high = std::max(value[1], low);
      progress.has_moved = true;
    }
  }
  progress.gap = std::max(progress.gap, passage_.gap(s));
}

template <typename Index>
typename ComponentSolver<Index>::Progress ComponentSolver<Index>::sweep(std::span<const StateId> component,
                                                                        bool backward) {
  if (options_.method == Method::Jacobi) return sweep_together(component);
  Progress progress;
  const double* low = passage_.low.data();
  const double* high = passage_.high.data();
  const std::size_t size = component.size();
  for (std::size_t i = 0; i < size; ++i) {
    const StateId s = component[backward ? size - 1 - i : i];
    if (has_high_)
      update(s, sweeper_.template best<2>(s, Pair{low, high}, kDownAndUp), progress);
    else
      update(s, sweeper_.template best<1>(s, {low}, {Rounding::Down}), progress);
    if ((i & 0xfffff) == 0xfffff) budget_.check();
  }
  return progress;
}

template <typename Index>
typename ComponentSolver<Index>::Progress ComponentSolver<Index>::sweep_together(std::span<const StateId> component) {
  Progress progress;
  scratch_.resize(2 * component.size());
  for (std::size_t i = 0; i < component.size(); ++i) {
    const auto value =
        sweeper_.template best<2>(component[i], Pair{passage_.low.data(), passage_.high.data()}, kDownAndUp);
    scratch_[2 * i] = value[0];
    scratch_[2 * i + 1] = value[1];
    if ((i & 0xfffff) == 0xfffff) budget_.check();
  }
  for (std::size_t i = 0; i < component.size(); ++i)
    update(component[i], std::array<double, 2>{scratch_[2 * i], has_high_ ? scratch_[2 * i + 1] : kInfinity}, progress);
  return progress;
}

template <typename Index>
void ComponentSolver<Index>::iterate(std::span<const StateId> component, double tolerance) {
  const bool may_be_direct = may_eliminate();
  double goal = tolerance;
  std::uint64_t next_direct = kPatience;
  std::uint64_t last_check = sweeper_.transitions();
  for (std::uint64_t sweeps = 1;; ++sweeps) {
    const Progress progress = sweep(component, sweeps % 2 == 0);
    if (progress.gap <= tolerance) return;
    if (progress.change <= goal) {
      if (verify_guess(component, tolerance, 8 + sweeps / 4)) return;
      goal = progress.change / 8;
    }
    if (!progress.has_moved || (may_be_direct && is_few_ && sweeps > 10 * kPatience)) {
      outcome_.is_closed = false;
      return;
    }
    if (sweeps == next_direct && may_be_direct && component.size() <= kMostEliminated) {
      next_direct *= 8;
      if (chain_.kind == Kind::Mdp ? improve_policy(component, tolerance)
                                   : eliminate(component, 1'000'000 + 50 * sweeps * component.size())) {
        --outcome_.iterated;
        return;
      }
    }
    if (sweeper_.transitions() - last_check > 1'000'000) {
      budget_.check();
      last_check = sweeper_.transitions();
    }
  }
}

template <typename Index>
void ComponentSolver<Index>::iterate_without_bound(std::span<const StateId> component) {
  has_high_ = false;
  outcome_.is_guaranteed = false;
  Progress progress;
  std::uint64_t sweeps = 0;
  do {
    progress = sweep(component, false);
    if ((++sweeps & 0xff) == 0) budget_.check();
  } while (progress.change > 0.1 * options_.epsilon);
  outcome_.residual = std::max(outcome_.residual, progress.change);
  for (const StateId s : component) passage_.high[s] = passage_.low[s];
}

template <typename Index>
bool ComponentSolver<Index>::verify_guess(std::span<const StateId> component, double tolerance,
                                          std::uint64_t attempts) {
  scratch_.resize(component.size());
  for (std::size_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    scratch_[i] = passage_.high[s];
    passage_.high[s] = std::min(scratch_[i], passage_.low[s] + 0.99 * tolerance * scale(passage_.low[s]));
  }
  return verify(component, Direction::Max, attempts);
}

template <typename Index>
bool ComponentSolver<Index>::verify(std::span<const StateId> component, Direction side, std::uint64_t attempts) {
  const bool is_upper = side == Direction::Max;
  double* const bound = is_upper ? passage_.high.data() : passage_.low.data();
  double* const other = is_upper ? passage_.low.data() : passage_.high.data();
  const std::size_t size = component.size();
  const auto is_beyond = [is_upper](double a, double b) { return is_upper ? a > b : a < b; };
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    bool is_verified = true;
    bool is_refuted = false;
    for (std::size_t i = 0; i < size && !is_refuted; ++i) {
      const StateId s = component[attempt % 2 == 0 ? i : size - 1 - i];
      const double value = sweeper_.template best<1>(s, {bound}, {is_upper ? Rounding::Up : Rounding::Down})[0];
      if (is_beyond(value, bound[s]))
        is_verified = false;
      else
        bound[s] = value;
      // Rounding may carry the bounds past each other by some ulps.
      is_refuted = is_beyond(other[s] * (is_upper ? 1 - 1e-14 : 1 + 1e-14), bound[s]);
    }
    if (is_refuted) break;
    if (is_verified) {
      if (is_upper) has_high_ = true;
      for (const StateId s : component) passage_.high[s] = std::max(passage_.high[s], passage_.low[s]);
      return true;
    }
    if ((attempt & 0xff) == 0xff || size > 100'000) budget_.check();
  }
  for (std::size_t i = 0; i < size; ++i) bound[component[i]] = scratch_[i];
  return false;
}

template <typename Index>
bool ComponentSolver<Index>::eliminate(std::span<const StateId> component, std::uint64_t work_limit) {
  if (!direct_.eliminate(component, work_limit)) return false;
  ++outcome_.eliminated;
  return true;
}

template <typename Index>
bool ComponentSolver<Index>::improve_policy(std::span<const StateId> component, double tolerance) {
  const auto policy = direct_.best_policy_value(component);
  if (!policy) return false;
  const bool is_max = passage_.direction == Direction::Max;
  std::vector<double>& known = is_max ? passage_.low : passage_.high;
  std::vector<double>& guessed = is_max ? passage_.high : passage_.low;
  double part = kInfinity;
  scratch_.resize(component.size());
  for (std::size_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    const double value = policy->value[i];
    known[s] = is_max ? std::min(std::max(known[s], value), passage_.high[s])
                      : std::max(std::min(known[s], value), passage_.low[s]);
    scratch_[i] = guessed[s];
    if (!policy->time.empty()) part = std::min(part, 0.9 * tolerance * scale(known[s]) / policy->time[i]);
  }
  if (!is_max) has_high_ = true;
  if (policy->time.empty()) return false;
  // The narrower guess may drown in rounding, but costs only a sweep or two to try.
  for (const double width : {1e-4, 1.0}) {
    for (std::size_t i = 0; i < component.size(); ++i) {
      const double room = width * part * policy->time[i];
      guessed[component[i]] =
          is_max ? std::min(scratch_[i], policy->value[i] + room) : std::max(scratch_[i], policy->value[i] - room);
    }
    if (!verify(component, passage_.direction, width < 1 ? 2 : kPatience)) continue;
    ++outcome_.eliminated;
    return true;
  }
  return false;
}

template class ComponentSolver<std::uint8_t>;
template class ComponentSolver<std::uint16_t>;
template class ComponentSolver<std::uint32_t>;

}  // namespace plumb::chain
