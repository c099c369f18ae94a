#include "prove/modes/mode_weeding.h"

#include <algorithm>

#include "prove/unrolling.h"
#include "solve/solver.h"
#include "term/evaluator.h"

namespace plumb::prove {
namespace {

using Relations = std::vector<ModeTable::Relation>;

constexpr unsigned kMaxWalks = 40;  ///< from a state that refutes something
constexpr unsigned kMaxIdle = 4;    ///< walks one after the other that refute nothing
constexpr unsigned kSteps = 24;     ///< of a walk
/// Of the clauses in the solver this share must still count, or it starts afresh.
constexpr std::size_t kStale = 2;
/// Relations between two looks at the budget.
constexpr std::size_t kCheckInterval = 1024;

class Weeding {
 public:
  Weeding(System& system, Wandering& wandering, Relations relations, const Budget& budget)
      : system_(system), wandering_(wandering), relations_(std::move(relations)), budget_(budget) {}

  Relations run() {
    weed_step(Unrolling::Start::Initial);
    while (!relations_.empty() && !weed_step(Unrolling::Start::Arbitrary)) {
    }
    return std::move(relations_);
  }

 private:
  /// With one solver, until all relations that are left hold in step 0 (Initial), or in step 1 behind a step 0 in which
  /// they hold (Arbitrary: true). False if so many were given up that the solver had better be a new one.
  bool weed_step(Unrolling::Start start) {
    term::TermStore& store = system_.store();
    const bool is_first = start == Unrolling::Start::Initial;
    const std::size_t last = is_first ? 0 : 1;
    Unrolling steps(system_, start);
    const auto solver = solve::make_solver(store, "native");
    for (std::size_t k = 0; k <= last; ++k) solver->assert_true(steps.constraints(k));
    if (!is_first) solver->assert_true(store.bit_not(steps.at(system_.bads()[0].term, 0)));
    const std::size_t count = relations_.size();
    std::vector<Term> terms;
    for (const ModeTable::Relation& relation : relations_) {
      look_at_budget(terms.size());
      terms.push_back(relation.term(system_, store));
    }
    while (!relations_.empty() && (is_first || relations_.size() * kStale > count)) {
      std::vector<Term> refuted;
      std::vector<Term> assumptions;
      for (const Term t : terms) {
        look_at_budget(refuted.size());
        refuted.push_back(store.bit_not(steps.at(t, last)));
        if (!is_first) assumptions.push_back(steps.at(t, 0));
      }
      assumptions.push_back(store.any_of(refuted));
      const solve::Result result = solver->check(assumptions, budget_);
      if (result.answer == solve::Answer::Unsat) return true;
      budget_.check();
      if (result.answer == solve::Answer::Unknown) {
        relations_.clear();
        break;
      }
      term::Evaluator evaluator(store, solver->model());
      std::vector<term::Value> state;
      for (std::size_t i = 0; i < system_.states().size(); ++i) state.push_back(evaluator.value(steps.state(i, last)));
      give_up(state, terms);
    }
    return relations_.empty();
  }

  /// What the state refutes, and what runs from it do: behind a state in which all that is left holds, and which is not
  /// bad, all that is left would have to hold.
  void give_up(const std::vector<term::Value>& state, std::vector<Term>& terms) {
    refute(Wandering::words(state), terms);
    unsigned idle = 0;
    for (unsigned walk = 0; walk < kMaxWalks && idle < kMaxIdle; ++walk) {
      budget_.check();
      const std::size_t before = relations_.size();
      for (const ModeTable::State& behind : wandering_.walk(state, kSteps)) refute(behind, terms);
      idle = relations_.size() == before ? idle + 1 : 0;
    }
  }

  void look_at_budget(std::size_t count) const {
    if (count % kCheckInterval == 0) budget_.check();
  }

  void refute(const ModeTable::State& state, std::vector<Term>& terms) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      if (!relations_[i].holds(state)) continue;
      if (kept != i) {
        relations_[kept] = std::move(relations_[i]);
        terms[kept] = terms[i];
      }
      ++kept;
    }
    relations_.resize(kept);
    terms.resize(kept);
  }

  System& system_;
  Wandering& wandering_;
  Relations relations_;
  const Budget& budget_;
};

}  // namespace

Relations inductive_relations(System& system, Wandering& wandering, Relations relations, const Budget& budget) {
  return Weeding(system, wandering, std::move(relations), budget).run();
}

}  // namespace plumb::prove
