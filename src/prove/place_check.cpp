#include "prove/place_check.h"

#include <fmt/format.h>

#include "prove/guess/control_map.h"
#include "prove/guess/premise.h"
#include "prove/unrolling.h"
#include "solve/solver.h"

namespace plumb::prove {
namespace {

using Outcome = Check::Outcome;

class PlaceCheck {
 public:
  PlaceCheck(System& system, Term bad, Term invariant, const Budget& budget)
      : system_(system),
        store_(system.store()),
        map_(system),
        good_(store_.bit_and(invariant, store_.bit_not(bad))),
        bad_(bad),
        invariant_(invariant),
        budget_(budget) {}

  Check run() {
    for (std::size_t i = 0; i < map_.places().size(); ++i) excludes_bad_.push_back(excludes_bad(i));
    for (const ControlMap::Way& way : map_.ways())
      if (Check check = follow(way); !check.is_confirmed()) return check;
    return map_.state() ? elsewhere() : Check{Outcome::Confirmed, {}};
  }

 private:
  Check judged(solve::Answer answer, const std::string& where) const {
    if (answer == solve::Answer::Unsat) return {Outcome::Confirmed, {}};
    const bool is_known = answer == solve::Answer::Sat;
    return {is_known ? Outcome::Refused : Outcome::Unknown,
            fmt::format("the invariant, or the absence of the bad, does not follow from itself {}{}", where,
                        is_known ? "" : ", or nobody knows")};
  }

  solve::Answer ask(const std::vector<Term>& facts, Term wanted) const {
    solve::SolverOptions once;
    once.one_shot = true;
    const auto solver = solve::make_solver(store_, "native", once);
    for (const Term fact : facts) solver->assert_true(fact);
    solver->assert_true(wanted);
    return solver->check(budget_).answer;
  }

  std::string name(std::size_t place) const {
    return map_.state() ? "place " + map_.places()[place].value->to_decimal() : "step to step";
  }

  /// What holds of `t` at a place, with the control state folded.
  std::vector<Term> folded(std::size_t place, Term t) const {
    if (!map_.state()) return conjuncts_of(store_, t);
    term::Substitution fixed(store_);
    fixed.add(system_.states()[*map_.state()].variable, store_.constant(*map_.places()[place].value));
    return conjuncts_of(store_, fixed.apply(t));
  }

  /// The invariant says so at once, whatever came before.
  bool excludes_bad(std::size_t place) const {
    std::vector<Term> facts = folded(place, invariant_);
    for (const Term t : folded(place, bad_)) facts.push_back(t);
    facts.push_back(map_.places()[place].constraints);
    return Premise(store_, facts).is_contradictory();
  }

  Check follow(const ControlMap::Way& way) const {
    budget_.check();
    std::vector<Term> facts = folded(way.from, good_);
    term::Substitution next = map_.behind(way);
    facts.push_back(way.condition);
    facts.push_back(map_.places()[way.from].constraints);
    facts.push_back(next.apply(map_.places()[way.to].constraints));
    Premise here(store_, facts);
    if (here.is_contradictory()) return {Outcome::Confirmed, {}};
    std::vector<Term> open;
    for (const Term conjunct : folded(way.to, excludes_bad_[way.to] ? invariant_ : good_))
      if (const Term wanted = here.apply(next.apply(conjunct)); !here.implies(wanted))
        open.push_back(store_.bit_not(wanted));
    if (open.empty()) return {Outcome::Confirmed, {}};
    return judged(ask(here.assumptions(), store_.any_of(open)),
                  fmt::format("from {} to {}", name(way.from), name(way.to)));
  }

  /// Values that the control state should never have.
  Check elsewhere() const {
    Unrolling any(system_, Unrolling::Start::Arbitrary);
    const Term nowhere = store_.bit_not(map_.within(std::vector<bool>(map_.places().size(), true)));
    const std::vector<Term> facts = {any.at(nowhere, 0), any.at(good_, 0), any.constraints(0), any.constraints(1)};
    return judged(ask(facts, store_.bit_not(any.at(good_, 1))), "elsewhere");
  }

  System& system_;
  term::TermStore& store_;
  ControlMap map_;
  Term good_;
  Term bad_;
  Term invariant_;
  const Budget& budget_;
  std::vector<bool> excludes_bad_;  ///< by place
};

}  // namespace

Check check_steps_by_place(System& system, Term bad, Term invariant, const Budget& budget) {
  return PlaceCheck(system, bad, invariant, budget).run();
}

}  // namespace plumb::prove
