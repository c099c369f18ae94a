#include "chain/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace plumb::chain {
namespace {

using Participants = std::vector<Synchronisation::Participant>;
/// By action as seen from outside: the sets of participants that move together. An action that its partners never offer
/// has none, and still blocks those outside who synchronise on it.
using Moves = std::map<Action, std::vector<Participants>>;

Moves leaf(const Model& model, std::uint32_t component) {
  Moves moves;
  for (const Command& command : model.components[component].commands)
    moves.try_emplace(command.action, 1, Participants{{component, command.action}});
  return moves;
}

void unite(Moves& into, Action action, const std::vector<Participants>& added) {
  auto& all = into[action];
  all.insert(all.end(), added.begin(), added.end());
}

/// Both sides move together on the actions that `synchronises` says, and alone on the others.
template <typename Synchronises>
Moves combined(const Moves& a, const Moves& b, Synchronises synchronises) {
  Moves moves;
  for (const auto& [action, sets] : a)
    if (!synchronises(action)) unite(moves, action, sets);
  for (const auto& [action, sets] : b) {
    if (!synchronises(action)) unite(moves, action, sets);
    moves[action];
  }
  for (const auto& [action, sets] : a) {
    const auto other = b.find(action);
    moves[action];
    if (!synchronises(action) || other == b.end()) continue;
    for (const Participants& left : sets)
      for (const Participants& right : other->second) {
        Participants both = left;
        both.insert(both.end(), right.begin(), right.end());
        moves[action].push_back(std::move(both));
      }
  }
  return moves;
}

Moves fully_combined(const Moves& a, const Moves& b) {
  return combined(a, b, [&](Action action) { return action != 0 && a.contains(action) && b.contains(action); });
}

Moves renamed(const Moves& moves, const std::vector<Action>& from, const std::vector<Action>* to) {
  Moves result;
  for (const auto& [action, sets] : moves) {
    const auto found = std::ranges::find(from, action);
    if (action == 0 || found == from.end())
      unite(result, action, sets);
    else
      unite(result, to ? (*to)[static_cast<std::size_t>(found - from.begin())] : 0, sets);
  }
  return result;
}

Moves moves_of(const Model& model) {
  if (model.composition.empty()) {
    Moves all;
    for (std::uint32_t i = 0; i < model.components.size(); ++i)
      all = i == 0 ? leaf(model, i) : fully_combined(all, leaf(model, i));
    return all;
  }
  std::vector<Moves> nodes;
  std::set<std::uint32_t> used;
  for (const Composition& node : model.composition) {
    const auto operand = [&](std::size_t i) -> const Moves& { return nodes[node.operands[i]]; };
    switch (node.kind) {
      case Composition::Kind::Leaf:
        if (!used.insert(node.component).second)
          throw UserError(fmt::format("module {} is twice in the composition", model.components[node.component].name));
        nodes.push_back(leaf(model, node.component));
        break;
      case Composition::Kind::Full:
      case Composition::Kind::Interleaved:
      case Composition::Kind::On: {
        Moves all = operand(0);
        for (std::size_t i = 1; i < node.operands.size(); ++i) {
          if (node.kind == Composition::Kind::Full)
            all = fully_combined(all, operand(i));
          else
            all = combined(all, operand(i), [&](Action action) {
              return action != 0 && std::ranges::find(node.actions, action) != node.actions.end();
            });
        }
        nodes.push_back(std::move(all));
        break;
      }
      case Composition::Kind::Hide:
        nodes.push_back(renamed(operand(0), node.actions, nullptr));
        break;
      case Composition::Kind::Rename:
        nodes.push_back(renamed(operand(0), node.actions, &node.renamed));
        break;
    }
  }
  for (std::uint32_t i = 0; i < model.components.size(); ++i)
    if (!used.contains(i))
      throw UserError(fmt::format("module {} is not in the composition", model.components[i].name),
                      "name every module once between system and endsystem");
  return std::move(nodes.back());
}

void check_assignments(const Model& model, const Synchronisation& move) {
  std::map<std::uint32_t, std::uint32_t> writers;  // of variables: the participant
  for (std::uint32_t i = 0; i < move.participants.size(); ++i)
    for (const Command& command : model.components[move.participants[i].component].commands) {
      if (command.action != move.participants[i].action) continue;
      for (const Alternative& alternative : command.alternatives)
        for (const Assignment& assignment : alternative.assignments) {
          const auto [place, is_new] = writers.try_emplace(assignment.variable, i);
          if (!is_new && place->second != i)
            throw UserError(
                assignment.location,
                fmt::format("{} is assigned by modules that move together on action {}",
                            model.variables[assignment.variable].name, model.actions[move.participants[i].action]));
        }
    }
}

}  // namespace

std::vector<Synchronisation> synchronisations(const Model& model) {
  std::vector<Synchronisation> result;
  for (auto& [action, sets] : moves_of(model))
    for (const Participants& participants : sets) {
      result.push_back({action, participants});
      if (participants.size() > 1) check_assignments(model, result.back());
    }
  return result;
}

}  // namespace plumb::chain
