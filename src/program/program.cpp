#include "program/program.h"

#include <array>

namespace plumb::program {

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "operator", "float",         "load",      "store", "allocate", "copy-memory", "fill-memory", "check-index",
      "call",     "call-indirect", "intrinsic", "jump",  "branch",   "switch",      "return",      "halt"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<FunctionId> Program::find_function(std::string_view name) const {
  for (FunctionId f = 0; f < functions.size(); ++f)
    if (functions[f].name == name) return f;
  return std::nullopt;
}

SourceLocation Program::describe(const Location& location) const {
  if (location.file == kNone) return {};
  return {files[location.file], location.line, location.column};
}

}  // namespace plumb::program
