#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>

namespace plumb {

namespace {

spdlog::level::level_enum level_of(int verbosity) {
  if (verbosity < 0) return spdlog::level::err;
  if (verbosity == 0) return spdlog::level::warn;
  return verbosity == 1 ? spdlog::level::info : spdlog::level::debug;
}

std::unique_ptr<spdlog::logger> make_logger() {
  auto logger = std::make_unique<spdlog::logger>("plumb", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("plumb: %^%l%$: %v");
  logger->set_level(level_of(0));
  // A line must be out before a crash of the process can lose it.
  logger->flush_on(spdlog::level::debug);
  return logger;
}

}  // namespace

void set_up_logging(int verbosity) {
  log().set_level(level_of(verbosity));
  log().set_pattern(verbosity >= 2 ? "plumb: [%H:%M:%S.%e] %^%l%$: %v" : "plumb: %^%l%$: %v");
}

spdlog::logger& log() {
  // Never destroyed: destructors of other statics and threads that outlive main may still log.
  static spdlog::logger* const logger = make_logger().release();
  return *logger;
}

}  // namespace plumb
