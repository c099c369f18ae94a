#include "lang/bip/property/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/spelling.h"

namespace plumb::bip {

namespace {

constexpr std::size_t kListed = 8;  // names in a hint

std::string hint_of(std::string_view word, const std::vector<std::string>& names, std::string_view what) {
  if (const std::string_view near = nearest_name(word, names); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  if (names.empty()) return {};
  const std::span<const std::string> listed(names.data(), std::min(names.size(), kListed));
  return fmt::format("{}: {}{}", what, fmt::join(listed, ", "), names.size() > kListed ? ", …" : "");
}

std::vector<std::string> component_names(const Model& model) {
  std::vector<std::string> names;
  for (const Model::Component& component : model.components) names.push_back(component.name);
  return names;
}

std::vector<std::string> type_names(const Model& model) {
  std::set<std::string> names;
  for (const Model::Component& component : model.components) names.insert(component.type);
  return {names.begin(), names.end()};
}

/// `t` of `left.timer.t`.
std::string member_name(const Model& model, VariableId variable) {
  const Model::Variable& found = model.variables[variable];
  return found.name.substr(model.components[found.component].name.size() + 1);
}

std::string text_of(std::span<const Token> parts) {
  std::string text;
  for (const Token& part : parts) text += fmt::format("{}{}", text.empty() ? "" : ".", part.text);
  return text;
}

[[noreturn]] void fail_member(const Model& model, ComponentId id, const Token& member, const Tokens& tokens) {
  const Model::Component& component = model.components[id];
  const auto has_name = [&](const auto& thing) { return thing.name == member.text; };
  if (std::ranges::any_of(component.ports, has_name))
    tokens.fail(member.place, fmt::format("'{}' is a port of component '{}'", member.text, component.name),
                "properties are about variables and places");
  if (std::ranges::find(component.places, member.text) != component.places.end())
    tokens.fail(member.place, fmt::format("'{}' is a place of component '{}'", member.text, component.name),
                fmt::format("write '{}.place == {}'", component.name, member.text));
  std::vector<std::string> names;
  for (const VariableId variable : component.variables) names.push_back(member_name(model, variable));
  names.emplace_back("place");
  tokens.fail(member.place, fmt::format("component '{}' has no variable '{}'", component.name, member.text),
              hint_of(member.text, names, "it has"));
}

[[noreturn]] void fail_component(const Model& model, const Path& path, const Tokens& tokens) {
  const std::string owner = text_of(std::span(path).first(path.size() - 1));
  const auto is_inside = [](std::string_view name, const std::string& compound) {
    return name.size() > compound.size() && name.starts_with(compound) && name[compound.size()] == '.';
  };
  std::vector<std::string> inside;
  for (const std::string& name : component_names(model))
    if (is_inside(name, owner)) inside.push_back(name);
  if (!inside.empty())
    tokens.fail(path.front().place, fmt::format("'{}' is a compound, which has no variables of its own", owner),
                hint_of(fmt::format("{}.{}", owner, path.back().text), inside, "components in it"));
  tokens.fail(path.front().place, fmt::format("there is no component '{}'", owner),
              hint_of(owner, component_names(model), "components"));
}

}  // namespace

VariableId number_of(const Model& model, const Reference& reference) {
  const auto variables = static_cast<std::uint32_t>(model.variables.size());
  const auto components = static_cast<std::uint32_t>(model.components.size());
  switch (reference.kind) {
    case Reference::Kind::Variable:
      return reference.id;
    case Reference::Kind::Place:
      return variables + reference.id;
    case Reference::Kind::Component:
      return variables + components + reference.id;
    case Reference::Kind::Constant:
      return variables + 2 * components + reference.id;
    case Reference::Kind::Unknown:
      break;
  }
  return kNone;
}

Reference reference_of(const Model& model, const Expression& expression) {
  using enum Reference::Kind;
  if (expression.kind != Expression::Kind::Name || expression.variable == kNone) return {};
  const auto variables = static_cast<std::uint32_t>(model.variables.size());
  const auto components = static_cast<std::uint32_t>(model.components.size());
  if (expression.variable < variables) return {Variable, expression.variable};
  const std::uint32_t behind = expression.variable - variables;
  if (behind < components) return {Place, behind};
  return behind < 2 * components ? Reference{Component, behind - components}
                                 : Reference{Constant, behind - 2 * components};
}

Reference resolve_in(const Model& model, ComponentId component, const Path& path, const Tokens& tokens) {
  using enum Reference::Kind;
  if (path.size() == 1) return {Component, component};
  if (path.size() > 2) fail_member(model, component, path[1], tokens);
  const std::string_view member = path[1].text;
  if (member == "place") return {Place, component};
  for (const VariableId variable : model.components[component].variables)
    if (member_name(model, variable) == member) return {Variable, variable};
  fail_member(model, component, path[1], tokens);
}

Reference resolve(const Model& model, const Path& path, const Tokens& tokens) {
  if (const auto whole = model.find_component(text_of(path))) return {Reference::Kind::Component, *whole};
  if (path.size() == 1) {
    const auto found = std::ranges::find(model.constants, path.front().text, &Model::Constant::name);
    if (found == model.constants.end()) return {};
    return {Reference::Kind::Constant, static_cast<std::uint32_t>(found - model.constants.begin())};
  }
  const auto owner = model.find_component(text_of(std::span(path).first(path.size() - 1)));
  if (!owner) {
    // `timer.t.x`: the component is right and what follows is too much.
    for (std::size_t size = path.size() - 2; size > 0; --size)
      if (const auto shorter = model.find_component(text_of(std::span(path).first(size))))
        fail_member(model, *shorter, path[size], tokens);
    fail_component(model, path, tokens);
  }
  return resolve_in(model, *owner, {path.front(), path.back()}, tokens);
}

void fail_unknown(const Model& model, const std::string& name, Place place, const Tokens& tokens) {
  const std::string message = fmt::format("unknown name '{}'", name);
  for (const Model::Component& component : model.components) {
    if (std::ranges::find(component.places, name) != component.places.end())
      tokens.fail(place, fmt::format("'{}' is a place, which can only be compared with that of a component", name),
                  fmt::format("write '{}.place == {}'", component.name, name));
    for (const VariableId variable : component.variables)
      if (member_name(model, variable) == name)
        tokens.fail(place, message, fmt::format("did you mean '{}'?", model.variables[variable].name));
  }
  std::vector<std::string> known = component_names(model);
  for (const Model::Constant& constant : model.constants) known.push_back(constant.name);
  for (const Model::Variable& variable : model.variables)
    if (variable.component != kNone) known.push_back(variable.name);
  tokens.fail(place, message, hint_of(name, known, "components, constants and variables"));
}

void fail_place(const Model& model, ComponentId id, const std::string& name, Place place, const Tokens& tokens) {
  const Model::Component& component = model.components[id];
  tokens.fail(place, fmt::format("component '{}' has no place '{}'", component.name, name),
              hint_of(name, component.places, "its places"));
}

bool fits(std::string_view pattern, std::string_view name) {
  // Where the last * took up to now; a mismatch behind it makes it take one letter more.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<ComponentId> family(const Model& model, std::string_view pattern, Place place, const Tokens& tokens) {
  std::vector<ComponentId> members;
  const auto collect = [&](auto is_member) {
    for (ComponentId id = 0; id < model.components.size(); ++id)
      if (is_member(model.components[id])) members.push_back(id);
  };
  collect([&](const Model::Component& component) { return component.type == pattern; });
  if (members.empty()) collect([&](const Model::Component& component) { return fits(pattern, component.name); });
  if (!members.empty()) return members;
  const bool is_pattern = pattern.find_first_of("*?") != std::string_view::npos;
  if (is_pattern)
    tokens.fail(place, fmt::format("no component's name fits '{}'", pattern),
                hint_of(pattern, component_names(model), "components"));
  std::vector<std::string> names = type_names(model);
  std::ranges::move(component_names(model), std::back_inserter(names));
  tokens.fail(place, fmt::format("there is no atom of type '{}' and no component of that name", pattern),
              hint_of(pattern, names, "types and components"));
}

}  // namespace plumb::bip
