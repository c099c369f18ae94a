#include "lang/smtlib/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace plumb::smtlib {

using term::Op;
using term::Term;

namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

constexpr Operator kOperators[] = {
    {"not", Shape::Not},
    {"and", Shape::And},
    {"or", Shape::Or},
    {"xor", Shape::Xor},
    {"=>", Shape::Implies},
    {"=", Shape::Equal},
    {"distinct", Shape::Distinct},
    {"ite", Shape::Ite},
    {"bvnot", Shape::Unary, Op::Not},
    {"bvneg", Shape::Unary, Op::Neg},
    {"bvand", Shape::LeftAssociative, Op::And},
    {"bvor", Shape::LeftAssociative, Op::Or},
    {"bvxor", Shape::LeftAssociative, Op::Xor},
    {"bvadd", Shape::LeftAssociative, Op::Add},
    {"bvsub", Shape::LeftAssociative, Op::Sub},
    {"bvmul", Shape::LeftAssociative, Op::Mul},
    {"bvnand", Shape::NotBinary, Op::And},
    {"bvnor", Shape::NotBinary, Op::Or},
    {"bvxnor", Shape::NotBinary, Op::Xor},
    {"bvudiv", Shape::Binary, Op::Udiv},
    {"bvurem", Shape::Binary, Op::Urem},
    {"bvsdiv", Shape::Binary, Op::Sdiv},
    {"bvsrem", Shape::Binary, Op::Srem},
    {"bvsmod", Shape::Binary, Op::Smod},
    {"bvshl", Shape::Binary, Op::Shl},
    {"bvlshr", Shape::Binary, Op::Lshr},
    {"bvashr", Shape::Binary, Op::Ashr},
    {"ext_rotate_left", Shape::Binary, Op::RotateLeft},
    {"ext_rotate_right", Shape::Binary, Op::RotateRight},
    {"bvult", Shape::Predicate, Op::Ult},
    {"bvule", Shape::Predicate, Op::Ule},
    {"bvugt", Shape::Swapped, Op::Ult},
    {"bvuge", Shape::Swapped, Op::Ule},
    {"bvslt", Shape::Predicate, Op::Slt},
    {"bvsle", Shape::Predicate, Op::Sle},
    {"bvsgt", Shape::Swapped, Op::Slt},
    {"bvsge", Shape::Swapped, Op::Sle},
    {"bvnego", Shape::UnaryPredicate, Op::NegOverflow},
    {"bvuaddo", Shape::Predicate, Op::UaddOverflow},
    {"bvsaddo", Shape::Predicate, Op::SaddOverflow},
    {"bvumulo", Shape::Predicate, Op::UmulOverflow},
    {"bvsmulo", Shape::Predicate, Op::SmulOverflow},
    {"bvusubo", Shape::Predicate, Op::UsubOverflow},
    {"bvssubo", Shape::Predicate, Op::SsubOverflow},
    {"bvsdivo", Shape::Predicate, Op::SdivOverflow},
    {"bvumul_noovfl", Shape::NotPredicate, Op::UmulOverflow},
    {"bvsmul_noovfl", Shape::NoSmulOverflow},
    {"bvsmul_noudfl", Shape::NoSmulUnderflow},
    {"bvcomp", Shape::Compare},
    {"bvredor", Shape::ReduceOr},
    {"bvredand", Shape::ReduceAnd},
    {"concat", Shape::Concat},
    {"extract", Shape::Extract, Op::Extract, 2},
    {"zero_extend", Shape::Extend, Op::ZeroExtend, 1},
    {"sign_extend", Shape::Extend, Op::SignExtend, 1},
    {"rotate_left", Shape::Rotate, Op::RotateLeft, 1},
    {"rotate_right", Shape::Rotate, Op::RotateRight, 1},
    {"repeat", Shape::Repeat, Op::Repeat, 1},
    {"select", Shape::Select},
    {"store", Shape::Store},
};

}  // namespace

std::span<const Operator> operators() { return kOperators; }

