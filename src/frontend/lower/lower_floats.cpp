#include <fmt/format.h>

#include "frontend/lower/lower_function.h"

namespace plumb::frontend {

using term::Op;
using Predicate = llvm::CmpInst::Predicate;

ValueId FunctionLowering::float_op(FloatOp op, llvm::ArrayRef<ValueId> operands, std::uint32_t width,
                                   llvm::Type* format) {
  if (format->isBFloatTy() || format->isPPC_FP128Ty())
    throw Unlowerable{fmt::format("arithmetic of type {}", to_text(*format))};
  return builder_.float_op(op, operands, width);
}

ValueId FunctionLowering::float_binary(unsigned opcode, ValueId a, ValueId b, llvm::Type* format) {
  const FloatOp op = [&] {
    switch (opcode) {
      case llvm::Instruction::FAdd:
        return FloatOp::Add;
      case llvm::Instruction::FSub:
        return FloatOp::Sub;
      case llvm::Instruction::FMul:
        return FloatOp::Mul;
      case llvm::Instruction::FDiv:
        return FloatOp::Div;
      case llvm::Instruction::FRem:
        return FloatOp::Rem;
      default:
        throw Unlowerable{fmt::format("instruction '{}'", llvm::Instruction::getOpcodeName(opcode))};
    }
  }();
  return float_op(op, {a, b}, builder_.width(a), format);
}

ValueId FunctionLowering::compare_floats(Predicate predicate, ValueId a, ValueId b, llvm::Type* format) {
  const auto test = [&](FloatOp op, ValueId x, ValueId y) { return float_op(op, {x, y}, 1, format); };
  // An unordered comparison is the complement of the opposite ordered one.
  const auto opposite = [&] {
    return builder_.op(Op::Not, {compare_floats(llvm::CmpInst::getInversePredicate(predicate), a, b, format)});
  };
  switch (predicate) {
    case Predicate::FCMP_FALSE:
      return builder_.constant(1, 0);
    case Predicate::FCMP_TRUE:
      return builder_.constant(1, 1);
    case Predicate::FCMP_OEQ:
      return test(FloatOp::Equal, a, b);
    case Predicate::FCMP_OGT:
      return test(FloatOp::Less, b, a);
    case Predicate::FCMP_OGE:
      return test(FloatOp::LessEqual, b, a);
    case Predicate::FCMP_OLT:
      return test(FloatOp::Less, a, b);
    case Predicate::FCMP_OLE:
      return test(FloatOp::LessEqual, a, b);
    case Predicate::FCMP_ONE:
      return builder_.op(Op::Or, {test(FloatOp::Less, a, b), test(FloatOp::Less, b, a)});
    case Predicate::FCMP_UNO:
      return test(FloatOp::Unordered, a, b);
    default:
      return opposite();
  }
}

ValueId FunctionLowering::math(const MathFunction& function, llvm::ArrayRef<ValueId> operands, llvm::Type* format,
                               std::uint32_t width) {
  using Form = MathFunction::Form;
  const std::uint32_t operand_width = builder_.width(operands.front());
  const ValueId sign = builder_.constant(BitVector::min_signed(operand_width));
  const ValueId magnitude = builder_.constant(BitVector::max_signed(operand_width));
  switch (function.form) {
    case Form::Plain:
      return float_op(function.op, operands.take_front(function.arity), width, format);
    case Form::Absolute:
      return builder_.op(Op::And, {operands[0], magnitude});
    case Form::CopySign:
      return builder_.op(Op::Or,
                         {builder_.op(Op::And, {operands[0], magnitude}), builder_.op(Op::And, {operands[1], sign})});
    case Form::ToInteger:
      return float_op(FloatOp::ToSigned, {float_op(function.op, {operands[0]}, operand_width, format)}, width, format);
    case Form::MulAdd: {
      const ValueId product = float_op(FloatOp::Mul, {operands[0], operands[1]}, width, format);
      return float_op(FloatOp::Add, {product, operands[2]}, width, format);
    }
    case Form::Minimum:
    case Form::Maximum:
      return float_extremum(function.form == Form::Minimum, operands[0], operands[1], format);
    case Form::Identity:
      return operands[0];
  }
  INVARIANT(false, "every form of a mathematical function should have a lowering");
  return operands[0];
}

ValueId FunctionLowering::float_extremum(bool is_minimum, ValueId a, ValueId b, llvm::Type* format) {
  const std::uint32_t width = builder_.width(a);
  const ValueId first = is_minimum ? a : b;
  const ValueId second = is_minimum ? b : a;
  const ValueId is_first = float_op(FloatOp::Less, {first, second}, 1, format);
  const ValueId is_second = float_op(FloatOp::Less, {second, first}, 1, format);
  // Neither is less: equal bits, or zeros that differ in the sign, or NaN, which the sum passes on.
  const ValueId equal = builder_.op(is_minimum ? Op::Or : Op::And, {a, b});
  const ValueId is_nan = float_op(FloatOp::Unordered, {a, b}, 1, format);
  const ValueId nan = float_op(FloatOp::Add, {a, b}, width, format);
  const ValueId not_less = builder_.op(Op::Ite, {is_nan, nan, equal});
  return builder_.op(Op::Ite, {is_first, a, builder_.op(Op::Ite, {is_second, b, not_less})});
}

ValueId FunctionLowering::float_class(ValueId value, llvm::Type* format, unsigned mask) {
  if (mask == llvm::fcNan) return float_op(FloatOp::Unordered, {value, value}, 1, format);
  const bool has_integer_bit = format->isX86_FP80Ty();
  const std::uint32_t width = builder_.width(value);
  const std::uint32_t fraction_width = llvm::APFloat::semanticsPrecision(format->getFltSemantics()) - 1;
  const std::uint32_t exponent_low = fraction_width + (has_integer_bit ? 1 : 0);
  const std::uint32_t exponent_width = width - 1 - exponent_low;
  const auto both = [&](ValueId x, ValueId y) { return builder_.op(Op::And, {x, y}); };
  const auto none = [&](ValueId x) { return builder_.op(Op::Not, {x}); };
  const auto bit = [&](std::uint32_t i) { return builder_.op(Op::Extract, {value}, 1, i); };
  const auto equals = [&](ValueId x, const BitVector& y) { return builder_.op(Op::Eq, {x, builder_.constant(y)}); };

  const ValueId negative = bit(width - 1);
  const ValueId exponent = builder_.op(Op::Extract, {value}, exponent_width, exponent_low);
  const ValueId low = equals(exponent, BitVector(exponent_width, 0));
  const ValueId high = equals(exponent, BitVector::ones(exponent_width));
  const ValueId empty = equals(builder_.op(Op::Extract, {value}, fraction_width, 0), BitVector(fraction_width, 0));
  const ValueId leading = has_integer_bit ? bit(fraction_width) : none(low);
  const ValueId zero = both(low, both(empty, none(leading)));
  const ValueId infinite = both(high, both(empty, leading));
  // What the x87 calls unsupported is a NaN, for it is none of the others.
  ValueId nan = both(high, none(infinite));
  if (has_integer_bit) nan = builder_.op(Op::Or, {nan, both(none(low), none(leading))});

  ValueId result = kNone;
  const auto include = [&](unsigned flags, ValueId kind, unsigned if_set, ValueId side) {
    if ((mask & flags) == 0) return;
    if ((mask & flags) != flags) kind = both(kind, (mask & flags) == if_set ? side : none(side));
    result = result == kNone ? kind : builder_.op(Op::Or, {result, kind});
  };
  include(llvm::fcNan, nan, llvm::fcQNan, bit(fraction_width - 1));
  include(llvm::fcInf, infinite, llvm::fcNegInf, negative);
  include(llvm::fcNormal, both(both(none(low), none(high)), leading), llvm::fcNegNormal, negative);
  include(llvm::fcSubnormal, both(low, none(zero)), llvm::fcNegSubnormal, negative);
  include(llvm::fcZero, zero, llvm::fcNegZero, negative);
  return result == kNone ? builder_.constant(1, 0) : result;
}

ValueId FunctionLowering::saturating_to_integer(ValueId value, llvm::Type* format, std::uint32_t width,
                                                bool is_signed) {
  const std::uint32_t float_width = builder_.width(value);
  const BitVector least = is_signed ? BitVector::min_signed(width) : BitVector(width, 0);
  const BitVector greatest = is_signed ? BitVector::max_signed(width) : BitVector::ones(width);
  // Powers of two, so exact as floats, or infinite where the format is too small for them.
  BitVector bound(width + 2, 0);
  bound.set_bit(is_signed ? width - 1 : width, true);
  const ValueId above = float_op(FloatOp::FromSigned, {builder_.constant(bound)}, float_width, format);
  const ValueId below = float_op(FloatOp::FromSigned, {builder_.constant(is_signed ? -bound : BitVector(width + 2, 0))},
                                 float_width, format);
  const ValueId is_above = float_op(FloatOp::LessEqual, {above, value}, 1, format);
  const ValueId is_below = float_op(FloatOp::Less, {value, below}, 1, format);
  const ValueId is_nan = float_op(FloatOp::Unordered, {value, value}, 1, format);
  ValueId result = float_op(is_signed ? FloatOp::ToSigned : FloatOp::ToUnsigned, {value}, width, format);
  result = builder_.op(Op::Ite, {is_above, builder_.constant(greatest), result});
  result = builder_.op(Op::Ite, {is_below, builder_.constant(least), result});
  return builder_.op(Op::Ite, {is_nan, builder_.constant(width, 0), result});
}

bool FunctionLowering::lower_constrained(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto* constrained = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(&call);
  if (constrained == nullptr) return false;
  if (const auto* compare = llvm::dyn_cast<llvm::ConstrainedFPCmpIntrinsic>(&call)) {
    define(call, this->compare(compare->getPredicate(), *call.getArgOperand(0), *call.getArgOperand(1)));
    return true;
  }
  llvm::StringRef name = llvm::Intrinsic::getBaseName(id);
  name.consume_front("llvm.experimental.constrained.");
  llvm::Type* format = call.getArgOperand(0)->getType()->getScalarType();
  const Shape& shape = this->shape(call);
  const auto opcode_of = [&]() -> unsigned {
    using llvm::Instruction;
    static constexpr std::pair<std::string_view, unsigned> kOpcodes[] = {
        {"fadd", Instruction::FAdd},       {"fsub", Instruction::FSub},     {"fmul", Instruction::FMul},
        {"fdiv", Instruction::FDiv},       {"frem", Instruction::FRem},     {"fptosi", Instruction::FPToSI},
        {"fptoui", Instruction::FPToUI},   {"sitofp", Instruction::SIToFP}, {"uitofp", Instruction::UIToFP},
        {"fptrunc", Instruction::FPTrunc}, {"fpext", Instruction::FPExt}};
    for (const auto& [text, opcode] : kOpcodes)
      if (name == llvm::StringRef(text)) return opcode;
    return 0;
  };
  const unsigned opcode = opcode_of();
  if (opcode != 0 && llvm::Instruction::isCast(opcode)) {
    define(call, cast(opcode, *call.getArgOperand(0), call.getType()));
    return true;
  }
  const auto function = math_function(std::string_view(name), true);
  if (opcode == 0 && !function) return false;
  llvm::SmallVector<Parts, 3> operands;
  for (unsigned i = 0; i < constrained->getNonMetadataArgCount(); ++i)
    operands.push_back(parts(*call.getArgOperand(i)));
  Parts made;
  for (std::size_t lane = 0; lane < shape.parts.size(); ++lane) {
    Parts lanes;
    for (const Parts& operand : operands) lanes.push_back(operand[lane]);
    made.push_back(opcode != 0 ? float_binary(opcode, lanes[0], lanes[1], format)
                               : math(*function, lanes, format, shape.parts[lane].width));
  }
  define(call, made);
  return true;
}

}  // namespace plumb::frontend
