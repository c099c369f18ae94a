#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace plumb::frontend {

/// A header for programs that include it: "plumb/plumb.h" and its text.
struct Header {
  std::string_view name;
  std::string_view text;
};
std::array<Header, 3> headers();

/// Pure: those that can stand beside the C library of a native program, and use its state (errno, the locale, the
/// variables of getopt); the others have a state of their own in place of the library's.
enum class ModelSet : std::uint8_t { All, Pure };

/// Our models of library functions for a word size (32 or 64), compiled and linked when this library was built. All
/// functions and variables have the attribute kModelAttribute.
std::unique_ptr<llvm::Module> models_module(ModelSet set, std::uint32_t word_size, llvm::LLVMContext& context);

/// Gives all that the module defines the attribute kModelAttribute.
void mark_as_models(llvm::Module& module);

/// Adds those models that `module` needs and does not define itself, and makes them local to it.
void link_models(llvm::Module& module, std::unique_ptr<llvm::Module> models);

}  // namespace plumb::frontend
