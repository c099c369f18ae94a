#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "check/engine.h"

namespace plumb::check {

/// An engine as a race knows it.
struct Contestant {
  Engine engine = Engine::Bmc;
  EngineFunction run = nullptr;
};
/// Those that the choice stands for.
std::vector<Contestant> contestants(Engine choice);

/// Engines side by side on the same goals, each in a thread; the thread that calls judges what they claim and confirms
/// counterexamples.
class Race {
 public:
  /// All of it must outlive the race. `on_answer` is told of each goal that is decided, in the calling thread.
  Race(const Program& program, const std::vector<Goal>& goals, const Settings& settings, Confirmer& confirmer,
       std::function<void(const GoalResult& answer)> on_answer);
  ~Race();

  /// An answer for each goal. Throws InternalError if engines contradict each other, and what a single contestant
  /// throws that is neither of its budget nor a UserError.
  Outcome run(const std::vector<Contestant>& engines, const Budget& budget);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::check
