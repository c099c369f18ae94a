#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/coverage/coverage.h"

namespace plumb::result {

/// The text of a C or C++ file, with just enough understanding to find the words around a condition. Comments and
/// literals are blanked out, so that what looks like code is code; positions are those of the file.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  /// Nothing if there is no such position.
  std::optional<std::size_t> offset(TextPosition position) const;
  TextPosition position(std::size_t offset) const;
  /// As it is written, literals included.
  std::string_view written(std::size_t begin, std::size_t end) const;
  /// The word or sign there begins with `word`; a word must end there too.
  bool has(std::size_t offset, std::string_view word) const;

  /// The `&&` or `||` whose left side ends with what ends before `end`.
  std::optional<std::size_t> operator_after(std::size_t end) const;

  /// What stands before a condition.
  struct Before {
    std::size_t first = 0;  ///< where the condition begins, signs `(` and `!` before it included
    /// The operator whose right side begins there, the keyword (`if`, `while`, `switch`, …) that the condition is of,
    /// or the sign that ends what is before.
    std::optional<std::size_t> word;
    bool is_operator = false;
  };
  Before before(std::size_t begin) const;

  /// From the keyword of a switch to the end of its block.
  std::optional<std::pair<std::size_t, std::size_t>> switch_extent(std::size_t keyword) const;

 private:
  std::optional<std::size_t> closing(std::size_t open) const;
  std::size_t skip_space(std::size_t at) const;
  std::size_t skip_space_back(std::size_t end) const;

  std::string written_;
  std::string text_;
  std::vector<std::size_t> lines_;  ///< where each begins
};

}  // namespace plumb::result
