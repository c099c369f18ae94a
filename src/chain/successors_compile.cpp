// What the successor function is made of. Most guards are conjunctions of comparisons of a variable with a constant,
// most assignments are a constant or a variable with a constant added: those are kept as numbers and need no code.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "chain/successors.h"

namespace plumb::chain {

Successors::Successors(const Model& model, const StateLayout& layout, bool keeps_commands_apart)
    : model_(model),
      reals_(model.expressions.fractions().get()),
      layout_(layout),
      has_choices_(model.kind == Kind::Mdp || keeps_commands_apart),
      machine_(model.expressions, model.variables.size()) {
  std::map<std::pair<std::uint32_t, Action>, std::vector<std::uint32_t>> by_action;
  for (std::uint32_t i = 0; i < model.components.size(); ++i)
    for (const Command& command : model.components[i].commands) {
      if (model.expressions.is_false(command.guard)) continue;
      by_action[{i, command.action}].push_back(static_cast<std::uint32_t>(commands_.size()));
      compile_command(command);
    }
  for (const Synchronisation& synchronisation : synchronisations(model)) {
    Move move{synchronisation.action, {}};
    for (const auto& [component, action] : synchronisation.participants)
      move.participants.push_back(by_action[{component, action}]);
    max_participants_ = std::max(max_participants_, move.participants.size());
    add_moves(std::move(move));
  }
  compile_rewards();
  machine_.finish();
  choose_groups();
}

void Successors::compile_command(const Command& command) {
  CompiledCommand compiled;
  compiled.source = &command;
  compiled.first_range = static_cast<std::uint32_t>(ranges_.size());
  compile_guard(command.guard, compiled);
  compiled.last_range = static_cast<std::uint32_t>(ranges_.size());
  compiled.first = static_cast<std::uint32_t>(alternatives_.size());
  compiled.is_sum_checked = true;
  Value sum{};
  for (const Alternative& alternative : command.alternatives) {
    CompiledAlternative into;
    into.is_constant = model_.expressions.is_constant(alternative.weight);
    if (into.is_constant) {
      const ExpressionPool::Node& weight = model_.expressions[alternative.weight];
      if (reals_.is_exact())
        into.weight.integer = weight.integer;
      else
        into.weight.real = weight.real;
      if (!is_weight(into.weight))
        throw UserError(
            alternative.location,
            fmt::format("a {} is {}", model_.kind == Kind::Ctmc ? "rate" : "probability", text_of(into.weight)));
      sum = reals_.add(sum, into.weight);
    } else {
      into.code = machine_.compile(alternative.weight);
      compiled.is_sum_checked = false;
    }
    into.first = static_cast<std::uint32_t>(assignments_.size());
    for (const Assignment& assignment : alternative.assignments) assignments_.push_back(compile_assignment(assignment));
    into.last = static_cast<std::uint32_t>(assignments_.size());
    alternatives_.push_back(into);
  }
  compiled.last = static_cast<std::uint32_t>(alternatives_.size());
  if (model_.kind == Kind::Ctmc)
    compiled.is_sum_checked = true;
  else if (compiled.is_sum_checked)
    check_sum(command, sum, nullptr);
  commands_.push_back(compiled);
}

bool Successors::is_weight(Value value) const {
  return reals_.is_exact() ? !(*reals_.fractions())[value].is_negative() : value.real >= 0 && !std::isinf(value.real);
}

std::string Successors::text_of(Value value) const {
  if (reals_.is_exact()) return (*reals_.fractions())[value].to_string();
  return fmt::format("{}", std::isnan(value.real) ? NAN : value.real);
}

void Successors::check_sum(const Command& command, Value sum, const Scratch* scratch) const {
  const double tolerance = 1e-12 * static_cast<double>(command.alternatives.size() + 1);
  // Fractions have nothing to excuse.
  if (reals_.is_exact() ? sum.integer == reals_.one().integer : std::abs(sum.real - 1) <= tolerance) return;
  const std::string what = fmt::format("the probabilities of this command sum to {}", text_of(sum));
  if (scratch) fail(command.location, what, *scratch);
  throw UserError(command.location, what);
}

void Successors::compile_guard(Expression guard, CompiledCommand& into) {
  const ExpressionPool& pool = model_.expressions;
  into.first_rest = static_cast<std::uint32_t>(rests_.size());
  std::vector<Expression> work{guard};
  while (!work.empty()) {
    const Expression next = work.back();
    work.pop_back();
    if (pool[next].op == Op::And) {
      work.push_back(pool[next].operands[1]);
      work.push_back(pool[next].operands[0]);
    } else if (!pool.is_true(next) && !add_range(next)) {
      rests_.push_back({machine_.compile(next), pool.support(next)});
    }
  }
  into.last_rest = static_cast<std::uint32_t>(rests_.size());
}

bool Successors::add_range(Expression condition) {
  const ExpressionPool& pool = model_.expressions;
  const ExpressionPool::Node* node = &pool[condition];
  const bool negated = node->op == Op::Not;
  if (negated) node = &pool[node->operands[0]];
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  const auto add = [&](std::uint32_t variable, std::int64_t low, std::int64_t high) {
    low = std::max(low, model_.variables[variable].low);
    high = std::min(high, model_.variables[variable].high);
    if (low > high) return false;  // never true: left to code, which says so as well
    ranges_.push_back({variable, low, static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)});
    return true;
  };
  if (node->op == Op::Variable) return add(node->variable, negated ? 0 : 1, negated ? 0 : 1);
  if (node->op != Op::Less && node->op != Op::LessEqual && node->op != Op::Equal) return false;
  const ExpressionPool::Node& a = pool[node->operands[0]];
  const ExpressionPool::Node& b = pool[node->operands[1]];
  if (a.type == Type::Double) return false;
  const bool variable_first = a.op == Op::Variable && b.op == Op::Constant;
  if (!variable_first && !(a.op == Op::Constant && b.op == Op::Variable)) return false;
  const std::uint32_t variable = variable_first ? a.variable : b.variable;
  const std::int64_t c = variable_first ? b.integer : a.integer;
  if (c == kLeast || c == kGreatest) return false;
  if (node->op == Op::Equal) return !negated && add(variable, c, c);
  // v < c, v <= c, c < v, c <= v, and their complements.
  const bool strict = node->op == Op::Less;
  if (variable_first != negated) {
    const bool below_is_strict = variable_first ? strict : !strict;
    return add(variable, kLeast, below_is_strict ? c - 1 : c);
  }
  const bool above_is_strict = variable_first ? !strict : strict;
  return add(variable, above_is_strict ? c + 1 : c, kGreatest);
}

