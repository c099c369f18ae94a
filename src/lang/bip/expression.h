#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace plumb::bip {

/// Line and column in the model's file, from 1; 0 where there is none.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

enum class Type : std::uint8_t { Int, Bool };
std::string_view to_string(Type type);  ///< "int", "bool"

/// Index into Model::variables.
using VariableId = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

enum class Operator : std::uint8_t {
  // Unary.
  Negate,
  Not,
  Complement,
  // On ints, two's complement, wrapping.
  Add,
  Subtract,
  Multiply,
  Divide,      ///< towards zero; by zero it is 0
  Remainder,   ///< with the sign of the dividend; by zero it is the dividend
  ShiftLeft,   ///< the amount is taken as unsigned; at least the width gives 0
  ShiftRight,  ///< arithmetic; the amount is taken as unsigned, at least the width gives the sign in every bit
  BitAnd,
  BitOr,
  BitXor,
  // Comparisons; Equal and NotEqual also on bools.
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  // On bools.
  And,
  Or,
  Implies,  ///< in properties alone
};

std::string_view symbol(Operator op);  ///< "+", "=>"
/// How strongly a binary operator binds, as in C: from 1 for `=>`, the only one that groups to the right, to 11 for
/// `*`. 0 for unary ones.
int precedence(Operator op);

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// An expression without effects. As parsed, names stand as written; flatten() makes copies in which every name is
/// bound to a variable of the model or replaced by its constant.
struct Expression {
  enum class Kind : std::uint8_t {
    Number,       ///< `number`; of type Int
    Boolean,      ///< `number` is 0 or 1
    Name,         ///< as parsed: `name`, with dots for members (`v`, `a.v`, `timer.t`); bound: `variable`
    Unary,        ///< `op`
    Binary,       ///< `op`
    Conditional,  ///< c ? a : b
  };
  Kind kind = Kind::Number;
  Place place;
  Type type = Type::Int;  ///< set by the checker
  Operator op = Operator::Add;
  std::int64_t number = 0;
  std::string name;             ///< as written; kept when bound
  VariableId variable = kNone;  ///< of a bound name
  std::vector<ExpressionPtr> operands;
};

/// A Number or a Boolean.
ExpressionPtr make_constant(Type type, std::int64_t value, Place place);
/// Unary without a second operand.
ExpressionPtr make_operation(Operator op, Type type, Place place, ExpressionPtr first, ExpressionPtr second = nullptr);

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
using Block = std::vector<StatementPtr>;

/// What actions and transfers are made of; executed in order, each on the values that those before it left.
struct Statement {
  enum class Kind : std::uint8_t {
    Assign,  ///< `target` (a Name) = `value`; x += e, x++ and the like are parsed into it
    If,      ///< `value`; then_branch, else_branch
  };
  Kind kind = Kind::Assign;
  Place place;
  ExpressionPtr target;
  ExpressionPtr value;
  Block then_branch;
  Block else_branch;
};

ExpressionPtr clone(const Expression& expression);
Block clone(const Block& block);

/// As source text, with no more parentheses than needed: "t < n && !b".
std::string to_text(const Expression& expression);
std::string to_text(const Block& block);  ///< on one line: "t = 0; n = start;"

/// The value of a number in an int of `bits` bits: its low bits, sign-extended.
constexpr std::int64_t wrap(std::int64_t value, std::uint32_t bits) {
  const unsigned shift = 64 - bits;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift) >> shift;
}

/// Values by VariableId: ints sign-extended, bools 0 or 1.
using Values = std::vector<std::int64_t>;

/// Of an expression and statements whose names are bound; `bits` is the width of an int. && || ?: evaluate as in C.
std::int64_t evaluate(const Expression& bound, std::span<const std::int64_t> values, std::uint32_t bits);
void execute(const Block& bound, std::span<std::int64_t> values, std::uint32_t bits);

}  // namespace plumb::bip
