#include "check/check.h"

#include <filesystem>

#include "base/error.h"
#include "check/judge.h"

namespace plumb::check {

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
  std::vector<const Engine*> chosen;
  std::vector<std::string> notes;
  for (const std::string& name : engines().resolve(settings.engines, notes)) chosen.push_back(&engines().find(name));
  Outcome outcome = Judge(program, goals, settings, confirmer, on_answer).run(chosen, budget);
  outcome.notes.insert(outcome.notes.begin(), notes.begin(), notes.end());
  return outcome;
}

}  // namespace plumb::check