TypedTerm OperatorApplier::apply(const Head& head, Operands operands) {
  switch (head.op->shape) {
    case Shape::Not:
    case Shape::And:
    case Shape::Or:
    case Shape::Xor:
    case Shape::Implies:
      return connective(head, operands);
    case Shape::Equal:
      return equal(head, operands);
    case Shape::Distinct:
      return distinct(head, operands);
    case Shape::Ite:
      return ite(head, operands);
    case Shape::Unary:
    case Shape::Binary:
    case Shape::LeftAssociative:
    case Shape::NotBinary:
      return arithmetic(head, operands);
    case Shape::Compare:
    case Shape::ReduceOr:
    case Shape::ReduceAnd:
      return reduction(head, operands);
    case Shape::Concat:
      return concat(head, operands);
    case Shape::Extract:
    case Shape::Extend:
    case Shape::Rotate:
    case Shape::Repeat:
      return indexed(head, operands);
    case Shape::Select:
    case Shape::Store:
    case Shape::ConstantArray:
      return array(head, operands);
    default:
      return predicate(head, operands);
  }
}

TypedTerm OperatorApplier::connective(const Head& head, Operands operands) {
  const Shape shape = head.op->shape;
  // A single operand of `and` and `or` is no SMT-LIB, but printers of queries write it and every solver takes it.
  const bool one_is_enough = shape == Shape::And || shape == Shape::Or || shape == Shape::Not;
  need_count(head, operands, one_is_enough ? 1 : 2, shape == Shape::Not ? 1 : kAny);
  need_bools(head, operands);
  Term result;
  if (shape == Shape::Not) {
    result = store_.bit_not(operands[0].term);
  } else if (operands.size() == 2) {
    const Term a = operands[0].term;
    const Term b = operands[1].term;
    result = shape == Shape::And   ? store_.bit_and(a, b)
             : shape == Shape::Or  ? store_.bit_or(a, b)
             : shape == Shape::Xor ? store_.bit_xor(a, b)
                                   : store_.implies(a, b);
  } else if (shape == Shape::Xor) {
    result = operands[0].term;
    for (const TypedTerm& operand : operands.subspan(1)) result = store_.bit_xor(result, operand.term);
  } else {
    std::vector<Term> terms;
    for (const TypedTerm& operand : operands) terms.push_back(operand.term);
    if (shape == Shape::Implies)  // a => (b => c) is (not a) or (not b) or c
      for (std::size_t i = 0; i + 1 < terms.size(); ++i) terms[i] = store_.bit_not(terms[i]);
    result = shape == Shape::And ? store_.all_of(terms) : store_.any_of(terms);
  }
  return {result, Type::boolean()};
}

TypedTerm OperatorApplier::equal(const Head& head, Operands operands) {
  need_count(head, operands, 2, kAny);
  need_same_types(head, operands);
  if (operands.size() == 2) return {store_.eq(operands[0].term, operands[1].term), Type::boolean()};
  std::vector<Term> terms;
  for (std::size_t i = 0; i + 1 < operands.size(); ++i)
    terms.push_back(store_.eq(operands[i].term, operands[i + 1].term));
  return {store_.all_of(terms), Type::boolean()};
}

TypedTerm OperatorApplier::distinct(const Head& head, Operands operands) {
  need_count(head, operands, 2, kAny);
  need_same_types(head, operands);
  const Type& type = operands[0].type;
  if (!type.is_array() && type.width < 32 && operands.size() > (std::size_t{1} << type.width))
    return {store_.boolean(false), Type::boolean()};
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    budget_.check();
    for (std::size_t j = i + 1; j < operands.size(); ++j)
      terms.push_back(store_.distinct(operands[i].term, operands[j].term));
  }
  return {store_.all_of(terms), Type::boolean()};
}

TypedTerm OperatorApplier::ite(const Head& head, Operands operands) {
  need_count(head, operands, 3, 3);
  if (!operands[0].type.is_bool())
    fail(head, fmt::format("the condition has sort {}, not Bool", operands[0].type.to_string()));
  need_same_types(head, operands.subspan(1));
  return {store_.ite(operands[0].term, operands[1].term, operands[2].term), operands[1].type};
}

