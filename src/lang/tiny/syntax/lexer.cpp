#include "lang/tiny/syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace plumb::tiny {

namespace {

constexpr std::array<std::string_view, 25> kKeywords = {
    "class",  "wire",   "const", "int",    "bool",        "void",           "if",       "else",     "while",
    "do",     "for",    "break", "true",   "return",      "forall",         "exists",   "continue", "false",
    "assert", "assume", "rv",    "nondet", "nondet_bool", "MAX_ARRAY_SIZE", "call_func"};

constexpr std::array<std::string_view, 46> kSymbols = {
    "<<=", ">>=", "...", "->", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=",
    "*=",  "/=",  "%=",  "&=", "|=", "^=", "..", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",  "=",
    "?",   ":",   "|",   "&",  "^",  "~",  "!",  "<",  ">",  "+",  "-",  "*",  "/",  "%"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && !is_blank(c)) || c == '\x7f'; }
/// A byte of a character beyond ASCII, or of no character at all.
bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, std::vector<UserError>& errors)
      : text_(text), file_(file), errors_(errors) {}

  std::vector<Token> scan() {
    if (!is_text()) return {Token{}};
    if (text_.substr(0, 3) == "\xef\xbb\xbf") cursor_ = line_start_ = 3;  // a byte order mark
    while (skip_blanks()) scan_token();
    Token end;
    end.place = end.end = place_of(cursor_);
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  Place place_of(std::size_t offset) const { return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)}; }
  void fail(Place place, std::string message, std::string hint = {}) {
    errors_.emplace_back(SourceLocation{file_, place.line, place.column}, std::move(message), std::move(hint));
  }
  void next_line() {
    ++line_;
    line_start_ = cursor_ + 1;
  }

  bool is_text() {
    const auto found = std::find_if(text_.begin(), text_.end(), is_control);
    if (found == text_.end()) return true;
    for (; cursor_ < static_cast<std::size_t>(found - text_.begin()); ++cursor_)
      if (text_[cursor_] == '\n') next_line();
    fail(place_of(cursor_),
         fmt::format("this file is not text: it has a byte {:#04x}", static_cast<unsigned char>(*found)),
         "Tiny programs are plain text");
    return false;
  }

  /// False at the end of the text.
  bool skip_blanks() {
    while (cursor_ < text_.size()) {
      if (text_[cursor_] == '\n') next_line();
      if (is_blank(text_[cursor_])) {
        ++cursor_;
      } else if (text_.substr(cursor_, 2) == "//") {
        cursor_ = std::min(text_.find('\n', cursor_), text_.size());
      } else if (text_.substr(cursor_, 2) == "/*") {
        if (!skip_comment()) return false;
      } else {
        return true;
      }
    }
    return false;
  }

  bool skip_comment() {
    const Place start = place_of(cursor_);
    const std::size_t end = text_.find("*/", cursor_ + 2);
    if (end == std::string_view::npos) {
      fail(start, "this comment does not end: expected '*/', found the end of the file");
      cursor_ = text_.size();
      return false;
    }
    for (; cursor_ < end; ++cursor_)
      if (text_[cursor_] == '\n') next_line();
    cursor_ = end + 2;
    return true;
  }

  void push(Token::Kind kind, std::size_t begin, std::uint64_t number = 0) {
    tokens_.push_back({kind, text_.substr(begin, cursor_ - begin), place_of(begin), place_of(cursor_), number});
  }

  void scan_token() {
    const std::size_t begin = cursor_;
    const char c = text_[begin];
    if (is_digit(c)) return scan_number();
    if (is_letter(c) || (c == '@' && is_letter(at(begin + 1)))) {
      for (++cursor_; is_word(at(cursor_));) ++cursor_;
      const std::string_view word = text_.substr(begin, cursor_ - begin);
      const bool is_keyword = std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
      return push(c == '@' ? Token::Kind::At : is_keyword ? Token::Kind::Keyword : Token::Kind::Identifier, begin);
    }
    if (const std::string_view symbol = symbol_here(); !symbol.empty()) {
      cursor_ += symbol.size();
      return push(Token::Kind::Symbol, begin);
    }
    scan_unknown();
  }

  std::string_view symbol_here() const {
    for (const std::string_view symbol : kSymbols)
      if (text_.substr(cursor_, symbol.size()) == symbol) return symbol;
    return {};
  }

  void scan_number() {
    const std::size_t begin = cursor_;
    while (is_word(at(cursor_))) ++cursor_;
    const std::string_view word = text_.substr(begin, cursor_ - begin);
    const bool is_hexadecimal = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const std::string_view digits = is_hexadecimal ? word.substr(2) : word;
    std::uint64_t value = 0;
    bool is_number = true;
    bool fits = true;
    for (const char d : digits) {
      is_number = is_number && (is_hexadecimal ? std::isxdigit(static_cast<unsigned char>(d)) != 0 : is_digit(d));
      if (!is_number) break;
      const auto digit = static_cast<std::uint64_t>(is_digit(d) ? d - '0' : (d | 0x20) - 'a' + 10);
      fits = fits && !__builtin_mul_overflow(value, is_hexadecimal ? 16U : 10U, &value) &&
             !__builtin_add_overflow(value, digit, &value);
    }
    if (!is_number)
      fail(place_of(begin), fmt::format("'{}' is no number", word), "numbers are decimal (10) or hexadecimal (0x0a)");
    else if (!fits)
      fail(place_of(begin), fmt::format("{} does not fit in 64 bits", word));
    else if (!is_hexadecimal && word.size() > 1 && word[0] == '0')
      fail(place_of(begin), fmt::format("'{}' starts with a zero; there are no octal numbers", word),
           "leave the zero out, or write 0x for a hexadecimal number");
    push(Token::Kind::Number, begin, value);
  }

  /// One message for a run of characters that start no token.
  void scan_unknown() {
    const std::size_t begin = cursor_;
    const char c = text_[begin];
    if (is_high(c)) {
      while (cursor_ < text_.size() && is_high(text_[cursor_])) ++cursor_;
    } else {
      while (cursor_ < text_.size() && text_[cursor_] == c) ++cursor_;
    }
    if (c == '#') {
      fail(place_of(begin), "'#' starts no word of Tiny: there is no preprocessor", "use 'const int NAME = …;'");
      cursor_ = std::min(text_.find('\n', cursor_), text_.size());
    } else if (c == '"' || c == '\'') {
      fail(place_of(begin), fmt::format("{} starts no word of Tiny: there are no texts or characters", c));
      cursor_ = std::min({text_.find(c, begin + 1), text_.find('\n', begin), text_.size()});
      if (cursor_ < text_.size() && text_[cursor_] == c) ++cursor_;
    } else {
      fail(place_of(begin), fmt::format("'{}' starts no word of Tiny", shown(begin)));
    }
  }

  /// What stands from `begin` to the cursor; bytes that are no UTF-8 character as hexadecimal numbers.
  std::string shown(std::size_t begin) const {
    std::string text;
    for (std::size_t i = begin; i < cursor_;) {
      const auto lead = static_cast<unsigned char>(text_[i]);
      const std::size_t length = lead < 0x80   ? 1U
                                 : lead < 0xc2 ? 0U
                                 : lead < 0xe0 ? 2U
                                 : lead < 0xf0 ? 3U
                                 : lead < 0xf5 ? 4U
                                               : 0U;
      bool is_valid = length != 0 && i + length <= cursor_;
      for (std::size_t k = 1; is_valid && k < length; ++k)
        is_valid = (static_cast<unsigned char>(text_[i + k]) & 0xc0U) == 0x80U;
      text += is_valid ? std::string(text_.substr(i, length)) : fmt::format("\\x{:02x}", lead);
      i += is_valid ? length : 1;
    }
    return text;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<UserError>& errors_;
  std::vector<Token> tokens_;
  std::size_t cursor_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

std::vector<Token> scan(std::string_view text, const std::string& file, std::vector<UserError>& errors) {
  return Scanner(text, file, errors).scan();
}

std::string describe(const Token& token) {
  return token.kind == Token::Kind::End ? "the end of the file" : fmt::format("'{}'", token.text);
}

std::string_view refused_word(std::string_view word) {
  for (const std::string_view type : {"unsigned", "signed", "char", "short", "long", "float", "double"})
    if (word == type) return "types are int and bool; whether an int has a sign is an option";
  for (const std::string_view choice : {"switch", "case", "default"})
    if (word == choice) return "write it with if and else";
  if (word == "goto") return "use loops, break, continue and return";
  for (const std::string_view memory : {"struct", "union", "enum", "typedef", "sizeof", "new", "delete"})
    if (word == memory) return "there are scalars and arrays of int and bool";
  for (const std::string_view modifier : {"static", "extern", "volatile", "public", "private", "protected"})
    if (word == modifier) return "leave it out";
  return {};
}

}  // namespace plumb::tiny
