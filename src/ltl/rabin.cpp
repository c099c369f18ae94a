// Determinisation by history trees (Schewe, "Tighter bounds for the determinisation of Büchi automata", FoSSaCS 2009,
// section 4; Safra 1988). The root follows all runs; a child follows those that have taken an accepting transition
// since it was made. When the children of a node have all of its runs, each of them has accepted once more: the node is
// good and starts over. A node is known by its place in the tree; one whose place changes is bad for that place.
// Acceptance is of transitions, so states remember the marks of the way they were come by. Trees whose root has a run
// that accepts everything are one state.

#include "ltl/rabin.h"

#include <algorithm>

namespace plumb::ltl {
namespace {

void insert_sorted(std::vector<std::uint32_t>& set, std::uint32_t element) {
  const auto place = std::ranges::lower_bound(set, element);
  if (place == set.end() || *place != element) set.insert(place, element);
}

}  // namespace

Rabin::Rabin(Formulas& formulas, Id formula, const Budget& budget)
    : buchi_(formulas, formula, budget), budget_(budget) {
  states_.resize(2);
  addresses_[{0}] = 0;
  states_[kAccepting].marks.push_back({0, true});
  if (formula == Formulas::kFalse) return;
  if (formula == Formulas::kTrue)
    initial_ = kAccepting;
  else
    initial_ = intern({{{{0}, 0}}, {}});
}

Rabin::State Rabin::intern(Built built) {
  if (built.tree.empty()) return kRejecting;
  for (const std::uint32_t state : built.tree.front().label)
    if (buchi_.accepts_all(state)) return kAccepting;
  std::vector<std::uint32_t> key;
  for (const Node& node : built.tree) {
    key.push_back(node.depth);
    key.push_back(static_cast<std::uint32_t>(node.label.size()));
    key.insert(key.end(), node.label.begin(), node.label.end());
  }
  for (const Mark& mark : built.marks) key.push_back(mark.pair * 2 + (mark.is_good ? 1 : 0));
  const auto [place, is_new] = table_.try_emplace(std::move(key), static_cast<State>(states_.size()));
  if (is_new) states_.push_back(std::move(built));
  return place->second;
}

std::vector<Rabin::Growing> Rabin::grow(const Tree& tree, LetterId letter) {
  std::vector<Growing> result;
  struct Sprout {
    Set label;
    std::uint32_t depth;
  };
  std::vector<Sprout> open;  // children to come behind the descendants of the nodes on the way up
  Address address;
  const auto close_down_to = [&](std::uint32_t depth) {
    while (!open.empty() && open.back().depth > depth) {
      result.push_back({std::move(open.back().label), open.back().depth, {}, false, false});
      open.pop_back();
    }
  };
  for (const Node& node : tree) {
    close_down_to(node.depth);
    // The address: one more sibling at this depth.
    if (address.size() > node.depth) {
      address.resize(node.depth + 1);
      ++address.back();
    } else {
      address.push_back(0);
    }
    Growing grown;
    Sprout sprout{{}, node.depth + 1};
    grown.depth = node.depth;
    grown.before = address;
    for (const std::uint32_t state : node.label)
      for (const Buchi::Edge& edge : buchi_.edges(state, letter)) {
        insert_sorted(grown.label, edge.target);
        if (edge.is_accepting) insert_sorted(sprout.label, edge.target);
      }
    result.push_back(std::move(grown));
    open.push_back(std::move(sprout));
  }
  close_down_to(0);
  return result;
}

void Rabin::steal(std::vector<Growing>& nodes) {
  // Going down the list, `taken[d]` are the runs that elder siblings at depth d, below the same parent, have.
  std::vector<Set> taken;
  std::vector<const Set*> parents;  // labels of the nodes above
  for (Growing& node : nodes) {
    taken.resize(node.depth + 1);
    parents.resize(node.depth);
    Set kept;
    for (const std::uint32_t state : node.label) {
      const bool is_parents = parents.empty() || std::ranges::binary_search(*parents.back(), state);
      if (is_parents && !std::ranges::binary_search(taken[node.depth], state)) kept.push_back(state);
    }
    node.label = std::move(kept);
    for (const std::uint32_t state : node.label) insert_sorted(taken[node.depth], state);
    parents.push_back(&node.label);
  }
}

void Rabin::collapse(std::vector<Growing>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_gone) continue;
    if (nodes[i].label.empty()) {
      nodes[i].is_gone = true;
      continue;
    }
    // Children have disjoint parts of the label, so their sizes tell whether they have all of it.
    std::size_t covered = 0;
    std::size_t last = i + 1;
    for (; last < nodes.size() && nodes[last].depth > nodes[i].depth; ++last)
      if (nodes[last].depth == nodes[i].depth + 1) covered += nodes[last].label.size();
    if (covered != nodes[i].label.size()) continue;
    nodes[i].is_good = true;
    for (std::size_t k = i + 1; k < last; ++k) nodes[k].is_gone = true;
  }
}

Rabin::Built Rabin::settle(const std::vector<Growing>& nodes) {
  Built result;
  Address address;
  for (const Growing& node : nodes) {
    if (node.is_gone) continue;
    if (address.size() > node.depth) {
      address.resize(node.depth + 1);
      ++address.back();
    } else {
      address.push_back(0);
    }
    result.tree.push_back({node.label, node.depth});
    if (node.before != address) continue;
    const auto pair = addresses_.try_emplace(address, static_cast<std::uint32_t>(addresses_.size())).first->second;
    result.marks.push_back({pair, node.is_good});
  }
  return result;
}

Rabin::State Rabin::next(State state, LetterId letter) {
  if (state == kRejecting || state == kAccepting) return state;
  const auto key = std::make_pair(state, letter);
  if (const auto known = next_.find(key); known != next_.end()) return known->second;
  budget_.check();
  std::vector<Growing> nodes = grow(states_[state].tree, letter);
  steal(nodes);
  collapse(nodes);
  const State result = intern(settle(nodes));
  next_.emplace(key, result);
  return result;
}

}  // namespace plumb::ltl
