// Components level by level. Those of one state take one evaluation each, and all of a level can be done side by side;
// of the others small ones are given out to threads and large ones are swept by all of them together.

#include "chain/reach/passage.h"

#include <cmath>

#include "base/parallel/crew.h"
#include "chain/reach/component_solver.h"
#include "chain/reach/row_list.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

void PassageOutcome::add(const PassageOutcome& other) {
  transitions_swept += other.transitions_swept;
  components += other.components;
  eliminated += other.eliminated;
  iterated += other.iterated;
  approximated += other.approximated;
  bytes += other.bytes;
  is_closed = is_closed && other.is_closed;
  is_guaranteed = is_guaranteed && other.is_guaranteed;
  is_method_used = is_method_used && other.is_method_used;
  residual = std::max(residual, other.residual);
}

namespace {

/// Half an ulp of one: the greatest relative error of an operation.
constexpr double kUnit = 0x1p-53;
/// Values below this are not told from zero: there relative errors have no bound.
constexpr double kLeastValue = 1e-280;
/// Fewer states are not worth waking threads.
constexpr std::size_t kWorthSharing = 1 << 13;
/// So many states are done between two looks at the budget.
constexpr std::size_t kPortion = 1 << 21;

std::uint32_t longest_row(const Chain& chain) {
  return chain.rows.offsets().counts().visit([](auto counts) {
    std::uint32_t longest = 0;
    for (const std::uint32_t count : counts) longest = std::max(longest, count);
    return longest;
  });
}

template <typename Index>
class LevelSolver {
 public:
  LevelSolver(Passage& passage, const ComponentLevels& levels, const AnalysisOptions& options, const Budget& budget,
              const Index* index)
      : passage_(passage),
        levels_(levels),
        options_(options),
        budget_(budget),
        crew_(options.threads),
        sweepers_(crew_.size(), Sweeper<Index>(passage, index)),
        lists_(crew_.size()),
        is_few_(passage.open.count() <= kFewForFractions),
        // Weights as doubles are within an ulp of the numbers that they stand for, and so are their sums when rows are
        // eliminated.
        row_perturbation_(passage.perturbation + 2.0 * (longest_row(*passage.chain) + 6)) {
    solvers_.reserve(crew_.size());
    for (unsigned worker = 0; worker < crew_.size(); ++worker)
      solvers_.emplace_back(passage, options, budget,
                            GroupSweep<Index>(*passage.chain, std::span(sweepers_), worker, crew_, budget), is_few_);
  }

  PassageOutcome run() {
    const std::span<const ComponentLevels::Group> groups = levels_.groups();
    std::uint32_t group_levels = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) group_levels += g == 0 || groups[g].level != groups[g - 1].level;
    std::size_t g = 0;
    std::uint32_t rank = 0;
    for (std::uint32_t level = 0; level < levels_.levels() && (outcome_.is_closed || !is_few_); ++level) {
      solve_singles(levels_.singles(level));
      std::size_t end = g;
      while (end < groups.size() && groups[end].level == level) ++end;
      double perturbation = row_perturbation_;
      if (end > g) {
        // Above components that are exactly as narrow as asked for, an interval would never get there: those below are
        // solved more narrowly.
        const double tolerance = 0.4 * options_.epsilon * (0.5 + 0.5 * ++rank / group_levels);
        perturbation = solve_groups(groups.subspan(g, end - g), tolerance);
      }
      // A value is a ratio of sums of products with a factor of each row of its component and values of lower levels,
      // so what rows differ by adds up in a component and from level to level.
      perturbation_ += perturbation;
      g = end;
    }
    for (const Sweeper<Index>& sweeper : sweepers_) outcome_.transitions_swept += sweeper.transitions();
    outcome_.components = levels_.components();
    if (outcome_.is_guaranteed) widen();
    return outcome_;
  }

 private:
  void solve_singles(std::span<const StateId> states) {
    for (std::size_t done = 0; done < states.size(); done += kPortion) {
      const std::span<const StateId> portion = states.subspan(done, std::min(kPortion, states.size() - done));
      if (portion.size() < kWorthSharing)
        solve_part(portion, 0);
      else
        crew_.run_parts(portion.size(), [&](std::size_t first, std::size_t last, unsigned worker) {
          solve_part(portion.subspan(first, last - first), worker);
        });
      states_done_ += portion.size();
      if (states_done_ < kPortion) continue;
      states_done_ = 0;
      budget_.check();
    }
  }

