// Array accesses as terms: indices are checked against the size of their dimension; without a check, or behind one that
// failed, a read takes the last element of the dimension and a write is dropped.
#include <algorithm>

#include "lang/tiny/lower/expression.h"

namespace plumb::tiny {
namespace {

/// Rows of this size are still copied element by element in one statement.
constexpr std::uint64_t kMaxRow = 4096;

}  // namespace

bool ExpressionTerms::is_row_index(const Expression& e) const {
  return e.kind == Expression::Kind::Name && e.variable != kNone && is_stack_pointer(program_.variables[e.variable]);
}

Term ExpressionTerms::resized(Term t, std::uint32_t width) {
  const std::uint32_t from = store_.width(t);
  if (from == width) return t;
  return from < width ? store_.zero_extend(t, width) : store_.extract(t, width - 1, 0);
}

Term ExpressionTerms::row_index(const Expression& e, std::uint32_t width) {
  if (e.kind == Expression::Kind::Number) return store_.constant(width, e.number);
  if (is_row_index(e)) return resized(memory_.cell(e.variable).term, width);
  const Term pointer = resized(memory_.cell(e.operands[0]->variable).term, width);
  const Term one = store_.constant(width, e.operands[1]->number);
  return e.op == Operator::Add ? store_.add(pointer, one) : store_.sub(pointer, one);
}

Term ExpressionTerms::pointer_comparison(const Expression& e) {
  const Term pointer = memory_.cell(e.operands[0]->variable).term;
  INVARIANT(e.op == Operator::Greater, "a stack pointer should be compared with zero alone");
  return store_.distinct(pointer, store_.zero(store_.width(pointer)));
}

ExpressionTerms::Access ExpressionTerms::access(const Expression& e) {
  const Variable& v = program_.variables[e.variable];
  const std::vector<std::uint64_t> sizes = sizes_of(v, options_);
  std::uint64_t elements = 1;
  for (const std::uint64_t size : sizes) elements *= size;
  const std::uint32_t width = bits_for(elements);
  const std::uint32_t word = options_.int_width;
  Access result{store_.zero(width), store_.boolean(true)};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    Term index;
    const bool is_row = d == 0 && has_rows(e);
    if (is_row) {
      index = row_index(*e.operands[d], width);
    } else if (d < e.operands.size()) {
      const Term written = value(*e.operands[d]);
      const bool fits = word < 64 && sizes[d] >= (std::uint64_t{1} << word);
      const Term in_bounds = fits ? store_.boolean(true) : store_.ult(written, store_.constant(word, sizes[d]));
      add_check(CheckKind::Index, in_bounds, e.place);
      result.in_bounds = store_.bit_and(result.in_bounds, in_bounds);
      index = store_.ite(in_bounds, resized(written, width), store_.constant(width, sizes[d] - 1));
    } else {
      index = store_.zero(width);
    }
    result.index = store_.add(store_.mul(result.index, store_.constant(width, sizes[d])), index);
  }
  return result;
}

bool ExpressionTerms::has_rows(const Expression& e) const {
  const Expression& first = *e.operands[0];
  if (is_row_index(first)) return true;
  if (first.place.line != 0) return false;
  return first.kind == Expression::Kind::Number ||
         (first.kind == Expression::Kind::Binary && is_row_index(*first.operands[0]));
}

std::vector<Term> ExpressionTerms::row(const Expression& e) {
  const Memory::Cell& cell = memory_.cell(e.variable);
  const std::size_t given = e.operands.size();
  std::uint64_t count = 1;
  for (std::size_t d = given; d < cell.sizes.size(); ++d) count *= cell.sizes[d];
  if (count > kMaxRow) {
    throw Unsupported(program_.location(program_.variables[e.variable].place),
                      "an array of more than 4096 elements that is copied for a recursive call",
                      "pass the same array through the recursion, or make it smaller");
  }
  const std::uint32_t width = memory_.index_width(cell);
  const Term first = given == 0 ? store_.zero(width) : access(e).index;
  std::vector<Term> elements;
  for (std::uint64_t i = 0; i < count; ++i) {
    elements.push_back(store_.select(cell.term, store_.add(first, store_.constant(width, i))));
  }
  return elements;
}

Term ExpressionTerms::stored(Term content, const Expression& target, const std::vector<Term>& value) {
  const std::uint32_t width = store_.sort(content).index_width;
  const Access place = target.operands.empty() ? Access{store_.zero(width), store_.boolean(true)} : access(target);
  Term result = content;
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    result = store_.store(result, store_.add(place.index, store_.constant(width, i)), value[i]);
  }
  return store_.ite(place.in_bounds, result, content);
}

Term ExpressionTerms::stored_under(Term condition, Term content, const Expression& target,
                                   const std::vector<Term>& value) {
  const Term outer = guard_;
  guard_ = store_.bit_and(guard_, condition);
  const Term result = stored(content, target, value);
  guard_ = outer;
  return result;
}

}  // namespace plumb::tiny
