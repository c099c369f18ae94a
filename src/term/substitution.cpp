#include "term/substitution.h"

#include <array>

#include "base/error.h"

namespace plumb::term {

Term rebuild(TermStore& store, Term t, const TermMap<Term>& operands) {
  std::array<Term, 3> replaced{};
  const unsigned n = store.arity(t);
  bool same = true;
  for (unsigned i = 0; i < n; ++i) {
    replaced[i] = operands.at(store.child(t, i));
    same = same && replaced[i] == store.child(t, i);
  }
  if (same) return t;
  return store.make(store.op(t), std::span(replaced).first(n), store.width(t), store.parameter(t));
}

void Substitution::add(Term from, Term to) {
  INVARIANT(store_.sort(from) == store_.sort(to), "a replacement should have the sort of what it replaces");
  map_[from] = to;
  done_.clear();
}

Term Substitution::apply(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (done_.contains(t)) {
      stack.pop_back();
      continue;
    }
    if (const auto it = map_.find(t); it != map_.end()) {
      done_[t] = it->second;
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    for (unsigned i = store_.arity(t); i-- > 0;)
      if (!done_.contains(store_.child(t, i))) stack.push_back(store_.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    const Term result = rebuild(store_, t, done_);
    done_[t] = result;
  }
  return done_.at(root);
}

}  // namespace plumb::term
