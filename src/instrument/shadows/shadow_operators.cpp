// Instructions as expressions. What LLVM computes in one instruction is one operator of term::Op where there is one,
// and a few otherwise; an address is a sum of products at pointer width. A comparison of floating point numbers is one
// of four tests, negated or joined with another.
#include "instrument/shadows/shadow_operators.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "base/error.h"
#include "frontend/lower/lower_library.h"
#include "frontend/lower/operators.h"
#include "instrument/prepared_module.h"
#include "instrument/shadows/shadow_types.h"
#include "program/platform.h"
#include "runtime/concolic/protocol.h"

namespace plumb::instrument {

using program::FloatOp;
using term::Op;

namespace {

bool is_zero(const llvm::Value* shadow) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(shadow);
  return constant != nullptr && constant->isZero();
}

Op op_of(llvm::Instruction::BinaryOps opcode) {
  const std::optional<Op> op = frontend::integer_operator(opcode);
  INVARIANT(op.has_value(), "an operation on integers should be known");
  return *op;
}

/// No expression says what it gives: between integers and floating point numbers, or formats of these, with rounding.
bool converts_floats(const llvm::CastInst& cast) {
  switch (cast.getOpcode()) {
    case llvm::Instruction::FPExt:
      return cast.getSrcTy()->getScalarType()->isBFloatTy() ||
             !program::platform_of(cast.getModule()->getTargetTriple()).keeps_nans();
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPToUI:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::UIToFP:
    case llvm::Instruction::SIToFP:
      return true;
    default:
      return false;
  }
}

bool is_opaque(const llvm::Instruction& instruction) {
  const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
  const auto is_other = [&](llvm::Type* type) {
    return type->isSized() && !type->isAggregateType() && !is_tracked(type, layout);
  };
  return is_other(instruction.getType()) ||
         std::ranges::any_of(instruction.operands(), [&](const llvm::Use& use) { return is_other(use->getType()); });
}

}  // namespace

OperatorCode::OperatorCode(llvm::IRBuilder<>& builder, ShadowRuntime& runtime, Lookup shadows)
    : builder_(builder), runtime_(runtime), shadows_(std::move(shadows)) {}

std::uint32_t OperatorCode::width(llvm::Value* value) const {
  return width_of(value->getType(), runtime_.module().getDataLayout());
}

bool OperatorCode::is_tracked_value(llvm::Value* value) const {
  return is_tracked(value->getType(), runtime_.module().getDataLayout());
}

llvm::Value* OperatorCode::shadow(llvm::Value* value) { return shadows_(value).front(); }

OperatorCode::Operand OperatorCode::operand(llvm::Value* value) { return {shadow(value), bits_of(builder_, value)}; }

OperatorCode::Operand OperatorCode::constant(std::uint64_t value) {
  return {runtime_.word(0), builder_.getInt64(value)};
}

llvm::Value* OperatorCode::unary(Op op, std::uint32_t width, std::uint32_t parameter, llvm::Value* a) {
  if (is_zero(a)) return a;
  return runtime_.call(
      builder_, RuntimeFunction::Unary,
      {runtime_.word(static_cast<std::uint32_t>(op)), runtime_.word(width), runtime_.word(parameter), a});
}

llvm::Value* OperatorCode::binary(Op op, std::uint32_t width, Operand a, Operand b) {
  if (is_zero(a.shadow) && is_zero(b.shadow)) return a.shadow;
  return runtime_.call(builder_, RuntimeFunction::Binary,
                       {runtime_.word(static_cast<std::uint32_t>(op)), runtime_.word(width), runtime_.word(width),
                        a.shadow, a.value, b.shadow, b.value});
}

llvm::Value* OperatorCode::compare(Op op, std::uint32_t operand_width, Operand a, Operand b) {
  if (is_zero(a.shadow) && is_zero(b.shadow)) return a.shadow;
  return runtime_.call(builder_, RuntimeFunction::Binary,
                       {runtime_.word(static_cast<std::uint32_t>(op)), runtime_.word(1), runtime_.word(operand_width),
                        a.shadow, a.value, b.shadow, b.value});
}

llvm::Value* OperatorCode::resize(llvm::Value* shadow, std::uint32_t from, std::uint32_t to, bool is_signed) {
  if (from == to) return shadow;
  if (from > to) return unary(Op::Extract, to, 0, shadow);
  return unary(is_signed ? Op::SignExtend : Op::ZeroExtend, to, 0, shadow);
}

