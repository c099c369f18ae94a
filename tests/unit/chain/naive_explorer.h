#pragma once

#include <map>
#include <set>
#include <vector>

#include "chain/build.h"
#include "chain/model.h"
#include "chain/value.h"

namespace plumb::chain {

/// States as vectors of values, moves found by walking the composition's tree in every state: slow and plain.
class NaiveExplorer {
 public:
  using State = std::vector<std::int64_t>;
  struct Choice {
    Action action = 0;
    std::vector<std::pair<double, std::map<std::uint32_t, std::int64_t>>> alternatives;  ///< weight, assignments
  };
  struct Row {
    std::map<State, double> targets;
    std::vector<double> rewards;
  };
  struct Explored {
    std::map<State, std::vector<Row>> rows;
    std::map<State, std::vector<double>> state_rewards;
    std::set<State> deadlocks;
  };

  explicit NaiveExplorer(const Model& model) : model_(model) {}

  Explored run() const {
    Explored result;
    State first;
    for (const Variable& variable : model_.variables) first.push_back(variable.initial);
    std::vector<State> work{first};
    while (!work.empty()) {
      const State state = work.back();
      work.pop_back();
      if (result.rows.contains(state)) continue;
      result.rows[state] = rows(state, result);
      for (const RewardStructure& structure : model_.rewards)
        result.state_rewards[state].push_back(reward(structure, state, nullptr));
      for (const Row& row : result.rows[state])
        for (const auto& [target, weight] : row.targets) work.push_back(target);
    }
    return result;
  }

 private:
  Value evaluate(Expression e, const State& state) const {
    const ExpressionPool::Node& node = model_.expressions[e];
    Value value{};
    if (node.op == Op::Constant) {
      if (node.type == Type::Double)
        value.real = node.real;
      else
        value.integer = node.integer;
      return value;
    }
    if (node.op == Op::Variable) {
      value.integer = state[node.variable];
      return value;
    }
    const Value a = evaluate(node.operands[0], state);
    if (node.op == Op::And) return a.integer == 0 ? a : evaluate(node.operands[1], state);
    if (node.op == Op::Or) return a.integer != 0 ? a : evaluate(node.operands[1], state);
    if (node.op == Op::IfThenElse) return evaluate(node.operands[a.integer != 0 ? 1 : 2], state);
    Fault fault = Fault::None;
    return apply(node.op, model_.expressions.type(node.operands[0]), a,
                 node.operands[1] ? evaluate(node.operands[1], state) : a, fault);
  }

  std::vector<Choice> leaf(std::uint32_t component, const State& state) const {
    std::vector<Choice> result;
    for (const Command& command : model_.components[component].commands) {
      if (evaluate(command.guard, state).integer == 0) continue;
      Choice choice{command.action, {}};
      for (const Alternative& alternative : command.alternatives) {
        std::map<std::uint32_t, std::int64_t> values;
        for (const Assignment& assignment : alternative.assignments)
          values[assignment.variable] = evaluate(assignment.value, state).integer;
        choice.alternatives.emplace_back(evaluate(alternative.weight, state).real, values);
      }
      result.push_back(choice);
    }
    return result;
  }

  static std::vector<Choice> together(const std::vector<Choice>& a, const std::vector<Choice>& b,
                                      const std::set<Action>& on) {
    std::vector<Choice> result;
    for (const auto* side : {&a, &b})
      for (const Choice& choice : *side)
        if (!on.contains(choice.action)) result.push_back(choice);
    for (const Choice& left : a)
      for (const Choice& right : b) {
        if (left.action != right.action || !on.contains(left.action)) continue;
        Choice both{left.action, {}};
        for (const auto& [p, x] : left.alternatives)
          for (const auto& [q, y] : right.alternatives) {
            both.alternatives.emplace_back(p * q, x);
            both.alternatives.back().second.insert(y.begin(), y.end());
          }
        result.push_back(both);
      }
    return result;
  }

  /// The actions that a part of the composition has in its commands, in any state.
  std::set<Action> alphabet(std::uint32_t node) const {
    const Composition& part = model_.composition[node];
    std::set<Action> result;
    if (part.kind == Composition::Kind::Leaf)
      for (const Command& command : model_.components[part.component].commands) result.insert(command.action);
    for (const std::uint32_t operand : part.operands)
      for (const Action action : alphabet(operand)) result.insert(outside(part, action));
    result.erase(0);
    return result;
  }

  static Action outside(const Composition& part, Action action) {
    for (std::size_t i = 0; i < part.actions.size(); ++i) {
      if (part.actions[i] != action) continue;
      if (part.kind == Composition::Kind::Hide) return 0;
      if (part.kind == Composition::Kind::Rename) return part.renamed[i];
    }
    return action;
  }

  std::vector<Choice> choices(std::uint32_t node, const State& state) const {
    const Composition& part = model_.composition[node];
    if (part.kind == Composition::Kind::Leaf) return leaf(part.component, state);
    std::vector<Choice> result = choices(part.operands[0], state);
    if (part.operands.size() == 1) {
      for (Choice& choice : result) choice.action = outside(part, choice.action);
      return result;
    }
    std::set<Action> on(part.actions.begin(), part.actions.end());
    if (part.kind == Composition::Kind::Full) {
      const std::set<Action> other = alphabet(part.operands[1]);
      for (const Action action : alphabet(part.operands[0]))
        if (other.contains(action)) on.insert(action);
    }
    return together(result, choices(part.operands[1], state), on);
  }

  double reward(const RewardStructure& structure, const State& state, const Action* action) const {
    double sum = 0;
    for (const RewardItem& item : structure.items) {
      if (item.action.has_value() != (action != nullptr) || (action && *item.action != *action)) continue;
      if (evaluate(item.guard, state).integer != 0) sum += evaluate(item.value, state).real;
    }
    return sum;
  }

  std::vector<Row> rows(const State& state, Explored& explored) const {
    std::vector<Row> result;
    const std::vector<Choice> all = choices(static_cast<std::uint32_t>(model_.composition.size() - 1), state);
    for (const Choice& choice : all) {
      Row row;
      double total = 0;
      for (const auto& [weight, values] : choice.alternatives) {
        if (weight == 0) continue;
        State target = state;
        for (const auto& [variable, value] : values) target[variable] = value;
        row.targets[target] += weight;
        total += weight;
      }
      for (const RewardStructure& structure : model_.rewards)
        row.rewards.push_back(reward(structure, state, &choice.action) * (model_.kind == Kind::Ctmc ? total : 1));
      if (!row.targets.empty()) result.push_back(row);
    }
    if (result.empty()) {
      explored.deadlocks.insert(state);
      return {{{{state, 1.0}}, std::vector<double>(model_.rewards.size())}};
    }
    if (model_.kind == Kind::Mdp) return result;
    Row sum{{}, std::vector<double>(model_.rewards.size())};
    const double part = model_.kind == Kind::Dtmc ? 1.0 / static_cast<double>(result.size()) : 1;
    for (const Row& row : result) {
      for (const auto& [target, weight] : row.targets) sum.targets[target] += weight * part;
      for (std::size_t r = 0; r < row.rewards.size(); ++r) sum.rewards[r] += row.rewards[r] * part;
    }
    return {sum};
  }

  const Model& model_;
};

}  // namespace plumb::chain
