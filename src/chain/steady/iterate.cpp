// Stationary vectors by iteration, and when to stop. A small change from one iterate to the next says little where
// convergence is slow: the distance to the limit is estimated as that of a geometric series of the changes, change *
// rate / (1 - rate), with the slowest rate seen over the last iterations, and has to be small twice in a row. That is
// an estimate, never a bound.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "chain/steady/krylov.h"
#include "chain/steady/multilevel.h"
#include "chain/steady/recombination.h"
#include "chain/steady/relaxation.h"
#include "chain/steady/stationary.h"
#include "chain/time/large_pages.h"
#include "chain/time/parallel.h"

namespace plumb::chain {
namespace {

using Method = AnalysisOptions::Method;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-15;
constexpr unsigned kDepth = 20;      ///< of GMRES
constexpr int kSweepsPerRound = 50;  ///< of the plain methods, between looks
constexpr int kFirstSweeps = 10;     ///< in a round before states are grouped
constexpr int kFirstRounds = 20;
constexpr double kQuick = 0.1;  ///< change from round to round that is worth going on without groups
constexpr double kDamping = 0.95;
constexpr std::uint64_t kPatience = 16;  ///< cycles before other groups are tried

/// Watches the iterates of one run.
class Progress {
 public:
  Progress(const std::vector<double>& reward, const AnalysisOptions& options)
      : reward_(&reward), epsilon_(options.epsilon), threads_(options.threads) {
    for (const double r : reward) greatest_ = std::max(greatest_, std::abs(r));
  }

  /// Whether x is good enough.
  bool is_done(const std::vector<double>& x) {
    const double value = parallel_sum(x.size(), threads_, [&](std::uint64_t i) { return x[i] * (*reward_)[i]; });
    if (last_.empty()) {
      last_ = x;
      value_ = value;
      return false;
    }
    const double change = distance(x, last_, threads_);
    value_changes_.push_back(std::abs(value - value_));
    changes_.push_back(change);
    std::ranges::copy(x, last_.begin());
    value_ = value;
    if (change < kRounding * 10) {
      error_ = std::max(change, kRounding);
      return true;
    }
    // One change may be greater than the one before by accident.
    const double last_rate = changes_.size() < 2 ? kInfinity : std::min(change / *(changes_.end() - 2), kMostLastRate);
    const double slowest = std::clamp(std::max(mean_rate(kLookBack), last_rate), kLeastRate, 1.0);
    const double factor = slowest < 1 ? slowest / (1 - slowest) : kInfinity;
    error_ = change * factor;
    const std::size_t recent = std::min<std::size_t>(value_changes_.size(), 3);
    const double value_change =
        *std::max_element(value_changes_.end() - static_cast<std::ptrdiff_t>(recent), value_changes_.end());
    const bool is_close = error_ * greatest_ <= epsilon_ * std::max(1.0, std::abs(value)) / 2 &&
                          value_change * factor <= epsilon_ * std::abs(value) / 2;
    is_close_ = is_close ? is_close_ + 1 : 0;
    return is_close_ == 2;
  }
  /// The mean factor between the last changes; infinite as long as little is known.
  double mean_rate(std::size_t look_back) const {
    if (changes_.size() < 3) return kInfinity;
    const std::size_t last = changes_.size() - 1;
    const std::size_t steps = std::min(look_back, last);
    return std::pow(changes_[last] / changes_[last - steps], 1 / static_cast<double>(steps));
  }
  double error() const noexcept { return error_; }

 private:
  static constexpr std::size_t kLookBack = 6;
  static constexpr double kLeastRate = 0.3;
  static constexpr double kMostLastRate = 0.9;

