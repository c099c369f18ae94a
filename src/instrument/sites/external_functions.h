#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plumb::instrument {

/// How many bytes a function writes through an argument.
struct WrittenArgument {
  enum class Size : std::uint8_t {
    Constant,        ///< value
    Result,          ///< its result if that is positive, times value
    ResultElements,  ///< its result times the argument of index value
  };
  std::uint32_t argument = 0;
  Size size = Size::Constant;
  std::uint32_t value = 0;
};

/// A function of the C library or the system that runs without instrumentation.
struct ExternalFunction {
  /// What it is given decides what happens next in the program. False for output and for what only frees or waits: its
  /// arguments may stay symbolic, nothing is lost.
  bool decides = true;
  /// What it gives follows from what it and its like were given before, in every run: no clock, no file, nobody else.
  /// Output counts as if it never failed.
  bool is_steady = false;
  std::vector<WrittenArgument> written;  ///< what is not listed, the runtime notices by the bytes that changed
};
/// Functions that are not known decide.
const ExternalFunction& external_function(std::string_view name);
/// It writes no memory of the program.
inline bool is_inert(const ExternalFunction& function) { return !function.decides && function.written.empty(); }

}  // namespace plumb::instrument
