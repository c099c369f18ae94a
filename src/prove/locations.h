#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "system/system.h"

namespace plumb::prove {

using system::System;
using term::Term;

/// What a system does in one value of a state that control is in (a program counter), and what it does on the way to
/// one next value: terms of the system with that state replaced and with what is known on the way folded. Made once for
/// each value and used in every step.
struct LocationStep {
  struct Edge {
    /// The next value; nothing if it is not a constant.
    std::optional<BitVector> target;
    Term condition;           ///< under which this edge is taken; those of all edges exclude each other and cover all
    std::vector<Term> nexts;  ///< by state; null for states without next. Only meant under `condition`.
  };
  Term bad;          ///< of the system's first
  Term constraints;  ///< of all
  std::vector<Edge> edges;
  bool is_at_rest = false;  ///< no state changes, whatever the inputs
};

/// The steps of a system by the value of its control state. Makes terms in the system's store, which must outlive it.
class Locations {
 public:
  /// Chooses the control state: one with a constant initial value that takes few values and that divides the system,
  /// so that the steps in all values together are not much more than the system. There may be none.
  /// Single bits are only chosen if `may_be_bit`: few of them are a program counter.
  explicit Locations(System& system, bool may_be_bit = false);

  std::optional<std::size_t> state() const noexcept { return state_; }
  /// In a value of the control state; without one, where the value is not known or there is no control state.
  const LocationStep& step(const std::optional<BitVector>& value);

 private:
  struct Survey;
  std::optional<std::size_t> survey(std::size_t state, std::size_t limit);
  LocationStep make(const std::optional<BitVector>& value);
  LocationStep::Edge edge(const std::vector<Term>& nexts, std::optional<BitVector> target, Term condition);

  System& system_;
  bool may_be_bit_;
  std::optional<std::size_t> state_;
  std::map<std::optional<BitVector>, LocationStep> steps_;
};

/// The constants that the choices of a term end in, each once, and whether they end in something else as well; those of
/// a single bit are both, if `may_be_bit`. Stops at `limit` constants, with the rest being something else.
struct Leaves {
  std::vector<BitVector> constants;
  bool has_others = false;
};
Leaves leaves_of(const term::TermStore& store, Term t, std::size_t limit, bool may_be_bit = false);

}  // namespace plumb::prove
