#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/tiny/ast.h"

namespace plumb::tiny {

/// A lexical unit. Its text is a part of the source, which must outlive it.
struct Token {
  enum class Kind : std::uint8_t {
    Identifier,  ///< not a keyword
    Keyword,
    Number,  ///< `number` is its value
    At,      ///< @word, with the sign
    Symbol,
    End,
  };
  Kind kind = Kind::End;
  std::string_view text;
  Place place;
  Place end;  ///< right behind it
  std::uint64_t number = 0;

  /// A symbol, keyword or @word with this text.
  bool is(std::string_view word) const noexcept {
    return (kind == Kind::Symbol || kind == Kind::Keyword || kind == Kind::At) && text == word;
  }
};

/// The tokens of a text, the last of which is End. What is no token goes to `errors`, each run of such characters once;
/// the others are read on. A file that is not text, and a comment without an end, end the reading.
std::vector<Token> scan(std::string_view text, const std::string& file, std::vector<UserError>& errors);

/// A token for messages: "'x'" or "the end of the file".
std::string describe(const Token& token);

/// Why a word of C that is no word of Tiny is refused; empty for all other words.
std::string_view refused_word(std::string_view word);

}  // namespace plumb::tiny
