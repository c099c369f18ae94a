#pragma once

#include <absl/container/flat_hash_set.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "solve/solver.h"
#include "unroll/record.h"
#include "unroll/world.h"

namespace plumb::unroll {

/// The solver of an unrolling, for all its bounds.
class Questions {
 public:
  Questions(World& world, const Budget& budget);

  /// False only if no assignment fulfils the condition. Asked often, so it gives up early and may not ask at all.
  bool is_possible(Term condition);

  struct Reply {
    solve::Answer answer = solve::Answer::Unknown;
    std::string reason{};      ///< of Unknown
    std::size_t event = 0;     ///< of Sat: the first of the events that happens in the model
    term::Assignment model{};  ///< of Sat
  };
  /// Does one of the events happen? In the model one that is not `asked` for may come before it.
  Reply ask(const Record::Question& question, const Budget& budget);
  Reply ask(const Record::Question& question, std::span<const Term> asked, const Budget& budget);
  std::uint64_t count() const noexcept { return count_; }

 private:
  /// As check(): of all conditions at once, or one after the other.
  solve::Result check_together(std::span<const Term> asked, const Budget& budget);
  solve::Result check_each(std::span<const Term> asked, const Budget& budget);
  solve::Result check_any(std::span<const Term> asked, const Budget& budget);
  std::optional<Reply> ask_as_interpreted(Term condition, const Record::Question& question, const Budget& budget);
  Reply reply_of(const Record::Question& question);

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
