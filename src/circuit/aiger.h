#pragma once

#include <string>
#include <string_view>

#include "circuit/aig.h"

namespace plumb::circuit {

/// AIGER 1.9, ASCII ("aag") or binary ("aig"), with symbol table; the format is told by the header. `file` is for
/// messages. Throws UserError with line (ASCII, symbols) or byte offset (binary) for anything malformed: undefined,
/// redefined or cyclic literals, counts that do not fit the file, a file cut off. Justice and fairness are Unsupported.
/// Inputs and latches keep their order; ands are simplified as by Aig::and_; the comment section is skipped. Memory is
/// in proportion to the file, but for a million unused variables that a file may declare without spending a byte on
/// each.
Aig read_aiger(std::string_view text, const std::string& file);

enum class AigerFormat { Ascii, Binary };
/// Nodes are renumbered as AIGER demands (inputs, latches, ands); and nodes outside all cones are kept out. The header
/// has B and C only if there are bads or constraints. Line breaks in names become spaces, as the format cannot hold
/// them.
std::string write_aiger(const Aig& aig, AigerFormat format);

}  // namespace plumb::circuit
