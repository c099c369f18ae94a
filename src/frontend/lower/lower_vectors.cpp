#include <fmt/format.h>

#include <algorithm>

#include "frontend/lower/lower_function.h"

namespace plumb::frontend {

using term::Op;

bool FunctionLowering::lower_vector(const llvm::Instruction& instruction) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    define(*extract, extract_element(*extract));
  } else if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    define(*insert, insert_element(*insert));
  } else if (const auto* shuffled = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    define(*shuffled, shuffle(*shuffled));
  } else {
    return false;
  }
  return true;
}

Parts FunctionLowering::extract_element(const llvm::ExtractElementInst& instruction) {
  const Parts lanes = parts(*instruction.getVectorOperand());
  const ValueId index = scalar(*instruction.getIndexOperand());
  if (const auto constant = known(index)) {
    const bool is_inside = constant->fits_uint64() && constant->to_uint64() < lanes.size();
    return {is_inside ? lanes[constant->to_uint64()] : builder_.undefined(builder_.width(lanes.front()))};
  }
  ValueId result = lanes.back();
  for (std::size_t i = lanes.size() - 1; i-- > 0;) {
    const ValueId is_here = builder_.op(Op::Eq, {index, builder_.constant(builder_.width(index), i)});
    result = builder_.op(Op::Ite, {is_here, lanes[i], result});
  }
  return {result};
}

Parts FunctionLowering::insert_element(const llvm::InsertElementInst& instruction) {
  Parts lanes = parts(*instruction.getOperand(0));
  const ValueId inserted = scalar(*instruction.getOperand(1));
  const ValueId index = scalar(*instruction.getOperand(2));
  const auto constant = known(index);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (constant) {
      if (constant->fits_uint64() && constant->to_uint64() == i) lanes[i] = inserted;
      continue;
    }
    const ValueId is_here = builder_.op(Op::Eq, {index, builder_.constant(builder_.width(index), i)});
    lanes[i] = builder_.op(Op::Ite, {is_here, inserted, lanes[i]});
  }
  return lanes;
}

Parts FunctionLowering::shuffle(const llvm::ShuffleVectorInst& instruction) {
  Parts lanes = parts(*instruction.getOperand(0));
  lanes.append(parts(*instruction.getOperand(1)));
  Parts made;
  for (const int choice : instruction.getShuffleMask())
    made.push_back(choice < 0 ? builder_.undefined(builder_.width(lanes.front()))
                              : lanes[static_cast<std::size_t>(choice)]);
  return made;
}

bool FunctionLowering::lower_vector_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto position = [&](unsigned i) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(i))->getSExtValue();
  };
  switch (id) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_scatter:
      lower_masked(call, id);
      return true;
    case llvm::Intrinsic::vector_reverse: {
      Parts lanes = parts(*call.getArgOperand(0));
      std::ranges::reverse(lanes);
      define(call, lanes);
      return true;
    }
    case llvm::Intrinsic::vector_extract: {
      const Parts lanes = parts(*call.getArgOperand(0));
      define(call, Parts(lanes.begin() + position(1), lanes.begin() + position(1) + shape(call).parts.size()));
      return true;
    }
    case llvm::Intrinsic::vector_insert: {
      Parts lanes = parts(*call.getArgOperand(0));
      std::ranges::copy(parts(*call.getArgOperand(1)), lanes.begin() + position(2));
      define(call, lanes);
      return true;
    }
    default:
      return lower_reduction(call, id);
  }
}

