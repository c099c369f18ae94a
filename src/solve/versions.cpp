#include "solve/versions.h"

#include <fmt/format.h>
#include <z3.h>

#include <cadical.hpp>

namespace plumb::solve {

std::vector<std::pair<std::string, std::string>> backend_versions() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return {{"CaDiCaL", CaDiCaL::Solver::version()}, {"z3", fmt::format("{}.{}.{}", major, minor, build)}};
}

}  // namespace plumb::solve
