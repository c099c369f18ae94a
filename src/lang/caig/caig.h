#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "system/system.h"

namespace plumb::caig {

struct Options {
  std::uint32_t int_width = 8;  ///< of `int` without a width of its own
  bool is_signed = false;       ///< how <, <=, >, >=, /, % and >> take their operands
};

/// A component of the CAIG language (the grammar is in README.md) as a system: registers are states, wires without a
/// definition are inputs, the others are wires. A free wire that an initial value depends on becomes a state without
/// init and next, which is the same as an input. `file` is for messages. Throws UserError with line and column of the
/// first mistake and what was expected.
system::System read_caig(std::string_view text, const std::string& file, const Options& options = {});

/// A component that behaves as the system does, whatever the options it is read with. A state without init and next
/// becomes a free wire; one without next alone takes its next value from a free wire called NAME.next. Names that occur
/// twice get a number, blanks in names become underscores; annotations are not written. Throws Unsupported for arrays
/// of more than 2^62 elements.
std::string write_caig(const system::System& system);

}  // namespace plumb::caig
