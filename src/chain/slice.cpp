#include "chain/slice.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"

namespace plumb::chain {
namespace {

using Shape = Formula::Kind;

template <typename F>
void for_each_formula(Formula& formula, F&& f) {
  f(formula);
  for (FormulaPtr& operand : formula.operands) for_each_formula(*operand, f);
}

bool is_clockless(const Formula& formula) {
  return !formula.time || (formula.time->low == 0 && !formula.time->low_is_strict &&
                           formula.time->high == std::numeric_limits<double>::infinity());
}

/// Whether a formula has the same value whatever moves beside what it sees.
bool is_blind_to_others(const Formula& formula, Kind kind) {
  if (formula.kind == Shape::Next || formula.kind == Shape::Filter) return false;
  if (formula.kind == Shape::Label && formula.name == "deadlock") return false;
  if (kind != Kind::Ctmc) {
    if (formula.kind == Shape::SteadyState || formula.kind == Shape::Reward || !is_clockless(formula)) return false;
    // A strategy could let the others move for ever: only reaching something at best is safe from that.
    if (kind == Kind::Mdp && formula.kind == Shape::Probability) {
      const Shape path = formula.operands[0]->kind;
      const bool is_plain_reach = path == Shape::Finally || path == Shape::Until;
      if (!is_plain_reach || formula.query.direction != Query::Direction::Max) return false;
    }
  }
  return std::ranges::all_of(formula.operands,
                             [&](const FormulaPtr& operand) { return is_blind_to_others(*operand, kind); });
}

class Slice {
 public:
  Slice(Model& model, std::vector<Property>& properties) : model_(model), properties_(properties) {}

  std::vector<std::string> run() {
    if (!model_.composition.empty() || model_.initial || !are_blind()) return {};
    find_needed();
    std::vector<std::string> dropped;
    for (std::uint32_t c = 0; c < model_.components.size(); ++c)
      if (!needed_.contains(c)) dropped.push_back(model_.components[c].name);
    if (dropped.empty() || needed_.empty()) return {};
    rebuild();
    return dropped;
  }

 private:
  bool are_blind() const {
    return std::ranges::all_of(properties_,
                               [&](const Property& p) { return is_blind_to_others(*p.formula, model_.kind); });
  }

  /// Whoever owns a variable that the expression reads is needed.
  void need(Expression e) {
    for (const std::uint32_t v : model_.expressions.support(e))
      if (model_.variables[v].component != ~std::uint32_t{0}) needed_.insert(model_.variables[v].component);
  }

  void need_seen_by_properties() {
    for (Property& property : properties_)
      for_each_formula(*property.formula, [&](Formula& part) {
        if (part.kind == Shape::Condition) need(part.expression);
        if (part.kind == Shape::Label) labels_.insert(part.name);
        if (part.kind == Shape::Reward) rewards_.insert(part.reward);
      });
    for (const Label& label : model_.labels)
      if (labels_.contains(label.name)) need(label.condition);
    for (const std::uint32_t r : rewards_)
      for (const RewardItem& item : model_.rewards[r].items) {
        need(item.guard);
        need(item.value);
        // Who takes the action earns: all that have it.
        if (!item.action) continue;
        for (std::uint32_t c = 0; c < model_.components.size(); ++c)
          if (std::ranges::any_of(model_.components[c].commands,
                                  [&](const Command& k) { return k.action == *item.action; }))
            needed_.insert(c);
      }
  }

  bool shares_action(const Component& a, const Component& b) const {
    return std::ranges::any_of(a.commands, [&](const Command& x) {
      return x.action != 0 && std::ranges::any_of(b.commands, [&](const Command& y) { return x.action == y.action; });
    });
  }

  bool assigns_global(const Component& component) const {
    for (const Command& command : component.commands)
      for (const Alternative& alternative : command.alternatives)
        for (const Assignment& assignment : alternative.assignments)
          if (model_.variables[assignment.variable].component == ~std::uint32_t{0}) return true;
    return false;
  }

