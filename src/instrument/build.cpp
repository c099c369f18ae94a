#include "instrument/build.h"

#include <llvm/TargetParser/Triple.h>

#include "frontend/module.h"
#include "program/platform.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/config.h"

namespace plumb::instrument {
namespace {

std::uint32_t arena_of(const Build& build) {
  return build.arena == 0 && build.is_bare_metal() ? PLUMB_BARE_ARENA_BYTES : build.arena;
}

}  // namespace

std::uint32_t Build::filter_size() const noexcept { return PLUMB_FILTER_SIZE_OF(arena_of(*this)); }

std::uint32_t Build::masks_size() const noexcept { return PLUMB_MASKS_SIZE_OF(arena_of(*this)); }

std::uint64_t Build::page_size() const noexcept {
  switch (kind) {
    case BuildKind::Host:
      return 4096;
    case BuildKind::Board:
      return 65536;
    case BuildKind::BareMetal:
      return 8;
  }
  return 8;
}

// Text without a machine, or with half of one, is taken to be the host's.
bool is_for_bare_metal(const llvm::Module& module) {
  const llvm::Triple triple(module.getTargetTriple());
  return triple.getArch() != llvm::Triple::UnknownArch && !frontend::is_x86(module) &&
         triple.getOS() == llvm::Triple::UnknownOS;
}

std::uint64_t map_offset(const llvm::Module& module) {
  if (module.getDataLayout().getPointerSize() == 8) return PLUMB_MAP_OFFSET_64;
  const bool is_arm = program::platform_of(module.getTargetTriple()).machine == program::Machine::Arm;
  return is_arm ? PLUMB_MAP_OFFSET_ARM : PLUMB_MAP_OFFSET_32;
}

std::uint32_t size_of_variable_arguments(const llvm::Module& module) {
  const std::uint32_t pointer = module.getDataLayout().getPointerSize();
  const program::Platform platform =
      program::platform_of({pointer * 8, module.getDataLayout().isBigEndian(), module.getTargetTriple()});
  return platform.variadic_list_size != 0 ? platform.variadic_list_size : pointer;
}

}  // namespace plumb::instrument
