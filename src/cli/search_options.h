#pragma once

#include <string>

#include "base/sandbox.h"
#include "cli/command.h"
#include "cli/defect_files.h"
#include "concolic/search/search.h"

namespace plumb::cli {

/// What the commands that search for tests are told alike.
struct SearchOptions {
  concolic::SearchOptions engine;
  DefectOptions defects;
  std::string input;  ///< a test or a directory of tests to begin with
  bool is_resumed = false;
  bool minimise = false;
};

/// `--input`, `--resume`, `--minimize`.
void add_campaign_options(CLI::App& app, SearchOptions& options);
/// How to search, and how long one question may take.
void add_search_options(CLI::App& app, concolic::SearchOptions& options);
/// Of one run; the help shows what `limits` has.
void add_limit_options(CLI::App& app, concolic::RunLimits& limits);
void add_sandbox_option(CLI::App& app, SandboxUse& sandbox);

/// An option that takes a time as parse_duration() does.
void add_duration(CLI::App& app, const std::string& name, std::chrono::duration<double>& value,
                  const std::string& help);

}  // namespace plumb::cli