TypedTerm OperatorApplier::arithmetic(const Head& head, Operands operands) {
  const Shape shape = head.op->shape;
  const std::size_t least = shape == Shape::Unary ? 1 : 2;
  need_count(head, operands, least, shape == Shape::LeftAssociative ? kAny : least);
  need_bits(head, operands);
  need_same_widths(head, operands);
  Term result = operands[0].term;
  if (shape == Shape::Unary)
    result = head.op->op == Op::Not ? store_.bit_not(result) : store_.neg(result);
  else
    for (const TypedTerm& operand : operands.subspan(1)) result = make(head.op->op, result, operand.term);
  if (shape == Shape::NotBinary) result = store_.bit_not(result);
  return {result, operands[0].type};
}

TypedTerm OperatorApplier::predicate(const Head& head, Operands operands) {
  const Shape shape = head.op->shape;
  const std::size_t count = shape == Shape::UnaryPredicate ? 1 : 2;
  need_count(head, operands, count, count);
  need_bits(head, operands);
  need_same_widths(head, operands);
  const Term a = operands.front().term;
  const Term b = operands.back().term;
  Term result;
  if (shape == Shape::UnaryPredicate)
    result = store_.neg_overflow(a);
  else if (shape == Shape::NoSmulOverflow || shape == Shape::NoSmulUnderflow)
    result = no_smul_overflow(a, b, shape == Shape::NoSmulOverflow);
  else if (shape == Shape::Swapped)
    result = make(head.op->op, b, a);
  else
    result = make(head.op->op, a, b);
  if (shape == Shape::NotPredicate) result = store_.bit_not(result);
  return {result, Type::boolean()};
}

Term OperatorApplier::no_smul_overflow(Term a, Term b, bool upwards) {
  // A product leaves the range upwards if the signs agree, downwards if they differ.
  const std::uint32_t top = store_.width(a) - 1;
  const Term differ = store_.bit_xor(store_.bit(a, top), store_.bit(b, top));
  return store_.bit_not(store_.bit_and(store_.smul_overflow(a, b), upwards ? store_.bit_not(differ) : differ));
}

TypedTerm OperatorApplier::reduction(const Head& head, Operands operands) {
  const Shape shape = head.op->shape;
  const std::size_t count = shape == Shape::Compare ? 2 : 1;
  need_count(head, operands, count, count);
  need_bits(head, operands);
  need_same_widths(head, operands);
  const Term a = operands.front().term;
  const std::uint32_t width = operands.front().type.width;
  const Term result = shape == Shape::Compare    ? store_.eq(a, operands.back().term)
                      : shape == Shape::ReduceOr ? store_.distinct(a, store_.zero(width))
                                                 : store_.eq(a, store_.ones(width));
  return {result, Type::bits(1)};
}

TypedTerm OperatorApplier::concat(const Head& head, Operands operands) {
  need_count(head, operands, 2, kAny);
  need_bits(head, operands);
  std::uint64_t width = 0;
  for (const TypedTerm& operand : operands) width += operand.type.width;
  const Type type = Type::bits(checked_width(head, width));
  Term result = operands[0].term;
  for (const TypedTerm& operand : operands.subspan(1)) result = store_.concat(result, operand.term);
  return {result, type};
}

TypedTerm OperatorApplier::indexed(const Head& head, Operands operands) {
  need_count(head, operands, 1, 1);
  need_bits(head, operands);
  const Term a = operands[0].term;
  const std::uint32_t width = operands[0].type.width;
  const std::uint32_t index = head.indices[0];
  switch (head.op->shape) {
    case Shape::Extract: {
      const std::uint32_t low = head.indices[1];
      if (index >= width) fail(head, fmt::format("bit {} of an operand of width {}", index, width));
      if (low > index) fail(head, fmt::format("the lower bit {} is above the upper bit {}", low, index));
      return {store_.extract(a, index, low), Type::bits(index - low + 1)};
    }
    case Shape::Extend: {
      const std::uint32_t wide = checked_width(head, std::uint64_t{width} + index);
      if (index == 0) return operands[0];
      return {head.op->op == Op::ZeroExtend ? store_.zero_extend(a, wide) : store_.sign_extend(a, wide),
              Type::bits(wide)};
    }
    case Shape::Rotate: {
      const std::uint32_t amount = index % width;
      if (amount == 0) return operands[0];
      const std::uint32_t low = head.op->op == Op::RotateLeft ? width - amount : amount;  // becomes bit 0
      return {store_.concat(store_.extract(a, low - 1, 0), store_.extract(a, width - 1, low)), operands[0].type};
    }
    default: {
      if (index == 0) fail(head, "needs at least one copy");
      const std::uint32_t wide = checked_width(head, std::uint64_t{width} * index);
      return {store_.repeat(a, index), Type::bits(wide)};
    }
  }
}

