#include "lang/bip/syntax/statement_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace plumb::bip {

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"as",       "atom",    "bool",   "component", "compound", "connector", "const",   "data",  "define", "do",
     "down",     "else",    "end",    "export",    "extern",   "false",     "fi",      "float", "from",   "function",
     "if",       "initial", "int",    "internal",  "on",       "operator",  "package", "place", "port",   "priority",
     "provided", "refine",  "string", "then",      "to",       "true",      "type",    "up",    "use"});

/// Of `+=` and the like.
std::optional<Operator> compound_assignment(const Token& token) {
  if (token.kind != Token::Kind::Symbol || token.text.size() < 2 || !token.text.ends_with('=')) return std::nullopt;
  const std::string_view op = token.text.substr(0, token.text.size() - 1);
  for (const Operator candidate :
       {Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Remainder,
        Operator::ShiftLeft, Operator::ShiftRight, Operator::BitAnd, Operator::BitOr, Operator::BitXor})
    if (symbol(candidate) == op) return candidate;
  return std::nullopt;
}

}  // namespace

bool is_keyword(std::string_view word) { return std::ranges::binary_search(kKeywords, word); }

Name StatementParser::simple_name(std::string_view what) {
  const Token& token = tokens().peek();
  if (token.kind != Token::Kind::Identifier) tokens().fail_expected(fmt::format("the name of {}", what));
  if (is_keyword(token.text))
    tokens().fail_expected(fmt::format("the name of {}", what),
                           fmt::format("'{}' is a keyword, which cannot be a name", token.text));
  tokens().next();
  return {std::string(token.text), token.place};
}

Name StatementParser::dotted_name(std::string_view what) {
  Name name = simple_name(what);
  while (tokens().accept(".")) name.text.append(".").append(simple_name(what).text);
  return name;
}

Block StatementParser::braced_block() {
  const Place begin = tokens().expect("{").place;
  if (++blocks_ > kMaximalDepth)
    tokens().fail(begin, fmt::format("statements are nested more than {} levels deep", kMaximalDepth),
                  "combine conditions with '&&'");
  Block block;
  while (!tokens().accept("}")) {
    if (tokens().is_at_end() ||
        (tokens().peek().kind == Token::Kind::Identifier && is_keyword(tokens().peek().text) && !tokens().is("if")))
      tokens().fail_expected("a statement or '}'", fmt::format("the block begins in line {}", begin.line));
    statement(block);
  }
  --blocks_;
  return block;
}

ExpressionPtr StatementParser::guard() {
  tokens().expect("(", "behind 'provided'", "a guard stands in parentheses: 'provided (x > 0)'");
  ExpressionPtr result = expression();
  tokens().expect(")", "to close the guard");
  return result;
}

void StatementParser::statement(Block& block) {
  if (tokens().accept(";")) return;
  if (tokens().is("{")) {
    Block inner = braced_block();
    std::ranges::move(inner, std::back_inserter(block));
  } else if (tokens().is("if")) {
    block.push_back(conditional());
  } else {
    assignment(block);
  }
}

void StatementParser::assignment(Block& block) {
  const Token first = tokens().peek();
  if (first.kind != Token::Kind::Identifier || is_keyword(first.text)) fail_statement();
  if ((first.is("while") || first.is("for")) && tokens().peek(1).is("("))
    throw Unsupported(tokens().location(first.place), fmt::format("loops are not supported: '{}'", first.text),
                      "take a transition for each round");
  auto statement = std::make_unique<Statement>();
  statement->place = first.place;
  statement->target = name();
  const Token op = tokens().peek();
  const ExpressionPtr& target = statement->target;
  if (tokens().accept("=")) {
    statement->value = expression();
  } else if (const auto compound = compound_assignment(op)) {
    tokens().next();
    statement->value = make_operation(*compound, Type::Int, target->place, clone(*target), expression());
  } else if (tokens().accept("++") || tokens().accept("--")) {
    statement->value = make_operation(op.is("++") ? Operator::Add : Operator::Subtract, Type::Int, target->place,
                                      clone(*target), make_constant(Type::Int, 1, op.place));
  } else {
    tokens().fail_expected(fmt::format("'=' behind '{}'", target->name), "'x = e;', 'x += e;', 'x++;'");
  }
  tokens().expect(";", "behind the assignment");
  block.push_back(std::move(statement));
}

StatementPtr StatementParser::conditional() {
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::If;
  statement->place = tokens().expect("if").place;
  if (++blocks_ > kMaximalDepth)
    tokens().fail(statement->place, fmt::format("statements are nested more than {} levels deep", kMaximalDepth),
                  "combine conditions with '&&'");
  tokens().expect("(", "behind 'if'");
  statement->value = expression();
  tokens().expect(")", "to close the condition");
  if (tokens().accept("then")) {
    statement->then_branch = open_block();
    if (tokens().accept("else")) statement->else_branch = open_block();
    tokens().expect("fi", fmt::format("to end the 'if' of line {}", statement->place.line));
  } else {
    statement->then_branch = branch();
    if (tokens().accept("else")) statement->else_branch = branch();
  }
  --blocks_;
  return statement;
}

Block StatementParser::branch() {
  if (tokens().is("{")) return braced_block();
  Block block;
  statement(block);
  return block;
}

Block StatementParser::open_block() {
  Block block;
  while (!tokens().is("else") && !tokens().is("fi")) statement(block);
  return block;
}

void StatementParser::fail_statement() {
  const Token& token = tokens().peek();
  if (token.is("++") || token.is("--"))
    tokens().fail_expected("a statement", fmt::format("write '{}' behind the variable", token.text));
  if (token.is("else")) tokens().fail_expected("a statement", "no 'if' is open here");
  tokens().fail_expected("a statement", "an assignment 'x = e;' or 'if (c) { … } else { … }'");
}

}  // namespace plumb::bip
