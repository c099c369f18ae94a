#include "solve/native/problem.h"

#include <algorithm>
#include <array>

#include "term/evaluator.h"
#include "term/substitution.h"

namespace plumb::solve {

using term::Op;
using term::Term;

void Problem::complete(term::Assignment& model) const {
  term::Evaluator evaluator(store, model);
  for (auto d = definitions.rbegin(); d != definitions.rend(); ++d) {
    term::Value value = evaluator.value(d->term);
    model.insert_or_assign(d->variable, std::move(value));
  }
}

bool flatten(Problem& problem) {
  const term::TermStore& store = problem.store;
  std::vector<Term> result;
  term::TermSet seen;
  std::vector<Term> work(problem.assertions.rbegin(), problem.assertions.rend());
  while (!work.empty()) {
    const Term t = work.back();
    work.pop_back();
    if (store.is_true(t) || seen.contains(t)) continue;
    seen[t] = {};
    if (store.op(t) == Op::And) {
      work.push_back(store.child(t, 1));
      work.push_back(store.child(t, 0));
    } else {
      result.push_back(t);
    }
  }
  const auto contradicts = [&](Term t) {
    return store.is_false(t) || (store.op(t) == Op::Not && seen.contains(store.child(t, 0)));
  };
  if (std::any_of(result.begin(), result.end(), contradicts)) result = {store.boolean(false)};
  const bool changed = result != problem.assertions;
  problem.assertions = std::move(result);
  return changed;
}

bool propagate_facts(Problem& problem, const Budget& budget) {
  term::TermStore& store = problem.store;
  term::Substitution facts(store);
  for (const Term t : problem.assertions) {
    const bool negated = store.op(t) == Op::Not;
    facts.add(negated ? store.child(t, 0) : t, store.boolean(!negated));
  }
  budget.check();
  bool changed = false;
  for (Term& t : problem.assertions) {
    // The fact itself stays; only what is below it is simplified.
    const bool negated = store.op(t) == Op::Not;
    const Term atom = negated ? store.child(t, 0) : t;
    std::array<Term, 3> operands{};
    const unsigned n = store.arity(atom);
    bool same = true;
    for (unsigned i = 0; i < n; ++i) {
      operands[i] = facts.apply(store.child(atom, i));
      same = same && operands[i] == store.child(atom, i);
    }
    if (same) continue;
    const Term simpler =
        store.make(store.op(atom), std::span(operands).first(n), store.width(atom), store.parameter(atom));
    t = negated ? store.bit_not(simpler) : simpler;
    changed = true;
  }
  return changed;
}

}  // namespace plumb::solve
