#include "cli/compiler_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace plumb::cli {
namespace {

constexpr std::array kComputed = {program::Check::Overflow, program::Check::Division, program::Check::Shift};

}  // namespace

std::vector<result::Gap> compiler_gaps(frontend::Compilations& compilations, const program::CheckSet& checks,
                                       const Budget& budget) {
  program::CheckSet asked;
  for (const program::Check check : kComputed)
    if (checks.has(check)) asked.add(check);
  std::vector<result::Gap> gaps;
  if (asked.is_empty()) return gaps;
  const auto add = [&](const SourceLocation& place, std::string_view what) {
    const result::Gap gap{
        .kind = result::GapKind::Skipped, .place = place, .text = fmt::format("what the compiler computes ({})", what)};
    result::add_gaps(gaps, std::span(&gap, 1));
  };
  try {
    for (const frontend::ComputedFault& fault : compilations.computed_faults(asked, budget)) {
      const auto finds = [&](program::Check check) { return asked.has(check) && fault.checks.has(check); };
      if (std::ranges::any_of(kComputed, finds)) add(fault.place, fault.message);
    }
  } catch (const OutOfBudget& stopped) {
    add({}, to_string(stopped.stop));
  }
  return gaps;
}

}  // namespace plumb::cli
