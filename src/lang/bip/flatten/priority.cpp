#include "lang/bip/flatten/priority.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lang/bip/flatten/relation.h"

namespace plumb::bip::flat {

namespace {

Bits all_bits(std::size_t size) {
  Bits result(size);
  for (std::size_t i = 0; i < size; ++i) result.set(i);
  return result;
}

/// `a.x` as the part before the dot and the part behind it.
std::pair<std::string, std::string> split(const std::string& name) {
  const std::size_t dot = name.find('.');
  INVARIANT(dot != std::string::npos, "what a component shows should have the component's name before it");
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// The data that is called `a.x` in a compound: of an atom, perhaps through compounds that export it.
Binding find_data(const Context& context, Compound& compound, const std::string& name) {
  const auto [component, data] = split(name);
  Child* child = compound.find_child(component);
  INVARIANT(child != nullptr, "a component should be declared where it is used");
  if (child->compound) {
    const std::vector<Export>& exports = child->compound->type->data_exports;
    return find_data(context, *child->compound, exports[position_of(exports, data)].inner.front().text);
  }
  const std::uint32_t position = position_of(child->atom->data, data);
  return {child->atom->data[position].type, context.model.components[child->component].variables[position]};
}

/// The rules of one compound over its interactions, which are the nodes.
class CompoundPriorities {
 public:
  CompoundPriorities(Context& context, Compound& compound)
      : context_(context), compound_(compound), relation_(context, collect()) {}

  void add() {
    for (const Connector& connector : compound_.connectors)
      if (connector.is_listed()) add_progress(connector);
    for (const CompoundPriority& rule : compound_.type->priorities) add_rule(rule);
    for (PriorityRelation::Pair& pair : relation_.close())
      context_.model.priorities.push_back({ids_[pair.low], ids_[pair.high], std::move(pair.condition), pair.place});
  }

 private:
  std::vector<std::string> collect() {
    std::vector<std::string> names;
    for (const Child& child : compound_.children) {
      for (const InteractionId id : child.own) {
        ids_.push_back(id);
        names.push_back(context_.model.interactions[id].name);
      }
    }
    for (const Connector& connector : compound_.connectors) {
      first_node_.push_back(static_cast<std::uint32_t>(ids_.size()));
      for (std::size_t i = 0; connector.is_listed() && i < connector.offers.size(); ++i) {
        ids_.push_back(connector.first + static_cast<InteractionId>(i));
        names.push_back(context_.model.interactions[ids_.back()].name);
      }
    }
    return names;
  }

  /// Where the nodes of a connector start.
  std::uint32_t first_node(const Connector& connector) const {
    return first_node_[static_cast<std::size_t>(&connector - compound_.connectors.data())];
  }

  void add_progress(const Connector& connector) {
    if (connector.offers.size() < 2) return;
    std::vector<Model::PortUse> ports;
    for (const Offer& offer : connector.offers) ports.insert(ports.end(), offer.ports.begin(), offer.ports.end());
    std::ranges::sort(ports);
    ports.erase(std::ranges::unique(ports).begin(), ports.end());
    std::vector<Bits> sets;
    for (const Offer& offer : connector.offers) {
      sets.emplace_back(ports.size());
      for (const Model::PortUse& port : offer.ports)
        sets.back().set(static_cast<std::size_t>(std::ranges::lower_bound(ports, port) - ports.begin()));
    }
    const std::uint32_t first = first_node(connector);
    for (std::uint32_t i = 0; i < sets.size(); ++i)
      for (std::uint32_t j = 0; j < sets.size(); ++j)
        if (connector.offers[i].ports.size() < connector.offers[j].ports.size() && sets[i].is_subset_of(sets[j]))
          relation_.add_progress(first + i, first + j);
  }

  void add_rule(const CompoundPriority& rule) {
    Bits low = matches(rule.low);
    Bits high = matches(rule.high);
    // A star stands for the others.
    const int breadth_of_low = breadth(rule.low);
    const int breadth_of_high = breadth(rule.high);
    if (breadth_of_low > breadth_of_high) low.remove(high);
    if (breadth_of_high > breadth_of_low) high.remove(low);
    if (breadth_of_low == breadth_of_high && breadth_of_low > 0 && low == high && low.any())
      context_.fail(rule.low.place, "both sides of this priority stand for the same interactions",
                    "name interactions or another connector on one side");
    const Scope scope = [this](const Expression& name) {
      return name.name.find('.') == std::string::npos ? find_constant(context_, compound_.parameters, name)
                                                      : find_data(context_, compound_, name.name);
    };
    ExpressionPtr guard = bind_condition(context_, rule.guard, scope);
    if (!low.any() || !high.any()) {
      context_.warn(rule.low.place, "this priority has no effect: one side stands for no interaction");
      return;
    }
    relation_.add_rule(std::move(low), std::move(high), std::move(guard), rule.low.place);
  }

  static int breadth(const InteractionPattern& pattern) { return pattern.ports ? 0 : pattern.connector ? 1 : 2; }

  Bits matches(const InteractionPattern& pattern) {
    if (!pattern.connector) return all_bits(relation_.size());
    Connector* connector = compound_.find_connector(pattern.connector->text);
    INVARIANT(connector != nullptr, "a connector should be declared where it is used");
    if (!connector->is_listed())
      throw Unsupported(context_.location(pattern.connector->place),
                        fmt::format("a priority over connector '{}', whose exported port other connectors use",
                                    pattern.connector->text),
                        "write the priority over the connectors that use it: theirs are the interactions that happen");
    Bits result(relation_.size());
    const std::uint32_t first = first_node(*connector);
    for (std::uint32_t i = 0; i < connector->offers.size(); ++i)
      if (!pattern.ports || fits(*connector, connector->offers[i], *pattern.ports)) result.set(first + i);
    if (!result.any()) fail_interaction(*connector, pattern);
    return result;
  }

  /// By the ports as the connector's declaration has them, or by those of atoms as the interaction's name has them.
  bool fits(const Connector& connector, const Offer& offer, const std::vector<Name>& wanted) const {
    std::vector<std::string> names;
    for (const Name& name : wanted) names.push_back(name.text);
    std::ranges::sort(names);
    std::vector<std::string> declared;
    for (const std::uint32_t position : offer.positions)
      declared.push_back(connector.declaration->ports[position].text);
    std::ranges::sort(declared);
    if (declared == names) return true;
    std::vector<std::string> atoms;
    const std::size_t skipped = compound_.name.empty() ? 0 : compound_.name.size() + 1;
    for (const Model::PortUse& use : offer.ports) {
      const Model::Component& component = context_.model.components[use.component];
      atoms.push_back(qualified(component.name, component.ports[use.port].name).substr(skipped));
    }
    std::ranges::sort(atoms);
    return atoms == names;
  }

  [[noreturn]] void fail_interaction(const Connector& connector, const InteractionPattern& pattern) {
    std::vector<std::string> known;
    for (const Name& port : connector.declaration->ports) known.push_back(port.text);
    for (const Name& port : *pattern.ports) {
      const auto is_atom_port = [&](const Offer& offer) { return fits(connector, offer, {port}); };
      if (std::ranges::find(known, port.text) == known.end() && std::ranges::none_of(connector.offers, is_atom_port))
        context_.fail_unknown(fmt::format("port of connector '{}'", connector.declaration->name.text), port, known);
    }
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < connector.offers.size(); ++i)
      names.push_back(relation_.name(first_node(connector) + i));
    context_.fail(pattern.place,
                  fmt::format("connector '{}' defines no interaction of these ports", connector.declaration->name.text),
                  fmt::format("it defines {}", listed(names)));
  }

  Context& context_;
  Compound& compound_;
  std::vector<InteractionId> ids_;         ///< by node
  std::vector<std::uint32_t> first_node_;  ///< by connector
  PriorityRelation relation_;
};

}  // namespace

std::vector<Model::PortPriority> port_priorities(Context& context, const AtomType& type, const std::string& name,
                                                 const Scope& scope) {
  std::vector<std::string> names;
  for (const PortDeclaration& port : type.ports) names.push_back(qualified(name, port.name.text));
  PriorityRelation relation(context, std::move(names));
  const auto side = [&](const std::optional<Name>& port, const std::optional<Name>& other) {
    Bits result(relation.size());
    if (port) {
      result.set(position_of(type.ports, port->text));
      return result;
    }
    result = all_bits(relation.size());
    Bits others(relation.size());
    if (other) others.set(position_of(type.ports, other->text));
    result.remove(others);
    return result;
  };
  for (const AtomPriority& rule : type.priorities) {
    if (!rule.low && !rule.high)
      context.fail(rule.name.place, "both sides of this priority stand for the same ports", "name a port on one side");
    const Place place = rule.low ? rule.low->place : rule.high->place;
    relation.add_rule(side(rule.low, rule.high), side(rule.high, rule.low), bind_condition(context, rule.guard, scope),
                      place);
  }
  std::vector<Model::PortPriority> result;
  for (PriorityRelation::Pair& pair : relation.close())
    result.push_back({pair.low, pair.high, std::move(pair.condition)});
  return result;
}

void add_priorities(Context& context, Compound& compound) { CompoundPriorities(context, compound).add(); }

}  // namespace plumb::bip::flat
