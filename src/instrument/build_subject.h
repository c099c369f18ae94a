#pragma once

#include <filesystem>
#include <string_view>

#include "base/budget.h"
#include "frontend/load.h"
#include "instrument/subject.h"
#include "instrument/symbolic_environment.h"

namespace plumb::instrument {

/// Prepares, instruments, optimises and links the program with the runtime; the executable goes to `directory`. Errors
/// as frontend::load_program() has them; functions that the linker does not find are a UserError that names them.
Subject build_subject(const frontend::LoadOptions& options, const SymbolicEnvironment& environment,
                      const std::filesystem::path& directory, const Budget& budget);
/// Without a symbolic environment.
Subject build_subject(const frontend::LoadOptions& options, const std::filesystem::path& directory,
                      const Budget& budget);

/// The program without instrumentation, with a small runtime that takes the inputs of a test from the file that
/// PLUMB_TEST names (in the format of the given inputs of protocol.h) and ends at the first error: errors are told on
/// standard error, exit code 77 means that an assumption does not hold. Gives the executable.
std::filesystem::path build_replay(const frontend::LoadOptions& options, const std::filesystem::path& directory,
                                   const Budget& budget);

/// As build_replay(), and its threads go on in the order that the file PLUMB_ORDER says (runtime/concolic/order.h):
/// one at a time, up to the next access or call of the library of threads. Without the file it is a plain build.
std::filesystem::path build_ordered_replay(const frontend::LoadOptions& options, const std::filesystem::path& directory,
                                           const Budget& budget);

/// That build can tell that a call of the function blocks for good.
bool can_block_in_order(std::string_view function);

/// As build_replay(), with the checks that `options` ask for and the models of pure library functions: what is wrong is
/// told in the file that PLUMB_DEFECTS names (runtime/checks/report.h), with call stacks, and the run goes on. The
/// executable has line tables and frame pointers; its code and sites are those of the subject without an environment.
std::filesystem::path build_checked_replay(const frontend::LoadOptions& options, const std::filesystem::path& directory,
                                           const Budget& budget);

}  // namespace plumb::instrument
