#include "lang/bip/syntax/parser.h"

#include <fmt/format.h>

#include "lang/bip/syntax/checker.h"
#include "lang/bip/syntax/package_parser.h"
#include "lang/bip/syntax/types.h"

namespace plumb::bip {

namespace {

ComponentDeclaration read_top(Tokens& tokens, const Locate& locate) {
  StatementParser parser(tokens);
  ComponentDeclaration result;
  result.type = parser.simple_name("a compound type");
  result.name = result.type;
  if (tokens.accept("(") && !tokens.accept(")")) {
    const auto no_names = [&](Expression& name) -> std::optional<Type> {
      tokens.fail(name.place, fmt::format("'{}' is no value", name.name), "arguments are of numbers, true and false");
    };
    do {
      result.arguments.push_back(parser.expression());
      check_types(*result.arguments.back(), no_names, locate);
    } while (tokens.accept(","));
    tokens.expect(")", "to close the arguments");
  }
  if (!tokens.is_at_end()) tokens.fail_expected("nothing more");
  return result;
}

}  // namespace

Package parse_package(std::string_view text, const std::string& file, std::vector<Warning>& warnings) {
  Package package;
  package.file = file;
  package.text = std::string(text);
  Tokens tokens(package.text, file);
  PackageParser(tokens, package).parse();
  check(package, warnings);
  return package;
}

ComponentDeclaration parse_top(std::string_view text) {
  const Locate nowhere = [](Place) { return SourceLocation{}; };
  try {
    Tokens tokens(text, nowhere);
    return read_top(tokens, nowhere);
  } catch (const Unsupported& error) {
    throw Unsupported(fmt::format("in the top component '{}': {}", text, error.message()), error.hint());
  } catch (const UserError& error) {
    throw UserError(fmt::format("in the top component '{}': {}", text, error.message()), error.hint());
  }
}

}  // namespace plumb::bip
