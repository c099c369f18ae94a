#pragma once

#include "cli/bip/subject.h"

namespace plumb::cli {

/// Proves or refutes the properties, writes result files and the report; returns the exit code. Throws UserError.
int prove_bip(const BipSubject& subject, const BipOptions& options, const Context& context);

/// The system of a model, for --show caig, btor2 and aiger.
std::string bip_system_text(const BipSubject& subject, const BipOptions& options, const Budget& budget);

}  // namespace plumb::cli
