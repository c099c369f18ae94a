// Stationary vectors by iteration, and when to stop. A small change from one iterate to the next says little where
// convergence is slow: the distance to the limit is estimated as that of a geometric series of the changes, change *
// rate / (1 - rate), with the rate measured over several iterations. That is an estimate, never a bound.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "chain/steady/krylov.h"
#include "chain/steady/multilevel.h"
#include "chain/steady/recombination.h"
#include "chain/steady/relaxation.h"
#include "chain/steady/stationary.h"

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

/// Watches the iterates of one run.
class Progress {
 public:
  Progress(const std::vector<double>& reward, double epsilon) : reward_(reward), epsilon_(epsilon) {
    for (const double r : reward) greatest_ = std::max(greatest_, std::abs(r));
  }

  /// Whether x is good enough.
  bool is_done(const std::vector<double>& x) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) value += x[i] * reward_[i];
    if (last_.empty()) {
      last_ = x;
      value_ = value;
      return false;
    }
    const double change = distance(x, last_);
    const double value_change = std::max(last_value_change_, std::abs(value - value_));
    last_value_change_ = std::abs(value - value_);
    std::ranges::copy(x, last_.begin());
    value_ = value;
    // Over two rounds, so that one lucky round does not count.
    const double rate = std::sqrt(change / before_);
    const double factor = rate < 1 ? std::max(rate, 0.1) / (1 - rate) : kInfinity;
    before_ = last_change_;
    last_change_ = change;
    if (change < kRounding * 10) {
      error_ = std::max(change, kRounding);
      return true;
    }
    error_ = change * factor;
    return error_ * greatest_ <= epsilon_ * std::max(1.0, std::abs(value)) / 2 &&
           value_change * factor <= epsilon_ * std::abs(value) / 2;
  }
  double error() const noexcept { return error_; }

 private:
  const std::vector<double>& reward_;
  double epsilon_;
  double greatest_ = 0;
  std::vector<double> last_;
  double value_ = 0;
  double before_ = kInfinity;
  double last_change_ = kInfinity;
  double last_value_change_ = 0;
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
    normalise(x);
    const double change = distance(x, before);
    if (change > kQuick * last_change || change < options.epsilon / 100) return;
    last_change = std::min(change, 1.0);
  }
}

void run_multilevel(const Inflow& inflow, const AnalysisOptions& options, const Budget& budget, Progress& progress,
                    Stationary& result) {
  std::vector<double>& x = result.vector;
  warm_up(inflow, options, budget, x);
  constexpr std::uint64_t kManyStates = 50'000'000;
  Recombination recombination(inflow, inflow.size() > kManyStates ? 2 : 5, options.threads);
  Multilevel multilevel(inflow, x, options.threads, budget);
  do {
    // Early iterates say little about which states belong together.
    if (result.iterations == 2 || (result.iterations >= 8 && result.iterations % 16 == 8)) {
      multilevel.regroup(x);
      recombination.forget();
    }
    multilevel.cycle(x);
    recombination.improve(x);
    ++result.iterations;
  } while (!progress.is_done(x));
  result.method = fmt::format("multilevel aggregation, {} levels, {} cycles", multilevel.levels(), result.iterations);
}

void run_krylov(const Inflow& inflow, const AnalysisOptions& options, const Budget& budget, Progress& progress,
                Stationary& result) {
  do {
    result.iterations += gmres_round(inflow, result.vector, kDepth, options.threads, budget);
    std::vector<double> scratch;
    gauss_seidel(inflow, result.vector, scratch, SweepOrder::Forward, options.threads);
    normalise(result.vector);
  } while (!progress.is_done(result.vector));
  result.method = fmt::format("GMRES({}) with Gauss-Seidel, {} steps", kDepth, result.iterations);
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
    normalise(x);
    result.iterations += kSweepsPerRound;
  } while (!progress.is_done(x));
  const char* name = options.method == Method::GaussSeidel ? "Gauss-Seidel"
                     : options.method == Method::Jacobi    ? "Jacobi"
                                                           : "power";
  result.method = fmt::format("{}, {} iterations", name, result.iterations);
}

}  // namespace

Stationary iterate(const Inflow& inflow, const std::vector<double>& reward, const AnalysisOptions& options,
                   const Budget& budget) {
  Stationary result;
  result.vector = uniform(inflow.size());
  Progress progress(reward, options.epsilon);
  if (options.method == Method::GaussSeidel || options.method == Method::Jacobi || options.method == Method::Power)
    run_plain(inflow, options, budget, progress, result);
  else if (options.method == Method::Krylov)
    run_krylov(inflow, options, budget, progress, result);
  else
    run_multilevel(inflow, options, budget, progress, result);
  result.error = progress.error();
  std::vector<double> scratch;
  result.residual = relative_residual(inflow, result.vector, scratch, options.threads);
  return result;
}

}  // namespace plumb::chain
