#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string_view>

namespace plumb::instrument {

/// Declares a function of the runtime. `signature`: a letter for the result, then one a parameter: v nothing, i a word
/// of 32 bits, l one of 64, p a pointer, z as wide as size_t. Throws Unsupported if the program has one of this name.
llvm::Function* runtime_function(llvm::Module& module, const char* name, std::string_view signature);

}  // namespace plumb::instrument
