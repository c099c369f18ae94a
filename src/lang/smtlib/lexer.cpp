#include "lang/smtlib/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace plumb::smtlib {
namespace {

enum Class : std::uint8_t { kSymbol = 1, kDigit = 2, kBlank = 4, kHex = 8, kBinary = 16 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c :
       std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/"))
    classes[static_cast<unsigned char>(c)] |= kSymbol;
  for (const char c : std::string_view("0123456789abcdefABCDEF")) classes[static_cast<unsigned char>(c)] |= kHex;
  for (const char c : std::string_view("0123456789")) classes[static_cast<unsigned char>(c)] |= kDigit;
  for (const char c : std::string_view("01")) classes[static_cast<unsigned char>(c)] |= kBinary;
  for (const char c : std::string_view(" \t\r\n")) classes[static_cast<unsigned char>(c)] |= kBlank;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is(char c, std::uint8_t mask) { return (kClasses[static_cast<unsigned char>(c)] & mask) != 0; }

/// The first position from `i` on whose character is not in the class.
std::uint32_t skip(std::string_view text, std::uint32_t i, std::uint8_t mask) {
  while (i < text.size() && is(text[i], mask)) ++i;
  return i;
}

constexpr std::size_t kShownLength = 40;

std::string shown(std::string_view text) {
  return text.size() <= kShownLength ? std::string(text) : fmt::format("{}…", text.substr(0, kShownLength));
}

}  // namespace

Lexer::Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    throw UserError(SourceLocation{file_}, "the file is larger than 4 GiB");
  if (text.starts_with("\xEF\xBB\xBF")) cursor_ = 3;  // a byte order mark says nothing in UTF-8
}

Token Lexer::next() {
  if (has_ahead_) {
    has_ahead_ = false;
  } else {
    ahead_ = scan();
  }
  position_ = cursor_;
  return ahead_;
}

const Token& Lexer::peek() {
  if (!has_ahead_) {
    ahead_ = scan();
    has_ahead_ = true;
  }
  return ahead_;
}

void Lexer::skip_blanks() noexcept {
  while (cursor_ < text_.size()) {
    const char c = text_[cursor_];
    if (is(c, kBlank)) {
      ++cursor_;
    } else if (c == ';') {
      const std::size_t end = text_.find('\n', cursor_);
      cursor_ = static_cast<std::uint32_t>(std::min(end, text_.size()));
    } else {
      return;
    }
  }
}

Token Lexer::scan() {
  skip_blanks();
  if (cursor_ >= text_.size()) return {Token::Kind::End, false, cursor_, {}};
  const std::uint32_t start = cursor_;
  const char c = text_[start];
  switch (c) {
    case '(':
      return {Token::Kind::Open, false, cursor_++, text_.substr(start, 1)};
    case ')':
      return {Token::Kind::Close, false, cursor_++, text_.substr(start, 1)};
    case '|':
      return quoted_symbol();
    case '"':
      return string();
    case '#':
      return constant();
    case ':':
      cursor_ = skip(text_, start + 1, kSymbol);
      if (cursor_ == start + 1) fail(start, "a keyword needs a name after ':'");
      return {Token::Kind::Keyword, false, start, text_.substr(start, cursor_ - start)};
    default:
      break;
  }
  if (is(c, kDigit)) return number();
  if (!is(c, kSymbol)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F) fail(start, fmt::format("unexpected character '{}'", c));
    fail(start, fmt::format("unexpected byte 0x{:02x}", byte),
         "SMT-LIB is plain text; other characters go between bars: |…|");
  }
  cursor_ = skip(text_, start + 1, kSymbol);
  return {Token::Kind::Symbol, false, start, text_.substr(start, cursor_ - start)};
}

