#include "base/parallel/race.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.h"

namespace plumb::parallel {
namespace {

/// Calls run(); what it throws becomes part of the outcome.
void call(const Race::Runner& runner, const Budget& budget, Race::Outcome& outcome) {
  try {
    outcome.has_answer = runner.run(budget);
  } catch (const OutOfBudget& end) {
    outcome.reason = to_string(end.stop);
  } catch (const std::bad_alloc&) {
    outcome.reason = to_string(Stop::Memory);
  } catch (const UserError& error) {
    outcome.reason = error.location().file.empty()
                         ? error.message()
                         : fmt::format("{}: {}", error.location().to_string(), error.message());
  } catch (const std::exception& error) {
    outcome.failure = std::current_exception();
    outcome.reason = fmt::format("internal error: {}", error.what());
  } catch (...) {
    outcome.failure = std::current_exception();
    outcome.reason = "internal error";
  }
}

}  // namespace

Race::~Race() { budget_.cancel(); }

Budget Race::budget_of(const Runner& runner) const {
  const auto limit = budget_.memory_limit();
  if (!limit || is_alone()) return budget_;
  return budget_.with_memory_limit(static_cast<std::uint64_t>(static_cast<double>(*limit) * runner.memory_part));
}

void Race::start(std::vector<Runner> runners) {
  INVARIANT(lanes_.empty(), "a race should be started once");
  for (Runner& runner : runners) lanes_.emplace_back().runner = std::move(runner);
  running_ = lanes_.size();
  if (options_.head_start && !is_alone())
    level_at_ = began_ + std::chrono::duration_cast<Clock::duration>(*options_.head_start);
  for (Lane& lane : lanes_) threads_.start([this, &lane](const std::stop_token&) { run(lane); });
}

void Race::run(Lane& lane) {
  {
    const std::scoped_lock lock(mutex_);
    lane.thread = gettid();
  }
  if (!is_alone()) lower_priority(gettid(), lane.runner.priority);
  call(lane.runner, budget_of(lane.runner), lane.outcome);
  // What it held is needed by the others, and the limit is on what the process has from the system.
  if (budget_.memory_limit() && !is_alone()) malloc_trim(0);
  lane.outcome.seconds = Seconds(Clock::now() - began_).count();
  const std::scoped_lock lock(mutex_);
  lane.thread = 0;
  --running_;
  const auto number = static_cast<std::size_t>(
      std::ranges::find_if(lanes_, [&](const Lane& each) { return &each == &lane; }) - lanes_.begin());
  if (lane.outcome.has_answer && !winner_) winner_ = number;
  if (lane.outcome.has_answer || (lane.outcome.failure && options_.ends_at_failure)) budget_.cancel();
  changed_.notify_all();
}

void Race::post(std::function<void()> message) {
  const std::scoped_lock lock(mutex_);
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

void Race::end_after(Seconds time) {
  const std::scoped_lock lock(mutex_);
  const Clock::time_point at = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  end_at_ = end_at_ ? std::min(*end_at_, at) : at;
}

void Race::act_on_time(Clock::time_point now) {
  if (end_at_ && now >= *end_at_) {
    budget_.cancel();
    end_at_.reset();
  }
  if (!level_at_ || now < *level_at_) return;
  level_at_.reset();
  for (const Lane& lane : lanes_)
    if (lane.thread != 0) lower_priority(lane.thread, options_.later_priority);
}

void Race::wait() {
  std::unique_lock lock(mutex_);
  while (true) {
    while (!messages_.empty()) {
      const std::function<void()> message = std::move(messages_.front());
      messages_.pop_front();
      lock.unlock();
      message();
      lock.lock();
      act_on_time(Clock::now());
    }
    if (running_ == 0) break;
    std::optional<Clock::time_point> next = level_at_;
    if (end_at_) next = next ? std::min(*next, *end_at_) : *end_at_;
    if (next)
      changed_.wait_until(lock, *next);
    else
      changed_.wait(lock);
    act_on_time(Clock::now());
  }
  lock.unlock();
  threads_.join();
}

void Race::rethrow_failure() const {
  for (const Lane& lane : lanes_)
    if (lane.outcome.failure) std::rethrow_exception(lane.outcome.failure);
}

}  // namespace plumb::parallel
