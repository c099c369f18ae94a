// LLVM's intrinsics without effect, and the functions of the mathematical library, as expressions. Counting bits is
// done by the usual sums of masked halves, as no operator counts.
#include <llvm/IR/Constants.h>

#include <optional>

#include "frontend/lower/lower_library.h"
#include "instrument/prepared_module.h"
#include "instrument/shadows/shadow_operators.h"
#include "instrument/shadows/shadow_types.h"
#include "runtime/concolic/protocol.h"

namespace plumb::instrument {

using term::Op;

namespace {

std::uint64_t ones(std::uint32_t width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

/// The operator and the test of its overflow.
struct OverflowOps {
  Op op;
  Op overflows;
};

std::optional<OverflowOps> overflow_ops(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::uadd_sat:
      return OverflowOps{Op::Add, Op::UaddOverflow};
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::sadd_sat:
      return OverflowOps{Op::Add, Op::SaddOverflow};
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::usub_sat:
      return OverflowOps{Op::Sub, Op::UsubOverflow};
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::ssub_sat:
      return OverflowOps{Op::Sub, Op::SsubOverflow};
    case llvm::Intrinsic::umul_with_overflow:
      return OverflowOps{Op::Mul, Op::UmulOverflow};
    case llvm::Intrinsic::smul_with_overflow:
      return OverflowOps{Op::Mul, Op::SmulOverflow};
    default:
      return std::nullopt;
  }
}

/// The intrinsic with overflow flag that computes what a saturating one does.
llvm::Intrinsic::ID unsaturated(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::uadd_sat:
      return llvm::Intrinsic::uadd_with_overflow;
    case llvm::Intrinsic::sadd_sat:
      return llvm::Intrinsic::sadd_with_overflow;
    case llvm::Intrinsic::usub_sat:
      return llvm::Intrinsic::usub_with_overflow;
    default:
      return llvm::Intrinsic::ssub_with_overflow;
  }
}

/// Numbers of a class of IEEE 754, by their bits without the sign.
struct Magnitudes {
  std::uint64_t lowest;
  std::uint64_t highest;
};

std::optional<Magnitudes> magnitudes(unsigned mask, std::uint64_t infinity, std::uint64_t normal, std::uint64_t most) {
  switch (mask) {
    case llvm::fcNan:
      return Magnitudes{infinity + 1, most};
    case llvm::fcInf:
      return Magnitudes{infinity, infinity};
    case llvm::fcNormal:
      return Magnitudes{normal, infinity - 1};
    case llvm::fcSubnormal:
      return Magnitudes{1, normal - 1};
    case llvm::fcZero:
      return Magnitudes{0, 0};
    case llvm::fcFinite:
      return Magnitudes{0, infinity - 1};
    default:
      return std::nullopt;
  }
}

}  // namespace

Shadows OperatorCode::call(llvm::CallBase& call) {
  const llvm::Function& callee = *call.getCalledFunction();
  if (callee.isIntrinsic()) return intrinsic(call, callee.getIntrinsicID());
  using Form = frontend::MathFunction::Form;
  switch (frontend::library_function(callee)->math.form) {
    case Form::Absolute:
      return {copy_sign(call.getArgOperand(0), nullptr)};
    case Form::CopySign:
      return {copy_sign(call.getArgOperand(0), call.getArgOperand(1))};
    default:
      return give_up(call);
  }
}

Shadows OperatorCode::intrinsic(llvm::CallBase& call, llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::arithmetic_fence:
    case llvm::Intrinsic::canonicalize:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::strip_invariant_group:
      return shadows_(call.getArgOperand(0));
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::objectsize:
      return {runtime_.word(0)};
    case llvm::Intrinsic::ptrmask:
      return {binary(Op::And, width(&call), operand(call.getArgOperand(0)), operand(call.getArgOperand(1)))};
    case llvm::Intrinsic::fabs:
      return {copy_sign(call.getArgOperand(0), nullptr)};
    case llvm::Intrinsic::copysign:
      return {copy_sign(call.getArgOperand(0), call.getArgOperand(1))};
    case llvm::Intrinsic::is_fpclass:
      return {float_class(call)};
    case llvm::Intrinsic::abs:
      return {absolute(call)};
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return {extreme(call, id)};
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return {funnel_shift(call, id == llvm::Intrinsic::fshl)};
    case llvm::Intrinsic::bswap:
      return {reverse(call, 8)};
    case llvm::Intrinsic::bitreverse:
      return {reverse(call, 1)};
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      return {count_bits(call, id)};
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::ssub_sat:
      return {saturate(call, id)};
    default:
      return overflow_ops(id) ? overflow(call, id) : give_up(call);
  }
}

