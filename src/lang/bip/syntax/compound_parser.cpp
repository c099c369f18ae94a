#include <fmt/format.h>

#include "lang/bip/syntax/package_parser.h"

namespace plumb::bip {

void PackageParser::compound_type() {
  tokens_.expect("compound");
  tokens_.expect("type");
  CompoundType compound;
  compound.name = statements_.simple_name("a compound type");
  compound.parameters = parameters();
  while (!is_ended("compound type", compound.name)) compound_item(compound);
  package_.compound_types.push_back(std::move(compound));
}

void PackageParser::compound_item(CompoundType& compound) {
  if (tokens_.is("component")) return components(compound);
  if (tokens_.is("connector")) return connectors(compound);
  if (tokens_.is("priority")) return compound_priority(compound);
  if (tokens_.is("export")) return exports(compound);
  fail_item("compound type", compound.name);
}

void PackageParser::components(CompoundType& compound) {
  tokens_.expect("component");
  const Name type = type_name("an atom or compound type");
  do {
    ComponentDeclaration component;
    component.type = type;
    component.name = statements_.simple_name("a component");
    component.arguments = arguments(component.name);
    compound.components.push_back(std::move(component));
  } while (tokens_.accept(","));
}

std::vector<ExpressionPtr> PackageParser::arguments(const Name& component) {
  std::vector<ExpressionPtr> result;
  tokens_.expect("(", fmt::format("behind component '{}'", component.text), "without arguments, write '()'");
  if (tokens_.accept(")")) return result;
  do result.push_back(statements_.expression());
  while (tokens_.accept(","));
  tokens_.expect(")", "to close the arguments");
  return result;
}

void PackageParser::connectors(CompoundType& compound) {
  tokens_.expect("connector");
  const Name type = type_name("a connector type");
  do {
    ConnectorDeclaration connector;
    connector.type = type;
    connector.name = statements_.simple_name("a connector");
    tokens_.expect("(", fmt::format("behind connector '{}'", connector.name.text));
    do connector.ports.push_back(statements_.dotted_name("a port"));
    while (tokens_.accept(","));
    tokens_.expect(")", "to close the ports");
    compound.connectors.push_back(std::move(connector));
  } while (tokens_.accept(","));
}

void PackageParser::compound_priority(CompoundType& compound) {
  tokens_.expect("priority");
  if (tokens_.peek(1).is(":")) tokens_.fail_expected("the name of the priority", "'priority NAME c1:… < c2:…'");
  CompoundPriority priority;
  priority.name = statements_.simple_name("a priority");
  if (tokens_.accept("provided")) priority.guard = statements_.guard();
  priority.low = pattern();
  tokens_.expect("<", "in the priority", "'priority NAME LOW < HIGH': what gives way is on the left");
  priority.high = pattern();
  if (!priority.low.connector && !priority.high.connector)
    tokens_.fail(priority.low.place, "'*:*' stands on both sides of the priority", "name a connector on one side");
  optional_guard(priority.guard);
  compound.priorities.push_back(std::move(priority));
}

InteractionPattern PackageParser::pattern() {
  InteractionPattern result;
  result.place = tokens_.peek().place;
  constexpr std::string_view kForms = "'CONNECTOR:a.p,b.q', 'CONNECTOR:*' or '*:*'";
  if (!tokens_.accept("*")) result.connector = statements_.simple_name("a connector");
  tokens_.expect(":", "in the interaction", std::string(kForms));
  if (tokens_.accept("*")) return result;
  if (!result.connector) tokens_.fail_expected("'*' behind '*:'", std::string(kForms));
  result.ports.emplace();
  do result.ports->push_back(statements_.dotted_name("a port"));
  while (tokens_.accept(","));
  return result;
}

void PackageParser::exports(CompoundType& compound) {
  tokens_.expect("export");
  const bool is_port = tokens_.is("port");
  if (!is_port && !tokens_.is("data")) tokens_.fail_expected("'port' or 'data' behind 'export'");
  tokens_.next();
  Export result;
  do result.inner.push_back(statements_.dotted_name(is_port ? "a port" : "a variable"));
  while (is_port && tokens_.accept(","));
  tokens_.expect("as", "behind what is exported", "'export port c.p as q'");
  result.name = statements_.simple_name(is_port ? "the exported port" : "the exported variable");
  (is_port ? compound.port_exports : compound.data_exports).push_back(std::move(result));
}

}  // namespace plumb::bip
