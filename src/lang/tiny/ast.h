#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace plumb::tiny {

/// Line and column in the program's file, from 1; 0 where there is none.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

enum class Type : std::uint8_t { Void, Int, Bool };

using VariableId = std::uint32_t;  ///< index into Program::variables
using FunctionId = std::uint32_t;  ///< index into Program::functions
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// One variable, wherever it is declared.
struct Variable {
  enum class Kind : std::uint8_t {
    Global,
    Parameter,
    Local,
    Quantified,  ///< of a forall or exists; not assignable
    Wire,        ///< `definition` is its value at every point; without one it is a free input of every step
    Constant,    ///< `definition` is a constant expression
  };
  std::string name;         ///< as written
  std::string unique_name;  ///< function::name, with a number behind '#' where that occurs twice; globals plain
  Place place;
  Kind kind = Kind::Local;
  Type type = Type::Int;  ///< of the scalar or of an element; not Void
  /// Sizes by dimension: none for a scalar, at most two as written (rho may add one). A free size is nullopt.
  std::vector<std::optional<std::uint64_t>> dimensions;
  FunctionId function = kNone;  ///< that it belongs to; kNone for globals
  /// Of wires and constants, for arrays of wires none; of a global, its initial value: a constant expression, or none.
  ExpressionPtr definition;
  /// The declaration has no initial value: it takes any value whenever it is executed (globals and parameters of the
  /// entry function: at the start of the run).
  bool is_free = false;

  bool is_array() const noexcept { return !dimensions.empty(); }
};

enum class Operator : std::uint8_t {
  // Unary.
  Negate,
  Not,
  Complement,
  // Arithmetic and bits, on ints.
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
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
  // On bools. The right side of And, Or and Implies is evaluated (and checked) only where it decides.
  And,
  Or,
  Implies,
};

struct Expression {
  enum class Kind : std::uint8_t {
    Number,        ///< `number`; a literal with a minus sign is Negate of it
    Boolean,       ///< `number` is 0 or 1
    Name,          ///< `variable`; of an array only as a call's argument
    Index,         ///< `variable`, operands are the indices, one a dimension
    Unary,         ///< `op`
    Binary,        ///< `op`
    Conditional,   ///< c ? a : b
    Call,          ///< `function`, operands are the arguments
    Quantified,    ///< `variable` ranges over [operands[0] .. operands[1]], operands[2] is the body; `is_forall`
    Nondet,        ///< nondet() or nondet_bool(): any value at each evaluation
    ToBool,        ///< an int as a condition: not zero (made by the checker)
    MaxArraySize,  ///< MAX_ARRAY_SIZE
  };
  Kind kind = Kind::Number;
  Place place;
  Type type = Type::Int;
  std::uint64_t number = 0;
  Operator op = Operator::Add;
  VariableId variable = kNone;  ///< resolved by the checker
  FunctionId function = kNone;  ///< resolved by the checker
  bool is_forall = false;
  std::string name;  ///< as written, of names and calls
  std::vector<ExpressionPtr> operands;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    Block,    ///< body
    Declare,  ///< `variable`; `value` is its initial value or null (arrays have none; wires and constants have a
              ///< definition instead, and nothing happens here)
    Assign,   ///< `target` (Name or Index) = `value`
    Call,     ///< `value` is a Call whose result is dropped
    If,       ///< `value`; body[0], a Block, and body[1] if there is an else: a Block or an If
    While,    ///< `value`; body[0]
    DoWhile,  ///< body[0]; `value`
    For,      ///< body[0] is the start, body[1] the step (Blocks where they are missing or several), body[2] the body;
              ///< `value` may be null
    Break,
    Continue,
    Return,    ///< `value` or null
    Together,  ///< body: Assign and If alone, all on the values before the block
    Pre,       ///< `name` { value }
    Post,      ///< `name` { value }
    Assert,    ///< `value`; `name` is its text
    Assume,    ///< runs on which `value` is false end here
    // Made by rho alone:
    CallFunction,  ///< control goes to `function` and comes back behind this statement
  };
  Kind kind = Kind::Block;
  Place place;
  std::string name;
  VariableId variable = kNone;
  FunctionId function = kNone;
  ExpressionPtr target;
  ExpressionPtr value;
  std::vector<StatementPtr> body;
};

struct Function {
  std::string name;
  Place place;
  Type result = Type::Void;
  std::vector<VariableId> parameters;
  VariableId return_variable = kNone;  ///< `rv`; kNone for void and for predicates
  StatementPtr body;                   ///< a Block
  /// A named predicate, `isSorted(int [] a, int n) = forall …`: its body is one Return, and calls of it are replaced by
  /// that expression.
  bool is_predicate = false;
  bool is_recursive = false;  ///< it may call itself, also through others (found by the checker)
};

/// A checked program. Entry: `main` if there is one, otherwise the only function that no other calls, or the only one
/// with a contract. Free variables of the entry's parameters and of globals are the inputs.
struct Program {
  std::string file;
  std::string text;  ///< of the file, for source lines in waveforms
  std::vector<Variable> variables;
  std::vector<Function> functions;
  FunctionId entry = kNone;

  SourceLocation location(Place place) const { return {file, place.line, place.column}; }
};

/// Deep copies. They recurse, as destruction does: parse() makes no trees that are too deep for that, and whoever makes
/// others keeps them balanced.
ExpressionPtr clone(const Expression& expression);
StatementPtr clone(const Statement& statement);

}  // namespace plumb::tiny
