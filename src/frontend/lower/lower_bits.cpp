#include "frontend/lower/lower_function.h"

// Bit counts and reversals by parallel steps over halves, quarters and so on (Warren, Hacker's Delight, chapters 5 and
// 7): a logarithmic number of operations, for any width.

namespace plumb::frontend {
namespace {

using term::Op;

/// Alternating fields of `size` bits, the lowest ones set: 0x…0f0f for 4.
BitVector field_mask(std::uint32_t width, std::uint32_t size) {
  BitVector mask(width, 0);
  for (std::uint32_t i = 0; i < width; ++i)
    if (i / size % 2 == 0) mask.set_bit(i, true);
  return mask;
}

}  // namespace

ValueId FunctionLowering::population(ValueId value) {
  const std::uint32_t width = builder_.width(value);
  for (std::uint32_t size = 1; size < width; size *= 2) {
    const ValueId mask = builder_.constant(field_mask(width, size));
    const ValueId shifted = builder_.op(Op::Lshr, {value, builder_.constant(width, size)});
    value = builder_.op(Op::Add, {builder_.op(Op::And, {value, mask}), builder_.op(Op::And, {shifted, mask})});
  }
  return value;
}

ValueId FunctionLowering::leading_zeros(ValueId value) {
  const std::uint32_t width = builder_.width(value);
  for (std::uint32_t size = 1; size < width; size *= 2)
    value = builder_.op(Op::Or, {value, builder_.op(Op::Lshr, {value, builder_.constant(width, size)})});
  return population(builder_.op(Op::Not, {value}));
}

ValueId FunctionLowering::trailing_zeros(ValueId value) {
  const ValueId one = builder_.constant(builder_.width(value), 1);
  const ValueId below = builder_.op(Op::Sub, {value, one});
  return population(builder_.op(Op::And, {builder_.op(Op::Not, {value}), below}));
}

ValueId FunctionLowering::swap_bytes(ValueId value) {
  const std::uint32_t width = builder_.width(value);
  ValueId result = builder_.op(Op::Extract, {value}, 8, 0);
  for (std::uint32_t low = 8; low < width; low += 8)
    result = builder_.op(Op::Concat, {result, builder_.op(Op::Extract, {value}, 8, low)});
  return result;
}

ValueId FunctionLowering::reverse_bits(ValueId value) {
  const std::uint32_t width = builder_.width(value);
  if (width == 1) return value;
  if ((width & (width - 1)) != 0) {
    ValueId result = builder_.op(Op::Extract, {value}, 1, 0);
    for (std::uint32_t low = 1; low < width; ++low)
      result = builder_.op(Op::Concat, {result, builder_.op(Op::Extract, {value}, 1, low)});
    return result;
  }
  for (std::uint32_t size = 1; size < width; size *= 2) {
    const ValueId mask = builder_.constant(field_mask(width, size));
    const ValueId amount = builder_.constant(width, size);
    const ValueId upper = builder_.op(Op::And, {builder_.op(Op::Lshr, {value, amount}), mask});
    const ValueId lower = builder_.op(Op::Shl, {builder_.op(Op::And, {value, mask}), amount});
    value = builder_.op(Op::Or, {upper, lower});
  }
  return value;
}

ValueId FunctionLowering::funnel_shift(ValueId high, ValueId low, ValueId amount, bool is_left) {
  const std::uint32_t width = builder_.width(high);
  if (high == low) return builder_.op(is_left ? Op::RotateLeft : Op::RotateRight, {high, amount});
  const bool is_power = (width & (width - 1)) == 0;
  const ValueId limit = builder_.constant(width, is_power ? width - 1 : width);
  const ValueId rest = builder_.op(is_power ? Op::And : Op::Urem, {amount, limit});
  const ValueId both = builder_.op(Op::Concat, {high, low});
  const ValueId shifted = builder_.op(is_left ? Op::Shl : Op::Lshr, {both, resize(rest, 2 * width)});
  return builder_.op(Op::Extract, {shifted}, width, is_left ? width : 0);
}

ValueId FunctionLowering::absolute(ValueId value) {
  const ValueId is_negative = builder_.op(Op::Extract, {value}, 1, builder_.width(value) - 1);
  return builder_.op(Op::Ite, {is_negative, builder_.op(Op::Neg, {value}), value});
}

ValueId FunctionLowering::extremum(llvm::Intrinsic::ID id, ValueId a, ValueId b) {
  switch (id) {
    case llvm::Intrinsic::smin:
      return builder_.op(Op::Ite, {builder_.op(Op::Slt, {a, b}), a, b});
    case llvm::Intrinsic::smax:
      return builder_.op(Op::Ite, {builder_.op(Op::Slt, {b, a}), a, b});
    case llvm::Intrinsic::umin:
      return builder_.op(Op::Ite, {builder_.op(Op::Ult, {a, b}), a, b});
    default:
      return builder_.op(Op::Ite, {builder_.op(Op::Ult, {b, a}), a, b});
  }
}

ValueId FunctionLowering::saturating(llvm::Intrinsic::ID id, ValueId a, ValueId b) {
  const std::uint32_t width = builder_.width(a);
  const ValueId zero = builder_.constant(width, 0);
  const ValueId ones = builder_.constant(BitVector::ones(width));
  const auto signed_limit = [&] {
    return builder_.op(Op::Ite, {builder_.op(Op::Slt, {a, zero}), builder_.constant(BitVector::min_signed(width)),
                                 builder_.constant(BitVector::max_signed(width))});
  };
  const auto pick = [&](Op overflow, Op op, ValueId limit) {
    return builder_.op(Op::Ite, {builder_.op(overflow, {a, b}), limit, builder_.op(op, {a, b})});
  };
  const auto pick_shift = [&](Op back, ValueId limit) {
    const ValueId shifted = builder_.op(Op::Shl, {a, b});
    const ValueId fits = builder_.op(Op::Eq, {builder_.op(back, {shifted, b}), a});
    return builder_.op(Op::Ite, {fits, shifted, limit});
  };
  switch (id) {
    case llvm::Intrinsic::uadd_sat:
      return pick(Op::UaddOverflow, Op::Add, ones);
    case llvm::Intrinsic::usub_sat:
      return pick(Op::UsubOverflow, Op::Sub, zero);
    case llvm::Intrinsic::sadd_sat:
      return pick(Op::SaddOverflow, Op::Add, signed_limit());
    case llvm::Intrinsic::ssub_sat:
      return pick(Op::SsubOverflow, Op::Sub, signed_limit());
    case llvm::Intrinsic::ushl_sat:
      return pick_shift(Op::Lshr, ones);
    default:
      return pick_shift(Op::Ashr, signed_limit());
  }
}

ValueId FunctionLowering::three_way(bool is_signed, ValueId a, ValueId b, std::uint32_t width) {
  const Op less = is_signed ? Op::Slt : Op::Ult;
  const ValueId greater =
      builder_.op(Op::Ite, {builder_.op(less, {b, a}), builder_.constant(width, 1), builder_.constant(width, 0)});
  return builder_.op(Op::Ite, {builder_.op(less, {a, b}), builder_.constant(BitVector::ones(width)), greater});
}

bool FunctionLowering::lower_bit_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto lower_lane = [&](const auto& operand, std::uint32_t width) -> ValueId {
    switch (id) {
      case llvm::Intrinsic::ctpop:
        return population(operand(0));
      case llvm::Intrinsic::ctlz:
        return leading_zeros(operand(0));
      case llvm::Intrinsic::cttz:
        return trailing_zeros(operand(0));
      case llvm::Intrinsic::bswap:
        return swap_bytes(operand(0));
      case llvm::Intrinsic::bitreverse:
        return reverse_bits(operand(0));
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::fshr:
        return funnel_shift(operand(0), operand(1), operand(2), id == llvm::Intrinsic::fshl);
      case llvm::Intrinsic::abs:
        return absolute(operand(0));
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
        return extremum(id, operand(0), operand(1));
      case llvm::Intrinsic::uadd_sat:
      case llvm::Intrinsic::usub_sat:
      case llvm::Intrinsic::sadd_sat:
      case llvm::Intrinsic::ssub_sat:
      case llvm::Intrinsic::ushl_sat:
      case llvm::Intrinsic::sshl_sat:
        return saturating(id, operand(0), operand(1));
      case llvm::Intrinsic::scmp:
      case llvm::Intrinsic::ucmp:
        return three_way(id == llvm::Intrinsic::scmp, operand(0), operand(1), width);
      default:
        return kNone;
    }
  };
  const Shape& shape = this->shape(call);
  Parts made;
  for (std::size_t lane = 0; lane < shape.parts.size(); ++lane) {
    const auto operand = [&](unsigned i) { return parts(*call.getArgOperand(i))[lane]; };
    const ValueId result = lower_lane(operand, shape.parts[lane].width);
    if (result == kNone) return false;
    made.push_back(result);
  }
  if (made.empty()) return false;
  define(call, made);
  return true;
}

