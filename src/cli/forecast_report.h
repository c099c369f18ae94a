#pragma once

#include "cli/program_options.h"

namespace plumb::cli {

/// `plumb doctor FILE…`: loads the program and says what stands in the way of analysing it. Gives the exit code.
int show_forecast(const ProgramOptions& options, const Context& context);

}  // namespace plumb::cli
