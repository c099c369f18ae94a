#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace plumb::caig {

/// A lexical unit. Identifiers are letters, digits, '_', '.' and "::", or anything between a backslash and a blank
/// (without the backslash); those that start with '$' are for wires that only write_caig() needs.
struct Token {
  enum class Kind : std::uint8_t {
    Identifier,
    Number,  ///< digits, or 0x and digits
    Sized,   ///< WIDTH'dDIGITS, 'h, 'b
    At,      ///< @word, without the sign
    Symbol,
    End,
  };
  Kind kind = Kind::End;
  std::string_view text;
  std::uint32_t offset = 0;
  bool is_escaped = false;  ///< an identifier with a backslash, which is no keyword or symbol whatever its text

  bool is(std::string_view symbol) const noexcept {
    return (kind == Kind::Symbol || kind == Kind::Identifier) && !is_escaped && text == symbol;
  }
};

/// The tokens of a text, ending in End. The text must outlive it.
class Tokens {
 public:
  /// Throws UserError at a character that starts no token and at a comment that does not end.
  Tokens(std::string_view text, std::string file);

  const Token& operator[](std::size_t i) const noexcept { return tokens_[i]; }
  std::size_t size() const noexcept { return tokens_.size(); }
  SourceLocation location(std::size_t token) const { return location_of(tokens_[token].offset); }
  [[noreturn]] void fail(std::size_t token, const std::string& message, const std::string& hint = {}) const {
    throw UserError(location(token), message, hint);
  }
  /// "expected ';', found 'x'".
  [[noreturn]] void fail_expected(std::size_t token, std::string_view expected) const;

 private:
  SourceLocation location_of(std::size_t offset) const;
  void skip_blanks();
  Token scan();

  std::string_view text_;
  std::string file_;
  std::size_t cursor_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace plumb::caig
