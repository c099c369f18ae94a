#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/budget.h"
#include "lang/smtlib/lexer.h"
#include "lang/smtlib/type.h"

namespace plumb::smtlib {

/// How an operator's operands are checked and combined.
enum class Shape : std::uint8_t {
  Not,
  And,
  Or,
  Xor,
  Implies,
  Equal,
  Distinct,
  Ite,
  Unary,            ///< (_ BitVec n) -> (_ BitVec n)
  Binary,           ///< two of equal width, same width out
  LeftAssociative,  ///< the same, with two or more operands
  NotBinary,        ///< Binary, complemented
  Predicate,        ///< two of equal width -> Bool
  Swapped,          ///< Predicate with its operands exchanged
  NotPredicate,     ///< Predicate, negated
  UnaryPredicate,
  Compare,  ///< bvcomp
  ReduceOr,
  ReduceAnd,
  NoSmulOverflow,   ///< signed multiplication does not overflow upwards
  NoSmulUnderflow,  ///< … downwards
  Concat,
  Extract,
  Extend,
  Rotate,
  Repeat,
  Select,
  Store,
  ConstantArray,
};

struct Operator {
  std::string_view name;
  Shape shape;
  term::Op op = term::Op::Constant;  ///< of those shapes that have several
  std::uint8_t indices = 0;          ///< numerals between `_` and the closing parenthesis
};

/// All operators of the supported theories.
std::span<const Operator> operators();

/// An operator at a place in the text, ready for its operands.
struct Head {
  const Operator* op = nullptr;
  std::uint32_t offset = 0;
  std::uint32_t indices[2] = {0, 0};
  Type type;  ///< of ConstantArray: the array
};

/// Makes terms of operators after checking the operands as SMT-LIB demands. Throws UserError at the head's place:
/// "bvadd: operands have widths 8 and 16". Not thread-safe.
class OperatorApplier {
 public:
  OperatorApplier(term::TermStore& store, const Lexer& lexer, const Budget& budget)
      : store_(store), lexer_(lexer), budget_(budget) {}

  TypedTerm apply(const Head& head, std::span<const TypedTerm> operands);

 private:
  using Operands = std::span<const TypedTerm>;

  TypedTerm connective(const Head& head, Operands operands);
  TypedTerm equal(const Head& head, Operands operands);
  TypedTerm distinct(const Head& head, Operands operands);
  TypedTerm ite(const Head& head, Operands operands);
  TypedTerm arithmetic(const Head& head, Operands operands);
  TypedTerm predicate(const Head& head, Operands operands);
  TypedTerm reduction(const Head& head, Operands operands);
  TypedTerm concat(const Head& head, Operands operands);
  TypedTerm indexed(const Head& head, Operands operands);
  TypedTerm array(const Head& head, Operands operands);
  term::Term no_smul_overflow(term::Term a, term::Term b, bool upwards);

  [[noreturn]] void fail(const Head& head, std::string_view message) const;
  void need_count(const Head& head, Operands operands, std::size_t least, std::size_t most) const;
  void need_bools(const Head& head, Operands operands) const;
  void need_bits(const Head& head, Operands operands) const;
  void need_same_widths(const Head& head, Operands operands) const;
  void need_same_types(const Head& head, Operands operands) const;
  /// Throws if a result would be wider than BitVector::kMaxWidth.
  std::uint32_t checked_width(const Head& head, std::uint64_t width) const;
  term::Term make(term::Op op, term::Term a, term::Term b);

  term::TermStore& store_;
  const Lexer& lexer_;
  const Budget& budget_;
};

}  // namespace plumb::smtlib
