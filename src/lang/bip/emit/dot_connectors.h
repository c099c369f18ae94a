#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lang/bip/model.h"

namespace plumb::bip::dot {

/// A connector as a picture shows it, found again in the interactions that it was flattened into.
struct Connector {
  struct End {
    std::variant<Model::PortUse, std::size_t> what;  ///< a port, or a connector further inside, by its index
    bool is_always = true;                           ///< takes part in each of the connector's interactions
    bool is_trigger = false;                         ///< an interaction of its own
  };
  std::string name;
  std::vector<InteractionId> interactions;
  /// Sorted by the place of their types in the model, so that connectors of like components look alike.
  std::vector<End> ends;
  bool is_executable = false;
  bool is_port = false;  ///< a port that is not exported, which is an interaction without a connector
};

/// By the order of their first interactions. A connector that is never fired by itself counts as being inside another
/// if all interactions of that one which have ports of it have those of one of its interactions.
std::vector<Connector> find_connectors(const Model& model);

/// `low` gives way to `high`; indices of connectors.
struct ConnectorPriority {
  std::size_t low = 0;
  std::size_t high = 0;
  std::vector<std::string> conditions;  ///< of its rules, each once; empty if one of them has none
};

/// The rules of the file between different connectors, without those that follow from others.
std::vector<ConnectorPriority> find_priorities(const Model& model, const std::vector<Connector>& connectors);

}  // namespace plumb::bip::dot
