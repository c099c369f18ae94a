#include "lang/prism/elaborator.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace plumb::prism {
namespace {

using chain::Op;

std::optional<std::int64_t> read_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> read_real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What fractions cannot express is refused before anything is computed.
void require_fraction(const chain::ExpressionPool& pool, const Node& node, Expression exponent) {
  if (!pool.is_exact()) return;
  if (node.text == "log")
    throw Unsupported(node.location, "a logarithm is no fraction, which --exact computes with", "leave out --exact");
  const bool is_fraction =
      !pool.is_constant(exponent) || pool.type(exponent) != Type::Double || pool.fraction(exponent).is_integer();
  if (!is_fraction)
    throw Unsupported(node.location,
                      "a power to an exponent that is not whole is no fraction, which --exact computes with",
                      "leave out --exact");
}

}  // namespace

const char* name_of(Type type) { return type == Type::Bool ? "a bool" : type == Type::Int ? "an int" : "a double"; }

Elaborator::Elaborator(std::vector<const Source*> sources, const std::map<std::string, std::string>& given,
                       chain::ExpressionPool& pool)
    : pool_(pool), given_(given) {
  for (const Source* source : sources) {
    for (const ConstantDeclaration& constant : source->constants) {
      declare(constant.name, "constant");
      constants_[constant.name.text].declaration = &constant;
    }
    for (const Definition& formula : source->formulas) {
      declare(formula.name, "formula");
      formulas_[formula.name.text] = &formula;
    }
  }
  for (const auto& [name, value] : given_) {
    const auto found = constants_.find(name);
    if (found == constants_.end()) throw UserError(fmt::format("--const: there is no constant '{}'", name));
    if (found->second.declaration->value)
      notes_.push_back(fmt::format("constant {} is {} as given, and not as written at {}", name, value,
                                   found->second.declaration->name.location.to_string()));
  }
}

void Elaborator::declare(const Identifier& name, const char* what) {
  const auto [place, is_new] = declared_.try_emplace(name.text, name.location);
  if (!is_new)
    throw UserError(name.location, fmt::format("{} '{}' has the name of something else, declared at {}", what,
                                               name.text, place->second.to_string()));
}

void Elaborator::add_variable(const Identifier& name, Type type, std::uint32_t position) {
  declare(name, "variable");
  variables_[name.text] = {type, position};
}

Expression Elaborator::given_value(const ConstantDeclaration& declaration, const std::string& text) {
  const std::string& name = declaration.name.text;
  if (declaration.type == Type::Bool && (text == "true" || text == "false")) return pool_.boolean(text == "true");
  if (declaration.type == Type::Int)
    if (const auto value = read_integer(text)) return pool_.integer(*value);
  if (declaration.type == Type::Double)
    if (const auto value = real_constant(text)) return *value;
  throw UserError(
      fmt::format("--const: '{}' is no value for '{}', which is {}", text, name, name_of(declaration.type)));
}

std::optional<Expression> Elaborator::real_constant(const std::string& text) {
  if (pool_.is_exact()) {
    std::optional<chain::Fraction> fraction = chain::Fraction::of_decimal(text);
    if (!fraction) return std::nullopt;
    return pool_.real(std::move(*fraction));
  }
  const std::optional<double> value = read_real(text);
  if (!value) return std::nullopt;
  return pool_.real(*value);
}

Expression Elaborator::constant(const std::string& name, const SourceLocation& used) {
  Constant& constant = constants_.at(name);
  if (constant.value) return constant.value;
  const ConstantDeclaration& declaration = *constant.declaration;
  if (constant.is_open)
    throw UserError(declaration.name.location, fmt::format("constant '{}' depends on itself", name));
  if (const auto given = given_.find(name); given != given_.end()) {
    constant.value = given_value(declaration, given->second);
    return constant.value;
  }
  if (!declaration.value)
    throw UserError(used, fmt::format("constant '{}' has no value", name),
                    fmt::format("give it one: --const {}=…", name));
  constant.is_open = true;
  const Expression value = compile(*declaration.value, declaration.type, "the value of a constant");
  if (!pool_.is_constant(value))
    throw UserError(declaration.value->location, fmt::format("the value of '{}' is not constant", name));
  constants_.at(name).value = value;
  return value;
}

