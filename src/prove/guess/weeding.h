#pragma once

#include <map>
#include <memory>
#include <vector>

#include "prove/guess/hypotheses.h"
#include "prove/unrolling.h"
#include "solve/solver.h"

namespace plumb::prove {

/// By place: terms over the system's states that hold there in every run.
using Lemmas = std::vector<std::vector<Term>>;

/// Weakens what is believed at the places of a system until it holds where runs start and follows, way by way, from
/// what is believed where the way begins. A question that is not answered in time counts as a no.
class Weeding {
 public:
  /// All must outlive it. `lemmas` follow from each other. `seconds`: for a question.
  Weeding(System& system, const ControlMap& map, const Lemmas& lemmas, std::vector<Hypotheses>& hypotheses,
          double seconds);

  /// Throws OutOfBudget, as the others do.
  void run(const Budget& budget);
  /// After run(): the lemmas and what is left. False alone where nobody comes.
  Lemmas result() const;
  /// Some question was not answered.
  bool was_hasty() const noexcept { return was_hasty_; }

 private:
  Premise premise(std::size_t place, std::vector<Term> others) const;
  solve::Result ask(std::size_t place, std::span<const Term> assumptions, double seconds, const Budget& budget);
  std::vector<Term> open_goals(const ControlMap::Way& way, Premise& here, term::Substitution& next) const;
  void weed_start(const Budget& budget);
  bool weed(const ControlMap::Way& way, const Budget& budget);
  bool weed_one_by_one(const ControlMap::Way& way, Premise& here, term::Substitution& next, const Budget& budget);

  System& system_;
  term::TermStore& store_;
  const ControlMap& map_;
  const Lemmas& lemmas_;
  std::vector<Hypotheses>& hypotheses_;
  double seconds_;
  bool was_hasty_ = false;
  struct Asker {
    std::unique_ptr<solve::Solver> solver;
    std::size_t questions = 0;
  };
  std::map<std::size_t, Asker> askers_;  ///< by place
};

}  // namespace plumb::prove
