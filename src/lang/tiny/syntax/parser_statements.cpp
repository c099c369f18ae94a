// Statements. Bodies of if and of loops become blocks whether they have braces or not; an `else if` stays an If.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/tiny/syntax/parser.h"

namespace plumb::tiny {

namespace {

struct CompoundOperator {
  std::string_view symbol;
  Operator op;
};

constexpr std::array<CompoundOperator, 10> kCompound = {{
    {"+=", Operator::Add},
    {"-=", Operator::Subtract},
    {"*=", Operator::Multiply},
    {"/=", Operator::Divide},
    {"%=", Operator::Remainder},
    {"<<=", Operator::ShiftLeft},
    {">>=", Operator::ShiftRight},
    {"&=", Operator::BitAnd},
    {"|=", Operator::BitOr},
    {"^=", Operator::BitXor},
}};

/// Whether two evaluations of the expression may differ.
bool may_vary(const Expression& expression) {
  if (expression.kind == Expression::Kind::Call || expression.kind == Expression::Kind::Nondet) return true;
  return std::any_of(expression.operands.begin(), expression.operands.end(),
                     [](const ExpressionPtr& operand) { return may_vary(*operand); });
}

}  // namespace

StatementPtr Parser::make(Statement::Kind kind, Place place) const {
  auto statement = std::make_unique<Statement>();
  statement->kind = kind;
  statement->place = place;
  return statement;
}

StatementPtr Parser::parse_block() {
  const Place open = expect("{").place;
  StatementPtr block = make(Statement::Kind::Block, open);
  while (!now().is("}") && now().kind != Token::Kind::End) guarded([&] { parse_statement(block->body); });
  expect_closing_brace(open);
  return block;
}

/// One statement; a declaration of several names gives several, an empty statement none.
void Parser::parse_statement(Statements& into) {
  const Depth level(*this, 3);
  if (take(";")) return;
  if (now().is("{")) return into.push_back(parse_block());
  if (is_type_here()) {
    if (ahead(1).kind == Token::Kind::Identifier && ahead(2).is("("))
      fail(ahead(1).place, fmt::format("expected a statement, found the function '{}'", ahead(1).text),
           "functions stand side by side; look for a missing '}' above");
    const DeclarationHead head = parse_head();
    parse_variables(head, &into);
    return expect_end_of_statement();
  }
  if (parse_control(into) || parse_special(into)) return;
  if (const std::string_view reason = refused_word(now().text); !reason.empty())
    fail(now().place, fmt::format("'{}' is no word of Tiny", now().text), std::string(reason));
  if (now().is("else")) fail_expected("a statement", "this 'else' has no 'if' before it");
  into.push_back(parse_simple());
  expect_end_of_statement();
}

bool Parser::parse_control(Statements& into) {
  if (now().is("if")) {
    into.push_back(parse_if());
  } else if (now().is("while")) {
    into.push_back(parse_while());
  } else if (now().is("do")) {
    into.push_back(parse_do());
  } else if (now().is("for")) {
    into.push_back(parse_for());
  } else if (now().is("return")) {
    into.push_back(parse_return());
  } else if (now().is("break") || now().is("continue")) {
    const Token& word = advance();
    into.push_back(make(word.is("break") ? Statement::Kind::Break : Statement::Kind::Continue, word.place));
    expect_end_of_statement();
  } else {
    return false;
  }
  return true;
}

bool Parser::parse_special(Statements& into) {
  if (now().is("@pre") || now().is("@post")) {
    into.push_back(parse_property());
  } else if (now().is("@dotogether") || now().is("@do_together")) {
    into.push_back(parse_together());
  } else if (now().kind == Token::Kind::At) {
    fail_expected("'@pre', '@post' or '@do_together'");
  } else if (now().is("assert") || now().is("assume")) {
    into.push_back(parse_assertion());
  } else {
    return false;
  }
  return true;
}

ExpressionPtr Parser::parse_condition() {
  const Token& open = expect("(");
  ExpressionPtr condition = parse_expression();
  expect(")", fmt::format("the '(' at line {}, column {}", open.place.line, open.place.column));
  return condition;
}

StatementPtr Parser::parse_body() {
  if (now().is("{")) {
    const Depth level(*this, 3);
    return parse_block();
  }
  StatementPtr block = make(Statement::Kind::Block, now().place);
  if (is_type_here()) fail_expected("a statement", "put the declaration in braces; nothing else could use its name");
  if (now().is("}")) fail_expected("a statement", "write '{ }' for a body that does nothing");
  parse_statement(block->body);
  return block;
}

StatementPtr Parser::parse_if() {
  const Depth level(*this, 3);
  StatementPtr statement = make(Statement::Kind::If, advance().place);
  statement->value = parse_condition();
  statement->body.push_back(parse_body());
  if (take("else")) statement->body.push_back(now().is("if") ? parse_if() : parse_body());
  return statement;
}

StatementPtr Parser::parse_while() {
  StatementPtr statement = make(Statement::Kind::While, advance().place);
  statement->value = parse_condition();
  statement->body.push_back(parse_body());
  return statement;
}

StatementPtr Parser::parse_do() {
  StatementPtr statement = make(Statement::Kind::DoWhile, advance().place);
  statement->body.push_back(parse_body());
  expect("while", "the 'do' loop");
  statement->value = parse_condition();
  expect_end_of_statement();
  return statement;
}

StatementPtr Parser::parse_for() {
  StatementPtr statement = make(Statement::Kind::For, advance().place);
  expect("(");
  StatementPtr start = parse_for_part(true, ";");
  expect(";", "the 'for' loop");
  if (!now().is(";")) statement->value = parse_expression();
  expect(";", "the 'for' loop");
  StatementPtr step = parse_for_part(false, ")");
  expect(")", "the 'for' loop");
  statement->body.push_back(std::move(start));
  statement->body.push_back(std::move(step));
  statement->body.push_back(parse_body());
  return statement;
}

/// The start or the step: nothing, one statement, or several with commas as a block.
StatementPtr Parser::parse_for_part(bool may_declare, std::string_view end) {
  StatementPtr block = make(Statement::Kind::Block, now().place);
  if (may_declare && is_type_here()) {
    const DeclarationHead head = parse_head();
    parse_variables(head, &block->body);
  } else if (!now().is(end)) {
    do {
      block->body.push_back(parse_simple());
    } while (take(","));
  }
  return block->body.size() == 1 ? std::move(block->body.front()) : std::move(block);
}

StatementPtr Parser::parse_return() {
  StatementPtr statement = make(Statement::Kind::Return, advance().place);
  const bool ends_here = now().is(";") || now().is("}") || now().place.line > previous().end.line;
  if (!ends_here) statement->value = parse_expression();
  expect_end_of_statement();
  return statement;
}

StatementPtr Parser::parse_together() {
  const Token& word = advance();
  StatementPtr statement = make(Statement::Kind::Together, word.place);
  StatementPtr block = parse_block();
  statement->body = std::move(block->body);
  return statement;
}

StatementPtr Parser::parse_property() {
  const Token& word = advance();
  StatementPtr statement = make(word.is("@pre") ? Statement::Kind::Pre : Statement::Kind::Post, word.place);
  statement->name = expect_name(fmt::format("the name of the {}condition", word.is("@pre") ? "pre" : "post")).text;
  statement->value = parse_properties().tree;
  return statement;
}

StatementPtr Parser::parse_assertion() {
  const Token& word = advance();
  StatementPtr statement = make(word.is("assert") ? Statement::Kind::Assert : Statement::Kind::Assume, word.place);
  const std::size_t begin = next_;
  statement->value = parse_condition();
  const char* first = tokens_[begin + 1].text.data();
  const char* last = previous().text.data();
  std::string_view written(first, static_cast<std::size_t>(last - first));
  while (!written.empty() && static_cast<unsigned char>(written.back()) <= ' ') written.remove_suffix(1);
  statement->name = written;
  expect_end_of_statement();
  return statement;
}

/// An assignment in one of its forms, or a call; without the ';'.
StatementPtr Parser::parse_simple() {
  if (now().is("++") || now().is("--")) {
    const Token& sign = advance();
    if (now().kind != Token::Kind::Identifier) fail_expected("the name of a variable");
    return parse_increment(sign, parse_named().tree);
  }
  if (now().kind != Token::Kind::Identifier && !now().is("rv")) fail_expected("a statement");
  ExpressionPtr target = parse_named().tree;
  const Token& sign = now();
  if (target->kind == Expression::Kind::Call) {
    if (sign.is("=")) fail_expected("';'", "a call is not a place to assign to");
    StatementPtr statement = make(Statement::Kind::Call, target->place);
    statement->value = std::move(target);
    return statement;
  }
  if (sign.is("++") || sign.is("--")) return parse_increment(advance(), std::move(target));
  const auto compound =
      std::find_if(kCompound.begin(), kCompound.end(), [&](const auto& c) { return sign.is(c.symbol); });
  if (compound != kCompound.end()) {
    advance();
    return parse_compound(compound->op, sign.place, std::move(target), parse_expression());
  }
  if (!sign.is("=")) fail_expected("'=', '+=', '++' or their like", sign.is("==") ? "'=' assigns, '==' compares" : "");
  advance();
  StatementPtr statement = make(Statement::Kind::Assign, target->place);
  statement->target = std::move(target);
  statement->value = parse_expression();
  if (now().is("=")) fail_expected("';'", "write one assignment a statement");
  return statement;
}

StatementPtr Parser::parse_increment(const Token& sign, ExpressionPtr target) {
  ExpressionPtr one = make(Expression::Kind::Number, sign.place);
  one->number = 1;
  return parse_compound(sign.is("++") ? Operator::Add : Operator::Subtract, sign.place, std::move(target),
                        std::move(one));
}

/// x op= v is x = x op v. An index that may differ between its two evaluations is refused.
StatementPtr Parser::parse_compound(Operator op, Place place, ExpressionPtr target, ExpressionPtr value) {
  if (may_vary(*target))
    report(target->place, "the index of a compound assignment has a call in it",
           "assign the index to a variable first");
  StatementPtr statement = make(Statement::Kind::Assign, target->place);
  statement->value = make(Expression::Kind::Binary, place);
  statement->value->op = op;
  statement->value->operands.push_back(clone(*target));
  statement->value->operands.push_back(std::move(value));
  statement->target = std::move(target);
  return statement;
}

}  // namespace plumb::tiny
