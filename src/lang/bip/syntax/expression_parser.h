#pragma once

#include <cstdint>

#include "lang/bip/expression.h"
#include "lang/bip/syntax/lexer.h"

namespace plumb::bip {

/// The most levels of operators, parentheses and blocks inside each other: whatever goes through expressions and
/// blocks may recurse.
inline constexpr std::uint32_t kMaximalDepth = 1000;

/// C's expressions over ints, bools and dotted names (`a.b.c` is one Name at the place of its first letter), with C's
/// precedences; `=>` between || and ?:, to the right. Types are not looked at: see types.h.
///
/// A language with more expressions derives from it and overrides extension().
class ExpressionParser {
 public:
  enum class Implication : bool { Forbidden, Allowed };

  explicit ExpressionParser(Tokens& tokens, Implication implication = Implication::Forbidden)
      : tokens_(tokens), implication_(implication) {}
  virtual ~ExpressionParser() = default;
  ExpressionParser(const ExpressionParser&) = delete;
  ExpressionParser& operator=(const ExpressionParser&) = delete;

  /// Reads as far as an expression goes. Throws UserError.
  ExpressionPtr expression();

 protected:
  /// Called first wherever an operand may begin: what begins with the next token, or null, with no token taken, if
  /// that is none of the language's own. May call expression() (which counts the depth).
  virtual ExpressionPtr extension() { return nullptr; }
  /// True for words that are no names, such as keywords.
  virtual bool is_reserved(std::string_view) const { return false; }

  /// A dotted name. Throws Unsupported for calls and elements of arrays.
  ExpressionPtr name();
  Tokens& tokens() noexcept { return tokens_; }

 private:
  class Level;

  ExpressionPtr binary(int least_precedence);
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr joined(ExpressionPtr expression, std::uint32_t height);
  void check_depth(std::uint32_t depth) const;
  [[noreturn]] void fail_operand() const;

  Tokens& tokens_;
  Implication implication_;
  std::uint32_t nesting_ = 0;  ///< of calls, for the stack
  std::uint32_t height_ = 0;   ///< of the expression that was read last
};

}  // namespace plumb::bip
