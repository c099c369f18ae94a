#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace plumb::verilog {

/// The user's files, by the names that they were given with.
using Texts = std::map<std::string, std::string>;

/// A cell of the dump.
struct Cell {
  std::string type;
  std::string name;
  std::string source;  ///< "file.v:3.5-3.20"
  std::map<std::string, std::string> parameters;
};

std::vector<Cell> cells_of(const std::string& dump);

/// The last place of "top.v:3.5-3.20|part.v:…", which is the cell's own; those before are of instances. A place begins
/// behind the token before, so blanks and comments of the text are skipped.
SourceLocation place_of(const std::string& source, const Texts& texts);

struct Assertion {
  std::string name;  ///< the label, or file and line
  SourceLocation place;
};

/// By the symbol in BTOR2. Names differ.
std::map<std::string, Assertion> assertions_of(const std::vector<Cell>& cells, const Texts& texts);

}  // namespace plumb::verilog
