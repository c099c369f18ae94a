// A run ends at its first fault, also at one that nobody asked about: a property holds only of what comes before. So
// where a property was proved, the engines are asked about those faults too, for a part of the time. Those that they
// prove absent are forgotten; the others are what the proof takes for granted.

#include "check/check.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/error.h"
#include "check/has_threads.h"
#include "check/judge.h"
#include "semantics/goals.h"

namespace plumb::check {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// More places than these are not worth the time.
constexpr std::size_t kMostPremises = 400;
constexpr Seconds kLeastTime{1};

/// The faults at which runs end besides the goals.
std::vector<Goal> other_faults(const Program& program, const std::vector<Goal>& goals) {
  semantics::GoalOptions options{.has_assertions = false, .checks = program.checks};
  options.checks.remove(program::Check::Leak);
  std::vector<Goal> others = semantics::find_goals(program, options);
  std::erase_if(others, [&](const Goal& each) { return std::ranges::find(goals, each) != goals.end(); });
  return others;
}

/// The engines that are wanted. Where nobody chooses, programs with threads are explored too, and whoever asks about
/// threads has the explorer at least.
std::vector<const Engine*> chosen_engines(const Program& program, const std::vector<Goal>& goals,
                                          const Settings& settings, std::vector<std::string>& notes) {
  std::vector<const Engine*> chosen;
  for (const std::string& name : engines().resolve(settings.engines, notes)) chosen.push_back(&engines().find(name));
  const bool is_free = settings.engines.empty() || settings.engines == std::vector<std::string>{"auto"};
  if (is_free && (has_threads(program) || std::ranges::any_of(goals, program::is_about_threads)))
    chosen.push_back(&explore_engine);
  if (is_free && has_threads(program)) chosen.push_back(&contexts_engine);
  return chosen;
}

bool is_said_absent(const GoalResult& answer) {
  return answer.verdict == Verdict::Holds || answer.verdict == Verdict::HoldsUpTo;
}

Budget time_for_premises(const Budget& budget, Seconds spent) {
  const Seconds most = std::max(kLeastTime, spent);
  const auto left = budget.time_left();
  return budget.with_timeout(left ? std::min(most, *left / 2) : most);
}

/// Of the faults that nobody asked about those that may happen.
std::vector<Goal> premises(const Program& program, const std::vector<Goal>& goals, const Settings& settings,
                           replay::Confirmer& confirmer, const std::vector<const Engine*>& engines,
                           const Budget& budget) {
  std::vector<Goal> open = other_faults(program, goals);
  if (open.empty() || open.size() > kMostPremises) return open;
  Settings all = settings;
  all.is_every_goal = true;
  all.wants_invariants = false;
  std::vector<const Engine*> provers;
  for (const Engine* engine : engines)
    if (engine->info.can_hold) provers.push_back(engine);
  if (provers.empty()) return open;
  const Outcome found = Judge(program, open, all, confirmer, {}).run(provers, budget);
  std::vector<Goal> left;
  for (const GoalResult& answer : found.answers)
    if (!is_proof(answer.verdict)) left.push_back(answer.goal);
  return left;
}

}  // namespace

const result::EngineList<Engine>& engines() {
#define PLUMB_LIST_ENGINE(name) &name##_engine,
  static const result::EngineList<Engine> list = {PLUMB_CHECK_ENGINES(PLUMB_LIST_ENGINE)};
#undef PLUMB_LIST_ENGINE
  return list;
}

Outcome check(const Program& program, const std::vector<Goal>& goals, const Settings& settings, const Budget& budget,
              const std::function<void(const GoalResult& answer)>& on_answer) {
  const std::filesystem::path directory = settings.directory / "confirm";
  std::filesystem::create_directories(directory);
  replay::Builds builds(program, settings.load, directory);
  replay::Confirmer confirmer(builds);
  std::vector<std::string> notes;
  const std::vector<const Engine*> chosen = chosen_engines(program, goals, settings, notes);
  const Clock::time_point start = Clock::now();
  Outcome outcome = Judge(program, goals, settings, confirmer, on_answer).run(chosen, budget);
  if (std::ranges::any_of(outcome.answers, is_said_absent))
    outcome.premises =
        premises(program, goals, settings, confirmer, chosen, time_for_premises(budget, Clock::now() - start));
  outcome.notes.insert(outcome.notes.begin(), notes.begin(), notes.end());
  return outcome;
}

}  // namespace plumb::check
