#pragma once

namespace plumb::cli {

/// What the process returns, the same for every command.
enum ExitCode : int {
  kDone = 0,            ///< everything was answered; the property holds, no defect
  kInternalError = 1,   ///< a bug of ours; a report is on standard error
  kBadInput = 2,        ///< bad usage, bad input, or output that could not be written
  kViolated = 10,       ///< a property is violated, a defect was found
  kUnknown = 20,        ///< something stayed unknown or the budget ended
  kInterrupted = 130,   ///< by Ctrl-C or SIGTERM
  kOutputClosed = 141,  ///< the reader of our output went away; as a shell shows SIGPIPE
};

/// The whole program: parses the arguments, runs the command and turns every exception into a message and an exit code.
int run(int argc, const char* const* argv);

}  // namespace plumb::cli
