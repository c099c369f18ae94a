#pragma once

#include <llvm/IR/Module.h>

namespace plumb::instrument {

/// Tells the replay runtime (runtime/concolic/replay_order.c) of each access to memory and each call of the library of
/// threads, or one that fails, before it is made, with the line and column that the debug information has:
/// plumb_order_access(), plumb_order_call(). Calls that take their time, such as pthread_cond_wait(), become those of
/// the runtime, and plumb_order_end_run() is called before main returns and before calls of exit(). Models are left
/// alone, and what has no place. Of a module in the form that the lowering reads (frontend/canonicalise.h), so that the
/// points are those of the Program.
void add_order_points(llvm::Module& module);

}  // namespace plumb::instrument
