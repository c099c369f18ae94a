// Operators whose operands must not have every value.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "instrument/checks/check_function.h"
#include "instrument/checks/check_marks.h"
#include "instrument/code_builder.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"

namespace plumb::instrument {

using program::Check;

namespace {

llvm::Intrinsic::ID overflow_intrinsic(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
      return llvm::Intrinsic::sadd_with_overflow;
    case llvm::Instruction::Sub:
      return llvm::Intrinsic::ssub_with_overflow;
    default:
      return llvm::Intrinsic::smul_with_overflow;
  }
}

}  // namespace

void FunctionChecks::tell_value(llvm::Value* is_bad, std::uint32_t defect, llvm::Value* a, llvm::Value* b,
                                llvm::Instruction& position) {
  CodeBuilder code(*rarely(is_bad, position));
  const auto number = [&](llvm::Value* value) { return code.CreateSExtOrTrunc(value, code.getInt64Ty()); };
  runtime_.call(code, CheckFunction::BadValue,
                {runtime_.word(site_of(position)), runtime_.word(defect), number(a), number(b)});
}

void FunctionChecks::check_operator(llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntegerTy() || site_of(instruction) == 0) return;
  if (instruction.isIntDivRem()) return check_division(instruction);
  if (!is_marked_operator(instruction)) return;
  if (!instruction.isShift()) return check_overflow(instruction);
  llvm::Value* amount = instruction.getOperand(1);
  CodeBuilder builder(instruction);
  llvm::Value* width = llvm::ConstantInt::get(amount->getType(), amount->getType()->getIntegerBitWidth());
  tell_value(builder.CreateICmpUGE(amount, width), PLUMB_DEFECT_SHIFT, instruction.getOperand(0), amount, instruction);
}

void FunctionChecks::check_overflow(llvm::Instruction& instruction) {
  llvm::Value* a = instruction.getOperand(0);
  llvm::Value* b = instruction.getOperand(1);
  CodeBuilder builder(instruction);
  llvm::Value* both = builder.CreateBinaryIntrinsic(overflow_intrinsic(instruction.getOpcode()), a, b);
  tell_value(builder.CreateExtractValue(both, 1), PLUMB_DEFECT_OVERFLOW, a, b, instruction);
}

void FunctionChecks::check_division(llvm::Instruction& instruction) {
  llvm::Value* a = instruction.getOperand(0);
  llvm::Value* b = instruction.getOperand(1);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(b);
  if (checks_.has(Check::Division) && (constant == nullptr || constant->isZero())) {
    CodeBuilder builder(instruction);
    llvm::Value* is_bad = builder.CreateIsNull(b);
    if (runtime_.build() == CheckedBuild::Replay) {
      tell_value(is_bad, PLUMB_DEFECT_DIVISION, a, b, instruction);  // the machine's trap follows
    } else {
      CodeBuilder code(*rarely(is_bad, instruction));
      runtime_.call(code, CheckFunction::Error,
                    {runtime_.word(PLUMB_ERROR_DIVISION), runtime_.word(site_of(instruction))});
    }
  }
  const bool is_signed =
      instruction.getOpcode() == llvm::Instruction::SDiv || instruction.getOpcode() == llvm::Instruction::SRem;
  if (!checks_.has(Check::Overflow) || !is_signed || (constant != nullptr && !constant->isMinusOne())) return;
  CodeBuilder builder(instruction);
  llvm::Type* type = a->getType();
  llvm::Value* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
  llvm::Value* is_bad =
      builder.CreateAnd(builder.CreateICmpEQ(a, least), builder.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type)));
  tell_value(is_bad, PLUMB_DEFECT_OVERFLOW, a, b, instruction);
}

}  // namespace plumb::instrument
