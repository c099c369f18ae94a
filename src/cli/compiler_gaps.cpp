#include "cli/compiler_gaps.h"

#include <fmt/format.h>

#include <span>

namespace plumb::cli {

std::vector<result::Gap> compiler_gaps(const frontend::Compilations& compilations, const program::CheckSet& checks) {
  std::vector<result::Gap> gaps;
  for (const frontend::ComputedFault& fault : compilations.computed_faults()) {
    if (!checks.has(fault.check)) continue;
    const result::Gap gap{.kind = result::GapKind::Skipped,
                          .place = fault.place,
                          .text = fmt::format("what the compiler computes ({})", fault.message)};
    result::add_gaps(gaps, std::span(&gap, 1));
  }
  return gaps;
}

}  // namespace plumb::cli
