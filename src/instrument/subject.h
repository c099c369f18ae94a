#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "instrument/regions/region_plan.h"
#include "program/program.h"
#include "result/gap.h"

namespace plumb::instrument {

/// A place in the code that the runtime's records refer to.
using SiteId = std::uint32_t;
/// Of a branch or switch, across the program: what coverage counts.
using EdgeId = std::uint32_t;

enum class SiteKind : std::uint8_t { Branch, Switch, CallTarget, Assume, Check, Division, Access, Call, Error };

/// A site of the source: copies of it that inlining or regions make share it.
struct Site {
  SiteKind kind = SiteKind::Branch;
  program::FunctionId function = program::kNone;  ///< that it was written in
  program::Location location;
  EdgeId first_edge = program::kNone;  ///< of a Branch or Switch
  std::uint32_t edge_count =
      0;                    ///< Branch: 0 if the condition is 1, 1 if it is 0. Switch: the default, then one a case
  std::uint32_t width = 0;  ///< of a Switch's value
  std::vector<std::uint64_t> cases;  ///< of a Switch: edge i + 1 is for cases[i]
  /// Of a Branch or Switch: what decides may come from outside, so no set of inputs shows that an edge cannot be taken.
  bool depends_on_outside = false;
  bool is_counted = false;  ///< its edges count as branches: the user's code, reachable from the entry
};

/// A program under test: its Program, and the executable that was instrumented from the same code. Plain data, shared
/// by all workers.
struct Subject {
  program::Program program;  ///< as it was instrumented: small leaf functions are inlined
  std::vector<Site> sites;   ///< by SiteId; 0 stands for "unknown"
  std::uint32_t edge_count = 0;
  /// By function and block: the Branch or Switch that ends the block; 0 if it ends otherwise.
  std::vector<std::vector<SiteId>> terminator_sites;
  std::vector<RegionPlan> regions;
  std::vector<std::string> externals;  ///< names of functions without instrumentation, by the subject of a pin
  std::vector<result::Gap> gaps;       ///< what no search of it follows, wherever runs may come to it
  std::filesystem::path executable;

  const Site& site_of_edge(EdgeId edge) const;
};

}  // namespace plumb::instrument
