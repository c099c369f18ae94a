#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/ast.h"
#include "lang/bip/model.h"

namespace plumb::bip::flat {

/// The value of a parameter or of a constant of the package.
struct Constant {
  Type type = Type::Int;
  std::int64_t value = 0;
};
using Constants = std::map<std::string, Constant, std::less<>>;

/// What the parts of flattening share: the package, the model that grows, and the way to the user.
struct Context {
  const Package& package;
  Model& model;
  std::vector<Warning>& warnings;
  Constants constants = {};  ///< of the package

  SourceLocation location(Place place) const { return package.location(place); }
  [[noreturn]] void fail(Place place, const std::string& message, const std::string& hint) const;
  /// `unknown KIND 'NAME'`, with the nearest of the known ones or all of them as a hint.
  [[noreturn]] void fail_unknown(std::string_view kind, const Name& name, const std::vector<std::string>& known) const;
  /// Once for each place and message.
  void warn(Place place, const std::string& message);
};

/// The one of that name, or null: of types and other declarations that have a `name`.
template <typename Declarations>
const typename Declarations::value_type* find_named(const Declarations& declarations, std::string_view name) {
  for (const auto& declaration : declarations)
    if (declaration.name.text == name) return &declaration;
  return nullptr;
}

/// The position of the one of that name, which the checker has seen.
template <typename Declarations>
std::uint32_t position_of(const Declarations& declarations, std::string_view name) {
  const auto* found = find_named(declarations, name);
  INVARIANT(found != nullptr, "a name should be declared where it is used");
  return static_cast<std::uint32_t>(found - declarations.data());
}

template <typename Declarations>
std::vector<std::string> names_of(const Declarations& declarations) {
  std::vector<std::string> names;
  for (const auto& declaration : declarations) names.push_back(declaration.name.text);
  return names;
}

/// `left.timer`; the top compound has an empty name.
std::string qualified(std::string_view prefix, std::string_view name);

/// `'a', 'b' and 'c'`
std::string listed(const std::vector<std::string>& names);

}  // namespace plumb::bip::flat
