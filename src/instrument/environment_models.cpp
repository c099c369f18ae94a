// How the models of runtime/environment take the place of library functions. A model of NAME is called
// __plumb_env_NAME and calls NAME itself for the real work. All uses of NAME so far, those in tables of functions
// included, become uses of the model; then the models that are used now are linked, and their own uses of NAME stay.
#include "instrument/environment_models.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/MemoryBuffer.h>

#include "base/embed.h"
#include "base/error.h"
#include "frontend/lower/lowering.h"
#include "frontend/models.h"

PLUMB_EMBED(plumb_environment_32, PLUMB_ENVIRONMENT_32);
PLUMB_EMBED(plumb_environment_64, PLUMB_ENVIRONMENT_64);

namespace plumb::instrument {
namespace {

constexpr llvm::StringRef kPrefix = "__plumb_env_";

std::unique_ptr<llvm::Module> environment_module(std::uint32_t word_size, llvm::LLVMContext& context) {
  const llvm::StringRef bitcode =
      word_size == 32 ? llvm::StringRef(plumb_environment_32,
                                        static_cast<std::size_t>(plumb_environment_32_end - plumb_environment_32))
                      : llvm::StringRef(plumb_environment_64,
                                        static_cast<std::size_t>(plumb_environment_64_end - plumb_environment_64));
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "environment"), context,
                                           /*ShouldLazyLoadMetadata=*/true);
  INVARIANT(static_cast<bool>(module), "the embedded environment should be bitcode of this LLVM");
  for (llvm::Function& function : **module) {
    if (!function.isDeclaration()) {
      function.addFnAttr(frontend::kModelAttribute);
      function.addFnAttr(kPathOnlyAttribute);
    }
  }
  for (llvm::GlobalVariable& variable : (*module)->globals())
    if (!variable.isDeclaration()) variable.addAttribute(frontend::kModelAttribute);
  return std::move(*module);
}

void redirect_calls(llvm::Module& module, const llvm::Module& models) {
  for (const llvm::Function& model : models) {
    if (model.isDeclaration() || !model.getName().starts_with(kPrefix)) continue;
    llvm::Function* replaced = module.getFunction(model.getName().drop_front(kPrefix.size()));
    if (replaced == nullptr || !replaced->isDeclaration() || replaced->use_empty()) continue;
    llvm::Function* declared =
        llvm::Function::Create(model.getFunctionType(), llvm::GlobalValue::ExternalLinkage, model.getName(), module);
    replaced->replaceAllUsesWith(declared);
  }
}

/// Arguments as main wants them: none, or what it is started with, however its parameters are declared.
std::vector<llvm::Value*> arguments_of(llvm::IRBuilder<>& builder, llvm::Function& main, llvm::Value* count,
                                       llvm::Value* vector, llvm::Value* variables) {
  const std::array<llvm::Value*, 3> available = {count, vector, variables};
  std::vector<llvm::Value*> arguments;
  for (const llvm::Argument& parameter : main.args()) {
    llvm::Value* value = arguments.size() < available.size() ? available[arguments.size()] : nullptr;
    llvm::Type* type = parameter.getType();
    if (value == nullptr || type->isPointerTy() != value->getType()->isPointerTy() ||
        (!type->isPointerTy() && !type->isIntegerTy()))
      throw UserError(fmt::format("the parameters of main are not those of a program"),
                      "a symbolic environment needs main(void) or main(int, char**)");
    arguments.push_back(type->isIntegerTy() ? builder.CreateZExtOrTrunc(value, type) : value);
  }
  return arguments;
}

}  // namespace

llvm::Function* add_environment(llvm::Module& module, llvm::Function* entry, const SymbolicEnvironment& environment,
                                const std::string& program_name, std::uint32_t word_size) {
  std::unique_ptr<llvm::Module> models = environment_module(word_size, module.getContext());
  redirect_calls(module, *models);
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* integer = llvm::Type::getInt32Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  entry->setName("plumb.main");
  llvm::Function* main = llvm::Function::Create(llvm::FunctionType::get(integer, false),
                                                llvm::GlobalValue::ExternalLinkage, "main", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", main));
  const llvm::FunctionCallee begin = module.getOrInsertFunction("plumb_env_begin", integer, pointer, integer);
  llvm::Value* count =
      builder.CreateCall(begin, {builder.CreateGlobalString(to_text(environment, program_name), "plumb.environment"),
                                 builder.getInt32(most_arguments(environment))});
  llvm::Value* vector = builder.CreateLoad(pointer, module.getOrInsertGlobal("plumb_env_argv", pointer));
  llvm::Value* variables = builder.CreateLoad(pointer, module.getOrInsertGlobal("environ", pointer));
  llvm::Value* result = builder.CreateCall(entry, arguments_of(builder, *entry, count, vector, variables));
  builder.CreateRet(result->getType()->isIntegerTy() ? builder.CreateZExtOrTrunc(result, integer)
                                                     : builder.getInt32(0));
  frontend::link_models(module, std::move(models));
  return main;
}

}  // namespace plumb::instrument
