#include "paths/nogoods.h"

#include <utility>

namespace plumb::paths {

Nogoods::Id Nogoods::add(std::span<const Literal> literals) {
  const auto id = static_cast<Id>(count());
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  starts_.push_back(literals_.size());
  for (const Literal& each : literals.first(std::min<std::size_t>(2, literals.size())))
    watches_[key(each.cell, each.bound)].push_back({id, each});
  return id;
}

bool Nogoods::moves_watch(Id id, const Domains& domains) {
  Literal* const first = literals_.data() + starts_[id];
  const std::size_t size = starts_[id + 1] - starts_[id];
  for (std::size_t i = 2; i < size; ++i) {
    if (domains.is_true(first[i])) continue;
    std::swap(first[1], first[i]);
    watches_[key(first[1].cell, first[1].bound)].push_back({id, first[1]});
    return true;
  }
  return false;
}

bool Nogoods::on_change(Cell c, const Range& before, Domains& domains) {
  const Range now = domains.domain(c);
  return (now.low == before.low || on_bound(c, kLow, domains)) &&
         (now.high == before.high || on_bound(c, kHigh, domains)) &&
         (domains.is_boolean(c) || ((now.least == before.least || on_bound(c, kLeast, domains)) &&
                                    (now.greatest == before.greatest || on_bound(c, kGreatest, domains))));
}

bool Nogoods::on_bound(Cell c, Bounds bound, Domains& domains) {
  const auto found = watches_.find(key(c, bound));
  if (found == watches_.end()) return true;
  std::vector<Watch> watching = std::exchange(found->second, {});
  std::vector<Watch> kept;
  bool is_possible = true;
  for (const Watch& watch : watching) {
    if (!is_possible || !domains.is_true(watch.literal)) {
      kept.push_back(watch);
      continue;
    }
    Literal* const first = literals_.data() + starts_[watch.id];
    if (first[0] == watch.literal && starts_[watch.id + 1] - starts_[watch.id] > 1) std::swap(first[0], first[1]);
    if (!domains.is_false(first[0]) && moves_watch(watch.id, domains)) continue;
    kept.push_back(watch);
    is_possible = domains.imply(!first[0], watch.id);
  }
  std::vector<Watch>& now = watches_[key(c, bound)];
  now.insert(now.end(), kept.begin(), kept.end());
  return is_possible;
}

}  // namespace plumb::paths
