#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "explore/labelled_graph.h"
#include "ltl/buchi.h"

namespace plumb::explore {

/// The product of a graph of states, which grows as it is looked at, and a Büchi automaton: whether it has a cycle that
/// is accepted and, if wanted, weakly fair. By strongly connected components on the fly (Couvreur, "On-the-fly
/// verification of linear temporal logic", FM 1999): components on the path are merged as edges close cycles, and carry
/// the marks of their edges. Fairness is marks as well, one for each thread: it makes the step, or could make none.
class LtlProduct {
 public:
  using Id = LabelledGraph::Id;
  /// A step of a state, or none: the edge of the node and its number there.
  struct Move {
    Id from = 0;
    std::uint32_t edge = 0;
  };
  struct Cycle {
    Id initial = 0;
    std::vector<Move> stem;
    std::vector<Move> cycle;  ///< from where the stem ends back to there
  };

  /// All must outlive it. `expand` completes a node of the graph.
  LtlProduct(const LabelledGraph& graph, ltl::Buchi& automaton, bool is_fair, std::function<void(Id)> expand)
      : graph_(graph), automaton_(automaton), is_fair_(is_fair), expand_(std::move(expand)) {}

  /// Looks at all that is reached from the node, but for what earlier calls have seen.
  std::optional<Cycle> find_cycle(Id initial);
  std::size_t size() const noexcept { return nodes_.size(); }

 private:
  using Pair = std::pair<Id, std::uint32_t>;  ///< a state, and one of the automaton
  struct Marks {
    std::uint64_t threads = 0;
    bool is_accepting = false;
    void add(const Marks& other) {
      threads |= other.threads;
      is_accepting |= other.is_accepting;
    }
    bool is_full() const { return is_accepting && threads == ~std::uint64_t{0}; }
    bool covers(const Marks& other) const {
      return (other.threads & ~threads) == 0 && (is_accepting || !other.is_accepting);
    }
  };
  struct Successor {
    std::uint32_t to = 0;  ///< node of the product
    Marks marks;
    Move move;
  };
  struct Root {
    std::uint32_t number = 0;
    Marks inside;
    Marks before;  ///< of the edge that leads to it
  };
  struct Frame {
    std::uint32_t node = 0;
    std::vector<Successor> successors;
    std::size_t next = 0;
  };
  static constexpr std::uint32_t kUnseen = 0;
  static constexpr std::uint32_t kLeft = ~std::uint32_t{0};

  std::uint32_t node_of(Pair pair);
  std::vector<Successor> successors(std::uint32_t node);
  void enter(std::uint32_t node, const Marks& marks);
  void leave(std::uint32_t node);
  Cycle cycle_from(std::uint32_t initial);
  /// A shortest way to an edge that `is_wanted`, over nodes that `is_inside`; it is appended. Where it ends.
  std::uint32_t go(std::uint32_t from, const std::function<bool(std::uint32_t)>& is_inside,
                   const std::function<bool(const Successor&)>& is_wanted, std::vector<Move>& way, Marks& seen);

  const LabelledGraph& graph_;
  ltl::Buchi& automaton_;
  bool is_fair_;
  std::function<void(Id)> expand_;
  std::vector<Pair> nodes_;
  absl::flat_hash_map<Pair, std::uint32_t> ids_;
  std::vector<std::uint32_t> numbers_;  ///< by node, in the order of the search
  std::uint32_t last_number_ = 0;
  std::vector<Frame> path_;
  std::vector<Root> roots_;
  std::vector<std::uint32_t> live_;  ///< nodes of components that are not done
};

}  // namespace plumb::explore
