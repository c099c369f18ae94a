#include "chain/reach/component_solver.h"

#include <limits>
#include <utility>

namespace plumb::chain {

namespace {

using Method = AnalysisOptions::Method;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Elimination comes at once for components of so few states, and after so many sweeps for others up to a size.
constexpr std::size_t kFewStates = 64;
constexpr std::uint64_t kPatience = 40;
/// So many sweeps show how fast a component comes to its end.
constexpr std::uint64_t kPace = 8;
constexpr std::array<Rounding, 2> kDownAndUp{Rounding::Down, Rounding::Up};
constexpr std::size_t kMostEliminated = 2'000'000;
constexpr std::size_t kFewForPolicies = 100'000;
/// A component of so many states does without the upper vector at first.
constexpr std::size_t kWorthGuessing = 1 << 12;
constexpr std::size_t kPortion = 1024;

}  // namespace

template <typename Index>
ComponentSolver<Index>::ComponentSolver(Passage& passage, const AnalysisOptions& options, const Budget& budget,
                                        GroupSweep<Index> sweep, bool is_few)
    : passage_(passage),
      chain_(*passage.chain),
      options_(options),
      budget_(budget),
      sweep_(std::move(sweep)),
      is_few_(is_few),
      direct_(passage, budget, sweep_.worker() == 0 ? &sweep_.crew() : nullptr) {}

template <typename Index>
PassageOutcome ComponentSolver<Index>::take_outcome() {
  outcome_.bytes += scratch_.size() * sizeof(double);
  return std::exchange(outcome_, {});
}

template <typename Index>
double ComponentSolver<Index>::solve(std::span<const StateId> component, double tolerance, bool is_closed_below) {
  start(component);
  sweep_.set_group(component);
  if (options_.method == Method::Value) {
    ++outcome_.iterated;
    iterate_without_bound(component);
    return 0;
  }
  if (may_eliminate() && chain_.kind != Kind::Mdp &&
      (component.size() <= kFewStates || options_.method == Method::Policy) && eliminate(component, ~std::uint64_t{0}))
    return direct_.take_perturbation();
  if (!is_closed_below) tolerance = std::max(tolerance, 1.25 * direct_.gap_below(component));
  if (options_.method == Method::Policy && chain_.kind == Kind::Mdp && improve_policy(component, tolerance))
    return direct_.take_perturbation();
  ++outcome_.iterated;
  iterate(component, tolerance);
  return direct_.take_perturbation();
}

template <typename Index>
void ComponentSolver<Index>::start(std::span<const StateId> component) {
  const bool guesses = options_.method == Method::Automatic && component.size() >= kWorthGuessing;
  has_high_ = passage_.is_probability && !guesses;
  for (const StateId s : component) {
    passage_.low[s] = 0;
    passage_.high[s] = passage_.is_probability ? 1 : kInfinity;
  }
}

template <typename Index>
void ComponentSolver<Index>::raise(double& low, double value, Progress& progress) const {
  if (!(value > low)) return;
  progress.change = std::max(progress.change, (value - low) / scale(value));
  low = value;
  progress.has_moved = true;
}

template <typename Index>
void ComponentSolver<Index>::lower(double& high, double low, double value, Progress& progress) const {
  if (value < high) {
    // Rounding may carry the bounds past each other by some ulps.
    high = std::max(value, low);
    progress.has_moved = true;
  }
  if (low != high) progress.gap = std::max(progress.gap, (high - low) / scale(low));
}

template <typename Index>
typename ComponentSolver<Index>::Progress ComponentSolver<Index>::sweep(std::span<const StateId> component,
                                                                        bool backward) {
  if (options_.method == Method::Jacobi) return sweep_together(component);
  Lanes lanes;
  double* const low = passage_.low.data();
  if (has_high_) {
    sweep_.template pass<2>(
        {low, passage_.high.data()}, backward,
        [&](auto& sweeper, StateId s, const StateRows& rows, const auto& values, const auto& slots, unsigned lane) {
          const auto value = sweeper.template best<2>(s, rows, values, kDownAndUp);
          raise(*slots[0], value[0], lanes[lane]);
          lower(*slots[1], *slots[0], value[1], lanes[lane]);
        });
  } else {
    sweep_.template pass<1>(
        {low}, backward,
        [&](auto& sweeper, StateId s, const StateRows& rows, const auto& values, const auto& slots, unsigned lane) {
          const auto value = sweeper.template best<1>(s, rows, values, {Rounding::Down});
          raise(*slots[0], value[0], lanes[lane]);
        });
  }
  Progress progress;
  if (!has_high_) progress.gap = kInfinity;
  for (const Progress& lane : lanes) {
    progress.change = std::max(progress.change, lane.change);
    progress.gap = std::max(progress.gap, lane.gap);
    progress.has_moved |= lane.has_moved;
  }
  return progress;
}

template <typename Index>
typename ComponentSolver<Index>::Progress ComponentSolver<Index>::sweep_together(std::span<const StateId> component) {
  Progress progress;
  scratch_.resize(2 * component.size());
  const Vectors<2> values{{passage_.low.data(), passage_.high.data()}};
  const auto evaluate = [&](std::size_t first, std::size_t last, unsigned worker) {
    RowList list;
    for (std::size_t portion = first; portion < last; portion += kPortion) {
      const std::span<const StateId> states = component.subspan(portion, std::min(kPortion, last - portion));
      list.load(chain_, states);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const auto value = sweep_.sweepers()[worker].template best<2>(states[i], list.rows(i), values, kDownAndUp);
        scratch_[2 * (portion + i)] = value[0];
        scratch_[2 * (portion + i) + 1] = value[1];
      }
    }
  };
  if (component.size() < kLargeComponent)
    evaluate(0, component.size(), sweep_.worker());
  else
    sweep_.crew().run_parts(component.size(), evaluate);
  for (std::size_t i = 0; i < component.size(); ++i) {
    const StateId s = component[i];
    raise(passage_.low[s], scratch_[2 * i], progress);
    lower(passage_.high[s], passage_.low[s], has_high_ ? scratch_[2 * i + 1] : kInfinity, progress);
  }
  budget_.check();
  return progress;
}

