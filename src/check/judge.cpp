// Every engine tells the judge what it claims; the judge is the thread that called (base/parallel/race.h). It alone
// confirms counterexamples and decides, so what it keeps needs no locks, and the order in which claims arrive is the
// only thing that depends on time. Once everything is decided, the other engines are given a moment to say the same:
// two engines that share no model of the program are worth more than one. Memory is limited for the whole process, so
// that the engine which is the hungriest by design has to stop first, lest all of them stop at once.

#include "check/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel/race.h"

namespace plumb::check {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// How long the others are waited for when all is decided: a part of the time that it took, within limits.
constexpr double kGracePart = 0.25;
constexpr Seconds kLeastGrace{0.1};
constexpr Seconds kMostGrace{1.0};
/// Of the time that is left, kept for confirming what is found last.
constexpr double kReservePart = 0.1;
constexpr Seconds kMostReserve{5.0};
double seconds_since(Clock::time_point start) { return Seconds(Clock::now() - start).count(); }

/// Adds what is not there yet.
void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& each : from)
    if (std::ranges::count(to, each) == 0) to.push_back(each);
}

}  // namespace

struct Judge::State {
  State(const Program& the_program, const std::vector<Goal>& the_goals, const Settings& the_settings,
        replay::Confirmer& the_confirmer, std::function<void(const GoalResult&)> told)
      : program(the_program),
        goals(the_goals),
        settings(the_settings),
        confirmer(the_confirmer),
        on_answer(std::move(told)),
        is_decided(std::make_unique<std::atomic<bool>[]>(the_goals.size())) {}

  /// What became of one engine.
  struct Runner {
    const Engine* engine = nullptr;
    EngineRemarks remarks;
    std::exception_ptr failure;
    std::string failure_text;
    double seconds = 0;
    std::vector<result::Finding> answers;  ///< by goal; the judge's
    std::vector<bool> has_unconfirmed;     ///< by goal: it has a counterexample that no replay shows
  };

  Outcome run(const std::vector<const Engine*>& engines, const Budget& given);
  parallel::Race::Runner start(std::size_t i, parallel::Race& race);
  void end_if_settled(parallel::Race& race);
  void judge(Runner& runner, Claim& claim, double seconds);
  void judge_counterexample(Runner& runner, const Claim& claim, result::Finding& said);
  replay::Confirmation confirm(const Claim& claim);
  void decide(const Runner& runner, Claim& claim, double seconds, std::optional<Counterexample> counterexample);
  bool is_settled() const;
  void contradiction(const GoalResult& answer, const Runner& other);
  /// A proof does not stand beside a counterexample that no replay shows: one of the two reads the program wrongly.
  void doubt(Runner& proof, const Runner& other, std::size_t goal);
  void finish(GoalResult& answer, std::size_t goal) const;
  std::string place(const Goal& goal) const;

  const Program& program;
  const std::vector<Goal>& goals;
  const Settings& settings;
  replay::Confirmer& confirmer;
  std::function<void(const GoalResult&)> on_answer;
  std::unique_ptr<std::atomic<bool>[]> is_decided;  ///< by goal

  Clock::time_point began = Clock::now();
  Budget whole_budget;  ///< for confirming
  std::deque<Runner> runners;
  bool is_ending = false;

  Outcome report;
  std::optional<std::size_t> violated;  ///< the first goal
  std::string disagreement;             ///< two answers that cannot both be right
};

parallel::Race::Runner Judge::State::start(std::size_t i, parallel::Race& race) {
  Runner& runner = runners[i];
  const std::filesystem::path directory = settings.directory / runner.engine->info.name;
  std::filesystem::create_directories(directory);
  const auto tell = [this, &runner, &race](Claim claim) {
    race.post([this, &runner, &race, claim = std::move(claim), seconds = seconds_since(began)]() mutable {
      judge(runner, claim, seconds);
      end_if_settled(race);
    });
  };
  const auto run = [this, &runner, directory, tell](const Budget& budget) {
    if (!runner.engine->follows_threads && std::ranges::any_of(goals, program::is_about_threads)) {
      runner.remarks.reason = "it does not look at the orders in which threads run";
      return false;
    }
    runner.remarks =
        runner.engine->run({program, goals, settings, directory, runners.size() == 1, budget, tell,
                            [this](std::size_t goal) { return !is_decided[goal].load(std::memory_order_relaxed); }});
    return false;  // the judge says when there is enough
  };
  return {run, runner.engine->priority, runner.engine->memory_part};
}

