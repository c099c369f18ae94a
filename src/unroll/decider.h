#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/budget.h"
#include "solve/solver.h"
#include "unroll/record.h"
#include "unroll/world.h"

namespace plumb::unroll {

/// Answers what an unrolling asks about its records, at all its bounds: a greater bound repeats the terms of the one
/// before, so what was learnt about them stays true.
class Decider {
 public:
  virtual ~Decider() = default;

  /// False only if no assignment fulfils the condition. Asked often, so it gives up early and may not look at all.
  virtual bool is_possible(Term condition) = 0;

  struct Reply {
    solve::Answer answer = solve::Answer::Unknown;
    std::string reason{};      ///< of Unknown
    std::size_t event = 0;     ///< of Sat: the first of the question's events that happens in the model
    term::Assignment model{};  ///< of Sat
  };
  /// Does one of the events happen that are `asked` for, positions in the question? In the model one that is not asked
  /// for may come before it.
  virtual Reply ask(const Record& record, const Record::Question& question, std::span<const std::size_t> asked,
                    const Budget& budget) = 0;
  /// All events of the question.
  Reply ask(const Record& record, const Record::Question& question, const Budget& budget);

  /// How often something was asked of a solver.
  virtual std::uint64_t count() const = 0;

 protected:
  /// Sat by a model in which some event of the question happens.
  static Reply reply_of(const TermStore& terms, const Record::Question& question, term::Assignment model);
};

/// Makes the decider of an unrolling, in whose world it may make terms. Both arguments outlive it.
using DeciderMaker = std::function<std::unique_ptr<Decider>(World& world, const Budget& budget)>;

}  // namespace plumb::unroll
