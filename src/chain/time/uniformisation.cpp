// Transient analysis of a ctmc by uniformisation (Jensen 1953; backward for all states at once as in Katoen,
// Kwiatkowska, Norman and Parker, "Faster and Symbolic CTMC Model Checking", 2001): with a rate q above all exit rates
// the chain is a dtmc that steps at the times of a Poisson process, and values after k steps are weighed by the
// probability of k steps in the time. Two deviations. q is two percent above the greatest exit rate, so that the
// probability to stay is known relatively and all errors of rounding are relative. Steady-state detection does not
// compare two vectors that follow each other (which may lie about slow chains) but stops when a whole vector lies in a
// small interval, which later ones cannot leave, or when it is close to a proved bound on the limit.

#include "chain/time/uniformisation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "chain/stream/row_parts.h"
#include "chain/time/fox_glynn.h"
#include "chain/time/large_pages.h"
#include "chain/time/steps.h"

namespace plumb::chain {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kAboveExit = 1.02;
constexpr std::uint64_t kCheckEvery = 32;
/// Steps that are few enough to just be taken, rather than to look for a bound on the limit.
constexpr double kFewSteps = 20'000;
/// No Poisson probability worth counting is this many standard deviations from the mean: by Chernoff's bound less than
/// exp(-800).
constexpr double kDeviations = 40;
/// Going on with the Poisson tail is cheap (a few deviations) and gives small probabilities their digits.
constexpr double kTruncation = 1e-20;

class Uniformised {
 public:
  Uniformised(const Chain& chain, const StateSet* active, const AnalysisOptions& options, const Budget& budget)
      : active_(active), budget_(budget), passes_(chain, options.threads) {
    // Exit rates first; what is left of the rate to stay takes their place.
    stay_.resize(chain.states);
    passes_.run(budget, [&](const auto& part) { find_exits(part); });
    const double greatest = *std::ranges::max_element(stay_);
    rate_ = greatest * kAboveExit;
    for (double& v : stay_) v = rate_ - v;
    const double degree = greatest_row(chain);
    // The rate to stay is q - exit >= exit / 51, so an error of the exit rate weighs at most 51 times as much in it.
    // That error is three units: two of the weights, which stand for decimal numbers, and one of their compensated sum.
    relative_step_ = (degree + 170) * kUnit * 1.01;
    absolute_step_ = (degree + 14) * kUnit * 1.01;
  }

  double rate() const noexcept { return rate_; }
  /// to = P from; adds `weight` * from to `sum` where that is not null.
  void step(const std::vector<double>& from, std::vector<double>& to, double weight, std::vector<double>* sum) const {
    passes_.run(budget_, [&](const auto& part) {
      step_part(part, from.data(), to.data());
      if (sum)
        for (std::uint64_t s = part.first; s < part.last; ++s) (*sum)[s] += weight * from[s];
    });
  }
  void count_rounding(double steps, double greatest, Enclosure& vector) const {
    vector.relative += steps * relative_step_;
    vector.rounding += steps * absolute_step_ * greatest;
  }

 private:
  bool is_active(StateId s) const noexcept { return !active_ || active_->contains(s); }

  template <typename View>
  void step_part(const RowPart<View>& part, const double* from, double* to) const {
    std::uint64_t row = part.row;
    std::uint64_t position = part.position;
    for (std::uint64_t s = part.first; s < part.last; ++s, ++row) {
      const std::uint64_t end = position + part.view.counts[row];
      if (!is_active(static_cast<StateId>(s))) {
        position = end;
        to[s] = from[s];
        continue;
      }
      // Two sums, so that an addition does not wait for the one before.
      const auto term = [&](std::uint64_t t) {
        const StateId target = part.view.targets[t];
        return (target == s ? 0 : part.view.weight(t)) * from[target];
      };
      double even = 0;
      double odd = 0;
      for (; position + 1 < end; position += 2) {
        even += term(position);
        odd += term(position + 1);
      }
      if (position < end) even += term(position++);
      to[s] = (even + odd + stay_[s] * from[s]) / rate_;
    }
  }

  template <typename View>
  void find_exits(const RowPart<View>& part) {
    std::uint64_t row = part.row;
    std::uint64_t position = part.position;
    for (std::uint64_t s = part.first; s < part.last; ++s, ++row) {
      double exit = 0;
      double lost = 0;  // by the additions (Neumaier 1974)
      for (const std::uint64_t end = position + part.view.counts[row]; position < end; ++position) {
        const double weight = part.view.targets[position] == s ? 0 : part.view.weight(position);
        const double sum = exit + weight;
        lost += exit >= weight ? (exit - sum) + weight : (weight - sum) + exit;
        exit = sum;
      }
      stay_[s] = is_active(static_cast<StateId>(s)) ? exit + lost : 0;
    }
  }

