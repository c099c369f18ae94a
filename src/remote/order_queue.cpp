#include "remote/order_queue.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace plumb::remote {

namespace {

/// How often the budget is looked at.
constexpr std::chrono::milliseconds kSlice{50};
constexpr std::chrono::milliseconds kLongestPause{4000};
/// By Loss: vanished, garbage, stalled, cannot start.
constexpr std::array<unsigned, 4> kMostLosses = {5, 12, 3, 3};

bool is_settled(const Order& order) {
  return order.state == Order::State::Answered || order.state == Order::State::GivenUp;
}

}  // namespace

OrderQueue::Outcome OrderQueue::run(RunOrder run, const Budget& budget) {
  const OrderPtr order = std::make_shared<Order>();
  order->run = std::move(run);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(order);
  }
  wake_();
  std::unique_lock lock(mutex_);
  while (!is_settled(*order)) {
    if (budget.exceeded()) {
      order->is_abandoned = true;
      std::erase(waiting_, order);
      return {};
    }
    changed_.wait_for(lock, kSlice);
  }
  if (order->state == Order::State::GivenUp) return {std::nullopt, order->loss};
  return {std::move(order->answer), std::nullopt};
}

OrderPtr OrderQueue::take(Taker taker, Time now) {
  const std::lock_guard lock(mutex_);
  const auto it = std::ranges::find_if(waiting_, [&](const OrderPtr& each) {
    return !each->was_lost() || taker.is_tried || (!taker.is_any_tried && now >= each->not_before);
  });
  if (it == waiting_.end()) return nullptr;
  OrderPtr order = std::move(*it);
  waiting_.erase(it);
  order->state = Order::State::Given;
  return order;
}

bool OrderQueue::has_lost() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(waiting_, [](const OrderPtr& each) { return each->was_lost(); });
}

bool OrderQueue::has_answered() const {
  const std::lock_guard lock(mutex_);
  return has_answered_;
}

void OrderQueue::answer(const OrderPtr& order, RunAnswer answer) {
  {
    const std::lock_guard lock(mutex_);
    order->answer = std::move(answer);
    order->state = Order::State::Answered;
    has_answered_ = true;
  }
  changed_.notify_all();
}

OrderQueue::Fate OrderQueue::lose(const OrderPtr& order, Loss loss, Time now) {
  {
    const std::lock_guard lock(mutex_);
    if (order->is_abandoned) return Fate::Abandoned;
    order->loss = loss;
    if (++order->losses[static_cast<std::size_t>(loss)] < kMostLosses[static_cast<std::size_t>(loss)]) {
      const unsigned count = std::accumulate(order->losses.begin(), order->losses.end(), 0U);
      order->not_before = now + std::min(pause_ * (1U << std::min(count - 1, 10U)), kLongestPause);
      order->state = Order::State::Waiting;
      waiting_.push_front(order);
      return Fate::Repeated;
    }
    order->state = Order::State::GivenUp;
  }
  changed_.notify_all();
  return Fate::GivenUp;
}

}  // namespace plumb::remote
