#include "program/program.h"

#include <algorithm>
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

std::optional<std::string> Program::constant_text(GlobalId global, std::int64_t offset) const {
  const GlobalObject& object = globals[global];
  if (!object.is_constant || object.is_external || offset < 0 || static_cast<std::uint64_t>(offset) >= object.size)
    return std::nullopt;
  const auto first = std::min(static_cast<std::size_t>(offset), object.bytes.size());
  const auto begin = object.bytes.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = std::find(begin, object.bytes.end(), 0);
  if (end == object.bytes.end() && object.bytes.size() >= object.size) return std::nullopt;
  return std::string(begin, end);
}

std::string Program::message_of(const Instruction& instruction) const {
  const bool has_one = instruction.kind == Kind::Intrinsic || instruction.kind == Kind::Halt;
  return has_one && instruction.parameter != kNone ? messages[instruction.parameter] : "";
}

SourceLocation Program::describe(const Location& location) const {
  if (location.file == kNone) return {};
  return {files[location.file], location.line, location.column};
}

}  // namespace plumb::program