ValueId FunctionLowering::reduced(llvm::Intrinsic::ID id, ValueId a, ValueId b, llvm::Type* format) {
  const auto real = [&](FloatOp op) { return float_op(op, {a, b}, builder_.width(a), format); };
  switch (id) {
    case llvm::Intrinsic::vector_reduce_add:
      return builder_.op(Op::Add, {a, b});
    case llvm::Intrinsic::vector_reduce_mul:
      return builder_.op(Op::Mul, {a, b});
    case llvm::Intrinsic::vector_reduce_and:
      return builder_.op(Op::And, {a, b});
    case llvm::Intrinsic::vector_reduce_or:
      return builder_.op(Op::Or, {a, b});
    case llvm::Intrinsic::vector_reduce_xor:
      return builder_.op(Op::Xor, {a, b});
    case llvm::Intrinsic::vector_reduce_smax:
      return extremum(llvm::Intrinsic::smax, a, b);
    case llvm::Intrinsic::vector_reduce_smin:
      return extremum(llvm::Intrinsic::smin, a, b);
    case llvm::Intrinsic::vector_reduce_umax:
      return extremum(llvm::Intrinsic::umax, a, b);
    case llvm::Intrinsic::vector_reduce_umin:
      return extremum(llvm::Intrinsic::umin, a, b);
    case llvm::Intrinsic::vector_reduce_fadd:
      return real(FloatOp::Add);
    case llvm::Intrinsic::vector_reduce_fmul:
      return real(FloatOp::Mul);
    case llvm::Intrinsic::vector_reduce_fmax:
      return real(FloatOp::Max);
    case llvm::Intrinsic::vector_reduce_fmin:
      return real(FloatOp::Min);
    default:
      return float_extremum(id == llvm::Intrinsic::vector_reduce_fminimum, a, b, format);
  }
}

bool FunctionLowering::lower_reduction(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  if (!llvm::Intrinsic::getBaseName(id).starts_with("llvm.vector.reduce.")) return false;
  Parts lanes;
  // Those of floating point sum and product start with a value of their own, and go in order.
  for (const llvm::Use& operand : call.args()) lanes.append(parts(*operand));
  ValueId result = lanes.front();
  for (std::size_t i = 1; i < lanes.size(); ++i) result = reduced(id, result, lanes[i], call.getType());
  define(call, {result});
  return true;
}

void FunctionLowering::lower_masked(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const bool is_store = id == llvm::Intrinsic::masked_store || id == llvm::Intrinsic::masked_scatter;
  const unsigned first = is_store ? 1 : 0;
  const Parts addresses = parts(*call.getArgOperand(first));
  const auto alignment = llvm::Align(llvm::cast<llvm::ConstantInt>(call.getArgOperand(first + 1))->getZExtValue());
  const Parts mask = parts(*call.getArgOperand(first + 2));
  const Parts values = parts(*call.getArgOperand(is_store ? 0 : 3));
  llvm::Type* type = is_store ? call.getArgOperand(0)->getType() : call.getType();
  const Shape& shape = module_.shapes().of(type);
  if (shape.units.size() != shape.parts.size())
    throw Unlowerable{fmt::format("masked access of type {}", to_text(*type))};
  const std::uint32_t bytes = shape.units.front().width / 8;
  Parts made = values;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const bool is_scattered = addresses.size() > 1 || call.getArgOperand(first)->getType()->isVectorTy();
    const auto place = [&] {
      return is_scattered ? addresses[i] : offset_address(addresses[0], static_cast<std::int64_t>(i * bytes));
    };
    const auto constant = known(mask[i]);
    if (constant && constant->is_zero()) continue;
    const auto at = is_scattered ? alignment : llvm::commonAlignment(alignment, i * bytes);
    if (is_store) {
      const auto write = [&] { store_parts(type->getScalarType(), place(), {values[i]}, at); };
      constant ? write() : when(mask[i], write);
    } else if (constant) {
      made[i] = load_parts(type->getScalarType(), place(), at).front();
    } else {
      made[i] = load_when(mask[i], type->getScalarType(), place(), at, values[i]);
    }
  }
  if (!is_store) define(call, made);
}

ValueId FunctionLowering::load_when(ValueId condition, llvm::Type* type, ValueId address, llvm::Align alignment,
                                    ValueId otherwise) {
  const BlockId inside = builder_.add_block();
  const BlockId after = builder_.add_block();
  const ValueId result = builder_.add_block_argument(after, builder_.width(otherwise), type->isPointerTy());
  builder_.branch(condition, {inside, {}}, {after, {otherwise}}, kSynthetic);
  builder_.select(inside);
  const ValueId loaded = load_parts(type, address, alignment).front();
  builder_.jump({after, {loaded}});
  builder_.select(after);
  return result;
}

}  // namespace plumb::frontend
