#include "instrument/checks/check_marks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/lower/lowering.h"

namespace plumb::instrument {
namespace {

using program::Check;
using program::CheckSet;

constexpr const char* kIndexMetadata = "plumb.index";        // !{i64 operand, i64 limit, …}
constexpr const char* kOperatorMetadata = "plumb.operator";  // !{}

void mark_indices(llvm::GetElementPtrInst& address) {
  const auto checked = frontend::checked_indices(address);
  if (checked.empty()) return;
  llvm::LLVMContext& context = address.getContext();
  llvm::SmallVector<llvm::Metadata*, 4> words;
  const auto add = [&](std::uint64_t number) {
    words.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), number)));
  };
  for (const frontend::CheckedIndex& each : checked) {
    add(each.operand);
    add(each.limit);
  }
  address.setMetadata(kIndexMetadata, llvm::MDNode::get(context, words));
}

std::uint64_t number(const llvm::MDNode& node, unsigned index) {
  return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(index))->getZExtValue();
}

bool is_checked_operator(const llvm::Instruction& instruction, CheckSet checks) {
  if (instruction.isShift()) return checks.has(Check::Shift);
  const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);
  return operation != nullptr && operation->hasNoSignedWrap() && checks.has(Check::Overflow);
}

}  // namespace

void mark_checked(llvm::Module& module, CheckSet checks, bool has_source_types) {
  const bool marks_indices = checks.has(Check::Bounds) && has_source_types;
  for (llvm::Function& function : module) {
    // As for the Program: the arithmetic of models is not the user's.
    const bool is_model = function.hasFnAttribute(frontend::kModelAttribute);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address != nullptr && marks_indices)
        mark_indices(*address);
      if (!is_model && is_checked_operator(instruction, checks))
        instruction.setMetadata(kOperatorMetadata, llvm::MDNode::get(module.getContext(), {}));
    }
  }
}

llvm::SmallVector<frontend::CheckedIndex, 2> marked_indices(const llvm::GEPOperator& address) {
  llvm::SmallVector<frontend::CheckedIndex, 2> found;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&address);
  const llvm::MDNode* node = instruction != nullptr ? instruction->getMetadata(kIndexMetadata) : nullptr;
  for (unsigned i = 0; node != nullptr && i + 1 < node->getNumOperands(); i += 2)
    found.push_back({static_cast<unsigned>(number(*node, i)), number(*node, i + 1)});
  return found;
}

void unmark_indices(llvm::GetElementPtrInst& address) { address.setMetadata(kIndexMetadata, nullptr); }

bool is_marked_operator(const llvm::Instruction& instruction) { return instruction.hasMetadata(kOperatorMetadata); }

bool has_access_checks(CheckSet checks) {
  return checks.has(Check::Bounds) || checks.has(Check::Null) || checks.has(Check::UseAfterFree) ||
         checks.has(Check::UseAfterReturn);
}

}  // namespace plumb::instrument
