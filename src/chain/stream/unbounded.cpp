// Unbounded probabilities and rewards over rows that are computed anew in each pass. A lower vector is raised from zero
// by Gauss-Seidel passes; an upper one is lowered from one where one is known to be a bound, and otherwise guessed a
// little above the lower one and kept if a pass lowers it everywhere: optimistic value iteration (Hartmanns and
// Kaminski 2020). Such a vector is above the least fixed point whatever the cycles are, so probabilities and greatest
// rewards need no collapsing of end components; least rewards do, unless nothing goes round for free. Values of rows
// are rounded down for the lower vector and up for the upper one, and the result is widened by what weights may differ
// from the numbers that they stand for: a value is a ratio of sums of products with one factor of each row.

#include "chain/reach/unbounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "chain/stream/passes.h"
#include "chain/stream/stream.h"

namespace plumb::chain::stream {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr int kVerifyPasses = 8;
/// Guesses that may fail once the lower vector stands still.
constexpr int kLastGuesses = 3;

/// Values of the open states, given those of the others.
class Iteration {
 public:
  Iteration(Passes& passes, Direction direction, const Chain::Rewards* rewards, double epsilon)
      : passes_(passes),
        chain_(passes.chain()),
        is_max_(direction == Direction::Max || passes.chain().kind != Kind::Mdp),
        rewards_(rewards),
        tolerance_(epsilon / 2),
        weights_(chain_.rows.weights().distinct().data()),
        open(chain_.states),
        low(chain_.states),
        has_high_(rewards == nullptr) {}

  void run() {
    high = low;
    if (has_high_) open.for_each([&](StateId s) { high[s] = 1; });
    if (open.empty()) {
      has_high_ = true;
      return;
    }
    double worth_guessing = tolerance_ / 4;
    for (int failures = 0; failures < kLastGuesses;) {
      const double change = sweep();
      if (is_closed_) return;
      if (change > worth_guessing) continue;
      if (guess()) return;
      worth_guessing /= 8;
      failures += change == 0 ? 1 : 0;
    }
  }

  Solution finish() && {
    Solution result;
    result.iterations = passes_.count();
    result.bytes = 8 * (low.size() + high.size() + guess_.size());
    result.method = open.empty()
                        ? "graph analysis by passes over rows that are not kept"
                        : fmt::format("interval iteration in {} passes over rows that are not kept", passes_.count());
    result.is_guaranteed = has_high_;
    if (has_high_) widen();
    if (has_high_ && !is_closed_ && !open.empty()) result.method += ", bounds at the limits of double precision";
    if (!has_high_) result.residual = tolerance_;
    result.low = std::move(low);
    if (has_high_) result.high = std::move(high);
    return result;
  }

 private:
  using Pair = std::array<double, 2>;

  double scale(double value) const noexcept { return rewards_ ? 1 + value : 1; }

  /// The best rows under two vectors, rounded down for the first and up for the second.
  Pair best(const StateRows& rows, const double* x, const double* y) const {
    Pair result{is_max_ ? 0 : kInfinity, is_max_ ? 0 : kInfinity};
    rows.every_row([&](std::uint64_t row, std::uint32_t count, const StateId* targets, const std::uint32_t* weights) {
      double total = 0;
      double first = rewards_ ? earned(*rewards_, rows.state, row) : 0;
      double second = first;
      double least = kInfinity;
      double greatest = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (targets[i] == rows.state) continue;
        const double weight = weights_[weights[i]];
        total += weight;
        first += weight * x[targets[i]];
        second += weight * y[targets[i]];
        least = std::min(least, x[targets[i]]);
        greatest = std::max(greatest, y[targets[i]]);
      }
      // Nothing but a loop: what it leads to does not count.
      if (total == 0) return true;
      const double error = (2.0 * count + 6) * kUnit;
      Pair value{first / total * (1 - error), second / total * (1 + error)};
      // An average is among what it is of, however it is rounded: in an end component bounds that are all the same
      // stay that way.
      if (!rewards_) value = {std::max(value[0], least), std::min(value[1], greatest)};
      for (std::size_t n = 0; n < 2; ++n)
        result[n] = is_max_ ? std::max(result[n], value[n]) : std::min(result[n], value[n]);
      return true;
    });
    return result;
  }

  /// One pass over both vectors; the greatest relative change of the lower one.
  double sweep() {
    double change = 0;
    double gap = 0;
    const std::vector<double>& upper = has_high_ ? high : low;
    passes_.run([&](const StateRows& rows) {
      const StateId s = rows.state;
      if (!open.contains(s)) return;
      const Pair value = best(rows, low.data(), upper.data());
      if (value[0] > low[s]) {
        change = std::max(change, (value[0] - low[s]) / scale(low[s]));
        low[s] = value[0];
      }
      if (has_high_) high[s] = std::max(low[s], std::min(high[s], value[1]));
      gap = std::max(gap, (high[s] - low[s]) / scale(low[s]));
    });
    is_closed_ = has_high_ && gap <= tolerance_;
    return change;
  }

