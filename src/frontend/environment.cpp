#include "frontend/environment.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "frontend/lower/lowering.h"

namespace plumb::frontend {
namespace {

constexpr unsigned kEnvironmentParameter = 2;

bool is_of_user(const llvm::Function& function) { return !function.hasFnAttribute(kModelAttribute); }

bool gets_environment(const llvm::Function& function) {
  return function.getName() == "main" && function.arg_size() > kEnvironmentParameter &&
         is_read(*function.getArg(kEnvironmentParameter));
}

}  // namespace

bool is_read(const llvm::Argument& parameter) {
  return llvm::any_of(parameter.users(), [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr || !llvm::isa<llvm::AllocaInst>(store->getPointerOperand())) return true;
    return llvm::any_of(store->getPointerOperand()->users(), [&](const llvm::User* other) { return other != store; });
  });
}

std::vector<llvm::Instruction*> uses_of_environment(llvm::Module& module, std::string_view entry) {
  std::vector<llvm::Instruction*> uses;
  llvm::Function* start = module.getFunction(entry);
  bool is_anywhere = start != nullptr && !start->isDeclaration() && gets_environment(*start);
  for (const char* name : {"environ", "__environ", "_environ"}) {
    const llvm::GlobalVariable* variable = module.getNamedGlobal(name);
    if (variable == nullptr) continue;
    for (const llvm::User* user : variable->users()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(const_cast<llvm::User*>(user));
      if (instruction == nullptr || llvm::isa<llvm::PHINode>(instruction)) {
        is_anywhere = true;
      } else if (is_of_user(*instruction->getFunction()) && !llvm::is_contained(uses, instruction)) {
        uses.push_back(instruction);
      }
    }
  }
  if (is_anywhere && start != nullptr && !start->isDeclaration())
    uses.push_back(&*start->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return uses;
}

void mark_environment(llvm::Module& module, std::string_view entry) {
  const std::vector<llvm::Instruction*> uses = uses_of_environment(module, entry);
  if (uses.empty()) return;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::FunctionType* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  const llvm::FunctionCallee gap = module.getOrInsertFunction("plumb_host_gap", type);
  for (llvm::Instruction* use : uses) {
    builder.SetInsertPoint(use);
    if (const llvm::DISubprogram* function = use->getFunction()->getSubprogram();
        function != nullptr && !use->getDebugLoc())
      builder.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), function->getLine(), 0,
                                                            const_cast<llvm::DISubprogram*>(function)));
    builder.CreateCall(gap, {builder.CreateGlobalString(kEnvironment)});
  }
}

}  // namespace plumb::frontend
