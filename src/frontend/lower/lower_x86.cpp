#include "frontend/lower/lower_x86.h"

#include <algorithm>
#include <iterator>

// What the instructions compute, from the "Operation" sections of Intel's manual (volume 2), written with the pure
// operators on the lanes. An instruction on 256 or 512 bits does in each group of 128 what it does on 128, unless its
// name says that it permutes all lanes; so one row of the table stands for all sizes. A permutation by a variable index
// becomes a tree of choices.

namespace plumb::frontend {

using program::Function;
using program::ValueKind;
namespace {

using term::Op;
using Parts = llvm::SmallVector<ValueId, 4>;

class X86 {
 public:
  X86(FunctionBuilder& builder, llvm::ArrayRef<Parts> operands) : builder_(builder), operands_(operands) {}

  // On lanes one by one
  Parts average(Op);
  Parts high_product(Op extension);
  Parts rounded_product(Op);
  Parts sign(Op);
  Parts shift_each(Op shift);
  Parts shift_all(Op shift);
  Parts choose_by_sign(Op);

  // On neighbours, halves and groups
  Parts add_products(Op);
  Parts add_byte_products(Op);
  Parts add_differences(Op);
  Parts pack(Op extension);
  Parts horizontal(Op op) { return horizontally(op, Op::Constant); }
  Parts horizontal_saturating(Op op) { return horizontally(op, op == Op::Add ? Op::SaddOverflow : Op::SsubOverflow); }
  Parts shuffle_bytes(Op);
  Parts permute(Op);
  Parts permute_in_groups(Op);

  // On all bits
  Parts sign_mask(Op);
  Parts test_zero(Op) { return {flag(is_disjoint(false))}; }
  Parts test_carry(Op) { return {flag(is_disjoint(true))}; }
  Parts test_neither(Op);

 private:
  ValueId op(Op op, std::initializer_list<ValueId> operands) { return builder_.op(op, operands); }
  ValueId number(std::uint32_t width, std::uint64_t value) { return builder_.constant(width, value); }
  std::uint32_t width(unsigned operand) const { return builder_.width(operands_[operand].front()); }
  ValueId bits(ValueId value, std::uint32_t low, std::uint32_t count) {
    return builder_.op(Op::Extract, {value}, count, low);
  }
  ValueId bit(ValueId value, std::uint32_t position) { return bits(value, position, 1); }
  ValueId sign_bit(ValueId value) { return bit(value, builder_.width(value) - 1); }
  ValueId widen(ValueId value, std::uint32_t width, Op extension = Op::ZeroExtend) {
    return builder_.width(value) == width ? value : builder_.op(extension, {value}, width);
  }
  ValueId flag(ValueId condition) { return widen(condition, 32); }
  const BitVector* known(ValueId value) const;
  ValueId joined(llvm::ArrayRef<ValueId> lowest_first);
  ValueId saturated(ValueId value, std::uint32_t width, Op extension);
  ValueId lane_at(llvm::ArrayRef<ValueId> lanes, ValueId index);
  ValueId is_disjoint(bool is_first_inverted);
  Parts horizontally(Op op, Op overflow);
  std::size_t group_size() const { return std::min<std::size_t>(128 / width(0), operands_[0].size()); }
  template <typename Function>
  Parts each_lane(Function function);

