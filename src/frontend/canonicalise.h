#pragma once

namespace llvm {
class Module;
}

namespace plumb::frontend {

/// Behind the name of a variable: the value that it has before it is set.
inline constexpr const char* kUnsetSuffix = ".unset";

/// Brings every function into SSA form: local variables whose address is not taken become values, blocks that cannot be
/// reached go. All branches of the source stay.
void canonicalise(llvm::Module& module);

}  // namespace plumb::frontend
