#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "result/test_case.h"

namespace plumb::result {

/// Inputs that no input function of a program gives, but the clock: by what is asked of it (Intrinsic::HostClock). They
/// are given in the order in which the program looks at the clock, whatever other inputs stand between them; tests of a
/// search have none, and then it is the real time.
inline constexpr std::array<std::string_view, 3> kClockInputs = {"time()", "clock()", "fraction of time()"};

/// Which of them the name is.
std::optional<unsigned> clock_input(std::string_view name);
/// All but those of the clock: what the program asks for by itself.
std::vector<TestInput> own_inputs(const TestCase& test);

/// Hands out the inputs of a test in the order in which a program asks for them.
class InputReader {
 public:
  /// The test must outlive it.
  explicit InputReader(const TestCase& test) : test_(&test) {}

  /// Null if there is no more; of the clock, if another look at it comes next.
  const TestInput* next(std::string_view name);

 private:
  const TestCase* test_;
  std::size_t own_ = 0;    ///< inputs from here on were not given yet, but for those of the clock
  std::size_t clock_ = 0;  ///< likewise, those of the clock
};

}  // namespace plumb::result
