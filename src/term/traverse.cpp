#include "term/traverse.h"

#include <algorithm>

namespace plumb::term {

std::vector<Term> support(const TermStore& store, std::span<const Term> roots, TermSet& seen) {
  std::vector<Term> variables;
  seen.clear();
  post_order(store, roots, seen, [&](Term t) {
    if (store.is_variable(t)) variables.push_back(t);
  });
  std::sort(variables.begin(), variables.end());
  return variables;
}

std::size_t dag_size(const TermStore& store, std::span<const Term> roots) {
  std::size_t count = 0;
  TermSet seen;
  post_order(store, roots, seen, [&](Term) { ++count; });
  return count;
}

}  // namespace plumb::term
