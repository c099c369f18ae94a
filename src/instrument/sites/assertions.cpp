#include "instrument/sites/assertions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "instrument/code_builder.h"

namespace plumb::instrument {
namespace {

constexpr const char* kFail = "__assert_fail";

bool has_shape(const llvm::CallBase& call, unsigned arguments) {
  if (!llvm::isa<llvm::CallInst>(call) || call.arg_size() != arguments) return false;
  for (unsigned i = 0; i < arguments; ++i)
    if (i == 1 ? !call.getArgOperand(i)->getType()->isIntegerTy() : !call.getArgOperand(i)->getType()->isPointerTy())
      return false;
  return true;
}

void replace_call(llvm::CallBase& call, llvm::Value* text, llvm::Value* function) {
  CodeBuilder builder(call);
  llvm::Module& module = *call.getModule();
  llvm::Type* pointer = builder.getPtrTy();
  const llvm::FunctionCallee fail = module.getOrInsertFunction(
      kFail, llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt32Ty(), pointer}, false));
  llvm::Value* line = builder.CreateZExtOrTrunc(call.getArgOperand(1), builder.getInt32Ty());
  llvm::CallInst* made = builder.CreateCall(fail, {text, call.getArgOperand(0), line, function});
  made->setDoesNotReturn();
  made->setDebugLoc(call.getDebugLoc());
  if (!call.use_empty()) call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

}  // namespace

void unify_assertions(llvm::Module& module) {
  for (const char* name : {"__assert_func", "__assert"}) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr || !function->isDeclaration()) continue;
    const unsigned arguments = llvm::StringRef(name) == "__assert_func" ? 4 : 3;
    std::vector<llvm::CallBase*> calls;
    for (llvm::User* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
          call != nullptr && call->getCalledOperand() == function && has_shape(*call, arguments))
        calls.push_back(call);
    for (llvm::CallBase* call : calls) {
      llvm::Value* text = call->getArgOperand(arguments - 1);
      llvm::Value* place = arguments == 4
                               ? call->getArgOperand(2)
                               : llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), 0));
      replace_call(*call, text, place);
    }
  }
}

}  // namespace plumb::instrument
