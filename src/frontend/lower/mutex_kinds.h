#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <cstdint>
#include <span>
#include <vector>

#include "program/program.h"

namespace plumb::frontend {

/// A mutex in a global variable whose initial bytes say that it is no normal one.
struct InitialMutexKind {
  program::GlobalId global = program::kNone;
  std::uint64_t offset = 0;
  std::uint32_t kind = 0;
};

/// Those of a variable of the type, with these initial bytes (zeros follow), by glibc's types and numbers.
std::vector<InitialMutexKind> mutex_kinds(llvm::Type* type, const llvm::DataLayout& layout, program::GlobalId global,
                                          std::span<const std::uint8_t> bytes);

/// A function that says what the mutexes are, before all others: engines know their kinds by MutexKind alone.
program::Function mutex_kinds_function(std::span<const InitialMutexKind> kinds, std::uint32_t pointer_width);

}  // namespace plumb::frontend
