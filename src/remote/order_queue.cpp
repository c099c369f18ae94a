#include "remote/order_queue.h"

#include <algorithm>
#include <utility>

namespace plumb::remote {

namespace {

/// How often the budget is looked at.
constexpr std::chrono::milliseconds kSlice{50};

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

bool OrderQueue::has_waiting() const {
  const std::lock_guard lock(mutex_);
  return !waiting_.empty();
}

OrderPtr OrderQueue::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return nullptr;
  OrderPtr order = std::move(waiting_.front());
  waiting_.pop_front();
  order->state = Order::State::Given;
  return order;
}

void OrderQueue::answer(const OrderPtr& order, RunAnswer answer) {
  {
    const std::lock_guard lock(mutex_);
    order->answer = std::move(answer);
    order->state = Order::State::Answered;
  }
  changed_.notify_all();
}

bool OrderQueue::lose(const OrderPtr& order, Loss loss) {
  {
    const std::lock_guard lock(mutex_);
    if (order->is_abandoned) return false;
    order->loss = loss;
    if (++order->losses < kMaxLosses) {
      order->state = Order::State::Waiting;
      waiting_.push_front(order);
      return true;
    }
    order->state = Order::State::GivenUp;
  }
  changed_.notify_all();
  return false;
}

}  // namespace plumb::remote
