#pragma once

#include <string>

#include "cli/command.h"
#include "cli/defect_files.h"
#include "cli/environment_options.h"
#include "cli/program_options.h"
#include "concolic/search/explore.h"

namespace plumb::cli {

/// What `plumb test` is told.
struct TestOptions {
  ProgramOptions program;
  EnvironmentOptions environment;
  concolic::ExploreOptions explore;
  DefectOptions defects;
  std::string input;  ///< a test or a directory of tests to begin with
  bool is_resumed = false;
  bool minimise = false;
  bool check_memory = false;
};
void add_test_options(CLI::App& app, TestOptions& options, CommonOptions& common);

}  // namespace plumb::cli
