#include "term/substitution.h"

#include <array>

#include "base/error.h"

namespace plumb::term {

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
    const unsigned n = store_.arity(t);
    const std::size_t before = stack.size();
    for (unsigned i = n; i-- > 0;)
      if (!done_.contains(store_.child(t, i))) stack.push_back(store_.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    std::array<Term, 3> operands{};
    bool same = true;
    for (unsigned i = 0; i < n; ++i) {
      operands[i] = done_.at(store_.child(t, i));
      same = same && operands[i] == store_.child(t, i);
    }
    Term result = t;
    if (!same) result = store_.make(store_.op(t), std::span(operands).first(n), store_.width(t), store_.parameter(t));
    done_[t] = result;
  }
  return done_.at(root);
}

}  // namespace plumb::term
