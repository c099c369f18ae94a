#pragma once

#include <absl/container/flat_hash_map.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

#include "frontend/lower/lower_library.h"
#include "frontend/lower/lower_locations.h"
#include "frontend/lower/lower_types.h"
#include "frontend/lower/lowering.h"
#include "program/platform.h"
#include "program/program.h"

namespace plumb::frontend {

/// The lowering of one module: what its functions and initialisers share. Numbers all functions and objects first, so
/// that bodies can refer to them in any order.
class ModuleLowering {
 public:
  ModuleLowering(const llvm::Module& module, const LoweringOptions& options, LoweringMap* map);
  ModuleLowering(const ModuleLowering&) = delete;
  ModuleLowering& operator=(const ModuleLowering&) = delete;

  Program run();

  const llvm::DataLayout& layout() const { return module_.getDataLayout(); }
  const LoweringOptions& options() const { return options_; }
  TypeShapes& shapes() { return shapes_; }
  LocationTable& locations() { return locations_; }
  std::uint32_t pointer_width() const { return program_.layout.pointer_width; }
  program::Platform platform() const { return program::platform_of(program_.layout); }
  const Program& program() const { return program_; }

  /// The index of a text in Program::messages.
  std::uint32_t message(const std::string& text);
  FunctionId function(const llvm::Function& function) const;
  GlobalId global(const llvm::GlobalVariable& global) const;
  /// What a block's address is as a number: not zero, and different for each block.
  std::uint64_t block_number(const llvm::BasicBlock& block);
  const std::optional<LibraryFunction>& library(const llvm::Function& function) const;
  LoweringMap* map() { return map_; }

 private:
  void number_functions();
  void number_globals();
  void add_global(const llvm::GlobalVariable& global);
  void initialise_globals();
  /// Of mutexes that are initialised in the source.
  void add_mutex_kinds();
  std::vector<FunctionId> structors(const char* array) const;

  const llvm::Module& module_;
  const LoweringOptions& options_;
  LoweringMap* map_;
  Program program_;
  TypeShapes shapes_;
  LocationTable locations_;
  std::vector<const llvm::Function*> sources_;  ///< by FunctionId
  llvm::DenseMap<const llvm::Function*, FunctionId> functions_;
  llvm::DenseMap<const llvm::Function*, std::optional<LibraryFunction>> library_;
  llvm::DenseMap<const llvm::GlobalVariable*, GlobalId> globals_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint64_t> block_numbers_;
  absl::flat_hash_map<std::string, std::uint32_t> messages_;
};

}  // namespace plumb::frontend
