#pragma once

#include <llvm/IR/GlobalVariable.h>

#include <vector>

#include "instrument/checks/check_runtime.h"

namespace plumb::instrument {

/// Global variables that pointers lead to and that may be given room: not those in sections of their own, of a thread,
/// that the linker may merge with others, or that native code of the program knows. To be asked before code is added.
std::vector<llvm::GlobalVariable*> reached_globals(llvm::Module& module, bool has_native_code);

/// Gives the variables room behind them, at the same symbol, and defines the table that the runtime poisons the rooms
/// by. The last change of a module.
void pad_globals(CheckRuntime& runtime, const std::vector<llvm::GlobalVariable*>& variables);

}  // namespace plumb::instrument
