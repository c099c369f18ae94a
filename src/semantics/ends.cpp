#include "semantics/ends.h"

#include <algorithm>
#include <optional>

namespace plumb::semantics {

using program::Function;
using program::FunctionId;
using program::Instruction;
using program::Program;

namespace {

bool is_at_exit(const Instruction& instruction) {
  return instruction.kind == program::Kind::Intrinsic && instruction.intrinsic() == program::Intrinsic::AtExit;
}

/// The model that is registered.
std::optional<FunctionId> registered(const Program& program, const Function& function, const Instruction& at_exit) {
  const program::Value& given = function.values[function.operands_of(at_exit)[0]];
  if (given.kind != program::ValueKind::FunctionAddress || !program.functions[given.index].is_model)
    return std::nullopt;
  return given.index;
}

}  // namespace

std::vector<FunctionId> functions_at_end(const Program& program) {
  std::vector<FunctionId> found;
  for (const Function& function : program.functions) {
    if (!function.is_model) continue;
    for (const Instruction& instruction : function.instructions) {
      if (!is_at_exit(instruction)) continue;
      const std::optional<FunctionId> f = registered(program, function, instruction);
      if (f && std::ranges::find(found, *f) == found.end()) found.push_back(*f);
    }
  }
  found.insert(found.end(), program.destructors.begin(), program.destructors.end());
  return found;
}

bool is_followed_at_end(const Program& program, const Function& function, const Instruction& at_exit) {
  return function.is_model && registered(program, function, at_exit).has_value();
}

}  // namespace plumb::semantics
