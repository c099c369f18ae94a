#include "instrument/entry_main.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>

#include "base/error.h"
#include "instrument/build.h"

namespace plumb::instrument {
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

std::vector<llvm::Value*> inputs(llvm::IRBuilder<>& builder, llvm::Function& called) {
  llvm::Module& module = *called.getParent();
  llvm::Type* pointer = builder.getPtrTy();
  std::vector<llvm::Value*> arguments;
  const llvm::FunctionCallee make_symbolic =
      module.getOrInsertFunction("plumb_symbolic", builder.getVoidTy(), pointer,
                                 module.getDataLayout().getIntPtrType(module.getContext()), pointer);
  for (const llvm::Argument& parameter : called.args()) arguments.push_back(input(builder, make_symbolic, parameter));
  return arguments;
}

llvm::Function* make_starter(llvm::Module& module, const char* name) {
  llvm::Type* integer = llvm::Type::getInt32Ty(module.getContext());
  llvm::Function* starter =
      llvm::Function::Create(llvm::FunctionType::get(integer, false), llvm::GlobalValue::ExternalLinkage, name, module);
  llvm::BasicBlock::Create(module.getContext(), "entry", starter);
  return starter;
}

/// As a program is started without arguments.
std::vector<llvm::Value*> arguments_of_main(llvm::IRBuilder<>& builder, llvm::Function& main) {
  llvm::Module& module = *main.getParent();
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Constant* name = builder.CreateGlobalString("main", "plumb.name", 0, &module);
  llvm::ArrayType* type = llvm::ArrayType::get(pointer, 2);
  llvm::Constant* content = llvm::ConstantArray::get(type, {name, llvm::Constant::getNullValue(pointer)});
  auto* vector =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, content, "plumb.argv");
  std::vector<llvm::Value*> arguments;
  for (const llvm::Argument& parameter : main.args()) {
    llvm::Type* wanted = parameter.getType();
    if (wanted->isIntegerTy() && arguments.empty()) {
      arguments.push_back(llvm::ConstantInt::get(wanted, 1));
    } else if (wanted->isPointerTy() && arguments.size() == 1) {
      arguments.push_back(vector);
    } else {
      arguments.push_back(llvm::Constant::getNullValue(wanted));
    }
  }
  return arguments;
}

llvm::Function* make_bare_entry(llvm::Module& module, llvm::Function& called) {
  const bool is_main = called.getName() == "main";
  if (is_main && called.arg_empty() && called.getReturnType()->isIntegerTy(32)) {
    called.setName(kBareEntry);
    return &called;
  }
  if (is_main) called.setName("plumb.main");
  llvm::Function* starter = make_starter(module, kBareEntry);
  llvm::IRBuilder<> builder(&starter->getEntryBlock());
  llvm::Value* result =
      builder.CreateCall(&called, is_main ? arguments_of_main(builder, called) : inputs(builder, called));
  builder.CreateRet(is_main && result->getType()->isIntegerTy(32) ? result : builder.getInt32(0));
  return starter;
}

}  // namespace

llvm::Function* make_entry_main(llvm::Module& module, const std::string& entry) {
  llvm::Function* called = module.getFunction(entry);
  INVARIANT(called != nullptr && !called->isDeclaration(), "the entry should be a function of the program");
  if (is_for_bare_metal(module)) return make_bare_entry(module, *called);
  if (entry == "main") return called;
  if (llvm::Function* main = module.getFunction("main")) main->setName("plumb.main");
  llvm::Function* main = make_starter(module, "main");
  llvm::IRBuilder<> builder(&main->getEntryBlock());
  builder.CreateCall(called, inputs(builder, *called));
  builder.CreateRet(builder.getInt32(0));
  return main;
}

}  // namespace plumb::instrument
