#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

namespace plumb::instrument {

/// Where an instrumented program runs, and what it finds there.
enum class BuildKind : std::uint8_t {
  Host,       ///< here: the runtime has call stacks, and defects are shown by a replay
  Board,      ///< on another machine with Linux: code names the site before it allocates or frees
  BareMetal,  ///< without an operating system: likewise, and there is no map of addressability to look at
};

struct Build {
  BuildKind kind = BuildKind::Host;
  /// PLUMB_ARENA_BYTES of the runtime that it is linked with; 0: what config.h has for the kind.
  std::uint32_t arena = 0;

  bool is_bare_metal() const noexcept { return kind == BuildKind::BareMetal; }
  /// Entries of __plumb_filter and __plumb_masks.
  std::uint32_t filter_size() const noexcept;
  std::uint32_t masks_size() const noexcept;
  /// Tables that the runtime maps memory over begin at a page of any machine of the kind.
  std::uint64_t page_size() const noexcept;
};

/// The module's machine has no operating system.
bool is_for_bare_metal(const llvm::Module& module);

/// Of runtime/checks/checks.h, on the module's machine.
std::uint64_t map_offset(const llvm::Module& module);
/// The bytes of a va_list.
std::uint32_t size_of_variable_arguments(const llvm::Module& module);

}  // namespace plumb::instrument
