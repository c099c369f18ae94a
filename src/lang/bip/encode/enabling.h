#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "lang/bip/encode/symbolic.h"

namespace plumb::bip {

/// What may happen in a state as terms over its values: the wires of Listing 4.2 that come before the selector. The
/// counterpart of Run's questions. Terms are made once, when they are asked for. Store, model and base must outlive it.
class Enabling {
 public:
  /// `base`: as in Symbolic; variables of connectors are zero.
  Enabling(TermStore& store, const Model& model, std::span<const Term> base);

  const Symbolic& values() const noexcept { return values_; }
  /// Component `c` is in that place.
  Term at(ComponentId c, std::uint32_t place) const;
  /// The place and the guard of a transition.
  Term transition(ComponentId c, std::uint32_t t) const { return transitions_[c][t]; }
  Term port(const Model::PortUse& use) const { return ports_[use.component][use.port]; }
  /// No internal transition is enabled.
  Term stable() const noexcept { return stable_; }

  Term enabled(InteractionId interaction);
  /// Enabled, and nothing that it gives way to is.
  Term maximal(InteractionId interaction);
  /// Some executable interaction is maximal.
  Term some_maximal();
  /// The values of the components' variables that stages and `down` write.
  const std::map<VariableId, Term>& moved(InteractionId interaction);

 private:
  struct Interaction {
    Term enabled;
    Term maximal;
    std::map<VariableId, Term> moved;
    std::vector<const Model::Priority*> gives_way;
  };

  void make_ports();
  void prepare(InteractionId interaction);
  /// Every enabled interaction gives way to a maximal one or is maximal itself.
  bool priorities_are_harmless() const;

  TermStore& store_;
  const Model& model_;
  std::span<const Term> base_;
  Symbolic values_;
  std::vector<std::vector<Term>> transitions_;  ///< by component
  std::vector<std::vector<Term>> ports_;        ///< by component
  Term stable_;
  std::vector<Interaction> interactions_;
};

}  // namespace plumb::bip
