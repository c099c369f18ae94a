#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/check_report.h"
#include "cli/command.h"
#include "frontend/load.h"

namespace plumb::cli {

struct CheckFileOptions {
  frontend::LoadOptions load;  ///< of the program, with the files as given
  std::uint32_t word_size = 64;
  std::string witness;  ///< also write the witness here
};

/// Writes what --out and --witness ask for, each file whole or not at all, and enters it in the report. In the
/// directory of --out: counterexample.json (a test that `plumb replay`, `plumb run --input` and --replay read),
/// counterexample.c (the same as a C file to compile with the program), witness.yml. Of several, the property's name or
/// a number stands before the suffix. Throws UserError.
void write_check_files(CheckReport& report, const CheckFileOptions& options, const Context& context);

}  // namespace plumb::cli
