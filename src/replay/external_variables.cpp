#include "replay/external_variables.h"

#include <fmt/format.h>

#include <vector>

#include "replay/c_library.h"
#include "semantics/goals.h"

namespace plumb::replay {

using program::GlobalId;
using program::GlobalObject;
using program::Program;

namespace {

/// By global: a run may come to its address.
std::vector<bool> used_variables(const Program& program) {
  std::vector<bool> is_used(program.globals.size(), false);
  const std::vector<bool> is_reachable = semantics::reachable_functions(program);
  for (program::FunctionId f = 0; f < program.functions.size(); ++f)
    if (is_reachable[f])
      for (const program::Value& value : program.functions[f].values)
        if (value.kind == program::ValueKind::GlobalAddress) is_used[value.index] = true;
  for (const GlobalObject& global : program.globals)
    for (const program::Relocation& relocation : global.relocations)
      if (!relocation.is_function) is_used[relocation.index] = true;
  return is_used;
}

bool is_undefined(const GlobalObject& global) {
  return global.is_external && !global.is_thread_local && global.size > 0 && !is_in_library(global.name);
}

}  // namespace

std::string define_external_variables(const Program& program) {
  const std::vector<bool> is_used = used_variables(program);
  std::string definitions, inputs;
  for (GlobalId g = 0; g < program.globals.size(); ++g) {
    const GlobalObject& global = program.globals[g];
    if (!is_used[g] || !is_undefined(global)) continue;
    definitions += fmt::format("unsigned char plumb_variable_{}[{}] __asm__(\"{}\") __attribute__((aligned({})));\n", g,
                               global.size, global.name, global.alignment);
    inputs += fmt::format("  plumb_symbolic(plumb_variable_{}, {}, \"{}\");\n", g, global.size, global.name);
  }
  if (inputs.empty()) return {};
  return fmt::format(
      "void plumb_symbolic(void *object, __SIZE_TYPE__ size, const char *name);\n{}"
      "__attribute__((constructor(102))) static void plumb_set_variables(void) {{\n{}}}\n",
      definitions, inputs);
}

}  // namespace plumb::replay
