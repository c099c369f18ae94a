// A tableau on the fly (Couvreur, "On-the-fly verification of linear temporal logic", FM 1999): a state is a set of
// formulas that should hold; a transition picks for each disjunction a side, and for each Until whether it is fulfilled
// now or put off. Runs that put off an Until for ever are rejected by generalised acceptance, which a counter over the
// Untils brings down to one set. Ways that ask for more than another one under the same letter are left out: the
// smaller set simulates the larger one step by step.

#include "ltl/buchi.h"

#include <algorithm>

namespace plumb::ltl {
namespace {

using Kind = Formulas::Kind;

bool is_subset(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] && !b[i]) return false;
  return true;
}

void insert(std::vector<Id>& set, Id id) {
  const auto place = std::ranges::lower_bound(set, id);
  if (place == set.end() || *place != id) set.insert(place, id);
}

}  // namespace

Buchi::Buchi(Formulas& formulas, Id formula, const Budget& budget) : formulas_(formulas), budget_(budget) {
  std::vector<Id> work{formula};
  std::vector<Id> seen;
  while (!work.empty()) {
    const Id id = work.back();
    work.pop_back();
    if (std::ranges::find(seen, id) != seen.end()) continue;
    seen.push_back(id);
    const Formulas::Node& node = formulas_[id];
    if (node.kind == Kind::Until) untils_.emplace(id, untils_.size());
    if (node.kind >= Kind::And) work.push_back(node.a);
    if (node.kind >= Kind::And && node.kind != Kind::Next) work.push_back(node.b);
  }
  Set first;
  if (formula != Formulas::kTrue) first.push_back(formula);
  intern({first, 0});
}

LetterId Buchi::letter(const Letter& letter) {
  const auto [place, is_new] = letter_ids_.try_emplace(letter, static_cast<LetterId>(letters_.size()));
  if (is_new) letters_.push_back(letter);
  return place->second;
}

std::uint32_t Buchi::intern(State state) {
  // Without obligations nothing is awaited.
  if (state.obligations.empty()) state.awaited = 0;
  const auto [place, is_new] =
      table_.try_emplace({state.obligations, state.awaited}, static_cast<std::uint32_t>(states_.size()));
  if (is_new) states_.push_back(std::move(state));
  return place->second;
}

void Buchi::reduce(Set& obligations) const {
  // What has to hold for ever has to hold now: `false R x` makes x superfluous beside it.
  Set result;
  for (const Id id : obligations) {
    const bool is_implied = std::ranges::any_of(obligations, [&](Id other) {
      const Formulas::Node& node = formulas_[other];
      return node.kind == Kind::Release && node.a == Formulas::kFalse && node.b == id;
    });
    if (!is_implied) result.push_back(id);
  }
  obligations = std::move(result);
}

void Buchi::drop_dominated(std::vector<Way>& ways) {
  std::vector<Way> kept;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    bool is_dominated = false;
    for (std::size_t k = 0; k < ways.size() && !is_dominated; ++k) {
      if (k == i) continue;
      const bool is_smaller =
          std::ranges::includes(ways[i].next, ways[k].next) && is_subset(ways[k].postponed, ways[i].postponed);
      const bool is_same = ways[i].next == ways[k].next && ways[i].postponed == ways[k].postponed;
      is_dominated = is_smaller && (!is_same || k < i);
    }
    if (!is_dominated) kept.push_back(ways[i]);
  }
  ways = std::move(kept);
}

void Buchi::expand(Partial partial, const Letter& letter, std::vector<Partial>& work) const {
  const Id id = partial.open.back();
  partial.open.pop_back();
  if (std::ranges::find(partial.done, id) != partial.done.end()) {
    work.push_back(std::move(partial));
    return;
  }
  partial.done.push_back(id);
  // Continues with more to hold now and perhaps something to hold next.
  const auto go_on = [&](std::initializer_list<Id> now, Id next, bool postpones) {
    Partial more = partial;
    more.open.insert(more.open.end(), now.begin(), now.end());
    if (next != Formulas::kTrue) insert(more.way.next, next);
    if (postpones) more.way.postponed[untils_.at(id)] = true;
    work.push_back(std::move(more));
  };
  const Formulas::Node& node = formulas_[id];
  switch (node.kind) {
    case Kind::False:
      break;
    case Kind::True:
      go_on({}, Formulas::kTrue, false);
      break;
    case Kind::Literal:
      if (letter[node.literal]) go_on({}, Formulas::kTrue, false);
      break;
    case Kind::And:
      go_on({node.a, node.b}, Formulas::kTrue, false);
      break;
    case Kind::Or:
      go_on({node.a}, Formulas::kTrue, false);
      go_on({node.b}, Formulas::kTrue, false);
      break;
    case Kind::Next:
      go_on({}, node.a, false);
      break;
    case Kind::Until:
      go_on({node.b}, Formulas::kTrue, false);
      go_on({node.a}, id, true);
      break;
    case Kind::Release:
      if (node.a != Formulas::kFalse) go_on({node.a, node.b}, Formulas::kTrue, false);
      go_on({node.b}, id, false);
      break;
  }
}

std::vector<Buchi::Way> Buchi::ways(const Set& obligations, const Letter& letter) const {
  std::vector<Way> result;
  std::vector<Partial> work{{obligations, {}, {{}, std::vector<bool>(untils_.size())}}};
  while (!work.empty()) {
    budget_.check();
    Partial partial = std::move(work.back());
    work.pop_back();
    if (!partial.open.empty()) {
      expand(std::move(partial), letter, work);
      continue;
    }
    reduce(partial.way.next);
    result.push_back(std::move(partial.way));
    if (result.size() % 64 == 0) drop_dominated(result);
  }
  drop_dominated(result);
  return result;
}

const std::vector<Buchi::Edge>& Buchi::edges(std::uint32_t state, LetterId letter) {
  const auto key = std::make_pair(state, letter);
  if (const auto known = edges_.find(key); known != edges_.end()) return known->second;
  std::vector<Edge> result;
  const State from = states_[state];
  const auto count = static_cast<std::uint32_t>(untils_.size());
  for (Way& way : ways(from.obligations, letters_[letter])) {
    std::uint32_t awaited = from.awaited;
    const auto advance = [&] {
      while (awaited < count && !way.postponed[awaited]) ++awaited;
    };
    advance();
    const bool is_accepting = awaited == count;
    if (is_accepting) {
      awaited = 0;
      advance();
      if (awaited == count) awaited = 0;
    }
    const std::uint32_t target = intern({std::move(way.next), awaited});
    const auto same = std::ranges::find(result, target, &Edge::target);
    if (same == result.end())
      result.push_back({target, is_accepting});
    else
      same->is_accepting |= is_accepting;
  }
  return edges_.emplace(key, std::move(result)).first->second;
}

}  // namespace plumb::ltl
