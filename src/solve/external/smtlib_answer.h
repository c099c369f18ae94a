#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "term/value.h"

namespace plumb::solve {

/// S-expressions of SMT-LIB: atoms and lists, in one flat array. The text must outlive them. Reading and walking need
/// no recursion.
class SExpressions {
 public:
  struct Node {
    std::string_view text;  ///< of an atom, without the bars of a quoted symbol; of a list, all of it
    bool is_list = false;
    std::vector<std::uint32_t> children;  ///< of a list
  };

  /// Nothing if parentheses or quotes do not match.
  static std::optional<SExpressions> parse(std::string_view text);

  std::span<const std::uint32_t> roots() const noexcept { return roots_; }
  const Node& operator[](std::uint32_t i) const noexcept { return nodes_[i]; }
  std::size_t size() const noexcept { return nodes_.size(); }
  /// It is an atom with this text.
  bool is(std::uint32_t i, std::string_view atom) const noexcept {
    return !nodes_[i].is_list && nodes_[i].text == atom;
  }

 private:
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> roots_;
};

/// Tells when lines that are fed in turn make up a complete s-expression (a bare word is one).
class AnswerEnd {
 public:
  /// True if the answer is complete with this line.
  bool feed(std::string_view line) noexcept;

 private:
  std::size_t depth_ = 0;
  char quote_ = 0;
};

/// The values in the answer to a get-value command, by position; nothing if it is no such answer or a value is none of
/// its sort. Arrays may be `(as const …)`, `store` and `let` around them; a Bool is a bit-vector of width 1.
std::optional<std::vector<term::Value>> parse_values(std::string_view answer, std::span<const term::Sort> sorts);

/// The symbols in the answer to get-unsat-assumptions; nothing if it is no list of symbols.
std::optional<std::vector<std::string>> parse_symbols(std::string_view answer);

}  // namespace plumb::solve
