#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "replay/lanes.h"
#include "replay/source_trace.h"
#include "result/test_case.h"

namespace plumb::replay {

/// A run that violates a goal, confirmed.
struct Counterexample {
  result::TestCase test;
  std::vector<SourceLocation> input_places;  ///< of the calls that asked, by input
  std::vector<std::uint32_t> input_widths;
  /// Where the objects of test.unset are created, and how many inputs were asked for before.
  std::vector<std::pair<SourceLocation, std::size_t>> unset_places;
  SourceLocation failure;        ///< where it fails: the line in the user's code
  std::string function;          ///< that the failure is in
  std::string message;           ///< "assertion 'x < 10' failed", "write of 4 bytes at offset 40: past the end …"
  std::vector<TraceStep> trace;  ///< all of it; printing shortens
  std::vector<LaneStep> lanes;   ///< of a program whose threads go on in an order of the test
  std::string confirmed_by;      ///< "native run", "checked native run", "interpreter"
};

}  // namespace plumb::replay
