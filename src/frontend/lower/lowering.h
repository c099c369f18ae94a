#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <vector>

#include "program/program.h"

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
class Instruction;
class Module;
class Value;
}  // namespace llvm

namespace plumb::frontend {

using program::BlockId;
using program::Function;
using program::FunctionId;
using program::GlobalId;
using program::Instruction;
using program::kNone;
using program::Location;
using program::Program;
using program::Value;
using program::ValueId;

/// Of functions and variables that come from our models of the library, as LLVM attribute.
inline constexpr const char* kModelAttribute = "plumb-model";

struct LoweringOptions {
  std::string entry = "main";
  /// Constant-size array types in address computations are what the source says, so an index beyond them is a defect.
  /// True only for what clang made without optimisation.
  bool check_indices = true;
  /// A CheckPointer for each address that is computed from another and may lie outside of its object.
  bool check_pointers = false;
};

/// What became of a module's parts, for engines that work on both sides. Parts that were dropped (unreachable blocks,
/// functions that nothing uses) are missing.
struct LoweringMap {
  absl::flat_hash_map<const llvm::Function*, FunctionId> functions;
  absl::flat_hash_map<const llvm::GlobalVariable*, GlobalId> globals;
  /// Where a block begins, and where its terminator stands: two blocks where lowering had to split it.
  struct BlockRange {
    BlockId first = kNone;
    BlockId last = kNone;
  };
  absl::flat_hash_map<const llvm::BasicBlock*, BlockRange> blocks;
  absl::flat_hash_map<const llvm::Value*, std::vector<ValueId>> values;  ///< arguments and instructions: their scalars
  absl::flat_hash_map<const llvm::Instruction*, Location> locations;
};

/// Makes a Program of a verified, linked module in SSA form. What has no lowering becomes a Halt with a message at its
/// place. The module is not changed. `map`, if given, gets all correspondences.
Program lower(const llvm::Module& module, const LoweringOptions& options, LoweringMap* map = nullptr);

}  // namespace plumb::frontend
