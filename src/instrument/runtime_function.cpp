#include "instrument/runtime_function.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DerivedTypes.h>

#include <string>

#include "base/error.h"

namespace plumb::instrument {
namespace {

llvm::Type* letter_type(const llvm::Module& module, char letter) {
  llvm::LLVMContext& context = module.getContext();
  switch (letter) {
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'p':
      return llvm::PointerType::get(context, 0);
    case 'z':
      return module.getDataLayout().getIntPtrType(context);
    default:
      return llvm::Type::getVoidTy(context);
  }
}

}  // namespace

llvm::Function* runtime_function(llvm::Module& module, const char* name, std::string_view signature) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const char letter : signature.substr(1)) types.push_back(letter_type(module, letter));
  llvm::FunctionType* type = llvm::FunctionType::get(letter_type(module, signature.front()), types, false);
  auto* made = llvm::dyn_cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  if (made == nullptr || !made->isDeclaration() || made->getFunctionType() != type)
    throw Unsupported(std::string("the program has a function of its own named ") + name,
                      "names that begin with __plumb_ belong to the runtime");
  made->setDoesNotThrow();
  return made;
}

}  // namespace plumb::instrument
