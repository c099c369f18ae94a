#include "check/check.h"

#include <filesystem>

#include "base/error.h"
#include "check/race.h"

namespace plumb::check {

std::string_view name(Engine engine) {
  switch (engine) {
    case Engine::Auto:
      return "auto";
    case Engine::Circuit:
      return "circuit";
    case Engine::Bmc:
      return "bmc";
    case Engine::Tester:
      return "tester";
  }
  INVARIANT(false, "every engine should have a name");
}

Outcome check(const Program& program, const std::vector<Goal>& goals, const Settings& settings, const Budget& budget,
              const std::function<void(const GoalResult& answer)>& on_answer) {
  const std::filesystem::path directory = settings.directory / "confirm";
  std::filesystem::create_directories(directory);
  Confirmer confirmer(program, settings.load, directory);
  Race race(program, goals, settings, confirmer, on_answer);
  return race.run(contestants(settings.engine), budget);
}

}  // namespace plumb::check
