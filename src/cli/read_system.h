#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/verilog/verilog.h"

namespace plumb::cli {

struct SystemOptions {
  verilog::Options verilog;
  std::uint32_t int_width = 8;  ///< of CAIG's int
  bool is_signed = false;       ///< of CAIG
};

/// One of a system's bads, as users know it.
struct SystemProperty {
  std::string name;         ///< its own, or `bad 3`
  SourceLocation location;  ///< empty if the format has none
  std::string text;         ///< the source line there
};

struct SystemFile {
  system::System system;
  std::vector<SystemProperty> properties;  ///< by position in System::bads()
  std::vector<std::string> warnings;
  std::vector<std::string> assumptions;
};

/// Reads BTOR2, AIGER, CAIG, Verilog or SystemVerilog, told by the suffix. Throws UserError for another suffix and for
/// what the readers refuse, OutOfBudget.
SystemFile read_system(const std::string& file, const SystemOptions& options, const Budget& budget);

/// The line of a text, without blanks around it; empty if there is none. Lines count from 1.
std::string line_of(std::string_view text, std::uint32_t line);

}  // namespace plumb::cli
