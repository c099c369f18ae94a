#include "replay/fixed_environment.h"

#include <cstdlib>

namespace plumb::replay {

std::vector<std::string> fixed_environment() {
  std::vector<std::string> variables = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  // Without it a program may not find its shared libraries at all.
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
    variables.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  return variables;
}

}  // namespace plumb::replay
