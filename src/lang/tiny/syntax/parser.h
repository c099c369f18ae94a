#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/tiny/syntax/lexer.h"
#include "lang/tiny/tiny.h"

namespace plumb::tiny {

/// How deep expressions and statements may be nested. Everything that walks a tree may therefore recurse.
inline constexpr std::uint32_t kMaxDepth = 1000;

/// The size of an array where it is no plain number; the checker computes it.
struct WrittenSize {
  VariableId variable = kNone;
  std::size_t dimension = 0;
  ExpressionPtr expression;
};

/// A program as it is written: variables and functions are entered, names are not resolved, types not checked.
struct WrittenProgram {
  Program program;
  std::vector<WrittenSize> sizes;
};

/// Recursive descent over statements, precedence climbing over expressions. An error is recorded and the reader goes on
/// behind the statement it is in (at ';', or where the braces that were opened inside it are closed), so that one run
/// finds several.
class Parser {
 public:
  Parser(std::string_view text, std::string file, std::vector<UserError>& errors, std::vector<Warning>& warnings);

  WrittenProgram parse();

 private:
  /// Thrown after an error was recorded, caught where reading can go on.
  struct Panic {};
  class Depth;

  /// An expression with what its neighbours want to know of it.
  struct Parsed {
    ExpressionPtr tree;
    std::uint32_t depth = 1;
    bool is_atom = false;   ///< parenthesised, or without an operator at its top
    bool is_clear = false;  ///< an implication whose sides are atoms
  };
  /// Modifier, type and the sizes behind the type; shared by the names of a declaration.
  struct DeclarationHead {
    Variable::Kind kind = Variable::Kind::Local;
    Type type = Type::Int;
    std::vector<std::optional<std::uint64_t>> dimensions;
    std::vector<WrittenSize> sizes;
    Place place;
  };
  using Statements = std::vector<StatementPtr>;

  // Tokens.
  const Token& now() const { return tokens_[next_]; }
  const Token& ahead(std::size_t n) const { return tokens_[std::min(next_ + n, tokens_.size() - 1)]; }
  const Token& previous() const { return tokens_[next_ == 0 ? 0 : next_ - 1]; }
  const Token& advance();
  bool take(std::string_view word);
  const Token& expect(std::string_view word, std::string_view role = {});
  const Token& expect_name(std::string_view what);
  void expect_end_of_statement();
  void expect_closing_brace(Place open);

  // Errors.
  void report(Place place, std::string message, std::string hint = {});
  [[noreturn]] void fail(Place place, std::string message, std::string hint = {});
  [[noreturn]] void fail_expected(std::string_view expected, std::string hint = {});
  void recover(std::uint32_t braces);
  /// Reads, and recovers if that fails. Says whether it did not.
  template <typename Read>
  bool guarded(Read read) {
    const std::uint32_t braces = braces_;
    const std::uint32_t depth = depth_;
    try {
      read();
      return true;
    } catch (const Panic&) {
      depth_ = depth;
      recover(braces);
      return false;
    }
  }

  // Declarations.
  void parse_item();
  void parse_class();
  bool is_type_here() const;
  DeclarationHead parse_head();
  VariableId parse_declared_name(const DeclarationHead& head);
  void parse_sizes(std::vector<std::optional<std::uint64_t>>& dimensions, std::vector<WrittenSize>& sizes);
  void parse_variables(const DeclarationHead& head, Statements* into);
  void parse_initial_value(VariableId id, Statement* declare);
  void parse_parameters(Function& function);
  void parse_function(Type result, bool has_type);
  void parse_predicate(Function& function);
  VariableId add_variable(Variable variable);

  // Statements.
  StatementPtr make(Statement::Kind kind, Place place) const;
  StatementPtr parse_block();
  void parse_statement(Statements& into);
  bool parse_control(Statements& into);
  bool parse_special(Statements& into);
  StatementPtr parse_body();
  StatementPtr parse_if();
  StatementPtr parse_while();
  StatementPtr parse_do();
  StatementPtr parse_for();
  StatementPtr parse_for_part(bool may_declare, std::string_view end);
  StatementPtr parse_return();
  StatementPtr parse_together();
  StatementPtr parse_property();
  StatementPtr parse_assertion();
  StatementPtr parse_simple();
  StatementPtr parse_increment(const Token& sign, ExpressionPtr target);
  StatementPtr parse_compound(Operator op, Place place, ExpressionPtr target, ExpressionPtr value);
  ExpressionPtr parse_condition();

  // Expressions.
  ExpressionPtr parse_expression() { return parse_conditional().tree; }
  Parsed parse_conditional();
  Parsed parse_binary(int least);
  Parsed parse_unary();
  Parsed parse_primary();
  Parsed parse_named();
  Parsed parse_quantified();
  Parsed parse_properties();
  void parse_arguments(Expression& call, std::uint32_t& depth);
  ExpressionPtr make(Expression::Kind kind, Place place) const;
  Parsed combine(Operator op, Place place, Parsed left, Parsed right);
  void warn_of_implication(const Parsed& operand, std::string_view connective);
  void check_depth(std::uint32_t depth, Place place);

  std::string_view text_;
  std::vector<UserError>& errors_;
  std::vector<Warning>& warnings_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  std::uint32_t braces_ = 0;  ///< open at the next token
  std::uint32_t depth_ = 0;   ///< of the parser's own recursion
  FunctionId function_ = kNone;
  /// After an error outside of functions and before the next one that can be read: what looks out of place there are
  /// the remains of a function, and not reported.
  bool is_lost_ = false;
  WrittenProgram written_;
};

/// Counts a level of recursion as long as it lives; too many are an error. A level of an expression takes up to three
/// calls, one of a statement weighs as much.
class Parser::Depth {
 public:
  explicit Depth(Parser& parser, std::uint32_t weight = 1) : parser_(parser), weight_(weight) {
    parser_.check_depth((parser_.depth_ + weight_) / 3, parser_.now().place);
    parser_.depth_ += weight_;
  }
  ~Depth() { parser_.depth_ -= weight_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Parser& parser_;
  std::uint32_t weight_;
};

}  // namespace plumb::tiny