TypedTerm OperatorApplier::array(const Head& head, Operands operands) {
  const auto need = [&](const TypedTerm& operand, const Type& type, std::string_view what) {
    if (operand.type != type)
      fail(head,
           fmt::format("the {} has sort {}, the array needs {}", what, operand.type.to_string(), type.to_string()));
  };
  const Shape shape = head.op->shape;
  const std::size_t count = shape == Shape::ConstantArray ? 1 : shape == Shape::Select ? 2 : 3;
  need_count(head, operands, count, count);
  if (shape == Shape::ConstantArray) {
    need(operands[0], head.type.element_type(), "element");
    return {store_.constant_array(head.type.index_width, operands[0].term), head.type};
  }
  const Type& type = operands[0].type;
  if (!type.is_array()) fail(head, fmt::format("the first operand has sort {}, not an array", type.to_string()));
  need(operands[1], type.index_type(), "index");
  if (shape == Shape::Select) return {store_.select(operands[0].term, operands[1].term), type.element_type()};
  need(operands[2], type.element_type(), "element");
  return {store_.store(operands[0].term, operands[1].term, operands[2].term), type};
}

void OperatorApplier::fail(const Head& head, std::string_view message) const {
  lexer_.fail(head.offset, fmt::format("{}: {}", head.op->name, message));
}

void OperatorApplier::need_count(const Head& head, Operands operands, std::size_t least, std::size_t most) const {
  if (operands.size() >= least && operands.size() <= most) return;
  fail(head, fmt::format("needs {}{} operand{}, has {}", most == kAny ? "at least " : "", least, least == 1 ? "" : "s",
                         operands.size()));
}

void OperatorApplier::need_bools(const Head& head, Operands operands) const {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!operands[i].type.is_bool())
      fail(head, fmt::format("operand {} has sort {}, not Bool", i + 1, operands[i].type.to_string()));
}

void OperatorApplier::need_bits(const Head& head, Operands operands) const {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!operands[i].type.is_bits())
      fail(head, fmt::format("operand {} has sort {}, not a bit-vector", i + 1, operands[i].type.to_string()));
}

void OperatorApplier::need_same_widths(const Head& head, Operands operands) const {
  for (const TypedTerm& operand : operands)
    if (operand.type.width != operands[0].type.width)
      fail(head, fmt::format("operands have widths {} and {}", operands[0].type.width, operand.type.width));
}

void OperatorApplier::need_same_types(const Head& head, Operands operands) const {
  for (const TypedTerm& operand : operands) {
    if (operand.type == operands[0].type) continue;
    if (operand.type.is_bits() && operands[0].type.is_bits()) need_same_widths(head, operands);
    fail(head, fmt::format("operands have sorts {} and {}", operands[0].type.to_string(), operand.type.to_string()));
  }
}

std::uint32_t OperatorApplier::checked_width(const Head& head, std::uint64_t width) const {
  if (width > BitVector::kMaxWidth)
    fail(head, fmt::format("the result has {} bits, more than the {} that are supported", width, BitVector::kMaxWidth));
  return static_cast<std::uint32_t>(width);
}

Term OperatorApplier::make(Op op, Term a, Term b) {
  const std::array<Term, 2> operands{a, b};
  return store_.make(op, operands);
}

}  // namespace plumb::smtlib
