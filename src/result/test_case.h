#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumb::result {

/// One input that a program asked for.
struct TestInput {
  std::string name;                 ///< the C type of a nondet value, the given name of a symbolic object
  std::vector<std::uint8_t> bytes;  ///< as they lie in memory, little-endian
  friend bool operator==(const TestInput&, const TestInput&) = default;
};

/// The inputs of one run, in the order in which the program asks for them.
struct TestCase {
  std::vector<TestInput> inputs;
  friend bool operator==(const TestCase&, const TestCase&) = default;
};

/// JSON: {"plumb": "1.0", "inputs": [{"name": "int", "bytes": "2a000000"}, {"name": "n", "value": -3, "width": 32}]}.
/// The writer uses "bytes" and adds "value" for people where there are 1, 2, 4 or 8 of them.
std::string to_json(const TestCase& test);
/// Throws UserError with the place in the text; `file` is named in it. Plain numbers are allowed for "inputs" too: they
/// are taken as 64-bit values and cut to what the program asks for.
TestCase parse_test_case(std::string_view text, const std::string& file);
TestCase read_test_case(const std::filesystem::path& path);
/// All files of a directory that end in .json, by name; or the one file.
std::vector<std::pair<std::filesystem::path, TestCase>> read_test_cases(const std::filesystem::path& path);

}  // namespace plumb::result
