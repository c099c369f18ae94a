#pragma once

#include <filesystem>
#include <string>

#include "base/budget.h"

namespace plumb::result {

/// LLVM's tools for coverage, on one program and what it counted. All members throw UserError with the tool's message,
/// or with the package if it is missing, and OutOfBudget.
class LlvmCov {
 public:
  /// `profile` is as the program wrote it; `directory` is for files of its own.
  LlvmCov(std::filesystem::path executable, const std::filesystem::path& profile,
          const std::filesystem::path& directory, const Budget& budget);

  /// For parse_coverage().
  std::string exported(const Budget& budget) const;
  /// A tracefile of lcov.
  std::string lcov(const Budget& budget) const;
  /// The sources with counts, branches and conditions, as pages in `directory`, which must exist; index.html leads to
  /// them.
  void write_pages(const std::filesystem::path& directory, const Budget& budget) const;

 private:
  std::filesystem::path executable_;
  std::filesystem::path indexed_;  ///< the profile, as llvm-cov reads it
};

}  // namespace plumb::result
