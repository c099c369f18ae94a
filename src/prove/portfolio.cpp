// All engines at once, each in a thread with a system of its own; only concrete data goes between them. An engine's
// answer is one only after our own check of it, so whoever is first may stop the others, and the verdict does not
// depend on who that was: it is a fact about the system. The ABC engines wait for the reduction, which they share; the
// others start at once.

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "prove/abc_session.h"
#include "prove/problem.h"

namespace plumb::prove {
namespace {

constexpr std::string_view kAbcPrefix = "abc ";
constexpr std::array<std::string_view, 6> kOurEngines = {"bmc", "bmc split", "paths", "k-induction", "guess", "modes"};
constexpr unsigned kMaxSplitThreads = 4;
/// Nice levels: what BMC decides in a moment should not wait for all the others, and there may be fewer cores than
/// engines. What is not decided in that time is for all of them alike.
constexpr int kSplitPriority = 1;
constexpr int kInductionPriority = 4;
constexpr int kAbcPriority = 8;
constexpr std::chrono::seconds kHeadStart{3};

struct Engine {
  std::string name;
  std::optional<circuit::AbcStep> proof;  ///< of ABC
};

std::vector<Engine> parse_engines(const Options& options) {
  std::vector<Engine> engines;
  for (const std::string& name : options.engines) {
    if (name.starts_with(kAbcPrefix)) {
      std::vector<circuit::AbcStep> steps = circuit::parse_abc_script(name.substr(kAbcPrefix.size()), "engine");
      if (steps.size() != 1 || !steps.front().is_proof())
        throw UserError(fmt::format("engine '{}' is not one proof of ABC", name), "such as 'abc pdr'");
      engines.push_back({name, std::move(steps.front())});
    } else if (std::ranges::find(kOurEngines, name) != kOurEngines.end()) {
      engines.push_back({name, std::nullopt});
    } else {
      throw UserError(fmt::format("there is no engine '{}'", name),
                      "engines are bmc, bmc split, paths, k-induction, guess, modes and abc with a proof");
    }
  }
  if (engines.empty()) throw UserError("no engine was chosen");
  return engines;
}

std::vector<circuit::AbcStep> parse_reduction(const std::string& script) {
  std::vector<circuit::AbcStep> steps = circuit::parse_abc_script(script, "reduction");
  for (const circuit::AbcStep& step : steps)
    if (step.is_proof()) throw UserError(fmt::format("reduction: '{}' is a proof", step.text()));
  return steps;
}

Problem::Form form_of(const std::string& engine) {
  if (engine == "k-induction" || engine == "paths") return Problem::Form::Cells;
  return engine == "guess" || engine == "modes" ? Problem::Form::FewCells : Problem::Form::Arrays;
}

bool decides(const Result& result) { return result.verdict == Verdict::Holds || result.verdict == Verdict::Violated; }

class Race {
 public:
  Race(const System& system, std::size_t bad, const Budget& budget, const Options& options)
      : system_(system),
        bad_(bad),
        engines_(parse_engines(options)),
        reduction_(parse_reduction(options.reduction)),
        options_(options),
        budget_(budget.with_own_cancellation()),
        results_(engines_.size()),
        failures_(engines_.size()) {
    for (const Engine& engine : engines_)
      problems_.push_back(std::make_unique<Problem>(system, bad, form_of(engine.name)));
    const bool uses_abc = std::ranges::any_of(engines_, [](const Engine& engine) { return engine.proof.has_value(); });
    if (uses_abc) abc_problem_ = std::make_unique<Problem>(system, bad, Problem::Form::Arrays);
  }

  Result run() {
    std::thread reducer;
    if (abc_problem_) reducer = std::thread([this] { reduce(); });
    std::thread equaliser([this] { end_head_start(); });
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < engines_.size(); ++i) threads.emplace_back([this, i] { run_engine(i); });
    }
    {
      const std::scoped_lock lock(mutex_);
      are_all_done_ = true;
    }
    all_done_.notify_all();
    equaliser.join();
    if (reducer.joinable()) reducer.join();
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
    return merged();
  }

 private:
  void reduce() {
    std::unique_ptr<AbcSession> session;
    lower_priority(kAbcPriority);
    try {
      session = std::make_unique<AbcSession>(*abc_problem_, reduction_, options_.abc, budget_);
    } catch (const OutOfBudget& end) {
      no_session_ = to_string(end.stop);
    } catch (const UserError& error) {
      no_session_ = error.message();
    } catch (...) {
      session_.set_exception(std::current_exception());
      return;
    }
    session_.set_value(std::move(session));
  }

  void end_head_start() {
    std::unique_lock lock(mutex_);
    if (all_done_.wait_for(lock, kHeadStart, [this] { return are_all_done_; }) || engines_.size() == 1) return;
    for (const id_t thread : threads_) setpriority(PRIO_PROCESS, thread, kAbcPriority);
  }

