#pragma once

#include <string_view>

#include "lang/bip/ast.h"
#include "lang/bip/syntax/expression_parser.h"

namespace plumb::bip {

/// A word of BIP 2 that cannot be a name.
bool is_keyword(std::string_view word);

/// Expressions and statements of models.
class StatementParser : public ExpressionParser {
 public:
  explicit StatementParser(Tokens& tokens) : ExpressionParser(tokens) {}

  /// A word that is no keyword. `what` says what it names: "a place".
  Name simple_name(std::string_view what);
  /// `a`, `a.b.c`.
  Name dotted_name(std::string_view what);
  /// `{ statements }`.
  Block braced_block();
  /// `( expression )` behind `provided`.
  ExpressionPtr guard();

 protected:
  bool is_reserved(std::string_view word) const override { return is_keyword(word); }

 private:
  void statement(Block& block);
  void assignment(Block& block);
  StatementPtr conditional();
  /// One statement or a block in braces, as in C.
  Block branch();
  /// Up to one of the words that end it: `else`, `fi`.
  Block open_block();
  [[noreturn]] void fail_statement();

  std::uint32_t blocks_ = 0;  ///< inside each other
};

}  // namespace plumb::bip
