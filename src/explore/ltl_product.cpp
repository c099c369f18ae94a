#include "explore/ltl_product.h"

#include <deque>

#include "base/error.h"

namespace plumb::explore {

std::uint32_t LtlProduct::node_of(Pair pair) {
  const auto [known, is_new] = ids_.try_emplace(pair, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) {
    nodes_.push_back(pair);
    numbers_.push_back(kUnseen);
  }
  return known->second;
}

std::vector<LtlProduct::Successor> LtlProduct::successors(std::uint32_t node) {
  const auto [state, place] = nodes_[node];
  if (!graph_[state].is_expanded) expand_(state);
  const LabelledGraph::Node from = graph_[state];
  const std::vector<ltl::Buchi::Edge> ways = automaton_.edges(place, from.letter);
  std::vector<Successor> all;
  for (std::uint32_t e = 0; e < from.edge_count; ++e) {
    const LabelledGraph::Edge edge = graph_.edge(state, e);
    Marks marks;
    marks.threads = is_fair_ ? ~from.able : ~std::uint64_t{0};
    if (edge.thread != LabelledGraph::kNobody && !edge.is_split) marks.threads |= std::uint64_t{1} << edge.thread;
    for (const ltl::Buchi::Edge& way : ways) {
      marks.is_accepting = way.is_accepting;
      all.push_back({node_of({edge.to, way.target}), marks, {state, e}});
    }
  }
  return all;
}

void LtlProduct::enter(std::uint32_t node, const Marks& marks) {
  numbers_[node] = ++last_number_;
  roots_.push_back({last_number_, {}, marks});
  live_.push_back(node);
  path_.push_back({node, successors(node), 0});
}

void LtlProduct::leave(std::uint32_t node) {
  if (roots_.back().number != numbers_[node]) return;
  roots_.pop_back();
  for (;;) {
    const std::uint32_t done = live_.back();
    live_.pop_back();
    numbers_[done] = kLeft;
    if (done == node) return;
  }
}

std::optional<LtlProduct::Cycle> LtlProduct::find_cycle(Id initial) {
  const std::uint32_t start = node_of({initial, 0});
  if (numbers_[start] != kUnseen) return std::nullopt;
  enter(start, {});
  while (!path_.empty()) {
    Frame& top = path_.back();
    if (top.next == top.successors.size()) {
      const std::uint32_t done = top.node;
      path_.pop_back();
      leave(done);
      continue;
    }
    const Successor next = top.successors[top.next++];
    if (numbers_[next.to] == kUnseen) {
      enter(next.to, next.marks);
      continue;
    }
    if (numbers_[next.to] == kLeft) continue;
    Marks marks = next.marks;
    while (roots_.back().number > numbers_[next.to]) {
      marks.add(roots_.back().inside);
      marks.add(roots_.back().before);
      roots_.pop_back();
    }
    roots_.back().inside.add(marks);
    if (roots_.back().inside.is_full()) return cycle_from(start);
  }
  return std::nullopt;
}

std::uint32_t LtlProduct::go(std::uint32_t from, const std::function<bool(std::uint32_t)>& is_inside,
                             const std::function<bool(const Successor&)>& is_wanted, std::vector<Move>& way,
                             Marks& seen) {
  struct Reached {
    std::uint32_t before = 0;
    Successor by;
  };
  absl::flat_hash_map<std::uint32_t, Reached> reached{{from, {from, {}}}};
  std::deque<std::uint32_t> open{from};
  while (!open.empty()) {
    const std::uint32_t now = open.front();
    open.pop_front();
    if (!graph_[nodes_[now].first].is_expanded) continue;
    for (const Successor& next : successors(now)) {
      if (!is_inside(next.to)) continue;
      if (is_wanted(next)) {
        std::vector<Successor> back{next};
        for (std::uint32_t at = now; at != from; at = reached[at].before) back.push_back(reached[at].by);
        for (std::size_t i = back.size(); i-- > 0;) {
          way.push_back(back[i].move);
          seen.add(back[i].marks);
        }
        return next.to;
      }
      if (reached.try_emplace(next.to, Reached{now, next}).second) open.push_back(next.to);
    }
  }
  INVARIANT(false, "nodes of a component should reach each other");
}

LtlProduct::Cycle LtlProduct::cycle_from(std::uint32_t initial) {
  // The component that was merged last is what lies above its root.
  const std::uint32_t first = roots_.back().number;
  const auto is_seen = [&](std::uint32_t node) { return node < numbers_.size() && numbers_[node] != kUnseen; };
  const auto is_inside = [&](std::uint32_t node) {
    return is_seen(node) && numbers_[node] != kLeft && numbers_[node] >= first;
  };
  Cycle found;
  found.initial = nodes_[initial].first;
  std::uint32_t start = initial;
  Marks seen;
  if (!is_inside(initial))
    start = go(initial, is_seen, [&](const Successor& next) { return is_inside(next.to); }, found.stem, seen);
  seen = {};
  std::uint32_t now = start;
  while (!seen.is_full())
    now = go(now, is_inside, [&](const Successor& next) { return !seen.covers(next.marks); }, found.cycle, seen);
  if (now != start) go(now, is_inside, [&](const Successor& next) { return next.to == start; }, found.cycle, seen);
  return found;
}

}  // namespace plumb::explore
