#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result/export/suite.h"

namespace plumb::result {

/// What `plumb test` left in a directory.
struct RunDirectory {
  SuiteProgram program;
  std::filesystem::path base;     ///< that the names of the program's files are relative to; empty: not known
  std::vector<StoredTest> tests;  ///< by number
  bool has_coverage = false;      ///< each test says what it covers
};

/// Reads DIR/campaign.db; if there is none, the files of DIR/tests, or of DIR itself. Failing inputs of DIR/errors that
/// are no test yet come last, with numbers of their own. Of what `plumb check` wrote, the counterexamples. A file
/// instead of a directory is a single test. Throws UserError if there is nothing to read.
RunDirectory read_run_directory(const std::filesystem::path& directory);

}  // namespace plumb::result
