#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "prove/locations.h"
#include "term/substitution.h"

namespace plumb::prove {

/// A system as places, the values that its control state can take, and ways between them: what is believed of the
/// registers is said place by place. A system without a control state, or with one that takes values that nobody can
/// list, is one place. Terms are in the system's store.
class ControlMap {
 public:
  struct Place {
    std::optional<BitVector> value;  ///< of the control state
    Term bad;                        ///< of the system's first
    Term constraints;                ///< of all
    bool is_at_rest = false;         ///< nothing changes any more
    /// By state: what is to come may depend on its value here.
    std::vector<bool> is_live;
  };
  struct Way {
    std::size_t from = 0;
    std::size_t to = 0;
    Term condition;
    /// By state, under the condition. Where nothing says what the value is, a variable of the way's own.
    std::vector<Term> nexts;
    /// By input: variables that stand for those of the step behind the way.
    std::vector<Term> inputs;
  };

  explicit ControlMap(System& system);

  /// Of the control state, if there is one.
  std::optional<std::size_t> state() const noexcept { return state_; }
  /// The first is where runs start.
  const std::vector<Place>& places() const noexcept { return places_; }
  const std::vector<Way>& ways() const noexcept { return ways_; }
  /// The place of a run whose control state has this value; nothing for a value that it never takes.
  std::optional<std::size_t> place_of(const BitVector& control) const;
  /// What is said of the registers at a place, as a term of the whole system.
  Term at(std::size_t place, Term t) const;
  /// The control state has one of the values that it can take.
  Term within(const std::vector<bool>& is_reached) const;
  /// Terms behind a way, over the registers and inputs before it.
  term::Substitution behind(const Way& way) const;

 private:
  bool explore(Locations& locations);
  void be_one_place(Locations& locations);
  void add_way(std::size_t from, std::size_t to, const LocationStep::Edge& edge);
  void find_live();

  System& system_;
  std::optional<std::size_t> state_;
  std::vector<Place> places_;
  std::vector<Way> ways_;
};

}  // namespace plumb::prove
