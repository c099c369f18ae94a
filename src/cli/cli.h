#pragma once

#include "result/exit_code.h"

namespace plumb::cli {

/// What the process returns, the same for every command.
using enum result::ExitCode;

/// The whole program: parses the arguments, runs the command and turns every exception into a message and an exit code.
int run(int argc, const char* const* argv);

}  // namespace plumb::cli
