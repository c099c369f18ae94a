#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "base/bit_vector.h"
#include "circuit/simulator.h"
#include "circuit/words.h"

namespace plumb::circuit {

/// One value for each operand.
using Case = std::vector<BitVector>;

/// All values of operands of these widths together; they must have few bits.
inline std::vector<Case> all_cases(std::span<const std::uint32_t> widths) {
  std::vector<Case> cases = {{}};
  for (const std::uint32_t width : widths) {
    std::vector<Case> longer;
    for (const Case& c : cases) {
      for (std::uint64_t value = 0; value < std::uint64_t{1} << width; ++value) {
        longer.push_back(c);
        longer.back().emplace_back(width, value);
      }
    }
    cases = std::move(longer);
  }
  return cases;
}

/// Random values, among them many with long runs of equal bits, small ones and extreme ones.
inline std::vector<Case> random_cases(std::span<const std::uint32_t> widths, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto value = [&](std::uint32_t width) {
    std::vector<std::uint64_t> words((width + 63) / 64);
    std::generate(words.begin(), words.end(), random);
    const BitVector bits = BitVector::from_words(width, words);
    switch (random() % 6) {
      case 0:
        return BitVector(width, random() % 8);
      case 1:
        return random() % 2 == 0 ? BitVector::min_signed(width) : BitVector::max_signed(width);
      case 2:
        return bits.lshr(static_cast<std::uint32_t>(random() % width));
      case 3:
        return bits.ashr(static_cast<std::uint32_t>(random() % width));
      case 4:
        return BitVector(width, random() % (2 * width));
      default:
        return bits;
    }
  };
  std::vector<Case> cases(count);
  for (Case& c : cases)
    for (const std::uint32_t width : widths) c.push_back(value(width));
  return cases;
}

inline Word add_inputs(Aig& aig, std::uint32_t width) {
  Word word;
  for (std::uint32_t i = 0; i < width; ++i) word.push_back(aig.add_input());
  return word;
}

/// The value of `result` in each case. `operands` are words of inputs.
inline std::vector<BitVector> simulate(const Aig& aig, std::span<const Word> operands, Bits result,
                                       std::span<const Case> cases) {
  Simulator simulator(aig);
  std::vector<BitVector> values;
  for (std::size_t start = 0; start < cases.size(); start += 64) {
    const std::size_t runs = std::min<std::size_t>(64, cases.size() - start);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      for (std::uint32_t i = 0; i < operands[k].size(); ++i) {
        std::uint64_t word = 0;
        for (std::size_t run = 0; run < runs; ++run) word |= std::uint64_t{cases[start + run][k].bit(i)} << run;
        simulator.set_input(aig.ordinal(operands[k][i].node()), word);
      }
    }
    simulator.evaluate();
    for (std::size_t run = 0; run < runs; ++run) {
      BitVector value(static_cast<std::uint32_t>(result.size()), 0);
      for (std::uint32_t i = 0; i < result.size(); ++i)
        value.set_bit(i, ((simulator.value(result[i]) >> run) & 1) != 0);
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace plumb::circuit
