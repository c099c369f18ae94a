#include "prove/guess/proof.h"

#include <algorithm>
#include <deque>

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxQuestions = 200;
/// A core up to this size is made minimal, a question a lemma.
constexpr std::size_t kMaxShrunk = 24;
constexpr double kShrinkSeconds = 0.1;

}  // namespace

Proof::Proof(System& system, const ControlMap& map, const Lemmas& lemmas, double seconds)
    : store_(system.store()), map_(map), lemmas_(lemmas), seconds_(seconds) {}

solve::Result Proof::ask(std::span<const Term> assumptions, double seconds, const Budget& budget) {
  budget.check();
  if (!solver_ || ++questions_ > kMaxQuestions) {
    solver_ = solve::make_solver(store_, "native");
    questions_ = 0;
  }
  solve::Result result = solver_->check(assumptions, budget.with_timeout(std::chrono::duration<double>(seconds)));
  budget.check();
  return result;
}

bool Proof::is_empty(std::size_t place) const {
  return lemmas_[place].size() == 1 && store_.is_false(lemmas_[place].front());
}

bool Proof::excludes_bad(const Budget& budget) {
  for (std::size_t i = 0; i < map_.places().size(); ++i) {
    if (is_empty(i) || store_.is_false(map_.places()[i].bad)) continue;
    std::vector<Term> facts = lemmas_[i];
    facts.push_back(map_.places()[i].bad);
    facts.push_back(map_.places()[i].constraints);
    const Premise here(store_, facts);
    if (here.is_contradictory()) continue;
    const solve::Result result = ask(here.assumptions(), 4 * seconds_, budget);
    was_hasty_ = was_hasty_ || result.answer == solve::Answer::Unknown;
    if (result.answer != solve::Answer::Unsat) return false;
  }
  return true;
}

/// Takes away what the contradiction does not need, in halves first.
std::vector<Term> Proof::reasons_without_search(std::vector<Term> lemmas, const std::vector<Term>& others) const {
  const auto is_enough = [&](const std::vector<Term>& some) {
    std::vector<Term> facts = some;
    facts.insert(facts.end(), others.begin(), others.end());
    return Premise(store_, facts).is_contradictory();
  };
  for (std::size_t size = std::max<std::size_t>(lemmas.size() / 2, 1); !lemmas.empty(); size /= 2) {
    for (std::size_t i = 0; i < lemmas.size();) {
      const std::size_t end = std::min(i + size, lemmas.size());
      std::vector<Term> rest(lemmas.begin(), lemmas.begin() + static_cast<std::ptrdiff_t>(i));
      rest.insert(rest.end(), lemmas.begin() + static_cast<std::ptrdiff_t>(end), lemmas.end());
      if (is_enough(rest)) {
        lemmas = std::move(rest);
      } else {
        i = end;
      }
    }
    if (size == 1) break;
  }
  return lemmas;
}

std::vector<Term> Proof::reasons(std::size_t place, const std::vector<Term>& others, Term refuted,
                                 const Budget& budget) {
  std::vector<Term> fixed = others;
  fixed.push_back(map_.places()[place].constraints);
  fixed.push_back(refuted);
  std::vector<Term> all = lemmas_[place];
  all.insert(all.end(), fixed.begin(), fixed.end());
  if (Premise(store_, all).is_contradictory()) return reasons_without_search(lemmas_[place], fixed);
  if (ask(all, seconds_, budget).answer != solve::Answer::Unsat) return lemmas_[place];
  const auto core = [&](const std::vector<Term>& among) {
    const std::vector<Term>& failed = solver_->failed_assumptions();
    std::vector<Term> result;
    for (const Term t : among)
      if (std::ranges::find(failed, t) != failed.end()) result.push_back(t);
    return result;
  };
  std::vector<Term> needed = core(lemmas_[place]);
  if (needed.size() > kMaxShrunk) return needed;
  for (std::size_t i = 0; i < needed.size();) {
    std::vector<Term> fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<Term> assumptions = fewer;
    assumptions.insert(assumptions.end(), fixed.begin(), fixed.end());
    if (ask(assumptions, kShrinkSeconds, budget).answer == solve::Answer::Unsat) {
      needed = std::move(fewer);
    } else {
      ++i;
    }
  }
  return needed;
}

Term Proof::joined(const Lemmas& lemmas) const {
  std::vector<bool> is_reached;
  std::vector<Term> parts;
  for (std::size_t i = 0; i < lemmas.size(); ++i) {
    is_reached.push_back(!is_empty(i));
    if (!is_reached.back() && map_.state()) continue;
    for (const Term t : lemmas[i]) parts.push_back(map_.at(i, t));
  }
  parts.push_back(map_.within(is_reached));
  return store_.all_of(parts);
}

Term Proof::invariant(const Budget& budget) {
  Lemmas needed(map_.places().size());
  std::deque<std::pair<std::size_t, Term>> work;
  const auto need = [&](std::size_t place, const std::vector<Term>& lemmas) {
    for (const Term t : lemmas) {
      if (std::ranges::find(needed[place], t) != needed[place].end()) continue;
      needed[place].push_back(t);
      work.emplace_back(place, t);
    }
  };
  for (std::size_t i = 0; i < map_.places().size(); ++i)
    if (is_empty(i)) {
      need(i, lemmas_[i]);
    } else if (!store_.is_false(map_.places()[i].bad)) {
      need(i, reasons(i, {}, map_.places()[i].bad, budget));
    }
  while (!work.empty()) {
    const auto [place, lemma] = work.front();
    work.pop_front();
    for (const ControlMap::Way& way : map_.ways()) {
      if (way.to != place || is_empty(way.from)) continue;
      term::Substitution next = map_.behind(way);
      const Term refuted = store_.bit_not(next.apply(lemma));
      if (store_.is_false(refuted)) continue;
      need(way.from, reasons(way.from,
                             {store_.bit_not(map_.places()[way.from].bad), way.condition,
                              next.apply(map_.places()[place].constraints)},
                             refuted, budget));
    }
  }
  return joined(needed);
}

}  // namespace plumb::prove
