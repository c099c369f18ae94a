#include "system/encode_paths.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace plumb::system {

PathTree::PathTree(TermStore& store, const Budget& budget) : store_(store), budget_(budget) { clear(); }

void PathTree::clear() { entries_.assign(1, {kRoot, 0, store_.boolean(true), store_.boolean(true)}); }

PathTree::Node PathTree::add(Node parent, Term condition) {
  if (store_.is_true(condition)) return parent;
  entries_.push_back({parent, entries_[parent].depth + 1, condition, {}});
  return static_cast<Node>(entries_.size() - 1);
}

Term PathTree::condition(Node node) {
  std::vector<Node> unknown;
  for (; !entries_[node].all; node = entries_[node].parent) unknown.push_back(node);
  Term all = entries_[node].all;
  for (std::size_t i = unknown.size(); i-- > 0;) {
    all = store_.bit_and(all, entries_[unknown[i]].condition);
    entries_[unknown[i]].all = all;
  }
  return all;
}

bool PathTree::is_deeper(const Raised& a, const Raised& b) const {
  return std::tuple(entries_[a.node].depth, a.node) > std::tuple(entries_[b.node].depth, b.node);
}

void PathTree::join(Raised& to, const Raised& from, const std::vector<bool>* matters) {
  // At most one of the two conditions is true, so either may choose; the older term is the simpler one as a rule.
  const bool by_from = from.condition < to.condition;
  for (std::size_t i = 0; i < to.values.size(); ++i) {
    Term& value = to.values[i];
    const Term other = from.values[i];
    if (matters != nullptr && !(*matters)[i]) {
      value = {};
    } else if (!value) {
      value = other;
    } else if (other && other != value) {
      value = by_from ? store_.ite(from.condition, other, value) : store_.ite(to.condition, value, other);
    }
  }
  to.condition = store_.bit_or(to.condition, from.condition);
}

PathTree::Way PathTree::merge(std::vector<Way> ways, const std::vector<bool>* matters) {
  INVARIANT(!ways.empty(), "a place that is reached should have a way to it");
  if (ways.size() == 1) return std::move(ways.front());
  // The deepest goes up one node at a time; what is at the same node is next to it and joined.
  std::vector<Raised> heap;
  for (Way& way : ways) heap.push_back({way.node, store_.boolean(true), std::move(way.values)});
  const auto is_higher = [this](const Raised& a, const Raised& b) { return is_deeper(b, a); };
  std::make_heap(heap.begin(), heap.end(), is_higher);
  const auto pop = [&] {
    std::pop_heap(heap.begin(), heap.end(), is_higher);
    Raised top = std::move(heap.back());
    heap.pop_back();
    return top;
  };
  Raised deepest = pop();
  while (!heap.empty()) {
    if (heap.front().node == deepest.node) {
      budget_.check();
      join(deepest, pop(), matters);
      continue;
    }
    const Entry& entry = entries_[deepest.node];
    deepest.condition = store_.bit_and(entry.condition, deepest.condition);
    deepest.node = entry.parent;
    if (is_deeper(deepest, heap.front())) continue;
    heap.push_back(std::move(deepest));
    std::push_heap(heap.begin(), heap.end(), is_higher);
    deepest = pop();
  }
  return {add(deepest.node, deepest.condition), std::move(deepest.values)};
}

}  // namespace plumb::system
