#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lang/bip/flatten/context.h"
#include "lang/bip/flatten/define.h"

namespace plumb::bip::flat {

struct Connector;

/// A connector at work in an interaction.
struct Part {
  const Connector* connector = nullptr;
  const ConnectorInteraction* interaction = nullptr;  ///< null: without guard and data
  /// By port of the connector: the variables that its data stands for; empty for ports that do not take part.
  std::vector<std::vector<VariableId>> data;
};

/// One way to take part through a port: by a port of an atom, or by an interaction of a connector.
struct Offer {
  std::vector<Model::PortUse> ports;  ///< in the order of the connectors' ports
  std::vector<Part> parts;            ///< those inside first
  std::vector<VariableId> data;       ///< of the port
  std::vector<InteractionId> maximal_inside;
  PortSet positions;  ///< of an offer of a connector: which of its ports take part
};

struct Connector {
  const ConnectorDeclaration* declaration = nullptr;
  const ConnectorType* type = nullptr;
  std::string name;              ///< `left.c1`
  std::vector<VariableId> data;  ///< by position in the type's data
  std::vector<Offer> offers;     ///< its interactions
  enum class State : std::uint8_t { New, Busy, Done } state = State::New;
  bool is_used = false;      ///< its exported port is, by a connector of the same compound
  bool is_exported = false;  ///< its exported port is, by its compound
  /// The model has its interactions, offers[i] as number first + i. Others are only parts of those further out.
  InteractionId first = kNone;

  bool is_listed() const { return first != kNone; }
};

struct Compound;

/// A component of a compound.
struct Child {
  const ComponentDeclaration* declaration = nullptr;
  const AtomType* atom = nullptr;  ///< of an atom
  ComponentId component = kNone;   ///< of an atom
  std::vector<InteractionId> own;  ///< of an atom: the interactions of ports that are not exported
  std::unique_ptr<Compound> compound;
  std::map<std::string, bool> ports;  ///< by the names that are seen outside: whether somebody uses it
};

/// An instance of a compound type.
struct Compound {
  const CompoundType* type = nullptr;
  std::string name;  ///< `left`; empty for the top
  Constants parameters;
  std::vector<Child> children;
  std::vector<Connector> connectors;
  std::map<std::string, std::vector<Offer>> exports;  ///< by name: any of these

  Child* find_child(std::string_view wanted);
  Connector* find_connector(std::string_view wanted);
};

/// The tree of instances; atoms are added to the model with their variables. Throws UserError: values that do not fit;
/// Unsupported: far too many components.
Compound instantiate(Context& context, const CompoundType& type, Constants parameters);

/// The values of a type's parameters, of which `arguments` has as many. `outside`: parameters that the arguments may
/// speak of.
Constants bind_arguments(Context& context, const std::vector<Parameter>& parameters,
                         const std::vector<ExpressionPtr>& arguments, const Constants& outside);

}  // namespace plumb::bip::flat
