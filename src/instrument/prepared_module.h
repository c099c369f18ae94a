#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "frontend/load_module.h"
#include "frontend/lower/lowering.h"
#include "instrument/build.h"
#include "instrument/sites/sites.h"
#include "instrument/subject.h"
#include "instrument/symbolic_environment.h"

namespace plumb::instrument {

/// A module and its Program, made of each other one to one, before instrumentation.
struct PreparedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  Subject subject;  ///< all but the executable
  frontend::LoweringMap map;
  llvm::Function* entry = nullptr;
  frontend::LinkNeeds needs;
  program::CheckSet checks;
  /// By what the module is for; its arena is the caller's to say, before it is instrumented.
  Build build;
  /// By function of the Program: the LLVM value of each ValueId that has one, else null.
  std::vector<std::vector<llvm::Value*>> values;
  /// By function of the Program: the LLVM block of each BlockId that is one, else null.
  std::vector<std::vector<llvm::BasicBlock*>> blocks;
  /// Scalars (arguments, results of instructions) that can depend on input. All others need no shadow.
  bool may_be_symbolic(const llvm::Value& value) const;
  /// Some object that the address leads into can hold what depends on input. Stores to others need no care.
  bool memory_may_be_symbolic(const llvm::Value& address) const;

  llvm::DenseMap<const llvm::Value*, bool> symbolic;
  /// By pointer, or global variable.
  llvm::DenseMap<const llvm::Value*, bool> symbolic_memory;
};

/// Compiles, links the models of pure library functions, makes SSA form, numbers sites, inlines small leaf functions,
/// lowers to the Program and plans regions. With an environment, what the program starts with and reads is symbolic.
/// Errors as load_program() has them.
PreparedModule prepare_module(const frontend::LoadOptions& options, const SymbolicEnvironment& environment,
                              const Budget& budget);

/// The same code and sites, without its Program.
struct PlainModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::Function* entry = nullptr;
  std::uint32_t word_size = 64;
  frontend::LinkNeeds needs;
};
PlainModule prepare_plain_module(const frontend::LoadOptions& options, const Budget& budget);

}  // namespace plumb::instrument
