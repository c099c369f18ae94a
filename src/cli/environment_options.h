#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "instrument/symbolic_environment.h"
#include "result/test_case.h"

namespace plumb::cli {

/// What of a program's surroundings is symbolic, and what to begin with.
struct EnvironmentOptions {
  instrument::SymbolicEnvironment environment;
  std::vector<std::string> seed_inputs;
  std::string corpus;
};
void add_environment_options(CLI::App& app, EnvironmentOptions& options);

/// The options with the seeds that they name.
struct EnvironmentPlan {
  instrument::SymbolicEnvironment environment;  ///< large enough for every seed
  std::vector<result::TestCase> seeds;          ///< in the order of the options, a directory's by name
  std::vector<std::string> notes;               ///< for the user: what was changed for the seeds' sake
};
/// Throws UserError for seeds that cannot be read, are too large, or have nothing that they could be the content of.
EnvironmentPlan plan_environment(const EnvironmentOptions& options);

}  // namespace plumb::cli
