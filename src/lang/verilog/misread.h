#pragma once

#include <span>
#include <string>
#include <vector>

#include "lang/verilog/syntax.h"

namespace plumb::verilog {

/// Throws Unsupported, with its place and a way to write it, for the first construct in these modules that Yosys 0.23
/// accepts and reads otherwise than IEEE 1800 defines it. The list comes from experiments against simulation, which
/// tests/unit/lang/verilog/reading_test.cpp repeats.
void refuse_misread(const Syntax& syntax, std::span<const std::size_t> modules);

/// The same for what is not in the syntax: delays, bindings, checkers, and properties where translation is off.
void refuse_dropped(std::span<const SourceToken> tokens);

/// Where comments turn translation off: what follows is read by simulators alone.
std::vector<SourceLocation> untranslated(std::span<const SourceToken> tokens);

/// The same for constant amounts of shifts, which are seen best where parameters have their values: in the text of
/// elaborate(), with the user's names.
void refuse_shifts(const std::string& rtlil, const Texts& texts);

/// Throws Unsupported if one of these names of other scopes (`u1.wire`), which Yosys takes for new wires, is written to
/// or connected to a port. Those that are only read are wires without a driver.
void refuse_foreign_writes(const Syntax& syntax, std::span<const std::size_t> modules,
                           std::span<const std::string> names);

}  // namespace plumb::verilog
