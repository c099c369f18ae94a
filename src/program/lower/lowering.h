#pragma once

#include <string>

#include "program/program.h"

namespace llvm {
class Module;
}

namespace plumb::program {

/// Of functions and variables that come from our models of the library, as LLVM attribute.
inline constexpr const char* kModelAttribute = "plumb-model";

struct LoweringOptions {
  std::string entry = "main";
  /// Constant-size array types in address computations are what the source says, so an index beyond them is a defect.
  /// True only for what clang made without optimisation.
  bool check_indices = true;
};

/// Makes a Program of a verified, linked module in SSA form. What has no lowering becomes a Halt with a message at its
/// place. The module is not changed.
Program lower(const llvm::Module& module, const LoweringOptions& options);

}  // namespace plumb::program
