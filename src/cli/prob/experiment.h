#pragma once

#include "cli/prob/options.h"
#include "cli/prob/report.h"

namespace plumb::cli::prob {

/// Reads model and properties, and checks every property for every combination of constants. A chain is built once for
/// all combinations that have the same one. A combination or a property that fails, or that runs out of its share of
/// the budget, costs its own answer only; if all fail for an error, the first is thrown. Writes what --export and
/// --strategy ask for. Throws UserError.
ExperimentReport run_experiment(const Options& options, const Context& context);

}  // namespace plumb::cli::prob
