#include "instrument/bare_metal.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

#include "instrument/code_builder.h"
#include "runtime/concolic/protocol.h"

namespace plumb::instrument {
namespace {

/// In the order that they run in.
std::vector<llvm::Function*> take_constructors(llvm::Module& module) {
  struct Constructor {
    std::uint64_t priority;
    llvm::Function* function;
  };
  std::vector<Constructor> found;
  llvm::GlobalVariable* table = module.getNamedGlobal("llvm.global_ctors");
  if (table == nullptr) return {};
  if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(table->getInitializer()))
    for (const llvm::Use& entry : entries->operands()) {
      const auto* pair = llvm::cast<llvm::ConstantStruct>(entry.get());
      if (auto* function = llvm::dyn_cast<llvm::Function>(pair->getOperand(1)->stripPointerCasts()))
        found.push_back({llvm::cast<llvm::ConstantInt>(pair->getOperand(0))->getZExtValue(), function});
    }
  table->eraseFromParent();
  std::ranges::stable_sort(found, {}, &Constructor::priority);
  std::vector<llvm::Function*> functions;
  for (const Constructor& each : found) functions.push_back(each.function);
  return functions;
}

void call_constructors(llvm::Module& module, llvm::Function& entry) {
  const std::vector<llvm::Function*> constructors = take_constructors(module);
  if (constructors.empty()) return;
  CodeBuilder builder(*entry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (llvm::Function* constructor : constructors) builder.CreateCall(constructor);
}

void replace_exits(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionType* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::Type::getInt32Ty(context)}, false);
  for (const char* name : {"exit", "_exit", "_Exit", "quick_exit"}) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr || !function->isDeclaration() || function->use_empty()) continue;
    auto* made = llvm::cast<llvm::Function>(module.getOrInsertFunction("__plumb_exit", type).getCallee());
    made->setDoesNotReturn();
    function->replaceAllUsesWith(made);
  }
}

/// Functions that register something for the end do nothing but say so.
void ignore_handlers(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  for (const char* name : {"atexit", "at_quick_exit", "on_exit", "__cxa_atexit", "__aeabi_atexit"}) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr || !function->isDeclaration() || function->use_empty()) continue;
    llvm::Function* made = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                                  std::string("plumb.") + name, module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", made));
    builder.CreateCall(module.getOrInsertFunction("__plumb_lost", builder.getVoidTy(), word, word),
                       {builder.getInt32(PLUMB_PIN_UNSUPPORTED), builder.getInt32(0)});
    if (made->getReturnType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(llvm::Constant::getNullValue(made->getReturnType()));
    }
    function->replaceAllUsesWith(made);
  }
}

void make_variables_plain(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.isThreadLocal()) continue;
    std::vector<llvm::IntrinsicInst*> addresses;
    for (llvm::User* user : variable.users())
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
          call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
        addresses.push_back(call);
    for (llvm::IntrinsicInst* address : addresses) {
      address->replaceAllUsesWith(&variable);
      address->eraseFromParent();
    }
    variable.setThreadLocalMode(llvm::GlobalValue::NotThreadLocal);
  }
}

bool is_restored(const llvm::GlobalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  return !variable.isConstant() && variable.hasInitializer() && !variable.hasAvailableExternallyLinkage() &&
         !name.starts_with("llvm.") && !name.starts_with("__plumb_");
}

void add_images(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::PointerType* pointer = llvm::PointerType::get(context, 0);
  llvm::IntegerType* size_type = module.getDataLayout().getIntPtrType(context);
  llvm::IntegerType* word = llvm::Type::getInt32Ty(context);
  llvm::StructType* entry = llvm::StructType::get(pointer, pointer, size_type);
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (is_restored(variable)) variables.push_back(&variable);
  std::vector<llvm::Constant*> entries;
  for (llvm::GlobalVariable* variable : variables) {
    llvm::Constant* content = variable->getInitializer();
    llvm::Constant* image = llvm::ConstantPointerNull::get(pointer);
    if (!content->isNullValue() && !llvm::isa<llvm::UndefValue>(content))
      image = new llvm::GlobalVariable(module, content->getType(), true, llvm::GlobalValue::PrivateLinkage, content,
                                       "plumb.image");
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(content->getType()).getFixedValue();
    entries.push_back(llvm::ConstantStruct::get(entry, variable, image, llvm::ConstantInt::get(size_type, size)));
  }
  const auto define = [&](const char* name, llvm::Constant* content) {
    auto* made = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, content->getType()));
    made->setInitializer(content);
    made->setConstant(true);
  };
  define("__plumb_images", llvm::ConstantArray::get(llvm::ArrayType::get(entry, entries.size()), entries));
  define("__plumb_image_count", llvm::ConstantInt::get(word, entries.size()));
}

}  // namespace

void prepare_for_bare_metal(PreparedModule& prepared) {
  llvm::Module& module = *prepared.module;
  call_constructors(module, *prepared.entry);
  replace_exits(module);
  ignore_handlers(module);
  make_variables_plain(module);
  add_images(module);
}

}  // namespace plumb::instrument
