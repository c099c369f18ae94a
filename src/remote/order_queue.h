#pragma once

#include <array>
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
  std::array<unsigned, 4> losses{};  ///< by Loss
  Loss loss = Loss::Vanished;        ///< the last
  Time not_before{};                 ///< for a target of which nothing is known

  bool was_lost() const { return losses != std::array<unsigned, 4>{}; }
};
using OrderPtr = std::shared_ptr<Order>;

/// Orders on their way from workers to the thread that has the links, and answers on their way back. First come, first
/// served; a run that was lost goes before others, to a target that has made a run in its session if there is one. Else
/// it waits for a while, which grows: targets may be on their way back. It is given up when it was lost too often,
/// which for damaged bytes is more often than for targets that vanish or stall, since the run may be what makes them do
/// so. Thread-safe.
class OrderQueue {
 public:
  /// Called when there is a new order, by the worker.
  /// `pause`: after the first loss.
  OrderQueue(std::function<void()> wake, std::chrono::milliseconds pause) : wake_(std::move(wake)), pause_(pause) {}

  // --- Workers ---

  struct Outcome {
    std::optional<RunAnswer> answer;
    std::optional<Loss> given_up;  ///< lost too often; with neither, the budget is over
  };
  /// Waits for the answer, or for the budget's end.
  Outcome run(RunOrder order, const Budget& budget);

  // --- The links ---

  /// Who could take an order.
  struct Taker {
    bool is_tried = false;      ///< has made a run
    bool is_any_tried = false;  ///< this or another that is connected
  };
  /// Null: nobody waits, or for nothing that this one is to do now.
  OrderPtr take(Taker taker, Time now);
  /// A run that was lost waits.
  bool has_lost() const;
  /// Some run was answered.
  bool has_answered() const;
  void answer(const OrderPtr& order, RunAnswer answer);
  enum class Fate : std::uint8_t { Repeated, GivenUp, Abandoned };  ///< Abandoned: nobody waits for it any more
  Fate lose(const OrderPtr& order, Loss loss, Time now);

 private:
  std::function<void()> wake_;
  std::chrono::milliseconds pause_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<OrderPtr> waiting_;
  bool has_answered_ = false;
};

}  // namespace plumb::remote
