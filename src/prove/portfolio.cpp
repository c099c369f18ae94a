// All engines at once, each in a thread with a system of its own; only concrete data goes between them. An engine's
// answer is one only after our own check of it, so whoever is first may stop the others, and the verdict does not
// depend on who that was: it is a fact about the system. The ABC engines wait for the reduction, which they share; the
// others start at once. What BMC decides in a moment should not wait for all the others, so that they are nicer at
// first; what is not decided in that time is for all of them alike.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>

#include "base/parallel/race.h"
#include "prove/abc_session.h"
#include "prove/engine.h"

namespace plumb::prove {

const result::EngineList<Engine>& engines() {
#define PLUMB_LIST_ENGINE(name) &name##_engine,
  static const result::EngineList<Engine> list = {PLUMB_PROVE_ENGINES(PLUMB_LIST_ENGINE)};
#undef PLUMB_LIST_ENGINE
  return list;
}

namespace {

constexpr std::chrono::seconds kHeadStart{3};

class Portfolio {
 public:
  Portfolio(const System& system, std::size_t bad, const Options& options)
      : system_(system), bad_(bad), options_(options) {
    for (const std::string& name : engines().resolve(options.engines, notes_)) {
      const Engine& engine = engines().find(name);
      if (engine.check != nullptr) engine.check(name);
      lanes_.push_back({name, engine, Problem(system, bad, engine.form), {}});
    }
    std::vector<circuit::AbcStep> reduction = parse_reduction(options.reduction);
    if (std::ranges::any_of(lanes_, [](const Lane& lane) { return lane.engine.needs_abc; }))
      abc_ = std::make_unique<SharedAbcSession>(system, bad, std::move(reduction), options.abc);
  }

  const std::vector<std::string>& notes() const noexcept { return notes_; }

  Result run(const Budget& budget) {
    parallel::Race race(budget, {kHeadStart, kLaterPriority, true});
    std::vector<parallel::Race::Runner> runners;
    for (Lane& lane : lanes_)
      runners.push_back({[this, &lane](const Budget& own) {
                           lane.result = lane.engine.run(
                               {lane.problem, own, options_, lane.name, lanes_.size() == 1, abc_.get()});
                           return is_final(lane.result.verdict);
                         },
                         lane.engine.priority});
    race.start(std::move(runners));
    race.wait();
    race.rethrow_failure();
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Result& result = lanes_[i].result;
      const parallel::Race::Outcome& outcome = race.outcome(i);
      if (!outcome.reason.empty()) result.reason = outcome.reason;
      result.engine = lanes_[i].name;
      if (result.engines.empty()) add_run(result, outcome.seconds);
    }
    return merged(race.winner());
  }

 private:
  struct Lane {
    std::string name;
    const Engine& engine;
    Problem problem;
    Result result;
  };

  Result merged(std::optional<std::size_t> winner) {
    std::size_t best = winner.value_or(0);
    for (std::size_t i = 1; i < lanes_.size() && !winner; ++i)
      if (is_better(lanes_[i].result, lanes_[best].result)) best = i;
    Result result = for_whole(system_, bad_, lanes_[best].problem, lanes_[best].result);
    result.engines.clear();
    for (const Lane& lane : lanes_)
      for (result::Finding run : lane.result.engines) {
        if (winner && &lane != &lanes_[best] && !is_final(lane.result.verdict))
          run.reason = "stopped: another engine was first";
        result.engines.push_back(std::move(run));
        if (!is_proof(result.verdict) && result.unchecked_claim.empty())
          result.unchecked_claim = lane.result.unchecked_claim;
      }
    if (result.verdict == Verdict::Unknown) result.reason = all_reasons();
    if (abc_) add_reduction(result, winner.has_value());
    result.notes.insert(result.notes.begin(), notes_.begin(), notes_.end());
    return result;
  }

  void add_reduction(Result& result, bool is_decided) const {
    const AbcSession* session = abc_->made();
    if (session) result.reductions = session->reduced().sizes;
    const std::string& reason = session ? session->reduced().reason : abc_->reason();
    if (!reason.empty() && !is_decided) result.notes.push_back("reduction: " + reason);
  }

  /// A bound is better than none, a greater one better than a smaller one.
  static bool is_better(const Result& a, const Result& b) {
    if (a.verdict != b.verdict) return a.verdict == Verdict::HoldsUpTo;
    return a.verdict == Verdict::HoldsUpTo && a.bound > b.bound;
  }

  std::string all_reasons() const {
    std::string reasons;
    for (const Lane& lane : lanes_)
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", lane.name, lane.result.reason);
    return reasons;
  }

  const System& system_;
  std::size_t bad_;
  const Options& options_;
  std::vector<std::string> notes_;
  std::deque<Lane> lanes_;
  std::unique_ptr<SharedAbcSession> abc_;
};

}  // namespace

std::vector<std::string> machine_engines() {
  std::vector<std::string> names;
  for (const Engine* engine : engines())
    for (const std::string_view name : engine->for_machines)
      if (!name.empty()) names.emplace_back(name);
  return names;
}

Result prove(const System& system, std::size_t bad, const Budget& budget, const Options& options) {
  Portfolio portfolio(system, bad, options);
  Problem problem(system, bad, Problem::Form::Arrays);
  if (auto result = vacuous_result(problem, budget)) {
    result->notes = portfolio.notes();
    return *result;
  }
  return portfolio.run(budget);
}

Result prove(const System& system, std::size_t bad, const Budget& budget) {
  return prove(system, bad, budget, Options());
}

}  // namespace plumb::prove
