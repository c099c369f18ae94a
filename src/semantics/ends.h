#pragma once

#include <vector>

#include "program/program.h"

namespace plumb::semantics {

/// What runs at the end of the program, after main or exit(), in its order: the models' functions that call those of
/// atexit(), then destructors. Without an atexit() the first do nothing.
std::vector<program::FunctionId> functions_at_end(const program::Program& program);

/// An AtExit whose function is one of functions_at_end(); others are not followed.
bool is_followed_at_end(const program::Program& program, const program::Function& function,
                        const program::Instruction& at_exit);

}  // namespace plumb::semantics
