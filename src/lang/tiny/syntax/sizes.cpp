// What depends on the width of an int and on the sizes of arrays. Constants are computed as runs compute them, on
// words; where that would wrap, the constant is refused, so that no reader has to know the order of evaluation. Bounds
// of ranges are integers: [0 .. 0 - 1] is a range that ends before it starts, at every width.

#include <fmt/format.h>

#include "lang/tiny/interpret/words.h"
#include "lang/tiny/syntax/checker.h"

namespace plumb::tiny {

namespace {

/// More elements than this are not asked for by meaningful programs, and no engine would return from them.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 20;

bool is_literal_minus(const Expression& expression) {
  return expression.kind == Expression::Kind::Unary && expression.op == Operator::Negate &&
         expression.operands[0]->kind == Expression::Kind::Number;
}

/// The operators that bounds of ranges are computed with without a width.
bool is_exact(const Expression& expression) {
  return (expression.kind == Expression::Kind::Unary && expression.op == Operator::Negate) ||
         (expression.kind == Expression::Kind::Binary &&
          (expression.op == Operator::Add || expression.op == Operator::Subtract ||
           expression.op == Operator::Multiply));
}

class SizeChecker {
 public:
  SizeChecker(const Program& program, const Options& options)
      : program_(program), options_(options), words_(options.int_width, options.is_signed) {}

  std::vector<UserError> check() {
    if (!check_options()) return std::move(errors_);
    for (const Variable& variable : program_.variables) {
      check_dimensions(variable);
      if (variable.definition) check_expression(*variable.definition);
    }
    for (const Function& function : program_.functions) check_statement(*function.body);
    if (!errors_.empty()) return std::move(errors_);
    for (const Variable& variable : program_.variables)
      if (variable.definition && variable.kind != Variable::Kind::Wire) evaluate(*variable.definition);
    return std::move(errors_);
  }

 private:
  using Integer = Words::Integer;

  void report(Place place, std::string message, std::string hint = {}) {
    errors_.emplace_back(program_.location(place), std::move(message), std::move(hint));
  }
  std::string int_text() const {
    return fmt::format("an int of {} bit{} is {} to {}", options_.int_width, options_.int_width == 1 ? "" : "s",
                       words_.text(words_.to_word(words_.least())), words_.text(words_.to_word(words_.greatest())));
  }

  bool check_options() {
    if (options_.int_width == 0 || options_.int_width > 64)
      errors_.emplace_back(fmt::format("an int has 1 to 64 bits, found {}", options_.int_width),
                           "use -b 8, for example");
    if (options_.array_size == 0)
      errors_.emplace_back("an array has at least one element, found a size of 0", "use --array 1 or more");
    if (options_.stack_size == 0)
      errors_.emplace_back("the stack holds at least one call, found a size of 0", "use --stack 1 or more");
    return errors_.empty();
  }

  void check_dimensions(const Variable& variable) {
    std::uint64_t elements = 1;
    for (const auto& dimension : variable.dimensions) {
      const std::uint64_t size = dimension.value_or(options_.max_array_size());
      if (static_cast<Integer>(size) > words_.greatest() + 1)
        return report(variable.place,
                      fmt::format("the array '{}' has {} elements, more than an index can name: {}", variable.name,
                                  size, int_text()),
                      dimension ? "use more bits (-b)" : "use more bits (-b) or smaller arrays (--array)");
      if (__builtin_mul_overflow(elements, size, &elements)) elements = kMostElements + 1;
    }
    if (elements > kMostElements)
      report(variable.place, fmt::format("the array '{}' has more than {} elements", variable.name, kMostElements),
             "use smaller arrays (--array)");
  }

  void check_statement(const Statement& statement) {
    if (statement.target) check_expression(*statement.target);
    if (statement.value) check_expression(*statement.value);
    for (const StatementPtr& part : statement.body) check_statement(*part);
  }

  void check_expression(const Expression& expression) {
    if (is_literal_minus(expression)) return check_number(*expression.operands[0], true);
    if (expression.kind == Expression::Kind::Number) return check_number(expression, false);
    if (expression.kind == Expression::Kind::MaxArraySize &&
        static_cast<Integer>(options_.max_array_size()) > words_.greatest())
      report(expression.place,
             fmt::format("MAX_ARRAY_SIZE is {} and does not fit: {}", options_.max_array_size(), int_text()),
             "use more bits (-b) or smaller arrays (--array)");
    for (const ExpressionPtr& operand : expression.operands) check_expression(*operand);
    if (expression.kind == Expression::Kind::Quantified) check_range(expression);
  }

  /// Behind a minus sign a signed number may be greater by one; unsigned it is the word that the sign makes.
  void check_number(const Expression& number, bool is_negated) {
    const Integer most = words_.greatest() + (is_negated && options_.is_signed ? 1 : 0);
    if (static_cast<Integer>(number.number) > most)
      report(number.place,
             fmt::format("the number {}{} does not fit: {}", is_negated ? "-" : "", number.number, int_text()),
             "use more bits (-b)");
  }

  void check_range(const Expression& quantified) {
    if (mentions_max_array_size(*quantified.operands[0]) || mentions_max_array_size(*quantified.operands[1])) return;
    const auto low = bound(*quantified.operands[0]);
    const auto high = bound(*quantified.operands[1]);
    if (low && high && *low > *high)
      report(
          quantified.operands[0]->place,
          fmt::format("the range of '{}' is reversed: {} is greater than {}", quantified.name, text(*low), text(*high)),
          "write the lower bound first");
  }

  static std::string text(Integer value) {
    return value < 0 ? fmt::format("-{}", static_cast<std::uint64_t>(-value))
                     : fmt::format("{}", static_cast<std::uint64_t>(value));
  }

