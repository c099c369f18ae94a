#include "paths/conditions.h"

#include <algorithm>

namespace plumb::paths {

void Conditions::start(std::span<const Term> properties) {
  const TermStore& terms = domains_.terms();
  all_.clear();
  closed_.clear();
  seen_.clear();
  term::post_order(terms, properties, seen_, [&](Term t) {
    const Cell c = domains_.cell_of(t);
    if (c != kNoCell && terms.op(t) == term::Op::Ite && !domains_.is_leaf(c)) all_.push_back(domains_.operands(c)[0]);
  });
  std::ranges::sort(all_, {}, [&](Cell c) { return domains_.term(c).id; });
  all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
}

Cell Conditions::next() {
  const std::size_t level = domains_.level();
  std::size_t at = closed_.empty() ? 0 : closed_.back();
  while (at < all_.size() && domains_.is_known(all_[at])) ++at;
  closed_.resize(std::max(closed_.size(), level + 1), at);
  closed_[level] = at;
  return at == all_.size() ? kNoCell : all_[at];
}

void Conditions::backtrack() { closed_.resize(std::min<std::size_t>(closed_.size(), domains_.level() + 1)); }

}  // namespace plumb::paths
