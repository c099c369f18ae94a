#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/budget.h"
#include "frontend/compile.h"
#include "frontend/load.h"

namespace plumb::frontend {

/// A program as its sources and the words of its build have it, to be built again plainly: by clang alone.
struct SourceProgram {
  struct Unit {
    CompileJob job;
    std::string bitcode;  ///< that the program carries, for a source that is gone; else empty
  };
  std::vector<Unit> units;
  std::vector<std::string> natives;  ///< objects that have no source in C
  std::vector<std::string> link_words;
  bool is_cxx = false;
  bool was_linked = false;  ///< it is an executable: all that it can reach has a definition
  std::uint32_t word_size = 64;
  std::vector<std::string> notes;  ///< sources that are gone or have changed since, a sentence each
};

/// Files and flags are relative to `directory`. Executables must carry their code (driver/carried_code.h). Throws
/// UserError for what has no sources: LLVM's bitcode, executables of other compilers.
SourceProgram source_program(const LoadOptions& options, const std::filesystem::path& directory);

/// What a build is for. Coverage counts with clang's source-based instrumentation, MC/DC included.
enum class Purpose : std::uint8_t { Run, Coverage };
enum class UnitForm : std::uint8_t { Object, Bitcode };

struct CompiledUnits {
  std::vector<std::filesystem::path> files;  ///< one a unit, in their order
  std::vector<std::string> notes;            ///< units without coverage, and why
};
/// Compiles all units, two at a time, through ccache if that is installed. A unit that cannot be compiled again is made
/// of the bitcode that it carries, without coverage; UserError if it carries none.
CompiledUnits compile_units(const SourceProgram& program, Purpose purpose, UnitForm form,
                            const std::filesystem::path& directory, const Budget& budget);

/// What a program with coverage is linked with, after all its objects: counters that outlive the run
/// (runtime/coverage/counters.c), and LLVM's profile runtime. Throws UserError with the package if that is missing.
std::vector<std::filesystem::path> coverage_objects(std::uint32_t word_size, const std::filesystem::path& directory,
                                                    const Budget& budget);

struct LinkedProgram {
  std::filesystem::path executable;  ///< in the directory of its parts
  std::vector<std::string> notes;    ///< functions that are missing, and may be
};
/// Links the objects that compile_units() made in `directory` for this purpose, then `objects`, with the words of the
/// program. Throws UserError with the linker's message.
LinkedProgram link_units(const SourceProgram& program, Purpose purpose,
                         const std::vector<std::filesystem::path>& objects, const std::filesystem::path& directory,
                         const Budget& budget);

}  // namespace plumb::frontend
