#include "unroll/paths.h"

namespace plumb::unroll {

namespace {

/// How far back decided() looks.
constexpr unsigned kLately = 64;

}  // namespace

PathId Paths::child(PathId parent, Term condition) {
  if (terms_.is_true(condition)) return parent;
  const auto [it, is_new] = children_.try_emplace({parent, condition}, static_cast<PathId>(nodes_.size()));
  if (is_new) {
    const Term all = terms_.bit_and(nodes_[parent].all, condition);
    nodes_.push_back({parent, nodes_[parent].depth + 1, condition, all});
  }
  return it->second;
}

bool Paths::is_decision_left(PathId path) const {
  const auto other = children_.find({nodes_[path].parent, terms_.bit_not(nodes_[path].literal)});
  return other == children_.end() || !ended_.contains(other->second);
}

void Paths::mark_ended(PathId path) {
  while (ended_.insert(path).second && path != kRoot && !is_decision_left(path)) path = nodes_[path].parent;
}

PathId Paths::reduced(PathId path) const {
  while (path != kRoot && !is_decision_left(path)) path = nodes_[path].parent;
  return path;
}

Term Paths::decided(PathId path, Term condition) const {
  const Term opposite = terms_.bit_not(condition);
  for (unsigned i = 0; i < kLately && path != kRoot; ++i, path = nodes_[path].parent) {
    if (nodes_[path].literal == condition) return terms_.boolean(true);
    if (nodes_[path].literal == opposite) return terms_.boolean(false);
  }
  return condition;
}

}  // namespace plumb::unroll
