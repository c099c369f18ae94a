#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace plumb {

/// Levenshtein's distance: how many letters have to be changed, added or taken away.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of the names (of a range of texts) that a misspelt word is nearest to, for messages; empty if all are far
/// away.
template <typename Names>
std::string_view nearest_name(std::string_view word, const Names& names) {
  constexpr std::size_t kLongest = 64;  // of a word that is worth a guess
  if (word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view name : names) {
    // The beginning of a name is as good as one wrong letter.
    const std::size_t distance = word.size() > 1 && name.starts_with(word) ? 1 : edit_distance(word, name);
    if (distance >= least || distance >= std::max(word.size(), name.size())) continue;
    least = distance;
    best = name;
  }
  return best;
}

}  // namespace plumb
