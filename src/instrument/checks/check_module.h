#pragma once

#include <llvm/IR/Module.h>

#include "base/budget.h"
#include "instrument/checks/check_runtime.h"
#include "program/check_set.h"

namespace plumb::instrument {

/// Puts the checks into a module whose sites are numbered and that is marked (check_marks.h), without shadows.
/// `entry`: what the program starts with. `has_native_code`: other code of the program knows its variables.
/// Throws OutOfBudget.
void add_checks(llvm::Module& module, program::CheckSet checks, llvm::Function& entry, bool has_native_code,
                const Budget& budget);

/// The runtime is told when the program's first function has returned.
void tell_return(CheckRuntime& runtime, llvm::Function& entry);
/// Call stacks are read off the frame pointers.
void keep_frame_pointers(llvm::Module& module);

}  // namespace plumb::instrument
