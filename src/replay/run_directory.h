#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "result/test_case.h"

namespace plumb::replay {

/// The environment variables that a program under test is started with, as NAME=VALUE, in every run and replay: what a
/// shell needs to find programs, and nothing that would make tests differ from one user to the next.
std::vector<std::string> fixed_environment();

/// The inputs as a target takes them (runtime/concolic/protocol.h).
std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs);

/// Values never written, as the replay runtime takes them (runtime/concolic/replay.c).
std::vector<std::uint8_t> given_unset(std::span<const result::UnsetBytes> unset);

/// What a traced run finds when it starts, made for a process of its own: the same files with the same times, the same
/// variables in the same order. Removes itself: what a program wrote is not for the next one.
class RunDirectory {
 public:
  /// In `parent`, which must exist. The test must outlive it.
  RunDirectory(const std::filesystem::path& parent, const result::TestCase& test);
  ~RunDirectory() { remove(); }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  /// Where the program starts, with the test's files.
  std::filesystem::path scratch() const { return path_ / "run"; }
  /// A file that can be read and sought; /dev/null if the test has none.
  std::filesystem::path standard_input() const;
  /// The whole environment, "NAME=value", with what the replay runtime takes from it.
  std::vector<std::string> variables() const;

 private:
  std::filesystem::path inputs() const { return path_ / "inputs"; }
  std::filesystem::path unset() const { return path_ / "unset"; }
  void remove() const;

  std::filesystem::path path_;
  const result::TestCase& test_;
};

}  // namespace plumb::replay