  bool guess() {
    guess_ = low;
    open.for_each([&](StateId s) {
      guess_[s] = low[s] + 0.9 * tolerance_ * scale(low[s]);
      if (has_high_) guess_[s] = std::min(guess_[s], high[s]);
    });
    for (int attempt = 0; attempt < kVerifyPasses; ++attempt) {
      bool is_lowered = true;
      bool is_above = true;
      passes_.run([&](const StateRows& rows) {
        const StateId s = rows.state;
        if (!open.contains(s) || !is_above) return;
        const Pair value = best(rows, low.data(), guess_.data());
        low[s] = std::max(low[s], value[0]);
        is_lowered &= value[1] <= guess_[s];
        is_above = value[1] >= low[s];
        guess_[s] = value[1];
      });
      if (!is_above) return false;
      if (!is_lowered) continue;
      high.swap(guess_);
      has_high_ = true;
      is_closed_ = true;
      open.for_each([&](StateId s) { is_closed_ &= (high[s] - low[s]) / scale(low[s]) <= tolerance_; });
      return is_closed_;
    }
    return false;
  }

  void widen() {
    std::uint32_t longest = 0;
    chain_.rows.offsets().counts().visit([&](auto counts) {
      for (const auto count : counts) longest = std::max<std::uint32_t>(longest, count);
    });
    const double roundings = 2.0 * (longest + 6) * static_cast<double>(open.count()) + 8;
    const double relative = std::expm1(roundings * kUnit) * (1 + 1e-9);
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    open.for_each([&](StateId s) {
      low[s] = std::max(0.0, low[s] * (1 - relative) - kLeast);
      high[s] = high[s] * (1 + relative) + kLeast;
      if (!rewards_) high[s] = std::min(high[s], 1.0);
    });
  }

  Passes& passes_;
  const Chain& chain_;
  bool is_max_;
  const Chain::Rewards* rewards_;
  double tolerance_;
  const double* weights_;

 public:
  StateSet open;
  std::vector<double> low;  ///< with the values of states that are not open
  std::vector<double> high;

 private:
  std::vector<double> guess_;
  bool has_high_;
  bool is_closed_ = false;
};

void check_options(const Chain& chain, const AnalysisOptions& options) {
  if (options.method == AnalysisOptions::Method::Exact) require_rows(chain, "exact arithmetic");
  if (options.want_strategy && chain.kind == Kind::Mdp) require_rows(chain, "a strategy");
}

Solution solve_reach(Passes& passes, const Chain::Rewards& rewards, const StateSet& target, Direction direction,
                     const AnalysisOptions& options) {
  const Chain& chain = passes.chain();
  // The strategies that are after the most reward are those that keep off the target if they can.
  const Direction reaching = direction == Direction::Max ? Direction::Min : Direction::Max;
  const Certain certain = until_is_certain(passes, StateSet(chain.states, true), target, reaching);
  Iteration iteration(passes, direction, &rewards, options.epsilon);
  certain.one.complement().for_each([&](StateId s) { iteration.low[s] = kInfinity; });
  iteration.open = certain.one;
  iteration.open &= target.complement();
  if (chain.kind == Kind::Mdp && direction == Direction::Min && has_free_round(passes, rewards, iteration.open))
    require_rows(chain, "the least reward of a model that can go round without earning anything");
  iteration.run();
  return std::move(iteration).finish();
}

}  // namespace

Solution until(const Chain& chain, const StateSet& allowed, const StateSet& target, Direction direction,
               const AnalysisOptions& options, const Budget& budget) {
  check_options(chain, options);
  Passes passes(chain, options.threads, budget);
  const Certain certain = until_is_certain(passes, allowed, target, direction);
  Iteration iteration(passes, direction, nullptr, options.epsilon);
  certain.one.for_each([&](StateId s) { iteration.low[s] = 1; });
  iteration.open = certain.zero.complement();
  iteration.open &= certain.one.complement();
  iteration.run();
  return std::move(iteration).finish();
}

Solution reach_reward(const Chain& chain, std::size_t rewards, const StateSet& target, Direction direction,
                      const AnalysisOptions& options, const Budget& budget) {
  check_options(chain, options);
  Passes passes(chain, options.threads, budget);
  return solve_reach(passes, countable_rewards(chain, rewards), target, direction, options);
}

Solution total_reward(const Chain& chain, std::size_t rewards, Direction, const AnalysisOptions& options,
                      const Budget& budget) {
  check_options(chain, options);
  if (chain.kind == Kind::Mdp) require_rows(chain, "the total reward of an mdp");
  Passes passes(chain, options.threads, budget);
  // Nothing more is earned once a state is reached from which nothing can be.
  const Chain::Rewards& structure = countable_rewards(chain, rewards);
  return solve_reach(passes, structure, earns_nothing(passes, structure), Direction::Min, options);
}

}  // namespace plumb::chain::stream
