// Expressions by precedence climbing. The levels are C's, with '->' between '&&' and '|': the figures of the {P}S{Q}
// paper write (A) -> (B) && (C) -> (D) and mean two implications. Where that may surprise, a warning says so.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/tiny/syntax/parser.h"

namespace plumb::tiny {

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operator op;
  int level;  ///< greater binds tighter
};

constexpr int kOrLevel = 1;
constexpr int kAndLevel = 2;
constexpr int kImpliesLevel = 3;

constexpr std::array<BinaryOperator, 19> kBinary = {{
    {"||", Operator::Or, kOrLevel}, {"&&", Operator::And, kAndLevel}, {"->", Operator::Implies, kImpliesLevel},
    {"|", Operator::BitOr, 4},      {"^", Operator::BitXor, 5},       {"&", Operator::BitAnd, 6},
    {"==", Operator::Equal, 7},     {"!=", Operator::NotEqual, 7},    {"<", Operator::Less, 8},
    {"<=", Operator::LessEqual, 8}, {">", Operator::Greater, 8},      {">=", Operator::GreaterEqual, 8},
    {"<<", Operator::ShiftLeft, 9}, {">>", Operator::ShiftRight, 9},  {"+", Operator::Add, 10},
    {"-", Operator::Subtract, 10},  {"*", Operator::Multiply, 11},    {"/", Operator::Divide, 11},
    {"%", Operator::Remainder, 11},
}};

const BinaryOperator* binary_operator(const Token& token) {
  if (token.kind != Token::Kind::Symbol) return nullptr;
  const auto found =
      std::find_if(kBinary.begin(), kBinary.end(), [&](const BinaryOperator& b) { return b.symbol == token.text; });
  return found == kBinary.end() ? nullptr : &*found;
}

bool is_implication(const Expression& tree) {
  return tree.kind == Expression::Kind::Binary && tree.op == Operator::Implies;
}

}  // namespace

ExpressionPtr Parser::make(Expression::Kind kind, Place place) const {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->place = place;
  return expression;
}

void Parser::check_depth(std::uint32_t depth, Place place) {
  if (depth <= kMaxDepth) return;
  fail(place, fmt::format("nested too deeply: more than {} levels", kMaxDepth),
       "split the expression or the block into smaller ones");
}

Parser::Parsed Parser::combine(Operator op, Place place, Parsed left, Parsed right) {
  ExpressionPtr tree = make(Expression::Kind::Binary, place);
  tree->op = op;
  tree->operands.push_back(std::move(left.tree));
  tree->operands.push_back(std::move(right.tree));
  const std::uint32_t depth = std::max(left.depth, right.depth) + 1;
  check_depth(depth, place);
  return {std::move(tree), depth, false};
}

Parser::Parsed Parser::parse_conditional() {
  const Depth level(*this);
  Parsed condition = parse_binary(kOrLevel);
  if (!now().is("?")) return condition;
  ExpressionPtr tree = make(Expression::Kind::Conditional, advance().place);
  Parsed first = parse_conditional();
  expect(":", "the second value of '?'");
  Parsed second = parse_conditional();
  const std::uint32_t depth = std::max({condition.depth, first.depth, second.depth}) + 1;
  check_depth(depth, tree->place);
  for (Parsed* part : {&condition, &first, &second}) tree->operands.push_back(std::move(part->tree));
  return {std::move(tree), depth, false};
}

Parser::Parsed Parser::parse_binary(int least) {
  const Depth level(*this);
  Parsed left = parse_unary();
  while (const BinaryOperator* found = binary_operator(now())) {
    if (found->level < least) break;
    const Place place = advance().place;
    if (found->op == Operator::Implies) {
      Parsed right = parse_binary(kImpliesLevel);  // right associative
      const bool is_clear = left.is_atom && (right.is_atom || right.is_clear);
      left = combine(Operator::Implies, place, std::move(left), std::move(right));
      left.is_clear = is_clear;
      continue;
    }
    Parsed right = parse_binary(found->level + 1);
    if (found->level <= kAndLevel) {
      warn_of_implication(left, found->symbol);
      warn_of_implication(right, found->symbol);
    }
    left = combine(found->op, place, std::move(left), std::move(right));
  }
  return left;
}

void Parser::warn_of_implication(const Parsed& operand, std::string_view connective) {
  if (operand.is_atom || operand.is_clear || !is_implication(*operand.tree)) return;
  warnings_.push_back(
      {written_.program.location(operand.tree->place),
       fmt::format("'->' binds tighter than '{}' here; put parentheses around the implication or around "
                   "its sides",
                   connective)});
}

Parser::Parsed Parser::parse_unary() {
  const Depth level(*this);
  for (const auto& [symbol, op] : {std::pair<std::string_view, Operator>{"-", Operator::Negate},
                                   {"!", Operator::Not},
                                   {"~", Operator::Complement}}) {
    if (!now().is(symbol)) continue;
    ExpressionPtr tree = make(Expression::Kind::Unary, advance().place);
    tree->op = op;
    Parsed operand = parse_unary();
    const std::uint32_t depth = operand.depth + 1;
    check_depth(depth, tree->place);
    tree->operands.push_back(std::move(operand.tree));
    return {std::move(tree), depth, operand.is_atom};
  }
  if (now().is("+")) fail_expected("an expression", "leave the sign out: there is no unary '+'");
  if (now().is("++") || now().is("--"))
    fail_expected("an expression", fmt::format("'{}' is a statement of its own, not an expression", now().text));
  return parse_primary();
}

