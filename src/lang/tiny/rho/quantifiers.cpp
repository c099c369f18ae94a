// Quantifiers as one expression. The paper (section 3.3.1, Fig. 3.4) makes a loop with an early exit of a quantifier
// and unrolls it where the bounds are constant. Here it is unrolled also where they are not: forall(i:[l..h]) B(i) is
// the conjunction of l <= c && c <= h -> B(c) over all values c that an int has, evaluated and checked from below with
// the loop's early exit. A body that uses i in indices a[i + k] alone is the same for all values that are out of bounds
// in every access, so that no more instances are left than the arrays have elements. In a precondition, which is false
// as soon as a check fails, it is enough that the first check of the body is that of a[i + k].
#include "lang/tiny/rho/quantifiers.h"

#include <algorithm>

namespace plumb::tiny {
namespace {

enum class Found : std::uint8_t { Nothing, Access, OtherCheck };

bool is_arithmetic(Operator op) {
  return op == Operator::Negate || op == Operator::Add || op == Operator::Subtract || op == Operator::Multiply;
}

bool is_shift(Operator op) { return op == Operator::ShiftLeft || op == Operator::ShiftRight; }

/// The node's own check, operands aside.
bool node_may_fail(const Program& program, const Options& options, const Expression& e, Mode mode) {
  switch (e.kind) {
    case Expression::Kind::Index:
      return options.check_index;
    case Expression::Kind::Call:
      return true;
    case Expression::Kind::Name: {
      const Variable& v = program.variables[e.variable];
      return v.kind == Variable::Kind::Wire && v.definition && may_fail(program, options, *v.definition, mode);
    }
    case Expression::Kind::Unary:
      return e.op == Operator::Negate && options.check_overflow && mode == Mode::Code &&
             e.operands[0]->kind != Expression::Kind::Number;
    case Expression::Kind::Binary:
      if (options.check_overflow && mode == Mode::Code && (is_arithmetic(e.op) || is_shift(e.op))) return true;
      if (e.op == Operator::Divide) {
        return options.check_division || (options.check_overflow && options.is_signed && mode == Mode::Code);
      }
      return e.op == Operator::Remainder && options.check_division;
    default:
      return false;
  }
}

/// The constant k of an index i + k, i - k or i.
std::optional<Integer> offset_of(const Program& program, const Options& options, const Expression& index,
                                 VariableId variable) {
  const auto is_variable = [&](const Expression& e) {
    return e.kind == Expression::Kind::Name && e.variable == variable;
  };
  if (is_variable(index)) return 0;
  if (index.kind != Expression::Kind::Binary) return std::nullopt;
  if (index.op != Operator::Add && index.op != Operator::Subtract) return std::nullopt;
  if (is_variable(*index.operands[0])) {
    const auto k = constant_bound(program, options, *index.operands[1]);
    if (!k) return std::nullopt;
    return index.op == Operator::Add ? *k : -*k;
  }
  if (index.op == Operator::Add && is_variable(*index.operands[1])) {
    return constant_bound(program, options, *index.operands[0]);
  }
  return std::nullopt;
}

/// Finds the first check that evaluating the body makes in any case, if it is that of an array indexed by the variable
/// plus a constant.
class FirstCheck {
 public:
  FirstCheck(const Program& program, const Options& options, VariableId variable, Mode mode)
      : program_(program), options_(options), variable_(variable), mode_(mode) {}

  const Expression* access = nullptr;
  Integer offset = 0;

  Found search(const Expression& e) {
    if (e.kind == Expression::Kind::Index && options_.check_index && is_one_dimensional(e) &&
        !node_may_fail(program_, options_, *e.operands.back(), mode_)) {
      if (const auto k = offset_of(program_, options_, *e.operands.back(), variable_)) {
        access = &e;
        offset = *k;
        return Found::Access;
      }
    }
    if (e.kind == Expression::Kind::Quantified) return Found::OtherCheck;
    const bool first_only = e.kind == Expression::Kind::Conditional ||
                            (e.kind == Expression::Kind::Binary &&
                             (e.op == Operator::And || e.op == Operator::Or || e.op == Operator::Implies));
    for (std::size_t i = 0; i < (first_only ? 1 : e.operands.size()); ++i) {
      if (const Found found = search(*e.operands[i]); found != Found::Nothing) return found;
    }
    if (first_only) {
      const bool rest = std::any_of(e.operands.begin() + 1, e.operands.end(), [&](const ExpressionPtr& operand) {
        return may_fail(program_, options_, *operand, mode_);
      });
      return rest ? Found::OtherCheck : Found::Nothing;
    }
    return node_may_fail(program_, options_, e, mode_) ? Found::OtherCheck : Found::Nothing;
  }

