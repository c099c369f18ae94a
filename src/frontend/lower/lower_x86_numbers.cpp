#include <algorithm>
#include <iterator>
#include <utility>

#include "frontend/lower/lower_x86.h"

// Carry-less products and cyclic redundancy checks are linear over bits: a sum, by exclusive or, of one operand shifted
// to the places where the other has a one. They are unrolled bit by bit, and over the ones alone if an operand is
// known, as the constants of a folding step are. Extraction and deposit of bits under a mask walk the mask with a
// counter.

namespace plumb::frontend {

using program::Function;
using program::kNone;
using program::ValueKind;
namespace {

using term::Op;
using Parts = llvm::SmallVector<ValueId, 4>;

/// The polynomial of CRC-32C, lowest power in the highest bit.
constexpr std::uint64_t kCastagnoli = 0x82f63b78;

class X86Number {
 public:
  X86Number(FunctionBuilder& builder, llvm::ArrayRef<Parts> operands) : builder_(builder), operands_(operands) {}

  Parts carryless_products();
  Parts cyclic_check();
  Parts field();
  Parts low_bits();
  Parts extracted_bits();
  Parts deposited_bits();
  Parts sum_with_carry() { return with_carry(Op::Add); }
  Parts difference_with_borrow() { return with_carry(Op::Sub); }

 private:
  ValueId op(Op op, std::initializer_list<ValueId> operands) { return builder_.op(op, operands); }
  ValueId number(std::uint32_t width, std::uint64_t value) { return builder_.constant(width, value); }
  ValueId scalar(unsigned operand) const { return operands_[operand].front(); }
  ValueId bits(ValueId value, std::uint32_t low, std::uint32_t count) {
    return builder_.width(value) == count ? value : builder_.op(Op::Extract, {value}, count, low);
  }
  ValueId widen(ValueId value, std::uint32_t width) {
    return builder_.width(value) == width ? value : builder_.op(Op::ZeroExtend, {value}, width);
  }
  const BitVector* known(ValueId value) const;
  ValueId product(ValueId a, ValueId b);
  ValueId ones_below(ValueId count);
  Parts with_carry(Op operation);

