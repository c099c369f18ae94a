#include <fmt/format.h>

#include "frontend/canonicalise.h"
#include "frontend/lower/lower_constants.h"
#include "frontend/lower/lower_function.h"

namespace plumb::frontend {

using program::HaltReason;
namespace {

/// Made by clang, not by the source: va_arg asks where the argument lies, a compare-and-exchange whether to update the
/// expected value.
bool is_synthetic(const llvm::BranchInst& branch) {
  const auto has = [&](unsigned successor, llvm::StringRef prefix) {
    return branch.getSuccessor(successor)->getName().starts_with(prefix);
  };
  return (has(0, "vaarg.") && has(1, "vaarg.")) || (has(0, "cmpxchg.") && has(1, "cmpxchg."));
}

}  // namespace

void FunctionLowering::lower_instruction(const llvm::Instruction& instruction) {
  if (instruction.isTerminator()) {
    if (lower_terminator(instruction)) return;
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return lower_call(*call);
  } else if (lower_memory(instruction) || lower_computation(instruction) || lower_vector(instruction)) {
    return;
  }
  if (instruction.isEHPad() || llvm::isa<llvm::ResumeInst, llvm::CatchReturnInst, llvm::CleanupReturnInst>(instruction))
    throw Unlowerable{fmt::format("C++ exceptions ({})", instruction.getOpcodeName())};
  throw Unlowerable{fmt::format("instruction '{}'", instruction.getOpcodeName())};
}

bool FunctionLowering::lower_computation(const llvm::Instruction& instruction) {
  Parts made;
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    made = this->binary(*binary);
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    made = this->cast(*cast);
  } else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    made = this->compare(compare->getPredicate(), *compare->getOperand(0), *compare->getOperand(1));
  } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    made = this->select(*select);
  } else if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    made = extract_value(*extract);
  } else if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    made = insert_value(*insert);
  } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
    made = parts(*instruction.getOperand(0));
    if (llvm::StringRef name = instruction.getName(); name.consume_back(kUnsetSuffix) && made.size() == 1)
      builder_.set_name(made[0], name.str());
  } else if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    for (const ValueId v : parts(*instruction.getOperand(0)))
      made.push_back(builder_.op(term::Op::Xor, {v, builder_.constant(BitVector::min_signed(builder_.width(v)))}));
  } else {
    return false;
  }
  define(instruction, made);
  return true;
}

FunctionBuilder::Target FunctionLowering::target(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  FunctionBuilder::Target made{blocks_.at(&to), {}};
  // The phi nodes of a block list its predecessors in the same order as a rule.
  int index = -1;
  for (const llvm::PHINode& phi : to.phis()) {
    if (index < 0 || index >= static_cast<int>(phi.getNumIncomingValues()) ||
        phi.getIncomingBlock(static_cast<unsigned>(index)) != &from)
      index = phi.getBasicBlockIndex(&from);
    const Parts incoming = parts(*phi.getIncomingValue(static_cast<unsigned>(index)));
    made.arguments.insert(made.arguments.end(), incoming.begin(), incoming.end());
  }
  reached_.push_back(&to);
  return made;
}

bool FunctionLowering::lower_terminator(const llvm::Instruction& instruction) {
  const llvm::BasicBlock& here = *instruction.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    lower_branch(*branch);
  } else if (const auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    const Parts values = result->getReturnValue() == nullptr ? Parts{} : parts(*result->getReturnValue());
    if (is_atomic_section()) mark(Intrinsic::AtomicEnd);
    builder_.return_values(values);
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    lower_switch(*choice);
  } else if (llvm::isa<llvm::UnreachableInst>(instruction)) {
    builder_.halt(HaltReason::Unreachable);
  } else if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction)) {
    lower_call(*invoke);
    if (!builder_.is_terminated()) builder_.jump(target(here, *invoke->getNormalDest()));
  } else if (const auto* indirect = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) {
    lower_indirect_branch(*indirect);
  } else {
    return false;
  }
  return true;
}

void FunctionLowering::lower_branch(const llvm::BranchInst& branch) {
  const llvm::BasicBlock& here = *branch.getParent();
  if (branch.isUnconditional()) return builder_.jump(target(here, *branch.getSuccessor(0)));
  const ValueId condition = scalar(*branch.getCondition());
  auto if_true = target(here, *branch.getSuccessor(0));
  auto if_false = target(here, *branch.getSuccessor(1));
  const std::uint16_t flags = is_synthetic(branch) ? kSynthetic : 0;
  builder_.branch(condition, std::move(if_true), std::move(if_false), flags);
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& instruction) {
  const llvm::BasicBlock& here = *instruction.getParent();
  const ValueId value = scalar(*instruction.getCondition());
  std::vector<ValueId> cases;
  std::vector<FunctionBuilder::Target> targets;
  for (const auto& one : instruction.cases()) {
    cases.push_back(builder_.constant(to_bit_vector(one.getCaseValue()->getValue())));
    targets.push_back(target(here, *one.getCaseSuccessor()));
  }
  builder_.switch_on(value, cases, targets, target(here, *instruction.getDefaultDest()));
}

void FunctionLowering::lower_indirect_branch(const llvm::IndirectBrInst& instruction) {
  const llvm::BasicBlock& here = *instruction.getParent();
  const ValueId value = scalar(*instruction.getAddress());
  std::vector<ValueId> cases;
  std::vector<FunctionBuilder::Target> targets;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  for (unsigned i = 0; i < instruction.getNumDestinations(); ++i) {
    const llvm::BasicBlock& destination = *instruction.getDestination(i);
    if (!seen.insert(&destination).second) continue;
    cases.push_back(pointer_sized(module_.block_number(destination)));
    targets.push_back(target(here, destination));
  }
  const BlockId elsewhere = builder_.add_block();
  builder_.switch_on(value, cases, targets, {elsewhere, {}});
  builder_.select(elsewhere);
  builder_.halt(HaltReason::Unreachable);
}

}  // namespace plumb::frontend
