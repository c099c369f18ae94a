#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ltl/buchi.h"

namespace plumb::ltl {

/// A deterministic Rabin automaton, made as it is asked for: a run is accepted if for some pair its states are from
/// some point on never bad and for ever again good. A pair that a state does not mention is bad in it. Not thread-safe.
class Rabin {
 public:
  Rabin(Formulas& formulas, Id formula, const Budget& budget);

  using State = std::uint32_t;
  static constexpr State kRejecting = 0;  ///< from here no word is accepted
  static constexpr State kAccepting = 1;  ///< from here every word is accepted
  State initial() const noexcept { return initial_; }
  LetterId letter(const Letter& letter) { return buchi_.letter(letter); }
  State next(State state, LetterId letter);
  std::size_t size() const noexcept { return states_.size(); }

  /// A pair that is not bad in a state.
  struct Mark {
    std::uint32_t pair;
    bool is_good;
  };
  const std::vector<Mark>& marks(State state) const noexcept { return states_[state].marks; }
  std::uint32_t pairs() const noexcept { return static_cast<std::uint32_t>(addresses_.size()); }

 private:
  using Set = std::vector<std::uint32_t>;  ///< states of the Büchi automaton, sorted
  /// A node of a history tree. Trees are lists of nodes, parents first, elder siblings first.
  struct Node {
    Set label;
    std::uint32_t depth = 0;
  };
  using Tree = std::vector<Node>;
  using Address = std::vector<std::uint32_t>;  ///< the positions among siblings, from the root down
  struct Built {
    Tree tree;
    std::vector<Mark> marks;
  };
  /// A node on its way from one tree to the next.
  struct Growing {
    Set label;
    std::uint32_t depth = 0;
    Address before;  ///< empty for a new node; the root's is {0}
    bool is_good = false;
    bool is_gone = false;
  };

  State intern(Built built);
  std::vector<Growing> grow(const Tree& tree, LetterId letter);
  static void steal(std::vector<Growing>& nodes);
  static void collapse(std::vector<Growing>& nodes);
  Built settle(const std::vector<Growing>& nodes);

  Buchi buchi_;
  const Budget& budget_;
  State initial_ = kRejecting;
  std::vector<Built> states_;
  std::map<std::vector<std::uint32_t>, State> table_;
  std::map<Address, std::uint32_t> addresses_;  ///< numbers of pairs
  std::map<std::pair<State, LetterId>, State> next_;
};

}  // namespace plumb::ltl
