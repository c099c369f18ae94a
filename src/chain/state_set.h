#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace plumb::chain {

using StateId = std::uint32_t;

/// A set of the states 0 to size() - 1, a bit each.
class StateSet {
 public:
  StateSet() = default;
  explicit StateSet(std::uint64_t size, bool full = false) : size_(size), words_((size + 63) / 64, full ? ~0ULL : 0) {
    trim();
  }

  std::uint64_t size() const noexcept { return size_; }
  bool contains(StateId s) const noexcept { return (words_[s >> 6] >> (s & 63)) & 1; }
  void insert(StateId s) noexcept { words_[s >> 6] |= std::uint64_t{1} << (s & 63); }
  void erase(StateId s) noexcept { words_[s >> 6] &= ~(std::uint64_t{1} << (s & 63)); }
  std::uint64_t count() const noexcept {
    std::uint64_t n = 0;
    for (const std::uint64_t word : words_) n += static_cast<std::uint64_t>(std::popcount(word));
    return n;
  }
  bool empty() const noexcept { return count() == 0; }

  StateSet& operator&=(const StateSet& other) noexcept;
  StateSet& operator|=(const StateSet& other) noexcept;
  StateSet complement() const;
  /// Calls f(StateId) in ascending order.
  template <typename F>
  void for_each(F&& f) const {
    for (std::uint64_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        f(static_cast<StateId>(i * 64 + static_cast<unsigned>(std::countr_zero(word))));
  }
  friend bool operator==(const StateSet&, const StateSet&) = default;

 private:
  void trim() noexcept {
    if (size_ % 64 != 0) words_.back() &= (std::uint64_t{1} << (size_ % 64)) - 1;
  }

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace plumb::chain
