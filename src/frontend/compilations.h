#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/file.h"
#include "frontend/compile.h"

namespace plumb::frontend {

/// The bitcode of source files, kept while this lives, so that loading a program several times (LoadOptions) runs clang
/// once on each. Thread-safe; who asks for what another thread compiles waits for it.
class Compilations {
 public:
  /// As frontend::compile(). The files stay as they are.
  std::vector<std::filesystem::path> compile(const std::vector<CompileJob>& jobs, const CompileSettings& settings,
                                             const Budget& budget);

  /// Of all that was compiled.
  std::vector<ComputedFault> computed_faults() const;

 private:
  mutable std::mutex mutex_;
  TemporaryDirectory directory_;
  std::map<std::string, std::filesystem::path> known_;  ///< by all that the bitcode depends on
};

}  // namespace plumb::frontend
