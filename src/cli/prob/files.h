#pragma once

#include "cli/prob/options.h"
#include "cli/prob/report.h"

namespace plumb::cli::prob {

/// Throws UserError if --plot or --x ask for what these constants cannot show. For before the work is done.
void check_plots(const Options& options, const std::vector<std::string>& varied);

/// Writes what --csv, --plot and --out ask for, each file whole or not at all, and enters it in the report. In the
/// directory of --out: results.csv, and of an experiment a plot for each property with numbers. Throws UserError.
void write_files(ExperimentReport& report, const Options& options, const Context& context);

}  // namespace plumb::cli::prob
