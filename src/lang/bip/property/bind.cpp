#include "lang/bip/property/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lang/bip/property/resolve.h"

namespace plumb::bip {

namespace {

using Kind = Expression::Kind;

ExpressionPtr boolean(bool value, Place place) { return make_constant(Type::Bool, value ? 1 : 0, place); }

ExpressionPtr unary(Operator op, ExpressionPtr operand, Place place) {
  return make_operation(op, Type::Bool, place, std::move(operand));
}

ExpressionPtr binary(Operator op, ExpressionPtr left, ExpressionPtr right, Place place) {
  return make_operation(op, Type::Bool, place, std::move(left), std::move(right));
}

bool is_constant(const Expression& e, bool value) { return e.kind == Kind::Boolean && (e.number != 0) == value; }

class Binder {
 public:
  Binder(const Model& model, const Tokens& tokens) : model_(model), tokens_(tokens) {}

  void bind(ExpressionPtr& expression) const {
    Expression& e = *expression;
    if (e.kind == Kind::Number) return check_number(e);
    if (is_special(e)) fail_name(e);
    if (const Reference reference = reference_of(model_, e); reference.kind == Reference::Kind::Constant) {
      const Model::Constant& constant = model_.constants[reference.id];
      expression = make_constant(constant.type, constant.value, e.place);
      return;
    }
    const bool is_comparison = e.kind == Kind::Binary && (e.op == Operator::Equal || e.op == Operator::NotEqual);
    if (is_comparison && (is_special(*e.operands[0]) || is_special(*e.operands[1]))) {
      if (ExpressionPtr decided = compare(e)) expression = std::move(decided);
      return;
    }
    for (ExpressionPtr& operand : e.operands) bind(operand);
  }

 private:
  void check_number(const Expression& e) const {
    const std::int64_t greatest = (std::int64_t{1} << (model_.bits - 1)) - 1;
    if (e.number > greatest || e.number < -greatest - 1)
      tokens_.fail(e.place, fmt::format("{} does not fit an int of {} bits", e.number, model_.bits),
                   "take wider ints with --bits");
  }

  /// Names that have a meaning in comparisons alone.
  bool is_special(const Expression& e) const {
    const Reference::Kind kind = reference_of(model_, e).kind;
    return e.kind == Kind::Name && kind != Reference::Kind::Variable && kind != Reference::Kind::Constant;
  }

  const std::string& name_of(const Reference& reference) const { return model_.components[reference.id].name; }

  [[noreturn]] void fail_name(const Expression& e) const {
    const Reference reference = reference_of(model_, e);
    if (reference.kind == Reference::Kind::Unknown) fail_unknown(model_, e.name, e.place, tokens_);
    if (reference.kind == Reference::Kind::Place)
      tokens_.fail(e.place, fmt::format("'{}' can only be compared with places, by == and !=", e.name),
                   fmt::format("write '{} == {}'", e.name, model_.components[reference.id].places.front()));
    tokens_.fail(e.place, fmt::format("component '{}' can only be compared with components, by == and !=", e.name),
                 "did you mean its place, or one of its variables?");
  }

  /// Of a comparison with a component, a place or an unknown name; null if it is decided already.
  ExpressionPtr compare(const Expression& e) const {
    const Expression* left = e.operands[0].get();
    const Expression* right = e.operands[1].get();
    if (reference_of(model_, *left).kind != Reference::Kind::Place) std::swap(left, right);
    const Reference a = reference_of(model_, *left);
    const Reference b = reference_of(model_, *right);
    using enum Reference::Kind;
    const bool is_equal = e.op == Operator::Equal;
    if (a.kind == Component && b.kind == Component) return boolean((a.id == b.id) == is_equal, e.place);
    if (a.kind != Place) fail_name(is_special(*e.operands[0]) ? *e.operands[0] : *e.operands[1]);
    if (b.kind == Place) return compare_places(e, a.id, b.id);
    if (right->kind == Kind::Number && !right->name.empty()) return nullptr;
    if (right->kind != Kind::Name || b.kind == Variable) fail_name(*left);
    return compare_with_name(e.op, *left, a.id, *right);
  }

  ExpressionPtr compare_with_name(Operator op, const Expression& left, ComponentId component,
                                  const Expression& right) const {
    const std::vector<std::string>& places = model_.components[component].places;
    const auto found = std::ranges::find(places, right.name);
    if (found == places.end()) fail_place(model_, component, right.name, right.place, tokens_);
    return compare_with_place(op, left, component, static_cast<std::size_t>(found - places.begin()), right.place);
  }

