#pragma once

#include <ostream>
#include <string>

#include "program/program.h"

namespace plumb::program {

/// The program as text, for people: globals, then functions with blocks, instructions and source lines.
void print(std::ostream& out, const Program& program);
void print(std::ostream& out, const Program& program, FunctionId function);
/// One instruction without its line end: `%sum = add %a, %b`.
std::string to_text(const Program& program, FunctionId function, const Instruction& instruction);
/// `%name`, `%12`, `0x2a:32`, `@global+4`, `undefined:8`.
std::string to_text(const Program& program, FunctionId function, ValueId value);

}  // namespace plumb::program
