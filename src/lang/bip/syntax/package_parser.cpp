#include "lang/bip/syntax/package_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/spelling.h"

namespace plumb::bip {

namespace {

/// Words with which real-time BIP goes beyond BIP 2.
constexpr auto kTimedWords = std::to_array<std::string_view>(
    {"clock", "delayable", "eager", "invariant", "lazy", "reset", "resume", "unit", "urgent", "when"});

constexpr auto kItems = std::to_array<std::string_view>({"component", "connector", "data", "define", "end", "export",
                                                         "initial", "internal", "on", "place", "port", "priority"});

}  // namespace

void PackageParser::parse() {
  skip_annotations();
  tokens_.expect("package", "at the beginning", "a model is 'package NAME … end'");
  package_.name = statements_.dotted_name("the package");
  for (skip_annotations(); !tokens_.is("end"); skip_annotations()) definition();
  tokens_.next();
  if (!tokens_.is_at_end())
    tokens_.fail_expected(fmt::format("nothing behind the 'end' of package '{}'", package_.name.text),
                          "is there an 'end' too many before it?");
}

void PackageParser::definition() {
  const Token& token = tokens_.peek();
  const Token& second = tokens_.peek(1);
  if (token.is("use"))
    throw Unsupported(tokens_.location(token.place),
                      fmt::format("use of other packages is not supported: '{}'", second.text),
                      "put the types into this package");
  if (token.is("extern"))
    throw Unsupported(tokens_.location(token.place),
                      fmt::format("external {}s are not supported", second.is("data")       ? "type"
                                                                    : second.is("operator") ? "operator"
                                                                                            : "function"),
                      "data is of type int or bool, and actions are written out");
  if (token.is("const")) return constants();
  if (tokens_.is_at_end()) tokens_.fail_expected(fmt::format("'end' of package '{}'", package_.name.text));
  if (second.is("type")) {
    if (token.is("port")) return port_type();
    if (token.is("atom")) return atom_type();
    if (token.is("connector")) return connector_type();
    if (token.is("compound")) return compound_type();
  }
  if (std::ranges::find(kItems, token.text) != kItems.end())
    tokens_.fail_expected("a definition", fmt::format("'{}' belongs into the definition of a type: is there an 'end' "
                                                      "too many before it?",
                                                      token.text));
  tokens_.fail_expected("a definition", "'port type', 'atom type', 'connector type', 'compound type' or 'const data'");
}

void PackageParser::constants() {
  tokens_.expect("const");
  tokens_.expect("data", "behind 'const'");
  const Type constant_type = type();
  do {
    DataDeclaration constant;
    constant.type = constant_type;
    constant.name = statements_.simple_name("a constant");
    tokens_.expect("=", fmt::format("behind constant '{}'", constant.name.text), "a constant has a value");
    constant.init = statements_.expression();
    package_.constants.push_back(std::move(constant));
  } while (tokens_.accept(","));
}

void PackageParser::port_type() {
  tokens_.expect("port");
  tokens_.expect("type");
  PortType result;
  result.name = statements_.simple_name("a port type");
  result.data = parameters();
  package_.port_types.push_back(std::move(result));
}

std::vector<Parameter> PackageParser::parameters() {
  std::vector<Parameter> result;
  tokens_.expect("(", "with the parameters of the type", "without parameters, write '()'");
  if (tokens_.accept(")")) return result;
  do {
    tokens_.accept("data");
    Parameter parameter;
    parameter.type = type();
    parameter.name = statements_.simple_name("a parameter");
    result.push_back(std::move(parameter));
  } while (tokens_.accept(","));
  tokens_.expect(")", "to close the parameters");
  return result;
}

Type PackageParser::type() {
  if (tokens_.accept("int")) return Type::Int;
  if (tokens_.accept("bool")) return Type::Bool;
  const Token& token = tokens_.peek();
  if (token.is("float") || token.is("string"))
    throw Unsupported(tokens_.location(token.place), fmt::format("type '{}' is not supported", token.text),
                      "use int or bool");
  if (token.kind == Token::Kind::Identifier && !is_keyword(token.text))
    tokens_.fail(token.place, fmt::format("unknown type '{}'", token.text), "data is of type int or bool");
  tokens_.fail_expected("a type", "int or bool");
}

Name PackageParser::type_name(std::string_view what) {
  Name name = statements_.dotted_name(what);
  const std::size_t dot = name.text.rfind('.');
  if (dot == std::string::npos) return name;
  if (name.text.substr(0, dot) != package_.name.text)
    throw Unsupported(tokens_.location(name.place),
                      fmt::format("types of other packages are not supported: '{}'", name.text),
                      "put the type into this package");
  name.text.erase(0, dot + 1);
  return name;
}

void PackageParser::data(std::vector<DataDeclaration>& declarations, bool is_exported) {
  tokens_.expect("data");
  const Type data_type = type();
  do {
    DataDeclaration declaration;
    declaration.type = data_type;
    declaration.is_exported = is_exported;
    declaration.name = statements_.simple_name("a variable");
    if (tokens_.accept("=")) declaration.init = statements_.expression();
    if (tokens_.is("["))
      throw Unsupported(tokens_.location(declaration.name.place),
                        fmt::format("arrays are not supported: '{}'", declaration.name.text),
                        "use a variable for each element");
    declarations.push_back(std::move(declaration));
  } while (tokens_.accept(","));
}

void PackageParser::ports(std::vector<PortDeclaration>& declarations, bool is_exported) {
  tokens_.expect("port");
  const Name port_type = type_name("a port type");
  const std::size_t first = declarations.size();
  do {
    PortDeclaration declaration;
    declaration.type = port_type;
    declaration.name = statements_.simple_name("a port");
    declaration.is_exported = is_exported;
    if (is_exported) declaration.exported_as = declaration.name.text;
    tokens_.expect("(", fmt::format("behind port '{}'", declaration.name.text), "without data, write '()'");
    if (!tokens_.is(")")) {
      do declaration.data.push_back(statements_.simple_name("a variable"));
      while (tokens_.accept(","));
    }
    tokens_.expect(")", "to close the variables of the port");
    declarations.push_back(std::move(declaration));
  } while (tokens_.accept(","));
  if (!tokens_.is("as")) return;
  if (!is_exported)
    tokens_.fail(tokens_.peek().place, "'as' names a port for outside, but this one is not exported",
                 "write 'export port …'");
  tokens_.next();
  const Name outside = statements_.simple_name("the exported port");
  for (std::size_t i = first; i < declarations.size(); ++i) declarations[i].exported_as = outside.text;
}

void PackageParser::skip_annotations() {
  while (tokens_.is("@")) {
    tokens_.next();
    if (tokens_.peek().kind != Token::Kind::Identifier) tokens_.fail_expected("the name of an annotation");
    tokens_.next();
    if (!tokens_.is("(")) continue;
    const Place begin = tokens_.next().place;
    for (std::size_t open = 1; open > 0;) {
      if (tokens_.is_at_end()) tokens_.fail(begin, "this annotation does not end", "close it with ')'");
      const Token& token = tokens_.next();
      if (token.is("(")) ++open;
      if (token.is(")")) --open;
    }
  }
}

bool PackageParser::is_ended(std::string_view kind, const Name& name) {
  skip_annotations();
  if (tokens_.accept("end")) return true;
  const Token& token = tokens_.peek();
  const bool is_definition = tokens_.peek(1).is("type") || token.is("const") || token.is("package");
  if (tokens_.is_at_end() || is_definition)
    tokens_.fail_expected(fmt::format("'end' of {} '{}'", kind, name.text),
                          fmt::format("the definition begins in line {}", name.place.line));
  return false;
}

void PackageParser::fail_item(std::string_view kind, const Name& name) {
  const Token& token = tokens_.peek();
  for (const std::string_view word : kTimedWords)
    if (token.is(word))
      throw Unsupported(tokens_.location(token.place),
                        fmt::format("'{}' of real-time BIP is not supported", token.text),
                        "count time in data of type int");
  const std::string_view near =
      token.kind == Token::Kind::Identifier ? nearest_name(token.text, kItems) : std::string_view{};
  tokens_.fail_expected(fmt::format("a declaration or 'end' in {} '{}'", kind, name.text),
                        near.empty() || near == token.text ? std::string{} : fmt::format("did you mean '{}'?", near));
}

}  // namespace plumb::bip
