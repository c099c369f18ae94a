#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "lang/smtlib/script.h"

namespace plumb::smtlib {

/// The command line that makes a backend read a script from its standard input: `z3 -in`, `cvc5 --incremental …`,
/// others as they are given. Nothing for "native", which is no process; "portfolio" falls back on Z3.
std::optional<std::vector<std::string>> process_command(const std::string& backend);

/// Hands the whole text to another solver and passes its output through; lines that are answers are counted in the
/// result. For scripts that throw Unsupported. A budget that ends first gives one unknown. Throws UserError if the
/// solver cannot be started or reports an error.
RunResult run_on_process(const std::vector<std::string>& command, std::string_view text, const std::string& file,
                         const Budget& budget, std::ostream& out);

}  // namespace plumb::smtlib
