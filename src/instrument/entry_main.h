#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace plumb::instrument {

/// What bare metal starts a run with.
inline constexpr const char* kBareEntry = "__plumb_entry";

/// Makes the entry what the process runs: if it is not `main`, a `main` is added that calls it with an input for each
/// parameter, as the interpreter does; a `main` of the program's own is set aside. Gives the function to start with.
/// On bare metal the function is int __plumb_entry(void); `main` stays the firmware's unless it is the entry itself.
/// Throws Unsupported for parameters that are passed as copies in memory.
llvm::Function* make_entry_main(llvm::Module& module, const std::string& entry);

}  // namespace plumb::instrument
