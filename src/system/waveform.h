#pragma once

#include <cstdint>
#include <string>

#include "system/trace.h"

namespace plumb::system {

struct WaveformOptions {
  std::string top = "system";        ///< the outermost scope
  std::uint64_t max_elements = 256;  ///< arrays of more are not shown, and a comment in the file says so
};

/// The run that a trace makes, as a Value Change Dump (IEEE 1364) with one unit of time a step: states, inputs and
/// wires as words, array elements as `name[3]`, bads and constraints in scopes of their own, annotations as string
/// variables
/// (`$var string`, values `s...` with blanks and other special characters as octal escapes, as GTKWave reads and writes
/// them). Dots in names make scopes. What would have the name of another signal gets a number behind it.
std::string write_vcd(const System& system, const Trace& trace, const WaveformOptions& options = {});

}  // namespace plumb::system