llvm::Value* OperatorCode::extreme(llvm::CallBase& call, llvm::Intrinsic::ID id) {
  llvm::Value* a = call.getArgOperand(0);
  llvm::Value* b = call.getArgOperand(1);
  const bool is_signed = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax;
  if (id == llvm::Intrinsic::smax || id == llvm::Intrinsic::umax) std::swap(a, b);
  llvm::Value* first_wins = is_signed ? builder_.CreateICmpSLT(call.getArgOperand(0), call.getArgOperand(1))
                                      : builder_.CreateICmpULT(call.getArgOperand(0), call.getArgOperand(1));
  const Operand condition{compare(is_signed ? Op::Slt : Op::Ult, width(&call), operand(call.getArgOperand(0)),
                                  operand(call.getArgOperand(1))),
                          bits_of(builder_, first_wins)};
  return choose(width(&call), condition, operand(a), operand(b));
}

llvm::Value* OperatorCode::absolute(llvm::CallBase& call) {
  llvm::Value* x = call.getArgOperand(0);
  llvm::Value* is_negative = builder_.CreateICmpSLT(x, llvm::Constant::getNullValue(x->getType()));
  const Operand condition{compare(Op::Slt, width(x), operand(x), constant(0)), bits_of(builder_, is_negative)};
  const Operand negated{unary(Op::Neg, width(x), 0, shadow(x)), bits_of(builder_, builder_.CreateNeg(x))};
  return choose(width(x), condition, negated, operand(x));
}

llvm::Value* OperatorCode::funnel_shift(llvm::CallBase& call, bool is_left) {
  const std::uint32_t w = width(&call);
  llvm::Value* count = call.getArgOperand(2);
  llvm::Constant* all = llvm::ConstantInt::get(count->getType(), w);
  // An i1 cannot hold its own width less one; it is never shifted.
  if (w == 1) return shadow(call.getArgOperand(is_left ? 0 : 1));
  llvm::Value* amount = builder_.CreateURem(count, all);
  llvm::Value* rest = builder_.CreateSub(all, amount);
  const Operand by{binary(Op::Urem, w, operand(count), constant(w)), bits_of(builder_, amount)};
  const Operand back{binary(Op::Sub, w, constant(w), by), bits_of(builder_, rest)};
  llvm::Value* is_none = builder_.CreateIsNull(amount);
  llvm::Value* zero = llvm::Constant::getNullValue(count->getType());
  llvm::Value* a = call.getArgOperand(0);
  llvm::Value* b = call.getArgOperand(1);
  llvm::Value* high = builder_.CreateShl(a, is_left ? amount : rest);
  llvm::Value* low = builder_.CreateLShr(b, is_left ? rest : amount);
  if (is_left) low = builder_.CreateSelect(is_none, zero, low);
  if (!is_left) high = builder_.CreateSelect(is_none, zero, high);
  // A shift by the whole width gives 0, as it does in terms.
  const Operand upper{binary(Op::Shl, w, operand(a), is_left ? by : back), bits_of(builder_, high)};
  const Operand lower{binary(Op::Lshr, w, operand(b), is_left ? back : by), bits_of(builder_, low)};
  return binary(Op::Or, w, upper, lower);
}

llvm::Value* OperatorCode::reverse(llvm::CallBase& call, std::uint32_t piece) {
  llvm::Value* x = shadow(call.getArgOperand(0));
  llvm::Value* made = unary(Op::Extract, piece, 0, x);
  for (std::uint32_t low = piece; low < width(&call); low += piece) {
    // Both have the same origin: one is symbolic if the other is, so no value is needed.
    llvm::Value* next = unary(Op::Extract, piece, low, x);
    made = runtime_.call(builder_, RuntimeFunction::Binary,
                         {runtime_.word(static_cast<std::uint32_t>(Op::Concat)), runtime_.word(low + piece),
                          runtime_.word(piece), made, builder_.getInt64(0), next, builder_.getInt64(0)});
  }
  return made;
}

llvm::Value* OperatorCode::population(llvm::Value* x) {
  const auto apply = [&](Op op, llvm::Value* a, std::uint64_t b) {
    return binary(op, 64, {a, builder_.getInt64(0)}, constant(b));
  };
  const auto join = [&](Op op, llvm::Value* a, llvm::Value* b) {
    return binary(op, 64, {a, builder_.getInt64(0)}, {b, builder_.getInt64(0)});
  };
  x = join(Op::Sub, x, apply(Op::And, apply(Op::Lshr, x, 1), 0x5555555555555555));
  x = join(Op::Add, apply(Op::And, x, 0x3333333333333333), apply(Op::And, apply(Op::Lshr, x, 2), 0x3333333333333333));
  x = apply(Op::And, join(Op::Add, x, apply(Op::Lshr, x, 4)), 0x0f0f0f0f0f0f0f0f);
  return apply(Op::Lshr, apply(Op::Mul, x, 0x0101010101010101), 56);
}