  void run_engine(std::size_t i) {
    const Stopwatch watch;
    {
      const std::scoped_lock lock(mutex_);
      threads_.push_back(static_cast<id_t>(gettid()));
    }
    Result& result = results_[i];
    if (engines_[i].proof) lower_priority(kAbcPriority);
    // Guessing ends by itself where it leads to nothing.
    if (engines_[i].name == "bmc split" || engines_[i].name == "paths" || engines_[i].name == "guess" ||
        engines_[i].name == "modes")
      lower_priority(kSplitPriority);
    if (engines_[i].name == "k-induction") lower_priority(kInductionPriority);
    try {
      result = answer(i);
    } catch (const OutOfBudget& end) {
      result.reason = to_string(end.stop);
    } catch (const UserError& error) {
      result.reason = error.message();
    } catch (...) {
      failures_[i] = std::current_exception();
      budget_.cancel();
    }
    result.engine = engines_[i].name;
    if (result.engines.empty()) add_run(result, watch.seconds());
    if (!decides(result)) return;
    const std::scoped_lock lock(mutex_);
    if (!winner_) winner_ = i;
    budget_.cancel();
  }

  /// Of this thread and the processes that it starts. A hint, so that it does not matter if it fails.
  void lower_priority(int by) const {
    if (engines_.size() > 1) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), by);
  }

  Result answer(std::size_t i) {
    const Engine& engine = engines_[i];
    Problem& problem = *problems_[i];
    if (engine.proof) {
      const std::unique_ptr<AbcSession>& session = shared_session_.get();
      if (session) return session->run(*engine.proof, problem, budget_, options_.trust_abc);
      Result result;
      result.reason = no_session_;
      return result;
    }
    BmcOptions bmc;
    bmc.max_bound = options_.max_bound;
    bmc.seed = options_.seed;
    if (engine.name == "bmc") return run_bmc(problem, budget_, bmc);
    if (engine.name == "bmc split") return run_bmc_split(problem, budget_, split_options(bmc));
    if (engine.name == "paths") return run_paths(problem, budget_, bmc);
    if (engine.name == "guess") return run_guess(problem, budget_, {.seed = options_.seed});
    if (engine.name == "modes") return run_modes(problem, budget_, {.seed = options_.seed});
    InductionOptions induction;
    induction.max_k = options_.max_bound;
    induction.seed = options_.seed;
    return run_k_induction(problem, budget_, induction);
  }

  /// Side by side with others it keeps to half of the cores, but more than one thread: where it is worth it at all it
  /// gets further than they do.
  SplitOptions split_options(const BmcOptions& bmc) const {
    const unsigned cores = std::thread::hardware_concurrency();
    SplitOptions split;
    split.bmc = bmc;
    split.threads = std::clamp(engines_.size() == 1 ? cores : cores / 2, 2U, kMaxSplitThreads);
    return split;
  }

  Result merged() {
    std::size_t best = 0;
    if (winner_) {
      best = *winner_;
    } else {
      for (std::size_t i = 1; i < results_.size(); ++i)
        if (is_better(results_[i], results_[best])) best = i;
    }
    Result result = for_whole(system_, bad_, *problems_[best], results_[best]);
    result.engines.clear();
    for (std::size_t i = 0; i < results_.size(); ++i)
      for (EngineRun run : results_[i].engines) {
        if (winner_ && i != *winner_ && !decides(results_[i])) run.reason = "stopped: another engine was first";
        result.engines.push_back(std::move(run));
        if (result.verdict != Verdict::Holds && result.unchecked_claim.empty())
          result.unchecked_claim = results_[i].unchecked_claim;
      }
    if (result.verdict == Verdict::Unknown) result.reason = all_reasons();
    if (abc_problem_) add_reduction(result);
    return result;
  }

  void add_reduction(Result& result) {
    const std::unique_ptr<AbcSession>& session = shared_session_.get();
    if (session) result.reductions = session->reduced().sizes;
    const std::string& reason = session ? session->reduced().reason : no_session_;
    if (!reason.empty() && !winner_) result.notes.push_back("reduction: " + reason);
  }

  /// A bound is better than none, a greater one better than a smaller one.
  static bool is_better(const Result& a, const Result& b) {
    if (a.verdict != b.verdict) return a.verdict == Verdict::HoldsUpTo;
    return a.verdict == Verdict::HoldsUpTo && a.bound > b.bound;
  }

  std::string all_reasons() const {
    std::string reasons;
    for (const Result& result : results_)
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", result.engine, result.reason);
    return reasons;
  }

  const System& system_;
  std::size_t bad_;
  std::vector<Engine> engines_;
  std::vector<circuit::AbcStep> reduction_;
  const Options& options_;
  Budget budget_;
  std::vector<Result> results_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::unique_ptr<Problem>> problems_;
  std::unique_ptr<Problem> abc_problem_;
  std::string no_session_;  ///< why there is none; written before the session is set
  std::promise<std::unique_ptr<AbcSession>> session_;
  std::shared_future<std::unique_ptr<AbcSession>> shared_session_ = session_.get_future().share();
  std::mutex mutex_;
  std::condition_variable all_done_;
  bool are_all_done_ = false;
  std::vector<id_t> threads_;  ///< of engines
  std::optional<std::size_t> winner_;
};

}  // namespace

std::vector<std::string> default_engines() {
  return {"bmc", "bmc split", "paths", "k-induction", "guess", "abc pdr", "abc int"};
}

std::vector<std::string> machine_engines() {
  return {"bmc", "k-induction", "guess", "modes", "abc pdr", "abc pdr -nc"};
}

Result prove(const System& system, std::size_t bad, const Budget& budget, const Options& options) {
  Race race(system, bad, budget, options);
  Problem problem(system, bad, Problem::Form::Arrays);
  if (auto result = vacuous_result(problem, budget)) return *result;
  return race.run();
}

Result prove(const System& system, std::size_t bad, const Budget& budget) {
  return prove(system, bad, budget, Options());
}

}  // namespace plumb::prove
