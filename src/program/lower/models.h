#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace plumb::program {

/// The text of include/plumb/plumb.h, for programs that include it.
std::string plumb_header();

/// Our models of library functions for a word size (32 or 64), compiled and linked when this library was built. All
/// functions and variables have the attribute kModelAttribute.
std::unique_ptr<llvm::Module> models_module(std::uint32_t word_size, llvm::LLVMContext& context);

/// Adds those models that `module` needs and does not define itself, and makes them local to it.
void link_models(llvm::Module& module, std::unique_ptr<llvm::Module> models);

}  // namespace plumb::program
