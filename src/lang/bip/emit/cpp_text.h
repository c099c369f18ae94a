#pragma once

#include <string_view>

namespace plumb::bip {

/// The parts of emitted programs that are the same for all models, in the order of the file. Run and Emulation
/// (run/run.h, run/emulate.h) do the same, and tests hold both against each other.

/// Arithmetic on ints of kBits bits, the types of the model's tables.
extern const std::string_view kCppPrologue;
/// What is enabled, maximal, and fired.
extern const std::string_view kCppRun;
/// Reading of guides.
extern const std::string_view kCppGuide;
/// What is printed, the loop, options, main.
extern const std::string_view kCppMain;

}  // namespace plumb::bip
