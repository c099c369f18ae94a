#pragma once

#include <compare>
#include <cstddef>

#include "result/test_case.h"

namespace plumb::result {

/// How much a reader of a test has to look at: the fewer parts the better, then the fewer bytes, then the smaller ones.
struct TestSize {
  std::size_t parts = 0;  ///< inputs, arguments, files, variables, failing calls
  std::size_t bytes = 0;
  std::size_t weight = 0;  ///< sum of the bytes: 0 and 5 say more than -1 and 1804289383
  friend auto operator<=>(const TestSize&, const TestSize&) = default;
};
TestSize size_of(const TestCase& test);

}  // namespace plumb::result
