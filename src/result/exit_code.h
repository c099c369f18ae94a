#pragma once

namespace plumb::result {

/// What a process returns, the same for every command.
enum ExitCode : int {
  kDone = 0,            ///< everything was answered; the property holds, no defect
  kInternalError = 1,   ///< a bug of ours; a report is on standard error
  kBadInput = 2,        ///< bad usage, bad input, or output that could not be written
  kViolated = 10,       ///< a property is violated, a defect was found
  kUnknown = 20,        ///< something stayed unknown, is vacuous or only bounded, or the budget ended
  kInterrupted = 130,   ///< by Ctrl-C or SIGTERM
  kOutputClosed = 141,  ///< the reader of our output went away; as a shell shows SIGPIPE
};

}  // namespace plumb::result
