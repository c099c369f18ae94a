#include "lang/bip/encode/alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/bip/encode/selection.h"

namespace plumb::bip {

namespace {

std::vector<Alternatives> alternatives_of(const Model& model, ComponentId c) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Alternatives> groups;
  const std::vector<Model::Transition>& transitions = model.components[c].transitions;
  for (std::uint32_t t = 0; t < transitions.size(); ++t) {
    Alternatives& group = groups[{transitions[t].port, transitions[t].from}];
    group.component = c;
    group.port = transitions[t].port;
    group.from = transitions[t].from;
    group.transitions.push_back(t);
  }
  std::vector<Alternatives> list;
  for (auto& [unused, group] : groups) list.push_back(std::move(group));
  return list;
}

bool may_overlap(TermStore& store, std::span<const Term> guards) {
  for (std::size_t i = 0; i < guards.size(); ++i)
    for (std::size_t j = i + 1; j < guards.size(); ++j)
      if (!store.is_false(store.bit_and(guards[i], guards[j]))) return true;
  return false;
}

}  // namespace

std::vector<Alternatives> add_alternatives(const Model& model, const Enabling& enabling, system::System& system) {
  TermStore& store = system.store();
  std::vector<Alternatives> all;
  for (ComponentId c = 0; c < model.components.size(); ++c) {
    std::vector<Alternatives> groups = alternatives_of(model, c);
    std::size_t most = 0;
    for (Alternatives& group : groups) {
      for (const std::uint32_t t : group.transitions) group.chosen.push_back(enabling.transition(c, t));
      group.is_free = may_overlap(store, group.chosen);
      if (group.is_free) most = std::max(most, group.transitions.size());
      // A port that is selected is enabled.
      if (group.port != kNone && group.transitions.size() == 1)
        group.chosen = {std::ranges::count(groups, group.port, &Alternatives::port) == 1 ? store.boolean(true)
                                                                                         : enabling.at(c, group.from)};
    }
    if (most > 0) {
      const Term number =
          system.add_input({width_for(most - 1), 0}, fmt::format("{}.transition", model.components[c].name));
      for (Alternatives& group : groups)
        if (group.is_free) group.chosen = select_one(store, group.chosen, number);
    }
    std::ranges::move(groups, std::back_inserter(all));
  }
  return all;
}

}  // namespace plumb::bip
