#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace plumb::prism {

struct Token {
  enum class Kind : std::uint8_t {
    Name,
    Keyword,  ///< a reserved word
    Integer,
    Real,
    Quoted,  ///< "…", without the quotes
    Symbol,
    End,
  };
  Kind kind = Kind::End;
  std::string_view text;
  std::uint32_t offset = 0;

  bool is(std::string_view what) const noexcept {
    return (kind == Kind::Symbol || kind == Kind::Keyword) && text == what;
  }
};

/// The tokens of a text, ending in End. The text must outlive it.
class Tokens {
 public:
  /// Throws UserError at a character that starts no token and at a quote that does not end.
  Tokens(std::string_view text, std::string file);

  const Token& operator[](std::size_t i) const noexcept { return tokens_[i]; }
  std::size_t size() const noexcept { return tokens_.size(); }
  SourceLocation location(std::size_t token) const;  ///< in logarithmic time: each node has one
  /// The source from one token up to another, without the latter.
  std::string_view between(std::size_t first, std::size_t last) const;
  [[noreturn]] void fail(std::size_t token, const std::string& message, const std::string& hint = {}) const {
    throw UserError(location(token), message, hint);
  }
  /// "expected ';', found 'x'"; says so if what was found is a reserved word where a name belongs.
  [[noreturn]] void fail_expected(std::size_t token, std::string_view expected) const;

 private:
  void skip_blanks();
  void scan();
  void scan_number();

  std::string_view text_;
  std::string file_;
  std::size_t cursor_ = 0;
  std::vector<std::size_t> lines_;  ///< where each begins
  std::vector<Token> tokens_;
};

bool is_reserved(std::string_view word);

}  // namespace plumb::prism
