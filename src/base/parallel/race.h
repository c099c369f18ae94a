#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/parallel/threads.h"

namespace plumb::parallel {

/// Several ways to answer one question, each in a thread, on one budget. Either the first answer ends it for all (what
/// a runner returns says whether it has one), or whoever started it hears what they have to say and decides when there
/// is enough. Being over means that the budget of the runners is cancelled; they are always waited for.
class Race {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  struct Runner {
    /// Gets a budget of its own; may be called before start() returns. True: nobody else is needed.
    std::function<bool(const Budget& budget)> run;
    /// Nice level: who should not take a core from the others. Nothing to one that is alone, as is the next.
    int priority = 0;
    /// Of the limit on memory, which is the whole process's: whoever is the hungriest by design should have to stop
    /// before all of them do.
    double memory_part = 1;
  };

  struct Options {
    /// When this has passed all that still run have at least this nice level: what is not decided early is for all
    /// alike.
    std::optional<Seconds> head_start{};
    int later_priority = 0;
    /// A failure ends it for all, as an answer does.
    bool ends_at_failure = false;
  };

  /// What became of a runner.
  struct Outcome {
    bool has_answer = false;
    /// Why run() ended with an exception: "out of time", "out of memory", what a UserError says, or "internal error:
    /// …".
    std::string reason{};
    /// That exception, if it was neither of the budget nor of memory nor a UserError.
    std::exception_ptr failure{};
    double seconds = 0;  ///< from the start of the race
  };

  explicit Race(const Budget& budget) : Race(budget, Options()) {}
  Race(const Budget& budget, const Options& options) : options_(options), budget_(budget.with_own_cancellation()) {}
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;
  /// Ends it and waits for all.
  ~Race();

  /// What is cancelled when it is over.
  const Budget& budget() const noexcept { return budget_; }
  /// Once. What the runners refer to lives until wait() has returned or the race is gone.
  void start(std::vector<Runner> runners);

  /// In a runner: has `message` called in the thread that waits. Messages are called one at a time in the order in
  /// which they came, all of a runner's before wait() returns.
  void post(std::function<void()> message);
  /// In a message, or before wait(): ends the race when this time has passed, at the latest.
  void end_after(Seconds time);
  /// Waits for all runners, and calls their messages meanwhile. Throws what a message throws.
  void wait();

  /// After wait().
  const Outcome& outcome(std::size_t runner) const { return lanes_[runner].outcome; }
  /// The first with an answer.
  std::optional<std::size_t> winner() const noexcept { return winner_; }
  /// Throws the failure of the first runner that has one.
  void rethrow_failure() const;

 private:
  struct Lane {
    Runner runner;
    Outcome outcome;
    pid_t thread = 0;  ///< while it runs
  };

  bool is_alone() const noexcept { return lanes_.size() == 1; }
  void run(Lane& lane);
  Budget budget_of(const Runner& runner) const;
  void act_on_time(Clock::time_point now);

  const Options options_;
  const Budget budget_;
  const Clock::time_point began_ = Clock::now();
  std::deque<Lane> lanes_;
  std::mutex mutex_;  ///< of what follows, and of Lane::thread
  std::condition_variable changed_;
  std::deque<std::function<void()>> messages_;
  std::size_t running_ = 0;
  std::optional<std::size_t> winner_;
  std::optional<Clock::time_point> level_at_;  ///< the end of the head start
  std::optional<Clock::time_point> end_at_;
  Threads threads_;  // last: they use all of the above
};

}  // namespace plumb::parallel