  void solve_part(std::span<const StateId> states, unsigned worker) {
    constexpr std::size_t kAtOnce = 1024;
    Sweeper<Index>& sweeper = sweepers_[worker];
    RowList& list = lists_[worker];
    const Vectors<2> values{{passage_.low.data(), passage_.high.data()}};
    for (std::size_t done = 0; done < states.size(); done += kAtOnce) {
      const std::span<const StateId> part = states.subspan(done, std::min(kAtOnce, states.size() - done));
      list.load(*passage_.chain, part);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const StateId s = part[i];
        const auto value = sweeper.template best<2>(s, list.rows(i), values, {Rounding::Down, Rounding::Up});
        passage_.low[s] = std::max(0.0, value[0]);
        passage_.high[s] = std::max(passage_.low[s], value[1]);
      }
    }
  }

  /// The greatest perturbation of a component.
  double solve_groups(std::span<const ComponentLevels::Group> groups, double tolerance) {
    std::uint64_t states = 0;
    std::vector<const ComponentLevels::Group*> small;
    for (const ComponentLevels::Group& group : groups) {
      if (group.size >= kLargeComponent) continue;
      small.push_back(&group);
      states += group.size;
    }
    std::vector<double> greatest(crew_.size(), 0);
    const auto solve = [&](const ComponentLevels::Group& group, unsigned worker) {
      const double direct = solvers_[worker].solve(levels_.members(group), tolerance, outcome_.is_closed);
      greatest[worker] = std::max(greatest[worker], direct + group.size * row_perturbation_);
    };
    if (small.size() > 1 && states >= kWorthSharing)
      crew_.run_each(small.size(), [&](std::size_t i, unsigned worker) { solve(*small[i], worker); });
    else
      for (const ComponentLevels::Group* group : small) solve(*group, 0);
    for (const ComponentLevels::Group& group : groups)
      if (group.size >= kLargeComponent) solve(group, 0);
    for (ComponentSolver<Index>& solver : solvers_) outcome_.add(solver.take_outcome());
    budget_.check();
    return std::ranges::max(greatest);
  }

  /// By what the doubles may differ from the numbers that they stand for and by the rounding of eliminations. Finds out
  /// whether all intervals are as narrow as they should be.
  void widen() {
    const double relative = std::expm1(perturbation_ * kUnit) * (1 + 1e-9) + 4 * kUnit;
    std::vector<char> is_narrow(crew_.size(), 1);
    crew_.run_parts(passage_.chain->states, [&](std::size_t first, std::size_t last, unsigned worker) {
      for (std::size_t s = first; s < last; ++s) {
        if (!passage_.open.contains(static_cast<StateId>(s))) continue;
        double& low = passage_.low[s];
        double& high = passage_.high[s];
        low = std::max(0.0, low * std::max(0.0, 1 - relative) - kLeastValue);
        high = high * (1 + relative) + kLeastValue;
        if (passage_.is_probability) high = std::min(high, 1.0);
        if (low != high && !(high - low <= options_.epsilon * std::max(1.0, low))) is_narrow[worker] = 0;
      }
    });
    // Of few states the levels above one that did not close are left out.
    outcome_.is_closed = (outcome_.is_closed || !is_few_) && std::ranges::min(is_narrow) != 0;
  }

  Passage& passage_;
  const ComponentLevels& levels_;
  const AnalysisOptions& options_;
  const Budget& budget_;
  parallel::Crew crew_;
  std::vector<Sweeper<Index>> sweepers_;
  std::vector<RowList> lists_;  ///< by worker
  std::vector<ComponentSolver<Index>> solvers_;
  bool is_few_;
  double row_perturbation_;
  double perturbation_ = 0;
  std::size_t states_done_ = 0;
  PassageOutcome outcome_;
};

}  // namespace

PassageOutcome solve_passage(Passage& passage, const ComponentLevels& levels, const AnalysisOptions& options,
                             const Budget& budget) {
  if (levels.components() == 0) return {};
  PassageOutcome outcome = passage.chain->rows.weights().index().visit([&](auto span) {
    using Index = typename decltype(span)::value_type;
    return LevelSolver<Index>(passage, levels, options, budget, span.data()).run();
  });
  using Method = AnalysisOptions::Method;
  outcome.is_method_used = options.method != Method::Power && options.method != Method::Krylov;
  outcome.bytes += levels.bytes();
  return outcome;
}

}  // namespace plumb::chain