template <typename Index>
bool ComponentSolver<Index>::is_nearly_done(double change, double change_before, double goal, std::uint64_t sweeps) {
  if (!(change < change_before) || change <= goal) return change <= goal;
  const double left = kPace * std::log(goal / change) / std::log(change / change_before);
  return left <= 2.0 * static_cast<double>(sweeps);
}

template <typename Index>
void ComponentSolver<Index>::iterate(std::span<const StateId> component, double tolerance) {
  const bool may_be_direct = may_eliminate();
  double goal = tolerance;
  std::uint64_t next_direct = kPatience;
  double change_before = kInfinity;  // kPace sweeps before that
  std::uint64_t last_check = sweep_.transitions();
  for (std::uint64_t sweeps = 1;; ++sweeps) {
    const Progress progress = sweep(component, sweeps % 2 == 0);
    if (progress.gap <= tolerance) return;
    if (progress.change <= goal) {
      if (verify_guess(component, tolerance, 8 + sweeps)) return;
      goal = progress.change / 8;
    }
    if (!progress.has_moved || (may_be_direct && is_few_ && sweeps > 10 * kPatience)) {
      outcome_.is_closed = false;
      return;
    }
    if (sweeps + kPace == next_direct) change_before = progress.change;
    if (sweeps == next_direct && may_be_direct) {
      const bool waits =
          component.size() >= kWorthGuessing && is_nearly_done(progress.change, change_before, goal, sweeps);
      next_direct *= waits ? 3 : 8;
      if (!waits && solve_directly(component, tolerance, sweeps)) {
        --outcome_.iterated;
        return;
      }
    }
    if (sweep_.transitions() - last_check > 1'000'000) {
      budget_.check();
      last_check = sweep_.transitions();
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
    passage_.high[s] = passage_.low[s] + 0.99 * tolerance * scale(passage_.low[s]);
  }
  return verify(component, Direction::Max, attempts);
}

template <typename Index>
typename ComponentSolver<Index>::Verdict ComponentSolver<Index>::verify_once(Direction side, bool backward) {
  const bool is_upper = side == Direction::Max;
  double* const bound = is_upper ? passage_.high.data() : passage_.low.data();
  const double* const other = is_upper ? passage_.low.data() : passage_.high.data();
  const Rounding rounding = is_upper ? Rounding::Up : Rounding::Down;
  const double most = passage_.is_probability ? 1 : kInfinity;
  const auto is_beyond = [is_upper](double a, double b) { return is_upper ? a > b : a < b; };
  std::array<Verdict, GroupSweep<Index>::kLanes> lanes;
  sweep_.template pass<1>(
      {bound}, backward,
      [&](auto& sweeper, StateId s, const StateRows& rows, const auto& values, const auto& slots, unsigned lane) {
        if (lanes[lane].is_refuted) return;
        // No probability is above one, whatever rounding says.
        const double value = std::min(sweeper.template best<1>(s, rows, values, {rounding})[0], most);
        if (is_beyond(value, *slots[0]))
          lanes[lane].is_verified = false;
        else
          *slots[0] = value;
        // Rounding may carry the bounds past each other by some ulps.
        lanes[lane].is_refuted = is_beyond(other[s] * (is_upper ? 1 - 1e-14 : 1 + 1e-14), *slots[0]);
      });
  Verdict verdict;
  for (const Verdict& lane : lanes) {
    verdict.is_verified &= lane.is_verified;
    verdict.is_refuted |= lane.is_refuted;
  }
  return verdict;
}

template <typename Index>
bool ComponentSolver<Index>::verify(std::span<const StateId> component, Direction side, std::uint64_t attempts) {
  std::vector<double>& bound = side == Direction::Max ? passage_.high : passage_.low;
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    const Verdict verdict = verify_once(side, attempt % 2 != 0);
    if (verdict.is_refuted) break;
    if (verdict.is_verified) {
      if (side == Direction::Max) has_high_ = true;
      for (std::size_t i = 0; i < component.size(); ++i) {
        const StateId s = component[i];
        bound[s] = side == Direction::Max ? std::min(bound[s], scratch_[i]) : std::max(bound[s], scratch_[i]);
        passage_.high[s] = std::max(passage_.high[s], passage_.low[s]);
      }
      return true;
    }
    if ((attempt & 0xff) == 0xff || component.size() > 100'000) budget_.check();
  }
  for (std::size_t i = 0; i < component.size(); ++i) bound[component[i]] = scratch_[i];
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
      guessed[component[i]] = is_max ? policy->value[i] + room : std::max(0.0, policy->value[i] - room);
    }
    if (!verify(component, passage_.direction, width < 1 ? 2 : kPatience)) continue;
    ++outcome_.eliminated;
    return true;
  }
  return false;
}