Expression Elaborator::name(const Node& node, const std::string& written, const Renaming* renaming) {
  std::string name = written;
  if (renaming) {
    const auto found = renaming->find(written);
    if (found != renaming->end()) {
      name = found->second;
      renaming = nullptr;  // a new name is one of the model's, and not renamed again
    }
  }
  if (const auto variable = variables_.find(name); variable != variables_.end())
    return pool_.variable(variable->second.position, variable->second.type);
  if (constants_.contains(name)) return constant(name, node.location);
  const auto formula = formulas_.find(name);
  if (formula == formulas_.end()) throw UserError(node.location, fmt::format("'{}' is not declared", name));
  const auto key = std::make_pair(name, renaming);
  const auto [place, is_new] = expanded_.try_emplace(key);
  if (!is_new) {
    if (!place->second)
      throw UserError(formula->second->name.location, fmt::format("formula '{}' depends on itself", name));
    return place->second;
  }
  const Expression value = compile(*formula->second->value, renaming);
  expanded_[key] = value;
  return value;
}

Expression Elaborator::compile(const Node& node, const Renaming* renaming) {
  switch (node.kind) {
    case Node::Kind::Integer:
      if (const auto value = read_integer(node.text)) return pool_.integer(*value);
      throw UserError(node.location, fmt::format("{} is too large for an int", node.text));
    case Node::Kind::Real:
      if (const auto value = real_constant(node.text)) return *value;
      throw UserError(node.location, fmt::format("{} is too large for a double", node.text));
    case Node::Kind::Boolean:
      return pool_.boolean(node.text == "true");
    case Node::Kind::Name:
      return name(node, node.text, renaming);
    case Node::Kind::Unary:
      return unary(node, renaming);
    case Node::Kind::Binary:
      return binary(node, renaming);
    case Node::Kind::Choice:
      return choice(node, renaming);
    case Node::Kind::Function:
      return function(node, renaming);
    default:
      throw UserError(node.location, "expected an expression over the model's variables, found a property");
  }
}

void Elaborator::require(const Node& at, Expression e, Type wanted, const std::string& what) const {
  if (pool_.type(e) != wanted)
    throw UserError(at.location,
                    fmt::format("{} should be {}, and is {}", what, name_of(wanted), name_of(pool_.type(e))));
}

Expression Elaborator::compile(const Node& node, Type wanted, const char* what, const Renaming* renaming) {
  const Expression e = compile(node, renaming);
  if (wanted == Type::Double && pool_.type(e) == Type::Int) return pool_.to_double(e);
  require(node, e, wanted, what);
  return e;
}

std::int64_t Elaborator::integer(const Node& node, const char* what, const Renaming* renaming) {
  const Expression e = compile(node, Type::Int, what, renaming);
  if (!pool_.is_constant(e)) throw UserError(node.location, fmt::format("{} should be constant", what));
  return pool_[e].integer;
}

Expression Elaborator::real(const Node& node, const char* what) {
  const Expression e = compile(node, Type::Double, what);
  if (!pool_.is_constant(e)) throw UserError(node.location, fmt::format("{} should be constant", what));
  return e;
}

Expression Elaborator::operand(const Node& node, std::size_t i, Type wanted, const Renaming* renaming) {
  const Expression e = compile(*node.operands[i], renaming);
  if (wanted == Type::Double && pool_.type(e) == Type::Int) return pool_.to_double(e);
  require(*node.operands[i], e, wanted, fmt::format("the operand of '{}'", node.text));
  return e;
}

void Elaborator::numbers(const Node& node, Expression& a, Expression& b) {
  for (std::size_t i = 0; i < 2; ++i)
    if (pool_.type(i == 0 ? a : b) == Type::Bool)
      throw UserError(node.operands[i]->location,
                      fmt::format("the operand of '{}' should be a number, and is a bool", node.text));
  if (pool_.type(a) == pool_.type(b)) return;
  a = pool_.to_double(a);
  b = pool_.to_double(b);
}

