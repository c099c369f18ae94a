#include "result/coverage/source_text.h"

#include <algorithm>
#include <cctype>

namespace plumb::result {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\'; }

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
std::size_t end_of_opaque(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto from = [&](std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? text.size() : found + length;
  };
  if (rest.starts_with("/*")) return from(text.find("*/", at + 2), 2);
  if (rest.starts_with("//")) return from(text.find('\n', at), 0);
  if (rest.front() != '"' && rest.front() != '\'') return at;
  // A quote between digits is part of a number of C++.
  if (rest.front() == '\'' && at > 0 && is_word(text[at - 1]) && at + 1 < text.size() &&
      std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0 && is_word(text[at + 1]))
    return at;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == rest.front() || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

SourceText::SourceText(std::string_view text) : written_(text), text_(text), lines_{0} {
  for (std::size_t i = 0; i < text_.size();) {
    const std::size_t end = end_of_opaque(text_, i);
    // Literals stay visible as something that is no space.
    const char blank = text_[i] == '/' ? ' ' : '_';
    for (std::size_t k = i; k < end; ++k)
      if (text_[k] != '\n') text_[k] = blank;
    i = std::max(end, i + 1);
  }
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
}

std::optional<std::size_t> SourceText::offset(TextPosition position) const {
  if (position.line == 0 || position.column == 0 || position.line > lines_.size()) return std::nullopt;
  const std::size_t offset = lines_[position.line - 1] + position.column - 1;
  const std::size_t end = position.line < lines_.size() ? lines_[position.line] : text_.size() + 1;
  return offset < end ? std::optional(offset) : std::nullopt;
}

TextPosition SourceText::position(std::size_t offset) const {
  const auto line = std::ranges::upper_bound(lines_, offset);
  return {static_cast<std::uint32_t>(line - lines_.begin()), static_cast<std::uint32_t>(offset - *(line - 1) + 1)};
}

std::string_view SourceText::written(std::size_t begin, std::size_t end) const {
  return std::string_view(written_).substr(std::min(begin, written_.size()), end - begin);
}

bool SourceText::has(std::size_t offset, std::string_view word) const {
  if (!std::string_view(text_).substr(std::min(offset, text_.size())).starts_with(word)) return false;
  const std::size_t end = offset + word.size();
  return !is_word(word.back()) || end == text_.size() || !is_word(text_[end]);
}

std::size_t SourceText::skip_space(std::size_t at) const {
  while (at < text_.size() && is_space(text_[at])) ++at;
  return at;
}

std::size_t SourceText::skip_space_back(std::size_t end) const {
  while (end > 0 && is_space(text_[end - 1])) --end;
  return end;
}

std::optional<std::size_t> SourceText::operator_after(std::size_t end) const {
  std::size_t at = skip_space(end);
  while (at < text_.size() && text_[at] == ')') at = skip_space(at + 1);
  return has(at, "&&") || has(at, "||") ? std::optional(at) : std::nullopt;
}

SourceText::Before SourceText::before(std::size_t begin) const {
  std::size_t end = begin;
  for (;;) {
    const std::size_t next = skip_space_back(end);
    if (next == 0 || (text_[next - 1] != '(' && text_[next - 1] != '!')) break;
    end = next - 1;
  }
  Before found{end, std::nullopt, false};
  const std::size_t last = skip_space_back(end);
  if (last == 0) return found;
  std::size_t word = last - 1;
  if (last > 1 && (has(last - 2, "&&") || has(last - 2, "||"))) {
    word = last - 2;
    found.is_operator = true;
  } else if (is_word(text_[word])) {
    while (word > 0 && is_word(text_[word - 1])) --word;
  }
  found.word = word;
  return found;
}

std::optional<std::size_t> SourceText::closing(std::size_t open) const {
  const char left = text_[open];
  const char right = left == '(' ? ')' : '}';
  std::size_t depth = 0;
  for (std::size_t i = open; i < text_.size(); ++i) {
    if (text_[i] == left) ++depth;
    if (text_[i] == right && --depth == 0) return i;
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>> SourceText::switch_extent(std::size_t keyword) const {
  if (!has(keyword, "switch")) return std::nullopt;
  const std::size_t open = skip_space(keyword + std::string_view("switch").size());
  if (open == text_.size() || text_[open] != '(') return std::nullopt;
  const std::optional<std::size_t> closed = closing(open);
  if (!closed) return std::nullopt;
  const std::size_t block = skip_space(*closed + 1);
  if (block == text_.size() || text_[block] != '{') return std::nullopt;
  const std::optional<std::size_t> end = closing(block);
  return end ? std::optional(std::pair(keyword, *end)) : std::nullopt;
}

}  // namespace plumb::result
