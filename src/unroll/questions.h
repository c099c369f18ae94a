#pragma once

#include <absl/container/flat_hash_set.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "unroll/decider.h"

namespace plumb::unroll {

/// Answers by one formula for all paths, which a solver decides.
class Questions : public Decider {
 public:
  Questions(World& world, const Budget& budget);

  bool is_possible(Term condition) override;
  using Decider::ask;
  Reply ask(const Record& record, const Record::Question& question, std::span<const std::size_t> asked,
            const Budget& budget) override;
  std::uint64_t count() const override { return count_; }

 private:
  /// As check(): of all conditions at once and one after the other by turns.
  solve::Result check_together(std::vector<Term> asked, const Budget& budget);
  /// Each for so many seconds, as long as there is time for a round; `asked` is left with those that are not refuted.
  solve::Result check_each(std::vector<Term>& asked, double seconds, const Budget& budget);
  solve::Result check_any(std::span<const Term> asked, const Budget& budget);
  std::optional<Reply> ask_as_interpreted(Term condition, const Record::Question& question, const Budget& budget);

  World& world_;
  const Budget& budget_;
  std::unique_ptr<solve::Solver> paths_;  ///< for many small questions that have much in common
  std::unique_ptr<solve::Solver> solver_;
  absl::flat_hash_set<Term> refuted_;  ///< what cannot happen, at whatever bound: facts of solver_
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_on_paths_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace plumb::unroll
