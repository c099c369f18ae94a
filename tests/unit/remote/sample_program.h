#pragma once

#include <cstdint>
#include <vector>

#include "instrument/subject.h"
#include "result/test_case.h"

namespace plumb::remote {

/// What a board that runs sample_subject() tells of a run.
struct SampleRun {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> edges;  ///< taken, rising
  std::uint32_t how = 0;             ///< enum plumb_wire_end
  std::uint32_t code = 0;
};

enum SampleSite : std::uint32_t { kOuterSite = 1, kInnerSite, kErrorSite, kDefectSite, kOtherSite };

/// x = input(), y = input();
/// if (x < 10) { if (y == 42) error(); } else if (y == 7) { a defect: a write of 4 bytes at offset 20 of 20 }
instrument::Subject sample_subject();
SampleRun run_sample(const std::vector<std::vector<std::uint8_t>>& inputs);

}  // namespace plumb::remote