llvm::Value* OperatorCode::count_bits(llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const std::uint32_t w = width(&call);
  const auto none = builder_.getInt64(0);
  llvm::Value* x = resize(shadow(call.getArgOperand(0)), w, 64, false);
  if (id == llvm::Intrinsic::cttz) {
    // The bits below the lowest one.
    llvm::Value* below = binary(Op::Sub, 64, {x, none}, constant(1));
    x = binary(Op::And, 64, {unary(Op::Not, 64, 0, x), none}, {below, none});
    x = binary(Op::And, 64, {x, none}, constant(ones(w)));
  } else if (id == llvm::Intrinsic::ctlz) {
    for (const std::uint32_t by : {1U, 2U, 4U, 8U, 16U, 32U})
      x = binary(Op::Or, 64, {x, none}, {binary(Op::Lshr, 64, {x, none}, constant(by)), none});
    x = binary(Op::Xor, 64, {x, none}, constant(ones(w)));
  }
  return resize(population(x), 64, w, false);
}

Shadows OperatorCode::overflow(llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const OverflowOps ops = *overflow_ops(id);
  const Operand a = operand(call.getArgOperand(0));
  const Operand b = operand(call.getArgOperand(1));
  const std::uint32_t w = width(call.getArgOperand(0));
  return {binary(ops.op, w, a, b), compare(ops.overflows, w, a, b)};
}

llvm::Value* OperatorCode::saturate(llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const std::uint32_t w = width(&call);
  llvm::Value* left = call.getArgOperand(0);
  llvm::Value* both = builder_.CreateBinaryIntrinsic(unsaturated(id), left, call.getArgOperand(1));
  const Shadows parts = overflow(call, id);
  const Operand sum{parts[0], bits_of(builder_, builder_.CreateExtractValue(both, 0))};
  const Operand overflows{parts[1], bits_of(builder_, builder_.CreateExtractValue(both, 1))};
  if (id == llvm::Intrinsic::uadd_sat) return choose(w, overflows, constant(ones(w)), sum);
  if (id == llvm::Intrinsic::usub_sat) return choose(w, overflows, constant(0), sum);
  // A sum that overflows has the sign of the left operand, as has a difference.
  llvm::Value* is_negative = builder_.CreateICmpSLT(left, llvm::Constant::getNullValue(left->getType()));
  const Operand sign{compare(Op::Slt, w, operand(left), constant(0)), bits_of(builder_, is_negative)};
  const std::uint64_t least = std::uint64_t{1} << (w - 1);
  const Operand bound{choose(w, sign, constant(least), constant(least - 1)),
                      builder_.CreateSelect(is_negative, builder_.getInt64(least), builder_.getInt64(least - 1))};
  return choose(w, overflows, bound, sum);
}

llvm::Value* OperatorCode::copy_sign(llvm::Value* magnitude, llvm::Value* sign) {
  const std::uint32_t w = width(magnitude);
  const std::uint64_t top = std::uint64_t{1} << (w - 1);
  llvm::Value* cleared = binary(Op::And, w, operand(magnitude), constant(top - 1));
  if (sign == nullptr) return cleared;
  const Operand a{cleared, builder_.CreateAnd(bits_of(builder_, magnitude), builder_.getInt64(top - 1))};
  const Operand b{binary(Op::And, w, operand(sign), constant(top)),
                  builder_.CreateAnd(bits_of(builder_, sign), builder_.getInt64(top))};
  return binary(Op::Or, w, a, b);
}

llvm::Value* OperatorCode::float_class(llvm::CallBase& call) {
  llvm::Value* x = call.getArgOperand(0);
  const llvm::fltSemantics& format = x->getType()->getFltSemantics();
  const auto mask = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
  const std::uint32_t w = width(x);
  const std::uint64_t infinity = llvm::APFloat::getInf(format).bitcastToAPInt().getZExtValue();
  const std::uint64_t normal = llvm::APFloat::getSmallestNormalized(format).bitcastToAPInt().getZExtValue();
  const std::uint64_t most = ones(w - 1);
  std::optional<Magnitudes> range = magnitudes(mask, infinity, normal, most);
  const bool is_negated = !range;
  if (is_negated) range = magnitudes(~mask & llvm::fcAllFlags, infinity, normal, most);
  if (!range) return give_up(call).front();
  const auto none = builder_.getInt64(0);
  llvm::Value* magnitude = copy_sign(x, nullptr);
  // In the range: its distance from the lowest is not above the range's length.
  llvm::Value* distance = binary(Op::Sub, w, {magnitude, none}, constant(range->lowest));
  llvm::Value* made = compare(Op::Ule, w, {distance, none}, constant(range->highest - range->lowest));
  return is_negated ? unary(Op::Not, 1, 0, made) : made;
}

}  // namespace plumb::instrument