  FunctionBuilder& builder_;
  llvm::ArrayRef<Parts> operands_;
};

const BitVector* X86Number::known(ValueId value) const {
  const Function& function = builder_.function();
  return function.values[value].kind == ValueKind::Constant ? &function.constant(value) : nullptr;
}

/// Of 64 by 64 bits.
ValueId X86Number::product(ValueId a, ValueId b) {
  if (known(a) != nullptr) std::swap(a, b);
  const std::optional<BitVector> mask = known(b) != nullptr ? std::optional(*known(b)) : std::nullopt;
  const ValueId wide = widen(a, 128);
  const ValueId zero = number(128, 0);
  ValueId sum = zero;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (mask && !mask->bit(i)) continue;
    const ValueId shifted = i == 0 ? wide : op(Op::Shl, {wide, number(128, i)});
    const ValueId summand = mask ? shifted : op(Op::Ite, {bits(b, i, 1), shifted, zero});
    sum = sum == zero ? summand : op(Op::Xor, {sum, summand});
  }
  return sum;
}

Parts X86Number::carryless_products() {
  const std::uint64_t choice = known(scalar(2))->to_uint64();
  Parts made;
  for (std::size_t i = 0; i < operands_[0].size(); i += 2) {
    const ValueId all = product(operands_[0][i + (choice & 1)], operands_[1][i + (choice >> 4 & 1)]);
    made.push_back(bits(all, 0, 64));
    made.push_back(bits(all, 64, 64));
  }
  return made;
}

/// Data of 64 bits takes a register of as many: its upper half comes down to where the next 32 bits would be added.
Parts X86Number::cyclic_check() {
  const std::uint32_t data_width = builder_.width(scalar(1));
  const std::uint32_t width = std::max(data_width, 32U);
  const ValueId start = bits(scalar(0), 0, 32);
  ValueId value = op(Op::Xor, {widen(start, width), widen(scalar(1), width)});
  const ValueId polynomial = number(width, kCastagnoli);
  const ValueId zero = number(width, 0);
  for (std::uint32_t i = 0; i < data_width; ++i) {
    const ValueId divisor = op(Op::Ite, {bits(value, 0, 1), polynomial, zero});
    value = op(Op::Xor, {op(Op::Lshr, {value, number(width, 1)}), divisor});
  }
  return {widen(bits(value, 0, 32), builder_.width(scalar(0)))};
}

/// A count beyond the width gives all ones, for the operators shift the one out then.
ValueId X86Number::ones_below(ValueId count) {
  const ValueId one = number(builder_.width(count), 1);
  return op(Op::Sub, {op(Op::Shl, {one, count}), one});
}

Parts X86Number::field() {
  const std::uint32_t width = builder_.width(scalar(0));
  const ValueId shifted = op(Op::Lshr, {scalar(0), widen(bits(scalar(1), 0, 8), width)});
  return {op(Op::And, {shifted, ones_below(widen(bits(scalar(1), 8, 8), width))})};
}

Parts X86Number::low_bits() {
  const ValueId count = widen(bits(scalar(1), 0, 8), builder_.width(scalar(0)));
  return {op(Op::And, {scalar(0), ones_below(count)})};
}

Parts X86Number::extracted_bits() {
  const std::uint32_t width = builder_.width(scalar(0));
  ValueId result = number(width, 0);
  ValueId place = number(width, 0);
  for (std::uint32_t i = 0; i < width; ++i) {
    const ValueId mask = bits(scalar(1), i, 1);
    const ValueId taken = widen(op(Op::And, {bits(scalar(0), i, 1), mask}), width);
    result = op(Op::Or, {result, op(Op::Shl, {taken, place})});
    place = op(Op::Add, {place, widen(mask, width)});
  }
  return {result};
}

Parts X86Number::deposited_bits() {
  const std::uint32_t width = builder_.width(scalar(0));
  ValueId rest = scalar(0);
  ValueId result = kNone;
  for (std::uint32_t i = 0; i < width; ++i) {
    const ValueId mask = bits(scalar(1), i, 1);
    const ValueId placed = op(Op::And, {bits(rest, 0, 1), mask});
    result = i == 0 ? placed : op(Op::Concat, {placed, result});
    rest = op(Op::Lshr, {rest, widen(mask, width)});
  }
  return {result};
}

/// Any carry that is not zero counts as one.
Parts X86Number::with_carry(Op operation) {
  const std::uint32_t width = builder_.width(scalar(1));
  const ValueId carry = op(Op::Not, {op(Op::Eq, {scalar(0), number(8, 0)})});
  const ValueId first = op(operation, {widen(scalar(1), width + 1), widen(scalar(2), width + 1)});
  const ValueId result = op(operation, {first, widen(carry, width + 1)});
  return {widen(bits(result, width, 1), 8), bits(result, 0, width)};
}

struct Row {
  std::string_view name;
  Parts (X86Number::*lower)();
};

constexpr Row kRows[] = {
    {"pclmulqdq", &X86Number::carryless_products},
    {"pclmulqdq.256", &X86Number::carryless_products},
    {"pclmulqdq.512", &X86Number::carryless_products},
    {"sse42.crc32.32.8", &X86Number::cyclic_check},
    {"sse42.crc32.32.16", &X86Number::cyclic_check},
    {"sse42.crc32.32.32", &X86Number::cyclic_check},
    {"sse42.crc32.64.64", &X86Number::cyclic_check},
    {"bmi.bextr.32", &X86Number::field},
    {"bmi.bextr.64", &X86Number::field},
    {"bmi.bzhi.32", &X86Number::low_bits},
    {"bmi.bzhi.64", &X86Number::low_bits},
    {"bmi.pext.32", &X86Number::extracted_bits},
    {"bmi.pext.64", &X86Number::extracted_bits},
    {"bmi.pdep.32", &X86Number::deposited_bits},
    {"bmi.pdep.64", &X86Number::deposited_bits},
    {"addcarry.32", &X86Number::sum_with_carry},
    {"addcarry.64", &X86Number::sum_with_carry},
    {"subborrow.32", &X86Number::difference_with_borrow},
    {"subborrow.64", &X86Number::difference_with_borrow},
};

}  // namespace

std::optional<Parts> lower_x86_number(FunctionBuilder& builder, std::string_view name, llvm::ArrayRef<Parts> operands) {
  const auto* const row = std::ranges::find(kRows, name, &Row::name);
  if (row == std::end(kRows)) return std::nullopt;
  return (X86Number(builder, operands).*row->lower)();
}

}  // namespace plumb::frontend
