#include "frontend/lower/operators.h"

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace plumb::frontend {

std::optional<term::Op> integer_operator(unsigned opcode) {
  using term::Op;
  switch (opcode) {
    case llvm::Instruction::Add:
      return Op::Add;
    case llvm::Instruction::Sub:
      return Op::Sub;
    case llvm::Instruction::Mul:
      return Op::Mul;
    case llvm::Instruction::UDiv:
      return Op::Udiv;
    case llvm::Instruction::URem:
      return Op::Urem;
    case llvm::Instruction::SDiv:
      return Op::Sdiv;
    case llvm::Instruction::SRem:
      return Op::Srem;
    case llvm::Instruction::Shl:
      return Op::Shl;
    case llvm::Instruction::LShr:
      return Op::Lshr;
    case llvm::Instruction::AShr:
      return Op::Ashr;
    case llvm::Instruction::And:
      return Op::And;
    case llvm::Instruction::Or:
      return Op::Or;
    case llvm::Instruction::Xor:
      return Op::Xor;
    default:
      return std::nullopt;
  }
}

bool is_ignored_intrinsic(unsigned id) {
  switch (id) {
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::clear_cache:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::pseudoprobe:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::x86_avx_vzeroall:
    case llvm::Intrinsic::x86_avx_vzeroupper:
      return true;
    default:
      return false;
  }
}

}  // namespace plumb::frontend
