#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>

#include "instrument/symbolic_environment.h"

namespace plumb::instrument {

/// Of functions whose decisions are never merged into a formula: what they decide (a name, a size) has to be one value
/// before the system is asked.
inline constexpr const char* kPathOnlyAttribute = "plumb-path-only";

/// Gives the program a symbolic environment: `entry` is set aside, and a new main makes the environment's inputs, then
/// calls it with what it is started with; functions of the C library that read files, arguments or variables are
/// replaced by their models (runtime/environment) where the program does not define them itself. To be called after the
/// other models were linked. Gives the function to start with. Throws UserError if `entry` is not a main.
llvm::Function* add_environment(llvm::Module& module, llvm::Function* entry, const SymbolicEnvironment& environment,
                                const std::string& program_name, std::uint32_t word_size);

}  // namespace plumb::instrument
