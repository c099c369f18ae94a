#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace plumb::frontend {

/// The pure models for a machine that has none ready: compiled for that of `program`, with `flags` (LoadOptions::
/// machine_flags), by clang, and linked, in the program's context. Where the machine has no Linux its library is taken
/// to be newlib: then those are missing that know the layout or the state of glibc. Deterministic. Throws UserError
/// with clang's diagnostics.
std::unique_ptr<llvm::Module> machine_models(const llvm::Module& program, const std::vector<std::string>& flags,
                                             const Budget& budget);

}  // namespace plumb::frontend
