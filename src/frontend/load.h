#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "program/program.h"

namespace plumb::frontend {

using program::CheckSet;
using program::Program;

class Compilations;

/// What to make a Program of, as the commands get it.
struct LoadOptions {
  std::vector<std::string>
      files{};  ///< .c, .cpp (.cc, .cxx, .C), .i, .bc, .ll, a compile_commands.json, or what plumb cc made
  std::vector<std::string> compiler_flags{};  ///< to clang, as given: -I, -D, -std, and what stands after --
  std::string entry = "main";                 ///< empty: none is needed
  std::optional<std::uint32_t> word_size{};   ///< 32 or 64: --m32, --m64; else the host's or the bitcode's
  unsigned optimisation = 0;                  ///< -O0 … -O3; 0 keeps every source branch
  bool link_models = true;                    ///< of library functions that have no body otherwise
  CheckSet checks = CheckSet::defaults();
  /// Local variables stay in memory, as the source has them: slower, and what InterpreterOptions::find_losses needs.
  bool keep_variables = false;
  /// Variables and heap objects have values from the start that tests may choose, named by where they are created
  /// (unset.h). Without it they have what the interpreter and the machine leave there.
  bool marks_unset = false;
  /// Labels of the source that must not be reached: reach_error() is called there.
  std::vector<std::string> error_labels{};
  /// The property that a run goes back to the head of a loop, or makes a call in a circle of functions that call each
  /// other, at most so many times in all: a Check (goal.h) wherever it does.
  std::optional<std::uint64_t> termination_bound{};
  /// Code for any machine that LLVM knows, which only programs for boards (`plumb serve`) may have. What is made of it
  /// is for regions and traces alone: the interpreter takes the conventions of x86 for granted.
  bool is_board = false;
  /// Then: what the models of library functions are compiled with beside --target: -mcpu=cortex-m3, -mthumb.
  std::vector<std::string> machine_flags{};
  /// Bitcode of the sources, shared by all who load the program with a copy of these options; may be null.
  std::shared_ptr<Compilations> compilations{};
};

/// Compiles, links, canonicalises and lowers. Throws UserError with place and remedy: a file that is missing, empty, a
/// directory or of no known kind; clang's own diagnostics; bitcode that is cut off or of another LLVM version (both
/// are named); two definitions of one function; no entry function. Deterministic.
Program load_program(const LoadOptions& options, const Budget& budget);

/// At most `count` of the names, those most like `wanted` first: for messages about names that do not exist.
std::vector<std::string> nearest_names(std::vector<std::string> names, std::string_view wanted, std::size_t count);

/// LLVM's version, "19.1.7".
std::string llvm_version();

}  // namespace plumb::frontend
