#include "lang/tiny/lower/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plumb::tiny {

void ExpressionTerms::begin(Mode mode) {
  mode_ = mode;
  checks_.clear();
  guard_ = store_.boolean(true);
}

std::vector<MadeCheck> ExpressionTerms::take_checks() { return std::exchange(checks_, {}); }

void ExpressionTerms::add_check(CheckKind kind, Term condition, Place place) {
  const bool is_on = kind == CheckKind::Index      ? options_.check_index
                     : kind == CheckKind::Overflow ? options_.check_overflow && mode_ == Mode::Code
                     : kind == CheckKind::Division ? options_.check_division
                                                   : options_.check_recursion;
  if (!is_on) return;
  const Term guarded = store_.implies(guard_, condition);
  if (store_.is_true(guarded)) return;
  // An expression that is unrolled makes its check once an instance; to the user they are one.
  for (auto it = checks_.rbegin(); it != checks_.rend(); ++it) {
    if (it->kind != kind || it->place != place) continue;
    it->condition = store_.bit_and(it->condition, guarded);
    return;
  }
  checks_.push_back({kind, guarded, place});
}

Term ExpressionTerms::value_under(Term condition, const Expression& e) {
  const Term outer = guard_;
  guard_ = store_.bit_and(guard_, condition);
  const Term result = value(e);
  guard_ = outer;
  return result;
}

Term ExpressionTerms::value(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::Number:
      return store_.constant(options_.int_width, e.number);
    case Expression::Kind::Boolean:
      return store_.boolean(e.number != 0);
    case Expression::Kind::MaxArraySize:
      return store_.constant(options_.int_width, options_.max_array_size());
    case Expression::Kind::Name:
      return name(e);
    case Expression::Kind::Index: {
      const Term array = program_.variables[e.variable].kind == Variable::Kind::Wire ? free_wire(e.variable, e.place)
                                                                                     : memory_.cell(e.variable).term;
      const Term element = store_.select(array, access(e).index);
      const bool is_loop_variable = program_.variables[e.variable].kind == Variable::Kind::Quantified;
      return is_loop_variable ? store_.extract(element, options_.int_width - 1, 0) : element;
    }
    case Expression::Kind::Unary:
      return unary(e);
    case Expression::Kind::Binary:
      return binary(e);
    case Expression::Kind::Conditional:
      return conditional(e);
    case Expression::Kind::Quantified:
      return quantified(e);
    case Expression::Kind::Nondet:
      return nondet(e);
    case Expression::Kind::ToBool:
      return store_.distinct(value(*e.operands[0]), store_.zero(options_.int_width));
    case Expression::Kind::Call:
      break;
  }
  INVARIANT(false, "rho should leave no calls in expressions");
}

Term ExpressionTerms::name(const Expression& e) {
  if (const auto found = bound_.find(e.variable); found != bound_.end()) return found->second;
  const Variable& v = program_.variables[e.variable];
  if (v.kind == Variable::Kind::Constant) {
    // The definition was checked when the program was read.
    const std::vector<MadeCheck> before = checks_;
    const Term result = value(*v.definition);
    checks_ = before;
    return result;
  }
  if (v.kind == Variable::Kind::Wire) return v.definition ? value(*v.definition) : free_wire(e.variable, e.place);
  const Term term = memory_.cell(e.variable).term;
  return v.kind == Variable::Kind::Quantified ? store_.extract(term, options_.int_width - 1, 0) : term;
}

Term ExpressionTerms::free_wire(VariableId variable, Place place) {
  const Variable& v = program_.variables[variable];
  if (choices_.contains(v.unique_name)) {
    throw Unsupported(program_.location(place),
                      fmt::format("the wire {}, which has no definition, is read twice", v.name),
                      "give its value to a variable and read that");
  }
  const std::uint32_t width = v.type == Type::Bool ? 1 : options_.int_width;
  std::uint64_t elements = 1;
  for (const std::uint64_t size : sizes_of(v, options_)) elements *= size;
  const Term input = store_.variable(Sort{width, v.is_array() ? bits_for(elements) : 0}, v.unique_name);
  graph_.inputs.push_back(input);
  choices_.emplace(v.unique_name, input);
  return input;
}

Term ExpressionTerms::nondet(const Expression& e) {
  const std::string key = fmt::format("nondet@{}:{}", e.place.line, e.place.column);
  const Term input = store_.variable(e.type == Type::Bool ? 1 : options_.int_width, key);
  graph_.inputs.push_back(input);
  const bool is_new = choices_.emplace(key, input).second;
  INVARIANT(is_new, "a nondet() should be evaluated by one statement");
  return input;
}