Expression Elaborator::unary(const Node& node, const Renaming* renaming) {
  if (node.text == "!") return pool_.make(Op::Not, operand(node, 0, Type::Bool, renaming));
  const Expression a = compile(*node.operands[0], renaming);
  if (pool_.type(a) == Type::Bool)
    throw UserError(node.operands[0]->location, "the operand of '-' should be a number, and is a bool");
  return pool_.make(Op::Negate, a);
}

Expression Elaborator::binary(const Node& node, const Renaming* renaming) {
  const std::string& sign = node.text;
  if (sign == "&" || sign == "|" || sign == "=>" || sign == "<=>") {
    const Expression a = operand(node, 0, Type::Bool, renaming);
    const Expression b = operand(node, 1, Type::Bool, renaming);
    if (sign == "&") return pool_.make(Op::And, a, b);
    if (sign == "|") return pool_.make(Op::Or, a, b);
    if (sign == "=>") return pool_.make(Op::Or, pool_.make(Op::Not, a), b);
    return pool_.make(Op::Equal, a, b);
  }
  Expression a = compile(*node.operands[0], renaming);
  Expression b = compile(*node.operands[1], renaming);
  const bool is_equality = sign == "=" || sign == "!=";
  if (!is_equality || pool_.type(a) != Type::Bool || pool_.type(b) != Type::Bool) numbers(node, a, b);
  if (is_equality) {
    const Expression equal = pool_.make(Op::Equal, a, b);
    return sign == "=" ? equal : pool_.make(Op::Not, equal);
  }
  if (sign == "+") return pool_.make(Op::Add, a, b);
  if (sign == "-") return pool_.make(Op::Subtract, a, b);
  if (sign == "*") return pool_.make(Op::Multiply, a, b);
  if (sign == "/") return pool_.make(Op::Divide, pool_.to_double(a), pool_.to_double(b));
  if (sign == "<") return pool_.make(Op::Less, a, b);
  if (sign == "<=") return pool_.make(Op::LessEqual, a, b);
  return sign == ">" ? pool_.make(Op::Less, b, a) : pool_.make(Op::LessEqual, b, a);
}

Expression Elaborator::choice(const Node& node, const Renaming* renaming) {
  const Expression condition = compile(*node.operands[0], Type::Bool, "the condition of '?'", renaming);
  Expression a = compile(*node.operands[1], renaming);
  Expression b = compile(*node.operands[2], renaming);
  if (pool_.type(a) != pool_.type(b)) {
    if (pool_.type(a) == Type::Bool || pool_.type(b) == Type::Bool)
      throw UserError(node.location,
                      fmt::format("the sides of '?:' are {} and {}", name_of(pool_.type(a)), name_of(pool_.type(b))));
    a = pool_.to_double(a);
    b = pool_.to_double(b);
  }
  return pool_.make(Op::IfThenElse, condition, a, b);
}

Expression Elaborator::function(const Node& node, const Renaming* renaming) {
  const std::string& text = node.text;
  if (text == "floor" || text == "ceil" || text == "round") {
    const Expression a = operand(node, 0, Type::Double, renaming);
    return pool_.make(text == "floor" ? Op::Floor : text == "ceil" ? Op::Ceil : Op::Round, a);
  }
  if (text == "mod")
    return pool_.make(Op::Modulo, operand(node, 0, Type::Int, renaming), operand(node, 1, Type::Int, renaming));
  if (text == "log") {
    require_fraction(pool_, node, {});
    return pool_.make(Op::Log, operand(node, 0, Type::Double, renaming), operand(node, 1, Type::Double, renaming));
  }
  const Op op = text == "min" ? Op::Min : text == "max" ? Op::Max : Op::Power;
  std::vector<Expression> operands;
  bool is_double = false;
  for (const NodePtr& child : node.operands) {
    operands.push_back(compile(*child, renaming));
    if (pool_.type(operands.back()) == Type::Bool)
      throw UserError(child->location, fmt::format("the operand of '{}' should be a number, and is a bool", text));
    is_double |= pool_.type(operands.back()) == Type::Double;
  }
  if (is_double)
    for (Expression& e : operands) e = pool_.to_double(e);
  if (op == Op::Power) require_fraction(pool_, node, operands.back());
  Expression result = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) result = pool_.make(op, result, operands[i]);
  return result;
}

}  // namespace plumb::prism
