#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/prism/ast.h"
#include "lang/prism/lexer.h"

namespace plumb::prism {

/// What parsers of models and of properties share: the cursor, and expressions.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : tokens_(text, file) {}

 protected:
  const Token& peek(std::size_t ahead = 0) const noexcept {
    return tokens_[std::min(cursor_ + ahead, tokens_.size() - 1)];
  }
  SourceLocation here() const { return tokens_.location(cursor_); }
  bool at_end() const noexcept { return peek().kind == Token::Kind::End; }
  const Token& next() { return tokens_[cursor_++]; }
  bool accept(std::string_view symbol);
  void expect(std::string_view symbol);
  [[noreturn]] void fail_expected(std::string_view expected) const { tokens_.fail_expected(cursor_, expected); }
  /// `expected` ends in "name": "a variable's name".
  Identifier expect_name(std::string_view expected);
  NodePtr node(Node::Kind kind, std::string_view text = {}) const;

  /// Lowest precedence first: ?:, =>, <=>, |, &, !, = and !=, other comparisons, + and -, * and /, unary minus. In
  /// properties, U, W and R are below all of these and X, F and G next: `F a & b` is F (a & b), and `a & F b | c` is a
  /// & (F (b | c)).
  NodePtr expression();
  ConstantDeclaration constant();
  Definition formula();  ///< behind the word
  Definition label();

  /// A level of nesting while it lives; too many are refused before the stack ends.
  struct Nesting {
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Parser& parser_;
  };

  bool is_property_ = false;
  Tokens tokens_;
  std::size_t cursor_ = 0;

 private:
  NodePtr choice();
  NodePtr implication();
  NodePtr equivalence();
  NodePtr disjunction();
  NodePtr conjunction();
  NodePtr negation();
  NodePtr equality();
  NodePtr comparison();
  NodePtr sum();
  NodePtr product();
  NodePtr factor();
  NodePtr function();
  NodePtr binary(NodePtr left, const Token& sign, SourceLocation location, NodePtr right) const;

  // Of properties.
  void refuse_unsupported() const;
  NodePtr quantitative();
  NodePtr reward_path();
  NodePtr filter();
  void query(Node& of);
  void time_bound(Node& of);
  NodePtr temporal_binary();
  NodePtr temporal_unary();
  bool at_temporal() const;
  bool at_quantitative() const;

  std::size_t depth_ = 0;
  std::size_t brackets_ = 0;  ///< of P, S and R that are open
};

class ModelParser : public Parser {
 public:
  using Parser::Parser;
  Source parse();

 private:
  void declaration(Source& source);
  chain::Kind kind();
  VariableDeclaration variable();
  ModuleNode module();
  CommandNode command();
  AlternativeNode alternative();
  std::vector<UpdateNode> updates();
  RewardsNode rewards();
  std::unique_ptr<SystemNode> composition();
  std::unique_ptr<SystemNode> interleaving();
  std::unique_ptr<SystemNode> synchronisation();
  static std::unique_ptr<SystemNode> composed(chain::Composition::Kind kind, std::vector<Identifier> actions,
                                              std::unique_ptr<SystemNode> left, std::unique_ptr<SystemNode> right);
  std::unique_ptr<SystemNode> composition_factor();
  std::vector<Identifier> action_list(std::string_view close);
};

class PropertyParser : public Parser {
 public:
  PropertyParser(std::string_view text, const std::string& file) : Parser(text, file) { is_property_ = true; }
  Source parse();
};

}  // namespace plumb::prism
