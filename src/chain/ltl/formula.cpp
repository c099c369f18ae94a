#include "chain/ltl/formula.h"

#include <algorithm>

namespace plumb::chain::ltl {

Formulas::Formulas() : nodes_{{Kind::False, 0, 0, 0}, {Kind::True, 0, 0, 0}} {}

Id Formulas::intern(const Node& node) {
  const std::array<std::uint32_t, 4> key{static_cast<std::uint32_t>(node.kind), node.literal, node.a, node.b};
  const auto [place, is_new] = table_.try_emplace(key, static_cast<Id>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return place->second;
}

Id Formulas::conjunction(Id a, Id b) {
  if (a == kFalse || b == kFalse) return kFalse;
  if (a == kTrue || a == b) return b;
  if (b == kTrue) return a;
  return intern({Kind::And, 0, std::min(a, b), std::max(a, b)});
}

Id Formulas::disjunction(Id a, Id b) {
  if (a == kTrue || b == kTrue) return kTrue;
  if (a == kFalse || a == b) return b;
  if (b == kFalse) return a;
  return intern({Kind::Or, 0, std::min(a, b), std::max(a, b)});
}

Id Formulas::next(Id a) { return a == kTrue || a == kFalse ? a : intern({Kind::Next, 0, a, 0}); }

Id Formulas::until(Id a, Id b) {
  if (b == kTrue || b == kFalse || a == kFalse || a == b) return b;
  return intern({Kind::Until, 0, a, b});
}

Id Formulas::release(Id a, Id b) {
  if (b == kTrue || b == kFalse || a == kTrue || a == b) return b;
  return intern({Kind::Release, 0, a, b});
}

bool Formulas::is_co_safe(Id id) const {
  std::vector<Id> work{id};
  std::vector<bool> seen(nodes_.size());
  while (!work.empty()) {
    const Id next = work.back();
    work.pop_back();
    if (seen[next]) continue;
    seen[next] = true;
    const Node& node = nodes_[next];
    if (node.kind == Kind::Release) return false;
    if (node.kind >= Kind::And) work.push_back(node.a);
    if (node.kind == Kind::And || node.kind == Kind::Or || node.kind == Kind::Until) work.push_back(node.b);
  }
  return true;
}

}  // namespace plumb::chain::ltl
