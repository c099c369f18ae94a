#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/program_options.h"
#include "cli/prove_options.h"
#include "explore/explore.h"
#include "frontend/memory_model.h"
#include "paths/options.h"

namespace plumb::cli {

/// What `plumb check` has for programs alone.
struct CheckProgramOptions {
  std::optional<std::uint64_t> unwind;
  std::optional<std::uint64_t> contexts;
  std::uint32_t heap_objects = 8;
  std::uint64_t heap_object_size = 256;
  std::uint32_t stack_depth = 32;
  bool is_every_goal = false;
  bool accepts_gaps = false;
  explore::Options exploration;
  paths::Options paths;
  std::string paths_out;              ///< a directory for a test per path
  bool is_dot = false;                ///< --show graph in the language of Graphviz
  std::vector<std::string> formulas;  ///< --ltl
  bool is_fair = false;
  frontend::MemoryModel memory_model = frontend::MemoryModel::Sequential;
};
void add_check_program_options(CLI::App& app, CheckProgramOptions& options);

/// Whether the file is a program or a task, and no system: by its suffix, or because it carries code.
bool names_program(const std::string& file);

/// `plumb check` of a program or of a task, with `proving` for the options that it shares with systems.
int check_program(const ProgramOptions& program, const CheckProgramOptions& options, const ProvingOptions& proving,
                  const Context& context);

}  // namespace plumb::cli
