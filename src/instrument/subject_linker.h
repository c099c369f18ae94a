#pragma once

#include <llvm/IR/Module.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "frontend/load.h"
#include "frontend/load_module.h"

namespace plumb::instrument {

/// A module that becomes a program.
struct LinkJob {
  const llvm::Module& module;
  const frontend::LinkNeeds& needs;
  std::string name;  ///< of the executable, in `directory`
  std::filesystem::path directory;
  std::vector<std::string> machine;       ///< words of every command: -m32, or --target=T and its flags
  std::string optimisation = "-O2";       ///< -O0 … -Os
  std::vector<std::string> code_flags{};  ///< to compile the module with, besides
  std::vector<std::string> link_flags{};  ///< to link with, besides
  std::string_view runtime{};             ///< an object's content; may be empty
  std::vector<std::string> objects{};     ///< more of the runtime, as files
  /// Another program than clang that links: its command, with "@objects" where objects belong, without -o. It gets
  /// neither `machine` nor `link_flags` nor libraries.
  std::vector<std::string> linker{};
};

/// Throws what is wrong with a module, which is an error of ours.
void check_module(const llvm::Module& module);

/// Compiles the module and links it with the runtime and all that belongs to the program; gives the executable. Throws
/// UserError with the names of functions that have no definition, or with the linker's message.
std::filesystem::path link_subject(const LinkJob& job, const frontend::LoadOptions& options, const Budget& budget);

}  // namespace plumb::instrument