  const StateSet* active_;
  const Budget& budget_;
  RowPasses passes_;
  std::vector<double> stay_;  ///< by state: the rate to stay
  double rate_ = 0;
  double relative_step_ = 0;
  double absolute_step_ = 0;
};

/// The weights of the vectors after 0, 1, … steps: Poisson probabilities, or for what is earned over time the
/// probabilities of more steps, over the rate. Computed when first needed: a chain that settles before does without.
class Weights {
 public:
  Weights(double steps, double rate, bool is_cumulative, double epsilon)
      : mean_(steps), rate_(rate), is_cumulative_(is_cumulative), epsilon_(epsilon) {
    plain_ = std::floor(mean_ - kDeviations * std::sqrt(mean_));
  }

  double operator[](double k) {
    if (k < plain_) return early();
    if (weights_.empty()) prepare();
    const auto index = static_cast<std::uint64_t>(k) - left_;
    return k < static_cast<double>(left_) ? early() : index < weights_.size() ? weights_[index] : 0;
  }
  bool is_last(double k) { return k >= plain_ && ((*this)[k], k >= static_cast<double>(left_ + weights_.size() - 1)); }
  /// Of all vectors from k on.
  double rest(double k) {
    if (k < plain_) return is_cumulative_ ? (mean_ - k) / rate_ : 1;
    if (weights_.empty()) prepare();
    double sum = 0;
    if (k < static_cast<double>(left_)) sum = is_cumulative_ ? (static_cast<double>(left_) - k) / rate_ : 0;
    const double first = std::max(0.0, k - static_cast<double>(left_));
    for (auto i = static_cast<std::uint64_t>(first); i < weights_.size(); ++i) sum += weights_[i];
    return sum;
  }
  double missing() const noexcept { return missing_; }  ///< weight that vectors do not get, at most
  double relative_error() const noexcept { return relative_error_; }

 private:
  double early() const noexcept { return is_cumulative_ ? 1 / rate_ : 0; }

  void prepare() {
    PoissonWeights poisson = poisson_weights(mean_, epsilon_);
    left_ = poisson.left;
    weights_ = std::move(poisson.weights);
    relative_error_ = poisson.relative_error;
    missing_ = poisson.missing;
    if (!is_cumulative_) return;
    const double right = static_cast<double>(left_ + weights_.size() - 1);
    missing_ *= (mean_ + (right + 3) / (right + 2 - mean_)) / rate_;
    relative_error_ += kUnit * static_cast<double>(weights_.size());
    double more = 0;
    for (std::size_t i = weights_.size(); i-- > 0;) {
      const double here = weights_[i];
      weights_[i] = more / rate_;
      more += here;
    }
  }

  double mean_;
  double rate_;
  bool is_cumulative_;
  double epsilon_;
  double plain_ = 0;
  std::uint64_t left_ = 0;
  std::vector<double> weights_;
  double missing_ = 0;
  double relative_error_ = 0;
};

/// An upper bound on all later vectors, asked for once when the vectors have nearly stopped to change.
using Limit = std::function<std::vector<double>()>;

struct Settled {
  double below = 0;
  double above = 0;
};

/// Whether all later vectors are this one, up to `tolerance`.
std::optional<Settled> settled(const std::vector<double>& values, const std::vector<double>& limit, double tolerance) {
  const auto [low, high] = std::ranges::minmax_element(values);
  const double width = *high - *low;
  if (width <= tolerance) return Settled{width, width};
  if (limit.empty()) return std::nullopt;
  double gap = 0;
  for (std::size_t s = 0; s < values.size(); ++s) gap = std::max(gap, limit[s] - values[s]);
  if (gap <= tolerance) return Settled{0, gap};
  return std::nullopt;
}

double greatest_change(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (std::size_t s = 0; s < a.size(); ++s) result = std::max(result, std::abs(a[s] - b[s]));
  return result;
}

class Transient {
 public:
  Transient(const Uniformised& chain, Weights weights, double steps, double tolerance, const Budget& budget)
      : chain_(chain), weights_(std::move(weights)), steps_(steps), tolerance_(tolerance), budget_(budget) {}

