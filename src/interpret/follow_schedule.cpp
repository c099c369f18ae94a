#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpret/scheduler.h"

namespace plumb::interpret {
namespace {

class Follower : public Scheduler {
 public:
  explicit Follower(const result::Schedule& schedule) : schedule_(schedule) { begin_step(); }

  std::size_t before_operation(const ThreadRules& rules, std::size_t current) override {
    while (!is_done()) {
      if (schedule_[at_].thread != current || is_fresh_) {
        const std::size_t next = enter(rules, current);
        if (next != current) return next;
      }
      if (left_ > 0) {
        --left_;
        return current;
      }
      end_step();
    }
    return current;
  }

  void taken_back(std::uint64_t operations) override {
    if (!is_done()) left_ += operations;
  }

  std::size_t after_stop(const ThreadRules& rules, std::size_t current) override {
    const bool can_go_on = !rules.has_ended(current) && rules.wait_of(current).kind == Wait::Nothing;
    // A yield: the step goes on.
    if (can_go_on && !is_fresh_ && schedule_[at_].thread == current) return current;
    if (!is_fresh_) end_step();
    return is_done() ? first_after(rules, current) : enter(rules, current);
  }

  std::size_t woken(std::span<const std::size_t> waiting) override {
    if (is_done() || left_ > 0 || schedule_[at_].woken == result::kNobody) return waiting.front();
    const std::size_t chosen = schedule_[at_].woken;
    if (std::ranges::find(waiting, chosen) == waiting.end())
      fail(fmt::format("wakes \"thread\": {}, which does not wait for that condition", chosen));
    return chosen;
  }

  bool is_over_time() override { return !is_done(); }
  bool is_done() const override { return at_ == schedule_.size(); }
  bool wakes_next(const ThreadRules& rules) const override {
    const std::size_t next = is_fresh_ ? at_ : at_ + 1;
    return next < schedule_.size() && schedule_[next].thread < rules.count() &&
           rules.wait_of(schedule_[next].thread).kind == Wait::Condition;
  }
  std::size_t steps_left() const override { return schedule_.size() - at_; }

 private:
  using Wait = ThreadRules::Wait::Kind;

  void begin_step() {
    is_fresh_ = true;
    if (!is_done()) left_ = schedule_[at_].operations;
  }
  void end_step() {
    ++at_;
    begin_step();
  }

  /// The thread of the step goes on with it.
  std::size_t enter(const ThreadRules& rules, std::size_t current) {
    const std::size_t t = schedule_[at_].thread;
    if (t >= rules.count()) fail(fmt::format("is of \"thread\": {}, which was not created", t));
    if (rules.has_ended(t)) fail(fmt::format("is of \"thread\": {}, which has ended", t));
    const bool is_woken = rules.wait_of(t).kind == Wait::Condition || rules.can_time_out(t);
    if (!is_woken && !rules.can_run(t)) fail(fmt::format("is of \"thread\": {}, which waits for another one", t));
    if (t != current && !is_woken && !rules.may_run(t))
      fail(fmt::format("is of \"thread\": {}, while another one is inside an atomic section", t));
    is_fresh_ = false;
    return t;
  }

  static std::size_t first_after(const ThreadRules& rules, std::size_t current) {
    for (std::size_t i = 1; i <= rules.count(); ++i)
      if (rules.may_run((current + i) % rules.count())) return (current + i) % rules.count();
    for (std::size_t t = 0; t < rules.count(); ++t)
      if (rules.can_time_out(t)) return t;
    INVARIANT(false, "a thread should be able to go on");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Misfit{fmt::format("step {} of the schedule {}", at_ + 1, why)};
  }

  const result::Schedule& schedule_;
  std::size_t at_ = 0;
  std::uint64_t left_ = 0;
  bool is_fresh_ = true;  ///< nobody has gone on with the step yet
};

}  // namespace

std::unique_ptr<Scheduler> follow(const result::Schedule& schedule) { return std::make_unique<Follower>(schedule); }

}  // namespace plumb::interpret
