#pragma once

#include "program/program.h"

namespace plumb::check {

/// A run may make a thread, as far as the graph of calls shows.
bool has_threads(const program::Program& program);

}  // namespace plumb::check
