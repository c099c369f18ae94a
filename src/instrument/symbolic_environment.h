#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "result/test_case.h"

namespace plumb::instrument {

/// Which parts of a program's environment are inputs, and how large they may be. Sizes are the largest: a run may have
/// less of everything, down to an empty file or argument.
struct SymbolicEnvironment {
  /// Arguments in the order of the command line.
  struct Arguments {
    std::string text;           ///< of a plain argument, if `maximum` is 0
    std::uint32_t minimum = 0;  ///< how many symbolic ones there are
    std::uint32_t maximum = 0;
    std::uint32_t length = 0;  ///< bytes of each, without the zero at its end
  };
  std::vector<Arguments> arguments;
  std::uint32_t standard_input = 0;  ///< bytes; 0: there is none
  std::uint32_t file_count = 0;      ///< named A, B, …
  std::uint32_t file_size = 0;
  std::vector<std::pair<std::string, std::uint32_t>> variables;  ///< names and largest lengths
  std::uint32_t failing_calls = 0;                               ///< of a run, at most

  bool is_empty() const;
};

/// A run of a program with a symbolic environment first asks for the inputs that make up its environment (a fixed list
/// for a given SymbolicEnvironment), then for those of the program's own. The two views of the same run:
/// what it is given, as the runtime numbers it, and the test that people and other tools see.
/// Parts of the test's environment that are larger than `environment` allows are cut; inputs that are missing are zero.
std::vector<result::TestInput> to_inputs(const SymbolicEnvironment& environment, const result::TestCase& test);
result::TestCase to_test(const SymbolicEnvironment& environment, std::span<const result::TestInput> inputs);

/// What the program under test is told (runtime/environment/arguments.c has the format); `name` is its argv[0].
std::string to_text(const SymbolicEnvironment& environment, const std::string& name);
/// How many arguments there can be, its name included.
std::uint32_t most_arguments(const SymbolicEnvironment& environment);
/// "A", "B", …
std::string name_of_file(std::uint32_t index);

}  // namespace plumb::instrument
