#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"

namespace plumb::instrument {

/// A machine that programs are compiled for.
struct Machine {
  std::string triple;
  std::vector<std::string> flags;  ///< -mcpu=cortex-m3, --sysroot=…
  std::uint32_t arena = 0;         ///< bytes of the runtime's arenas; 0: its default
  std::string linker{};            ///< of bare metal; elsewhere clang links

  bool is_bare_metal() const;
  /// Of every command of clang's: --target and the flags.
  std::vector<std::string> words() const;
  /// Code of the program and of the runtime, besides: what stacks and the sizes of arenas need.
  std::vector<std::string> code_flags() const;
};

/// The runtime of instrumented programs, compiled from the sources that are part of plumb. Gives an object, in
/// `directory`. Throws UserError with what has to be installed.
std::string compile_runtime(const Machine& machine, const std::filesystem::path& directory, const Budget& budget);

/// C code that belongs to one program, compiled as the runtime is; gives the object.
std::string compile_source(const Machine& machine, const std::string& name, std::string_view text,
                           const std::filesystem::path& directory, const Budget& budget);

/// The program plumb-target, linked, with more words for the linker; gives it.
std::filesystem::path compile_target(const Machine& machine, const std::vector<std::string>& link_words,
                                     const std::filesystem::path& directory, const Budget& budget);

}  // namespace plumb::instrument