 private:
  /// In the source: recursion may have put the stack pointer before the index.
  bool is_one_dimensional(const Expression& e) const {
    if (e.operands.size() == 1) return true;
    const Expression& row = *e.operands[0];
    return e.operands.size() == 2 && row.kind == Expression::Kind::Name &&
           is_stack_pointer(program_.variables[row.variable]);
  }

  const Program& program_;
  const Options& options_;
  VariableId variable_;
  Mode mode_;
};

struct IndexUse {
  Integer offset;
  Integer size;
};

/// The accesses that a body makes with the variable, if it uses it for nothing else.
std::optional<std::vector<IndexUse>> index_uses(const Program& program, const Options& options, const Expression& body,
                                                VariableId variable, Mode mode) {
  std::vector<IndexUse> uses;
  std::size_t names = 0;
  std::size_t checked = 0;
  for_each_expression(body, [&](const Expression& e) {
    if (e.kind == Expression::Kind::Name && e.variable == variable) ++names;
    if (e.kind != Expression::Kind::Index) return;
    const std::vector<std::uint64_t> sizes = sizes_of(program.variables[e.variable], options);
    for (std::size_t d = 0; d < e.operands.size(); ++d) {
      const auto k = offset_of(program, options, *e.operands[d], variable);
      if (!k) continue;
      if (*k != 0 && options.check_overflow && mode == Mode::Code) ++checked;
      uses.push_back({*k, static_cast<Integer>(sizes[d])});
    }
  });
  if (names != uses.size() || checked != 0 || uses.empty()) return std::nullopt;
  return uses;
}

/// Splits [first..last] by whether value + offset, as a word, is below the size in some access.
std::vector<Segment> by_bounds(const Options& options, Integer first, Integer last, const std::vector<IndexUse>& uses,
                               Segment outside) {
  const Integer words = Integer{1} << options.int_width;
  std::vector<Segment> result;
  Integer position = first;
  while (position <= last) {
    bool is_inside = false;
    Integer length = last - position + 1;
    for (const IndexUse& use : uses) {
      const Integer word = (((position + use.offset) % words) + words) % words;
      is_inside = is_inside || word < use.size;
      length = std::min(length, word < use.size ? std::min(use.size, words) - word : words - word);
    }
    Segment next = is_inside ? Segment{0, 0, Segment::Kind::Each, nullptr} : outside;
    next.first = position;
    next.last = position + length - 1;
    position = next.last + 1;
    result.push_back(next);
  }
  return result;
}

std::vector<Segment> split(const Program& program, const Options& options, const Expression& quantified, Mode mode,
                           Integer first, Integer last) {
  const Expression& body = *quantified.operands[2];
  if (const auto uses = index_uses(program, options, body, quantified.variable, mode)) {
    return by_bounds(options, first, last, *uses, {0, 0, Segment::Kind::Same, nullptr});
  }
  FirstCheck first_check(program, options, quantified.variable, mode);
  if (mode == Mode::Pre && first_check.search(body) == Found::Access) {
    const Variable& array = program.variables[first_check.access->variable];
    const auto size = static_cast<Integer>(sizes_of(array, options).back());
    return by_bounds(options, first, last, {{first_check.offset, size}},
                     {0, 0, Segment::Kind::Fails, first_check.access});
  }
  return {{first, last, Segment::Kind::Each, nullptr}};
}

Integer evaluations(const std::vector<Segment>& segments) {
  Integer count = 0;
  for (const Segment& s : segments) count += s.kind == Segment::Kind::Each ? s.last - s.first + 1 : Integer{1};
  return count;
}

/// A choice that is new at each evaluation.
bool takes_choice(const Program& program, const Expression& e) {
  if (e.kind == Expression::Kind::Nondet) return true;
  if (e.kind != Expression::Kind::Name && e.kind != Expression::Kind::Index) return false;
  const Variable& v = program.variables[e.variable];
  return v.kind == Variable::Kind::Wire && (v.definition ? has_choice(program, *v.definition) : true);
}

}  // namespace

bool has_choice(const Program& program, const Expression& expression) {
  bool result = false;
  for_each_expression(expression, [&](const Expression& e) { result = result || takes_choice(program, e); });
  return result;
}

Integer least_int(const Options& options) {
  return options.is_signed ? -(Integer{1} << (options.int_width - 1)) : Integer{0};
}

Integer greatest_int(const Options& options) {
  return (Integer{1} << (options.is_signed ? options.int_width - 1 : options.int_width)) - 1;
}

std::optional<Integer> constant_bound(const Program& program, const Options& options, const Expression& bound) {
  // Longer products than this do not occur in bounds of ints and would not fit.
  constexpr Integer kLimit = Integer{1} << 62;
  std::optional<Integer> result;
  switch (bound.kind) {
    case Expression::Kind::Number:
      result = static_cast<Integer>(bound.number);
      break;
    case Expression::Kind::MaxArraySize:
      result = static_cast<Integer>(options.max_array_size());
      if (*result > greatest_int(options)) return std::nullopt;
      break;
    case Expression::Kind::Name: {
      const Variable& v = program.variables[bound.variable];
      if (v.kind != Variable::Kind::Constant || !v.definition) return std::nullopt;
      result = constant_bound(program, options, *v.definition);
      if (result && (*result < least_int(options) || *result > greatest_int(options))) return std::nullopt;
      break;
    }
    case Expression::Kind::Unary:
      if (bound.op != Operator::Negate) return std::nullopt;
      if (const auto a = constant_bound(program, options, *bound.operands[0])) result = -*a;
      break;
    case Expression::Kind::Binary: {
      if (!is_arithmetic(bound.op)) return std::nullopt;
      const auto a = constant_bound(program, options, *bound.operands[0]);
      const auto b = constant_bound(program, options, *bound.operands[1]);
      if (!a || !b) return std::nullopt;
      result = bound.op == Operator::Add ? *a + *b : bound.op == Operator::Subtract ? *a - *b : *a * *b;
      break;
    }
    default:
      break;
  }
  if (result && (*result > kLimit || *result < -kLimit)) return std::nullopt;
  return result;
}

bool may_fail(const Program& program, const Options& options, const Expression& expression, Mode mode) {
  bool result = false;
  for_each_expression(expression,
                      [&](const Expression& e) { result = result || node_may_fail(program, options, e, mode); });
  return result;
}

bool bound_may_fail(const Program& program, const Options& options, const Expression& bound, Mode mode) {
  const bool is_exact =
      (bound.kind == Expression::Kind::Binary || bound.kind == Expression::Kind::Unary) && is_arithmetic(bound.op);
  if (!is_exact) return may_fail(program, options, bound, mode);
  return std::any_of(bound.operands.begin(), bound.operands.end(),
                     [&](const ExpressionPtr& operand) { return bound_may_fail(program, options, *operand, mode); });
}

std::optional<std::vector<Segment>> instances(const Program& program, const Options& options,
                                              const Expression& quantified, Mode mode, std::uint64_t limit) {
  Integer first = least_int(options);
  Integer last = greatest_int(options);
  if (const auto low = constant_bound(program, options, *quantified.operands[0])) first = std::max(first, *low);
  if (const auto high = constant_bound(program, options, *quantified.operands[1])) last = std::min(last, *high);
  if (first > last) return std::vector<Segment>{};
  std::vector<Segment> segments = split(program, options, quantified, mode, first, last);
  if (evaluations(segments) > static_cast<Integer>(limit)) return std::nullopt;
  return segments;
}

std::optional<std::uint64_t> unrolled_size(const Program& program, const Options& options, const Expression& quantified,
                                           Mode mode, std::uint64_t limit) {
  const auto segments = instances(program, options, quantified, mode, limit);
  if (!segments) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(evaluations(*segments));
  bool possible = true;
  std::uint64_t inner = 1;
  const std::uint64_t inner_limit = limit / std::max<std::uint64_t>(count, 1);
  for_each_expression(*quantified.operands[2], [&](const Expression& e) {
    if (e.kind == Expression::Kind::Call || takes_choice(program, e)) possible = false;
    if (e.kind != Expression::Kind::Quantified || !possible) return;
    const auto size = unrolled_size(program, options, e, mode, inner_limit);
    if (size) {
      inner = std::max(inner, *size);
    } else {
      possible = false;
    }
  });
  if (!possible) return std::nullopt;
  return count * inner;
}

}  // namespace plumb::tiny
