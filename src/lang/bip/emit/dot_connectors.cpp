#include "lang/bip/emit/dot_connectors.h"

#include <algorithm>
#include <map>
#include <set>

namespace plumb::bip::dot {

namespace {

using Ports = std::set<Model::PortUse>;

Ports ports_of(const Model::Interaction& interaction) { return {interaction.ports.begin(), interaction.ports.end()}; }

Ports intersection(const Ports& a, const Ports& b) {
  Ports result;
  std::ranges::set_intersection(a, b, std::inserter(result, result.end()));
  return result;
}

class Finder {
 public:
  explicit Finder(const Model& model) : model_(model) {
    for (const Model::Component& component : model.components)
      rank_of_type_.try_emplace(component.type, rank_of_type_.size());
  }

  std::vector<Connector> find() {
    std::map<std::string, std::size_t> found;
    for (InteractionId id = 0; id < model_.interactions.size(); ++id) {
      const Model::Interaction& interaction = model_.interactions[id];
      const auto [entry, is_new] = found.emplace(interaction.connector, connectors_.size());
      if (is_new) connectors_.emplace_back().name = interaction.connector;
      Connector& connector = connectors_[entry->second];
      connector.interactions.push_back(id);
      connector.is_executable = connector.is_executable || interaction.is_executable;
    }
    for (const Connector& connector : connectors_) {
      Ports all;
      for (const InteractionId id : connector.interactions) all.merge(ports_of(model_.interactions[id]));
      ports_.push_back(std::move(all));
    }
    for (std::size_t c = 0; c < connectors_.size(); ++c) find_ends(c);
    return std::move(connectors_);
  }

 private:
  bool is_inside(std::size_t inner, std::size_t outer) const {
    if (inner == outer || connectors_[inner].is_executable || ports_[inner].size() >= ports_[outer].size())
      return false;
    std::set<Ports> offers;
    for (const InteractionId id : connectors_[inner].interactions) offers.insert(ports_of(model_.interactions[id]));
    bool is_used = false;
    for (const InteractionId id : connectors_[outer].interactions) {
      const Ports used = intersection(ports_of(model_.interactions[id]), ports_[inner]);
      if (!used.empty() && !offers.contains(used)) return false;
      is_used = is_used || !used.empty();
    }
    return is_used;
  }

  /// The largest connectors inside first: those in them are theirs.
  std::vector<std::size_t> connectors_inside(std::size_t outer) const {
    std::vector<std::size_t> candidates;
    for (std::size_t c = 0; c < connectors_.size(); ++c)
      if (is_inside(c, outer)) candidates.push_back(c);
    std::ranges::stable_sort(candidates, std::greater{}, [&](std::size_t c) { return ports_[c].size(); });
    std::vector<std::size_t> inside;
    for (const std::size_t c : candidates) {
      const auto overlaps = [&](std::size_t other) { return !intersection(ports_[c], ports_[other]).empty(); };
      if (std::ranges::none_of(inside, overlaps)) inside.push_back(c);
    }
    return inside;
  }

  void find_ends(std::size_t c) {
    Connector& connector = connectors_[c];
    std::vector<std::pair<Ports, Connector::End>> ends;
    Ports rest = ports_[c];
    for (const std::size_t inner : connectors_inside(c)) {
      ends.push_back({ports_[inner], {inner}});
      for (const Model::PortUse& port : ports_[inner]) rest.erase(port);
    }
    for (const Model::PortUse& port : rest) ends.push_back({{port}, {port}});
    std::ranges::stable_sort(ends, {}, [&](const auto& end) {
      const Model::PortUse& first = *end.first.begin();
      return std::pair(rank_of_type_.at(model_.components[first.component].type), first);
    });
    for (auto& [ports, end] : ends) {
      for (const InteractionId id : connector.interactions) {
        const Ports all = ports_of(model_.interactions[id]);
        const Ports own = intersection(all, ports);
        end.is_always = end.is_always && !own.empty();
        end.is_trigger = end.is_trigger || (ends.size() > 1 && own == all);
      }
      connector.ends.push_back(end);
    }
    if (connector.ends.size() != 1) return;
    const auto* port = std::get_if<Model::PortUse>(&connector.ends[0].what);
    connector.is_port = port != nullptr && !model_.components[port->component].ports[port->port].is_exported;
  }

  const Model& model_;
  std::vector<Connector> connectors_;
  std::map<std::string, std::size_t> rank_of_type_;
  std::vector<Ports> ports_;  ///< by connector: of all its interactions
};

}  // namespace

std::vector<Connector> find_connectors(const Model& model) { return Finder(model).find(); }

std::vector<ConnectorPriority> find_priorities(const Model& model, const std::vector<Connector>& connectors) {
  std::vector<std::size_t> connector_of(model.interactions.size(), 0);
  for (std::size_t c = 0; c < connectors.size(); ++c)
    for (const InteractionId id : connectors[c].interactions) connector_of[id] = c;
  // The conditions of a pair; none if it has no rule, the empty one for `always`.
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>> rules;
  for (const Model::Priority& priority : model.priorities) {
    const std::pair pair(connector_of[priority.low], connector_of[priority.high]);
    if (priority.place.line == 0 || pair.first == pair.second) continue;
    rules[pair].insert(priority.condition ? to_text(*priority.condition) : std::string());
  }
  const auto is_always = [&](std::size_t low, std::size_t high) {
    const auto found = rules.find({low, high});
    return found != rules.end() && found->second.contains({});
  };
  std::vector<ConnectorPriority> result;
  for (const auto& [pair, conditions] : rules) {
    const auto [low, high] = pair;
    bool follows = false;
    for (std::size_t between = 0; between < connectors.size() && !follows; ++between)
      follows = between != low && between != high && is_always(low, between) && is_always(between, high);
    if (follows && is_always(low, high)) continue;
    ConnectorPriority& priority = result.emplace_back(ConnectorPriority{low, high, {}});
    if (!conditions.contains({})) priority.conditions.assign(conditions.begin(), conditions.end());
  }
  return result;
}

}  // namespace plumb::bip::dot
