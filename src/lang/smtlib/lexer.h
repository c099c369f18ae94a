#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace plumb::smtlib {

/// A lexical unit of SMT-LIB 2.6. `text` is a part of the buffer: of a quoted symbol what stands between its bars, of a
/// string what stands between its quotes (with "" still double), of #x… and #b… the digits, of everything else all of
/// it.
struct Token {
  enum class Kind : std::uint8_t { Open, Close, Symbol, Keyword, Numeral, Decimal, Hexadecimal, Binary, String, End };
  Kind kind = Kind::End;
  bool quoted = false;  ///< a symbol written |…|
  std::uint32_t offset = 0;
  std::string_view text;
};

/// Splits a text into tokens without copying. The text must outlive the lexer and what it returned. Not thread-safe.
class Lexer {
 public:
  /// Throws UserError for a text of 4 GiB or more: offsets have 32 bits.
  Lexer(std::string_view text, std::string file);

  /// The next token, End at the end and ever after. Throws UserError at a character that starts no token and at a
  /// string or quoted symbol that does not end.
  Token next();
  /// What next() will return.
  const Token& peek();

  /// Makes the token at `offset` the next one.
  void rewind(std::uint32_t offset) noexcept {
    cursor_ = offset;
    has_ahead_ = false;
  }

  /// The offset just behind the token that next() returned last.
  std::uint32_t position() const noexcept { return position_; }
  std::string_view text() const noexcept { return text_; }
  /// The line of a character, from 1. Cheap for offsets that ascend from call to call.
  std::uint32_t line(std::uint32_t offset) const;
  /// Line and column, both from 1, of a character; columns count code points.
  SourceLocation location(std::uint32_t offset) const;

  [[noreturn]] void fail(std::uint32_t offset, std::string message, std::string hint = {}) const;
  /// Throws Unsupported with a hint on the backends that take more than this front end.
  [[noreturn]] void fail_unsupported(std::uint32_t offset, std::string_view construct) const;
  /// "expected a sort, found 'x'", or "unexpected end of file, expected …".
  [[noreturn]] void fail_expected(std::string_view what, const Token& found) const;

 private:
  Token scan();
  void skip_blanks() noexcept;
  Token quoted_symbol();
  Token string();
  Token constant();
  Token number();

  std::string_view text_;
  std::string file_;
  std::uint32_t cursor_ = 0;
  std::uint32_t position_ = 0;
  Token ahead_;
  bool has_ahead_ = false;
  // What line() found last: all texts up to here are counted.
  mutable std::uint32_t counted_ = 0;
  mutable std::uint32_t line_ = 1;
  mutable std::uint32_t line_start_ = 0;
};

/// The tokens of `text` with one space between words and no comments: how parts of the input are shown back. `text`
/// must be made of whole tokens.
std::string normalised(std::string_view text);

}  // namespace plumb::smtlib