Term ExpressionTerms::unary(const Expression& e) {
  const Expression& operand = *e.operands[0];
  const Term a = value(operand);
  switch (e.op) {
    case Operator::Not:
    case Operator::Complement:
      return store_.bit_not(a);
    case Operator::Negate:
      if (operand.kind != Expression::Kind::Number) {
        const Term overflow =
            options_.is_signed ? store_.neg_overflow(a) : store_.distinct(a, store_.zero(options_.int_width));
        add_check(CheckKind::Overflow, store_.bit_not(overflow), e.place);
      }
      return store_.neg(a);
    default:
      break;
  }
  INVARIANT(false, "a unary operator should be one of three");
}

Term ExpressionTerms::binary(const Expression& e) {
  if (e.op == Operator::And || e.op == Operator::Or || e.op == Operator::Implies) return connective(e);
  if (is_exact_comparison(e)) return exact_comparison(e);
  if (is_row_index(*e.operands[0])) return pointer_comparison(e);
  const Term a = value(*e.operands[0]);
  const Term b = value(*e.operands[1]);
  switch (e.op) {
    case Operator::Add:
    case Operator::Subtract:
    case Operator::Multiply:
      return arithmetic(e, a, b);
    case Operator::Divide:
    case Operator::Remainder:
      return division(e, a, b);
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
      return shift(e, a, b);
    case Operator::BitAnd:
      return store_.bit_and(a, b);
    case Operator::BitOr:
      return store_.bit_or(a, b);
    case Operator::BitXor:
      return store_.bit_xor(a, b);
    default:
      return comparison(e.op, a, b);
  }
}

Term ExpressionTerms::connective(const Expression& e) {
  const Term a = value(*e.operands[0]);
  const Term b = value_under(e.op == Operator::Or ? store_.bit_not(a) : a, *e.operands[1]);
  if (e.op == Operator::And) return store_.bit_and(a, b);
  return e.op == Operator::Or ? store_.bit_or(a, b) : store_.implies(a, b);
}

Term ExpressionTerms::conditional(const Expression& e) {
  const Term condition = value(*e.operands[0]);
  const Term a = value_under(condition, *e.operands[1]);
  const Term b = value_under(store_.bit_not(condition), *e.operands[2]);
  return store_.ite(condition, a, b);
}

Term ExpressionTerms::arithmetic(const Expression& e, Term a, Term b) {
  const bool is_signed = options_.is_signed;
  Term result;
  Term overflow;
  if (e.op == Operator::Add) {
    result = store_.add(a, b);
    overflow = is_signed ? store_.sadd_overflow(a, b) : store_.uadd_overflow(a, b);
  } else if (e.op == Operator::Subtract) {
    result = store_.sub(a, b);
    overflow = is_signed ? store_.ssub_overflow(a, b) : store_.usub_overflow(a, b);
  } else {
    result = store_.mul(a, b);
    overflow = is_signed ? store_.smul_overflow(a, b) : store_.umul_overflow(a, b);
  }
  add_check(CheckKind::Overflow, store_.bit_not(overflow), e.place);
  return result;
}

Term ExpressionTerms::division(const Expression& e, Term a, Term b) {
  add_check(CheckKind::Division, store_.distinct(b, store_.zero(options_.int_width)), e.place);
  if (e.op == Operator::Remainder) return options_.is_signed ? store_.srem(a, b) : store_.urem(a, b);
  if (!options_.is_signed) return store_.udiv(a, b);
  add_check(CheckKind::Overflow, store_.bit_not(store_.sdiv_overflow(a, b)), e.place);
  return store_.sdiv(a, b);
}

Term ExpressionTerms::shift(const Expression& e, Term a, Term b) {
  const std::uint32_t width = options_.int_width;
  // An amount of `width` fits in a word of that many bits from two bits on; with one bit, no amount is too great but 1.
  const Term in_range = width == 1 ? store_.eq(b, store_.zero(1)) : store_.ult(b, store_.constant(width, width));
  add_check(CheckKind::Overflow, in_range, e.place);
  if (e.op == Operator::ShiftLeft) return store_.shl(a, b);
  return options_.is_signed ? store_.ashr(a, b) : store_.lshr(a, b);
}

Term ExpressionTerms::comparison(Operator op, Term a, Term b) {
  const auto less = [&](Term x, Term y) { return options_.is_signed ? store_.slt(x, y) : store_.ult(x, y); };
  switch (op) {
    case Operator::Less:
      return less(a, b);
    case Operator::LessEqual:
      return store_.bit_not(less(b, a));
    case Operator::Greater:
      return less(b, a);
    case Operator::GreaterEqual:
      return store_.bit_not(less(a, b));
    case Operator::Equal:
      return store_.eq(a, b);
    case Operator::NotEqual:
      return store_.distinct(a, b);
    default:
      break;
  }
  INVARIANT(false, "a binary operator should be known");
}

}  // namespace plumb::tiny
