// Two ways to choose, both with few switches where nothing blocks. With priorities (Burckhardt et al., "A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs", 2010, section 3) the thread of the highest priority runs;
// at a few operations, chosen beforehand, the current one gets the lowest. A thread that yields, or that runs for long
// while others could, gets the lowest too, since it may wait for them in a loop. Without priorities each operation is a
// switch with a small probability; then waiting threads may be woken unasked.

#include <algorithm>
#include <random>
#include <vector>

#include "base/error.h"
#include "interpret/scheduler.h"

namespace plumb::interpret {
namespace {

constexpr std::uint64_t kMostChanges = 3;    ///< of priorities
constexpr std::uint64_t kLongTurn = 2'000;   ///< operations
constexpr std::uint64_t kSwitchOneIn = 8;    ///< operations
constexpr std::uint64_t kUnaskedOneIn = 64;  ///< choices
constexpr std::uint64_t kOverTimeOneIn = 4;  ///< attempts of a section that waits for a time

class RandomScheduler : public Scheduler {
 public:
  explicit RandomScheduler(const RandomOrder& order) : random_(order.seed), has_priorities_(order.has_priorities) {
    const std::uint64_t count = below(kMostChanges + 1);
    for (std::uint64_t i = 0; i < count; ++i) changes_.push_back(below(std::max<std::uint64_t>(order.operations, 1)));
  }

  std::size_t before_operation(const ThreadRules& rules, std::size_t current) override {
    ++turn_;
    const bool is_change = std::ranges::find(changes_, made_) != changes_.end();
    ++made_;
    if (has_priorities_) {
      if (is_change || turn_ > kLongTurn) lower(current);
    } else if (turn_ <= kLongTurn && below(kSwitchOneIn) != 0) {
      return current;
    }
    return chosen(rules, current);
  }

  void taken_back(std::uint64_t operations) override { made_ -= std::min(made_, operations); }

  std::size_t after_stop(const ThreadRules& rules, std::size_t current) override {
    const bool is_yield = !rules.has_ended(current) && rules.wait_of(current).kind == ThreadRules::Wait::Kind::Nothing;
    if (is_yield) lower(current);
    return chosen(rules, kNone);
  }

  std::size_t woken(std::span<const std::size_t> waiting) override { return waiting[below(waiting.size())]; }
  bool is_over_time() override { return below(kOverTimeOneIn) == 0; }
  bool is_done() const override { return false; }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  /// Larger numbers go first; those of new threads are anywhere among the others.
  std::uint64_t& priority(std::size_t t) {
    while (priorities_.size() <= t) priorities_.push_back(kFirst + below(kFirst));
    return priorities_[t];
  }
  void lower(std::size_t t) { priority(t) = lowest_--; }

  std::size_t chosen(const ThreadRules& rules, std::size_t current) {
    std::vector<std::size_t> able, unasked;
    for (std::size_t t = 0; t < rules.count(); ++t) {
      if (rules.may_run(t)) able.push_back(t);
      if (is_waiting(rules, t)) unasked.push_back(t);
    }
    if (able.empty()) std::erase_if(unasked, [&](std::size_t t) { return !rules.can_time_out(t); });
    const bool is_unasked = able.empty() || (!has_priorities_ && !unasked.empty() && below(kUnaskedOneIn) == 0);
    const std::vector<std::size_t>& from = is_unasked ? unasked : able;
    INVARIANT(!from.empty(), "a thread should be able to go on");
    const std::size_t next = has_priorities_ && !is_unasked
                                 ? *std::ranges::max_element(from, {}, [&](std::size_t t) { return priority(t); })
                                 : from[below(from.size())];
    if (next != current) turn_ = 0;
    return next;
  }

  static bool is_waiting(const ThreadRules& rules, std::size_t t) {
    if (rules.has_ended(t) || rules.is_atomic(t)) return false;
    return rules.wait_of(t).kind == ThreadRules::Wait::Kind::Condition || rules.can_time_out(t);
  }

  static constexpr std::uint64_t kFirst = std::uint64_t{1} << 62;

  std::mt19937_64 random_;
  bool has_priorities_;
  std::vector<std::uint64_t> changes_;  ///< by number of operations
  std::vector<std::uint64_t> priorities_;
  std::uint64_t lowest_ = kFirst - 1;
  std::uint64_t made_ = 0;
  std::uint64_t turn_ = 0;  ///< operations since the last switch
};

}  // namespace

std::unique_ptr<Scheduler> choose_at_random(const RandomOrder& order) {
  return std::make_unique<RandomScheduler>(order);
}

}  // namespace plumb::interpret
