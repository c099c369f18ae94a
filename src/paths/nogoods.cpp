#include "paths/nogoods.h"

#include <utility>

#include "base/error.h"

namespace plumb::paths {

Nogoods::Id Nogoods::add(std::span<const Literal> literals) {
  INVARIANT(literals.size() >= 2, "a nogood of one literal should be a fact");
  const auto id = static_cast<Id>(count());
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  starts_.push_back(literals_.size());
  watches_[key(literals[0])].push_back(id);
  watches_[key(literals[1])].push_back(id);
  return id;
}

bool Nogoods::moves_watch(Id id, const Domains& domains) {
  Literal* const first = literals_.data() + starts_[id];
  const std::size_t size = starts_[id + 1] - starts_[id];
  for (std::size_t i = 2; i < size; ++i) {
    if (domains.is_true(first[i])) continue;
    std::swap(first[1], first[i]);
    watches_[key(first[1])].push_back(id);
    return true;
  }
  return false;
}

Nogoods::Id Nogoods::on_set(Literal literal, Domains& domains) {
  const auto found = watches_.find(key(literal));
  if (found == watches_.end()) return kNone;
  std::vector<Id> watching = std::exchange(found->second, {});
  std::vector<Id> kept;
  Id broken = kNone;
  for (const Id id : watching) {
    Literal* const first = literals_.data() + starts_[id];
    if (broken != kNone) {
      kept.push_back(id);
      continue;
    }
    if (first[0] == literal) std::swap(first[0], first[1]);
    if (!domains.is_false(first[0]) && moves_watch(id, domains)) continue;
    kept.push_back(id);
    if (domains.is_false(first[0])) continue;
    if (domains.is_true(first[0])) {
      broken = id;
    } else {
      domains.imply(!first[0], id);
    }
  }
  std::vector<Id>& now = watches_[key(literal)];
  now.insert(now.end(), kept.begin(), kept.end());
  return broken;
}

}  // namespace plumb::paths