Outcome Judge::State::run(const std::vector<const Engine*>& engines, const Budget& given) {
  began = Clock::now();
  whole_budget = given;
  Budget engine_budget = given;
  if (const auto left = given.time_left())
    engine_budget = given.with_timeout(*left - std::min(*left * kReservePart, kMostReserve));
  for (const Goal& goal : goals) report.answers.emplace_back().goal = goal;
  for (const Engine* engine : engines) {
    runners.emplace_back().engine = engine;
    runners.back().answers.assign(goals.size(), {.engine = std::string(engine->info.name)});
    runners.back().has_unconfirmed.resize(goals.size());
  }
  {
    parallel::Race race(engine_budget);
    std::vector<parallel::Race::Runner> started;
    for (std::size_t i = 0; i < runners.size(); ++i) started.push_back(start(i, race));
    race.start(std::move(started));
    end_if_settled(race);
    race.wait();
    for (std::size_t i = 0; i < runners.size(); ++i) {
      runners[i].failure = race.outcome(i).failure;
      runners[i].failure_text = race.outcome(i).reason;
      runners[i].seconds = race.outcome(i).seconds;
    }
  }
  if (!disagreement.empty()) fail_invariant("engines agree", disagreement, __FILE__, __LINE__);
  for (const Runner& runner : runners) {
    if (runner.failure && runners.size() == 1) std::rethrow_exception(runner.failure);
    if (runner.failure) {
      log().error("engine {} failed, and the others went on: {}", runner.engine->info.name, runner.failure_text);
      report.notes.push_back(fmt::format("engine {} failed: {}", runner.engine->info.name, runner.failure_text));
    }
    add_new(report.assumptions, runner.remarks.assumptions);
    add_new(report.notes, runner.remarks.notes);
    if (runner.remarks.explored) report.explored = runner.remarks.explored;
    if (runner.remarks.searched) report.searched = runner.remarks.searched;
  }
  for (std::size_t goal = 0; goal < goals.size(); ++goal) {
    finish(report.answers[goal], goal);
    if (report.answers[goal].verdict != Verdict::Violated) result::add_gaps(report.gaps, report.answers[goal].gaps);
  }
  return std::move(report);
}

void Judge::State::end_if_settled(parallel::Race& race) {
  if (!disagreement.empty()) race.end_after(Seconds(0));
  if (is_ending || !is_settled()) return;
  is_ending = true;
  race.end_after(std::clamp(Seconds(Clock::now() - began) * kGracePart, kLeastGrace, kMostGrace));
}

void Judge::State::judge(Runner& runner, Claim& claim, double seconds) {
  INVARIANT(claim.goal < goals.size(), "a claim should be about a goal of the race");
  result::Finding& said = runner.answers[claim.goal];
  if (is_final(said.verdict)) return;
  said.verdict = claim.verdict;
  said.detail = claim.detail;
  said.reason = claim.reason;
  said.gaps = claim.gaps;
  said.seconds = seconds;
  if (claim.verdict == Verdict::Violated) return judge_counterexample(runner, claim, said);
  result::add_gaps(claim.gaps, settings.gaps);
  said.gaps = claim.gaps;
  const result::Absence absence = result::claim_absence(claim.verdict, claim.reason, claim.gaps, settings.accepts_gaps);
  said.verdict = claim.verdict = absence.verdict;
  said.reason = claim.reason = absence.reason;
  const GoalResult& answer = report.answers[claim.goal];
  if (!is_proof(claim.verdict)) return;
  if (answer.verdict == Verdict::Violated) return contradiction(answer, runner);
  for (const Runner& other : runners)
    if (other.has_unconfirmed[claim.goal]) return doubt(runner, other, claim.goal);
  if (!is_proof(answer.verdict)) decide(runner, claim, seconds, std::nullopt);
}

void Judge::State::doubt(Runner& proof, const Runner& other, std::size_t goal) {
  result::Finding& said = proof.answers[goal];
  said.verdict = Verdict::Unknown;
  said.reason =
      fmt::format("it has a proof, but engine {} a counterexample that was not confirmed", other.engine->info.name);
  GoalResult& answer = report.answers[goal];
  if (!is_proof(answer.verdict)) return;
  answer = GoalResult{{}, answer.goal};
  is_decided[goal].store(false, std::memory_order_relaxed);
}

replay::Confirmation Judge::State::confirm(const Claim& claim) {
  try {
    return confirmer.confirm(goals[claim.goal], *claim.test, whole_budget);
  } catch (const OutOfBudget& end) {
    return {false, std::string(to_string(end.stop))};
  } catch (const UserError& error) {
    return {false, error.message()};
  }
}

