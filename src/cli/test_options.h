#pragma once

#include "cli/command.h"
#include "cli/environment_options.h"
#include "cli/program_options.h"
#include "cli/search_options.h"

namespace plumb::cli {

/// What `plumb test` is told.
struct TestOptions {
  ProgramOptions program;
  EnvironmentOptions environment;
  SearchOptions search;
  bool check_memory = false;
};
void add_test_options(CLI::App& app, TestOptions& options, CommonOptions& common);

}  // namespace plumb::cli
