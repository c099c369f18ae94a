#include "concolic/instrument/entry_main.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>

#include "base/error.h"

namespace plumb::concolic {
namespace {

llvm::Value* input(llvm::IRBuilder<>& builder, llvm::FunctionCallee make_symbolic, const llvm::Argument& parameter) {
  if (parameter.hasByValAttr() || parameter.hasStructRetAttr())
    throw Unsupported(fmt::format("'{}' takes or gives a structure in memory, so it cannot be an entry",
                                  parameter.getParent()->getName().str()),
                      "write a main that calls it");
  llvm::Type* type = parameter.getType();
  llvm::Value* room = builder.CreateAlloca(type, nullptr, parameter.getName());
  const llvm::DataLayout& layout = parameter.getParent()->getParent()->getDataLayout();
  llvm::Type* size_type = layout.getIntPtrType(builder.getContext());
  builder.CreateCall(make_symbolic, {room, llvm::ConstantInt::get(size_type, layout.getTypeStoreSize(type)),
                                     builder.CreateGlobalStringPtr(parameter.getName())});
  return builder.CreateLoad(type, room);
}

}  // namespace

llvm::Function* make_entry_main(llvm::Module& module, const std::string& entry) {
  llvm::Function* called = module.getFunction(entry);
  INVARIANT(called != nullptr && !called->isDeclaration(), "the entry should be a function of the program");
  if (entry == "main") return called;
  if (llvm::Function* main = module.getFunction("main")) main->setName("plumb.main");
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* integer = llvm::Type::getInt32Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Function* main = llvm::Function::Create(llvm::FunctionType::get(integer, false),
                                                llvm::GlobalValue::ExternalLinkage, "main", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", main));
  const llvm::FunctionCallee make_symbolic = module.getOrInsertFunction(
      "plumb_symbolic", builder.getVoidTy(), pointer, module.getDataLayout().getIntPtrType(context), pointer);
  std::vector<llvm::Value*> arguments;
  for (const llvm::Argument& parameter : called->args()) arguments.push_back(input(builder, make_symbolic, parameter));
  builder.CreateCall(called, arguments);
  builder.CreateRet(builder.getInt32(0));
  return main;
}

}  // namespace plumb::concolic
