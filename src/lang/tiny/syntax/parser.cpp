// Declarations and the way on after errors.

#include "lang/tiny/syntax/parser.h"

#include <fmt/format.h>

namespace plumb::tiny {

Parser::Parser(std::string_view text, std::string file, std::vector<UserError>& errors, std::vector<Warning>& warnings)
    : text_(text), errors_(errors), warnings_(warnings) {
  written_.program.file = std::move(file);
  written_.program.text = text;
  tokens_ = scan(text, written_.program.file, errors);
}

WrittenProgram Parser::parse() {
  while (now().kind != Token::Kind::End) {
    if (now().is("}")) {
      if (!is_lost_)
        report(now().place, "this '}' closes nothing", "expected a declaration; look for a brace too many above");
      advance();
      take(";");
      continue;
    }
    if (!guarded([&] { parse_item(); })) is_lost_ = true;
  }
  return std::move(written_);
}

const Token& Parser::advance() {
  const Token& token = tokens_[next_];
  if (token.is("{")) ++braces_;
  if (token.is("}") && braces_ > 0) --braces_;
  if (token.kind != Token::Kind::End) ++next_;
  return token;
}

bool Parser::take(std::string_view word) {
  if (!now().is(word)) return false;
  advance();
  return true;
}

const Token& Parser::expect(std::string_view word, std::string_view role) {
  if (!now().is(word)) fail_expected(role.empty() ? fmt::format("'{}'", word) : fmt::format("'{}' of {}", word, role));
  return advance();
}

const Token& Parser::expect_name(std::string_view what) {
  if (now().kind != Token::Kind::Identifier)
    fail_expected(what, now().kind == Token::Kind::Keyword
                            ? fmt::format("'{}' is a word of the language and cannot be a name", now().text)
                            : std::string());
  if (const std::string_view reason = refused_word(now().text); !reason.empty())
    fail(now().place, fmt::format("expected {}, found '{}', which is no word of Tiny", what, now().text),
         std::string(reason));
  return advance();
}

/// A ';' that is missing at the end of a line is reported there, and the reader goes on as if it were there.
void Parser::expect_end_of_statement() {
  if (take(";")) return;
  const bool ends_here = now().place.line > previous().end.line || now().is("}") || now().kind == Token::Kind::End;
  if (!ends_here) fail_expected("';'");
  report(previous().end, fmt::format("expected ';' behind '{}', found {}", previous().text, describe(now())));
}

void Parser::expect_closing_brace(Place open) {
  if (take("}")) return;
  if (now().kind == Token::Kind::End)
    fail(now().place, fmt::format("expected '}}' of the '{{' at line {}, column {}, found the end of the file",
                                  open.line, open.column));
  fail_expected(fmt::format("'}}' of the '{{' at line {}, column {}", open.line, open.column));
}

void Parser::report(Place place, std::string message, std::string hint) {
  // At the end of the file every open brace would be missed again.
  if (!errors_.empty() && errors_.back().location().line == place.line &&
      errors_.back().location().column == place.column)
    return;
  errors_.emplace_back(written_.program.location(place), std::move(message), std::move(hint));
}

void Parser::fail(Place place, std::string message, std::string hint) {
  report(place, std::move(message), std::move(hint));
  throw Panic();
}

void Parser::fail_expected(std::string_view expected, std::string hint) {
  if (hint.empty() && now().is("=")) hint = "'==' compares; an assignment is a statement of its own";
  if (hint.empty() && (now().is("++") || now().is("--")))
    hint = fmt::format("'{}' is a statement of its own, not an expression", now().text);
  fail(now().place, fmt::format("expected {}, found {}", expected, describe(now())), std::move(hint));
}

/// Goes on behind the statement that the error is in: behind the braces that were opened since `braces` were open, or
/// behind the next ';' or block, or before the '}' that closes the block around it.
void Parser::recover(std::uint32_t braces) {
  if (braces_ > braces) {
    while (braces_ > braces && now().kind != Token::Kind::End) advance();
    take(";");
    return;
  }
  while (now().kind != Token::Kind::End && !now().is("}")) {
    const bool is_end = now().is(";");
    const bool is_block = now().is("{");
    advance();
    if (is_end) return;
    if (!is_block) continue;
    while (braces_ > braces && now().kind != Token::Kind::End) advance();
    if (now().is("else")) continue;
    take(";");
    return;
  }
}

// --- Declarations ---

VariableId Parser::add_variable(Variable variable) {
  written_.program.variables.push_back(std::move(variable));
  return static_cast<VariableId>(written_.program.variables.size() - 1);
}

bool Parser::is_type_here() const {
  return now().is("int") || now().is("bool") || now().is("void") || now().is("wire") || now().is("const");
}

/// What may stand outside of functions.
void Parser::parse_item() {
  if (take(";")) return;
  if (now().is("class")) return parse_class();
  if (now().is("void")) {
    advance();
    return parse_function(Type::Void, true);
  }
  // A predicate may do without a type.
  if (now().kind == Token::Kind::Identifier && ahead(1).is("(")) return parse_function(Type::Bool, false);
  if (is_type_here()) {
    DeclarationHead head = parse_head();
    if (ahead(1).is("(")) {
      if (head.kind != Variable::Kind::Global || !head.dimensions.empty())
        fail(head.place, "a function returns an int or a bool", "leave out 'wire', 'const' and array sizes");
      return parse_function(head.type, true);
    }
    parse_variables(head, nullptr);
    return expect_end_of_statement();
  }
  if (now().is("@pre") || now().is("@post"))
    fail_expected("a declaration", "pre- and postconditions stand inside their function");
  if (const std::string_view reason = refused_word(now().text); !reason.empty())
    fail(now().place, fmt::format("'{}' is no word of Tiny", now().text), std::string(reason));
  if (is_lost_) throw Panic();
  fail_expected("a declaration: a variable, a function or a predicate",
                now().kind == Token::Kind::End ? "" : "statements stand inside functions");
}

void Parser::parse_class() {
  if (braces_ != 0) fail_expected("a declaration", "there is one class at most, around all else");
  advance();
  expect_name("the name of the class");
  const Place open = expect("{").place;
  while (!now().is("}") && now().kind != Token::Kind::End)
    if (!guarded([&] { parse_item(); })) is_lost_ = true;
  expect_closing_brace(open);
  take(";");
}

Parser::DeclarationHead Parser::parse_head() {
  DeclarationHead head;
  head.place = now().place;
  head.kind = function_ == kNone ? Variable::Kind::Global : Variable::Kind::Local;
  if (take("wire"))
    head.kind = Variable::Kind::Wire;
  else if (take("const"))
    head.kind = Variable::Kind::Constant;
  if (now().is("void")) fail_expected("'int' or 'bool'", "a variable has a value");
  if (!now().is("int") && !now().is("bool")) fail_expected("'int' or 'bool'");
  head.type = advance().is("int") ? Type::Int : Type::Bool;
  parse_sizes(head.dimensions, head.sizes);
  return head;
}

void Parser::parse_sizes(std::vector<std::optional<std::uint64_t>>& dimensions, std::vector<WrittenSize>& sizes) {
  while (now().is("[")) {
    const Token& open = advance();
    if (dimensions.size() == 2)
      fail(open.place, "an array has at most two dimensions, found a third", "compute one index of two");
    dimensions.emplace_back();
    if (take("]")) continue;
    if (now().kind == Token::Kind::Number && ahead(1).is("]")) {
      if (now().number == 0)
        report(now().place, "expected the size of an array, found 0", "an array has at least one element");
      dimensions.back() = advance().number;
    } else if (now().is("MAX_ARRAY_SIZE") && ahead(1).is("]")) {
      advance();
    } else {
      sizes.push_back({kNone, dimensions.size() - 1, parse_expression()});
    }
    expect("]", "the size of an array");
  }
}

VariableId Parser::parse_declared_name(const DeclarationHead& head) {
  const Token& name = expect_name("the name of a variable");
  Variable variable;
  variable.name = name.text;
  variable.place = name.place;
  variable.kind = head.kind;
  variable.type = head.type;
  variable.function = function_;
  variable.dimensions = head.dimensions;
  const bool has_sizes = !head.dimensions.empty();
  if (has_sizes && now().is("["))
    fail_expected("the end of the declaration", "sizes stand behind the type or behind the name, not both");
  std::vector<WrittenSize> sizes;
  parse_sizes(variable.dimensions, sizes);
  const VariableId id = add_variable(std::move(variable));
  for (const WrittenSize& size : head.sizes) written_.sizes.push_back({id, size.dimension, clone(*size.expression)});
  for (WrittenSize& size : sizes) written_.sizes.push_back({id, size.dimension, std::move(size.expression)});
  return id;
}

/// The names of a declaration, up to its ';'. Locals also become statements.
void Parser::parse_variables(const DeclarationHead& head, Statements* into) {
  do {
    const VariableId id = parse_declared_name(head);
    StatementPtr declare;
    if (into != nullptr) {
      declare = make(Statement::Kind::Declare, written_.program.variables[id].place);
      declare->variable = id;
    }
    parse_initial_value(id, declare.get());
    if (into != nullptr) into->push_back(std::move(declare));
  } while (take(","));
}

void Parser::parse_initial_value(VariableId id, Statement* declare) {
  // By value: the vector of variables may move while quantifiers inside the value are read.
  const Variable::Kind kind = written_.program.variables[id].kind;
  const bool is_array = written_.program.variables[id].is_array();
  if (kind == Variable::Kind::Constant && is_array)
    fail(written_.program.variables[id].place, "a constant is a scalar, not an array");
  if (!now().is("=")) {
    if (kind == Variable::Kind::Constant) fail_expected("'=' and the value of the constant");
    written_.program.variables[id].is_free = true;
    return;
  }
  if (is_array) fail_expected("';' or ','", "an array has no initial value: assign its elements");
  advance();
  ExpressionPtr value = parse_expression();
  if (declare != nullptr && kind == Variable::Kind::Local)
    declare->value = std::move(value);
  else
    written_.program.variables[id].definition = std::move(value);
}

void Parser::parse_parameters(Function& function) {
  const Token& open = expect("(");
  if (now().is("void") && ahead(1).is(")")) advance();
  if (!now().is(")")) {
    do {
      if (now().is("wire") || now().is("const")) fail_expected("'int' or 'bool'", "a parameter has no modifier");
      DeclarationHead head = parse_head();
      head.kind = Variable::Kind::Parameter;
      const VariableId id = parse_declared_name(head);
      written_.program.variables[id].is_free = true;
      function.parameters.push_back(id);
      if (now().is("=")) fail_expected("',' or ')'", "a parameter has no initial value");
    } while (take(","));
  }
  expect(")", fmt::format("the '(' at line {}, column {}", open.place.line, open.place.column));
}

/// From the name on. `name(…) = expression` is a predicate, which may do without a type.
void Parser::parse_function(Type result, bool has_type) {
  struct Inside {
    Parser& parser;
    ~Inside() { parser.function_ = kNone; }
  };
  const Token& name = expect_name("the name of a function");
  Function function;
  function.name = name.text;
  function.place = name.place;
  function.result = result;
  function_ = static_cast<FunctionId>(written_.program.functions.size());
  const Inside inside{*this};
  parse_parameters(function);
  if (now().is("=")) {
    parse_predicate(function);
  } else {
    if (!has_type)
      fail_expected(fmt::format("'=' and the property that '{}' is a name of", name.text),
                    "a function starts with int, bool or void");
    if (now().is(";"))
      fail_expected("'{' and the body of the function",
                    "functions may be used before they are defined: leave this out");
    if (result != Type::Void) {
      Variable variable;
      variable.name = "rv";
      variable.place = name.place;
      variable.type = result;
      variable.function = function_;
      function.return_variable = add_variable(std::move(variable));
    }
    if (!now().is("{")) fail_expected("'{' and the body of the function");
    function.body = parse_block();
  }
  written_.program.functions.push_back(std::move(function));
  is_lost_ = false;
}

void Parser::parse_predicate(Function& function) {
  if (function.result != Type::Bool)
    fail_expected("'{' and the body of the function", "a predicate, NAME(…) = …, is a bool or has no type");
  const Place place = advance().place;
  function.is_predicate = true;
  function.body = make(Statement::Kind::Block, place);
  function.body->body.push_back(make(Statement::Kind::Return, now().place));
  function.body->body.back()->value = parse_expression();
  take(";");
}

}  // namespace plumb::tiny
