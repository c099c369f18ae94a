#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "system/system.h"

namespace plumb::cli {

struct VerilogOptions {
  std::string top;  ///< module; found by Yosys if empty
  std::vector<std::string> include_directories;
  std::vector<std::string> definitions;  ///< NAME or NAME=TEXT
  std::string yosys = "yosys";           ///< on PATH, or a path
};

struct VerilogDesign {
  system::System system;                   ///< assertions are bads, assumptions constraints
  std::vector<SourceLocation> properties;  ///< of the bads, by position
  std::vector<std::string> warnings;       ///< of Yosys
  std::vector<std::string> notes;          ///< what the system leaves out or adds, a sentence each
};

/// A design in Verilog or SystemVerilog, through Yosys. Where all registers have one clock that is an input, a step is
/// a cycle of it; otherwise a step is a moment between changes, and the clocks are inputs like others. A register
/// without an initial value starts with any value, as does a wire that nothing drives in every step; x is any value.
/// Throws UserError with file and line for what Yosys refuses, for a missing Yosys with the remedy; Unsupported for
/// liveness properties; OutOfBudget.
VerilogDesign read_verilog(const std::string& file, const VerilogOptions& options, const Budget& budget);

}  // namespace plumb::cli