  const std::vector<double>* reward_;
  double epsilon_;
  unsigned threads_;
  double greatest_ = 0;
  std::vector<double> last_;
  std::vector<double> changes_;
  std::vector<double> value_changes_;
  double value_ = 0;
  int is_close_ = 0;
  double error_ = kInfinity;
};

std::vector<double> uniform(std::uint64_t size) { return std::vector<double>(size, 1 / static_cast<double>(size)); }

/// Sweeps of Gauss-Seidel as long as they do the work by themselves. That they seem to have converged proves nothing
/// about a slow part: the cycles that follow would see it.
void warm_up(const Inflow& inflow, const AnalysisOptions& options, const Budget& budget, std::vector<double>& x) {
  std::vector<double> scratch;
  std::vector<double> before;
  double last_change = kInfinity;
  for (int round = 0; round < kFirstRounds; ++round) {
    budget.check();
    before = x;
    for (int i = 0; i < kFirstSweeps; ++i)
      gauss_seidel(inflow, x, scratch, i % 2 == 0 ? SweepOrder::Forward : SweepOrder::Backward, options.threads);
    normalise(x, options.threads);
    const double change = distance(x, before, options.threads);
    if (change > kQuick * last_change || change < options.epsilon / 100) return;
    last_change = std::min(change, 1.0);
  }
}

void run_multilevel(const Inflow& inflow, const PartValues& values, const AnalysisOptions& options,
                    const Budget& budget, Progress& progress, Stationary& result) {
  using Grouping = Multilevel::Grouping;
  constexpr double kPoor = 0.9;  // a cycle that changes x by more than this of the change before
  std::vector<double>& x = result.vector;
  warm_up(inflow, options, budget, x);
  constexpr std::uint64_t kManyStates = 50'000'000;
  Recombination recombination(inflow, inflow.size() > kManyStates ? 2 : 5, options.threads);
  Multilevel multilevel(inflow, values, options.threads, budget);
  Grouping grouping = multilevel.regroup(x, Grouping::ByValues);
  std::uint64_t next_grouping = 2;  // early iterates say little about which states belong together
  do {
    if (result.iterations == next_grouping) {
      if (next_grouping >= kPatience && progress.mean_rate(kPatience) > kPoor) grouping = Grouping::ByFlow;
      multilevel.regroup(x, grouping);
      recombination.forget();
      next_grouping += next_grouping == 2 ? 6 : kPatience;
    }
    multilevel.cycle(x);
    recombination.improve(x);
    ++result.iterations;
    result.bytes_transitions = std::max(result.bytes_transitions, inflow.bytes() + multilevel.bytes_transitions());
    result.bytes_vectors = std::max(result.bytes_vectors, multilevel.bytes_vectors() + recombination.bytes());
  } while (!progress.is_done(x));
  result.method = fmt::format("multilevel aggregation, {} levels, {} cycles", multilevel.levels(), result.iterations);
}

/// Restarted GMRES may stagnate, which looks like the end of it: a cycle of aggregation would still change x.
bool is_stagnant(const Inflow& inflow, const PartValues& values, const AnalysisOptions& options, const Budget& budget,
                 const std::vector<double>& x) {
  Multilevel multilevel(inflow, values, options.threads, budget);
  multilevel.regroup(x, Multilevel::Grouping::ByFlow);
  std::vector<double> improved = x;
  multilevel.cycle(improved);
  return distance(x, improved, options.threads) > options.epsilon;
}

void run_krylov(const Inflow& inflow, const PartValues& values, const std::vector<double>& reward,
                const AnalysisOptions& options, const Budget& budget, Progress& progress, Stationary& result) {
  std::vector<double> scratch;
  do {
    result.iterations += gmres_round(inflow, result.vector, kDepth, options.threads, budget);
    gauss_seidel(inflow, result.vector, scratch, SweepOrder::Forward, options.threads);
    normalise(result.vector, options.threads);
  } while (!progress.is_done(result.vector));
  const std::string method = fmt::format("GMRES({}) with Gauss-Seidel, {} steps", kDepth, result.iterations);
  if (!is_stagnant(inflow, values, options, budget, result.vector)) {
    result.method = method;
    return;
  }
  progress = Progress(reward, options);
  result.iterations = 0;
  run_multilevel(inflow, values, options, budget, progress, result);
  result.method = method + ", stagnated; then " + result.method;
}

void run_plain(const Inflow& inflow, const AnalysisOptions& options, const Budget& budget, Progress& progress,
               Stationary& result) {
  std::vector<double>& x = result.vector;
  std::vector<double> other;
  const double rate = 1.02 * *std::ranges::max_element(inflow.exit);
  do {
    for (int i = 0; i < kSweepsPerRound; ++i) {
      budget.check();
      if (options.method == Method::GaussSeidel) {
        // To and fro: a sweep against the flow alone may be slower than Jacobi.
        gauss_seidel(inflow, x, other, i % 2 == 0 ? SweepOrder::Forward : SweepOrder::Backward, options.threads);
        continue;
      }
      if (options.method == Method::Jacobi)
        jacobi(inflow, x, other, kDamping, options.threads);
      else
        power(inflow, x, other, rate, options.threads);
      x.swap(other);
    }
    normalise(x, options.threads);
    result.iterations += kSweepsPerRound;
  } while (!progress.is_done(x));
  const char* name = options.method == Method::GaussSeidel ? "Gauss-Seidel"
                     : options.method == Method::Jacobi    ? "Jacobi"
                                                           : "power";
  result.method = fmt::format("{}, {} iterations", name, result.iterations);
}

}  // namespace

Stationary iterate(const Inflow& inflow, const PartValues& values, const std::vector<double>& reward,
                   const AnalysisOptions& options, const Budget& budget) {
  Stationary result;
  result.vector = uniform(inflow.size());
  prefer_large_pages(result.vector);
  result.bytes_transitions = inflow.bytes();
  Progress progress(reward, options);
  if (options.method == Method::GaussSeidel || options.method == Method::Jacobi || options.method == Method::Power)
    run_plain(inflow, options, budget, progress, result);
  else if (options.method == Method::Krylov)
    run_krylov(inflow, values, reward, options, budget, progress, result);
  else
    run_multilevel(inflow, values, options, budget, progress, result);
  result.error = progress.error();
  std::vector<double> scratch;
  result.residual = relative_residual(inflow, result.vector, scratch, options.threads);
  // The vector, the one before, the rewards, the exit rates.
  result.bytes_vectors += inflow.size() * 4 * sizeof(double);
  return result;
}

}  // namespace plumb::chain
