#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frontend/lower/lower_function.h"
#include "frontend/lower/operators.h"

namespace plumb::frontend {

using program::kNoSignedWrap;
using program::kNoUnsignedWrap;
using program::kSourceShift;
using term::Op;

Parts FunctionLowering::binary(const llvm::BinaryOperator& instruction) {
  const Parts a = parts(*instruction.getOperand(0));
  const Parts b = parts(*instruction.getOperand(1));
  llvm::Type* element = instruction.getType()->getScalarType();
  Parts made;
  for (std::size_t i = 0; i < a.size(); ++i)
    made.push_back(element->isFloatingPointTy() ? float_binary(instruction.getOpcode(), a[i], b[i], element)
                                                : integer_binary(instruction, a[i], b[i]));
  return made;
}

ValueId FunctionLowering::integer_binary(const llvm::BinaryOperator& instruction, ValueId a, ValueId b) {
  std::uint16_t flags = 0;
  if (const auto* wrapping = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    if (wrapping->hasNoSignedWrap()) flags |= kNoSignedWrap;
    if (wrapping->hasNoUnsignedWrap()) flags |= kNoUnsignedWrap;
  }
  const std::optional<Op> found = integer_operator(instruction.getOpcode());
  if (!found) throw Unlowerable{fmt::format("instruction '{}'", instruction.getOpcodeName())};
  const Op op = *found;
  // What clang writes as `xor x, -1` is a complement.
  if (op == Op::Xor)
    if (const auto mask = known(b); mask && mask->is_ones()) return builder_.op(Op::Not, {a});
  if (instruction.isShift()) flags |= kSourceShift;
  return builder_.op(op, {a, b}, 0, 0, flags);
}

Parts FunctionLowering::cast(unsigned opcode, const llvm::Value& from, llvm::Type* to) {
  const Parts operands = parts(from);
  const Shape& shape = module_.shapes().of(to);
  if (opcode == llvm::Instruction::BitCast) return reinterpret(operands, shape);
  Parts made;
  for (std::size_t i = 0; i < operands.size(); ++i)
    made.push_back(cast_scalar(opcode, operands[i], from.getType()->getScalarType(), shape.parts[i]));
  return made;
}

ValueId FunctionLowering::cast_scalar(unsigned opcode, ValueId value, llvm::Type* from, const Part& to) {
  switch (opcode) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast:
      return resize(value, to.width);
    case llvm::Instruction::SExt:
      return resize(value, to.width, true);
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt:
      if (to.type->isBFloatTy() || to.type->isPPC_FP128Ty()) from = to.type;
      return float_op(FloatOp::Convert, {value}, to.width, from);
    case llvm::Instruction::FPToUI:
      return float_op(FloatOp::ToUnsigned, {value}, to.width, from);
    case llvm::Instruction::FPToSI:
      return float_op(FloatOp::ToSigned, {value}, to.width, from);
    case llvm::Instruction::UIToFP:
      return float_op(FloatOp::FromUnsigned, {value}, to.width, to.type);
    case llvm::Instruction::SIToFP:
      return float_op(FloatOp::FromSigned, {value}, to.width, to.type);
    default:
      throw Unlowerable{fmt::format("conversion '{}'", llvm::Instruction::getOpcodeName(opcode))};
  }
}

Parts FunctionLowering::reinterpret(const Parts& parts, const Shape& to) {
  if (parts.size() == to.parts.size()) return parts;
  const std::uint32_t from_width = builder_.width(parts.front());
  const std::uint32_t to_width = to.parts.front().width;
  // Groups of parts that meet a boundary of both sides stay apart, so that values get no wider than they must.
  const std::uint32_t group = std::lcm(from_width, to_width);
  Parts made;
  for (std::size_t i = 0; i < parts.size();) {
    ValueId all = parts[i++];
    while (i < parts.size() && builder_.width(all) < group) all = join(all, parts[i++]);
    const std::uint32_t width = builder_.width(all);
    for (std::uint32_t at = 0; at < width; at += to_width) {
      const std::uint32_t low = is_big_endian() ? width - to_width - at : at;
      made.push_back(to_width == width ? all : builder_.op(Op::Extract, {all}, to_width, low));
    }
  }
  return made;
}

Parts FunctionLowering::compare(llvm::CmpInst::Predicate predicate, const llvm::Value& a, const llvm::Value& b) {
  const Parts left = parts(a);
  const Parts right = parts(b);
  llvm::Type* element = a.getType()->getScalarType();
  Parts made;
  for (std::size_t i = 0; i < left.size(); ++i)
    made.push_back(element->isFloatingPointTy() ? compare_floats(predicate, left[i], right[i], element)
                                                : compare_integers(predicate, left[i], right[i]));
  return made;
}

ValueId FunctionLowering::compare_integers(llvm::CmpInst::Predicate predicate, ValueId a, ValueId b) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return builder_.op(Op::Eq, {a, b});
    case llvm::CmpInst::ICMP_NE:
      return builder_.op(Op::Not, {builder_.op(Op::Eq, {a, b})});
    case llvm::CmpInst::ICMP_UGT:
      return builder_.op(Op::Ult, {b, a});
    case llvm::CmpInst::ICMP_UGE:
      return builder_.op(Op::Ule, {b, a});
    case llvm::CmpInst::ICMP_ULT:
      return builder_.op(Op::Ult, {a, b});
    case llvm::CmpInst::ICMP_ULE:
      return builder_.op(Op::Ule, {a, b});
    case llvm::CmpInst::ICMP_SGT:
      return builder_.op(Op::Slt, {b, a});
    case llvm::CmpInst::ICMP_SGE:
      return builder_.op(Op::Sle, {b, a});
    case llvm::CmpInst::ICMP_SLT:
      return builder_.op(Op::Slt, {a, b});
    case llvm::CmpInst::ICMP_SLE:
      return builder_.op(Op::Sle, {a, b});
    default:
      throw Unlowerable{"an unknown comparison"};
  }
}

Parts FunctionLowering::select(const llvm::SelectInst& instruction) {
  const Parts conditions = parts(*instruction.getCondition());
  const Parts a = parts(*instruction.getTrueValue());
  const Parts b = parts(*instruction.getFalseValue());
  const bool is_lanewise = instruction.getCondition()->getType()->isVectorTy();
  Parts made;
  for (std::size_t i = 0; i < a.size(); ++i)
    made.push_back(builder_.op(Op::Ite, {conditions[is_lanewise ? i : 0], a[i], b[i]}));
  return made;
}

Parts FunctionLowering::extract_value(const llvm::ExtractValueInst& instruction) {
  const Parts all = parts(*instruction.getAggregateOperand());
  llvm::Type* type = instruction.getAggregateOperand()->getType();
  const std::uint32_t first = module_.shapes().first_part(type, instruction.getIndices());
  return Parts(all.begin() + first, all.begin() + first + module_.shapes().part_count(type));
}

Parts FunctionLowering::insert_value(const llvm::InsertValueInst& instruction) {
  Parts all = parts(*instruction.getAggregateOperand());
  const Parts inserted = parts(*instruction.getInsertedValueOperand());
  llvm::Type* type = instruction.getAggregateOperand()->getType();
  const std::uint32_t first = module_.shapes().first_part(type, instruction.getIndices());
  std::ranges::copy(inserted, all.begin() + first);
  return all;
}

}  // namespace plumb::frontend
