#pragma once

#include <set>
#include <string>

namespace plumb::frontend {

/// Functions that the linker did not find, in the words of GNU ld, lld and mold.
std::set<std::string> undefined_names(const std::string& messages);

/// C code with definitions of functions that only code names which the program's own optimiser took out. A call goes to
/// __plumb_missing(); where no runtime has that, it ends the run with a message.
std::string missing_definitions(const std::set<std::string>& names);

}  // namespace plumb::frontend