  ExpressionPtr compare_with_place(Operator op, const Expression& left, ComponentId component, std::size_t position,
                                   Place at) const {
    ExpressionPtr right = make_constant(Type::Int, static_cast<std::int64_t>(position), at);
    right->name = model_.components[component].places[position];
    return binary(op, clone(left), std::move(right), left.place);
  }

  /// Both are in the same place: a disjunction over the places.
  ExpressionPtr compare_places(const Expression& e, ComponentId a, ComponentId b) const {
    const Model::Component& left = model_.components[a];
    const Model::Component& right = model_.components[b];
    const bool is_equal = e.op == Operator::Equal;
    if (a == b) return boolean(is_equal, e.place);
    if (left.type != right.type)
      tokens_.fail(e.operands[1]->place,
                   fmt::format("'{}' is of type '{}' and '{}' of type '{}': their places cannot be compared", left.name,
                               left.type, right.name, right.type),
                   "compare each with the name of a place");
    std::vector<ExpressionPtr> places;
    for (std::size_t i = 0; i < left.places.size(); ++i)
      places.push_back(binary(Operator::And, compare_with_place(Operator::Equal, *e.operands[0], a, i, e.place),
                              compare_with_place(Operator::Equal, *e.operands[1], b, i, e.place), e.place));
    ExpressionPtr same = join(Operator::Or, std::move(places), e.place);
    return is_equal ? std::move(same) : unary(Operator::Not, std::move(same), e.place);
  }

  const Model& model_;
  const Tokens& tokens_;
};

/// Of And and Or: a constant that decides, or that leaves the other side.
ExpressionPtr simplified_junction(ExpressionPtr e) {
  const bool neutral = e->op == Operator::And;
  for (std::size_t i = 0; i < 2; ++i) {
    if (is_constant(*e->operands[i], neutral)) return std::move(e->operands[1 - i]);
    if (is_constant(*e->operands[i], !neutral)) return std::move(e->operands[i]);
  }
  return e;
}

ExpressionPtr simplified_implication(ExpressionPtr e) {
  const Place place = e->place;
  if (is_constant(*e->operands[0], false) || is_constant(*e->operands[1], true)) return boolean(true, place);
  if (is_constant(*e->operands[0], true)) return std::move(e->operands[1]);
  if (is_constant(*e->operands[1], false)) return unary(Operator::Not, std::move(e->operands[0]), place);
  return e;
}

ExpressionPtr join_range(Operator op, std::span<ExpressionPtr> operands, Place place) {
  if (operands.size() == 1) return std::move(operands.front());
  const std::size_t half = (operands.size() + 1) / 2;
  return binary(op, join_range(op, operands.first(half), place), join_range(op, operands.subspan(half), place), place);
}

}  // namespace

void bind_names(ExpressionPtr& expression, const Model& model, const Tokens& tokens) {
  Binder(model, tokens).bind(expression);
}

ExpressionPtr simplified(ExpressionPtr e) {
  for (ExpressionPtr& operand : e->operands) operand = simplified(std::move(operand));
  const bool is_decided = e->kind == Kind::Conditional || (e->kind == Kind::Unary && e->op == Operator::Not);
  if (is_decided && e->operands[0]->kind == Kind::Boolean) {
    const bool value = e->operands[0]->number != 0;
    return e->kind == Kind::Unary ? boolean(!value, e->place) : std::move(e->operands[value ? 1 : 2]);
  }
  if (e->kind != Kind::Binary) return e;
  if (e->op == Operator::And || e->op == Operator::Or) return simplified_junction(std::move(e));
  return e->op == Operator::Implies ? simplified_implication(std::move(e)) : std::move(e);
}

ExpressionPtr join(Operator op, std::vector<ExpressionPtr> operands, Place place) {
  const bool neutral = op == Operator::And;
  const auto decides = [&](const ExpressionPtr& e) { return is_constant(*e, !neutral); };
  if (std::ranges::any_of(operands, decides)) return boolean(!neutral, place);
  std::erase_if(operands, [&](const ExpressionPtr& e) { return is_constant(*e, neutral); });
  return operands.empty() ? boolean(neutral, place) : join_range(op, operands, place);
}

}  // namespace plumb::bip
