#pragma once

#include <vector>

#include "term/op.h"

namespace plumb::term {

inline std::vector<Op> operators_between(Op first, Op last) {
  std::vector<Op> result;
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) result.push_back(static_cast<Op>(i));
  return result;
}

/// Every operator on bit-vectors, the derived ones too.
inline std::vector<Op> bit_vector_operators() { return operators_between(Op::Not, Op::Ite); }

/// The result has the width of the operands, which is the same.
inline bool keeps_width(Op op) { return op >= Op::Not && op <= Op::RotateRight; }

}  // namespace plumb::term
