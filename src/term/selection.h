#pragma once

#include <cstdint>
#include <vector>

#include "term/term_store.h"

namespace plumb::term {

/// The low `count` bits of a term are those of `value` in every assignment.
struct LowBits {
  std::uint32_t count = 0;
  std::uint64_t value = 0;

  static constexpr std::uint32_t kMax = 8;
  /// Of the first kMax of so many.
  static LowBits of(std::uint32_t count, std::uint64_t value);
  /// How many of them are zeros before the first one.
  std::uint32_t zeros() const noexcept;
};

/// What the shape of a sum or product of indices and sizes shows, or of a choice between some. Looks so deep that it
/// costs no more than making a term does.
LowBits known_low_bits(const TermStore& store, Term t);

/// Element number `index` of a list that is not empty, counted by the bits of the index from `low` on: a tree of
/// choices by one bit each, the lowest first, as in the memories of circuits. That makes fewer choices than elements
/// and no comparison, and equal subtrees are one term. What an index behind the end gives does not matter.
Term select_by_bits(TermStore& store, Term index, std::vector<Term> elements, std::uint32_t low = 0);

/// The index, counted likewise, is `k`, given that it is less than `count`.
Term is_element(TermStore& store, Term index, std::uint64_t k, std::uint64_t count, std::uint32_t low = 0);

}  // namespace plumb::term
