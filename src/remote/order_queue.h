#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/budget.h"
#include "remote/session.h"

namespace plumb::remote {

/// Why a run has to be made again.
enum class Loss : std::uint8_t {
  Vanished,     ///< the link is gone
  Garbage,      ///< what came was wrong
  Stalled,      ///< nothing came in time
  CannotStart,  ///< the target could not start the program
};

/// A run that a worker waits for. The queue's own.
struct Order {
  RunOrder run;
  enum class State : std::uint8_t { Waiting, Given, Answered, GivenUp } state = State::Waiting;
  bool is_abandoned = false;  ///< nobody waits any more
  RunAnswer answer;
  unsigned losses = 0;
  Loss loss = Loss::Vanished;  ///< the last
};
using OrderPtr = std::shared_ptr<Order>;

/// Orders on their way from workers to the thread that has the links, and answers on their way back. First come, first
/// served; a run that was lost goes before others. Thread-safe.
class OrderQueue {
 public:
  /// Called when there is a new order, by the worker.
  explicit OrderQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  // --- Workers ---

  struct Outcome {
    std::optional<RunAnswer> answer;
    std::optional<Loss> given_up;  ///< lost too often; with neither, the budget is over
  };
  /// Waits for the answer, or for the budget's end.
  Outcome run(RunOrder order, const Budget& budget);

  // --- The links ---

  bool has_waiting() const;
  OrderPtr take();  ///< null: nobody waits
  void answer(const OrderPtr& order, RunAnswer answer);
  /// Whether it is made again: not if it was lost too often, or nobody waits for it any more.
  bool lose(const OrderPtr& order, Loss loss);

 private:
  static constexpr unsigned kMaxLosses = 3;

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<OrderPtr> waiting_;
};

}  // namespace plumb::remote
