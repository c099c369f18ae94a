#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <vector>

#include "base/budget.h"
#include "ltl/formula.h"

namespace plumb::ltl {

/// Which literals hold, a bit each.
using Letter = std::vector<bool>;
using LetterId = std::uint32_t;

/// The Büchi automaton of a formula, nondeterministic, made as it is asked for. Acceptance is of transitions: a run is
/// accepted if it takes accepting ones for ever. State 0 is the initial one. Not thread-safe.
class Buchi {
 public:
  Buchi(Formulas& formulas, Id formula, const Budget& budget);

  struct Edge {
    std::uint32_t target;
    bool is_accepting;
  };
  LetterId letter(const Letter& letter);
  /// Edges to different targets; an accepting one where both kinds lead to the same.
  const std::vector<Edge>& edges(std::uint32_t state, LetterId letter);
  /// A state from which every word is accepted.
  bool accepts_all(std::uint32_t state) const noexcept { return states_[state].obligations.empty(); }
  std::size_t size() const noexcept { return states_.size(); }

 private:
  using Set = std::vector<Id>;  ///< sorted
  struct State {
    Set obligations;        ///< all of these should hold from here on
    std::uint32_t awaited;  ///< the first Until that has not been seen fulfilled in this round
  };
  /// A way to meet obligations now: what is left for the next step, and the Untils that were put off.
  struct Way {
    Set next;
    std::vector<bool> postponed;
  };
  /// A way that is being found.
  struct Partial {
    std::vector<Id> open;  ///< has to hold now
    std::vector<Id> done;  ///< has been taken apart
    Way way;
  };

  std::uint32_t intern(State state);
  std::vector<Way> ways(const Set& obligations, const Letter& letter) const;
  /// What becomes of a way when the last of its open formulas is taken apart: none, one or two ways.
  void expand(Partial partial, const Letter& letter, std::vector<Partial>& work) const;
  void reduce(Set& obligations) const;
  static void drop_dominated(std::vector<Way>& ways);

  Formulas& formulas_;
  const Budget& budget_;
  std::map<Id, std::size_t> untils_;  ///< numbers of the Until subformulas
  std::vector<State> states_;
  std::map<std::pair<Set, std::uint32_t>, std::uint32_t> table_;
  std::vector<Letter> letters_;
  std::map<Letter, LetterId> letter_ids_;
  std::map<std::pair<std::uint32_t, LetterId>, std::vector<Edge>> edges_;
};

}  // namespace plumb::ltl
