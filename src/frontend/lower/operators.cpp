#include "frontend/lower/operators.h"

#include <llvm/IR/Instruction.h>

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

}  // namespace plumb::frontend
