#pragma once

#include <string>

#include "interpret/interpreter.h"
#include "replay/program_files.h"
#include "result/test_case.h"

namespace plumb::replay {

/// How the interpreter is given a test: its inputs in their order and nothing beyond them, arguments after the
/// program's name, standard input, files. What the program prints goes nowhere. `test` and `files` must outlive the
/// options.
interpret::InterpreterOptions test_options(const result::TestCase& test, std::string program, ProgramFiles& files);

}  // namespace plumb::replay