Parser::Parsed Parser::parse_primary() {
  const Token& token = now();
  if (token.kind == Token::Kind::Number) {
    ExpressionPtr tree = make(Expression::Kind::Number, token.place);
    tree->number = advance().number;
    return {std::move(tree), 1, true};
  }
  if (token.is("true") || token.is("false")) {
    ExpressionPtr tree = make(Expression::Kind::Boolean, token.place);
    tree->type = Type::Bool;
    tree->number = advance().is("true") ? 1 : 0;
    return {std::move(tree), 1, true};
  }
  if (token.is("(")) {
    const Token& open = advance();
    Parsed inner = parse_conditional();
    expect(")", fmt::format("the '(' at line {}, column {}", open.place.line, open.place.column));
    inner.is_atom = true;
    return inner;
  }
  if (token.is("forall") || token.is("exists")) return parse_quantified();
  if (token.is("MAX_ARRAY_SIZE")) return {make(Expression::Kind::MaxArraySize, advance().place), 1, true};
  if (token.is("nondet") || token.is("nondet_bool")) {
    ExpressionPtr tree = make(Expression::Kind::Nondet, token.place);
    tree->type = advance().is("nondet") ? Type::Int : Type::Bool;
    expect("(");
    expect(")");
    return {std::move(tree), 1, true};
  }
  if (token.kind == Token::Kind::Identifier || token.is("rv")) return parse_named();
  if (token.is("@pre") || token.is("@post")) fail_expected("an expression", "a property starts behind its own '{'");
  fail_expected("an expression");
}

/// A variable, an element of an array, or a call.
Parser::Parsed Parser::parse_named() {
  const Token& token = advance();
  if (const std::string_view reason = refused_word(token.text); !reason.empty())
    fail(token.place, fmt::format("'{}' is no word of Tiny", token.text), std::string(reason));
  ExpressionPtr tree = make(Expression::Kind::Name, token.place);
  tree->name = token.text;
  std::uint32_t depth = 1;
  if (now().is("(")) {
    tree->kind = Expression::Kind::Call;
    parse_arguments(*tree, depth);
  }
  while (now().is("[")) {
    if (tree->kind == Expression::Kind::Call) fail_expected("an operator or ';'", "a function returns no array");
    tree->kind = Expression::Kind::Index;
    const Token& open = advance();
    Parsed index = parse_conditional();
    expect("]", fmt::format("the '[' at line {}, column {}", open.place.line, open.place.column));
    depth = std::max(depth, index.depth + 1);
    tree->operands.push_back(std::move(index.tree));
  }
  check_depth(depth, token.place);
  return {std::move(tree), depth, true};
}

void Parser::parse_arguments(Expression& call, std::uint32_t& depth) {
  const Token& open = expect("(");
  if (!now().is(")")) {
    do {
      Parsed argument = parse_conditional();
      depth = std::max(depth, argument.depth + 1);
      call.operands.push_back(std::move(argument.tree));
    } while (take(","));
  }
  expect(")", fmt::format("the '(' at line {}, column {}", open.place.line, open.place.column));
}

/// forall (int i : [0 .. n-1], …) { properties }; type and colon may be missing, "..." may stand for "..". Several
/// ranges nest.
Parser::Parsed Parser::parse_quantified() {
  const Depth level(*this);
  const Token& quantifier = advance();
  expect("(");
  std::vector<ExpressionPtr> ranges;
  std::uint32_t depth = 1;
  do {
    if (now().is("bool")) fail_expected("'int' or a name", "quantified variables are ints");
    take("int");
    const Token& name = expect_name("the name of the quantified variable");
    take(":");
    expect("[", "the range of the quantified variable");
    ExpressionPtr tree = make(Expression::Kind::Quantified, quantifier.place);
    tree->type = Type::Bool;
    tree->is_forall = quantifier.is("forall");
    Variable variable;
    variable.name = name.text;
    variable.place = name.place;
    variable.kind = Variable::Kind::Quantified;
    variable.function = function_;
    tree->name = name.text;
    tree->variable = add_variable(std::move(variable));
    for (int bound = 0; bound < 2; ++bound) {
      Parsed part = parse_conditional();
      depth = std::max(depth, part.depth);
      tree->operands.push_back(std::move(part.tree));
      if (bound == 0 && !take("..") && !take("...")) fail_expected("'..' between the bounds of the range");
    }
    expect("]", "the range");
    ranges.push_back(std::move(tree));
  } while (take(","));
  expect(")", "the range");
  if (!now().is("{")) fail_expected("'{' before the property", "a quantifier's property stands in braces");
  Parsed body = parse_properties();
  depth = std::max(depth, body.depth);
  for (; !ranges.empty(); ranges.pop_back()) {
    check_depth(++depth, quantifier.place);
    ranges.back()->operands.push_back(std::move(body.tree));
    body.tree = std::move(ranges.back());
  }
  return {std::move(body.tree), depth, true};
}

/// '{' property+ '}', where each may end in ';' and several are a conjunction. Without ';' the next one starts on a new
/// line or behind a '}', so that a missing operator is not taken for a conjunction.
Parser::Parsed Parser::parse_properties() {
  const Place open = expect("{").place;
  if (now().is("}")) fail_expected("a property", "write 'true' for a property that always holds");
  Parsed all;
  while (!now().is("}") && now().kind != Token::Kind::End) {
    const Place start = now().place;
    Parsed property = parse_conditional();
    all = all.tree ? combine(Operator::And, start, std::move(all), std::move(property)) : std::move(property);
    bool is_separated = false;
    while (take(";")) is_separated = true;
    if (is_separated || now().is("}") || previous().is("}") || now().place.line > previous().end.line) continue;
    fail_expected("an operator, ';' or '}'");
  }
  expect_closing_brace(open);
  return all;
}

}  // namespace plumb::tiny
