#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "check/engine.h"
#include "replay/confirmer.h"

namespace plumb::check {

/// Engines side by side on the same goals, each in a thread; the thread that calls judges what they claim and confirms
/// counterexamples.
class Judge {
 public:
  /// All of it must outlive it. `on_answer` is told of each goal that is decided, in the calling thread.
  Judge(const Program& program, const std::vector<Goal>& goals, const Settings& settings, replay::Confirmer& confirmer,
        std::function<void(const GoalResult& answer)> on_answer);
  ~Judge();

  /// An answer for each goal. Throws InternalError if engines contradict each other, and what a single engine
  /// throws that is neither of its budget nor a UserError.
  Outcome run(const std::vector<const Engine*>& engines, const Budget& budget);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::check
