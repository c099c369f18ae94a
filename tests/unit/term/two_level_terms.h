#pragma once

#include <span>

#include "term/op.h"

namespace plumb::term {

/// Which leaves are tried: variables of the given width (others have two of width 1 and one of each other width), all
/// constants of up to four bits and a choice of wider ones. Of all choices of leaves, one in `stride` is tried.
struct LeafChoice {
  std::uint32_t width = 1;
  unsigned variables = 2;
  unsigned stride = 1;
};

/// Makes outer(inner(leaves), leaves), the inner term in each operand's place, for each of the outer operators and
/// every inner one, and expects the term of the store to have, under every assignment, the value that term::evaluate
/// gives for the two operators.
void expect_function_preserved(std::span<const Op> outer, LeafChoice choice);

}  // namespace plumb::term
