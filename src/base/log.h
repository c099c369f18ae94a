#pragma once

#include <spdlog/logger.h>

namespace plumb {

/// Log lines go to standard error. Verbosity -1 lets errors through, 0 warnings too, 1 also information, 2 and more
/// also debugging. Called once by main, before other threads start; until then, warnings and errors are shown.
void set_up_logging(int verbosity);

/// The logger of the whole process; may be used from any thread. Usage: log().info("{} nodes", n).
spdlog::logger& log();

}  // namespace plumb