Token Lexer::quoted_symbol() {
  const std::uint32_t start = cursor_;
  const std::size_t end = text_.find('|', start + 1);
  if (end == std::string_view::npos) fail(start, "unexpected end of file in a quoted symbol", "close it with '|'");
  const std::string_view name = text_.substr(start + 1, end - start - 1);
  if (const std::size_t at = name.find('\\'); at != std::string_view::npos)
    fail(start + 1 + static_cast<std::uint32_t>(at), "a quoted symbol cannot contain '\\'");
  cursor_ = static_cast<std::uint32_t>(end + 1);
  return {Token::Kind::Symbol, true, start, name};
}

Token Lexer::string() {
  const std::uint32_t start = cursor_;
  std::size_t end = start;
  do {
    end = text_.find('"', end + 1);
    if (end == std::string_view::npos) fail(start, "unexpected end of file in a string", "close it with '\"'");
    if (end + 1 >= text_.size() || text_[end + 1] != '"') break;
    ++end;  // "" stands for one quote
  } while (true);
  cursor_ = static_cast<std::uint32_t>(end + 1);
  return {Token::Kind::String, false, start, text_.substr(start + 1, end - start - 1)};
}

Token Lexer::constant() {
  const std::uint32_t start = cursor_;
  const char base = start + 1 < text_.size() ? text_[start + 1] : ' ';
  if (base != 'x' && base != 'b') fail(start, "expected #x and hexadecimal digits, or #b and binary digits");
  const bool hex = base == 'x';
  cursor_ = skip(text_, start + 2, hex ? kHex : kBinary);
  if (cursor_ == start + 2 || (cursor_ < text_.size() && is(text_[cursor_], kSymbol)))
    fail(cursor_, hex ? "expected a hexadecimal digit" : "expected a binary digit");
  return {hex ? Token::Kind::Hexadecimal : Token::Kind::Binary, false, start,
          text_.substr(start + 2, cursor_ - start - 2)};
}

Token Lexer::number() {
  const std::uint32_t start = cursor_;
  Token::Kind kind = Token::Kind::Numeral;
  cursor_ = skip(text_, start, kDigit);
  if (cursor_ + 1 < text_.size() && text_[cursor_] == '.' && is(text_[cursor_ + 1], kDigit)) {
    kind = Token::Kind::Decimal;
    cursor_ = skip(text_, cursor_ + 1, kDigit);
  }
  if (cursor_ < text_.size() && is(text_[cursor_], kSymbol)) fail(start, "a symbol cannot start with a digit");
  return {kind, false, start, text_.substr(start, cursor_ - start)};
}

std::uint32_t Lexer::line(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  if (offset < counted_) {
    counted_ = 0;
    line_ = 1;
    line_start_ = 0;
  }
  const std::string_view before = text_.substr(0, offset);
  for (std::size_t end = before.find('\n', counted_); end != std::string_view::npos; end = before.find('\n', end + 1)) {
    ++line_;
    line_start_ = static_cast<std::uint32_t>(end + 1);
  }
  counted_ = offset;
  return line_;
}

SourceLocation Lexer::location(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const std::uint32_t found = line(offset);
  const std::string_view before = text_.substr(line_start_, offset - line_start_);
  const auto characters =
      std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {file_, found, static_cast<std::uint32_t>(characters) + 1};
}

void Lexer::fail(std::uint32_t offset, std::string message, std::string hint) const {
  throw UserError(location(offset), std::move(message), std::move(hint));
}

void Lexer::fail_unsupported(std::uint32_t offset, std::string_view construct) const {
  throw Unsupported(location(offset), fmt::format("unsupported: {}", construct),
                    "`--backend z3` (or cvc5) hands such a file to that solver");
}

void Lexer::fail_expected(std::string_view what, const Token& found) const {
  if (found.kind == Token::Kind::End) fail(found.offset, fmt::format("unexpected end of file, expected {}", what));
  fail(found.offset, fmt::format("expected {}, found '{}'", what, shown(found.text)));
}

std::string normalised(std::string_view text) {
  std::string out;
  Lexer lexer(text, {});
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    if (!out.empty() && out.back() != '(' && token.kind != Token::Kind::Close) out += ' ';
    out += text.substr(token.offset, lexer.position() - token.offset);
  }
  return out;
}

}  // namespace plumb::smtlib
