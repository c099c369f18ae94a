#include "lang/bip/syntax/types.h"

#include <fmt/format.h>

namespace plumb::bip {

namespace {

bool is_comparison(Operator op) { return op >= Operator::Less && op <= Operator::NotEqual; }
bool is_ordering(Operator op) { return op >= Operator::Less && op <= Operator::GreaterEqual; }
bool is_logical(Operator op) { return op == Operator::Not || op >= Operator::And; }
bool is_bitwise(Operator op) { return op >= Operator::BitAnd && op <= Operator::BitXor; }

std::string_view with_article(Type type) { return type == Type::Int ? "an int" : "a bool"; }

/// For messages, which are of one line.
std::string brief(const Expression& expression) {
  constexpr std::size_t kLongest = 60;
  const std::string text = to_text(expression);
  return text.size() <= kLongest ? fmt::format("'{}'", text) : "this";
}

class Checker {
 public:
  Checker(const TypeOfName& type_of_name, const Locate& locate) : type_of_name_(type_of_name), locate_(locate) {}

  std::optional<Type> check(Expression& e) const {
    const std::optional<Type> type = type_of(e);
    if (type) e.type = *type;
    return type;
  }

  [[noreturn]] void fail(const Expression& e, const std::string& message, const std::string& hint) const {
    throw UserError(locate_(e.place), message, hint);
  }

 private:
  std::optional<Type> type_of(Expression& e) const {
    switch (e.kind) {
      case Expression::Kind::Number:
        return Type::Int;
      case Expression::Kind::Boolean:
        return Type::Bool;
      case Expression::Kind::Name:
        return type_of_name_(e);
      case Expression::Kind::Unary:
        return unary(e);
      case Expression::Kind::Binary:
        return binary(e);
      case Expression::Kind::Conditional:
        return conditional(e);
    }
    return std::nullopt;
  }

  std::optional<Type> unary(Expression& e) const {
    const Type type = is_logical(e.op) ? Type::Bool : Type::Int;
    need(e, *e.operands[0], type);
    return type;
  }

  std::optional<Type> binary(Expression& e) const {
    Expression& left = *e.operands[0];
    Expression& right = *e.operands[1];
    if (e.op == Operator::Equal || e.op == Operator::NotEqual) {
      const auto a = check(left);
      const auto b = check(right);
      if (a && b && *a != *b)
        fail(right, fmt::format("'{}' compares {} with {}", symbol(e.op), with_article(*a), with_article(*b)),
             hint_for_equality(e));
      return Type::Bool;
    }
    const Type operands = is_logical(e.op) ? Type::Bool : Type::Int;
    need(e, left, operands);
    need(e, right, operands);
    return is_logical(e.op) || is_comparison(e.op) ? Type::Bool : Type::Int;
  }

  std::optional<Type> conditional(Expression& e) const {
    const auto condition = check(*e.operands[0]);
    if (condition == Type::Int)
      fail(*e.operands[0], fmt::format("the condition {} of '?' is an int", brief(*e.operands[0])),
           compare_with_zero(*e.operands[0], "!="));
    const auto a = check(*e.operands[1]);
    const auto b = check(*e.operands[2]);
    if (a && b && *a != *b)
      fail(*e.operands[2], fmt::format("the branches of '?' are {} and {}", with_article(*a), with_article(*b)),
           "give both the same type");
    return a ? a : b;
  }

  void need(const Expression& e, Expression& operand, Type type) const {
    const auto found = check(operand);
    if (!found || *found == type) return;
    const bool is_unary = e.kind == Expression::Kind::Unary;
    const std::string needed = is_unary ? std::string(with_article(type)) : fmt::format("{}s", to_string(type));
    fail(operand,
         fmt::format("'{}' needs {}, but {} is {}", symbol(e.op), needed, brief(operand), with_article(*found)),
         hint_for_operand(e, operand));
  }

  static std::string hint_for_operand(const Expression& e, const Expression& operand) {
    const bool is_compared = operand.kind == Expression::Kind::Binary && is_comparison(operand.op);
    if (e.op == Operator::Not) return compare_with_zero(operand, "==");
    if (is_logical(e.op)) return compare_with_zero(operand, "!=");
    if (is_bitwise(e.op) && is_compared)
      return fmt::format(
          "comparisons bind more strongly than '{}': put parentheses around it, or join bools "
          "with '&&', '||' and '!='",
          symbol(e.op));
    if (is_bitwise(e.op)) return "join bools with '&&', '||' and '!='";
    if (e.op == Operator::Complement) return "negate a bool with '!'";
    if (is_ordering(e.op) && is_compared) return "write 'a < b && b < c' for 'a < b < c'";
    return "'b ? 1 : 0' makes an int of a bool";
  }

  static std::string hint_for_equality(const Expression& e) {
    const Expression& left = *e.operands[0];
    const Expression& right = *e.operands[1];
    return compare_with_zero(left.type == Type::Int ? left : right, "!=");
  }

  static std::string compare_with_zero(const Expression& e, std::string_view op) {
    const std::string text = to_text(e);
    constexpr std::size_t kLongest = 60;
    if (text.size() > kLongest) return fmt::format("compare it with 0: '… {} 0'", op);
    const bool is_weak = e.kind == Expression::Kind::Conditional ||
                         (e.kind == Expression::Kind::Binary && precedence(e.op) <= precedence(Operator::Equal));
    return is_weak ? fmt::format("write '({}) {} 0'", text, op) : fmt::format("write '{} {} 0'", text, op);
  }

  const TypeOfName& type_of_name_;
  const Locate& locate_;
};

}  // namespace

std::optional<Type> check_types(Expression& expression, const TypeOfName& type_of_name, const Locate& locate) {
  return Checker(type_of_name, locate).check(expression);
}

void check_types(Expression& expression, Type type, std::string_view what, const TypeOfName& type_of_name,
                 const Locate& locate) {
  const Checker checker(type_of_name, locate);
  const auto found = checker.check(expression);
  if (!found || *found == type) return;
  checker.fail(expression, fmt::format("{} is {}, but {} is needed", what, with_article(*found), with_article(type)),
               type == Type::Bool ? "compare it: '!= 0'" : "'b ? 1 : 0' makes an int of a bool");
}

}  // namespace plumb::bip
