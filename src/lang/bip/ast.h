#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/bip/expression.h"

namespace plumb::bip {

/// A name in the file with its place.
struct Name {
  std::string text;  ///< with dots for members: `timer.done`
  Place place;
};

struct Parameter {
  Type type = Type::Int;
  Name name;
};

struct PortType {
  Name name;
  std::vector<Parameter> data;
};

/// Of atoms and of connectors.
struct DataDeclaration {
  Type type = Type::Int;
  Name name;
  ExpressionPtr init;  ///< null (always for connectors), or a constant expression over parameters and constants
  bool is_exported = false;
};

struct PortDeclaration {
  Name type;
  Name name;
  std::vector<Name> data;  ///< variables of the atom, one for each of the type's
  bool is_exported = false;
  std::string exported_as;  ///< its name outside; several ports with one such name are merged
};

struct Transition {
  Place place;
  std::optional<Name> port;  ///< nothing for internal ones
  Name from;
  Name to;
  ExpressionPtr guard;  ///< null for true
  Block action;
};

/// Between ports of an atom: `low` gives way to `high` where the guard is true. A null name stands for `*`: all ports
/// but those of the other side.
struct AtomPriority {
  Name name;
  std::optional<Name> low;
  std::optional<Name> high;
  ExpressionPtr guard;
};

struct AtomType {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<DataDeclaration> data;
  std::vector<PortDeclaration> ports;
  std::vector<Name> places;
  Name initial_place;
  Block initial_action;
  std::vector<Transition> transitions;  ///< in the order of the text
  std::vector<AtomPriority> priorities;
};

/// What `define` says: a port, or a group of such; a quote makes it a trigger.
struct PortExpression {
  std::optional<Name> port;  ///< nothing for a group
  std::vector<PortExpression> group;
  bool is_trigger = false;
};

struct ConnectorInteraction {
  Place place;
  std::vector<Name> ports;
  ExpressionPtr guard;  ///< null for true
  Block up;
  Block down;
};

struct ConnectorType {
  Name name;
  struct PortParameter {
    Name type;
    Name name;
  };
  std::vector<PortParameter> ports;
  std::vector<DataDeclaration> data;
  std::optional<PortDeclaration> exported;
  PortExpression define;                           ///< a group
  std::vector<ConnectorInteraction> interactions;  ///< those that `on` speaks of; others of `define` are without data
};

/// One side of a priority rule of a compound: `c1:a.p,b.q`, `c1:*` or `*:*`.
struct InteractionPattern {
  Place place;
  std::optional<Name> connector;           ///< nothing for *
  std::optional<std::vector<Name>> ports;  ///< nothing for *
};

struct CompoundPriority {
  Name name;
  InteractionPattern low;
  InteractionPattern high;
  ExpressionPtr guard;  ///< over exported data of components (`b.free == 0`); null for true
};

struct ComponentDeclaration {
  Name type;
  Name name;
  std::vector<ExpressionPtr> arguments;
};

struct ConnectorDeclaration {
  Name type;
  Name name;
  std::vector<Name> ports;  ///< `timer.done`, or `c1.exp` of another connector
};

/// `export port c.exp, a.r as s`, `export data a.x as y`.
struct Export {
  std::vector<Name> inner;
  Name name;
};

struct CompoundType {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<ComponentDeclaration> components;
  std::vector<ConnectorDeclaration> connectors;
  std::vector<CompoundPriority> priorities;
  std::vector<Export> port_exports;
  std::vector<Export> data_exports;
};

/// A parsed and checked package.
struct Package {
  std::string file;
  std::string text;
  Name name;
  std::vector<DataDeclaration> constants;  ///< `const data int N = 4`
  std::vector<PortType> port_types;
  std::vector<AtomType> atom_types;
  std::vector<ConnectorType> connector_types;
  std::vector<CompoundType> compound_types;

  SourceLocation location(Place place) const { return {file, place.line, place.column}; }
};

}  // namespace plumb::bip
