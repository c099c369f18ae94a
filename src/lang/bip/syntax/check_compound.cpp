#include <fmt/format.h>

#include <algorithm>

#include "lang/bip/syntax/check_context.h"

namespace plumb::bip {

namespace {

/// Who contains whom, by index, for finding circles without recursion.
struct Containment {
  std::vector<std::vector<std::size_t>> inner;

  explicit Containment(std::size_t size) : inner(size) {}

  /// Inner ones first; shorter than `inner` if there are circles, all of whose members are missing.
  std::vector<std::size_t> order() const {
    std::vector<std::vector<std::size_t>> outer(inner.size());
    std::vector<std::size_t> waiting(inner.size());
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      waiting[i] = inner[i].size();
      if (inner[i].empty()) result.push_back(i);
      for (const std::size_t j : inner[i]) outer[j].push_back(i);
    }
    for (std::size_t done = 0; done < result.size(); ++done)
      for (const std::size_t i : outer[result[done]])
        if (--waiting[i] == 0) result.push_back(i);
    return result;
  }

  /// One that contains itself. Needs an order() that is too short.
  std::size_t member_of_circle(const std::vector<std::size_t>& order) const {
    std::vector<bool> is_ordered(inner.size());
    for (const std::size_t i : order) is_ordered[i] = true;
    const auto is_left = [&](std::size_t i) { return !is_ordered[i]; };
    std::size_t current = 0;
    while (is_ordered[current]) ++current;
    // What is left contains something that is left, so the walk comes to a circle, and then goes round in it.
    for (std::size_t step = 0; step < inner.size(); ++step) current = *std::ranges::find_if(inner[current], is_left);
    return current;
  }
};

std::string_view plural(std::size_t count) { return count == 1 ? "" : "s"; }

class CompoundChecker {
 public:
  CompoundChecker(CheckContext& context, CompoundType& compound)
      : context_(context), compound_(compound), scope_(context.constants) {}

  void check() {
    scope_.declare(compound_.parameters);
    if (compound_.components.empty())
      context_.fail(compound_.name.place, fmt::format("compound type '{}' has no components", compound_.name.text),
                    "'component TYPE NAME()'");
    for (ComponentDeclaration& component : compound_.components) check_component(component);
    for (const ConnectorDeclaration& connector : compound_.connectors) declare_connector(connector);
    for (const ConnectorDeclaration& connector : compound_.connectors) check_connector(connector);
    check_circles();
    check_priorities();
    fill_interface();
  }

 private:
  void check_component(ComponentDeclaration& component) {
    names_.declare(context_.package, "component", component.name);
    const Interface& interface = context_.interfaces.at(component.type.text);
    components_[component.name.text] = &interface;
    const std::vector<Parameter>& parameters = *interface.parameters;
    if (component.arguments.size() != parameters.size())
      context_.fail(component.name.place,
                    fmt::format("component '{}' has {} argument{}, but its type '{}' has {} parameter{}",
                                component.name.text, component.arguments.size(), plural(component.arguments.size()),
                                component.type.text, parameters.size(), plural(parameters.size())),
                    "give a value to each parameter");
    for (std::size_t i = 0; i < parameters.size(); ++i)
      check_types(*component.arguments[i], parameters[i].type,
                  fmt::format("the value of parameter '{}'", parameters[i].name.text), scope_.constant_lookup(),
                  context_.locate);
  }

  void declare_connector(const ConnectorDeclaration& connector) {
    names_.declare(context_.package, "connector", connector.name);
    const auto found = context_.connector_types.find(connector.type.text);
    if (found == context_.connector_types.end()) {
      std::vector<std::string_view> names;
      for (const ConnectorType& type : context_.package.connector_types) names.push_back(type.name.text);
      context_.fail_unknown("connector type", connector.type, names);
    }
    connectors_[connector.name.text] = found->second;
  }

  void check_connector(const ConnectorDeclaration& connector) {
    const ConnectorType& type = *connectors_.at(connector.name.text);
    if (connector.ports.size() != type.ports.size())
      context_.fail(
          connector.name.place,
          fmt::format("connector '{}' has {} port{}, but its type '{}' has {}", connector.name.text,
                      connector.ports.size(), plural(connector.ports.size()), type.name.text, type.ports.size()),
          "give a port to each parameter");
    for (std::size_t i = 0; i < type.ports.size(); ++i) {
      const std::string& port_type = port_type_of(connector.ports[i]);
      if (port_type != type.ports[i].type.text)
        context_.fail(connector.ports[i].place,
                      fmt::format("port '{}' is of type '{}', but port '{}' of connector type '{}' is of type '{}'",
                                  connector.ports[i].text, port_type, type.ports[i].name.text, type.name.text,
                                  type.ports[i].type.text),
                      "connect ports of the same type");
    }
  }

  /// The port type of `component.port` or `connector.port`. Throws UserError.
  const std::string& port_type_of(const Name& name) const {
    const auto [owner, member] = split(name, "port");
    if (const auto connector = connectors_.find(owner.text); connector != connectors_.end()) {
      const ConnectorType& type = *connector->second;
      if (type.exported && type.exported->name.text == member.text) return type.exported->type.text;
      std::vector<std::string_view> names;
      if (type.exported) names.push_back(type.exported->name.text);
      context_.fail_unknown("exported port", member, names, fmt::format(" of connector '{}'", owner.text));
    }
    const Interface& interface = component(owner);
    if (const auto found = interface.ports.find(member.text); found != interface.ports.end()) return found->second;
    fail_member("port", owner, member, interface, interface.ports);
  }

