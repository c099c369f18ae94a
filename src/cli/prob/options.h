#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "chain/check.h"
#include "cli/command.h"

namespace plumb::cli::prob {

/// What the user asked of `plumb prob`.
struct Options {
  std::string model;
  std::string properties_file;
  std::vector<std::string> properties;  ///< --prop: each a text of properties
  std::vector<std::string> chosen;      ///< --property: by name or number from 0
  std::vector<std::string> constants;

  chain::CheckOptions check;
  unsigned threads = 0;
  chain::KeepRows keep_rows = chain::KeepRows::Automatic;
  bool no_fix_deadlocks = false;
  bool keep_modules = false;  ///< also those that the properties cannot see
  std::uint64_t max_states = ~std::uint64_t{0};

  std::vector<std::string> exports;  ///< as given: PREFIX, or tra=FILE,sta=FILE,…
  std::string strategy;
  std::string csv;
  std::vector<std::string> plots;
  std::string plot_log;  ///< "", "x", "y" or "xy"
  std::string x;
};

void add_options(CLI::App& command, Options& options);

/// Throws UserError for options that contradict each other, and for files to be written where there is no directory:
/// before the work is done.
void check_options(const Options& options);

/// What --export asks for: "tra", "sta", "lab", "srew" and "trew", each with its file. A prefix gives all of them.
/// Throws UserError.
std::map<std::string, std::string> export_files(const Options& options);

}  // namespace plumb::cli::prob
