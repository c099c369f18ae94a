// Houdini (Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java", 2001) way by way: a model that leads
// from a state where all is believed to one where something is not weakens what is believed there. For equations this
// is the symbolic abstraction of Reps, Sagiv and Yorsh ("Symbolic Implementation of the Best Transformer", 2004): the
// state joins the hull, so that of the equations all those stay that can. Equations that give a register's value are
// put into all terms before the solver sees them (premise.h); most of what has to be shown about sums is then shown by
// rewriting.

#include "prove/guess/weeding.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "term/evaluator.h"

namespace plumb::prove {
namespace {

/// A solver forgets what it has learnt behind so many questions, and with it the terms that nobody asks about any more.
constexpr std::size_t kMaxQuestions = 400;

}  // namespace

Weeding::Weeding(System& system, const ControlMap& map, const Lemmas& lemmas, std::vector<Hypotheses>& hypotheses,
                 double seconds)
    : system_(system), store_(system.store()), map_(map), lemmas_(lemmas), hypotheses_(hypotheses), seconds_(seconds) {}

solve::Result Weeding::ask(std::size_t place, std::span<const Term> assumptions, double seconds, const Budget& budget) {
  budget.check();
  Asker& asker = askers_[place];
  if (!asker.solver || ++asker.questions > kMaxQuestions)
    asker = {solve::make_solver(store_, "native", solve::SolverOptions{}), 0};
  solve::Result result = asker.solver->check(assumptions, budget.with_timeout(std::chrono::duration<double>(seconds)));
  budget.check();
  if (result.answer == solve::Answer::Unknown) was_hasty_ = true;
  return result;
}

Premise Weeding::premise(std::size_t place, std::vector<Term> others) const {
  others.push_back(map_.places()[place].constraints);
  others.insert(others.end(), lemmas_[place].begin(), lemmas_[place].end());
  const std::vector<Term> conjuncts = hypotheses_[place].conjuncts();
  others.insert(others.end(), conjuncts.begin(), conjuncts.end());
  return Premise(store_, others, hypotheses_[place].values());
}

void Weeding::weed_start(const Budget& budget) {
  Unrolling run(system_, Unrolling::Start::Initial);
  Hypotheses& start = hypotheses_.front();
  while (true) {
    std::vector<Term> refuted;
    for (const Term conjunct : start.conjuncts()) refuted.push_back(store_.bit_not(run.at(conjunct, 0)));
    const Term assumptions[] = {run.constraints(0), store_.any_of(refuted)};
    if (store_.is_false(assumptions[1])) return;
    const solve::Result result = ask(0, assumptions, seconds_, budget);
    if (result.answer == solve::Answer::Unsat) return;
    if (result.answer == solve::Answer::Unknown) {
      for (const Term conjunct : start.conjuncts()) start.drop(conjunct);
      return;
    }
    term::Evaluator evaluator(store_, askers_[0].solver->model());
    start.weaken([&](Term t) -> const BitVector& { return evaluator.bits(run.at(t, 0)); });
  }
}

/// The negations of what has to hold behind the way and is not known to.
std::vector<Term> Weeding::open_goals(const ControlMap::Way& way, Premise& here, term::Substitution& next) const {
  std::vector<Term> refuted;
  for (const Term conjunct : hypotheses_[way.to].conjuncts())
    if (const Term wanted = here.apply(next.apply(conjunct)); !here.implies(wanted))
      refuted.push_back(store_.bit_not(wanted));
  return refuted;
}

/// True if something was given up where the way leads to.
bool Weeding::weed(const ControlMap::Way& way, const Budget& budget) {
  if (hypotheses_[way.from].is_empty()) return false;
  term::Substitution next = map_.behind(way);
  std::vector<Term> others = {store_.bit_not(map_.places()[way.from].bad), way.condition,
                              next.apply(map_.places()[way.to].constraints)};
  for (const Term lemma : lemmas_[way.to]) others.push_back(next.apply(lemma));
  std::optional<Premise> here(premise(way.from, others));
  bool is_changed = false;
  while (!here->is_contradictory()) {
    const std::vector<Term> refuted = open_goals(way, *here, next);
    if (refuted.empty()) return is_changed;
    std::vector<Term> assumptions = here->assumptions();
    assumptions.push_back(store_.any_of(refuted));
    const solve::Result result = ask(way.from, assumptions, seconds_, budget);
    if (result.answer == solve::Answer::Unsat) return is_changed;
    if (result.answer == solve::Answer::Unknown) return weed_one_by_one(way, *here, next, budget) || is_changed;
    {
      term::Evaluator evaluator(store_, askers_[way.from].solver->model());
      hypotheses_[way.to].weaken(
          [&](Term t) -> const BitVector& { return evaluator.bits(here->apply(next.apply(t))); });
    }
    is_changed = true;
    if (way.from == way.to) here.emplace(premise(way.from, others));
  }
  return is_changed;
}

bool Weeding::weed_one_by_one(const ControlMap::Way& way, Premise& here, term::Substitution& next,
                              const Budget& budget) {
  bool is_changed = false;
  for (const Term conjunct : hypotheses_[way.to].conjuncts()) {
    const Term wanted = here.apply(next.apply(conjunct));
    if (here.implies(wanted)) continue;
    std::vector<Term> assumptions = here.assumptions();
    assumptions.push_back(store_.bit_not(wanted));
    if (ask(way.from, assumptions, seconds_ / 4, budget).answer == solve::Answer::Unsat) continue;
    hypotheses_[way.to].drop(conjunct);
    is_changed = true;
  }
  return is_changed;
}

void Weeding::run(const Budget& budget) {
  weed_start(budget);
  const std::vector<ControlMap::Way>& ways = map_.ways();
  std::deque<std::size_t> work;
  std::vector<bool> is_queued(ways.size(), true);
  for (std::size_t i = 0; i < ways.size(); ++i) work.push_back(i);
  while (!work.empty()) {
    const std::size_t i = work.front();
    work.pop_front();
    is_queued[i] = false;
    if (!weed(ways[i], budget)) continue;
    for (std::size_t j = 0; j < ways.size(); ++j) {
      if (ways[j].from != ways[i].to || is_queued[j]) continue;
      is_queued[j] = true;
      work.push_back(j);
    }
  }
}

Lemmas Weeding::result() const {
  Lemmas result = lemmas_;
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Term t : hypotheses_[i].conjuncts())
      if (std::ranges::find(result[i], t) == result[i].end()) result[i].push_back(t);
    if (hypotheses_[i].is_empty()) result[i] = {store_.boolean(false)};
  }
  return result;
}

}  // namespace plumb::prove
