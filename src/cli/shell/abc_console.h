#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "circuit/abc_driver.h"

namespace plumb::cli::shell {

/// What a session knows of ABC beyond circuit::abc_commands(): more reductions that keep the latches, and more provers.
/// Nobody needs to trust them, as counterexamples are replayed and proofs re-checked whoever found them.
std::span<const circuit::AbcCommand> further_abc_commands();

/// A command of ABC as a session takes it, if it is one that reduces or proves; nothing for any other. Throws UserError
/// for a known command with an option that it does not have.
std::optional<circuit::AbcStep> parse_abc_step(const std::string& command);

/// The names that ABC's help lists; empty if there is no ABC.
std::vector<std::string> abc_command_names(const std::string& program);

/// Runs a command of ABC on a copy of the circuit in that AIGER file, in the working directory of this process, and
/// prints what ABC prints as it comes. Returns whether ABC's circuit is another one behind the command. Throws
/// UserError if ABC cannot be started, breaks or refuses the command, OutOfBudget if the budget ends.
bool run_on_copy(const std::string& command, const std::filesystem::path& circuit, const circuit::AbcOptions& options,
                 const Budget& budget, std::ostream& out);

}  // namespace plumb::cli::shell
