#include "lang/bip/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace plumb::bip {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Longer ones before their beginnings.
constexpr auto kSymbols =
    std::to_array<std::string_view>({"<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "=>", "<<", ">>", "++",
                                     "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "(",  ")",  "{",
                                     "}",   "[",   "]",  ",",  "'",  ".",  ";",  ":",  "@",  "<",  ">",  "!",
                                     "+",   "-",   "*",  "/",  "%",  "&",  "|",  "^",  "~",  "=",  "?"});

/// A token's text for messages, which are of one line.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  return fmt::format("'{}…'", text.substr(0, kLongest));
}

class Scanner {
 public:
  Scanner(std::string_view text, const Locate& locate) : text_(text), locate_(locate) {}

  Token scan() {
    skip_blanks();
    Token token;
    token.place = place();
    token.offset = cursor_;
    if (cursor_ == text_.size()) return token;
    token.kind = kind_of(token);
    token.text = text_.substr(token.offset, cursor_ - token.offset);
    return token;
  }

 private:
  char at(std::size_t ahead = 0) const { return cursor_ + ahead < text_.size() ? text_[cursor_ + ahead] : '\0'; }
  Place place() const { return {line_, static_cast<std::uint32_t>(cursor_ - line_start_ + 1)}; }

  void skip(std::size_t end) {
    for (; cursor_ < end; ++cursor_) {
      if (text_[cursor_] != '\n') continue;
      ++line_;
      line_start_ = cursor_ + 1;
    }
  }

  void skip_blanks() {
    for (;;) {
      while (cursor_ < text_.size() && is_blank(at())) skip(cursor_ + 1);
      if (at() == '/' && at(1) == '/') {
        skip(std::min(text_.find('\n', cursor_), text_.size()));
      } else if (at() == '/' && at(1) == '*') {
        const std::size_t end = text_.find("*/", cursor_ + 2);
        if (end == std::string_view::npos)
          throw UserError(locate_(place()), "this comment does not end", "end it with '*/'");
        skip(end + 2);
      } else {
        return;
      }
    }
  }

  Token::Kind kind_of(Token& token) {
    if (is_letter(at())) {
      while (is_word(at())) ++cursor_;
      return Token::Kind::Identifier;
    }
    if (is_digit(at()) || (at() == '.' && is_digit(at(1)))) return number(token);
    if (at() == '"') return string();
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(cursor_).starts_with(symbol)) continue;
      cursor_ += symbol.size();
      return Token::Kind::Symbol;
    }
    throw UserError(locate_(place()), fmt::format("unexpected character {}", shown(at())),
                    "names are of letters, digits and '_'; comments start with '//'");
  }

  static std::string shown(char c) {
    if (c >= ' ' && c <= '~') return fmt::format("'{}'", c);
    return fmt::format("with the code 0x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }

  Token::Kind number(Token& token) {
    const std::size_t begin = cursor_;
    if (at() == '0' && (at(1) == 'x' || at(1) == 'X')) {
      cursor_ += 2;
      while (is_word(at())) ++cursor_;
      token.number = value(token, text_.substr(begin + 2, cursor_ - begin - 2), 16);
      return Token::Kind::Number;
    }
    while (is_digit(at())) ++cursor_;
    if (skip_fraction()) return Token::Kind::Verbatim;
    while (is_word(at())) ++cursor_;
    const std::string_view digits = text_.substr(begin, cursor_ - begin);
    if (digits.size() > 1 && digits[0] == '0')
      throw UserError(locate_(token.place), fmt::format("the number {} starts with a zero", quoted(digits)),
                      "leave out the zero; numbers are decimal, or hexadecimal with '0x'");
    token.number = value(token, digits, 10);
    return Token::Kind::Number;
  }

  /// `.25`, `e-3`: true if there was any.
  bool skip_fraction() {
    const std::size_t begin = cursor_;
    if (at() == '.' && !is_letter(at(1))) {
      ++cursor_;
      while (is_digit(at())) ++cursor_;
    }
    const std::size_t sign = at(1) == '+' || at(1) == '-' ? 1 : 0;
    if ((at() == 'e' || at() == 'E') && is_digit(at(1 + sign))) {
      cursor_ += 1 + sign;
      while (is_digit(at())) ++cursor_;
    }
    return cursor_ > begin;
  }

  std::int64_t value(const Token& token, std::string_view digits, unsigned base) const {
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t sum = 0;
    for (const char c : digits) {
      const auto digit = digit_of(c);
      if (digit >= base) fail_digits(token);
      if (sum > (kLargest - digit) / base)
        throw UserError(locate_(token.place), "this number does not fit in 63 bits",
                        "the largest is 9223372036854775807");
      sum = sum * base + digit;
    }
    if (digits.empty()) fail_digits(token);
    return static_cast<std::int64_t>(sum);
  }

  static unsigned digit_of(char c) {
    if (is_digit(c)) return static_cast<unsigned>(c - '0');
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a' + 10) : 16;
  }

  [[noreturn]] void fail_digits(const Token& token) const {
    throw UserError(
        locate_(token.place),
        fmt::format("{} is neither a number nor a name", quoted(text_.substr(token.offset, cursor_ - token.offset))),
        "names start with a letter or '_'");
  }

  Token::Kind string() {
    const Place begin = place();
    for (++cursor_; at() != '"'; ++cursor_) {
      if (at() == '\\' && cursor_ + 1 < text_.size()) ++cursor_;
      if (cursor_ >= text_.size() || at() == '\n')
        throw UserError(locate_(begin), "this string does not end", "end it with '\"' on the same line");
    }
    ++cursor_;
    return Token::Kind::Verbatim;
  }

  std::string_view text_;
  const Locate& locate_;
  std::size_t cursor_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

Tokens::Tokens(std::string_view text, Locate locate) : locate_(std::move(locate)) {
  Scanner scanner(text, locate_);
  do {
    tokens_.push_back(scanner.scan());
  } while (tokens_.back().kind != Token::Kind::End);
}

const Token& Tokens::peek(std::size_t ahead) const noexcept {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const Token& Tokens::next() noexcept {
  const Token& token = peek();
  if (token.kind != Token::Kind::End) ++position_;
  return token;
}

bool Tokens::accept(std::string_view word) noexcept {
  if (!is(word)) return false;
  next();
  return true;
}

const Token& Tokens::expect(std::string_view word, std::string_view where, const std::string& hint) {
  if (is(word)) return next();
  fail_expected(where.empty() ? fmt::format("'{}'", word) : fmt::format("'{}' {}", word, where), hint);
}

void Tokens::fail(Place place, const std::string& message, const std::string& hint) const {
  throw UserError(location(place), message, hint);
}

void Tokens::fail_expected(std::string_view what, const std::string& hint) const {
  const Token& token = peek();
  const std::string found = token.kind == Token::Kind::End ? "the end of the text" : quoted(token.text);
  fail(token.place, fmt::format("expected {}, found {}", what, found), hint);
}

}  // namespace plumb::bip
