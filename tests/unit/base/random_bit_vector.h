#pragma once

#include <array>
#include <random>
#include <vector>

#include "base/bit_vector.h"

namespace plumb {

/// Widths on both sides of where the representation changes.
inline constexpr std::array<std::uint32_t, 10> kInterestingWidths = {31, 32, 33, 63, 64, 65, 127, 128, 129, 200};

/// Random values with a taste for what breaks arithmetic: few or many bits, long runs of equal bits, the extremes.
class RandomBitVectors {
 public:
  explicit RandomBitVectors(std::uint64_t seed) : engine_(seed) {}

  BitVector next(std::uint32_t width) {
    switch (engine_() % 8) {
      case 0:
        return extreme(width);
      case 1:
        return uniform(width).lshr(below(width));
      case 2:
        return uniform(width) & uniform(width) & uniform(width);
      case 3:
        return BitVector::ones(width).shl(below(width)) ^ BitVector::ones(width).shl(below(width));
      default:
        return uniform(width);
    }
  }

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }

 private:
  BitVector uniform(std::uint32_t width) {
    std::vector<std::uint64_t> words((width + 63) / 64);
    for (std::uint64_t& w : words) w = engine_();
    return BitVector::from_words(width, words);
  }

  BitVector extreme(std::uint32_t width) {
    switch (engine_() % 5) {
      case 0:
        return BitVector(width, 0);
      case 1:
        return BitVector(width, 1);
      case 2:
        return BitVector::ones(width);
      case 3:
        return BitVector::min_signed(width);
      default:
        return BitVector::max_signed(width);
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace plumb
