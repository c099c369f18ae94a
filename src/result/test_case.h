#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/schedule.h"

namespace plumb::result {

/// One input that a program asked for.
struct TestInput {
  std::string name;                 ///< the C type of a nondet value, the given name of a symbolic object
  std::vector<std::uint8_t> bytes;  ///< as they lie in memory, little-endian
  friend bool operator==(const TestInput&, const TestInput&) = default;
};

/// Bytes that a variable or heap object has before the program writes them. What C leaves indeterminate is any value
/// here, chosen when the object is created and the same until it is written.
struct UnsetBytes {
  std::string site;            ///< where it is created: "main.x:12", function, variable and line
  std::uint32_t creation = 0;  ///< how often objects were created there before
  std::uint64_t offset = 0;    ///< in the object
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const UnsetBytes&, const UnsetBytes&) = default;
};
/// Of a site's name, where a number must do.
std::uint32_t site_number(std::string_view site) noexcept;

/// What a program is started with, and what the system does to it.
struct Environment {
  struct File {
    std::string name;  ///< in the directory that the program runs in
    std::vector<std::uint8_t> bytes;
    friend bool operator==(const File&, const File&) = default;
  };
  std::vector<std::string> arguments;  ///< after the program's name; without zero bytes
  std::optional<std::vector<std::uint8_t>> standard_input;
  std::vector<File> files;
  std::vector<std::pair<std::string, std::string>> variables;
  /// Which of the calls for input and output fail or come up short, numbered from 0 (runtime/environment).
  std::vector<std::uint32_t> failing_calls;
  friend bool operator==(const Environment&, const Environment&) = default;
};

/// One run: how the program is started, the inputs in the order in which it asks for them, and the order of its
/// threads, where they do not take turns.
struct TestCase {
  std::vector<TestInput> inputs;
  Environment environment = {};
  Schedule schedule = {};
  std::vector<UnsetBytes> unset = {};
  friend bool operator==(const TestCase&, const TestCase&) = default;
};

/// JSON: {"plumb": "1.0", "inputs": [{"name": "int", "bytes": "2a000000"}, {"name": "n", "value": -3, "width": 32}],
/// "environment": {"arguments": ["-n", "3"], "stdin": "616263", "files": [{"name": "A", "bytes": "00ff"}], "variables":
/// {"LANG": "C"}, "failing_calls": [4]}, "schedule": [{"thread": 1, "operations": 3, "woken": 2}],
/// "uninitialised": [{"site": "main.x:12", "creation": 0, "offset": 0, "bytes": "05000000"}]}; bytes of an argument
/// that are not UTF-8 make it {"bytes": "ff00"}. The writer uses "bytes" and adds "value" for people where
/// there are 1, 2, 4 or 8 of them.
std::string to_json(const TestCase& test);
/// Throws UserError with the place in the text; `file` is named in it. Plain numbers are allowed for "inputs" too: they
/// are taken as 64-bit values and cut to what the program asks for.
TestCase parse_test_case(std::string_view text, const std::string& file);
TestCase read_test_case(const std::filesystem::path& path);
/// All files of a directory that end in .json, by name; or the one file.
std::vector<std::pair<std::filesystem::path, TestCase>> read_test_cases(const std::filesystem::path& path);

}  // namespace plumb::result
