#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "base/budget.h"
#include "program/lower/load.h"
#include "program/lower/models.h"

namespace plumb::program {

/// All units of a program, compiled, read and linked, as clang made them; without models.
struct LoadedModule {
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::Module> models;  ///< of the module's word size
  std::string entry;                     ///< the symbol; empty if none is needed
  std::uint32_t word_size = 64;
  bool is_unoptimised = true;  ///< array types are what the source says
};

/// Errors as load_program() has them.
LoadedModule load_module(const LoadOptions& options, ModelSet models, llvm::LLVMContext& context, const Budget& budget);

}  // namespace plumb::program
