#pragma once

#include <filesystem>

#include "base/budget.h"
#include "program/interpret/interpreter.h"
#include "result/test_case.h"

namespace plumb::concolic {

/// Runs a test in the interpreter, which checks every access, as the traced run was: with its inputs, arguments and
/// standard input, in a fresh directory with its files alone. The program can write there and nowhere else. At most
/// 400 million instructions and 5 seconds; leaks are no faults.
/// The interpreter knows no variables and no failing calls: see is_interpretable(). `directory` must exist; what is
/// made in it is removed again.
program::RunResult run_interpreted(program::Interpreter& interpreter, const std::string& program_name,
                                   const result::TestCase& test, const std::filesystem::path& directory,
                                   const Budget& budget);

/// The test asks for nothing that the interpreter does not have.
bool is_interpretable(const result::TestCase& test);

}  // namespace plumb::concolic