  void find_needed() {
    need_seen_by_properties();
    for (std::uint32_t c = 0; c < model_.components.size(); ++c)
      if (assigns_global(model_.components[c])) needed_.insert(c);
    for (std::size_t before = model_.components.size() + 1; before != needed_.size();) {
      before = needed_.size();
      for (const std::uint32_t c : std::set<std::uint32_t>(needed_)) {
        for (const Command& command : model_.components[c].commands) {
          need(command.guard);
          for (const Alternative& alternative : command.alternatives) {
            need(alternative.weight);
            for (const Assignment& assignment : alternative.assignments) need(assignment.value);
          }
        }
        for (std::uint32_t other = 0; other < model_.components.size(); ++other)
          if (shares_action(model_.components[c], model_.components[other])) needed_.insert(other);
      }
    }
  }

  bool is_kept(std::uint32_t variable) const {
    const std::uint32_t owner = model_.variables[variable].component;
    return owner == ~std::uint32_t{0} || needed_.contains(owner);
  }
  bool is_kept(Expression e) const {
    return std::ranges::all_of(model_.expressions.support(e), [&](std::uint32_t v) { return is_kept(v); });
  }

  /// The expression over the variables' new positions.
  Expression moved(Expression e) {
    if (!e) return e;
    if (const auto known = moved_.find(e.id); known != moved_.end()) return known->second;
    const ExpressionPool::Node node = model_.expressions[e];
    Expression result = e;
    if (node.op == Op::Variable) {
      result = model_.expressions.variable(position_.at(node.variable), node.type);
    } else if (node.op != Op::Constant) {
      std::array<Expression, 3> operands{};
      for (std::size_t i = 0; i < 3; ++i) operands[i] = moved(node.operands[i]);
      result = model_.expressions.make(node.op, operands[0], operands[1], operands[2]);
    }
    moved_[e.id] = result;
    return result;
  }

  void move_labels_and_rewards() {
    for (Label& label : model_.labels)
      label.condition = is_kept(label.condition) ? moved(label.condition) : model_.expressions.boolean(false);
    for (RewardStructure& structure : model_.rewards)
      for (RewardItem& item : structure.items) {
        const bool stays = is_kept(item.guard) && is_kept(item.value);
        item.guard = stays ? moved(item.guard) : model_.expressions.boolean(false);
        item.value = stays ? moved(item.value) : model_.expressions.real(0);
      }
  }

  void rebuild() {
    std::vector<Variable> variables;
    for (std::uint32_t v = 0; v < model_.variables.size(); ++v) {
      if (!is_kept(v)) continue;
      position_[v] = static_cast<std::uint32_t>(variables.size());
      variables.push_back(model_.variables[v]);
      std::uint32_t& owner = variables.back().component;
      if (owner != ~std::uint32_t{0})
        owner = static_cast<std::uint32_t>(std::distance(needed_.begin(), needed_.find(owner)));
    }
    move_labels_and_rewards();
    for (Property& property : properties_)
      for_each_formula(*property.formula, [&](Formula& part) {
        if (part.kind == Shape::Condition) part.expression = moved(part.expression);
      });
    std::vector<Component> components;
    for (const std::uint32_t c : needed_) {
      components.push_back(std::move(model_.components[c]));
      for (Command& command : components.back().commands) {
        command.guard = moved(command.guard);
        for (Alternative& alternative : command.alternatives) {
          alternative.weight = moved(alternative.weight);
          for (Assignment& assignment : alternative.assignments) {
            assignment.variable = position_.at(assignment.variable);
            assignment.value = moved(assignment.value);
          }
        }
      }
    }
    model_.components = std::move(components);
    model_.variables = std::move(variables);
  }

  Model& model_;
  std::vector<Property>& properties_;
  std::set<std::uint32_t> needed_;  ///< components
  std::set<std::string> labels_;
  std::set<std::uint32_t> rewards_;
  std::map<std::uint32_t, std::uint32_t> position_;
  std::map<std::uint32_t, Expression> moved_;
};

}  // namespace

std::vector<std::string> drop_unseen(Model& model, std::vector<Property>& properties) {
  return Slice(model, properties).run();
}

}  // namespace plumb::chain
