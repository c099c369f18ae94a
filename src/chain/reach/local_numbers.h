#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "chain/state_set.h"

namespace plumb::chain {

/// The places of states in an ascending list of them: a bit for each number between the first and the last and a count
/// for each 64 of those; by bisection where the list is too sparse for that.
class LocalNumbers {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit LocalNumbers(std::span<const StateId> states) : states_(states), first_(states.front()) {
    const std::uint64_t range = std::uint64_t{states.back()} - first_ + 1;
    if (range / 256 > states.size()) return;
    words_.resize((range + 63) / 64);
    for (const StateId s : states) words_[(s - first_) / 64].bits |= std::uint64_t{1} << ((s - first_) % 64);
    std::uint32_t count = 0;
    for (Word& word : words_) {
      word.before = count;
      count += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
  }

  /// kNone for a state that is not in the list.
  std::uint32_t operator[](StateId s) const noexcept {
    if (s < first_ || s > states_.back()) return kNone;
    if (words_.empty()) {
      const auto place = std::ranges::lower_bound(states_, s);
      return *place == s ? static_cast<std::uint32_t>(place - states_.begin()) : kNone;
    }
    const Word& word = words_[(s - first_) / 64];
    const std::uint64_t bit = std::uint64_t{1} << ((s - first_) % 64);
    if ((word.bits & bit) == 0) return kNone;
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & (bit - 1)));
  }
  std::uint64_t bytes() const noexcept { return words_.size() * sizeof(Word); }

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  std::span<const StateId> states_;
  StateId first_;
  std::vector<Word> words_;
};

}  // namespace plumb::chain
