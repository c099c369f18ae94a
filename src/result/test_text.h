#pragma once

#include <string>

#include "result/test_case.h"

namespace plumb::result {

/// What a run is given, in indented lines for people: arguments, files, standard input, then values as `c = 91 '['` and
/// `s = "reset\0"`. Of many values only the first are shown.
std::string to_text(const TestCase& test);

}  // namespace plumb::result
