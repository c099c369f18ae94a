#pragma once

#include <variant>

#include "result/test_case.h"
#include "system/trace.h"

namespace plumb::replay {

/// What an engine has found, for somebody else to run again.
struct Evidence {
  std::variant<result::TestCase, system::Trace> run;

  const result::TestCase* test() const noexcept { return std::get_if<result::TestCase>(&run); }
  const system::Trace* trace() const noexcept { return std::get_if<system::Trace>(&run); }
};

}  // namespace plumb::replay