bool FunctionLowering::lower_overflow_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto* overflowing = llvm::dyn_cast<llvm::WithOverflowInst>(&call);
  if (overflowing == nullptr) return false;
  const auto [op, overflow] = [&]() -> std::pair<Op, Op> {
    switch (id) {
      case llvm::Intrinsic::uadd_with_overflow:
        return {Op::Add, Op::UaddOverflow};
      case llvm::Intrinsic::sadd_with_overflow:
        return {Op::Add, Op::SaddOverflow};
      case llvm::Intrinsic::usub_with_overflow:
        return {Op::Sub, Op::UsubOverflow};
      case llvm::Intrinsic::ssub_with_overflow:
        return {Op::Sub, Op::SsubOverflow};
      case llvm::Intrinsic::umul_with_overflow:
        return {Op::Mul, Op::UmulOverflow};
      default:
        return {Op::Mul, Op::SmulOverflow};
    }
  }();
  const Parts a = parts(*overflowing->getLHS());
  const Parts b = parts(*overflowing->getRHS());
  Parts results;
  Parts flags;
  for (std::size_t i = 0; i < a.size(); ++i) {
    results.push_back(builder_.op(op, {a[i], b[i]}));
    flags.push_back(builder_.op(overflow, {a[i], b[i]}));
  }
  results.append(flags);
  define(call, results);
  return true;
}

}  // namespace plumb::frontend
