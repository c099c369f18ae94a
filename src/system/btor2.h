#pragma once

#include <string>
#include <string_view>

#include "system/system.h"

namespace plumb::system {

/// BTOR2 (Niemetz, Preiner, Wolf and Biere, "Btor2, BtorMC and Boolector 3.0", 2018). `file` is for messages. States
/// and inputs keep their order and symbols; `output` lines and operators with a symbol become wires. Throws UserError
/// with line, column and what was expected, and Unsupported for justice, fair and arrays of arrays. More lenient than
/// the format in two things: constants may have fewer digits than their sort, and a node may be used in an init if it
/// only depends on states before the initialised one, wherever it stands itself.
System read_btor2(std::string_view text, const std::string& file);

/// Wires become `output` lines; blanks and semicolons in names become underscores; annotations are not written, as the
/// format has no place for them. A constant array outside of an init becomes a state that never changes, with the
/// symbol kConstantArraySymbol, which read_btor2() turns back; one whose element is not a constant is written element
/// by element. Throws Unsupported if that is one of more than kMaxWrittenElements.
std::string write_btor2(const System& system);

inline constexpr std::string_view kConstantArraySymbol = "plumb.constant_array";
inline constexpr std::uint64_t kMaxWrittenElements = 4096;

}  // namespace plumb::system
