#pragma once

#include <span>
#include <string>

#include "result/export/suite.h"

namespace plumb::result {

/// One C99 file with a function a test, to be linked with the program: it defines the functions by which programs ask
/// for inputs, sets up arguments, files, standard input and variables, and calls the program's main. Its own main runs
/// one test in its process, or all of them each in a child and compares how they end with what is recorded. The comment
/// at its head says how to compile it; `name` is its name there. Throws UserError if the entry is not main, since a C
/// file would have to know the entry's type.
Export to_c_file(std::span<const StoredTest> tests, const SuiteProgram& program, const std::string& name);

/// How such a file begins.
std::string_view c_file_head();

/// Any bytes as a C string literal, in lines that are not too long. At most 4,095 bytes, which is what C99 promises.
std::string c_literal(std::string_view bytes);

}  // namespace plumb::result