void OperatorCode::pin(std::uint32_t reason, std::uint32_t subject, llvm::Value* value) {
  const Operand pinned = operand(value);
  if (is_zero(pinned.shadow)) return;
  runtime_.when(
      builder_, RuntimeFunction::Pin,
      {runtime_.word(reason), runtime_.word(subject), runtime_.word(width(value)), pinned.shadow, pinned.value});
}

llvm::Value* OperatorCode::is_not_zero(llvm::Value* value) {
  if (width(value) == 1) return shadow(value);
  return unary(Op::Not, 1, 0, compare(Op::Eq, width(value), operand(value), constant(0)));
}

bool OperatorCode::handles(const llvm::Instruction& instruction) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) return branch->isConditional();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    if (callee == nullptr) return false;
    if (callee->isIntrinsic()) return !call->mayHaveSideEffects() && !call->mayReadFromMemory();
    const auto library = frontend::library_function(*callee);
    return library && library->form == frontend::LibraryFunction::Form::Math && llvm::isa<llvm::CallInst>(call);
  }
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::GetElementPtrInst, llvm::FreezeInst, llvm::ExtractValueInst, llvm::InsertValueInst,
                   llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::SwitchInst>(
      instruction);
}

bool OperatorCode::is_concrete(const llvm::Instruction& instruction) {
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction); cast != nullptr && converts_floats(*cast))
    return true;
  if (llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isFPOrFPVectorTy()) return true;
  return instruction.isTerminator() || is_opaque(instruction);
}

