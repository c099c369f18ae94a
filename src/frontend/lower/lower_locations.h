#pragma once

#include <absl/container/flat_hash_map.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <string>
#include <vector>

#include "program/program.h"

namespace plumb::frontend {

using program::Location;

/// Source places from debug information. A file has the name that the compiler was given; only if two files of
/// different directories share a name, the later one gets its directory too.
class LocationTable {
 public:
  explicit LocationTable(std::vector<std::string>& files) : files_(files) {}

  Location at(const llvm::DIFile* file, unsigned line, unsigned column = 0);
  /// Not known without a position or at line 0.
  Location at(const llvm::DILocation* location);
  Location of(const llvm::DISubprogram* function);

 private:
  std::uint32_t file(const llvm::DIFile& file);

  std::vector<std::string>& files_;
  llvm::DenseMap<const llvm::DIFile*, std::uint32_t> by_node_;
  absl::flat_hash_map<std::string, std::uint32_t> by_path_;          ///< directory and name
  absl::flat_hash_map<std::string, std::string> directory_by_name_;  ///< the first that a name was seen with
};

}  // namespace plumb::frontend
