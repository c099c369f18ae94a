// Expected rewards up to and at a time: the same backward steps as for probabilities, with what is earned added in
// each.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "chain/analysis.h"
#include "chain/time/enclosure.h"
#include "chain/time/exact_steps.h"
#include "chain/time/steps.h"
#include "chain/time/uniformisation.h"

namespace plumb::chain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> by_state(const Chain& chain, const ValueColumn& column) {
  std::vector<double> result(chain.states);
  for (std::uint64_t s = 0; s < column.size(); ++s) result[s] = column[s];
  return result;
}

std::string method_name(const Chain& chain, std::uint64_t iterations) {
  return fmt::format("{}, {} steps", chain.kind == Kind::Ctmc ? "uniformisation" : "step by step", iterations);
}

Solution finish(const Chain& chain, Enclosure vector) {
  std::string method = method_name(chain, vector.iterations);
  return std::move(vector).to_solution(std::move(method), kInfinity);
}

}  // namespace

Solution cumulative_reward(const Chain& chain, std::size_t rewards, double time, Direction direction,
                           const AnalysisOptions& options, const Budget& budget) {
  INVARIANT(time >= 0, "a bound of time should not be negative");
  if (time == kInfinity) return total_reward(chain, rewards, direction, options, budget);
  const Chain::Rewards& structure = chain.rewards[rewards];
  if (wants_exact_steps(chain, options, time)) {
    std::vector<Fraction> values(chain.states);
    advance_exactly(chain, {nullptr, direction, &structure}, std::floor(time), values, budget);
    return exact_solution(values, "fractions, step by step");
  }
  if (chain.kind != Kind::Ctmc) {
    Enclosure vector{std::vector<double>(chain.states)};
    advance_steps(chain, {nullptr, direction, &structure}, std::floor(time), vector, options, budget);
    return finish(chain, std::move(vector));
  }
  std::vector<double> rate = by_state(chain, structure.states);
  for (std::uint64_t s = 0; s < structure.rows.size(); ++s) rate[s] += structure.rows[s];
  Enclosure vector(std::move(rate));
  vector.relative = std::numeric_limits<double>::epsilon();
  accumulate_time(chain, time, vector, options, budget);
  return finish(chain, std::move(vector));
}

Solution instantaneous_reward(const Chain& chain, std::size_t rewards, double time, Direction direction,
                              const AnalysisOptions& options, const Budget& budget) {
  INVARIANT(time >= 0 && std::isfinite(time), "a time should be finite and not negative");
  if (wants_exact_steps(chain, options, time)) {
    std::vector<Fraction> values = exact_values(chain, chain.rewards[rewards].states);
    advance_exactly(chain, {nullptr, direction, nullptr}, std::floor(time), values, budget);
    return exact_solution(values, "fractions, step by step");
  }
  Enclosure vector(by_state(chain, chain.rewards[rewards].states));
  if (chain.kind == Kind::Ctmc)
    advance_time(chain, nullptr, time, vector, options, budget);
  else
    advance_steps(chain, {nullptr, direction, nullptr}, std::floor(time), vector, options, budget);
  return finish(chain, std::move(vector));
}

}  // namespace plumb::chain
