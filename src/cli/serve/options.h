#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/search_options.h"
#include "remote/server.h"

namespace plumb::cli {

/// What `plumb serve` is told.
struct ServeOptions {
  std::vector<std::string> program;  ///< one; none if a campaign names it
  SearchOptions search;
  std::vector<std::string> listen;
  std::vector<std::string> serial;
  std::string token_file;
  std::string address_file;  ///< where the addresses are written to
  std::string replay;        ///< a test or a directory of tests, instead of a search
  unsigned wait_for_targets = 1;
  std::chrono::duration<double> lost_after{0};  ///< 0: never

  ServeOptions();
};
void add_serve_options(CLI::App& app, ServeOptions& options, CommonOptions& common);

/// Where to listen: what was given, or else a port on loopback, unless there are serial lines. Reads the token.
remote::ServerOptions server_options(const ServeOptions& options);

}  // namespace plumb::cli
