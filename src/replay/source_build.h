#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "frontend/toolchain/coverage_build.h"

namespace plumb::replay {

/// Of the environment of a program with coverage: the file that holds its counters.
inline constexpr const char* kCountersVariable = "PLUMB_COUNTERS";

/// A program compiled again from its sources by clang alone, linked with the replay runtime.
struct SourceBuild {
  std::filesystem::path executable;
  std::filesystem::path counters;              ///< of clang's coverage, which all runs share; empty: it is not for that
  std::vector<std::filesystem::path> sources;  ///< that were compiled
  std::vector<std::string> notes;              ///< what limits its coverage, a sentence each
};

/// In `directory`, which must exist. Throws UserError.
SourceBuild build_from_sources(const frontend::LoadOptions& load, frontend::Purpose purpose,
                               const std::filesystem::path& directory, const Budget& budget);

/// What the counters hold, as LLVM's tools read it, or the counters, if they are not there yet.
void write_profile(const SourceBuild& build, const std::filesystem::path& profile, const Budget& budget);

}  // namespace plumb::replay
