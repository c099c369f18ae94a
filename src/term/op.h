#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bit_vector.h"

namespace plumb::term {

/// The pure operators, of terms and of Program instructions alike. A Boolean is a bit-vector of width 1.
/// Those marked * are derived: a TermStore expresses them by the others, so code that walks terms never meets them.
enum class Op : std::uint8_t {
  // Leaves
  Constant,
  Variable,
  // Bitwise
  Not,
  And,
  Or,  // *
  Xor,
  // Arithmetic modulo 2^width; division by zero as in SMT-LIB
  Neg,
  Add,
  Sub,  // *
  Mul,
  Udiv,
  Urem,
  Sdiv,  // *
  Srem,  // *
  Smod,  // *
  // Shifts; the amount has the width of the operand
  Shl,
  Lshr,
  Ashr,
  RotateLeft,   // *
  RotateRight,  // *
  // Comparisons, of width 1
  Eq,  // also between arrays
  Ult,
  Ule,  // *
  Slt,
  Sle,  // *
  // "This operation overflows", of width 1
  NegOverflow,   // *
  UaddOverflow,  // *
  SaddOverflow,  // *
  UsubOverflow,  // *
  SsubOverflow,  // *
  UmulOverflow,
  SmulOverflow,
  SdivOverflow,  // *
  // Structure
  Concat,      // first operand above the second
  Extract,     // parameter: the lowest bit; width: that of the result
  ZeroExtend,  // * width: that of the result
  SignExtend,  // width: that of the result
  Repeat,      // * width: a multiple of the operand's
  Ite,         // condition of width 1; branches bit-vectors or arrays
  // Arrays
  Select,
  Store,
  ConstantArray,  // width: that of the element; parameter: that of the index
};
inline constexpr int kOpCount = static_cast<int>(Op::ConstantArray) + 1;

/// A lower-case name for texts and statistics: "and", "umul-overflow".
std::string_view name(Op op);
/// The number of operands: 0 to 3.
unsigned arity(Op op);
/// The operands may be exchanged.
bool is_commutative(Op op);
/// The result has width 1 whatever the operands' width.
bool is_predicate(Op op);

/// The value of an operator on bit-vector operands (every operator but leaves and arrays). `width` is that of the
/// result, `parameter` as described at the operator.
BitVector evaluate(Op op, std::span<const BitVector* const> operands, std::uint32_t width, std::uint32_t parameter);

}  // namespace plumb::term
