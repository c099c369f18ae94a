#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/gap.h"
#include "result/verdict.h"

namespace plumb::result {

/// What one engine, or the one that decided, says about a property: a bad of a system, a goal of a program.
struct Finding {
  std::string engine{};  ///< "bmc", "circuit", "abc pdr"
  Verdict verdict = Verdict::Unknown;
  std::string detail{};                  ///< how it came to it: "abc pdr" of the circuit, "unwinding 12"
  std::optional<std::uint64_t> bound{};  ///< of HoldsUpTo: the last step that was covered, where steps are counted
  std::string reason{};                  ///< of Unknown and HoldsUpTo: why there is not more
  std::vector<Gap> gaps{};               ///< that it met: behind them nothing is said
  double seconds = 0;
};

}  // namespace plumb::result
