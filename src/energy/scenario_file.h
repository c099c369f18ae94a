#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "energy/scenario.h"

namespace plumb::energy {

/// A value that takes the place of what the file says. `key` is TABLE.KEY; for loads and providers it is that of all of
/// them, or of one: loads.KEY, loads.NAME.KEY. `value` is as in the file, where words need no quotes.
struct Setting {
  std::string key;
  std::string value;
  std::string origin;  ///< where it was given, for messages: "--sweep"
};

/// A scenario as written, in TOML, with the CSV files that it names (relative to its own directory). Every mistake
/// throws UserError with file, line, column and what was expected; unknown keys are mistakes.
class ScenarioFile {
 public:
  explicit ScenarioFile(const std::filesystem::path& path);
  /// From a text; CSV files are looked for in `directory`.
  ScenarioFile(std::string_view text, std::string file, std::filesystem::path directory);
  ~ScenarioFile();
  ScenarioFile(ScenarioFile&&) noexcept;
  ScenarioFile& operator=(ScenarioFile&&) noexcept;

  /// The checked scenario, with some values replaced. CSV files are read once. Not thread-safe.
  Scenario scenario(const std::vector<Setting>& settings = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace plumb::energy
