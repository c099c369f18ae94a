#include "lang/caig/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace plumb::caig {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

}  // namespace

Tokens::Tokens(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    throw UserError(SourceLocation{file_, 0, 0}, "a component of 4 GiB or more is not supported");
  do {
    skip_blanks();
    tokens_.push_back(scan());
  } while (tokens_.back().kind != Token::Kind::End);
}

SourceLocation Tokens::location_of(std::size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file_, line, static_cast<std::uint32_t>(offset - start + 1)};
}

void Tokens::fail_expected(std::size_t token, std::string_view expected) const {
  const Token& found = tokens_[token];
  if (found.kind == Token::Kind::End) fail(token, fmt::format("expected {}, found the end of the file", expected));
  fail(token, fmt::format("expected {}, found '{}{}'", expected, found.kind == Token::Kind::At ? "@" : "", found.text));
}

void Tokens::skip_blanks() {
  for (;;) {
    while (cursor_ < text_.size() && is_blank(text_[cursor_])) ++cursor_;
    const std::string_view rest = text_.substr(cursor_, 2);
    if (rest == "//") {
      cursor_ = std::min(text_.find('\n', cursor_), text_.size());
    } else if (rest == "/*") {
      const std::size_t end = text_.find("*/", cursor_ + 2);
      if (end == std::string_view::npos) throw UserError(location_of(cursor_), "this comment does not end");
      cursor_ = end + 2;
    } else {
      return;
    }
  }
}

Token Tokens::scan() {
  const std::size_t begin = cursor_;
  const auto make = [&](Token::Kind kind, std::size_t skip = 0) {
    return Token{kind, text_.substr(begin + skip, cursor_ - begin - skip), static_cast<std::uint32_t>(begin), false};
  };
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  if (begin == text_.size()) return make(Token::Kind::End);
  const char c = text_[begin];
  if (c == '\\') {
    while (cursor_ < text_.size() && !is_blank(text_[cursor_])) ++cursor_;
    if (cursor_ == begin + 1) throw UserError(location_of(begin), "expected a name behind the backslash");
    Token token = make(Token::Kind::Identifier, 1);
    token.is_escaped = true;
    return token;
  }
  if (is_letter(c) || (c == '$' && is_word(at(begin + 1)))) {
    for (++cursor_; is_word(at(cursor_)) || at(cursor_) == '.' ||
                    (at(cursor_) == ':' && at(cursor_ + 1) == ':' && is_letter(at(cursor_ + 2)));)
      cursor_ += at(cursor_) == ':' ? 2 : 1;
    return make(Token::Kind::Identifier);
  }
  if (is_digit(c)) {
    while (is_word(at(cursor_))) ++cursor_;
    if (at(cursor_) != '\'') return make(Token::Kind::Number);
    for (++cursor_; is_word(at(cursor_));) ++cursor_;
    return make(Token::Kind::Sized);
  }
  if (c == '@' && is_letter(at(begin + 1))) {
    for (++cursor_; is_word(at(cursor_));) ++cursor_;
    return make(Token::Kind::At, 1);
  }
  for (const std::string_view symbol : {"->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>"})
    if (text_.substr(begin, 2) == symbol) {
      cursor_ += 2;
      return make(Token::Kind::Symbol);
    }
  if (std::string_view("{}()[];,=?:|&^~!<>+-*/%").find(c) != std::string_view::npos) {
    ++cursor_;
    return make(Token::Kind::Symbol);
  }
  throw UserError(location_of(begin), fmt::format("'{}' starts no word of CAIG", c));
}

}  // namespace plumb::caig
