// Compounds are connected from inside out, so that what a compound exports is known when connectors further out ask for
// it. Connectors of one compound may use each other's exported ports in any order: their interactions are made on
// demand. An interaction of a connector is one of the sets of `define`, with one offer for each of its ports.
#include "lang/bip/flatten/connect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/bip/flatten/flatten.h"
#include "lang/bip/flatten/interaction.h"
#include "lang/bip/flatten/priority.h"

namespace plumb::bip::flat {

namespace {

[[noreturn]] void fail_size(const Context& context, const Connector& connector) {
  throw Unsupported(
      context.location(connector.declaration->name.place),
      fmt::format("connector '{}' brings the interactions to more than {}", connector.name, kMaxInteractions),
      "each trigger doubles them: use fewer triggers or ports, or split the connector into several");
}

class Connecting {
 public:
  explicit Connecting(Context& context) : context_(context) {}

  void connect(Compound& compound) {
    for (Child& child : compound.children) {
      if (child.compound)
        connect(*child.compound);
      else
        add_own_ports(child);
    }
    for (Connector& connector : compound.connectors) add_connector_data(context_, connector);
    for (Connector& connector : compound.connectors) make_offers(compound, connector);
    mark_exports(compound);
    for (Connector& connector : compound.connectors) list_interactions(connector);
    for (const Export& port : compound.type->port_exports) add_export(compound, port);
    add_priorities(context_, compound);
    check_use(compound);
  }

 private:
  /// Ports that are not exported are interactions of their own.
  void add_own_ports(Child& child) {
    const Model::Component& component = context_.model.components[child.component];
    for (std::uint32_t i = 0; i < component.ports.size(); ++i) {
      if (component.ports[i].is_exported) continue;
      Model::Interaction interaction;
      interaction.connector = qualified(component.name, component.ports[i].name);
      interaction.name = interaction.connector;
      interaction.place = component.ports[i].place;
      interaction.ports = {{child.component, i}};
      if (context_.model.interactions.size() >= kMaxInteractions) fail_own_ports(*child.declaration);
      child.own.push_back(static_cast<InteractionId>(context_.model.interactions.size()));
      add_interaction(std::move(interaction));
    }
  }

  [[noreturn]] void fail_own_ports(const ComponentDeclaration& declaration) const {
    throw Unsupported(
        context_.location(declaration.name.place),
        fmt::format("component '{}' brings the interactions to more than {}", declaration.name.text, kMaxInteractions),
        "take a smaller instance");
  }

  void add_interaction(Model::Interaction interaction) {
    const std::string name = interaction.name;
    for (int i = 2; !names_.insert(interaction.name).second; ++i) interaction.name = fmt::format("{}/{}", name, i);
    context_.model.interactions.push_back(std::move(interaction));
  }

  void make_offers(Compound& compound, Connector& connector) {
    if (connector.state == Connector::State::Done) return;
    INVARIANT(connector.state == Connector::State::New, "connectors should not contain themselves");
    connector.state = Connector::State::Busy;
    std::vector<std::vector<Offer>> ports;
    for (const Name& port : connector.declaration->ports) ports.push_back(resolve(compound, port));
    combine(connector, ports);
    connector.state = Connector::State::Done;
  }

  void combine(Connector& connector, const std::vector<std::vector<Offer>>& ports) {
    const ConnectorType& type = *connector.type;
    const auto sets = defined_interactions(
        type.define, [&](const Name& name) { return position_of(type.ports, name.text); }, kMaxInteractions);
    if (!sets) fail_size(context_, connector);
    const std::map<PortSet, const ConnectorInteraction*> described = described_interactions(type);
    for (const PortSet& set : *sets) {
      Offer offer;
      offer.positions = set;
      Part part{&connector, nullptr, std::vector<std::vector<VariableId>>(ports.size())};
      if (const auto it = described.find(set); it != described.end()) part.interaction = it->second;
      extend(connector, ports, 0, offer, part);
    }
  }

  /// Chooses an offer for each port of `partial.positions` from position `i` on, in all ways.
  void extend(Connector& connector, const std::vector<std::vector<Offer>>& ports, std::size_t i, const Offer& partial,
              const Part& part) {
    if (i == partial.positions.size()) {
      Offer offer = partial;
      offer.parts.push_back(part);
      const ConnectorType& type = *connector.type;
      for (const Name& data : type.exported ? type.exported->data : std::vector<Name>())
        offer.data.push_back(connector.data[position_of(type.data, data.text)]);
      connector.offers.push_back(std::move(offer));
      if (connector.offers.size() > kMaxInteractions) fail_size(context_, connector);
      return;
    }
    const std::uint32_t position = partial.positions[i];
    for (const Offer& choice : ports[position]) {
      check_components(connector, position, partial, choice);
      Offer next = partial;
      next.ports.insert(next.ports.end(), choice.ports.begin(), choice.ports.end());
      next.parts.insert(next.parts.end(), choice.parts.begin(), choice.parts.end());
      next.maximal_inside.insert(next.maximal_inside.end(), choice.maximal_inside.begin(), choice.maximal_inside.end());
      Part with_data = part;
      with_data.data[position] = choice.data;
      extend(connector, ports, i + 1, next, with_data);
    }
  }

  void check_components(const Connector& connector, std::uint32_t position, const Offer& partial,
                        const Offer& choice) const {
    for (const Model::PortUse& a : partial.ports) {
      for (const Model::PortUse& b : choice.ports) {
        if (a.component != b.component) continue;
        const Model::Component& component = context_.model.components[a.component];
        const std::string both =
            a.port == b.port ? fmt::format("port '{}' twice", component.ports[a.port].name)
                             : fmt::format("'{}' and '{}'", component.ports[a.port].name, component.ports[b.port].name);
        context_.fail(
            connector.declaration->ports[position].place,
            fmt::format("connector '{}' connects two ports of component '{}': {}", connector.declaration->name.text,
                        component.name, both),
            "an interaction takes at most one port of each component: connect another component, or write two "
            "connectors");
      }
    }
  }

