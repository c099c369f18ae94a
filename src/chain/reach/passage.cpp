#include "chain/reach/passage.h"

#include <cmath>

#include "chain/graph_search.h"
#include "chain/reach/component_solver.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

ComponentOrder component_order(const Chain& chain, const StateSet& open, const Budget& budget) {
  const Components components = strong_components_of(chain, &open, [](std::uint64_t) { return true; }, budget);
  ComponentOrder order;
  order.starts.assign(std::size_t{components.count} + 1, 0);
  open.for_each([&](StateId s) { ++order.starts[components.of_state[s]]; });
  std::uint32_t total = 0;
  for (std::uint32_t& start : order.starts) {
    total += start;
    start = total;
  }
  order.states.resize(total);
  // Each start is at the end of its part and moves to the front as the part is filled from behind; backwards, so that
  // parts ascend.
  for (std::uint64_t s = chain.states; s-- > 0;)
    if (const std::uint32_t component = components.of_state[s]; component != kNoComponent)
      order.states[--order.starts[component]] = static_cast<StateId>(s);
  return order;
}

namespace {

/// Half an ulp of one: the greatest relative error of an operation.
constexpr double kUnit = 0x1p-53;

/// Of the weights, which as doubles are within an ulp of the numbers that they stand for, and of their sums when rows
/// are eliminated.
double row_perturbation(const Passage& passage) {
  const Chain& chain = *passage.chain;
  double total = passage.perturbation;
  passage.open.for_each([&](StateId s) {
    std::uint32_t longest = 0;
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row)
      longest = std::max(longest, chain.rows.count(row));
    total += 2.0 * (longest + 6);
  });
  return total;
}

/// Values below this are not told from zero: there relative errors have no bound.
constexpr double kLeastValue = 1e-280;

void widen(Passage& passage, double perturbation) {
  const double relative = std::expm1(perturbation * kUnit) * (1 + 1e-9) + 4 * kUnit;
  passage.open.for_each([&](StateId s) {
    double& low = passage.low[s];
    double& high = passage.high[s];
    low = std::max(0.0, low * std::max(0.0, 1 - relative) - kLeastValue);
    high = high * (1 + relative) + kLeastValue;
    if (passage.is_probability) high = std::min(high, 1.0);
  });
}

}  // namespace

PassageOutcome solve_passage(Passage& passage, const AnalysisOptions& options, const Budget& budget) {
  PassageOutcome outcome;
  if (passage.open.empty()) return outcome;
  const ComponentOrder order = component_order(*passage.chain, passage.open, budget);
  outcome.components = static_cast<std::uint32_t>(order.starts.size() - 1);
  using Method = AnalysisOptions::Method;
  outcome.is_method_used = options.method != Method::Power && options.method != Method::Krylov;
  with_sweeper(passage, [&]<typename Index>(Sweeper<Index>& sweeper) {
    ComponentSolver<Index> solver(passage, options, budget, sweeper, outcome);
    const std::span<const StateId> states(order.states);
    const bool is_few = passage.open.count() <= kFewForFractions;
    std::uint64_t last_check = 0;
    for (std::uint32_t c = 0; c < outcome.components && (outcome.is_closed || !is_few); ++c) {
      // Above components that are exactly as narrow as asked for, an interval would never get there: those below are
      // solved more narrowly.
      const double tolerance = 0.4 * options.epsilon * (0.5 + 0.5 * (c + 1) / outcome.components);
      solver.solve(states.subspan(order.starts[c], order.starts[c + 1] - order.starts[c]), tolerance);
      if (sweeper.transitions() - last_check > 1'000'000) {
        budget.check();
        last_check = sweeper.transitions();
      }
    }
    outcome.transitions_swept = sweeper.transitions();
    if (outcome.is_guaranteed) widen(passage, row_perturbation(passage) + solver.perturbation());
  });
  return outcome;
}

}  // namespace plumb::chain
