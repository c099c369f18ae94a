#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/bip/expression.h"

namespace plumb::bip {

/// A lexical unit of models and properties. Keywords are identifiers here: which words are reserved is the parser's
/// matter.
struct Token {
  enum class Kind : std::uint8_t {
    Identifier,
    Number,    ///< decimal, or hexadecimal with 0x; less than 2^63
    Symbol,    ///< an operator or a bracket: `=>`, `<<=`, `'`, …
    Verbatim,  ///< what BIP 2 has and is not read: a string with its quotes, a number with a fraction
    End,
  };
  Kind kind = Kind::End;
  std::string_view text;
  Place place;
  std::size_t offset = 0;  ///< in the text
  std::int64_t number = 0;

  bool is(std::string_view word) const noexcept {
    return (kind == Kind::Symbol || kind == Kind::Identifier) && text == word;
  }
};

/// Where a place in the text is for the user.
using Locate = std::function<SourceLocation(Place)>;

/// The tokens of a text, without blanks and comments (// and /* */), and a cursor in them. The text must outlive it.
class Tokens {
 public:
  /// Throws UserError at a character that starts no token, at numbers that are too large, at comments and strings that
  /// do not end.
  Tokens(std::string_view text, Locate locate);
  Tokens(std::string_view text, const std::string& file)
      : Tokens(text, [file](Place place) { return SourceLocation{file, place.line, place.column}; }) {}

  /// The next token, or one further on; the last one, End, is repeated for ever.
  const Token& peek(std::size_t ahead = 0) const noexcept;
  const Token& next() noexcept;
  bool is(std::string_view word) const noexcept { return peek().is(word); }
  bool is_at_end() const noexcept { return peek().kind == Token::Kind::End; }
  /// Takes the next token if it is that word or symbol.
  bool accept(std::string_view word) noexcept;
  /// Takes that word or symbol; anything else is an error: "expected ';' behind the assignment, found 'x'".
  const Token& expect(std::string_view word, std::string_view where = {}, const std::string& hint = {});

  /// For reading something twice.
  std::size_t position() const noexcept { return position_; }
  void set_position(std::size_t position) noexcept { position_ = position; }

  SourceLocation location(Place place) const { return locate_(place); }
  [[noreturn]] void fail(Place place, const std::string& message, const std::string& hint = {}) const;
  /// "expected WHAT, found 'x'", at the next token.
  [[noreturn]] void fail_expected(std::string_view what, const std::string& hint = {}) const;

 private:
  Locate locate_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace plumb::bip
