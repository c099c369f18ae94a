#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "frontend/models.h"

namespace plumb::frontend {

/// What linking a module to a program again needs besides the module.
struct LinkNeeds {
  bool is_cxx = false;  ///< the library of C++
  // The rest is of a program that plumb cc made (driver/carried_code.h).
  std::vector<std::string> words;           ///< for the linker
  std::vector<std::string> native_objects;  ///< their content
  bool was_linked = false;                  ///< it is a program or a shared library, not objects
  std::set<std::string> imported;           ///< then: names that it took from files without code
};

/// All units of a program, compiled, read and linked, as clang made them but for the marks (marks.h); without models.
struct LoadedModule {
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::Module> models;  ///< of the module's word size
  std::string entry;                     ///< the symbol; empty if none is needed
  std::uint32_t word_size = 64;
  bool is_unoptimised = true;  ///< array types are what the source says
  LinkNeeds needs;
};

/// Errors as load_program() has them.
LoadedModule load_module(const LoadOptions& options, ModelSet models, llvm::LLVMContext& context, const Budget& budget);

/// As load_program() of load.h. `look` is given the module without models, before local variables become values.
Program load_program(const LoadOptions& options, const Budget& budget,
                     const std::function<void(const llvm::Module&)>& look);

}  // namespace plumb::frontend
