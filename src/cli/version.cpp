#include <fmt/format.h>

#include "cli/command.h"
#include "solve/versions.h"

namespace plumb::cli {

std::string_view version() { return PLUMB_VERSION; }

std::string version_text() {
  std::string libraries;
  for (const auto& [name, number] : solve::backend_versions())
    fmt::format_to(std::back_inserter(libraries), "{}{} {}", libraries.empty() ? "" : ", ", name, number);
  return fmt::format(
      "plumb {}\n"
      "  build      {}, {}\n"
      "  libraries  {}\n"
      "  backends   native, z3, portfolio, any SMT-LIB 2 solver as a process (cvc5, …)\n"
      "  logics     QF_BV, QF_ABV, QF_AUFBV without functions; all others through a process\n",
      version(), PLUMB_BUILD_TYPE, PLUMB_COMPILER, libraries);
}

}  // namespace plumb::cli