  FunctionBuilder& builder_;
  llvm::ArrayRef<Parts> operands_;
};

template <typename Function>
Parts X86::each_lane(Function function) {
  Parts made;
  for (std::size_t i = 0; i < operands_[0].size(); ++i) made.push_back(function(operands_[0][i], operands_[1][i]));
  return made;
}

const BitVector* X86::known(ValueId value) const {
  const Function& function = builder_.function();
  return function.values[value].kind == ValueKind::Constant ? &function.constant(value) : nullptr;
}

ValueId X86::joined(llvm::ArrayRef<ValueId> lowest_first) {
  INVARIANT(!lowest_first.empty(), "a vector should have elements");
  ValueId all = lowest_first.front();
  for (const ValueId next : lowest_first.drop_front()) all = op(Op::Concat, {next, all});
  return all;
}

/// The nearest signed or unsigned number of `width` bits, as `extension` says, to a signed one.
ValueId X86::saturated(ValueId value, std::uint32_t width, Op extension) {
  const std::uint32_t from = builder_.width(value);
  const bool is_signed = extension == Op::SignExtend;
  const BitVector low = is_signed ? BitVector::min_signed(width) : BitVector(width, 0);
  const BitVector high = is_signed ? BitVector::max_signed(width) : BitVector::ones(width);
  const ValueId low_value = builder_.constant(low);
  const ValueId high_value = builder_.constant(high);
  const ValueId is_above = op(Op::Slt, {widen(high_value, from, extension), value});
  const ValueId is_below = op(Op::Slt, {value, widen(low_value, from, extension)});
  return op(Op::Ite, {is_above, high_value, op(Op::Ite, {is_below, low_value, bits(value, 0, width)})});
}

/// By as many low bits of the index as the number of lanes, a power of two, needs.
ValueId X86::lane_at(llvm::ArrayRef<ValueId> lanes, ValueId index) {
  if (const BitVector* constant = known(index)) {
    std::size_t chosen = 0;
    for (std::size_t i = 1, b = 0; i < lanes.size(); i *= 2, ++b)
      if (constant->bit(static_cast<std::uint32_t>(b))) chosen += i;
    return lanes[chosen];
  }
  Parts left(lanes.begin(), lanes.end());
  for (std::uint32_t b = 0; left.size() > 1; ++b) {
    const ValueId is_odd = bit(index, b);
    for (std::size_t i = 0; i < left.size() / 2; ++i) left[i] = op(Op::Ite, {is_odd, left[2 * i + 1], left[2 * i]});
    left.resize(left.size() / 2);
  }
  return left.front();
}

Parts X86::average(Op) {
  const std::uint32_t lane = width(0);
  return each_lane([&](ValueId a, ValueId b) {
    const ValueId sum = op(Op::Add, {widen(a, lane + 1), widen(b, lane + 1)});
    return bits(op(Op::Add, {sum, number(lane + 1, 1)}), 1, lane);
  });
}

Parts X86::high_product(Op extension) {
  const std::uint32_t lane = width(0);
  return each_lane([&](ValueId a, ValueId b) {
    return bits(op(Op::Mul, {widen(a, 2 * lane, extension), widen(b, 2 * lane, extension)}), lane, lane);
  });
}

Parts X86::rounded_product(Op) {
  return each_lane([&](ValueId a, ValueId b) {
    const ValueId product = op(Op::Mul, {widen(a, 32, Op::SignExtend), widen(b, 32, Op::SignExtend)});
    return bits(op(Op::Add, {bits(product, 14, 18), number(18, 1)}), 1, 16);
  });
}

Parts X86::sign(Op) {
  const ValueId zero = number(width(0), 0);
  return each_lane([&](ValueId a, ValueId b) {
    const ValueId otherwise = op(Op::Ite, {op(Op::Eq, {b, zero}), zero, a});
    return op(Op::Ite, {op(Op::Slt, {b, zero}), op(Op::Neg, {a}), otherwise});
  });
}

Parts X86::shift_each(Op shift) {
  return each_lane([&](ValueId a, ValueId count) { return op(shift, {a, count}); });
}

/// By one count: a number of 32 bits, or the low 64 bits of a vector. What is beyond the width shifts everything out,
/// as the operators do too.
Parts X86::shift_all(Op shift) {
  const std::uint32_t lane = width(0);
  const bool is_vector = operands_[1].size() > 1;
  const ValueId given = is_vector ? joined(llvm::ArrayRef(operands_[1]).take_front(64 / width(1))) : operands_[1][0];
  const ValueId count = widen(given, 64);
  const ValueId is_inside = op(Op::Ult, {count, number(64, lane)});
  const ValueId amount = op(Op::Ite, {is_inside, bits(count, 0, lane), number(lane, lane)});
  Parts made;
  for (const ValueId a : operands_[0]) made.push_back(op(shift, {a, amount}));
  return made;
}

Parts X86::choose_by_sign(Op) {
  Parts made;
  for (std::size_t i = 0; i < operands_[0].size(); ++i)
    made.push_back(op(Op::Ite, {sign_bit(operands_[2][i]), operands_[1][i], operands_[0][i]}));
  return made;
}

Parts X86::add_products(Op) {
  const Parts products = each_lane(
      [&](ValueId a, ValueId b) { return op(Op::Mul, {widen(a, 32, Op::SignExtend), widen(b, 32, Op::SignExtend)}); });
  Parts made;
  for (std::size_t i = 0; i < products.size(); i += 2) made.push_back(op(Op::Add, {products[i], products[i + 1]}));
  return made;
}

Parts X86::add_byte_products(Op) {
  const Parts products =
      each_lane([&](ValueId a, ValueId b) { return op(Op::Mul, {widen(a, 18), widen(b, 18, Op::SignExtend)}); });
  Parts made;
  for (std::size_t i = 0; i < products.size(); i += 2)
    made.push_back(saturated(op(Op::Add, {products[i], products[i + 1]}), 16, Op::SignExtend));
  return made;
}

Parts X86::add_differences(Op) {
  const Parts distances = each_lane([&](ValueId a, ValueId b) {
    return widen(op(Op::Ite, {op(Op::Ult, {a, b}), op(Op::Sub, {b, a}), op(Op::Sub, {a, b})}), 64);
  });
  Parts made;
  for (std::size_t i = 0; i < distances.size(); i += 8) {
    ValueId sum = distances[i];
    for (std::size_t j = i + 1; j < i + 8; ++j) sum = op(Op::Add, {sum, distances[j]});
    made.push_back(sum);
  }
  return made;
}

Parts X86::pack(Op extension) {
  Parts made;
  for (std::size_t group = 0; group < operands_[0].size(); group += group_size())
    for (const Parts& operand : operands_)
      for (std::size_t i = group; i < group + group_size(); ++i)
        made.push_back(saturated(operand[i], width(0) / 2, extension));
  return made;
}

/// Saturates if there is an operator that says "this overflows".
Parts X86::horizontally(Op operation, Op overflow) {
  Parts made;
  for (std::size_t group = 0; group < operands_[0].size(); group += group_size())
    for (const Parts& operand : operands_)
      for (std::size_t i = group; i < group + group_size(); i += 2) {
        const ValueId a = operand[i];
        const ValueId b = operand[i + 1];
        ValueId result = op(operation, {a, b});
        if (overflow != Op::Constant) {
          const ValueId limit = op(Op::Ite, {sign_bit(a), builder_.constant(BitVector::min_signed(width(0))),
                                             builder_.constant(BitVector::max_signed(width(0)))});
          result = op(Op::Ite, {op(overflow, {a, b}), limit, result});
        }
        made.push_back(result);
      }
  return made;
}

Parts X86::shuffle_bytes(Op) {
  const ValueId zero = number(8, 0);
  Parts made;
  for (std::size_t i = 0; i < operands_[0].size(); ++i) {
    const ValueId index = operands_[1][i];
    const ValueId chosen = lane_at(llvm::ArrayRef(operands_[0]).slice(i / 16 * 16, 16), index);
    const BitVector* constant = known(index);
    if (constant != nullptr)
      made.push_back(constant->sign() ? zero : chosen);
    else
      made.push_back(op(Op::Ite, {sign_bit(index), zero, chosen}));
  }
  return made;
}

Parts X86::permute(Op) {
  Parts made;
  for (const ValueId index : operands_[1]) made.push_back(lane_at(operands_[0], index));
  return made;
}

/// Lanes of 64 bits are chosen by bit 1 of the index, so that an index of pairs of 32 bits serves too.
Parts X86::permute_in_groups(Op) {
  const std::size_t size = group_size();
  Parts made;
  for (std::size_t i = 0; i < operands_[0].size(); ++i) {
    const ValueId index = size == 2 ? bit(operands_[1][i], 1) : operands_[1][i];
    made.push_back(lane_at(llvm::ArrayRef(operands_[0]).slice(i / size * size, size), index));
  }
  return made;
}

Parts X86::sign_mask(Op) {
  Parts signs;
  for (const ValueId lane : operands_[0]) signs.push_back(sign_bit(lane));
  return {widen(joined(signs), 32)};
}

/// The bits of the second that the first, or its complement, has too are all zero.
ValueId X86::is_disjoint(bool is_first_inverted) {
  const ValueId second = joined(operands_[1]);
  const ValueId given = joined(operands_[0]);
  const ValueId first = is_first_inverted ? op(Op::Not, {given}) : given;
  return op(Op::Eq, {op(Op::And, {first, second}), number(builder_.width(first), 0)});
}

Parts X86::test_neither(Op) {
  return {flag(op(Op::And, {op(Op::Not, {is_disjoint(false)}), op(Op::Not, {is_disjoint(true)})}))};
}

struct Row {
  std::string_view name;
  Parts (X86::*lower)(Op);
  Op op = Op::Constant;  ///< where the member function needs to know one
};

constexpr Row kRows[] = {
    {"pavg.b", &X86::average},
    {"pavg.w", &X86::average},
    {"pmulh.w", &X86::high_product, Op::SignExtend},
    {"pmulhu.w", &X86::high_product, Op::ZeroExtend},
    {"pmul.hr.sw", &X86::rounded_product},
    {"psign.b", &X86::sign},
    {"psign.w", &X86::sign},
    {"psign.d", &X86::sign},
    {"psllv.w", &X86::shift_each, Op::Shl},
    {"psllv.d", &X86::shift_each, Op::Shl},
    {"psllv.q", &X86::shift_each, Op::Shl},
    {"psrlv.w", &X86::shift_each, Op::Lshr},
    {"psrlv.d", &X86::shift_each, Op::Lshr},
    {"psrlv.q", &X86::shift_each, Op::Lshr},
    {"psrav.w", &X86::shift_each, Op::Ashr},
    {"psrav.d", &X86::shift_each, Op::Ashr},
    {"psrav.q", &X86::shift_each, Op::Ashr},
    {"psll.w", &X86::shift_all, Op::Shl},
    {"psll.d", &X86::shift_all, Op::Shl},
    {"psll.q", &X86::shift_all, Op::Shl},
    {"pslli.w", &X86::shift_all, Op::Shl},
    {"pslli.d", &X86::shift_all, Op::Shl},
    {"pslli.q", &X86::shift_all, Op::Shl},
    {"psrl.w", &X86::shift_all, Op::Lshr},
    {"psrl.d", &X86::shift_all, Op::Lshr},
    {"psrl.q", &X86::shift_all, Op::Lshr},
    {"psrli.w", &X86::shift_all, Op::Lshr},
    {"psrli.d", &X86::shift_all, Op::Lshr},
    {"psrli.q", &X86::shift_all, Op::Lshr},
    {"psra.w", &X86::shift_all, Op::Ashr},
    {"psra.d", &X86::shift_all, Op::Ashr},
    {"psra.q", &X86::shift_all, Op::Ashr},
    {"psrai.w", &X86::shift_all, Op::Ashr},
    {"psrai.d", &X86::shift_all, Op::Ashr},
    {"psrai.q", &X86::shift_all, Op::Ashr},
    {"pblendvb", &X86::choose_by_sign},
    {"blendvps", &X86::choose_by_sign},
    {"blendvpd", &X86::choose_by_sign},
    {"blendv.ps", &X86::choose_by_sign},
    {"blendv.pd", &X86::choose_by_sign},
    {"pmadd.wd", &X86::add_products},
    {"pmaddw.d", &X86::add_products},
    {"pmadd.ub.sw", &X86::add_byte_products},
    {"pmaddubs.w", &X86::add_byte_products},
    {"psad.bw", &X86::add_differences},
    {"packsswb", &X86::pack, Op::SignExtend},
    {"packssdw", &X86::pack, Op::SignExtend},
    {"packuswb", &X86::pack, Op::ZeroExtend},
    {"packusdw", &X86::pack, Op::ZeroExtend},
    {"phadd.w", &X86::horizontal, Op::Add},
    {"phadd.d", &X86::horizontal, Op::Add},
    {"phadd.sw", &X86::horizontal_saturating, Op::Add},
    {"phsub.w", &X86::horizontal, Op::Sub},
    {"phsub.d", &X86::horizontal, Op::Sub},
    {"phsub.sw", &X86::horizontal_saturating, Op::Sub},
    {"pshuf.b", &X86::shuffle_bytes},
    {"permd", &X86::permute},
    {"permps", &X86::permute},
    {"permvar.qi", &X86::permute},
    {"permvar.hi", &X86::permute},
    {"permvar.si", &X86::permute},
    {"permvar.di", &X86::permute},
    {"permvar.sf", &X86::permute},
    {"permvar.df", &X86::permute},
    {"vpermilvar.ps", &X86::permute_in_groups},
    {"vpermilvar.pd", &X86::permute_in_groups},
    {"pmovmskb", &X86::sign_mask},
    {"movmsk.ps", &X86::sign_mask},
    {"movmsk.pd", &X86::sign_mask},
    {"ptestz", &X86::test_zero},
    {"ptestc", &X86::test_carry},
    {"ptestnzc", &X86::test_neither},
};

/// Without the instruction set before it and the size in bits after it.
std::string_view instruction_of(std::string_view name) {
  for (const std::string_view set : {"sse.", "sse2.", "ssse3.", "sse41.", "avx.", "avx2.", "avx512."})
    if (name.starts_with(set)) {
      name.remove_prefix(set.size());
      break;
    }
  for (const std::string_view size : {".128", ".256", ".512"})
    if (name.ends_with(size)) name.remove_suffix(size.size());
  return name;
}

}  // namespace

std::optional<Parts> lower_x86(FunctionBuilder& builder, std::string_view name, llvm::ArrayRef<Parts> operands) {
  constexpr std::string_view kPrefix = "llvm.x86.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  if (auto number = lower_x86_number(builder, name, operands)) return number;
  const auto* const row = std::ranges::find(kRows, instruction_of(name), &Row::name);
  if (row == std::end(kRows)) return std::nullopt;
  return (X86(builder, operands).*row->lower)(row->op);
}

}  // namespace plumb::frontend
