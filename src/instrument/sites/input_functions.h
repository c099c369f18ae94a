#pragma once

#include <llvm/IR/Module.h>

#include "instrument/shadows/shadow_runtime.h"

namespace plumb::instrument {

/// Gives every declared function that makes an input (`__VERIFIER_nondet_int`, `plumb_nondet_char`) a body that asks
/// the runtime and leaves the shadow where an instrumented function does. Returns them: they need no shadows of their
/// own.
llvm::SmallVector<llvm::Function*, 8> define_input_functions(ShadowRuntime& runtime);

}  // namespace plumb::instrument
