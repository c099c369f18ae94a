#include "lang/prism/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace plumb::prism {
namespace {

// One-letter operators of properties (P, S, R, X, U, F, G, W, C, I) are reserved by PRISM too.
constexpr std::array<std::string_view, 60> kReserved = {"A",
                                                        "bool",
                                                        "clock",
                                                        "const",
                                                        "ctmc",
                                                        "C",
                                                        "double",
                                                        "dtmc",
                                                        "E",
                                                        "endinit",
                                                        "endinvariant",
                                                        "endmodule",
                                                        "endobservables",
                                                        "endrewards",
                                                        "endsystem",
                                                        "false",
                                                        "formula",
                                                        "filter",
                                                        "func",
                                                        "F",
                                                        "global",
                                                        "G",
                                                        "init",
                                                        "invariant",
                                                        "I",
                                                        "int",
                                                        "label",
                                                        "max",
                                                        "mdp",
                                                        "min",
                                                        "module",
                                                        "X",
                                                        "nondeterministic",
                                                        "observable",
                                                        "observables",
                                                        "of",
                                                        "Pmax",
                                                        "Pmin",
                                                        "P",
                                                        "pomdp",
                                                        "popta",
                                                        "probabilistic",
                                                        "prob",
                                                        "pta",
                                                        "rate",
                                                        "rewards",
                                                        "Rmax",
                                                        "Rmin",
                                                        "R",
                                                        "S",
                                                        "stochastic",
                                                        "system",
                                                        "true",
                                                        "U",
                                                        "W",
                                                        "smg",
                                                        "idtmc",
                                                        "imdp",
                                                        "csg",
                                                        "player"};

// The operators of compositions (|||, ||, |[, ]|, <-) are put together by the parser: x<-1 is a comparison elsewhere.
constexpr std::array<std::string_view, 29> kSymbols = {"<=>", "->", "..", "=>", "<=", ">=", "!=", "=?", "!", "&",
                                                       "|",   "=",  "<",  ">",  "+",  "-",  "*",  "/",  "(", ")",
                                                       "[",   "]",  "{",  "}",  ",",  ";",  ":",  "?",  "'"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_reserved(std::string_view word) { return std::ranges::find(kReserved, word) != kReserved.end(); }

Tokens::Tokens(std::string_view text, std::string file) : text_(text), file_(std::move(file)), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(i + 1);
  while (true) {
    skip_blanks();
    if (cursor_ == text_.size()) break;
    scan();
  }
  tokens_.push_back({Token::Kind::End, {}, static_cast<std::uint32_t>(cursor_)});
}

SourceLocation Tokens::location(std::size_t token) const {
  const std::size_t offset = tokens_[token].offset;
  const auto next = std::ranges::upper_bound(lines_, offset);
  return {file_, static_cast<std::uint32_t>(next - lines_.begin()),
          static_cast<std::uint32_t>(offset - *std::prev(next) + 1)};
}

std::string_view Tokens::between(std::size_t first, std::size_t last) const {
  std::string_view text = text_.substr(tokens_[first].offset, tokens_[last].offset - tokens_[first].offset);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

void Tokens::fail_expected(std::size_t token, std::string_view expected) const {
  const Token& found = tokens_[token];
  if (found.kind == Token::Kind::End) fail(token, fmt::format("expected {}, found the end of the text", expected));
  if (found.kind == Token::Kind::Keyword && expected.ends_with("name"))
    fail(token, fmt::format("expected {}, found '{}', which is a reserved word", expected, found.text),
         "choose another name");
  fail(token, fmt::format("expected {}, found '{}'", expected, found.text));
}

void Tokens::skip_blanks() {
  while (cursor_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[cursor_])) != 0) {
      ++cursor_;
    } else if (text_.substr(cursor_, 2) == "//") {
      cursor_ = std::min(text_.find('\n', cursor_), text_.size());
    } else {
      return;
    }
  }
}

void Tokens::scan_number() {
  const std::size_t first = cursor_;
  Token token{Token::Kind::Integer, {}, static_cast<std::uint32_t>(first)};
  const auto digits = [&] {
    while (cursor_ < text_.size() && is_digit(text_[cursor_])) ++cursor_;
  };
  digits();
  // "0..5" is a range, not a number with a point.
  if (cursor_ < text_.size() && text_[cursor_] == '.' && text_.substr(cursor_, 2) != "..") {
    token.kind = Token::Kind::Real;
    ++cursor_;
    digits();
  }
  if (cursor_ < text_.size() && (text_[cursor_] == 'e' || text_[cursor_] == 'E')) {
    std::size_t next = cursor_ + 1;
    if (next < text_.size() && (text_[next] == '+' || text_[next] == '-')) ++next;
    if (next < text_.size() && is_digit(text_[next])) {
      token.kind = Token::Kind::Real;
      cursor_ = next;
      digits();
    }
  }
  token.text = text_.substr(first, cursor_ - first);
  tokens_.push_back(token);
}

void Tokens::scan() {
  const std::size_t first = cursor_;
  const char c = text_[first];
  const auto offset = static_cast<std::uint32_t>(first);
  if (is_digit(c) || (c == '.' && first + 1 < text_.size() && is_digit(text_[first + 1]))) return scan_number();
  if (is_letter(c)) {
    while (cursor_ < text_.size() && (is_letter(text_[cursor_]) || is_digit(text_[cursor_]))) ++cursor_;
    const std::string_view word = text_.substr(first, cursor_ - first);
    tokens_.push_back({is_reserved(word) ? Token::Kind::Keyword : Token::Kind::Name, word, offset});
    return;
  }
  if (c == '"') {
    const std::size_t end = text_.find('"', first + 1);
    tokens_.push_back({Token::Kind::Quoted, {}, offset});
    if (end == std::string_view::npos || text_.substr(first, end - first).find('\n') != std::string_view::npos)
      fail(tokens_.size() - 1, "a quote that does not end on its line");
    tokens_.back().text = text_.substr(first + 1, end - first - 1);
    cursor_ = end + 1;
    return;
  }
  for (const std::string_view symbol : kSymbols)
    if (text_.substr(first).starts_with(symbol)) {
      cursor_ += symbol.size();
      tokens_.push_back({Token::Kind::Symbol, text_.substr(first, symbol.size()), offset});
      return;
    }
  tokens_.push_back({Token::Kind::Symbol, text_.substr(first, 1), offset});
  fail(tokens_.size() - 1, fmt::format("unexpected character '{}'", c));
}

}  // namespace plumb::prism
