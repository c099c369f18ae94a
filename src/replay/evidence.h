#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "result/test_case.h"
#include "system/trace.h"

namespace plumb::replay {

/// The order in which the threads of a program ran: at each point where another could go on, the number of the one that
/// did, counted from 0 in the order of their creation.
using Schedule = std::vector<std::uint32_t>;

/// What an engine has found, for somebody else to run again.
struct Evidence {
  std::variant<result::TestCase, system::Trace> run;
  std::optional<Schedule> schedule{};  ///< of a test

  const result::TestCase* test() const noexcept { return std::get_if<result::TestCase>(&run); }
  const system::Trace* trace() const noexcept { return std::get_if<system::Trace>(&run); }
};

}  // namespace plumb::replay