  /// Replaces the vector by the weighed sum of its successors.
  void run(Enclosure& vector, const Limit& limit) {
    const double greatest = vector.greatest();
    Settled rest_error;  // of the vectors that stand for all later ones, in units of the sum
    std::vector<double> next(vector.values.size());
    std::vector<double> sum(vector.values.size());
    prefer_large_pages(vector.values);
    prefer_large_pages(next);
    std::vector<double> bound;
    double k = 0;
    double weight_sum = 0;
    for (;; ++k) {
      const double weight = weights_[k];
      weight_sum += weight;
      if (weights_.is_last(k)) {
        add(vector.values, weight, sum);
        break;
      }
      chain_.step(vector.values, next, weight, weight != 0 ? &sum : nullptr);
      vector.values.swap(next);
      if (++vector.iterations % kCheckEvery != 0) continue;
      budget_.check();
      if (limit && bound.empty() && steps_ - k > kFewSteps &&
          greatest_change(vector.values, next) * kSlowest < tolerance_)
        bound = limit();
      if (const auto found = settled(vector.values, bound, tolerance_)) {
        const double rest = weights_.rest(k + 1);
        add(vector.values, rest, sum);
        weight_sum += rest;
        rest_error = {rest * found->below, rest * found->above};
        break;
      }
    }
    chain_.count_rounding(k + 4, greatest * std::max(1.0, weight_sum), vector);
    const double error = weights_.relative_error() + kUnit * (k + 4);
    vector.relative += error;
    vector.rounding += error * greatest * weight_sum;
    vector.below = vector.below * std::max(1.0, weight_sum) + rest_error.below + weights_.missing() * greatest;
    vector.above = vector.above * std::max(1.0, weight_sum) + rest_error.above + weights_.missing() * greatest;
    vector.values = std::move(sum);
  }

 private:
  /// Changes this much below the tolerance suggest that the limit is near.
  static constexpr double kSlowest = 100;

  static void add(const std::vector<double>& values, double weight, std::vector<double>& sum) {
    for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += weight * values[s];
  }

  const Uniformised& chain_;
  Weights weights_;
  double steps_;
  double tolerance_;
  const Budget& budget_;
};

void run(const Chain& chain, const StateSet* active, double time, bool is_cumulative, const Limit& limit,
         Enclosure& vector, const AnalysisOptions& options, const Budget& budget) {
  const Uniformised uniformised(chain, active, options, budget);
  const double greatest = vector.greatest();
  if (uniformised.rate() == 0 || greatest == 0 || time == 0) {
    if (is_cumulative)
      for (double& v : vector.values) v *= time;
    vector.relative += kUnit;
    vector.rounding += kUnit * greatest * time;
    return;
  }
  const double steps = uniformised.rate() * time;
  const double scale = is_cumulative ? std::max(1.0, greatest * time) : std::max(1.0, greatest);
  const double truncation = std::max(1e-300, std::min(kTruncation, options.epsilon / 8) / scale);
  const double tolerance = options.epsilon / 8 / (is_cumulative ? std::max(1.0, time) : 1.0);
  Transient(uniformised, Weights(steps, uniformised.rate(), is_cumulative, truncation), steps, tolerance, budget)
      .run(vector, limit);
}

}  // namespace

void advance_time(const Chain& chain, const StateSet* active, double time, Enclosure& vector,
                  const AnalysisOptions& options, const Budget& budget) {
  run(chain, active, time, false, nullptr, vector, options, budget);
}

void advance_until(const Chain& chain, const StateSet& allowed, const StateSet& target, const StateSet& active,
                   double time, Enclosure& vector, const AnalysisOptions& options, const Budget& budget) {
  // The probability without a time bound is above those with one, and these grow with the steps.
  const Limit limit = [&] {
    AnalysisOptions closer = options;
    closer.method = AnalysisOptions::Method::Automatic;
    closer.want_strategy = false;
    closer.epsilon = options.epsilon / 32;
    Solution unbounded = until(chain, allowed, target, Direction::Max, closer, budget);
    if (!unbounded.is_guaranteed) return std::vector<double>(chain.states, 1.0);
    return unbounded.high.empty() ? std::move(unbounded.low) : std::move(unbounded.high);
  };
  run(chain, &active, time, false, limit, vector, options, budget);
}

void accumulate_time(const Chain& chain, double time, Enclosure& vector, const AnalysisOptions& options,
                     const Budget& budget) {
  run(chain, nullptr, time, true, nullptr, vector, options, budget);
}

}  // namespace plumb::chain
