#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/bip/property/property.h"
#include "system/system.h"
#include "system/trace.h"

namespace plumb::bip {

/// How the engine of BIP is made a circuit.
enum class Engine : std::uint8_t {
  /// Listing 4.1 of the paper: an interaction is selected and its data moved in one step, the transitions are executed
  /// in the next.
  TwoCycle,
  OneCycle,  ///< both at once: half as many steps
  /// As OneCycle, but interactions that do not touch each other's components or priorities may be fired together. What
  /// can be reached is the same. Not for bounded responses, which count interactions.
  Parallel,
};

/// A model as a system, with the way back. States are named as users know them: `timer.t`, `timer.place`; wires are
/// those of Listing 4.2: `ie[k]`, `ip[k]`, `is[k]`, `timer.tick.e`, `timer.tick.s`, with k counting executable
/// interactions as guides do. Places have annotations with their names. A property is looked at in visible states
/// alone: not between the two cycles, and not before internal transitions are done.
struct Encoding {
  system::System system;
  Engine engine = Engine::TwoCycle;
  /// By position in the properties that were given: the bad that is reached where it is violated.
  std::vector<std::size_t> bads;
  /// The bad that is reached where the premise of a contract or response holds: if that is impossible, the property
  /// holds vacuously.
  std::vector<std::optional<std::size_t>> covers;
  std::vector<std::size_t> places;  ///< by component: position of its state
  std::vector<std::size_t> values;  ///< by variable of a component: position of its state
  /// Holds in a step whose state is visible.
  system::Term visible;
  /// Holds in the second cycle of Engine::TwoCycle.
  system::Term second_cycle;
  /// By number of an executable interaction: holds in a visible step in which it is fired.
  std::vector<system::Term> fired;
  /// By component and transition: holds where it is chosen. Null where interaction and state leave no choice.
  std::vector<std::vector<system::Term>> chosen;
  /// By variable of a component: the state that starts with the value that the variable has before initial actions,
  /// if anything depends on it.
  std::vector<std::optional<std::size_t>> initial;
};

/// Throws Unsupported for a response with Engine::Parallel.
Encoding encode(const Model& model, const std::vector<Property>& properties, Engine engine);

/// What a trace of the system does in the model.
struct ModelTrace {
  std::vector<std::optional<std::int64_t>> initial;  ///< by VariableId, of free variables
  std::vector<Choice> choices;                       ///< until the step in which the trace ends
  /// By choice: the step of the system that it is fired in.
  std::vector<std::size_t> steps;
};

/// Follows a trace that reaches the bad of `properties[position]` and replays it by Run and Monitor. Throws
/// InternalError unless the model does the same and violates the property where the system does: then the encoding or
/// Run is wrong and nothing must be reported. Interactions that were fired together come one after the other.
ModelTrace to_model(const Model& model, const std::vector<Property>& properties, std::size_t position,
                    const Encoding& encoding, const system::Trace& trace);

}  // namespace plumb::bip
