#pragma once

#include <ostream>

#include "program/program.h"

namespace plumb::program {

/// The control-flow graph of a function as a Graphviz digraph: blocks with their text and source lines, edges named by
/// what takes them, back edges dashed. Each governor has a colour, shared by its region (filled) and its destinations
/// (double border); a legend lists them, and each block says its part in words too. Needs a body. Deterministic;
/// several functions may follow each other in one stream.
void write_dot(std::ostream& out, const Program& program, FunctionId function);

}  // namespace plumb::program
