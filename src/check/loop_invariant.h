#pragma once

#include <string>

#include "base/error.h"

namespace plumb::check {

/// An invariant at a loop head in C, over variables in scope there.
struct LoopInvariant {
  SourceLocation location;  ///< of the loop statement
  std::string function;
  std::string text;  ///< "x + y == n && i <= 10"
};

}  // namespace plumb::check
