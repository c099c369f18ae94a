#pragma once

#include <ctime>

namespace plumb::cli {

/// Now, or what SOURCE_DATE_EPOCH says, so that the same results can give the same files. Throws UserError.
std::time_t creation_time();

}  // namespace plumb::cli