template <typename Index>
bool ComponentSolver<Index>::enclose(std::span<const StateId> component, double tolerance) {
  const auto solution = direct_.approximate_value(component, 0.4 * tolerance);
  outcome_.transitions_swept += direct_.take_transitions();
  outcome_.bytes = std::max(outcome_.bytes, direct_.bytes_of(component));
  if (!solution) return false;
  double room = kInfinity;
  for (std::size_t i = 0; i < component.size(); ++i)
    room = std::min(room, 0.4 * tolerance * scale(solution->value[i]) / solution->time[i]);
  scratch_.resize(component.size());
  for (const Direction side : {Direction::Max, Direction::Min}) {
    const bool is_upper = side == Direction::Max;
    std::vector<double>& bound = is_upper ? passage_.high : passage_.low;
    for (std::size_t i = 0; i < component.size(); ++i) {
      scratch_[i] = bound[component[i]];
      const double part = room * solution->time[i];
      bound[component[i]] = is_upper ? solution->value[i] + part : std::max(0.0, solution->value[i] - part);
    }
    if (!verify(component, side, kPatience)) return false;
  }
  ++outcome_.approximated;
  return true;
}

template <typename Index>
bool ComponentSolver<Index>::solve_directly(std::span<const StateId> component, double tolerance,
                                            std::uint64_t sweeps) {
  if (component.size() <= kMostEliminated) {
    if (chain_.kind == Kind::Mdp ? component.size() <= kFewForPolicies && improve_policy(component, tolerance)
                                 : eliminate(component, 200'000 + sweeps / 2 * component.size()))
      return true;
  }
  return enclose(component, tolerance);
}

template class ComponentSolver<std::uint8_t>;
template class ComponentSolver<std::uint16_t>;
template class ComponentSolver<std::uint32_t>;

}  // namespace plumb::chain
