#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "frontend/compile.h"
#include "program/check_set.h"

namespace plumb::frontend {

/// An expression that clang computes, though C does not say what comes out: nothing of it is in the code.
struct ComputedFault {
  SourceLocation place;
  program::CheckSet checks;  ///< that would find it
  std::string message;
};

/// Those of a source that checks `asked` for would find; there may be others among them. The source is compiled once
/// more, twice for Check::Overflow, with files in `directory`. One that cannot be compiled any more is such a place
/// itself.
std::vector<ComputedFault> computed_faults(const CompileJob& job, const CompileSettings& settings,
                                           program::CheckSet asked, const std::filesystem::path& directory,
                                           const Budget& budget);

}  // namespace plumb::frontend
