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
#include "frontend/computed_faults.h"

namespace plumb::frontend {

/// The bitcode of source files, kept while this lives, so that loading a program several times (LoadOptions) runs clang
/// once on each. Thread-safe; who asks for what another thread compiles waits for it.
class Compilations {
 public:
  /// As frontend::compile(). The files stay as they are.
  std::vector<std::filesystem::path> compile(const std::vector<CompileJob>& jobs, const CompileSettings& settings,
                                             const Budget& budget);

  /// That the program has bitcode which was compiled like this before.
  void note(const CompileJob& job, const CompileSettings& settings);

  /// Of all that was compiled or noted; runs clang on what it was not asked about yet.
  std::vector<ComputedFault> computed_faults(program::CheckSet asked, const Budget& budget);

 private:
  struct Source {
    CompileJob job;
    CompileSettings settings;
    std::filesystem::path bitcode{};  ///< empty: noted alone
    program::CheckSet asked{};        ///< that `faults` are for
    std::vector<ComputedFault> faults{};
  };

  std::mutex mutex_;
  TemporaryDirectory directory_;
  std::map<std::string, Source> known_;  ///< by all that the bitcode depends on
};

}  // namespace plumb::frontend
