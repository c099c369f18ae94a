#include "lang/bip/flatten/define.h"

#include <algorithm>

namespace plumb::bip::flat {

namespace {

using PortSets = std::set<PortSet>;
using Position = std::function<std::uint32_t(const Name&)>;

PortSet united(const PortSet& a, const PortSet& b) {
  PortSet result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

/// Every set of `sets` with one of `choices`, and without any if `may_stay`.
std::optional<PortSets> extended(const PortSets& sets, const PortSets& choices, bool may_stay, std::size_t limit) {
  PortSets result;
  if (may_stay) result = sets;
  for (const PortSet& set : sets) {
    for (const PortSet& choice : choices) {
      result.insert(united(set, choice));
      // The set without any trigger is dropped in the end.
      if (result.size() > limit + 1) return std::nullopt;
    }
  }
  return result;
}

std::optional<PortSets> interactions(const PortExpression& expression, const Position& position, std::size_t limit) {
  if (expression.port) return PortSets{{position(*expression.port)}};
  const bool has_trigger = std::ranges::any_of(expression.group, &PortExpression::is_trigger);
  PortSets sets = {{}};
  // Triggers first: then all but one of the sets on the way are interactions, and the limit is met early.
  for (const bool is_trigger : {true, false}) {
    for (const PortExpression& member : expression.group) {
      if (member.is_trigger != is_trigger) continue;
      const std::optional<PortSets> choices = interactions(member, position, limit);
      if (!choices) return std::nullopt;
      std::optional<PortSets> next = extended(sets, *choices, has_trigger, limit);
      if (!next) return std::nullopt;
      sets = std::move(*next);
    }
    if (has_trigger && is_trigger) sets.erase(PortSet{});
  }
  return sets;
}

}  // namespace

std::optional<std::vector<PortSet>> defined_interactions(const PortExpression& define, const Position& position,
                                                         std::size_t limit) {
  const std::optional<PortSets> sets = interactions(define, position, limit);
  if (!sets || sets->size() > limit) return std::nullopt;
  std::vector<PortSet> result(sets->begin(), sets->end());
  std::ranges::stable_sort(result, {}, &PortSet::size);
  return result;
}

}  // namespace plumb::bip::flat
