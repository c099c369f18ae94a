#pragma once

#include <string>

#include "program/program.h"

namespace plumb::replay {

/// C that defines the variables which the program uses, declares and nobody defines: each has any value at the start,
/// an input of all its bytes, in their order and before all other inputs. Empty if there is none. Left out are those of
/// the C library, of threads, and of a size that is not known.
std::string define_external_variables(const program::Program& program);

}  // namespace plumb::replay
