// A run is determined by where it starts and by its inputs, so what holds for each initial value of some states holds.
// Each case is a bounded model checking problem of its own (base_case.cpp) over its own store, in which the fixed
// states fold: the loops of a program then take the same turns in all runs, and what is left to solve is about data.
// Cases go from small values to great ones, which is from short loops to long ones.

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/parallel/loop.h"
#include "prove/base_case.h"
#include "prove/engine.h"
#include "prove/split.h"

namespace plumb::prove {
namespace {

/// Where it is worth it at all it gets further than others, so beside them it still has half of the cores and more than
/// one thread.
constexpr unsigned kMaxThreads = 4;
unsigned split_threads(bool is_alone) {
  const unsigned cores = parallel::thread_count(0);
  return std::clamp(is_alone ? cores : cores / 2, 2U, kMaxThreads);
}

/// The cases of a split, taken by some threads one after the other.
class Cases {
 public:
  Cases(const System& system, const Split& split, const Budget& budget, const BmcOptions& options)
      : system_(system), split_(split), budget_(budget.with_own_cancellation()), options_(options) {}

  Result run(unsigned threads) {
    std::vector<System> copies;
    for (unsigned i = 1; i < threads; ++i) copies.push_back(system::copy(system_));
    try {
      parallel::for_each_index(split_.case_count(), threads, budget_, [&](std::uint64_t number, unsigned worker) {
        System fixed = split_.system_of(worker == 0 ? system_ : copies[worker - 1], number);
        take(number, search_runs(fixed, budget_, options_));
      });
    } catch (const OutOfBudget&) {
      // What was found before counts.
    }
    return merged();
  }

 private:
  void take(std::uint64_t number, Result result) {
    const std::scoped_lock lock(mutex_);
    if (violated_) return;
    if (result.verdict == Verdict::Violated) {
      split_.complete(*result.trace, number);
      violated_ = std::move(result);
      budget_.cancel();
      return;
    }
    ++done_;
    if (is_proof(result.verdict)) {
      k_ = std::max(k_, result.bound);
      return;
    }
    covered_ = std::min(covered_, result.verdict == Verdict::HoldsUpTo ? result.bound + 1 : 0);
    ++open_;
    reason_ = std::move(result.reason);
  }

  Result merged() {
    if (violated_) return std::move(*violated_);
    Result result;
    if (done_ == split_.case_count() && open_ == 0) {
      result.verdict = Verdict::Holds;
      result.bound = k_;
      result.is_rechecked = true;
      result.certificate = Certificate{Certificate::Kind::Exhaustion, {}, 0, k_};
    } else if (done_ == split_.case_count()) {
      result = bounded_result(covered_, std::move(reason_));
    } else {
      const auto stop = budget_.exceeded();
      result = bounded_result(0, fmt::format("{} with {} of {} cases left", stop ? to_string(*stop) : "stopped",
                                             split_.case_count() - done_ + open_, split_.case_count()));
    }
    result.statistics = {{"split-bits", static_cast<double>(split_.bits())},
                         {"split-cases", static_cast<double>(done_)}};
    return result;
  }

  const System& system_;
  const Split& split_;
  Budget budget_;
  const BmcOptions& options_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;                 ///< cases with an answer
  std::uint64_t open_ = 0;                 ///< of these, those with a bound alone or without one
  std::size_t k_ = 0;                      ///< of those that hold
  std::size_t covered_ = ~std::size_t{0};  ///< steps that all cases have
  std::string reason_;
  std::optional<Result> violated_;
};

}  // namespace

Result check_cases(const System& system, const Split& split, const Budget& budget, const BmcOptions& options,
                   unsigned threads) {
  return Cases(system, split, budget, options).run(threads);
}

namespace {

Result run_bmc_split(Problem& problem, const Budget& budget, const SplitOptions& options) {
  return run_engine("bmc split", problem, [&] {
    try {
      const std::vector<std::size_t> states = choose_split(problem.system(), std::min(options.max_bits, 16U), budget);
      if (states.empty()) return bounded_result(0, "there is no state that is worth to be told apart by its values");
      Result result = check_cases(problem.system(), Split(problem.system(), states), budget, options.bmc,
                                  std::max(options.threads, 1U));
      if (result.certificate)
        for (const std::size_t state : states) result.certificate->split.push_back(problem.symbols()[state]);
      return result;
    } catch (const OutOfBudget& end) {
      return bounded_result(0, std::string(to_string(end.stop)));
    }
  });
}

}  // namespace

constinit const Engine bmc_split_engine = {
    .info = {.name = "bmc split",
             .can_hold = true,
             .can_bound = true,
             .can_violate = true,
             .summary = "the same for each initial value of some states that bound loops",
             .by_default = {"bmc split"}},
    .priority = 1,
    .run = [](const EngineTask& task) {
      SplitOptions options;
      options.bmc = {.max_bound = task.options.max_bound, .seed = task.options.seed};
      options.threads = split_threads(task.is_alone);
      return run_bmc_split(task.problem, task.budget, options);
    }};

Result bmc_split(const System& system, std::size_t bad, const Budget& budget, const SplitOptions& options) {
  return run_alone(system, bad, bmc_split_engine.form, budget,
                   [&](Problem& problem) { return run_bmc_split(problem, budget, options); });
}

}  // namespace plumb::prove
