#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"
#include "replay/thread_moments.h"

namespace plumb::replay {

/// Of the environment: the file with the order of threads that a build of instrument::build_ordered_replay() follows.
inline constexpr const char* kOrderVariable = "PLUMB_ORDER";

/// A run of the interpreter, as the native build can make it again: by the places of accesses and calls.
struct NativeOrder {
  std::vector<std::uint8_t> bytes;  ///< entries of runtime/concolic/order.h
  std::string problem;              ///< why there is none; else empty
};
/// `is_deadlock`: the run ended with one.
NativeOrder native_order(const program::Program& program, const ThreadMoments& moments, bool is_deadlock);

/// Where a native run left its order, "the native run leaves the order at line 5"; empty if it says nothing of it.
std::string left_order(std::string_view error);
bool told_deadlock(std::string_view error);

}  // namespace plumb::replay
