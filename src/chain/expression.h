#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "chain/exact/fraction.h"

namespace plumb::chain {

class FractionTable;  // exact/fraction_table.h

enum class Type : std::uint8_t { Bool, Int, Double };

/// Operators of guards, updates, rates, rewards and labels. Bools are 0 and 1. An operator works on ints (64 bits) or
/// on doubles by the type of its operands, which must be the same.
enum class Op : std::uint8_t {
  Constant,
  Variable,  ///< of the state, by position
  Not,
  Negate,
  ToDouble,  ///< of an int
  Add,
  Subtract,
  Multiply,
  Divide,  ///< of doubles; by zero is a fault
  Power,   ///< of ints (a negative exponent is a fault) or doubles
  Min,
  Max,
  Floor,  ///< of a double, gives an int; a value that no int has is a fault
  Ceil,
  Round,
  Modulo,  ///< of ints, with the sign of a divisor's that is positive; a divisor that is not is a fault
  Log,     ///< of two doubles: the logarithm of the first to the base of the second
  Less,
  LessEqual,
  Equal,
  And,  ///< the second operand is evaluated only where it decides
  Or,
  IfThenElse,  ///< only the operand that is chosen is evaluated
};

/// A handle on an expression of one pool; operands have smaller handles. 0 is none.
struct Expression {
  std::uint32_t id = 0;

  explicit operator bool() const noexcept { return id != 0; }
  friend bool operator==(Expression, Expression) = default;
};

/// Owns expressions, hash-consed, with constants folded as they are made. May be read from several threads once it does
/// not grow any more. An exact pool reads doubles as the fractions that were written, and computes with those.
class ExpressionPool {
 public:
  enum class Arithmetic : std::uint8_t { Doubles, Exact };
  explicit ExpressionPool(Arithmetic arithmetic = Arithmetic::Doubles);

  struct Node {
    Op op = Op::Constant;
    Type type = Type::Bool;
    std::uint32_t variable = 0;
    std::int64_t integer = 0;  ///< of constants that are ints or bools; of an exact double the number of its fraction
    double real = 0;           ///< of constants that are doubles, exact ones rounded
    std::array<Expression, 3> operands{};
  };

  Expression boolean(bool value) { return constant(Type::Bool, value ? 1 : 0, 0); }
  Expression integer(std::int64_t value) { return constant(Type::Int, value, 0); }
  Expression real(double value);
  Expression real(Fraction value);
  Expression variable(std::uint32_t position, Type type);
  /// Operands must have the types that the operator wants (INVARIANT). What would be a fault is not folded.
  Expression make(Op op, Expression a, Expression b = {}, Expression c = {});
  /// An int converted, a double as it is.
  Expression to_double(Expression a);

  bool is_exact() const noexcept { return fractions_ != nullptr; }
  /// Null unless the pool is exact. To be shared by what computes with its numbers.
  const std::shared_ptr<FractionTable>& fractions() const noexcept { return fractions_; }
  /// Of a constant double, in an exact pool as written.
  Fraction fraction(Expression e) const;

  const Node& operator[](Expression e) const noexcept { return nodes_[e.id]; }
  Type type(Expression e) const noexcept { return nodes_[e.id].type; }
  bool is_constant(Expression e) const noexcept { return nodes_[e.id].op == Op::Constant; }
  bool is_true(Expression e) const noexcept {
    return is_constant(e) && type(e) == Type::Bool && nodes_[e.id].integer == 1;
  }
  bool is_false(Expression e) const noexcept {
    return is_constant(e) && type(e) == Type::Bool && nodes_[e.id].integer == 0;
  }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  /// Positions of the variables that it depends on, ascending.
  std::vector<std::uint32_t> support(Expression e) const;

 private:
  using Key = std::array<std::uint64_t, 4>;
  Expression constant(Type type, std::int64_t integer, double real);
  Expression intern(const Node& node);
  Expression simplified(Op op, Expression a, Expression b, Expression c);

  std::shared_ptr<FractionTable> fractions_;
  std::vector<Node> nodes_{1};
  absl::flat_hash_map<Key, Expression> table_;
};

}  // namespace plumb::chain
