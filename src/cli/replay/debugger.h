#pragma once

#include <filesystem>

#include "result/test_case.h"

namespace plumb::cli {

/// Starts gdb on the program with all that the test gives it: arguments, standard input, files, variables and inputs;
/// `run` in it runs the test. Has our terminal until it ends; Ctrl-C is for gdb meanwhile. Gives its exit code. The
/// program is not confined. Throws UserError if gdb is missing.
int debug_test(const std::filesystem::path& executable, const result::TestCase& test,
               const std::filesystem::path& directory);

}  // namespace plumb::cli