Shadows OperatorCode::emit(llvm::Instruction& instruction) {
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) return record(*branch), Shadows();
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) return record(*choice), Shadows();
  if (is_concrete(instruction)) return give_up(instruction);
  if (auto* i = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return {arithmetic(*i)};
  if (auto* i = llvm::dyn_cast<llvm::CastInst>(&instruction)) return {cast(*i)};
  if (auto* i = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return {integer_compare(*i)};
  if (auto* i = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) return {float_compare(*i)};
  if (auto* i = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return select(*i);
  if (auto* i = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return {address(*i)};
  if (llvm::isa<llvm::FreezeInst>(instruction)) return shadows_(instruction.getOperand(0));
  if (auto* i = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) return extract(*i);
  if (auto* i = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) return insert(*i);
  if (auto* i = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call(*i);
  INVARIANT(instruction.getOpcode() == llvm::Instruction::FNeg, "an instruction without effect should be known");
  const std::uint32_t w = width(&instruction);
  return {binary(Op::Xor, w, operand(instruction.getOperand(0)), constant(std::uint64_t{1} << (w - 1)))};
}

llvm::Value* OperatorCode::arithmetic(llvm::BinaryOperator& instruction) {
  return binary(op_of(instruction.getOpcode()), width(&instruction), operand(instruction.getOperand(0)),
                operand(instruction.getOperand(1)));
}

llvm::Value* OperatorCode::cast(llvm::CastInst& instruction) {
  llvm::Value* from = instruction.getOperand(0);
  if (instruction.getOpcode() == llvm::Instruction::FPExt)
    return float_operation(FloatOp::Convert, width(&instruction), operand(from), operand(from));
  const bool is_signed = instruction.getOpcode() == llvm::Instruction::SExt;
  return resize(shadow(from), width(from), width(&instruction), is_signed);
}

llvm::Value* OperatorCode::integer_compare(llvm::ICmpInst& instruction) {
  using Predicate = llvm::CmpInst::Predicate;
  const std::uint32_t w = width(instruction.getOperand(0));
  const Operand a = operand(instruction.getOperand(0));
  const Operand b = operand(instruction.getOperand(1));
  switch (instruction.getPredicate()) {
    case Predicate::ICMP_EQ:
      return compare(Op::Eq, w, a, b);
    case Predicate::ICMP_NE:
      return unary(Op::Not, 1, 0, compare(Op::Eq, w, a, b));
    case Predicate::ICMP_ULT:
      return compare(Op::Ult, w, a, b);
    case Predicate::ICMP_ULE:
      return compare(Op::Ule, w, a, b);
    case Predicate::ICMP_UGT:
      return compare(Op::Ult, w, b, a);
    case Predicate::ICMP_UGE:
      return compare(Op::Ule, w, b, a);
    case Predicate::ICMP_SLT:
      return compare(Op::Slt, w, a, b);
    case Predicate::ICMP_SLE:
      return compare(Op::Sle, w, a, b);
    case Predicate::ICMP_SGT:
      return compare(Op::Slt, w, b, a);
    default:
      return compare(Op::Sle, w, b, a);
  }
}

llvm::Value* OperatorCode::float_operation(FloatOp op, std::uint32_t width, Operand a, Operand b) {
  if (is_zero(a.shadow) && is_zero(b.shadow)) return a.shadow;
  return runtime_.call(
      builder_, RuntimeFunction::FloatOperation,
      {runtime_.word(static_cast<std::uint32_t>(op)), runtime_.word(width), a.shadow, a.value, b.shadow, b.value});
}

llvm::Value* OperatorCode::float_test(FloatOp op, llvm::Value* a, llvm::Value* b) {
  return float_operation(op, width(a), operand(a), operand(b));
}

llvm::Value* OperatorCode::float_compare(llvm::FCmpInst& instruction) {
  using Predicate = llvm::CmpInst::Predicate;
  llvm::Value* a = instruction.getOperand(0);
  llvm::Value* b = instruction.getOperand(1);
  if (a->getType()->isBFloatTy()) return give_up(instruction).front();
  const auto different = [&] {
    const Operand below{float_test(FloatOp::Less, a, b), bits_of(builder_, builder_.CreateFCmpOLT(a, b))};
    const Operand above{float_test(FloatOp::Less, b, a), bits_of(builder_, builder_.CreateFCmpOLT(b, a))};
    return binary(Op::Or, 1, below, above);
  };
  const auto negated = [&](llvm::Value* test) { return unary(Op::Not, 1, 0, test); };
  switch (instruction.getPredicate()) {
    case Predicate::FCMP_OEQ:
      return float_test(FloatOp::Equal, a, b);
    case Predicate::FCMP_OLT:
      return float_test(FloatOp::Less, a, b);
    case Predicate::FCMP_OLE:
      return float_test(FloatOp::LessEqual, a, b);
    case Predicate::FCMP_OGT:
      return float_test(FloatOp::Less, b, a);
    case Predicate::FCMP_OGE:
      return float_test(FloatOp::LessEqual, b, a);
    case Predicate::FCMP_ONE:
      return different();
    case Predicate::FCMP_ORD:
      return negated(float_test(FloatOp::Unordered, a, b));
    case Predicate::FCMP_UNO:
      return float_test(FloatOp::Unordered, a, b);
    case Predicate::FCMP_UEQ:
      return negated(different());
    case Predicate::FCMP_UGT:
      return negated(float_test(FloatOp::LessEqual, a, b));
    case Predicate::FCMP_UGE:
      return negated(float_test(FloatOp::Less, a, b));
    case Predicate::FCMP_ULT:
      return negated(float_test(FloatOp::LessEqual, b, a));
    case Predicate::FCMP_ULE:
      return negated(float_test(FloatOp::Less, b, a));
    case Predicate::FCMP_UNE:
      return negated(float_test(FloatOp::Equal, a, b));
    default:
      return runtime_.word(0);
  }
}

llvm::Value* OperatorCode::choose(std::uint32_t width, Operand condition, Operand a, Operand b) {
  if (is_zero(condition.shadow))
    return builder_.CreateSelect(builder_.CreateTrunc(condition.value, builder_.getInt1Ty()), a.shadow, b.shadow);
  return runtime_.select(
      builder_, {runtime_.word(width), condition.shadow, builder_.CreateTrunc(condition.value, builder_.getInt1Ty()),
                 a.shadow, a.value, b.shadow, b.value});
}

Shadows OperatorCode::select(llvm::SelectInst& instruction) {
  const Operand condition = operand(instruction.getCondition());
  if (is_tracked_value(&instruction))
    return {choose(width(&instruction), condition, operand(instruction.getTrueValue()),
                   operand(instruction.getFalseValue()))};
  pin(PLUMB_PIN_UNSUPPORTED, site_of(instruction), instruction.getCondition());
  const Shadows a = shadows_(instruction.getTrueValue());
  const Shadows b = shadows_(instruction.getFalseValue());
  Shadows made;
  for (std::size_t i = 0; i < a.size(); ++i)
    made.push_back(builder_.CreateSelect(instruction.getCondition(), a[i], b[i]));
  return made;
}

llvm::Value* OperatorCode::address(llvm::GetElementPtrInst& instruction) {
  const llvm::DataLayout& layout = runtime_.module().getDataLayout();
  const std::uint32_t w = width(&instruction);
  llvm::MapVector<llvm::Value*, llvm::APInt> indices;
  llvm::APInt offset(w, 0);
  if (!llvm::cast<llvm::GEPOperator>(instruction).collectOffset(layout, w, indices, offset))
    return give_up(instruction).front();
  llvm::Type* number = builder_.getIntNTy(w);
  llvm::Value* base = instruction.getPointerOperand();
  llvm::Value* sum = builder_.CreatePtrToInt(base, number);
  llvm::Value* made = shadow(base);
  for (const auto& [index, scale] : indices) {
    llvm::Value* value = builder_.CreateSExtOrTrunc(index, number);
    llvm::Value* term = resize(shadow(index), width(index), w, true);
    term = scale.isOne() ? term : binary(Op::Mul, w, {term, bits_of(builder_, value)}, constant(scale.getZExtValue()));
    value = builder_.CreateMul(value, llvm::ConstantInt::get(builder_.getContext(), scale));
    made = binary(Op::Add, w, {made, bits_of(builder_, sum)}, {term, bits_of(builder_, value)});
    sum = builder_.CreateAdd(sum, value);
  }
  if (offset.isZero()) return made;
  return binary(Op::Add, w, {made, bits_of(builder_, sum)}, constant(offset.getZExtValue()));
}

Shadows OperatorCode::extract(llvm::ExtractValueInst& instruction) {
  const llvm::DataLayout& layout = runtime_.module().getDataLayout();
  const Shadows all = shadows_(instruction.getAggregateOperand());
  const unsigned first = first_leaf(instruction.getAggregateOperand()->getType(), instruction.getIndices(), layout);
  const std::size_t count = leaves(instruction.getType(), layout).size();
  return Shadows(all.begin() + first, all.begin() + first + static_cast<std::ptrdiff_t>(count));
}

Shadows OperatorCode::insert(llvm::InsertValueInst& instruction) {
  const llvm::DataLayout& layout = runtime_.module().getDataLayout();
  Shadows all = shadows_(instruction.getAggregateOperand());
  const Shadows part = shadows_(instruction.getInsertedValueOperand());
  std::ranges::copy(part, all.begin() + first_leaf(instruction.getType(), instruction.getIndices(), layout));
  return all;
}

void OperatorCode::record(llvm::BranchInst& branch) {
  const Operand condition = operand(branch.getCondition());
  llvm::Value* edge = builder_.CreateZExt(builder_.CreateNot(branch.getCondition()), builder_.getInt32Ty());
  runtime_.when(builder_, RuntimeFunction::Branch, {runtime_.word(site_of(branch)), edge, condition.shadow});
}

void OperatorCode::record(llvm::SwitchInst& choice) {
  llvm::Value* edge = runtime_.word(0);
  for (const auto& each : choice.cases())
    edge = builder_.CreateSelect(builder_.CreateICmpEQ(choice.getCondition(), each.getCaseValue()),
                                 runtime_.word(each.getSuccessorIndex()), edge);
  runtime_.when(builder_, RuntimeFunction::Switch,
                {runtime_.word(site_of(choice)), edge, shadow(choice.getCondition())});
}

Shadows OperatorCode::give_up(llvm::Instruction& instruction) {
  const llvm::DataLayout& layout = runtime_.module().getDataLayout();
  const bool is_wide = is_opaque(instruction);
  bool is_float = instruction.getType()->isFPOrFPVectorTy();
  for (const llvm::Use& use : instruction.operands()) is_float |= use->getType()->isFPOrFPVectorTy();
  for (const llvm::Use& use : instruction.operands()) {
    if (!use->getType()->isSized() || llvm::isa<llvm::Constant>(use.get())) continue;
    if (!is_wide && is_tracked_value(use)) {
      pin(is_float ? PLUMB_PIN_FLOAT : PLUMB_PIN_UNSUPPORTED, site_of(instruction), use);
      continue;
    }
    for (llvm::Value* lost : shadows_(use))
      if (!is_zero(lost)) runtime_.lost(builder_, PLUMB_PIN_WIDE, site_of(instruction), lost);
  }
  return Shadows(leaves(instruction.getType(), layout).size(), runtime_.word(0));
}

}  // namespace plumb::instrument
