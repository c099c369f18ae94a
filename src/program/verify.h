#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// What is wrong with the program, a sentence each; empty if it is well formed: blocks end in their only terminator,
/// operand and result widths fit, edges give each block argument a value of its width, indices exist, every use is
/// dominated by its definition, the entry block has no predecessor. Linear but for dominators.
std::vector<std::string> verify(const Program& program);

}  // namespace plumb::program
