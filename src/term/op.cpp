#include "term/op.h"

#include <array>

#include "base/error.h"

namespace plumb::term {

namespace {

struct OpInfo {
  std::string_view name;
  unsigned arity;
};

constexpr std::array<OpInfo, kOpCount> kOps = {{
    {"constant", 0},
    {"variable", 0},
    {"not", 1},
    {"and", 2},
    {"or", 2},
    {"xor", 2},
    {"neg", 1},
    {"add", 2},
    {"sub", 2},
    {"mul", 2},
    {"udiv", 2},
    {"urem", 2},
    {"sdiv", 2},
    {"srem", 2},
    {"smod", 2},
    {"shl", 2},
    {"lshr", 2},
    {"ashr", 2},
    {"rotate-left", 2},
    {"rotate-right", 2},
    {"eq", 2},
    {"ult", 2},
    {"ule", 2},
    {"slt", 2},
    {"sle", 2},
    {"neg-overflow", 1},
    {"uadd-overflow", 2},
    {"sadd-overflow", 2},
    {"usub-overflow", 2},
    {"ssub-overflow", 2},
    {"umul-overflow", 2},
    {"smul-overflow", 2},
    {"sdiv-overflow", 2},
    {"concat", 2},
    {"extract", 1},
    {"zero-extend", 1},
    {"sign-extend", 1},
    {"repeat", 1},
    {"ite", 3},
    {"select", 2},
    {"store", 3},
    {"constant-array", 1},
}};

BitVector boolean(bool b) { return BitVector(1, b ? 1 : 0); }

BitVector repeat(const BitVector& a, std::uint32_t width) {
  BitVector result = a;
  while (result.width() < width) result = result.concat(a);
  return result;
}

std::uint32_t rotation(const BitVector& amount, std::uint32_t width) {
  const BitVector modulus(64, width);
  const BitVector wide = amount.width() < 64 ? amount.zero_extend(64) : amount;
  const BitVector same = modulus.width() < wide.width() ? modulus.zero_extend(wide.width()) : modulus;
  return static_cast<std::uint32_t>(wide.urem(same).to_uint64());
}

/// a + b or a - b leaves the signed range: computed with one bit more.
bool signed_overflow(const BitVector& a, const BitVector& b, bool subtract) {
  const BitVector x = a.sign_extend(a.width() + 1);
  const BitVector y = b.sign_extend(a.width() + 1);
  const BitVector sum = subtract ? x - y : x + y;
  return sum.bit(a.width()) != sum.bit(a.width() - 1);
}

}  // namespace

std::string_view name(Op op) { return kOps[static_cast<std::size_t>(op)].name; }
unsigned arity(Op op) { return kOps[static_cast<std::size_t>(op)].arity; }

bool is_commutative(Op op) {
  switch (op) {
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Add:
    case Op::Mul:
    case Op::Eq:
    case Op::UaddOverflow:
    case Op::SaddOverflow:
    case Op::UmulOverflow:
    case Op::SmulOverflow:
      return true;
    default:
      return false;
  }
}

bool is_predicate(Op op) { return op >= Op::Eq && op <= Op::SdivOverflow; }

BitVector evaluate(Op op, std::span<const BitVector* const> operands, std::uint32_t width, std::uint32_t parameter) {
  const BitVector& a = *operands[0];
  const BitVector& b = *operands[operands.size() > 1 ? 1 : 0];
  switch (op) {
    case Op::Not:
      return ~a;
    case Op::And:
      return a & b;
    case Op::Or:
      return a | b;
    case Op::Xor:
      return a ^ b;
    case Op::Neg:
      return -a;
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Udiv:
      return a.udiv(b);
    case Op::Urem:
      return a.urem(b);
    case Op::Sdiv:
      return a.sdiv(b);
    case Op::Srem:
      return a.srem(b);
    case Op::Smod:
      return a.smod(b);
    case Op::Shl:
      return a.shl(b);
    case Op::Lshr:
      return a.lshr(b);
    case Op::Ashr:
      return a.ashr(b);
    case Op::RotateLeft:
      return a.rotate_left(rotation(b, a.width()));
    case Op::RotateRight:
      return a.rotate_right(rotation(b, a.width()));
    case Op::Eq:
      return boolean(a == b);
    case Op::Ult:
      return boolean(a.ult(b));
    case Op::Ule:
      return boolean(a.ule(b));
    case Op::Slt:
      return boolean(a.slt(b));
    case Op::Sle:
      return boolean(a.sle(b));
    case Op::NegOverflow:
      return boolean(a == BitVector::min_signed(a.width()));
    case Op::UaddOverflow:
      return boolean((a + b).ult(a));
    case Op::SaddOverflow:
      return boolean(signed_overflow(a, b, false));
    case Op::UsubOverflow:
      return boolean(a.ult(b));
    case Op::SsubOverflow:
      return boolean(signed_overflow(a, b, true));
    case Op::UmulOverflow:
      return boolean(a.umul_overflows(b));
    case Op::SmulOverflow:
      return boolean(a.smul_overflows(b));
    case Op::SdivOverflow:
      return boolean(a == BitVector::min_signed(a.width()) && b.is_ones());
    case Op::Concat:
      return a.concat(b);
    case Op::Extract:
      return a.extract(parameter + width - 1, parameter);
    case Op::ZeroExtend:
      return a.zero_extend(width);
    case Op::SignExtend:
      return a.sign_extend(width);
    case Op::Repeat:
      return repeat(a, width);
    case Op::Ite:
      return a.is_one() ? b : *operands[2];
    case Op::Constant:
    case Op::Variable:
    case Op::Select:
    case Op::Store:
    case Op::ConstantArray:
      break;
  }
  INVARIANT(false, "evaluate should be called for operators on bit-vectors only");
}

}  // namespace plumb::term
