#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip {

/// A state of a model: Definition 13. Values of connectors' variables are zero between interactions.
struct State {
  std::vector<std::uint32_t> places;  ///< by component: index into Component::places
  Values values;                      ///< by variable

  friend bool operator==(const State&, const State&) = default;
};

/// What happens in a step: an interaction with a transition of each of its ports, or internal transitions.
struct Choice {
  InteractionId interaction = kNone;  ///< kNone: internal transitions
  /// A transition (index into Component::transitions) for each component that moves, sorted by component.
  std::vector<std::pair<ComponentId, std::uint32_t>> transitions;

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// A model on concrete values, as the definitions say it; slow and plain, for it is what all else is held against. The
/// model must outlive it.
class Run {
 public:
  /// `initial`: values by VariableId of variables that start with any value; what is missing is zero, and so is
  /// everything with Model::initialize_variables.
  explicit Run(const Model& model, const std::vector<std::optional<std::int64_t>>& initial = {});

  const State& state() const noexcept { return state_; }
  /// No component has an enabled internal transition. Otherwise those come first, and the state is not visible.
  bool is_stable() const;
  /// By component, the internal transitions that are enabled; empty if the state is stable.
  std::vector<std::vector<std::uint32_t>> internal_transitions() const;
  /// Port enabled: some transition of it is, and no port that it gives way to.
  bool is_enabled(const Model::PortUse& port) const;
  bool is_enabled(InteractionId interaction) const;
  /// Enabled, and nothing that it gives way to is.
  bool is_maximal(InteractionId interaction) const;
  /// Executable and maximal, in the order of their ids: what may be fired. Needs a stable state.
  std::vector<InteractionId> choices() const;
  /// The transitions of that component and port that are enabled, priorities between ports aside.
  std::vector<std::uint32_t> transitions(const Model::PortUse& port) const;
  /// The interaction with the first enabled transition of each port; the first internal transition of each component.
  Choice first_choice(InteractionId interaction) const;
  Choice first_internal_choice() const;
  /// Nothing can happen: stable and choices() is empty.
  bool is_deadlocked() const;
  /// Why a choice cannot be made here; empty if it can.
  std::string objection(const Choice& choice) const;
  /// Needs objection() to be empty (INVARIANT).
  void fire(const Choice& choice);
  /// A condition of Model::priority_cycles holds.
  bool has_priority_cycle() const;

 private:
  bool holds(const ExpressionPtr& condition, const Values& values) const;
  /// Of that component and port (kNone: internal ones), those whose place and guard allow it.
  std::vector<std::uint32_t> enabled_transitions(ComponentId component, std::uint32_t port) const;
  /// The values behind the stages; nothing if a guard does not hold.
  std::optional<Values> staged(const Model::Interaction& interaction) const;
  /// The first enabled interaction that it gives way to.
  std::optional<InteractionId> overruling(InteractionId interaction) const;
  std::string objection_to_internal(const Choice& choice) const;
  std::string objection_to_interaction(InteractionId interaction) const;
  std::string objection_to_transitions(const Choice& choice) const;
  void execute_transitions(const Choice& choice, Values& values);

  const Model& model_;
  std::vector<std::vector<std::uint32_t>> priorities_;  ///< by interaction that is low: indices into Model::priorities
  State state_;
};

/// The variables that may start with any value: unless the initial action of their component sets them before it reads
/// them, on every path. None with Model::initialize_variables. In the order of their ids.
std::vector<VariableId> free_variables(const Model& model);

}  // namespace plumb::bip
