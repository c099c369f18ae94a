#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "prove/guess/control_map.h"

namespace plumb::prove {

/// What a system's own terms speak of: where its invariants take their words from.
struct Vocabulary {
  /// By width, up to 64: constants, with their neighbours and the ends of the ranges; ascending as unsigned numbers.
  std::map<std::uint32_t, std::vector<std::uint64_t>> constants;
  /// By width: constants that inputs are compared with, and their neighbours.
  std::map<std::uint32_t, std::vector<std::uint64_t>> asked;
  /// Comparisons of registers with constants and with each other, and single bits of them.
  std::vector<Term> atoms;
  std::vector<Term> relaxed;  ///< orders that are a little weaker than an atom or its negation
  /// Numbers that something is divided by, or grows by, and that are no powers of two.
  std::vector<std::uint64_t> moduli;
  /// What is compared and is neither a register nor a sum: products, quotients, shifts.
  std::vector<Term> words;
  std::vector<Term> similar_words;  ///< the same of other registers
  std::vector<Term> signed_words;   ///< registers that are extended by their sign
  /// Arrays at the indices at which they are read.
  std::vector<Term> reads;
  bool multiplies = false;  ///< registers with each other

  const std::vector<std::uint64_t>& constants_of(std::uint32_t width) const;
};
/// Terms are over the system's states alone, with the control state folded.
Vocabulary vocabulary_of(System& system, const ControlMap& map);

}  // namespace plumb::prove
