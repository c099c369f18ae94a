#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/bip/expression.h"

namespace plumb::bip {

using ComponentId = std::uint32_t;    ///< index into Model::components
using InteractionId = std::uint32_t;  ///< index into Model::interactions

/// A BIP system without hierarchy: atoms, the interactions between them, and which give way to which. Definitions 9 to
/// 15 of the BIP{I} paper, with what BIP 2 adds: internal transitions, priorities between the ports of an atom,
/// connectors of connectors. All names and parameters are bound.
struct Model {
  struct Variable {
    std::string name;  ///< `timer.t`; of a compound inside, `left.timer.t`; of a connector, `c1.tmp`
    Type type = Type::Int;
    Place place;
    ComponentId component = kNone;  ///< kNone for variables of connectors, which live during an interaction alone
  };

  struct Port {
    std::string name;  ///< inside the atom
    Place place;
    std::vector<VariableId> data;
    bool is_exported = false;
  };

  struct Transition {
    Place place;
    std::uint32_t port = kNone;  ///< index into Component::ports; kNone for internal ones
    std::uint32_t from = 0;      ///< index into Component::places
    std::uint32_t to = 0;
    ExpressionPtr guard;  ///< null for true
    Block action;
  };

  /// Enabled port `low` gives way to enabled port `high` where the condition holds. Transitively closed.
  struct PortPriority {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    ExpressionPtr condition;  ///< null for true
  };

  struct Component {
    std::string name;  ///< `timer`, `left.timer`
    std::string type;
    Place place;  ///< of its declaration
    std::vector<VariableId> variables;
    std::vector<Port> ports;
    std::vector<std::string> places;
    std::uint32_t initial_place = 0;
    /// Executed first, on variables that have any value (or zero, with Options::initialize_variables).
    Block initial_action;
    std::vector<Transition> transitions;  ///< in the order of the text
    std::vector<PortPriority> priorities;
  };

  struct PortUse {
    ComponentId component = 0;
    std::uint32_t port = 0;

    friend auto operator<=>(const PortUse&, const PortUse&) = default;
  };

  /// The part of a connector in an interaction: its guard is looked at, then its `up` is executed.
  struct Stage {
    ExpressionPtr guard;  ///< null for true
    Block up;             ///< writes variables of connectors alone
  };

  /// One way to synchronise ports. It is enabled in a state if every port is (see below), every guard holds as the
  /// stages are executed from first to last on variables of connectors that are zero before, and every interaction in
  /// `maximal_inside` is maximal. Firing it executes the stages, then `down`, then one enabled transition of every
  /// port, each on the values of its own component. Which transitions are enabled is decided before `down`.
  struct Interaction {
    std::string connector;                ///< `c1`, `left.c1`; of a port that is not exported, `timer.tick`
    std::string name;                     ///< `c1:timer.done,light.done`; unique
    Place place;                          ///< of the connector's declaration
    std::vector<PortUse> ports;           ///< sorted, at most one of each component
    std::vector<Stage> stages;            ///< those inside first
    Block down;                           ///< outermost connector first
    std::vector<VariableId> temporaries;  ///< variables of its connectors
    /// False for what only interactions of connectors further out are made of.
    bool is_executable = true;
    /// Interactions of connectors that a compound exports a port of: priorities of that compound apply to them first.
    /// Each has a smaller id than this one.
    std::vector<InteractionId> maximal_inside;
  };

  /// `low` gives way to `high` if that is enabled and the condition holds. Transitively closed over the rules of the
  /// file and maximal progress. Both belong to the same compound.
  struct Priority {
    InteractionId low = 0;
    InteractionId high = 0;
    ExpressionPtr condition;  ///< null for true
    Place place;              ///< of a rule that it follows from; line 0 for maximal progress
  };

  /// A constant of the package.
  struct Constant {
    std::string name;
    Type type = Type::Int;
    std::int64_t value = 0;
  };

  std::string file;
  std::string text;  ///< of the file
  std::string name;  ///< of the package
  std::string top;   ///< the compound type that was instantiated, with its arguments
  std::uint32_t bits = 8;
  bool initialize_variables = false;
  std::vector<Constant> constants;
  std::vector<Variable> variables;  ///< of components first, in their order
  std::vector<Component> components;
  std::vector<Interaction> interactions;
  std::vector<Priority> priorities;
  /// Conditions each of which makes the priorities cyclic, so that which interaction is maximal makes no sense: that
  /// none of them ever holds is a property of its own ("acyclic priorities").
  std::vector<ExpressionPtr> priority_cycles;

  SourceLocation location(Place place) const { return {file, place.line, place.column}; }
  std::optional<ComponentId> find_component(std::string_view name) const;
  std::optional<VariableId> find_variable(std::string_view name) const;  ///< of components
  /// Variables of components; those behind are of connectors.
  std::size_t component_variables() const;
};

struct Warning {
  SourceLocation location;
  std::string message;
};

struct Options {
  std::uint32_t bits = 8;             ///< of an int, signed; 2 to 62
  bool initialize_variables = false;  ///< data that no initial action sets is zero instead of any value
  /// `Name` or `Name(1, true)`: the compound type to take. By default the only one that no other contains; of several,
  /// the last.
  std::string top;
};

/// Reads, checks and flattens. Throws UserError with place and remedy for what is wrong, Unsupported for constructs of
/// BIP 2 that are not read (Petri nets, floats, external functions, …).
Model read_model(std::string_view text, const std::string& file, const Options& options,
                 std::vector<Warning>& warnings);

}  // namespace plumb::bip
