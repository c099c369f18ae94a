// Where probabilities are zero or one (Baier and Katoen, "Principles of Model Checking", 2008, section 10.6.1), by
// passes instead of searches along predecessors, which nobody keeps here.

#include <algorithm>

#include "chain/stream/passes.h"

namespace plumb::chain::stream {
namespace {

StateSet without(StateSet set, const StateSet& other) {
  set &= other.complement();
  return set;
}

bool meets(const StateSet& set, std::uint32_t count, const StateId* targets) {
  return std::any_of(targets, targets + count, [&](StateId t) { return set.contains(t); });
}

bool is_inside(const StateSet& set, std::uint32_t count, const StateId* targets) {
  return std::all_of(targets, targets + count, [&](StateId t) { return set.contains(t); });
}

bool some_row_meets(const StateSet& set, const StateRows& rows) {
  return rows.some_row([&](std::uint64_t, std::uint32_t count, const StateId* targets, const std::uint32_t*) {
    return meets(set, count, targets);
  });
}

bool every_row_meets(const StateSet& set, const StateRows& rows) {
  return rows.every_row([&](std::uint64_t, std::uint32_t count, const StateId* targets, const std::uint32_t*) {
    return meets(set, count, targets);
  });
}

/// Where some strategy gets to the target with probability one: the greatest set from which it can be come to without
/// the chance to leave the set.
StateSet can_be_one(Passes& passes, const StateSet& allowed, const StateSet& target) {
  const StateSet inner = without(allowed, target);
  StateSet inside = allowed;
  inside |= target;
  while (true) {
    StateSet reached = target;
    passes.close(inner, reached, [&](const StateRows& rows) {
      return inside.contains(rows.state) &&
             rows.some_row([&](std::uint64_t, std::uint32_t count, const StateId* targets, const std::uint32_t*) {
               return meets(reached, count, targets) && is_inside(inside, count, targets);
             });
    });
    if (reached == inside) return inside;
    inside = std::move(reached);
  }
}

}  // namespace

Certain until_is_certain(Passes& passes, const StateSet& allowed, const StateSet& target, Direction direction) {
  const bool has_choices = passes.chain().kind == Kind::Mdp;
  StateSet positive = target;
  if (has_choices && direction == Direction::Min)
    passes.close(allowed, positive, [&](const StateRows& rows) { return every_row_meets(positive, rows); });
  else
    passes.close(allowed, positive, [&](const StateRows& rows) { return some_row_meets(positive, rows); });
  Certain result;
  result.zero = positive.complement();
  if (has_choices && direction == Direction::Max) {
    result.one = can_be_one(passes, allowed, target);
    return result;
  }
  // Probability one is missed exactly where a state with probability zero can be come to before the target.
  StateSet less = result.zero;
  passes.close(without(allowed, target), less, [&](const StateRows& rows) { return some_row_meets(less, rows); });
  result.one = less.complement();
  return result;
}

StateSet earns_nothing(Passes& passes, const Chain::Rewards& rewards) {
  StateSet earning(passes.chain().states);
  passes.close(StateSet(passes.chain().states, true), earning, [&](const StateRows& rows) {
    return rows.some_row([&](std::uint64_t row, std::uint32_t count, const StateId* targets, const std::uint32_t*) {
      return earned(rewards, rows.state, row) != 0 || meets(earning, count, targets);
    });
  });
  return earning.complement();
}

bool has_free_round(Passes& passes, const Chain::Rewards& rewards, const StateSet& within) {
  StateSet busy = within.complement();
  passes.close(within, busy, [&](const StateRows& rows) {
    return rows.every_row([&](std::uint64_t row, std::uint32_t count, const StateId* targets, const std::uint32_t*) {
      return earned(rewards, rows.state, row) != 0 || meets(busy, count, targets);
    });
  });
  return !busy.complement().empty();
}

}  // namespace plumb::chain::stream
