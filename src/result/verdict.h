#pragma once

#include <cstdint>
#include <string_view>

namespace plumb::result {

/// What an engine says about a property.
enum class Verdict : std::uint8_t {
  Holds,      ///< in every run
  HoldsUpTo,  ///< in every run up to a bound, which the engine names
  Violated,   ///< a run that was replayed violates it
  Unknown,    ///< the engine says why
};
std::string_view to_string(Verdict verdict);  ///< "holds", "holds up to", "violated", "unknown"

}  // namespace plumb::result