  /// What `on` says, by the ports that it names.
  static std::map<PortSet, const ConnectorInteraction*> described_interactions(const ConnectorType& type) {
    std::map<PortSet, const ConnectorInteraction*> result;
    for (const ConnectorInteraction& interaction : type.interactions) {
      PortSet set;
      for (const Name& port : interaction.ports) set.push_back(position_of(type.ports, port.text));
      std::ranges::sort(set);
      result.emplace(set, &interaction);
    }
    return result;
  }

  /// What `x.p` stands for in a compound; marks it as used.
  std::vector<Offer> resolve(Compound& compound, const Name& name) {
    const std::size_t dot = name.text.find('.');
    INVARIANT(dot != std::string::npos, "a port should have its component's name before it");
    const std::string_view owner = std::string_view(name.text).substr(0, dot);
    if (Connector* connector = compound.find_connector(owner)) {
      make_offers(compound, *connector);
      connector->is_used = true;
      return connector->offers;
    }
    Child* child = compound.find_child(owner);
    INVARIANT(child != nullptr, "a component should be declared where it is used");
    const std::string port = name.text.substr(dot + 1);
    child->ports.at(port) = true;
    return child->atom ? offers_of_atom(*child, port) : child->compound->exports.at(port);
  }

  std::vector<Offer> offers_of_atom(const Child& child, const std::string& name) const {
    const Model::Component& component = context_.model.components[child.component];
    std::vector<Offer> offers;
    for (std::uint32_t i = 0; i < child.atom->ports.size(); ++i) {
      const PortDeclaration& port = child.atom->ports[i];
      if (!port.is_exported || port.exported_as != name) continue;
      Offer offer;
      offer.ports = {{child.component, i}};
      offer.data = component.ports[i].data;
      offers.push_back(std::move(offer));
    }
    return offers;
  }

  static Connector* exported_connector(Compound& compound, const Name& inner) {
    return compound.find_connector(std::string_view(inner.text).substr(0, inner.text.find('.')));
  }

  static void mark_exports(Compound& compound) {
    for (const Export& port : compound.type->port_exports)
      for (const Name& inner : port.inner)
        if (Connector* connector = exported_connector(compound, inner)) connector->is_exported = true;
  }

  /// Interactions of a connector whose exported port is used in its own compound alone are parts of others.
  void list_interactions(Connector& connector) {
    if (connector.is_used && !connector.is_exported) return;
    connector.first = static_cast<InteractionId>(context_.model.interactions.size());
    if (context_.model.interactions.size() + connector.offers.size() > kMaxInteractions) fail_size(context_, connector);
    for (const Offer& offer : connector.offers) add_interaction(make_interaction(context_, connector, offer));
  }

  void add_export(Compound& compound, const Export& port) {
    std::vector<Offer>& result = compound.exports[port.name.text];
    for (const Name& inner : port.inner) {
      std::vector<Offer> offers = resolve(compound, inner);
      if (const Connector* connector = exported_connector(compound, inner))
        for (std::size_t i = 0; i < offers.size(); ++i)
          offers[i].maximal_inside = {connector->first + static_cast<InteractionId>(i)};
      std::ranges::move(offers, std::back_inserter(result));
    }
  }

  void check_use(const Compound& compound) {
    for (const Child& child : compound.children) {
      if (child.atom) check_connected(child);
      for (const auto& [port, is_used] : child.ports)
        if (!is_used)
          context_.warn(
              child.declaration->name.place,
              fmt::format("no connector uses the exported port '{}' of component '{}': it never takes part in "
                          "an interaction",
                          port, child.declaration->name.text));
    }
    for (const Connector& connector : compound.connectors)
      if (connector.type->exported && !connector.is_used && !connector.is_exported)
        context_.warn(connector.declaration->name.place,
                      fmt::format("nobody uses the exported port '{}' of connector '{}': its interactions never fire",
                                  connector.type->exported->name.text, connector.declaration->name.text));
    if (!compound.name.empty()) return;
    for (const Export& port : compound.type->port_exports)
      context_.warn(port.name.place, fmt::format("port '{}' is exported by the top compound, where nobody uses it: it "
                                                 "never takes part in an interaction",
                                                 port.name.text));
  }

  void check_connected(const Child& child) const {
    const Model::Component& component = context_.model.components[child.component];
    const bool has_own_port = std::ranges::any_of(component.ports, [](const auto& port) { return !port.is_exported; });
    const bool is_internal =
        std::ranges::any_of(component.transitions, [](const auto& transition) { return transition.port == kNone; });
    const bool is_used = std::ranges::any_of(child.ports, [](const auto& port) { return port.second; });
    if (has_own_port || is_internal || is_used) return;
    std::vector<std::string> ports;
    for (const auto& [port, used] : child.ports) ports.push_back(port);
    context_.fail(child.declaration->name.place,
                  fmt::format("component '{}' is not connected: it can never move", child.declaration->name.text),
                  ports.empty()
                      ? fmt::format("give '{}' a port, or an internal transition", child.declaration->type.text)
                      : fmt::format("connect its port{} {}", ports.size() == 1 ? "" : "s", listed(ports)));
  }

  Context& context_;
  std::set<std::string> names_;
};

}  // namespace

void connect(Context& context, Compound& top) { Connecting(context).connect(top); }

}  // namespace plumb::bip::flat