  Type data_type_of(const Name& name) const {
    const auto [owner, member] = split(name, "variable");
    const Interface& interface = component(owner);
    if (const auto found = interface.data.find(member.text); found != interface.data.end()) return found->second;
    fail_member("variable", owner, member, interface, interface.data);
  }

  std::pair<Name, Name> split(const Name& name, std::string_view what) const {
    const std::size_t dot = name.text.find('.');
    if (dot == std::string::npos || name.text.find('.', dot + 1) != std::string::npos)
      context_.fail(name.place, fmt::format("'{}' names no {} of a component", name.text, what),
                    fmt::format("write 'COMPONENT.{}'; what is deeper inside, compounds export", what));
    const auto column = name.place.column + static_cast<std::uint32_t>(dot) + 1;
    return {Name{name.text.substr(0, dot), name.place}, Name{name.text.substr(dot + 1), {name.place.line, column}}};
  }

  const Interface& component(const Name& name) const {
    const auto found = components_.find(name.text);
    if (found == components_.end()) context_.fail_unknown("component", name, names_.all());
    return *found->second;
  }

  template <typename Members>
  [[noreturn]] void fail_member(std::string_view what, const Name& owner, const Name& member,
                                const Interface& interface, const Members& members) const {
    if (interface.hidden.contains(member.text))
      context_.fail(member.place,
                    fmt::format("{} '{}' of component '{}' is not exported", what, member.text, owner.text),
                    "write 'export' before its declaration");
    std::vector<std::string_view> names;
    for (const auto& [name, type] : members) names.push_back(name);
    context_.fail_unknown(fmt::format("exported {}", what), member, names,
                          fmt::format(" of component '{}'", owner.text));
  }

  /// Connectors that are inside each other through their exported ports.
  void check_circles() const {
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < compound_.connectors.size(); ++i) index[compound_.connectors[i].name.text] = i;
    Containment containment(compound_.connectors.size());
    for (std::size_t i = 0; i < compound_.connectors.size(); ++i)
      for (const Name& port : compound_.connectors[i].ports) {
        const auto inner = index.find(std::string_view(port.text).substr(0, port.text.find('.')));
        if (inner != index.end()) containment.inner[i].push_back(inner->second);
      }
    const auto order = containment.order();
    if (order.size() == compound_.connectors.size()) return;
    const Name& name = compound_.connectors[containment.member_of_circle(order)].name;
    context_.fail(name.place, fmt::format("connector '{}' connects itself", name.text),
                  "connectors of connectors must not form a circle");
  }

  void check_priorities() {
    Names names;
    const TypeOfName lookup = [this](Expression& name) -> std::optional<Type> {
      if (name.name.find('.') != std::string::npos) return data_type_of({name.name, name.place});
      return scope_.get(name).type;
    };
    for (const CompoundPriority& priority : compound_.priorities) {
      names.declare(context_.package, "priority", priority.name);
      check_pattern(priority.low);
      check_pattern(priority.high);
      context_.check_guard(priority.guard, lookup);
    }
  }

  void check_pattern(const InteractionPattern& pattern) const {
    if (!pattern.connector || connectors_.contains(pattern.connector->text)) return;
    std::vector<std::string_view> names;
    for (const ConnectorDeclaration& connector : compound_.connectors) names.push_back(connector.name.text);
    context_.fail_unknown("connector", *pattern.connector, names);
  }

  void fill_interface() {
    Interface& interface = context_.interfaces[compound_.name.text];
    interface.parameters = &compound_.parameters;
    for (const Export& exported : compound_.port_exports)
      for (const Name& inner : exported.inner) {
        const std::string& type = port_type_of(inner);
        const auto [first, is_new] = interface.ports.try_emplace(exported.name.text, type);
        if (!is_new && first->second != type)
          context_.fail(
              inner.place,
              fmt::format("ports of types '{}' and '{}' are merged into '{}'", first->second, type, exported.name.text),
              "merged ports have the same type");
      }
    Names names;
    for (const Export& exported : compound_.data_exports) {
      names.declare(context_.package, "exported variable", exported.name);
      interface.data[exported.name.text] = data_type_of(exported.inner[0]);
    }
  }

  CheckContext& context_;
  CompoundType& compound_;
  Scope scope_;
  Names names_;  ///< of components and connectors
  std::unordered_map<std::string, const Interface*> components_;
  std::unordered_map<std::string, const ConnectorType*> connectors_;
};

void check_component_type(const CheckContext& context, const Name& type,
                          const std::unordered_map<std::string_view, std::size_t>& compounds) {
  if (compounds.contains(type.text) || context.interfaces.contains(type.text)) return;
  std::vector<std::string_view> names;
  for (const AtomType& atom : context.package.atom_types) names.push_back(atom.name.text);
  for (const CompoundType& compound : context.package.compound_types) names.push_back(compound.name.text);
  context.fail_unknown("component type", type, names);
}

}  // namespace

void check_compounds(CheckContext& context) {
  std::vector<CompoundType>& compounds = context.package.compound_types;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < compounds.size(); ++i) index[compounds[i].name.text] = i;
  Containment containment(compounds.size());
  for (std::size_t i = 0; i < compounds.size(); ++i)
    for (const ComponentDeclaration& component : compounds[i].components) {
      check_component_type(context, component.type, index);
      if (const auto inner = index.find(component.type.text); inner != index.end())
        containment.inner[i].push_back(inner->second);
    }
  const auto order = containment.order();
  if (order.size() < compounds.size()) {
    const Name& name = compounds[containment.member_of_circle(order)].name;
    context.fail(name.place, fmt::format("compound type '{}' contains itself", name.text),
                 "a component cannot be inside a component of its own type");
  }
  for (const std::size_t i : order) CompoundChecker(context, compounds[i]).check();
}

}  // namespace plumb::bip
