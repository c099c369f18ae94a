#include "lang/bip/flatten/atom.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/bip/flatten/bind.h"
#include "lang/bip/flatten/priority.h"

namespace plumb::bip::flat {

namespace {

/// Makes one component.
class AtomBuilder {
 public:
  AtomBuilder(Context& context, const AtomType& type, const Constants& parameters)
      : context_(context), type_(type), parameters_(parameters) {
    scope_ = [this](const Expression& name) { return find(name); };
  }

  ComponentId build(const std::string& name, Place place) {
    id_ = static_cast<ComponentId>(context_.model.components.size());
    component_.name = name;
    component_.type = type_.name.text;
    component_.place = place;
    add_variables();
    for (const PortDeclaration& port : type_.ports) add_port(port);
    for (const Name& state : type_.places) component_.places.push_back(state.text);
    component_.initial_place = place_of(type_.initial_place);
    std::ranges::move(bind_block(context_, type_.initial_action, scope_),
                      std::back_inserter(component_.initial_action));
    for (const Transition& transition : type_.transitions) add_transition(transition);
    component_.priorities = port_priorities(context_, type_, name, scope_);
    context_.model.components.push_back(std::move(component_));
    return id_;
  }

 private:
  Binding find(const Expression& name) const {
    const DataDeclaration* data = find_named(type_.data, name.name);
    return data ? Binding{data->type, variable_of(name.name)} : find_constant(context_, parameters_, name);
  }

  VariableId variable_of(std::string_view data) const { return component_.variables[position_of(type_.data, data)]; }

  /// Values of declarations are assigned before the initial action.
  void add_variables() {
    const Scope constants = [this](const Expression& name) { return find_constant(context_, parameters_, name); };
    for (const DataDeclaration& data : type_.data) {
      const auto id = static_cast<VariableId>(context_.model.variables.size());
      context_.model.variables.push_back({qualified(component_.name, data.name.text), data.type, data.name.place, id_});
      component_.variables.push_back(id);
      if (!data.init) continue;
      const std::string what = fmt::format("the initial value of '{}'", data.name.text);
      const Constant value = bind_constant(context_, *data.init, what, constants);
      component_.initial_action.push_back(assignment(data.name, {data.type, id}, value));
    }
  }

  void add_port(const PortDeclaration& declaration) {
    Model::Port port{declaration.name.text, declaration.name.place, {}, declaration.is_exported};
    for (const Name& data : declaration.data) port.data.push_back(variable_of(data.text));
    component_.ports.push_back(std::move(port));
  }

  std::uint32_t place_of(const Name& name) const {
    const auto it = std::ranges::find(component_.places, name.text);
    INVARIANT(it != component_.places.end(), "a place should be declared where it is used");
    return static_cast<std::uint32_t>(it - component_.places.begin());
  }

  void add_transition(const Transition& source) {
    Model::Transition transition;
    transition.place = source.place;
    transition.from = place_of(source.from);
    transition.to = place_of(source.to);
    if (source.port) transition.port = position_of(type_.ports, source.port->text);
    transition.guard = bind_condition(context_, source.guard, scope_);
    transition.action = bind_block(context_, source.action, scope_);
    component_.transitions.push_back(std::move(transition));
  }

  Context& context_;
  const AtomType& type_;
  const Constants& parameters_;
  ComponentId id_ = 0;
  Model::Component component_;
  Scope scope_;
};

}  // namespace

ComponentId add_atom(Context& context, const AtomType& type, const std::string& name, Place place,
                     const Constants& parameters) {
  return AtomBuilder(context, type, parameters).build(name, place);
}

}  // namespace plumb::bip::flat
