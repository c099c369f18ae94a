#pragma once

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Total store order for a module that has store_buffer_source() (memory_model.h) in it; others stay as they are. Loads
/// and stores of what threads may share go through the buffers, but for those of local variables whose address nobody
/// has. What is no load or store of a word, locked operations, fences that order all, and calls of functions without a
/// body let no store pass. Throws Unsupported for ends of threads that it does not see.
void buffer_stores(llvm::Module& module);

}  // namespace plumb::frontend
