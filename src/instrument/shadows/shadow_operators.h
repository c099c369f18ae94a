#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>
#include <functional>

#include "instrument/shadows/shadow_runtime.h"
#include "program/float_op.h"
#include "term/op.h"

namespace plumb::instrument {

/// The shadows of a value's leaves (shadow_types.h), i32 each.
using Shadows = llvm::SmallVector<llvm::Value*, 1>;

/// What an instruction without effect on memory needs where some operand is symbolic: calls of the runtime in a row,
/// without branches. Operands whose shadow is 0 may stand beside symbolic ones.
class OperatorCode {
 public:
  using Lookup = std::function<Shadows(llvm::Value*)>;
  /// `shadows` gives those of operands.
  OperatorCode(llvm::IRBuilder<>& builder, ShadowRuntime& runtime, Lookup shadows);

  /// Has a shadow that depends on those of its operands alone, or tells the runtime about them: everything but memory,
  /// calls of functions, phi nodes and returns. Branches and switches are among them: they record what they decide.
  static bool handles(const llvm::Instruction& instruction);
  /// Its result is concrete whatever its operands are, which are pinned or counted then.
  static bool is_concrete(const llvm::Instruction& instruction);
  /// The shadows of the result, by leaf.
  Shadows emit(llvm::Instruction& instruction);

  // Building blocks. A value beside a shadow is zero-extended to 64 bits.
  llvm::Value* unary(term::Op op, std::uint32_t width, std::uint32_t parameter, llvm::Value* a);
  struct Operand {
    llvm::Value* shadow;
    llvm::Value* value;
  };
  llvm::Value* binary(term::Op op, std::uint32_t width, Operand a, Operand b);
  llvm::Value* compare(term::Op op, std::uint32_t operand_width, Operand a, Operand b);
  /// To another width, as an unsigned or signed number.
  llvm::Value* resize(llvm::Value* shadow, std::uint32_t from, std::uint32_t to, bool is_signed);
  Operand operand(llvm::Value* value);
  Operand constant(std::uint64_t value);
  void pin(std::uint32_t reason, std::uint32_t subject, llvm::Value* value);
  /// "It is not 0", of any tracked value.
  llvm::Value* is_not_zero(llvm::Value* value);

 private:
  llvm::Value* shadow(llvm::Value* value);
  llvm::Value* arithmetic(llvm::BinaryOperator& instruction);
  llvm::Value* cast(llvm::CastInst& instruction);
  llvm::Value* integer_compare(llvm::ICmpInst& instruction);
  llvm::Value* float_compare(llvm::FCmpInst& instruction);
  /// In the format of `width` bits.
  llvm::Value* float_operation(program::FloatOp op, std::uint32_t width, Operand a, Operand b);
  llvm::Value* float_test(program::FloatOp op, llvm::Value* a, llvm::Value* b);
  Shadows select(llvm::SelectInst& instruction);
  llvm::Value* address(llvm::GetElementPtrInst& instruction);
  Shadows extract(llvm::ExtractValueInst& instruction);
  Shadows insert(llvm::InsertValueInst& instruction);
  void record(llvm::BranchInst& branch);
  void record(llvm::SwitchInst& choice);
  /// Counts or pins all symbolic operands; the result is concrete.
  Shadows give_up(llvm::Instruction& instruction);

  Shadows call(llvm::CallBase& call);
  Shadows intrinsic(llvm::CallBase& call, llvm::Intrinsic::ID id);
  llvm::Value* choose(std::uint32_t width, Operand condition, Operand a, Operand b);
  llvm::Value* extreme(llvm::CallBase& call, llvm::Intrinsic::ID id);
  llvm::Value* absolute(llvm::CallBase& call);
  llvm::Value* funnel_shift(llvm::CallBase& call, bool is_left);
  llvm::Value* reverse(llvm::CallBase& call, std::uint32_t piece);
  llvm::Value* population(llvm::Value* shadow);
  llvm::Value* count_bits(llvm::CallBase& call, llvm::Intrinsic::ID id);
  Shadows overflow(llvm::CallBase& call, llvm::Intrinsic::ID id);
  llvm::Value* saturate(llvm::CallBase& call, llvm::Intrinsic::ID id);
  llvm::Value* copy_sign(llvm::Value* magnitude, llvm::Value* sign);
  llvm::Value* float_class(llvm::CallBase& call);
  std::uint32_t width(llvm::Value* value) const;
  bool is_tracked_value(llvm::Value* value) const;

  llvm::IRBuilder<>& builder_;
  ShadowRuntime& runtime_;
  Lookup shadows_;
};

}  // namespace plumb::instrument
