#include "lang/bip/flatten/relation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/bip/flatten/bind.h"

namespace plumb::bip::flat {

namespace {

constexpr std::size_t kMaxPairs = std::size_t{1} << 20;

void collect_variables(const Expression& e, std::set<VariableId>& variables) {
  if (e.kind == Expression::Kind::Name) variables.insert(e.variable);
  for (const ExpressionPtr& operand : e.operands) collect_variables(*operand, variables);
}

}  // namespace

PriorityRelation::PriorityRelation(Context& context, std::vector<std::string> names)
    : context_(context), names_(std::move(names)), progress_(names_.size(), Bits(names_.size())) {}

void PriorityRelation::add_rule(Bits low, Bits high, ExpressionPtr guard, Place place) {
  if (guard && constant_value(*guard, context_.model.bits)) return;  // what is constant and not true is false
  std::uint32_t number = kNone;
  if (guard) {
    // Names mean the same in all rules here, so equal texts are equal conditions.
    const std::string text = to_text(*guard);
    const auto same = std::ranges::find(guards_, text, [](const ExpressionPtr& known) { return to_text(*known); });
    number = static_cast<std::uint32_t>(same - guards_.begin());
    if (same == guards_.end()) guards_.push_back(std::move(guard));
  }
  rules_.push_back({std::move(low), std::move(high), number, place});
}

std::vector<PriorityRelation::Pair> PriorityRelation::close() {
  PriorityClosure closure =
      close_priorities(progress_, rules_, [this](const GuardSet& guards) { return can_hold(guards); }, kMaxPairs);
  if (closure.unconditional_cycle)
    context_.fail(closure.unconditional_cycle->place,
                  fmt::format("priorities are cyclic: {}", text_of(*closure.unconditional_cycle)),
                  "remove one of the rules, or give it a condition: `provided (…)`; inside a connector, an interaction "
                  "gives way to larger ones without any rule");
  if (closure.is_too_large)
    throw Unsupported(context_.location(rules_.empty() ? Place{} : rules_.front().place),
                      "the priorities from here on follow from each other in far too many ways",
                      "write fewer rules with conditions, or rules that do not build on each other");
  for (const PriorityClosure::Cycle& cycle : closure.conditional_cycles) {
    ExpressionPtr condition = conjunction(cycle.guards);
    context_.warn(cycle.place,
                  fmt::format("priorities are cyclic where '{}' holds: {}", to_text(*condition), text_of(cycle)));
    context_.model.priority_cycles.push_back(std::move(condition));
  }
  std::vector<Pair> pairs;
  for (const PriorityClosure::Pair& pair : closure.pairs)
    pairs.push_back({pair.low, pair.high, pair.guards.empty() ? nullptr : conjunction(pair.guards), pair.place});
  return pairs;
}

/// False only if no values make all guards true, which is found out where they hang on few bits: rules for a condition
/// and for its opposite are common, and together they are no cycle.
bool PriorityRelation::can_hold(const GuardSet& guards) {
  constexpr std::uint32_t kMaxBits = 16;
  constexpr std::uint64_t kMaxEvaluations = 20'000'000;
  if (const auto it = known_.find(guards); it != known_.end()) return it->second;
  std::set<VariableId> variables;
  for (const std::uint32_t guard : guards) collect_variables(*guards_[guard], variables);
  std::uint32_t bits = 0;
  for (const VariableId variable : variables)
    bits += context_.model.variables[variable].type == Type::Bool ? 1 : context_.model.bits;
  bool result = true;
  if (bits <= kMaxBits && evaluations_ < kMaxEvaluations) {
    evaluations_ += std::uint64_t{1} << bits;
    result = holds_somewhere(guards, {variables.begin(), variables.end()}, std::uint64_t{1} << bits);
  }
  return known_[guards] = result;
}

bool PriorityRelation::holds_somewhere(const GuardSet& guards, const std::vector<VariableId>& variables,
                                       std::uint64_t states) const {
  const Model& model = context_.model;
  Values values(model.variables.size());
  for (std::uint64_t state = 0; state < states; ++state) {
    std::uint64_t rest = state;
    for (const VariableId variable : variables) {
      const bool is_bool = model.variables[variable].type == Type::Bool;
      values[variable] =
          is_bool ? static_cast<std::int64_t>(rest & 1) : wrap(static_cast<std::int64_t>(rest), model.bits);
      rest >>= is_bool ? 1 : model.bits;
    }
    if (std::ranges::all_of(guards,
                            [&](std::uint32_t guard) { return evaluate(*guards_[guard], values, model.bits) != 0; }))
      return true;
  }
  return false;
}

ExpressionPtr PriorityRelation::conjunction(const GuardSet& guards) const {
  ExpressionPtr result = clone(*guards_[guards.front()]);
  for (std::size_t i = 1; i < guards.size(); ++i) {
    const Place place = result->place;
    result = make_operation(Operator::And, Type::Bool, place, std::move(result), clone(*guards_[guards[i]]));
  }
  return result;
}

std::string PriorityRelation::text_of(const PriorityClosure::Cycle& cycle) const {
  std::string text;
  for (const std::uint32_t node : cycle.nodes) text += fmt::format("'{}' < ", names_[node]);
  return text + fmt::format("'{}'", names_[cycle.nodes.front()]);
}

}  // namespace plumb::bip::flat
