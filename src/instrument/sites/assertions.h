#pragma once

#include <llvm/IR/Module.h>

namespace plumb::instrument {

/// Failed assertions of other C libraries become calls of __assert_fail, glibc's: newlib's
/// __assert_func(file, line, function, text) and __assert(file, line, text).
void unify_assertions(llvm::Module& module);

}  // namespace plumb::instrument
