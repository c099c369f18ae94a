// Properties of one program share their runs, so one proof that none of them is ever violated costs little more than
// one for a single of them, and much less than one for each. The bads are proved as one, their disjunction. A
// counterexample takes out all that it reaches. If there is no answer in half of the time, each bad that is left is
// tried alone: one that is hard does not cost the others their answers.

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "prove/problem.h"
#include "prove/together.h"

namespace plumb::prove {
namespace {

using Seconds = std::chrono::duration<double>;

/// Without a limit of time bads are tried in turns, each turn so many times as long as the one before.
constexpr Seconds kFirstTurn{20};
constexpr double kTurnGrowth = 4;
/// So many times as much time as before is worth another try.
constexpr double kWorthwhile = 1.25;

class AllBads {
 public:
  AllBads(const System& system, std::span<const std::size_t> bads, const Budget& budget, const Options& options)
      : system_(system),
        bads_(bads.begin(), bads.end()),
        budget_(budget),
        options_(options),
        results_(bads.size()),
        given_(bads.size()) {
    for (std::size_t i = 0; i < bads_.size(); ++i) open_.push_back(i);
  }

  std::vector<Result> run() {
    while (open_.size() > 1 && try_together()) continue;
    Seconds turn = kFirstTurn;
    while (!open_.empty()) {
      const std::vector<std::size_t> left = open_;
      for (std::size_t i = 0; i < left.size(); ++i) try_alone(left[i], left.size() - i, turn);
      if (budget_.exceeded() || left.size() == 1) break;
      leave_worthwhile();
      turn *= kTurnGrowth;
    }
    return std::move(results_);
  }

 private:
  /// Whether it took something out, so that what is left should be tried again.
  bool try_together() {
    std::vector<std::size_t> together;
    for (const std::size_t i : open_) together.push_back(bads_[i]);
    std::ranges::sort(together);
    together.erase(std::unique(together.begin(), together.end()), together.end());
    const System joint = joined(system_, together);
    const auto left = budget_.time_left();
    const Budget half = budget_.with_timeout(left ? *left / 2 : kFirstTurn);
    Result result = prove(joint, joint.bads().size() - 1, half, options_);
    if (result.verdict == Verdict::Violated) {
      take_violated(result);
      return true;
    }
    if (is_proof(result.verdict) && result.certificate) result.certificate->together = together;
    for (const std::size_t i : open_) results_[i] = result;
    if (is_proof(result.verdict)) open_.clear();
    return false;
  }

  void take_violated(const Result& result) {
    const system::Replay replay = system::replay(system_, *result.trace);
    const std::size_t before = open_.size();
    std::erase_if(open_, [&](std::size_t i) {
      const auto reached = std::ranges::find(replay.reached, bads_[i], &system::Replay::Reached::bad);
      if (reached == replay.reached.end()) return false;
      results_[i] = result;
      results_[i].bound = reached->step;
      results_[i].trace->steps.resize(reached->step + 1);
      return true;
    });
    INVARIANT(open_.size() < before, "a counterexample of several bads should reach one of them");
  }

  /// With its share among those that are still to be tried.
  void try_alone(std::size_t i, std::size_t count, Seconds turn) {
    const auto left = budget_.time_left();
    // The last one of all has no others to leave time to.
    const bool is_last = count == 1 && (left || open_.size() == 1);
    const Budget share = is_last ? budget_ : budget_.with_timeout(left ? *left / static_cast<double>(count) : turn);
    given_[i] = share.time_left().value_or(turn);
    Result result = prove(system_, bads_[i], share, options_);
    // Engines that ended before their time have no more to say.
    if (is_final(result.verdict) || !share.exceeded()) std::erase(open_, i);
    const Result& known = results_[i];
    const bool is_known_better = !is_final(result.verdict) && known.verdict == Verdict::HoldsUpTo &&
                                 (result.verdict == Verdict::Unknown || result.bound < known.bound);
    if (!is_known_better) results_[i] = std::move(result);
  }

  /// Time that is left over goes to those that ran out of theirs, unless they would have no more than before.
  void leave_worthwhile() {
    const auto left = budget_.time_left();
    if (!left) return;
    const Seconds next = *left / static_cast<double>(std::max<std::size_t>(open_.size(), 1));
    std::erase_if(open_, [&](std::size_t i) { return next < given_[i] * kWorthwhile; });
  }

  const System& system_;
  std::vector<std::size_t> bads_;
  const Budget& budget_;
  const Options& options_;
  std::vector<Result> results_;
  std::vector<Seconds> given_;     ///< the time that each was tried with
  std::vector<std::size_t> open_;  ///< positions in bads_ that more time may decide
};

}  // namespace

System joined(const System& system, std::span<const std::size_t> bads) {
  System joint = system::copy(system);
  std::vector<term::Term> terms;
  std::string name;
  for (const std::size_t bad : bads) {
    terms.push_back(joint.bads()[bad].term);
    name += (name.empty() ? "" : " or ") + joint.bads()[bad].name;
  }
  joint.add_bad(joint.store().any_of(terms), name);
  return joint;
}

std::vector<Result> prove_all(const System& system, std::span<const std::size_t> bads, const Budget& budget,
                              const Options& options) {
  return AllBads(system, bads, budget, options).run();
}

}  // namespace plumb::prove