  /// A range up to the option's size may be empty for small sizes.
  bool mentions_max_array_size(const Expression& expression) const {
    if (expression.kind == Expression::Kind::MaxArraySize) return true;
    if (expression.kind == Expression::Kind::Name) {
      const Variable& variable = program_.variables[expression.variable];
      return variable.kind == Variable::Kind::Constant && mentions_max_array_size(*variable.definition);
    }
    for (const ExpressionPtr& operand : expression.operands)
      if (mentions_max_array_size(*operand)) return true;
    return false;
  }

  /// As an integer; nothing if it is not constant or too large to be a bound.
  std::optional<Integer> bound(const Expression& expression) {
    constexpr Integer kLimit = Integer{1} << 60;
    std::optional<Integer> value;
    if (expression.kind == Expression::Kind::Number) {
      value = static_cast<Integer>(expression.number);
    } else if (!is_exact(expression)) {
      if (const auto word = constant_word(expression)) value = words_.to_integer(*word);
    } else if (const auto a = bound(*expression.operands[0])) {
      if (expression.kind == Expression::Kind::Unary)
        value = -*a;
      else if (const auto b = bound(*expression.operands[1]))
        value = expression.op == Operator::Add ? *a + *b : expression.op == Operator::Subtract ? *a - *b : *a * *b;
    }
    return value && *value <= kLimit && *value >= -kLimit ? value : std::nullopt;
  }

  /// Without a report: what is wrong inside is reported where it is defined.
  std::optional<std::uint64_t> constant_word(const Expression& expression) {
    if (!is_constant(expression)) return std::nullopt;
    const std::size_t before = errors_.size();
    const auto word = evaluate(expression);
    errors_.erase(errors_.begin() + static_cast<std::ptrdiff_t>(before), errors_.end());
    return word;
  }

  bool is_constant(const Expression& expression) const {
    switch (expression.kind) {
      case Expression::Kind::Name:
        return program_.variables[expression.variable].kind == Variable::Kind::Constant;
      case Expression::Kind::Index:
      case Expression::Kind::Call:
      case Expression::Kind::Quantified:
      case Expression::Kind::Nondet:
        return false;
      default:
        break;
    }
    for (const ExpressionPtr& operand : expression.operands)
      if (!is_constant(*operand)) return false;
    return true;
  }

  /// The word of a constant expression; reports what overflows or divides by zero.
  std::optional<std::uint64_t> evaluate(const Expression& expression) {
    switch (expression.kind) {
      case Expression::Kind::Number:
      case Expression::Kind::Boolean:
        return expression.number;
      case Expression::Kind::MaxArraySize:
        return options_.max_array_size();
      case Expression::Kind::Name:
        return evaluate_name(expression);
      case Expression::Kind::ToBool: {
        const auto value = evaluate(*expression.operands[0]);
        return value ? std::optional<std::uint64_t>(*value != 0 ? 1 : 0) : std::nullopt;
      }
      case Expression::Kind::Unary:
        return evaluate_unary(expression);
      case Expression::Kind::Binary:
        return evaluate_binary(expression);
      case Expression::Kind::Conditional: {
        const auto condition = evaluate(*expression.operands[0]);
        return condition ? evaluate(*expression.operands[*condition != 0 ? 1 : 2]) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  /// Each constant is computed once, and reported once.
  std::optional<std::uint64_t> evaluate_name(const Expression& name) {
    if (const auto found = values_.find(name.variable); found != values_.end()) return found->second;
    const auto value = evaluate(*program_.variables[name.variable].definition);
    return values_.emplace(name.variable, value).first->second;
  }

  std::optional<std::uint64_t> evaluate_unary(const Expression& expression) {
    const auto a = evaluate(*expression.operands[0]);
    if (!a) return std::nullopt;
    if (expression.op == Operator::Not) return *a == 0 ? 1 : 0;
    if (expression.op == Operator::Complement) return words_.complement(*a);
    const Words::Result result = words_.negate(*a);
    if (result.overflows && !is_literal_minus(expression)) return overflow(expression);
    return result.word;
  }

  std::optional<std::uint64_t> evaluate_binary(const Expression& expression) {
    const auto a = evaluate(*expression.operands[0]);
    if (!a) return std::nullopt;
    if (expression.op == Operator::And && *a == 0) return 0;
    if (expression.op == Operator::Or && *a != 0) return 1;
    if (expression.op == Operator::Implies && *a == 0) return 1;
    const auto b = evaluate(*expression.operands[1]);
    if (!b || expression.op >= Operator::And) return b;
    if (expression.op == Operator::Equal) return *a == *b ? 1 : 0;
    if (expression.op == Operator::NotEqual) return *a != *b ? 1 : 0;
    if (expression.op >= Operator::Less) return words_.compare(expression.op, *a, *b) ? 1 : 0;
    if ((expression.op == Operator::Divide || expression.op == Operator::Remainder) && *b == 0) {
      report(expression.place, "a constant is divided by zero");
      return std::nullopt;
    }
    const Words::Result result = words_.apply(expression.op, *a, *b);
    if (result.overflows) return overflow(expression);
    return result.word;
  }

  std::nullopt_t overflow(const Expression& expression) {
    report(expression.place, fmt::format("the value of this constant does not fit: {}", int_text()),
           "use more bits (-b)");
    return std::nullopt;
  }

  const Program& program_;
  const Options& options_;
  Words words_;
  std::map<VariableId, std::optional<std::uint64_t>> values_;
  std::vector<UserError> errors_;
};

}  // namespace

void check_sizes(const Program& program, const Options& options) {
  std::vector<UserError> errors = SizeChecker(program, options).check();
  if (!errors.empty()) throw Mistakes(std::move(errors));
}

}  // namespace plumb::tiny
