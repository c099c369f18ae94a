#include "frontend/lower/lower_locations.h"

#include <filesystem>

namespace plumb::frontend {

using program::kNone;

std::uint32_t LocationTable::file(const llvm::DIFile& file) {
  const auto [node, is_new_node] = by_node_.try_emplace(&file, kNone);
  if (!is_new_node) return node->second;
  const std::string name = file.getFilename().str();
  const std::string directory = file.getDirectory().str();
  const std::filesystem::path path(name);
  const std::string full = path.is_absolute() ? name : (std::filesystem::path(directory) / path).string();
  const auto [known, is_new] = by_path_.try_emplace(full, kNone);
  if (is_new) {
    const auto [first, is_first] = directory_by_name_.try_emplace(name, directory);
    known->second = static_cast<std::uint32_t>(files_.size());
    files_.push_back(is_first || first->second == directory ? name : full);
  }
  return node->second = known->second;
}

Location LocationTable::at(const llvm::DIFile* file, unsigned line, unsigned column) {
  if (file == nullptr || line == 0) return {};
  return {this->file(*file), line, column};
}

Location LocationTable::at(const llvm::DILocation* location) {
  if (location == nullptr) return {};
  return at(location->getFile(), location->getLine(), location->getColumn());
}

Location LocationTable::of(const llvm::DISubprogram* function) {
  if (function == nullptr) return {};
  return at(function->getFile(), function->getLine());
}

}  // namespace plumb::frontend
