#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "system/system.h"

namespace plumb::verilog {

struct Options {
  std::string top;  ///< module; if empty, the one that no other instantiates, of several the only one with properties
  std::vector<std::string> include_directories;
  std::vector<std::string> definitions;  ///< NAME or NAME=TEXT
  std::string yosys = "yosys";           ///< on PATH, or a path
};

struct Design {
  system::System system;                   ///< assertions are bads, assumptions constraints
  std::vector<SourceLocation> properties;  ///< of the bads, by position
  std::vector<std::string> warnings;       ///< of Yosys, each once
  std::vector<std::string> assumptions;    ///< what the system leaves out or adds, a sentence each
};

/// A design in Verilog or SystemVerilog, from one or more files, through Yosys as a process. Where all registers have
/// one clock that is an input, a step is a cycle of it; otherwise a step is a moment between changes, and the clocks
/// are inputs like others. A register without an initial value starts with any value; x is any value in every step, and
/// so is a wire that nothing drives as long as no property and no assumption depends on it. The output ports of the top
/// module are wires of the system. A bad has the label of its assertion, or `file:line`; names differ. Files are named
/// in messages and places as they are given here, never as the temporary files of Yosys.
///
/// Costs three or four runs of Yosys, a fifth of a second for a small design; memory is limited as the budget says.
/// Throws UserError with file and line for what Yosys refuses, for several top modules, for a wire without driver that
/// matters, for a missing Yosys with the remedy; Unsupported for liveness properties and for what Yosys is known to
/// misread; OutOfBudget. Nothing is printed. May be called from several threads.
Design read(std::span<const std::string> files, const Options& options, const Budget& budget);

}  // namespace plumb::verilog
