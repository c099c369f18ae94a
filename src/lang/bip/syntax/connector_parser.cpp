#include <fmt/format.h>

#include "lang/bip/syntax/package_parser.h"

namespace plumb::bip {

void PackageParser::connector_type() {
  tokens_.expect("connector");
  tokens_.expect("type");
  ConnectorType connector;
  connector.name = statements_.simple_name("a connector type");
  tokens_.expect("(", "with the ports that it connects");
  do {
    ConnectorType::PortParameter port;
    port.type = type_name("a port type");
    port.name = statements_.simple_name("a port");
    connector.ports.push_back(std::move(port));
  } while (tokens_.accept(","));
  tokens_.expect(")", "to close the ports");
  while (!is_ended("connector type", connector.name)) connector_item(connector);
  if (connector.define.group.empty())
    tokens_.fail(connector.name.place, fmt::format("connector type '{}' has no 'define'", connector.name.text),
                 "say which ports interact: 'define a b', or 'define a' b' with a trigger");
  package_.connector_types.push_back(std::move(connector));
}

void PackageParser::connector_item(ConnectorType& connector) {
  const Token first = tokens_.peek();
  if (tokens_.is("data")) return data(connector.data, false);
  if (tokens_.is("define")) return define(connector);
  if (tokens_.is("on")) return interaction(connector);
  if (!tokens_.accept("export")) fail_item("connector type", connector.name);
  if (connector.exported)
    tokens_.fail(first.place, fmt::format("connector type '{}' has two exported ports", connector.name.text),
                 "a connector exports at most one port");
  std::vector<PortDeclaration> exported;
  ports(exported, true);
  if (exported.size() > 1)
    tokens_.fail(exported[1].name.place, fmt::format("connector type '{}' has two exported ports", connector.name.text),
                 "a connector exports at most one port");
  if (exported[0].exported_as != exported[0].name.text)
    tokens_.fail(exported[0].name.place, "the exported port of a connector has one name", "leave out 'as'");
  connector.exported = std::move(exported[0]);
}

void PackageParser::define(ConnectorType& connector) {
  const Token keyword = tokens_.expect("define");
  if (!connector.define.group.empty())
    tokens_.fail(keyword.place, fmt::format("connector type '{}' has two 'define'", connector.name.text), "leave one");
  groups_ = 0;
  connector.define = port_group();
}

PortExpression PackageParser::port_group() {
  if (++groups_ > kMaximalDepth)
    tokens_.fail(tokens_.peek().place,
                 fmt::format("groups of ports are nested more than {} levels deep", kMaximalDepth),
                 "leave out parentheses");
  PortExpression result;
  const auto begins_port = [this] {
    const Token& token = tokens_.peek();
    return token.is("(") || (token.kind == Token::Kind::Identifier && !is_keyword(token.text));
  };
  if (!begins_port()) tokens_.fail_expected("a port or a group of ports in parentheses");
  while (begins_port()) {
    PortExpression part;
    if (tokens_.accept("(")) {
      part = port_group();
      tokens_.expect(")", "to close the group of ports");
    } else {
      part.port = statements_.simple_name("a port");
    }
    part.is_trigger = tokens_.accept("'");
    result.group.push_back(std::move(part));
  }
  --groups_;
  return result;
}

void PackageParser::interaction(ConnectorType& connector) {
  ConnectorInteraction interaction;
  interaction.place = tokens_.expect("on").place;
  do {
    interaction.ports.push_back(statements_.simple_name("a port"));
    if (tokens_.is("'"))
      tokens_.fail(tokens_.peek().place, "which port is a trigger is said by 'define'", "leave out the quote");
    tokens_.accept(",");
  } while (tokens_.peek().kind == Token::Kind::Identifier && !is_keyword(tokens_.peek().text));
  if (tokens_.accept("provided")) interaction.guard = statements_.guard();
  if (tokens_.accept("up")) interaction.up = statements_.braced_block();
  if (tokens_.accept("down")) interaction.down = statements_.braced_block();
  const Token& token = tokens_.peek();
  if (token.is("provided") || token.is("up") || token.is("down"))
    tokens_.fail(token.place, fmt::format("'{}' is out of order", token.text),
                 "write 'on … provided (…) up {…} down {…}', each at most once");
  if (token.is("do"))
    tokens_.fail(token.place, "'do' is for transitions", "interactions move data with 'up {…}' and 'down {…}'");
  connector.interactions.push_back(std::move(interaction));
}

}  // namespace plumb::bip
