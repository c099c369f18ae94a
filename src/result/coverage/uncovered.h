#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result/campaign/campaign_store.h"
#include "result/coverage/coverage.h"

namespace plumb::result {

/// Why no test takes a side of a condition, as far as the search knows.
enum class UncoveredReason : std::uint8_t {
  Infeasible,
  Refuted,
  TimedOut,
  Open,
  NotReached,
  InCampaign,  ///< a run of the search took it; no test that was replayed did
  Unknown,     ///< the search has no such branch, or several that cannot be told apart
};
std::string_view name(UncoveredReason reason);      ///< "infeasible", "timed-out": for programs
std::string_view describe(UncoveredReason reason);  ///< for people

/// A side of a condition or a label of a switch that did not run.
struct UncoveredSide {
  std::string file;  ///< absolute
  TextPosition place;
  bool is_in_macro = false;  ///< `place` is where the macro is used
  std::string function;
  std::string side;                      ///< "true", "false", "case", "default", "not this label"
  std::vector<UncoveredReason> reasons;  ///< one; several if it is not known which of them, without repetition
};
std::string describe(const UncoveredSide& side);  ///< the reasons, in words

/// Joins the branches of the source with those of the search. `directory` is what relative names in `known` begin at.
/// In the order of `coverage`.
std::vector<UncoveredSide> uncovered_sides(const Coverage& coverage, std::span<const StoredBranch> known,
                                           const std::filesystem::path& directory);

}  // namespace plumb::result
