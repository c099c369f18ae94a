#pragma once

#include <chrono>
#include <cstdint>

#include "base/sandbox.h"

namespace plumb::replay {

/// Of the process that runs a program under test, in every run and replay.
struct RunLimits {
  std::chrono::duration<double> time{1.0};
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< address space beyond what the idle program has
  std::uint64_t file_size = std::uint64_t{16} << 20;
  std::uint32_t processes = 16;
  SandboxUse sandbox = SandboxUse::Auto;
};

}  // namespace plumb::replay
