#include "lang/bip/syntax/checker.h"

#include <fmt/format.h>

#include "lang/bip/syntax/check_context.h"

namespace plumb::bip {

namespace {

/// A constant's value may use those before it.
void check_constants(CheckContext& context) {
  for (const DataDeclaration& constant : context.package.constants) {
    check_types(*constant.init, constant.type, fmt::format("the value of '{}'", constant.name.text),
                context.constants.constant_lookup(), context.locate);
    context.constants.declare(Variable::Kind::Constant, constant.type, constant.name);
  }
}

void check_type_names(CheckContext& context) {
  const Package& package = context.package;
  Names port_types;
  Names connector_types;
  Names component_types;
  for (const PortType& type : package.port_types) {
    port_types.declare(package, "port type", type.name);
    context.port_types[type.name.text] = &type;
    Names data;
    for (const Parameter& parameter : type.data) data.declare(package, "data", parameter.name);
  }
  for (const ConnectorType& type : package.connector_types) {
    connector_types.declare(package, "connector type", type.name);
    context.connector_types[type.name.text] = &type;
  }
  for (const AtomType& type : package.atom_types) component_types.declare(package, "atom type", type.name);
  for (const CompoundType& type : package.compound_types) component_types.declare(package, "compound type", type.name);
}

}  // namespace

void check(Package& package, std::vector<Warning>& warnings) {
  CheckContext context(package, warnings);
  check_constants(context);
  check_type_names(context);
  for (AtomType& atom : package.atom_types) check_atom(context, atom);
  for (ConnectorType& connector : package.connector_types) check_connector(context, connector);
  check_compounds(context);
}

}  // namespace plumb::bip
