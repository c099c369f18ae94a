#pragma once

#include <cstdint>

#include "chain/narrow_array.h"

namespace plumb::chain {

/// Where groups of consecutive things begin: their sizes, narrow, and the absolute position of every sixteenth, so an
/// entry costs about a byte and a half and is found by adding at most fifteen sizes.
class Offsets {
 public:
  void push_back(std::uint32_t count) {
    if (counts_.size() % kStride == 0) marks_.push_back(total_);
    counts_.push_back(count);
    total_ += count;
  }
  void append(std::span<const std::uint32_t> counts) {
    std::uint64_t position = counts_.size();
    for (const std::uint32_t count : counts) {
      if (position++ % kStride == 0) marks_.push_back(total_);
      total_ += count;
    }
    counts_.append(counts);
  }
  std::uint64_t size() const noexcept { return counts_.size(); }
  std::uint64_t total() const noexcept { return total_; }
  std::uint32_t count(std::uint64_t i) const noexcept { return counts_[i]; }
  /// The position of the first thing of group `i`; total() for i = size().
  std::uint64_t begin(std::uint64_t i) const noexcept {
    if (i == size()) return total_;
    return counts_.visit([&](auto counts) {
      std::uint64_t position = marks_[i / kStride];
      for (std::uint64_t k = i / kStride * kStride; k < i; ++k) position += counts[k];
      return position;
    });
  }
  const NarrowArray& counts() const noexcept { return counts_; }
  std::uint64_t bytes() const noexcept { return counts_.bytes() + marks_.bytes(); }
  void shrink() {
    counts_.shrink();
    marks_.shrink();
  }

 private:
  static constexpr std::uint64_t kStride = 16;

  NarrowArray counts_;
  GrowingArray<std::uint64_t> marks_;
  std::uint64_t total_ = 0;
};

}  // namespace plumb::chain