Successors::CompiledAssignment Successors::compile_assignment(const Assignment& assignment) {
  const ExpressionPool& pool = model_.expressions;
  const ExpressionPool::Node& node = pool[assignment.value];
  CompiledAssignment compiled{CompiledAssignment::Kind::Code, assignment.variable, 0, 0, 0, &assignment};
  const auto small = [](const ExpressionPool::Node& n) {
    return n.op == Op::Constant && std::abs(static_cast<double>(n.integer)) < 1e15;
  };
  if (node.op == Op::Constant) {
    compiled.kind = CompiledAssignment::Kind::Constant;
    compiled.constant = node.integer;
    return compiled;
  }
  if (node.op == Op::Variable) {
    compiled.kind = CompiledAssignment::Kind::Offset;
    compiled.source = node.variable;
    return compiled;
  }
  if ((node.op == Op::Add || node.op == Op::Subtract) && node.type == Type::Int) {
    const ExpressionPool::Node& a = pool[node.operands[0]];
    const ExpressionPool::Node& b = pool[node.operands[1]];
    const bool first = a.op == Op::Variable && small(b);
    if (first || (node.op == Op::Add && b.op == Op::Variable && small(a))) {
      compiled.kind = CompiledAssignment::Kind::Offset;
      compiled.source = first ? a.variable : b.variable;
      compiled.constant = first ? b.integer : a.integer;
      if (node.op == Op::Subtract) compiled.constant = -compiled.constant;
      return compiled;
    }
  }
  compiled.code = machine_.compile(assignment.value);
  return compiled;
}

Successors::RewardCode Successors::compile_reward(const RewardItem& item) {
  return {machine_.compile(item.guard), machine_.compile(item.value), item.action.value_or(0), &item};
}

void Successors::compile_rewards() {
  for (const RewardStructure& structure : model_.rewards) {
    CompiledRewards& compiled = rewards_.emplace_back();
    for (const RewardItem& item : structure.items)
      (item.action ? compiled.actions : compiled.states).push_back(compile_reward(item));
    if (!compiled.actions.empty()) action_structures_.push_back(rewards_.size() - 1);
  }
}

}  // namespace plumb::chain
