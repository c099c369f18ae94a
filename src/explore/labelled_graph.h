#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "explore/choices.h"
#include "explore/store.h"
#include "ltl/buchi.h"

namespace plumb::explore {

/// States with the propositions that hold in them, and all steps between them.
class LabelledGraph {
 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  struct Edge {
    Id to = 0;
    std::uint32_t thread = kNobody;  ///< that makes the step; kNobody: none is made
    std::uint32_t script = 0;
    bool is_split = false;  ///< of the thread's attempt only that it blocks is known
  };
  struct Node {
    State state;
    ltl::LetterId letter = 0;
    bool has_ended = false;
    bool is_expanded = false;
    /// Threads that can go on, a bit each.
    std::uint64_t able = 0;
    std::uint32_t first_edge = 0;
    std::uint32_t edge_count = 0;
  };

  /// The node, which is made if it is not there.
  Id add(const State& state, ltl::LetterId letter, bool has_ended) {
    const Key key{{state.control, state.data}, {letter, has_ended}};
    const auto [known, is_new] = ids_.try_emplace(key, static_cast<Id>(nodes_.size()));
    if (is_new) nodes_.push_back({.state = state, .letter = letter, .has_ended = has_ended});
    return known->second;
  }
  const Node& operator[](Id id) const { return nodes_[id]; }
  std::size_t size() const noexcept { return nodes_.size(); }
  std::uint64_t bytes() const noexcept {
    return nodes_.size() * (sizeof(Node) + sizeof(std::pair<Key, Id>)) + edges_.size() * sizeof(Edge);
  }

  /// All that lead from the node.
  void expand(Id id, std::uint64_t able, const std::vector<Edge>& edges) {
    Node& node = nodes_[id];
    node.is_expanded = true;
    node.able = able;
    node.first_edge = static_cast<std::uint32_t>(edges_.size());
    node.edge_count = static_cast<std::uint32_t>(edges.size());
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }
  const Edge& edge(Id from, std::uint32_t i) const { return edges_[nodes_[from].first_edge + i]; }
  std::size_t edge_count() const noexcept { return edges_.size(); }

  std::uint32_t script(const Choices::Script& script) {
    const auto [known, is_new] = script_ids_.try_emplace(script, static_cast<std::uint32_t>(scripts_.size()));
    if (is_new) scripts_.push_back(script);
    return known->second;
  }
  const Choices::Script& script_of(const Edge& edge) const { return scripts_[edge.script]; }

 private:
  using Key = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, bool>>;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  absl::flat_hash_map<Key, Id> ids_;
  std::vector<Choices::Script> scripts_;
  absl::flat_hash_map<Choices::Script, std::uint32_t> script_ids_;
};

}  // namespace plumb::explore
