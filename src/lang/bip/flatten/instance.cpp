#include "lang/bip/flatten/instance.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/bip/flatten/atom.h"
#include "lang/bip/flatten/bind.h"

namespace plumb::bip::flat {

namespace {

/// Instances of types that contain each other several times grow exponentially.
constexpr std::size_t kMaxComponents = 10'000;
constexpr std::size_t kMaxDepth = 200;

class Instantiation {
 public:
  explicit Instantiation(Context& context) : context_(context) {}

  Compound compound(const CompoundType& type, const std::string& name, Constants parameters) {
    if (depth_ == kMaxDepth)
      throw Unsupported(context_.location(type.name.place),
                        fmt::format("compounds nested more than {} deep", kMaxDepth), "put components side by side");
    ++depth_;
    Compound result;
    result.type = &type;
    result.name = name;
    result.parameters = std::move(parameters);
    for (const ComponentDeclaration& declaration : type.components)
      result.children.push_back(child(result, declaration));
    for (const ConnectorDeclaration& declaration : type.connectors) {
      Connector connector;
      connector.declaration = &declaration;
      connector.type = find_named(context_.package.connector_types, declaration.type.text);
      INVARIANT(connector.type != nullptr, "the type of a connector should be declared");
      connector.name = qualified(name, declaration.name.text);
      result.connectors.push_back(std::move(connector));
    }
    --depth_;
    return result;
  }

 private:
  Child child(const Compound& parent, const ComponentDeclaration& declaration) {
    if (++components_ > kMaxComponents)
      throw Unsupported(context_.location(declaration.name.place),
                        fmt::format("more than {} components", kMaxComponents), "take a smaller instance");
    Child result;
    result.declaration = &declaration;
    result.atom = find_named(context_.package.atom_types, declaration.type.text);
    const std::string name = qualified(parent.name, declaration.name.text);
    const auto arguments = [&](const std::vector<Parameter>& parameters) {
      return bind_arguments(context_, parameters, declaration.arguments, parent.parameters);
    };
    if (result.atom) {
      result.component =
          add_atom(context_, *result.atom, name, declaration.name.place, arguments(result.atom->parameters));
      for (const PortDeclaration& port : result.atom->ports)
        if (port.is_exported) result.ports.emplace(port.exported_as, false);
    } else {
      const CompoundType* type = find_named(context_.package.compound_types, declaration.type.text);
      INVARIANT(type != nullptr, "the type of a component should be declared");
      result.compound = std::make_unique<Compound>(compound(*type, name, arguments(type->parameters)));
      for (const Export& port : type->port_exports) result.ports.emplace(port.name.text, false);
    }
    return result;
  }

  Context& context_;
  std::size_t depth_ = 0;
  std::size_t components_ = 0;
};

}  // namespace

Child* Compound::find_child(std::string_view wanted) {
  const auto it = std::ranges::find(
      children, wanted, [](const Child& child) -> std::string_view { return child.declaration->name.text; });
  return it == children.end() ? nullptr : &*it;
}

Connector* Compound::find_connector(std::string_view wanted) {
  const auto it = std::ranges::find(connectors, wanted, [](const Connector& connector) -> std::string_view {
    return connector.declaration->name.text;
  });
  return it == connectors.end() ? nullptr : &*it;
}

Compound instantiate(Context& context, const CompoundType& type, Constants parameters) {
  return Instantiation(context).compound(type, "", std::move(parameters));
}

Constants bind_arguments(Context& context, const std::vector<Parameter>& parameters,
                         const std::vector<ExpressionPtr>& arguments, const Constants& outside) {
  INVARIANT(arguments.size() == parameters.size(), "each parameter should have a value");
  const Scope scope = [&](const Expression& name) { return find_constant(context, outside, name); };
  Constants result;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string what = fmt::format("the value of parameter '{}'", parameters[i].name.text);
    result[parameters[i].name.text] = bind_constant(context, *arguments[i], what, scope);
  }
  return result;
}

}  // namespace plumb::bip::flat
