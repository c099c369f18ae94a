#pragma once

#include <array>

#include "term/term_store.h"

namespace plumb::term {

/// Bytes b3..b0 as a word of `width` bits would get them: each extended, then shifted to its place.
struct Bytes {
  explicit Bytes(TermStore& store) : s(store) {
    for (Term& byte : b) byte = s.variable(8, "b");
  }
  Term at(unsigned i, std::uint32_t width) { return s.shl(s.zero_extend(b[i], width), s.constant(width, 8 * i)); }
  Term word() { return s.concat(b[3], s.concat(b[2], s.concat(b[1], b[0]))); }

  TermStore& s;
  std::array<Term, 4> b{};
};

}  // namespace plumb::term
