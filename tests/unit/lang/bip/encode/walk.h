#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/bip/encode/encode.h"
#include "lang/bip/run/guide.h"
#include "lang/bip/run/run.h"
#include "system/simulator.h"

namespace plumb::bip::walk {

inline const std::vector<Engine> kEngines = {Engine::TwoCycle, Engine::OneCycle, Engine::Parallel};

struct Less {
  bool operator()(const State& a, const State& b) const {
    return std::tie(a.places, a.values) < std::tie(b.places, b.values);
  }
};
using States = std::set<State, Less>;

/// All ways to take one of each list.
inline std::vector<std::vector<std::uint32_t>> combinations(const std::vector<std::vector<std::uint32_t>>& lists) {
  std::vector<std::vector<std::uint32_t>> all = {{}};
  for (const std::vector<std::uint32_t>& list : lists) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const auto& start : all)
      for (const std::uint32_t element : list) {
        longer.push_back(start);
        longer.back().push_back(element);
      }
    all = std::move(longer);
  }
  return all;
}

/// The runs behind all ways to fire an interaction.
inline std::vector<Run> fire_all(const Model& model, const Run& run, InteractionId interaction) {
  std::vector<std::vector<std::uint32_t>> transitions;
  for (const Model::PortUse& use : model.interactions[interaction].ports) transitions.push_back(run.transitions(use));
  std::vector<Run> runs;
  for (const auto& combination : combinations(transitions)) {
    Choice choice{interaction, {}};
    for (std::size_t i = 0; i < combination.size(); ++i)
      choice.transitions.emplace_back(model.interactions[interaction].ports[i].component, combination[i]);
    runs.push_back(run);
    runs.back().fire(choice);
  }
  return runs;
}

/// The runs in visible states behind all ways to execute internal transitions.
inline std::vector<Run> settle_all(const std::vector<Run>& start) {
  std::vector<Run> stable;
  std::vector<Run> left = start;
  States seen;
  while (!left.empty()) {
    const Run run = left.back();
    left.pop_back();
    if (!seen.insert(run.state()).second) continue;
    const std::vector<std::vector<std::uint32_t>> internal = run.internal_transitions();
    if (internal.empty()) {
      stable.push_back(run);
      continue;
    }
    std::vector<std::vector<std::uint32_t>> lists;
    std::vector<ComponentId> movers;
    for (ComponentId c = 0; c < internal.size(); ++c) {
      if (internal[c].empty()) continue;
      movers.push_back(c);
      lists.push_back(internal[c]);
    }
    for (const auto& combination : combinations(lists)) {
      Choice choice;
      for (std::size_t i = 0; i < movers.size(); ++i) choice.transitions.emplace_back(movers[i], combination[i]);
      left.push_back(run);
      left.back().fire(choice);
    }
  }
  return stable;
}

/// What a simulator shows of a system that was made of a model.
class View {
 public:
  View(const Model& model, const Encoding& encoding)
      : model_(model), encoding_(encoding), simulator_(encoding.system), executable_(executable_interactions(model)) {
    for (const system::NamedTerm& wire : encoding.system.wires()) wires_[wire.name] = wire.term;
  }

  system::Simulator& simulator() { return simulator_; }
  bool wire(const std::string& name) const { return !simulator_.bits(wires_.at(name)).is_zero(); }
  State state() const {
    State state;
    for (const std::size_t position : encoding_.places)
      state.places.push_back(static_cast<std::uint32_t>(bits(position)));
    state.values.assign(model_.variables.size(), 0);
    for (VariableId v = 0; v < encoding_.values.size(); ++v)
      state.values[v] = model_.variables[v].type == Type::Bool
                            ? static_cast<std::int64_t>(bits(encoding_.values[v]))
                            : wrap(static_cast<std::int64_t>(bits(encoding_.values[v])), model_.bits);
    return state;
  }
  /// By the wires is[k].
  std::vector<InteractionId> fired() const {
    std::vector<InteractionId> fired;
    for (std::size_t k = 0; k < executable_.size(); ++k)
      if (wire("is[" + std::to_string(k) + "]")) fired.push_back(executable_[k]);
    return fired;
  }
  bool is_visible() const { return wire("visible"); }

 private:
  std::uint64_t bits(std::size_t state) const {
    return simulator_.bits(encoding_.system.states()[state].variable).to_uint64();
  }

  const Model& model_;
  const Encoding& encoding_;
  system::Simulator simulator_;
  std::vector<InteractionId> executable_;
  std::map<std::string, system::Term> wires_;
};

}  // namespace plumb::bip::walk
