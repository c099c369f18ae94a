#include "ltl/formula.h"

#include <algorithm>

namespace plumb::ltl {

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

Id Formulas::dual(const Node& node, Id not_a, Id not_b) {
  switch (node.kind) {
    case Kind::Literal:
      return literal(node.literal ^ 1);
    case Kind::And:
      return disjunction(not_a, not_b);
    case Kind::Or:
      return conjunction(not_a, not_b);
    case Kind::Next:
      return next(not_a);
    case Kind::Until:
      return release(not_a, not_b);
    default:
      return until(not_a, not_b);
  }
}

Id Formulas::negation(Id a) {
  std::vector<Id> work{a};
  while (!work.empty()) {
    const Id id = work.back();
    const Node node = nodes_[id];
    const std::size_t before = work.size();
    // What is no operand is 0, which has a negation.
    for (const Id operand : {node.a, node.b})
      if (!negations_.contains(operand)) work.push_back(operand);
    if (work.size() != before) continue;
    work.pop_back();
    if (negations_.contains(id)) continue;
    const Id result = dual(node, negations_[node.a], negations_[node.b]);
    negations_.emplace(id, result);
    negations_.emplace(result, id);
  }
  return negations_[a];
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

}  // namespace plumb::ltl
