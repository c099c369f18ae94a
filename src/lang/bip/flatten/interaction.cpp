#include "lang/bip/flatten/interaction.h"

#include <algorithm>
#include <iterator>

#include "lang/bip/flatten/bind.h"

namespace plumb::bip::flat {

namespace {

/// Names in a connector: `a.v` is the data `v` of its port `a`.
Binding find_in_connector(const Context& context, const Part& part, const Expression& name) {
  const ConnectorType& type = *part.connector->type;
  if (const std::size_t dot = name.name.find('.'); dot != std::string::npos) {
    const std::uint32_t port = position_of(type.ports, name.name.substr(0, dot));
    const PortType* port_type = find_named(context.package.port_types, type.ports[port].type.text);
    INVARIANT(port_type != nullptr, "the type of a port should be declared");
    const std::uint32_t position = position_of(port_type->data, name.name.substr(dot + 1));
    return {port_type->data[position].type, part.data[port].at(position)};
  }
  const DataDeclaration* data = find_named(type.data, name.name);
  if (!data) return find_constant(context, {}, name);
  return {data->type, part.connector->data[position_of(type.data, name.name)]};
}

void add_part(Context& context, const Part& part, Model::Interaction& interaction) {
  const Connector& connector = *part.connector;
  interaction.temporaries.insert(interaction.temporaries.end(), connector.data.begin(), connector.data.end());
  if (!part.interaction) return;
  const Scope scope = [&](const Expression& name) { return find_in_connector(context, part, name); };
  Model::Stage stage;
  stage.guard = bind_condition(context, part.interaction->guard, scope);
  stage.up = bind_block(context, part.interaction->up, scope);
  if (stage.guard || !stage.up.empty()) interaction.stages.push_back(std::move(stage));
  Block down = bind_block(context, part.interaction->down, scope);
  // Parts come from inside out.
  interaction.down.insert(interaction.down.begin(), std::make_move_iterator(down.begin()),
                          std::make_move_iterator(down.end()));
}

}  // namespace

Model::Interaction make_interaction(Context& context, const Connector& connector, const Offer& offer) {
  Model::Interaction interaction;
  interaction.connector = connector.name;
  interaction.name = connector.name + ":";
  for (const Model::PortUse& use : offer.ports) {
    const Model::Component& component = context.model.components[use.component];
    if (interaction.name.back() != ':') interaction.name += ",";
    interaction.name += qualified(component.name, component.ports[use.port].name);
  }
  interaction.place = connector.declaration->name.place;
  interaction.ports = offer.ports;
  std::ranges::sort(interaction.ports);
  interaction.is_executable = !connector.type->exported;
  interaction.maximal_inside = offer.maximal_inside;
  for (const Part& part : offer.parts) add_part(context, part, interaction);
  std::ranges::sort(interaction.temporaries);
  return interaction;
}

void add_connector_data(Context& context, Connector& connector) {
  for (const DataDeclaration& data : connector.type->data) {
    connector.data.push_back(static_cast<VariableId>(context.model.variables.size()));
    context.model.variables.push_back({qualified(connector.name, data.name.text), data.type, data.name.place, kNone});
  }
}

}  // namespace plumb::bip::flat