void Judge::State::judge_counterexample(Runner& runner, const Claim& claim, result::Finding& said) {
  INVARIANT(claim.test, "a claim of a violation should have a test");
  const GoalResult& answer = report.answers[claim.goal];
  if (answer.verdict == Verdict::Violated) return;
  replay::Confirmation confirmation = confirm(claim);
  if (!confirmation.counterexample) {
    said.verdict = Verdict::Unknown;
    said.reason = fmt::format("it has a counterexample that was not confirmed: {}", confirmation.reason);
    add_new(report.notes, {fmt::format("{}: {}: {}", place(goals[claim.goal]), runner.engine->info.name, said.reason)});
    runner.has_unconfirmed[claim.goal] = true;
    for (Runner& each : runners)
      if (is_proof(each.answers[claim.goal].verdict)) doubt(each, runner, claim.goal);
    return;
  }
  if (is_proof(answer.verdict)) return contradiction(answer, runner);
  Claim decided = claim;
  decide(runner, decided, said.seconds, std::move(confirmation.counterexample));
}

void Judge::State::decide(const Runner& runner, Claim& claim, double seconds,
                          std::optional<Counterexample> counterexample) {
  GoalResult& answer = report.answers[claim.goal];
  answer.verdict = claim.verdict;
  answer.engine = runner.engine->info.name;
  answer.detail = claim.detail;
  answer.reason = claim.reason;
  answer.gaps = claim.gaps;
  answer.counterexample = std::move(counterexample);
  answer.invariants = std::move(claim.invariants);
  answer.seconds = seconds;
  is_decided[claim.goal].store(true, std::memory_order_relaxed);
  if (answer.verdict == Verdict::Violated && !violated) violated = claim.goal;
  if (on_answer) on_answer(answer);
}

bool Judge::State::is_settled() const {
  if (!disagreement.empty() || (violated && !settings.is_every_goal)) return true;
  return std::ranges::all_of(report.answers, [](const GoalResult& answer) { return is_final(answer.verdict); });
}

void Judge::State::contradiction(const GoalResult& answer, const Runner& other) {
  const bool was_violated = answer.verdict == Verdict::Violated;
  const std::string_view first = answer.engine;
  const std::string_view second = other.engine->info.name;
  disagreement = fmt::format(
      "{}, {}: the proof of {} and the confirmed counterexample of {} should not contradict each other",
      place(answer.goal), describe(program, answer.goal), was_violated ? second : first, was_violated ? first : second);
}

std::string Judge::State::place(const Goal& goal) const {
  const program::CodePoint at = goal.at;
  return program.describe(program.functions[at.function].instructions[at.instruction].location).to_string();
}

void Judge::State::finish(GoalResult& answer, std::size_t goal) const {
  std::string bounds, reasons;
  for (const Runner& runner : runners) {
    result::Finding said = runner.answers[goal];
    if (!is_final(said.verdict)) {
      if (said.reason.empty() && said.verdict == Verdict::Unknown)
        said.reason = runner.failure_text.empty() ? runner.remarks.reason : runner.failure_text;
      constexpr std::string_view kStopped = "stopped: another engine was first";
      const std::string_view cancelled = to_string(Stop::Cancelled);
      if (is_final(answer.verdict) && said.reason.ends_with(cancelled))
        said.reason.replace(said.reason.size() - cancelled.size(), cancelled.size(), kStopped);
      if (is_final(answer.verdict) && said.reason.empty()) said.reason = kStopped;
      if (said.seconds == 0) said.seconds = runner.seconds;
    }
    // What a proof without gaps went past is nobody's concern.
    if (!is_final(answer.verdict)) result::add_gaps(answer.gaps, said.gaps);
    std::string& list = said.verdict == Verdict::HoldsUpTo ? bounds : reasons;
    if (!said.reason.empty()) list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", said.engine, said.reason);
    if (said.verdict == Verdict::HoldsUpTo && answer.verdict == Verdict::Unknown) {
      answer.verdict = Verdict::HoldsUpTo;
      answer.engine = said.engine;
      answer.detail = said.detail;
      answer.seconds = said.seconds;
    }
    answer.engines.push_back(std::move(said));
  }
  if (is_final(answer.verdict)) return;
  answer.reason = answer.verdict == Verdict::HoldsUpTo ? bounds : reasons;
  if (violated && !settings.is_every_goal)
    answer.reason = fmt::format("not decided: {} is violated", place(goals[*violated]));
  if (answer.verdict == Verdict::Unknown) {
    answer.engine = runners.size() == 1 ? runners.front().engine->info.name : "auto";
    answer.seconds = seconds_since(began);
  }
}

Judge::Judge(const Program& program, const std::vector<Goal>& goals, const Settings& settings,
             replay::Confirmer& confirmer, std::function<void(const GoalResult& answer)> on_answer)
    : state_(std::make_unique<State>(program, goals, settings, confirmer, std::move(on_answer))) {}
Judge::~Judge() = default;

Outcome Judge::run(const std::vector<const Engine*>& engines, const Budget& budget) {
  return state_->run(engines, budget);
}

}  // namespace plumb::check
