#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/error.h"

namespace plumb::frontend {

/// One source file and how to compile it.
struct CompileJob {
  std::filesystem::path source;
  std::filesystem::path directory;  ///< where clang runs; empty: here
  std::vector<std::string> flags;
};

/// What all jobs have in common.
struct CompileSettings {
  std::uint32_t word_size = 64;  ///< 0: the flags say which machine it is for
  unsigned optimisation = 0;
  /// That debug locations are relative to. A file is called there what the user calls it, not what is left of that
  /// beside the working directory.
  std::string debug_directory = ".";
  /// Without optimisation too, functions are there that a unit may inline and need not define. A linked program may
  /// have no other definition of them.
  bool has_inline_bodies = false;
};

/// Compiles each job with clang to bitcode with debug locations, two at a time, into files of `directory`; gives them
/// in the order of the jobs. Throws UserError with clang's own diagnostics; its warnings are logged as information.
std::vector<std::filesystem::path> compile(const std::vector<CompileJob>& jobs, const CompileSettings& settings,
                                           const std::filesystem::path& directory, const Budget& budget);

/// Runs clang for each job with the words given for it, two at a time; gives its warnings by job. Errors as compile()
/// has them.
std::vector<std::string> run_compiler(const std::vector<CompileJob>& jobs,
                                      const std::vector<std::vector<std::string>>& commands, const Budget& budget);

/// The words for one job; `include` has our headers.
std::vector<std::string> bitcode_command(const CompileJob& job, const CompileSettings& settings,
                                         const std::filesystem::path& include, const std::filesystem::path& output);

/// Our headers, in a directory below this one, which is returned.
std::filesystem::path write_headers(const std::filesystem::path& directory);

/// `file:line:column`, if it is that.
std::optional<SourceLocation> parse_place(std::string_view place);

/// The jobs of a compile_commands.json: each source once, with the flags that say what the code means (-I, -D, -std, …)
/// and without those that say what to do with it (-o, -c, -O, -M…). Throws UserError with the place in the file.
std::vector<CompileJob> read_compile_commands(const std::filesystem::path& file);

/// The words of a command line, as a POSIX shell takes them apart; without expansions.
std::vector<std::string> split_command(std::string_view command);

/// A flag that makes clang optimise: -O, -O2, -Os, not -O0.
bool is_optimisation(std::string_view flag);

}  // namespace plumb::frontend
